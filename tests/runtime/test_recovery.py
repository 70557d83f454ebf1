"""What a restart does: the hand goes on with a full clock, and nothing is forgotten."""

import asyncio
from dataclasses import replace
from typing import Any

from fullring.rules.actions import Action
from fullring.rules.cards import parse
from fullring.runtime.head import SNAPSHOT_ROWS
from fullring.runtime.ports import Answer
from fullring.runtime.recovery import replay
from fullring.table.commands import ActOnTurn, Chat, Close, Leave, Pause, Resume, ShowCards, SitOut, TopUp
from fullring.table.ids import AccountId, HandId
from fullring.table.settings import MINUTE
from tests.fake_clock import START
from tests.runtime.house import House, Person, outcome, rebuy, to_act, until
from tests.runtime.lives import persons, two_lives
from tests.virtual_loop import run


def test_the_hand_goes_on_and_the_player_to_act_has_a_full_clock() -> None:
    before: dict[str, Any] = {}

    async def first(house: House) -> None:
        people = await house.seated(await house.open(), 1, 2, 3)
        for action in (Action.CALL, Action.CALL, Action.CHECK):
            person = await to_act(people)
            await person.act(action)
        await to_act(people)
        await asyncio.sleep(25)
        before.update({person.account: person.seen for person in people})

    async def second(house: House) -> None:
        people = persons(house)
        for person in people:
            was, now = before[person.account], person.seen
            assert now["view"]["hand"]["board"] == was["view"]["hand"]["board"]
            assert now["view"]["hand"]["pots"] == was["view"]["hand"]["pots"]
            assert now["you"]["cards"] == was["you"]["cards"]
            assert now["view"]["hand"]["turn"]["id"] == was["view"]["hand"]["turn"]["id"]
            assert now["view"]["hand"]["turn"]["deadline"] == house.clock.now() + 30_000
            assert now["seq"] == was["seq"] + 1
        person = await to_act(people)
        assert isinstance(await outcome(person.act(Action.CHECK)), dict)

    two_lives(first, second)


def test_after_a_restart_nobody_counts_as_connected_until_he_is() -> None:
    async def first(house: House) -> None:
        await house.seated(await house.open(), 1, 2)

    async def second(house: House) -> None:
        (table,) = house.store.books.tables
        assert [seat["connected"] for seat in house.room.audience(table).view()["seats"]] == [False, False]
        one, _ = persons(house)
        await until(lambda: all(seat["connected"] for seat in one.seen["view"]["seats"]))
        assert house.room.seats_of(one.account) == [(table, 1)]

    two_lives(first, second)


def test_a_command_from_before_the_restart_gets_its_first_answer() -> None:
    answers: dict[str, Answer] = {}

    async def first(house: House) -> None:
        people = await house.seated(await house.open(), 1, 2)
        person = await to_act(people)
        answers["call"] = await person.ask(person.answer(Action.CALL), "call")
        answers["chat"] = await person.ask(Chat(person.account, "x", "hello"), "chat")
        answers["account"] = {"is": person.account}

    async def second(house: House) -> None:
        people = persons(house)
        person = next(person for person in people if person.account == answers["account"]["is"])
        rows = len(house.log.commits)
        call = ActOnTurn(
            person.account, person.seen["view"]["hand"]["id"], person.seen["view"]["hand"]["turn"]["id"], Action.FOLD
        )
        assert await person.ask(call, "call") == answers["call"]
        assert await person.ask(Chat(person.account, "x", "hello"), "chat") == answers["chat"]
        assert len(house.log.commits) == rows

    two_lives(first, second)


def test_a_hosts_pause_outlives_a_restart() -> None:
    async def first(house: House) -> None:
        table = await house.open()
        await to_act(await house.seated(table, 1, 2))
        await house.room.ask(table, Pause("a break"))

    async def second(house: House) -> None:
        people = persons(house)
        assert people[0].seen["view"]["reason"] == "a break"
        await asyncio.sleep(3_600)
        assert people[0].seen["view"]["status"] == "paused"
        await house.room.ask(people[0].table, Resume("go on"))
        await to_act(people)

    two_lives(first, second)


def test_a_closed_table_does_not_come_back() -> None:
    async def first(house: House) -> None:
        table = await house.open()
        (anna,) = await house.seated(table, 1)
        await house.room.ask(table, Close("the night is over"))
        assert house.store.books.accounts[anna.account].chips == 1_000_000

    async def second(house: House) -> None:
        assert house.room.summaries() == []

    two_lives(first, second)


def test_a_replay_is_short_however_long_a_table_has_stood() -> None:
    async def first(house: House) -> None:
        table = await house.open()
        people = await house.seated(table, 1, 2)
        for _ in range(1_000):
            person = await to_act(people)
            await person.ask(person.some_answer(house.chance))
            await rebuy(people)
        people[0].drop()
        people[1].drop()
        quiet = await house.open()
        anna = await house.person("Anna", quiet)
        for number in range(700):
            await anna.ask(Chat(anna.account, "Anna", f"{number}"))

    async def second(house: House) -> None:
        assert all(stored.last_seq > 600 for stored in await house.log.claim())

    store = two_lives(first, second)
    for stored in run(store.log.claim):
        assert len(stored.rows) < 250


def test_the_last_hand_is_still_shown_however_much_was_written_since() -> None:
    """The table has been written down whole behind it, so that a replay stays short."""
    before: dict[AccountId, Any] = {}

    def last_hand(person: Person) -> object:
        update, shown = person.seen, {"seat", "cards", "rank", "holds", "last_action"}
        seats = [{name: seat[name] for name in shown & seat.keys()} for seat in update["view"]["seats"]]
        return update["view"]["hand"], update["you"]["cards"], seats

    async def first(house: House) -> None:
        people = await house.seated(await house.open(hand_pause_ms=1_500, show_ms=MINUTE), 1, 2, 3)
        await to_act(people)
        while acting := next((person for person in people if person.turn), None):
            actions = acting.seen["view"]["hand"]["turn"]["actions"]
            await acting.act(Action.CALL if actions.get("call") else Action.CHECK)
        for person in people:  # Two had to show; the other mucked, and shows one card.
            hand, cards = person.seen["view"]["hand"]["id"], person.seen["you"]["cards"]
            await outcome(person.ask(ShowCards(person.account, HandId(hand), parse(cards[0]))))
            await person.ask(SitOut(person.account))
        for number in range(SNAPSHOT_ROWS):
            await people[0].ask(Chat(people[0].account, "x", f"{number}"))
        before.update({person.account: last_hand(person) for person in people})

    async def second(house: House) -> None:
        people = persons(house)
        assert {person.account: last_hand(person) for person in people} == before
        seats = people[0].seen["view"]["seats"]
        assert [(len(seat["cards"]), seat["last_action"]) for seat in seats] == [
            (2, "check"),
            (2, "check"),
            (1, "check"),
        ]

    (stored,) = run(two_lives(first, second).log.claim)
    assert stored.snapshot is not None
    last = stored.snapshot.last
    assert last is not None
    spoilt = replace(stored, snapshot=replace(stored.snapshot, last=replace(last, events=last.events[:-1])))
    replayed = replay(spoilt, lambda table, row: None)
    assert (replayed.fault, replayed.table.hand) == (None, None), "a picture that is broken is not shown"


def test_time_does_not_begin_before_what_the_log_holds() -> None:
    """The machine's clock was set back by an hour while the room was down: a turn still lasts 30 s."""

    async def first(house: House) -> None:
        await asyncio.sleep(3_600)
        await to_act(await house.seated(await house.open(), 1, 2))

    async def second(house: House) -> None:
        assert house.clock.now() > START + 3_600_000
        people = persons(house)
        turn = (await to_act(people)).turn
        assert turn is not None
        assert turn["deadline"] - house.clock.now() in range(29_000, 30_001)

    two_lives(first, second)


def test_leaving_and_topping_up_are_not_forgotten_by_a_crash() -> None:
    async def first(house: House) -> None:
        people = await house.seated(await house.open(), 1, 2, 3)
        acting = await to_act(people)
        waiting = [person for person in people if person is not acting]
        await waiting[0].ask(Leave(waiting[0].account))
        await outcome(waiting[1].ask(TopUp(waiting[1].account, 0)))
        await acting.act(Action.FOLD)

    async def second(house: House) -> None:
        people = persons(house)
        await asyncio.sleep(120)
        assert len(people[0].seen["view"]["seats"]) == 2

    two_lives(first, second)

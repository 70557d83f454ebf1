"""The process dies, at any await: what was acknowledged is there, the hand goes on; an unreadable log voids it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from fullring.rules.actions import Action
from fullring.rules.cards import parse
from fullring.rules.events import HandVoided
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.audience import Since
from fullring.runtime.head import SNAPSHOT_ROWS
from fullring.runtime.ports import Answer, CommandKey
from fullring.runtime.recovery import replay
from fullring.table.commands import ActOnTurn, Chat, Close, Leave, Pause, Resume, ShowCards, Sit, SitOut, TopUp
from fullring.table.ids import AccountId, HandId, TableId
from fullring.table.state import Table
from fullring.table.table import deadline, evolve, opened
from fullring.table.views import public_view, you
from tests.fake_clock import START
from tests.fakes import FakeStore, Fault
from tests.runtime.house import House, Person, outcome, rebuy, to_act, until
from tests.virtual_loop import Killed, LoopClock, run

MINUTE = 60_000
TABLES, SEATS = 2, 3


@dataclass
class Told:
    """What a client knows when the process dies: it outlives the process."""

    account: AccountId
    table: TableId
    heard: list[Any] = field(default_factory=list)
    answered: dict[str, Answer | Exception] = field(default_factory=dict)
    pending: tuple[str, ActOnTurn] | None = None


@dataclass
class Life:
    """One life of a process, and what is left of it."""

    store: FakeStore
    faults: bool
    told: list[Told] = field(default_factory=list)
    house: House | None = None
    ended_at: int = START

    async def live(self) -> None:
        """Play at random until the process is killed."""
        house = self.house = House(LoopClock(), self.store, seed=3)
        await house.room.start()
        tables = [await house.open() for _ in range(TABLES)]
        playing = [asyncio.ensure_future(self._play(house, table)) for table in tables]
        await asyncio.gather(*playing)

    async def _play(self, house: House, table: TableId) -> None:
        people = await house.seated(table, *range(1, SEATS + 1), buy_in=300)
        told = {person.account: Told(person.account, table, person.listener.heard) for person in people}
        self.told += told.values()
        for number in range(10_000):
            person = await to_act(people)
            if self.faults and house.chance.random() < 0.1:
                house.log.faults.append(house.chance.choice(list(Fault)))
            mine, command = told[person.account], person.some_answer(house.chance)
            mine.pending = f"{table}-{number}", command
            mine.answered[mine.pending[0]] = await outcome(person.ask(command, mine.pending[0]))
            mine.pending = None
            await rebuy(people, 300)
            self.ended_at = house.clock.now()


def die(kill_at: int, seed: int) -> Life:
    life = Life(FakeStore(), faults=seed % 2 == 1)
    with pytest.raises(Killed):
        run(life.live, seed=seed, kill_at=kill_at)
    return life


def look(table: Table) -> tuple[object, ...]:
    """All that can be seen of a table by anybody, and when its clock runs out."""
    own = [you(table, seat) for seat in sorted(table.seats)]
    return table.seq, public_view(table), own, deadline(table), table.chips


def fold(store: FakeStore, table: TableId, last_row: int) -> Table:
    stored = store.books.tables[table]
    folded = opened(table, stored.settings)
    for row in stored.rows[:last_row]:
        evolve(folded, row.events, row.at)
    return folded


# A whole run of both tables takes some 100 callbacks to sit down and then about 25 for every action.
@pytest.mark.parametrize("seed", range(4))
def test_a_process_killed_at_any_await_loses_nothing_that_anybody_was_told(seed: int) -> None:
    """With odd seeds the log fails now and then, too."""
    for kill_at in range(150 + seed, 2_000, 61):
        life = die(kill_at, seed)
        try:
            check_what_is_left(life)
            run(lambda life=life: go_on(life), seed=seed)  # type: ignore[misc]  # Each with its own life.
        except BaseException as error:
            error.add_note(f"killed at {kill_at}")
            raise


def check_what_is_left(life: Life) -> None:
    assert life.house is not None
    for actor in life.house.room._actors.values():
        assert look(fold(life.store, actor.id, actor._head.row)) == look(actor.table), "memory is the fold of its log"
    for told in life.told:
        keys = [row.key for row in life.store.books.tables[told.table].rows]
        for id, answer in told.answered.items():
            assert keys.count(CommandKey(told.account, id)) == isinstance(answer, dict)


async def go_on(life: Life) -> None:
    """The next process, over the same store, with the same clients."""
    house = House(LoopClock(start=life.ended_at + MINUTE), life.store)
    before = {stored.table: replay(stored, lambda table, row: None).table for stored in await life.store.log.claim()}
    await house.room.start()
    people: list[Person] = []
    for told in life.told:
        person = Person(house, told.account, told.account, told.table)
        last = told.heard[-1]
        person.connect(Since(last["epoch"], last["seq"]))
        people.append(person)
        check_continuity(told, person, before[told.table])
        if told.pending is not None:
            id, command = told.pending
            answer = await outcome(person.ask(command, id))
            if not isinstance(answer, dict):
                assert isinstance(answer, Refused)
                assert answer.code in {Refusal.STALE_TURN, Refusal.NOT_YOUR_TURN}
            keys = [row.key for row in life.store.books.tables[told.table].rows]
            assert keys.count(CommandKey(told.account, id)) == isinstance(answer, dict)
    for table in {told.table for told in life.told}:
        here = [person for person in people if person.table == table]
        if len(here) > 1 and len(house.store.books.tables[table].seats) > 1:
            for _ in range(20):
                await rebuy(here, 300)
                acting = await to_act(here)
                assert isinstance(await outcome(acting.ask(acting.some_answer(house.chance))), dict)
    await house.room.stop()
    await house.chips()


def check_continuity(told: Told, person: Person, before: Table) -> None:
    """The client's first update after the restart continues what it had."""
    last, first = told.heard[-1], person.listener.heard[0]
    assert first["epoch"] == last["epoch"]
    assert first["seq"] > last["seq"]
    assert "lost" not in first
    assert any(event["type"] == "table_resumed" for event in first["events"])
    assert last["seq"] <= before.seq < first["seq"]
    hand, hand_before = first["view"].get("hand"), last["view"].get("hand")
    if hand is not None and hand_before is not None and hand["id"] == hand_before["id"]:
        assert first.get("you", {}).get("cards") == (last.get("you") or first.get("you", {})).get("cards")
        assert hand["board"][: len(hand_before["board"])] == hand_before["board"]
    turn = (hand or {}).get("turn")
    if turn is not None:
        assert turn["deadline"] == person.house.clock.now() + 30_000


# --- what a restart does ---


def two_lives(first: Callable[[House], Any], second: Callable[[House], Any]) -> FakeStore:
    """One process after the other over the same store; the first is gone without saying anything."""
    store = FakeStore()

    async def live() -> None:
        house = House(LoopClock(), store)
        await house.room.start()
        await first(house)
        raise Killed

    async def again() -> None:
        house = House(LoopClock(start=START + MINUTE), store)
        await house.room.start()
        await second(house)
        await house.room.stop()
        await house.chips()

    with pytest.raises(Killed):
        run(live)
    run(again)
    return store


def persons(house: House) -> list[Person]:
    """Everybody who sits somewhere, connected again."""
    people = [
        Person(house, row.account, row.name, table)
        for table, stored in house.store.books.tables.items()
        for row in stored.seats.values()
    ]
    for person in people:
        person.connect()
    return people


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


# --- a log that does not replay ---


@pytest.mark.parametrize("how", ["unreadable", "does not fit", "money disagrees"])
def test_a_log_that_does_not_replay_voids_the_hand_and_gives_the_chips_back(how: str) -> None:
    async def first(house: House) -> None:
        people = await house.seated(await house.open(), 1, 2, 3)
        for action in (Action.ALL_IN, Action.FOLD):
            person = await to_act(people)
            await person.act(action)
        await to_act(people)
        (stored,) = house.store.books.tables.values()
        if how == "unreadable":
            house.log.spoil(people[0].table, len(stored.rows) - 1)
        elif how == "does not fit":
            stored.rows[-1] = stored.rows[-2]
        else:
            house.store.books.move({people[0].account: -100, f"escrow:{people[0].table}": 100}, "test", 0, None, None)
            row = stored.seats[1]
            stored.seats[1] = type(row)(row.seat, row.account, row.name, row.kind, row.stack + 100, row.pending)

    async def second(house: House) -> None:
        people = persons(house)
        extra = 100 if how == "money disagrees" else 0
        assert [seat["stack"] for seat in people[0].seen["view"]["seats"]] == [1_000 + extra, 1_000, 1_000]
        assert people[0].seen["epoch"] == 2
        await until(lambda: people[0].seen["view"].get("hand") is not None)
        assert people[0].seen["view"]["hand"]["number"] > 1
        for _ in range(30):
            person = await to_act(people)
            assert isinstance(await outcome(person.ask(person.some_answer(house.chance))), dict)
            await rebuy(people)

    store = two_lives(first, second)
    voided = [record for record in store.books.hands.values() if isinstance(record.events[-1], HandVoided)]
    assert len(voided) == (how != "money disagrees")
    third: list[int] = []

    async def once_more() -> None:
        house = House(LoopClock(start=START + 10 * MINUTE), store)
        await house.room.start()
        third.append(persons(house)[0].seen["epoch"])
        await house.room.stop()

    run(once_more)
    assert third == [2], "a new history replays like any other"


def test_a_new_history_keeps_a_hosts_wishes() -> None:
    async def first(house: House) -> None:
        table = await house.open()
        people = await house.seated(table, 1, 2)
        await to_act(people)
        await house.room.ask(table, Close("the night is over"))
        house.log.spoil(table, len(house.store.books.tables[table].rows))

    async def second(house: House) -> None:
        (table,) = house.store.books.tables
        assert isinstance(await outcome(house.room.ask(table, Close("the night is over"))), dict | Refused)
        await until(lambda: house.room.summaries() == [])
        assert {account.chips for account in house.store.books.accounts.values()} == {1_000_000}

    two_lives(first, second)


def test_a_table_that_reads_its_log_again_while_people_watch_shows_them_the_new_history() -> None:
    async def first(house: House) -> None:
        people = await house.seated(await house.open(), 1, 2)
        person = await to_act(people)
        answer = person.answer(Action.CALL)
        stored = house.store.books.tables[person.table]
        stored.owner_epoch += 1
        house.log.spoil(person.table, len(stored.rows))
        told = await outcome(person.ask(answer))
        assert isinstance(told, Refused)
        await until(lambda: people[0].seen["epoch"] == 2)
        await to_act(people)
        lost = [update for update in people[0].listener.updates(person.table) if update.get("lost")]
        assert [update["epoch"] for update in lost] == [2]

    async def second(house: House) -> None:
        assert len(house.room.summaries()) == 1

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


def test_sitting_down_and_dying_at_once_is_one_seat_or_none() -> None:
    for kill_at in range(1, 1_000):
        store = FakeStore()
        asked: list[tuple[TableId, Sit]] = []

        async def first(store: FakeStore = store, asked: list[tuple[TableId, Sit]] = asked) -> None:
            house = House(LoopClock(), store)
            await house.room.start()
            table = await house.open()
            anna = await house.person("Anna", table)
            asked.append((table, Sit(anna.account, "Anna", "player", 1_000, 2)))
            await anna.ask(asked[0][1], "sit")
            await asyncio.sleep(3_600)

        async def second(store: FakeStore = store, asked: list[tuple[TableId, Sit]] = asked) -> None:
            house = House(LoopClock(start=START + MINUTE), store)
            await house.room.start()
            for table, sit in asked:
                answer = await house.room.ask(table, sit, CommandKey(sit.account, "sit"))
                assert answer["seat"] == 2
                assert store.books.accounts[sit.account].chips == 9_000
            await house.room.stop()
            await house.chips()

        try:
            run(first, kill_at=kill_at)
        except Killed:
            run(second)
        else:
            assert kill_at > 10, "it was killed at every step"
            break

"""A log that does not replay: the hand is void, and every chip is back where it was."""

import pytest

from fullring.rules.actions import Action
from fullring.rules.events import HandVoided
from fullring.rules.refusals import Refused
from fullring.table.commands import Close
from fullring.table.settings import MINUTE
from tests.fake_clock import START
from tests.runtime.house import House, outcome, rebuy, to_act, until
from tests.runtime.lives import persons, two_lives
from tests.virtual_loop import LoopClock, run


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

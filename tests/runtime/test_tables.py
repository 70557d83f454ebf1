"""The room as a whole: opening and closing tables, the lobby, who sits where, starting and stopping."""

import asyncio
import gc
from collections.abc import Mapping, Sequence
from unittest.mock import patch

import pytest

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.actor import Actor
from fullring.runtime.lobby import LOBBY, UPDATE_MS
from fullring.runtime.ports import AlreadyOwned, Batch, CommandKey, Deposed, Outcome, StoredTable
from fullring.table.commands import Chat, Close, Kick, Leave, Sit
from fullring.table.ids import AccountId, TableId
from fullring.table.state import Table
from tests.runtime.house import TICK_S, House, Listener, Lock, Person, housed, outcome, rebuy, to_act, until
from tests.virtual_loop import LoopClock, run


@housed()
async def test_a_table_is_in_the_list_as_soon_as_it_is_open(house: House) -> None:
    table = await house.open(name="Magnolia")

    (row,) = house.room.summaries()
    assert (row["id"], row["name"], row["taken"], row["status"]) == (table, "Magnolia", 0, "waiting")
    assert house.room.settings(table).name == "Magnolia"
    assert house.room.is_public(table)
    assert not house.room.is_public(await house.open(join_code="friends"))


@housed()
async def test_a_table_that_two_take_up_at_once_is_one_table(house: House) -> None:
    settings = house.room.settings(await house.open())
    await house.log.create(TableId("t9"), settings, None, house.clock.now())

    read = house.log.read

    async def slowly(table: TableId) -> StoredTable:
        await asyncio.sleep(0)
        return await read(table)

    with patch.object(house.log, "read", slowly):
        await asyncio.gather(house.room.take_up(TableId("t9")), house.room.take_up(TableId("t9")))
    assert [row["id"] for row in house.room.summaries()].count("t9") == 1
    assert len(house.room._tasks) == len(house.room) == 2


@housed()
async def test_a_table_that_is_not_there_is_not_found(house: House) -> None:
    anna = await house.person("Anna", await house.open())

    told = await outcome(house.room.ask("t0", Leave(anna.account)))
    assert isinstance(told, Refused)
    assert told.code is Refusal.NOT_FOUND
    for look in (house.room.audience, house.room.settings):
        with pytest.raises(Refused):
            look("t0")


@housed()
async def test_where_an_account_sits_is_known_and_forgotten(house: House) -> None:
    one, two = await house.open(), await house.open()
    anna = await house.person("Anna", one)
    await anna.sit(4)
    await house.room.ask(two, Sit(anna.account, "Anna", "player", 500, 2))
    assert set(house.room.seats_of(anna.account)) == {(one, 4), (two, 2)}
    await house.room.ask(two, Kick(anna.account, "too loud"))

    assert house.room.seats_of(anna.account) == [(one, 4)]


@housed()
async def test_the_table_knows_whether_any_connection_of_a_player_is_left(house: House) -> None:
    table = await house.open()
    anna, bo = await house.seated(table, 1, 2)
    house.room.connected(anna.account)
    anna.drop()
    await asyncio.sleep(TICK_S)
    assert bo.seen["view"]["seats"][0]["connected"] is True
    house.room.disconnected(anna.account)
    await until(lambda: bo.seen["view"]["seats"][0]["connected"] is False)
    anna.connect()

    await until(lambda: bo.seen["view"]["seats"][0]["connected"] is True)


# --- the lobby ---


@housed()
async def test_the_lobby_shows_what_is_open_and_what_changes_a_few_times_a_second(house: House) -> None:
    table = await house.open()
    await asyncio.sleep(1)
    visitor = Listener(house.clock)
    house.room.audience(LOBBY).watch(visitor.outbox)
    assert [row["taken"] for row in visitor.heard[0]["view"]["tables"]] == [0]

    people = [await house.person(f"P{number}", table) for number in range(6)]
    await asyncio.gather(*[person.sit() for person in people])
    await asyncio.sleep(UPDATE_MS * 2 / 1_000)

    assert visitor.heard[-1]["view"]["tables"][0]["taken"] == 6
    assert len(visitor.heard) <= 3
    seqs = [update["seq"] for update in visitor.heard]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
    gaps = [after["at"] - before["at"] for before, after in zip(visitor.heard[1:], visitor.heard[2:], strict=False)]
    assert all(gap >= UPDATE_MS for gap in gaps)


@housed()
async def test_a_table_that_closes_leaves_the_lobby(house: House) -> None:
    table = await house.open()
    visitor = Listener(house.clock)
    house.room.audience(LOBBY).watch(visitor.outbox)
    await house.room.ask(table, Close("the night is over"))
    await asyncio.sleep(1)

    assert visitor.heard[-1]["view"] == {"tables": []}


def test_the_lobby_of_a_new_process_has_another_epoch() -> None:
    async def once(start: int) -> int:
        house = House(LoopClock(start=start))
        await house.room.start()
        epoch = house.room.audience(LOBBY).epoch
        await house.room.stop()
        return epoch

    async def main() -> None:
        assert await once(1_000) < await once(2_000)

    run(main)


# --- PR-H1: nothing is left behind ---


def alive(kind: type) -> int:
    gc.collect()
    return sum(type(thing) is kind for thing in gc.get_objects())


@housed()
async def test_a_closed_table_is_told_to_those_who_watch_and_leaves_nothing_behind(house: House) -> None:
    actors, tables = alive(Actor), alive(Table)
    table = await house.open()
    anna, bo = await house.seated(table, 1, 2)
    acting = await to_act([anna, bo])
    await house.room.ask(table, Close("the night is over"))
    assert anna.seen["view"]["status"] == "closing"
    while acting.turn:
        await acting.ask(acting.some_answer(house.chance))
        acting = anna if anna.turn else bo
    await asyncio.sleep(1)

    assert anna.listener.events(table)[-1]["type"] == "table_closed"
    assert anna.listener.outbox.watching == set()
    assert house.room.seats_of(anna.account) == []
    assert house.room.summaries() == []
    told = await outcome(anna.ask(Chat(anna.account, "Anna", "anybody?")))
    assert isinstance(told, Refused)
    assert told.code is Refusal.NOT_FOUND
    assert (alive(Actor), alive(Table)) == (actors, tables)


@housed()
async def test_what_was_asked_of_a_table_that_closed_meanwhile_is_answered_for_good(house: House) -> None:
    table, other = await house.open(), await house.open()
    anna = await house.person("Anna", table)
    chat = Chat(anna.account, "Anna", "anybody?")
    closing = house.room.ask(table, Close("the night is over"))
    told = await outcome(anna.ask(chat, "late"))
    await closing
    await until(lambda: len(house.room) == 1)

    again = [await outcome(house.room.ask(one, chat, CommandKey(anna.account, "late"))) for one in (table, other)]
    codes = [one.code for one in (told, *again) if isinstance(one, Refused)]
    assert codes == [Refusal.TABLE_CLOSED] * 3


@housed()
async def test_a_thousand_tables_opened_played_and_closed_leave_nothing_behind(house: House) -> None:
    actors, tables = alive(Actor), alive(Table)
    lobby = await house.open()
    accounts = [(await house.person(f"P{number}", lobby, 10_000_000)).account for number in range(20)]
    await house.room.ask(lobby, Close("everybody is here"))
    for _ in range(100):
        await asyncio.gather(*[a_short_night(house, pair) for pair in zip(accounts[::2], accounts[1::2], strict=True)])

    assert house.room.summaries() == []
    assert (alive(Actor), alive(Table)) == (actors, tables)
    assert len(house.room._tasks) == 0
    assert len(house.room._presence._seats) == 0


async def a_short_night(house: House, accounts: Sequence[AccountId]) -> None:
    """Three hands of two at a table of their own."""
    table = await house.open(hand_pause_ms=0)
    people = [Person(house, account, table, table) for account in accounts]
    for person in people:
        person.connect()
        await person.sit()
    while people[0].seen["view"].get("hand", {}).get("number", 0) < 4:
        person = await to_act(people)
        await person.ask(person.some_answer(house.chance))
        await rebuy(people)
        await asyncio.sleep(TICK_S)
    await house.room.ask(table, Close("enough"))
    for person in people:
        await outcome(person.ask(Leave(person.account)))
        person.drop()
    await until(lambda: not any(row["id"] == table for row in house.room.summaries()))


@housed()
async def test_ten_thousand_spectators_come_and_go_and_leave_nothing_behind(house: House) -> None:
    table = await house.open()
    for _ in range(10_000):
        visitor = Listener(house.clock)
        house.room.audience(table).watch(visitor.outbox)
        house.room.audience(LOBBY).watch(visitor.outbox)
        visitor.outbox.close()

    assert len(house.room.audience(table)) == len(house.room.audience(LOBBY)) == 0


# --- starting and stopping ---


def test_stopping_finishes_what_is_being_written_and_takes_nothing_more() -> None:
    async def main() -> None:
        house = House(LoopClock())
        await house.room.start()
        table = await house.open()
        anna = await house.person("Anna", table)
        house.log.gate = asyncio.Event()
        sitting = anna.ask(Sit(anna.account, "Anna", "player", 1_000, 1))
        waiting = anna.ask(Chat(anna.account, "Anna", "hello"))
        await asyncio.sleep(TICK_S)
        stopping = asyncio.ensure_future(house.room.stop())
        await asyncio.sleep(TICK_S)
        late = await outcome(anna.ask(Chat(anna.account, "Anna", "late")))
        house.log.gate.set()
        await stopping

        assert (await sitting)["seat"] == 1
        for told in (late, await outcome(waiting)):
            assert isinstance(told, Refused)
            assert told.code is Refusal.TABLE_PAUSED
        assert not house.lock.held
        assert house.store.books.accounts[anna.account].chips == 9_000

    run(main)


def test_stopping_does_not_wait_for_a_log_that_hangs() -> None:
    async def main() -> float:
        house = House(LoopClock())
        await house.room.start()
        table = await house.open()
        anna = await house.person("Anna", table)
        house.log.gate = asyncio.Event()
        sitting = anna.ask(Sit(anna.account, "Anna", "player", 1_000, 1))
        await asyncio.sleep(TICK_S)
        began = asyncio.get_running_loop().time()
        await house.room.stop()
        assert isinstance(await outcome(sitting), Refused)
        return asyncio.get_running_loop().time() - began

    assert run(main) < 5


def test_stopping_during_an_outage_is_quick() -> None:
    async def main() -> float:
        house = House(LoopClock())
        await house.room.start()
        table = await house.open()
        anna = await house.person("Anna", table)
        house.log.down = True
        assert isinstance(await outcome(anna.ask(Sit(anna.account, "Anna", "player", 1_000, 1))), Refused)
        await asyncio.sleep(10)
        began = asyncio.get_running_loop().time()
        await house.room.stop()
        return asyncio.get_running_loop().time() - began

    assert run(main) < 1


def test_a_room_that_another_process_runs_does_not_start() -> None:
    class Taken(Lock):
        async def acquire(self) -> None:
            raise AlreadyOwned("another process runs this room")

    async def main() -> None:
        house = House(LoopClock())
        house.room._ownership = Taken()
        with pytest.raises(AlreadyOwned):
            await house.room.start()

    run(main)


def test_a_room_that_another_process_takes_over_while_it_starts_ends() -> None:
    async def main() -> None:
        before = House(LoopClock())
        await before.room.start()
        await before.open()
        await before.room.stop()
        house = House(before.clock, before.store)

        async def taken_over(batches: Sequence[Batch]) -> Mapping[TableId, Outcome]:
            house.lock.lost.set()
            raise Deposed

        with patch.object(house.log, "commit", taken_over), pytest.raises(Deposed):
            await asyncio.wait_for(house.room.start(), 60)
        assert not house.lock.held
        assert all(task.done() for task in house.room._tasks)

    run(main)

"""What the log says when the database is away, busy, or lost in the middle of a commit, and what is true afterwards."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from fullring import store
from fullring.runtime.ports import CommandKey, HandQuery, LogUnavailable, Outcome, OutcomeUnknown
from fullring.store import Store, lanes
from fullring.table.events import Paused
from fullring.table.ids import AccountId, TableId
from tests.contracts.playing import Playing
from tests.contracts.room import T1, Room, batch, chips, guest, guests, open_table, sits
from tests.store.conftest import KEY
from tests.store.proxy import Proxy, proxied
from tests.store.sql import another_process_writes, connected, rows

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)

TERMINATE = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE application_name = 'fullring' AND datname = current_database()"
)
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
async def wire(database_url: str) -> AsyncIterator[tuple[Proxy, Store]]:
    """A store on PostgreSQL behind a wire that breaks on demand."""
    async with proxied(database_url) as (proxy, url):
        opened = await store.open(url, seal_keys=[KEY])
        yield proxy, opened
        await opened.close()


async def ends_of_hands(room: Room, count: int) -> list[Playing]:
    """Tables whose next batch ends a hand."""
    people = await guests(room, "Anna Bo Cora", 10**6)
    tables = []
    for number in range(count):
        table = TableId(f"t{number}")
        playing = Playing.open(table, await open_table(room, table), people, seed=number)
        while (going := playing.next()).record is None:
            assert await room.log.commit([going]) == {table: Outcome.COMMITTED}
            playing.done(going)
        tables.append(playing)
    return tables


@on_sqlite
async def test_fifty_hands_that_end_while_another_process_writes_are_all_kept(room: Store, database_url: str) -> None:
    tables = await ends_of_hands(room, 50)
    ends = [playing.next() for playing in tables]
    while not all(end.record for end in ends):
        for playing, end in zip(tables, ends, strict=True):
            if end.record is None:
                await room.log.commit([end])
                playing.done(end)
        ends = [end if end.record else playing.next() for playing, end in zip(tables, ends, strict=True)]

    async with another_process_writes(database_url) as let_go:
        writing = asyncio.create_task(room.log.commit(ends))
        # Meanwhile what only reads goes on, and so does the event loop.
        for _ in range(20):
            await room.log.answer(T1, CommandKey(AccountId("?"), "?"))
        assert not writing.done()
        let_go()
        outcomes = await writing

    assert set(outcomes.values()) == {Outcome.COMMITTED}
    found, _ = await room.hands.find(HandQuery(limit=1000))
    assert [end.record.hand for end in ends if end.record and end.record not in found] == []


@on_sqlite
async def test_a_database_that_stays_away_loses_nothing(
    database_url: str, room: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(room)
    monkeypatch.setattr(lanes, "LOCK_WAIT_MS", 20)
    impatient = await store.open(database_url, seal_keys=[KEY])

    async with another_process_writes(database_url):
        for _ in range(2):
            with pytest.raises(LogUnavailable, match="locked"):
                await impatient.log.commit([batch(T1, 1, Paused("x"))])
        with pytest.raises(LogUnavailable):
            await impatient.log.claim()

    assert await impatient.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}
    await impatient.close()


@on_postgresql
async def test_a_row_that_another_session_holds_is_waited_for(room: Store, database_url: str) -> None:
    await open_table(room)
    async with connected(database_url) as holder:
        await holder.execute(sa.text("SELECT * FROM tables FOR UPDATE"))
        writing = asyncio.create_task(room.log.commit([batch(T1, 1, Paused("x"))]))
        while await rows(database_url, WAITING) == [(0,)]:
            assert not writing.done()
        await holder.rollback()

        assert await writing == {T1: Outcome.COMMITTED}


@on_postgresql
async def test_a_row_that_stays_held_makes_the_log_unavailable(
    database_url: str, room: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(room)
    monkeypatch.setattr(lanes, "LOCK_WAIT_MS", 20)
    impatient = await store.open(database_url, seal_keys=[KEY])

    async with connected(database_url) as holder:
        await holder.execute(sa.text("SELECT * FROM tables FOR UPDATE"))
        with pytest.raises(LogUnavailable):
            await impatient.log.commit([batch(T1, 1, Paused("x"))])

    assert await impatient.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}
    await impatient.close()


@on_postgresql
async def test_a_connection_that_died_while_idle_is_no_outage(room: Store, database_url: str) -> None:
    await open_table(room)
    await rows(database_url, TERMINATE)

    assert await room.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}
    assert len((await room.log.read(T1)).rows) == 1


@on_postgresql
async def test_a_backend_that_is_ended_in_a_transaction_leaves_one_row(room: Store, database_url: str) -> None:
    await open_table(room)
    anna = await guest(room, "Anna", 500)
    async with connected(database_url) as holder:
        await holder.execute(sa.text("SELECT * FROM accounts FOR UPDATE"))
        writing = asyncio.create_task(room.log.commit([batch(T1, 1, sits(anna, 1, 300))]))
        while await rows(database_url, WAITING) == [(0,)]:
            assert not writing.done()
        await rows(database_url, TERMINATE)
        await holder.rollback()

        assert await writing == {T1: Outcome.COMMITTED}

    assert await chips(room, anna) == 200
    assert len((await room.log.read(T1)).rows) == 1


@on_postgresql
async def test_a_server_that_is_away_is_an_outage_until_it_is_back(wire: tuple[Proxy, Store]) -> None:
    proxy, room = wire
    await open_table(room)
    proxy.down = True
    proxy.cut_at = b"tables"

    for _ in range(2):
        with pytest.raises(LogUnavailable):
            await room.log.commit([batch(T1, 1, Paused("x"))])

    proxy.down = False
    assert await room.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}


@on_postgresql
@pytest.mark.parametrize("deliver", [True, False])
async def test_a_commit_whose_answer_is_lost_has_an_unknown_outcome(wire: tuple[Proxy, Store], deliver: bool) -> None:
    proxy, room = wire
    await open_table(room)
    anna = await guest(room, "Anna", 500)
    key = CommandKey(anna.id, "1")
    proxy.deliver, proxy.cut_at = deliver, b"COMMIT"

    with pytest.raises(OutcomeUnknown):
        await room.log.commit([batch(T1, 1, sits(anna, 1, 300), key=key)])

    assert proxy.cuts == 1
    stored = await room.log.read(T1)
    assert stored.last_seq == (1 if deliver else 0)
    assert await chips(room, anna) == (200 if deliver else 500)
    assert await room.log.answer(T1, key) == ({"seq": 1} if deliver else None)


@on_postgresql
async def test_accounts_are_away_when_the_database_is(wire: tuple[Proxy, Store]) -> None:
    proxy, room = wire
    account, token = await room.accounts.create_guest("Anna", 0, 0)
    proxy.down, proxy.cut_at = True, b"tokens"

    with pytest.raises(LogUnavailable):
        await room.accounts.authenticate(token)

    proxy.down = False
    assert (await room.accounts.authenticate(token)).account == account


@on_sqlite
async def test_a_full_disk_is_an_outage_until_there_is_room_again(room: Store) -> None:
    await open_table(room)
    long = batch(T1, 1, *[Paused("x" * 1_000)] * 1_000)
    pages = await room.database.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count = 1").scalar_one())

    with pytest.raises(LogUnavailable, match="full"):
        await room.log.commit([long])

    await room.database.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages + 10_000}").scalar_one())
    assert await room.log.commit([long]) == {T1: Outcome.COMMITTED}


@on_sqlite
@pytest.mark.parametrize(
    ("code", "raised"), [(sqlite3.SQLITE_BUSY, LogUnavailable), (sqlite3.SQLITE_IOERR, OutcomeUnknown)]
)
async def test_a_commit_that_fails_is_unknown_unless_it_never_had_the_lock(
    room: Store, monkeypatch: pytest.MonkeyPatch, code: int, raised: type[Exception]
) -> None:
    await open_table(room)

    def fails(*_: object) -> None:
        error = sqlite3.OperationalError("on purpose")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(SQLiteDialect, "do_commit", fails)
    with pytest.raises(raised):
        await room.log.commit([batch(T1, 1, Paused("x"))])

    monkeypatch.undo()
    assert await room.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}


async def test_whoever_stops_waiting_for_a_commit_finds_it_done_or_not(room: Store) -> None:
    await open_table(room)
    seq = 0
    for turns in range(12):
        writing = asyncio.ensure_future(room.log.commit([batch(T1, seq + 1, Paused("x"), owner_epoch=1 + turns)]))
        for _ in range(turns):
            await asyncio.wait([writing], timeout=0)
        writing.cancel()
        await asyncio.wait([writing])

        stored = await room.log.read(T1)
        assert stored.last_seq in (seq, seq + 1)
        seq = stored.last_seq

    assert await room.log.commit([batch(T1, seq + 1, Paused("x"), owner_epoch=13)]) == {T1: Outcome.COMMITTED}


@on_postgresql
async def test_a_statement_that_a_migration_made_stale_is_prepared_again(room: Store, database_url: str) -> None:
    await open_table(room)
    await room.log.commit([batch(T1, 1, Paused("x"))])
    await rows(database_url, "ALTER TABLE tables ALTER COLUMN state TYPE varchar")

    assert await room.log.commit([batch(T1, 2, Paused("x"))]) == {T1: Outcome.COMMITTED}

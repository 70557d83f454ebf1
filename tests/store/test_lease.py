"""The lease on a room: one process at a time, the next at once where one is dead, nothing from who lost it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from fullring import store
from fullring.runtime.ports import AlreadyOwned, Deposed, LogUnavailable, Outcome
from fullring.store import Store, migrate
from fullring.store.ownership import refuse
from fullring.store.process import is_dead, this_process
from fullring.table.events import Paused
from fullring.table.settings import TableSettings
from tests.contracts.room import T1, T2, batch, open_table
from tests.store.conftest import KEY
from tests.store.sql import rows

RUNS_THE_ROOM = """
import asyncio, sys
from fullring import store

async def main():
    room = await store.open(sys.argv[1], seal_keys=[bytes(32)], lease_ms=3_600_000)
    await room.ownership.acquire()
    print("owned", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
SHORT_MS = 1_000
HOUR_MS = 3_600_000


@pytest.fixture
async def other(room: Store, database_url: str) -> AsyncIterator[Store]:
    """Another process at the same database."""
    opened = await store.open(database_url, seal_keys=[KEY])
    yield opened
    await opened.ownership.release()
    await opened.close()


async def lapse(url: str, by_ms: int = HOUR_MS) -> None:
    """The lease was renewed so much earlier."""
    await rows(url, f"UPDATE leases SET renewed_at = renewed_at - {by_ms}")


async def test_one_process_at_a_time_runs_a_room(room: Store, other: Store) -> None:
    await room.ownership.acquire()
    with pytest.raises(AlreadyOwned, match=rf"process {os.getpid()} on .+ ends in [0-5]\.\d s .+ --wait"):
        await other.ownership.acquire()

    await room.ownership.release()
    await other.ownership.acquire()
    await other.ownership.release()
    await other.ownership.release()


async def test_a_process_that_is_killed_leaves_the_room_to_the_next_at_once(database_url: str, room: Store) -> None:
    command = (sys.executable, "-c", RUNS_THE_ROOM, database_url)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"owned\n"
    with pytest.raises(AlreadyOwned, match=rf"process {process.pid} "):
        await room.ownership.acquire()
    process.kill()
    await process.wait()

    await room.ownership.acquire()
    await room.ownership.release()


async def test_who_loses_the_lease_writes_nothing_more(room: Store, other: Store, database_url: str) -> None:
    await room.ownership.acquire()
    await open_table(room)
    await room.log.claim()
    assert await room.log.commit([batch(T1, 1, Paused("mine"), owner_epoch=2)]) == {T1: Outcome.COMMITTED}

    await lapse(database_url)
    await other.ownership.acquire()

    late = batch(T1, 2, Paused("late"), owner_epoch=2)  # Nobody has claimed the table yet: the fence alone forbids it.
    with pytest.raises(Deposed):
        await room.log.commit([late])
    assert room.ownership.lost.is_set()
    with pytest.raises(Deposed):
        await room.log.create(T2, TableSettings(name="Late"), None, 0)
    with pytest.raises(Deposed):
        await room.log.claim()
    with pytest.raises(Deposed):
        await room.log.read(T1)
    with pytest.raises(Deposed):
        await room.log.restart_history(T1, late)
    await room.ownership.release()
    (taken,) = await other.log.claim()
    assert [row.events for row in taken.rows] == [(Paused("mine"),)]


async def test_who_loses_the_lease_hears_of_it_without_writing(other: Store, database_url: str) -> None:
    room = await store.open(database_url, seal_keys=[KEY], lease_ms=SHORT_MS)
    await room.ownership.acquire()
    await lapse(database_url)
    await other.ownership.acquire()

    await room.ownership.lost.wait()
    assert not other.ownership.lost.is_set()
    await room.close()


async def test_a_lease_is_renewed_while_its_holder_lives(other: Store, database_url: str) -> None:
    room = await store.open(database_url, seal_keys=[KEY], lease_ms=SHORT_MS)
    await room.ownership.acquire()
    ((first,),) = await rows(database_url, "SELECT renewed_at FROM leases")
    last = first
    while last < first + SHORT_MS:
        ((last,),) = await rows(database_url, "SELECT renewed_at FROM leases")

    with pytest.raises(AlreadyOwned):
        await other.ownership.acquire()
    await room.ownership.release()
    await room.close()


async def test_a_lease_that_nobody_took_is_still_its_holders(room: Store, database_url: str) -> None:
    """The process, or the database, was away for longer than the lease."""
    await room.ownership.acquire()
    await open_table(room)
    await lapse(database_url)

    assert await room.log.commit([batch(T1, 1, Paused("x"))]) == {T1: Outcome.COMMITTED}
    await room.ownership.release()


async def test_a_lease_from_the_future_is_not_believed(room: Store, other: Store, database_url: str) -> None:
    """The host was booted since, or the database's clock was set back."""
    await room.ownership.acquire()
    await lapse(database_url, by_ms=-HOUR_MS)

    await other.ownership.acquire()


async def test_of_a_process_elsewhere_only_the_lease_tells(room: Store, other: Store, database_url: str) -> None:
    await room.ownership.acquire()
    await rows(database_url, "UPDATE leases SET process = 'boot 1 4711 9'")
    with pytest.raises(AlreadyOwned):
        await other.ownership.acquire()

    await lapse(database_url)
    await other.ownership.acquire()


def test_a_process_is_dead_when_its_number_is_free_or_anothers_or_a_zombies() -> None:
    mine = this_process()
    host, pid, started = mine.rsplit(" ", 2)
    assert pid == str(os.getpid())
    assert not is_dead(mine)
    assert is_dead(f"{host} {pid} 1{started}")
    assert not is_dead("")
    with subprocess.Popen(["sleep", "60"]) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(f"{host} {process.pid} {started}")
    assert is_dead(f"{host} {process.pid} {started}")


async def test_a_database_is_not_migrated_under_a_rooms_feet(
    room: Store, database_url: str, empty_database_url: str
) -> None:
    await migrate.alone(empty_database_url, refuse)
    await migrate.alone(database_url, refuse)
    await room.ownership.acquire()
    with pytest.raises(AlreadyOwned):
        await migrate.alone(database_url, refuse)

    await room.ownership.release()
    await migrate.alone(database_url, refuse)


async def test_who_waits_is_told_once_for_whom_and_goes_on_when_the_room_is_free(
    room: Store, database_url: str
) -> None:
    await room.ownership.acquire()
    told: list[str] = []
    heard = asyncio.Event()

    def waiting(sentence: str) -> None:
        told.append(sentence)
        heard.set()

    vacant = asyncio.create_task(store.vacancy(database_url, waiting))
    await heard.wait()
    await room.ownership.release()
    await vacant

    assert len(told) == 1
    await store.vacancy(database_url, waiting)
    assert len(told) == 1


def test_to_look_for_a_lease_makes_no_file(tmp_path: Path) -> None:
    told: list[str] = []
    asyncio.run(store.vacancy(f"sqlite:///{tmp_path / 'room.db'}", told.append))

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_database_that_cannot_be_reached_has_no_owner(database_url: str, room: Store) -> None:
    nowhere = make_url(database_url).set(port=1).render_as_string(hide_password=False)
    with pytest.raises(LogUnavailable):
        await store.open(nowhere, seal_keys=[KEY])

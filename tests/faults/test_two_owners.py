"""Two servers on one database: the second is turned away, or takes over when the first stands still; the first, woken
up, writes nothing, says so to everybody, and ends.
"""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from signal import SIGCONT, SIGSTOP

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from fullring.store.schema import journal
from fullring.wire.errors import CloseCode
from tests.faults.crowd import CHIPS, Crowd
from tests.faults.nursery import Room, nursery, settings_of
from tests.room.kept import Books, books
from tests.room.players import NORMAL
from tests.room.ports import free_port

PLAYERS = 4
LEASE_S = 4.0
"""The first is not to lose it before it sleeps, however busy the machine is."""


async def test_a_server_that_is_replaced_while_it_sleeps_writes_nothing_when_it_wakes_up(
    tmp_path: Path, database_url: str
) -> None:
    chosen = settings_of(tmp_path, database_url=database_url, tables=2, guest_chips=CHIPS, lease_seconds=LEASE_S)
    now = asyncio.get_running_loop().time
    async with nursery(tmp_path) as rooms:
        first = await rooms.start(**chosen, port=free_port())
        address = await first.opened()
        crowd = await Crowd.gather(address, PLAYERS, seed=1)
        staying = crowd.stay(address)
        await crowd.plays_on(now())

        second = await rooms.start(**chosen, port=0)
        assert await second.ended() == 1
        assert f"another process runs the room: process {first.pid} on " in _said(tmp_path)

        third = await rooms.start("--wait", **chosen, port=free_port())
        await crowd.plays_on(now())
        await _put_to_sleep(first, database_url)
        elsewhere = await third.opened()
        async with books(database_url, tmp_path) as kept:
            before = await _rows_by_owner(kept)
            first.signal(SIGCONT)
            assert await first.ended() == os.EX_TEMPFAIL
            await staying
            assert "another process has taken over the room" in _said(tmp_path)
            staying = crowd.stay(elsewhere)
            await crowd.all_present()
            await crowd.plays_on(now())
            crowd.evening.over = True
            await staying

            after = await _rows_by_owner(kept)
            assert {owner: after[owner] for owner in before if owner < max(after)} == {
                owner: rows for owner, rows in before.items() if owner < max(after)
            }
            assert all(player.closed_with == [CloseCode.GOING_AWAY, NORMAL] for player in crowd.players)
            assert all(player.repeated for player in crowd.players), "what was done is asked again, and done once"
            await crowd.judge(kept)
        assert await third.terminate() == 0


async def _put_to_sleep(room: Room, url: str) -> None:
    """Between two of its transactions: one that sleeps in the middle of a write keeps the file of SQLite to itself."""
    while True:
        room.signal(SIGSTOP)
        while _state(room) != "T":
            os.sched_yield()
        if _can_be_written(url):
            return
        room.signal(SIGCONT)


def _state(room: Room) -> str:
    return Path(f"/proc/{room.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]


def _can_be_written(url: str) -> bool:
    path = make_url(url).database
    if not url.startswith("sqlite") or path is None:
        return True  # PostgreSQL ends the transactions of a process that does not go on with them.
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
        return True


async def _rows_by_owner(kept: Books) -> dict[int, int]:
    """How many rows the owners of each epoch have written."""
    wanted = sa.select(journal.c.owner_epoch, sa.func.count().label("rows")).group_by(journal.c.owner_epoch)
    found = await kept.store.database.read(lambda connection: connection.execute(wanted).all())
    return {row.owner_epoch: row.rows for row in found}


def _said(folder: Path) -> str:
    return (folder / "room.log").read_text("utf-8")

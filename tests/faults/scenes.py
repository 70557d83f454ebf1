"""Faults of a real room under load, again and again: what each does to it, and how long until play goes on.

Every scene ends with all players gone and all chips counted; what was answered was done, once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.engine import make_url

from tests.faults.crowd import CHIPS, PATIENCE_S, Crowd
from tests.faults.nursery import Nursery, Room, nursery, settings_of
from tests.faults.small_disk import small_disk
from tests.faults.wire import Wire, wire
from tests.postgres import Server
from tests.room.judging import judge
from tests.room.kept import books
from tests.room.players import NORMAL
from tests.room.ports import free_port
from tests.server import Address

PLAYERS = 6
TABLES = 2
LIFE_S = 0.25
"""A room is killed within so long after play has begun."""
SLOW_S = 0.1
"""How long every answer of a slow database is held back, and every question."""
Fault = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Figures:
    """``took`` are the seconds from the fault's end until an action was done that had been asked after that."""

    what: str
    seed: int
    took: list[float] = field(default_factory=list)
    hands: int = 0

    def __str__(self) -> str:
        middle, worst = median(self.took), max(self.took)
        return f"| {len(self.took)} | {self.hands} | {middle:.2f} s | {worst:.2f} s |"


@dataclass(frozen=True, slots=True)
class Playing:
    """A room in which a crowd plays."""

    rooms: Nursery
    room: Room
    address: Address
    crowd: Crowd
    settings: dict[str, Any]


@asynccontextmanager
async def playing(folder: Path, url: str, seed: int, data: Path | None = None) -> AsyncIterator[Playing]:
    settings = settings_of(data or folder, database_url=url, tables=TABLES, guest_chips=CHIPS, port=free_port())
    async with nursery(folder) as rooms:
        room = await rooms.start(**settings)
        address = await room.opened()
        yield Playing(rooms, room, address, await Crowd.gather(address, PLAYERS, seed), settings)


async def kills(folder: Path, url: str, count: int, seed: int) -> Figures:
    """kill -9 at any instant, and a new process."""
    figures, dice = Figures("kill -9", seed), Random(seed)
    async with playing(folder, url, seed) as there, books(url, folder) as kept:
        room, crowd = there.room, there.crowd
        staying = crowd.stay(there.address)
        await crowd.plays_on(_now())
        for _ in range(count):
            await crowd.all_present()
            killed = await _in(dice.uniform(0, LIFE_S))
            await room.kill()
            await staying
            room = await there.rooms.start(**there.settings)
            await room.opened()
            staying = crowd.stay(there.address)
            figures.took.append(await crowd.plays_on(killed))
            assert await kept.discrepancies() == []
            assert await kept.chips() == PLAYERS * CHIPS
        await _all_go(crowd, staying)
        await judge(kept, crowd.tables, crowd.players, count)
        await _close(figures, room, crowd)
    return figures


async def restarts_of_postgresql(folder: Path, count: int, seed: int) -> Figures:
    """PostgreSQL is stopped without a goodbye, and started again."""
    figures = Figures("PostgreSQL stopped and started", seed)
    with TemporaryDirectory(prefix="fullring-postgres-") as name:
        server = Server(Path(name))
        port = await asyncio.to_thread(server.start)
        url = f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres"
        try:
            async with playing(folder, url, seed) as there:

                async def stop() -> None:
                    await asyncio.to_thread(server.stop)

                async def start() -> None:
                    await asyncio.to_thread(server.start_again)

                await _outages(there, figures, count, stop, start)
                await _judge(there, figures, folder, url)
        finally:
            await asyncio.to_thread(server.stop)
    return figures


async def cuts(folder: Path, url: str, count: int, seed: int) -> Figures:
    """All connections to PostgreSQL are reset at once, at any instant; new ones are let in at once."""
    figures, dice = Figures("connections to PostgreSQL cut", seed), Random(seed)
    async with _behind_a_wire(url) as (between, through), playing(folder, through, seed) as there:

        async def cut() -> None:
            await _in(dice.uniform(0, LIFE_S))
            between.cut()

        await _outages(there, figures, count, cut, _nothing, told=False)
        await _judge(there, figures, folder, url)
    return figures


async def slowness(folder: Path, url: str, count: int, seed: int) -> Figures:
    """Every question to PostgreSQL and every answer is held back. Play goes on meanwhile, an action at a time."""
    figures = Figures(f"PostgreSQL slower by {SLOW_S} s each way", seed)
    async with _behind_a_wire(url) as (between, through), playing(folder, through, seed) as there:

        async def slow() -> None:
            between.delay_s = SLOW_S
            await there.crowd.plays_on(_now())

        async def fast() -> None:
            between.delay_s = 0

        await _outages(there, figures, count, slow, fast, told=False)
        await _judge(there, figures, folder, url)
    return figures


async def full_disks(folder: Path, count: int, seed: int) -> Figures:
    """SQLite has no room to write, and then it has."""
    with small_disk(folder) as (disk, place):
        figures = Figures(disk.kind, seed)
        url = f"sqlite:///{place / 'room.db'}"
        async with playing(folder, url, seed, data=place) as there:

            async def fill() -> None:
                disk.fill(there.room.pid)

            async def empty() -> None:
                disk.empty(there.room.pid)

            await _outages(there, figures, count, fill, empty)
            await _judge(there, figures, place, url)
    return figures


async def _outages(
    there: Playing, figures: Figures, count: int, begin: Fault, end: Fault, *, told: bool = True
) -> None:
    """Again and again: a fault, of which everybody is ``told`` at every table, and its end."""
    crowd = there.crowd
    staying = crowd.stay(there.address)
    for _ in range(count):
        await crowd.plays_on(_now())
        paused, resumed = [crowd.expect(event) if told else _nothing() for event in ("table_paused", "table_resumed")]
        await begin()
        await paused
        await end()
        figures.took.append(await crowd.plays_on(_now()))
        await resumed
    await _all_go(crowd, staying)
    assert {code for player in crowd.players for code in player.closed_with} == {NORMAL}, "nobody was sent away"


async def _all_go(crowd: Crowd, staying: Awaitable[object]) -> None:
    crowd.evening.over = True
    async with asyncio.timeout(PATIENCE_S):
        await staying


async def _judge(there: Playing, figures: Figures, folder: Path, url: str) -> None:
    async with books(url, folder) as kept:
        await there.crowd.judge(kept)
    await _close(figures, there.room, there.crowd)


async def _close(figures: Figures, room: Room, crowd: Crowd) -> None:
    figures.hands = len(crowd.evening.hands)
    assert await room.terminate() == 0


@asynccontextmanager
async def _behind_a_wire(url: str) -> AsyncIterator[tuple[Wire, str]]:
    target = make_url(url)
    assert target.host is not None
    assert target.port is not None
    async with wire(target.host, target.port) as (between, port):
        yield between, target.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _in(span: float) -> float:
    """So much later, and when that is."""
    loop = asyncio.get_running_loop()
    come = loop.create_future()
    loop.call_later(span, come.set_result, None)
    await come
    return loop.time()


async def _nothing() -> None: ...

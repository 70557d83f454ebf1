"""kill -9 while bots play, again and again: nothing that anybody was told is lost, and the hand goes on.

The seed is printed when a test fails; the instants are the machine's own.
"""

import asyncio
import contextlib
import logging
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random, SystemRandom
from statistics import median
from typing import Any, Protocol

import pytest

from tests.room.judging import judge
from tests.room.kept import books
from tests.room.players import ABNORMAL, NORMAL, Evening, Player
from tests.room.ports import free_port
from tests.room.warm import warm
from tests.server import Address, Process, process

Json = dict[str, Any]
PLAYERS = 6
CHIPS = 1_000_000
KILLS, KILLS_OF_THE_COMMAND = 50, 6
LIFE_S, LIFE_OF_THE_COMMAND_S = 0.25, 1.0
"""A room lives at most so long after everybody is back."""
STILLBORN = 0.1
"""So many more rooms are killed before they are up."""

_log = logging.getLogger(__name__)


class Rooms(Protocol):
    """One room after another, each in a process of its own, on the same data."""

    async def begin(self) -> None:
        """Start another. It is not up yet."""

    async def opened(self) -> Address:
        """The room, once it takes connections. ConnectionError if it was killed before."""

    def kill(self) -> None: ...

    async def ended(self) -> None:
        """Until the process is no more."""


class Commands:
    """Rooms by the command ``fullring serve``."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._folder = folder
        self._settings = settings
        self._stack = AsyncExitStack()
        self._process: Process | None = None

    async def begin(self) -> None: ...

    async def opened(self) -> Address:
        self._process = await self._stack.enter_async_context(process(self._folder, **self._settings))
        return self._process

    def kill(self) -> None:
        assert self._process is not None
        self._process.process.kill()

    async def ended(self) -> None:
        assert self._process is not None
        await self._process.process.wait()
        await self._stack.aclose()


async def test_a_room_on_sqlite_that_is_killed_fifty_times_loses_nothing(tmp_path: Path) -> None:
    async with warm(tmp_path, free_port(), tables=2, guest_chips=CHIPS) as program:
        await _kill(program, f"sqlite:///{tmp_path / 'room.db'}", tmp_path, KILLS, LIFE_S, stillborn=STILLBORN)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_room_on_postgresql_that_is_killed_loses_nothing(tmp_path: Path, database_url: str) -> None:
    rooms = Commands(tmp_path, tables=2, guest_chips=CHIPS, database_url=database_url, port=free_port())
    await _kill(rooms, database_url, tmp_path, KILLS_OF_THE_COMMAND, LIFE_OF_THE_COMMAND_S, stillborn=0)


async def _kill(rooms: Rooms, url: str, folder: Path, kills: int, life_s: float, stillborn: float) -> None:
    seed = SystemRandom().randrange(2**32)
    _log.warning("seed %d", seed)
    dice = Random(seed)
    loop = asyncio.get_running_loop()
    evening = Evening(enough=kills * 1_000)
    took: list[float] = []
    address = await _up(rooms, took)
    async with address.http() as client:
        tables = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
    guests = [await address.guest() for _ in range(PLAYERS)]
    players = [Player(evening, tables, guest, Random(seed + n)) for n, guest in enumerate(guests)]
    async with books(url, folder) as kept:
        for _ in range(kills):
            staying = [asyncio.create_task(player.stay(address.url)) for player in players]
            for player in players:
                await player.present.wait()
            loop.call_later(dice.uniform(0, life_s), rooms.kill)
            await asyncio.gather(*staying)
            await rooms.ended()
            if dice.random() < stillborn:
                await _begin_in_vain(rooms, dice.uniform(0, median(took)))
            address = await _up(rooms, took)
            assert await kept.discrepancies() == []
            assert await kept.chips() == PLAYERS * CHIPS
        evening.over = True
        await asyncio.gather(*[player.stay(address.url) for player in players])
        rooms.kill()
        await rooms.ended()
        _log.warning("%d hands; a restart takes %.2f s (median)", len(evening.hands), median(took))
        assert all(player.closed_with == [ABNORMAL] * kills + [NORMAL] for player in players)
        await judge(kept, tables, players, kills)


async def _up(rooms: Rooms, took: list[float]) -> Address:
    began = asyncio.get_running_loop().time()
    await rooms.begin()
    address = await rooms.opened()
    took.append(asyncio.get_running_loop().time() - began)
    return address


async def _begin_in_vain(rooms: Rooms, lives_s: float) -> None:
    """A room that is killed about when it comes up."""
    await rooms.begin()
    asyncio.get_running_loop().call_later(lives_s, rooms.kill)
    with contextlib.suppress(ConnectionError):
        await rooms.opened()
    await rooms.ended()

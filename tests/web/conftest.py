"""Rooms for the tests of the web: a real server on a real socket, with the store on SQLite."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fake_clock import FakeClock
from tests.server import Running, running


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Running]:
    """A room whose clock runs, with no table."""
    async with running(tmp_path) as opened:
        yield opened


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def still(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Running]:
    """A room whose clock stands until ``clock.advance``, with the limits that a room has unless told otherwise."""
    async with running(tmp_path, clock=clock, frames_per_second=10, frames_burst=40, guests_per_minute=20) as opened:
        yield opened

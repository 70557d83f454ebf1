"""Rooms for the proof of the whole server, each on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import uvloop

from tests.conftest import BOTH
from tests.fake_clock import FakeClock
from tests.room.evidence import Evidence, spend_an_evening
from tests.server import Running, running

SEED = 20_260


@pytest.fixture(scope="package", params=BOTH)
def evidence(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evidence]:
    """Of an evening that is played once on each database, however many tests look at what is left of it."""
    folder = tmp_path_factory.mktemp("evening")
    if request.param == "sqlite":
        yield _spent(request.getfixturevalue("sqlite").migrated(folder), folder)
    else:
        with request.getfixturevalue("postgresql").migrated() as url:
            yield _spent(url, folder)


def _spent(url: str, folder: Path) -> Evidence:
    return uvloop.run(spend_an_evening(url, folder, SEED))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def room(tmp_path: Path, database_url: str) -> AsyncIterator[Running]:
    """A room whose clock runs, with no table."""
    async with running(tmp_path, database_url=database_url) as opened:
        yield opened


@pytest.fixture
async def still(tmp_path: Path, database_url: str, clock: FakeClock) -> AsyncIterator[Running]:
    """A room whose clock stands until ``clock.advance``. Who says nothing for 15 minutes is still believed in."""
    async with running(tmp_path, database_url=database_url, clock=clock, silent_seconds=900) as opened:
        yield opened

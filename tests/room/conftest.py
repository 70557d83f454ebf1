"""Rooms for the proof of the whole server, each on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from tests.conftest import BOTH
from tests.room.evidence import Evidence, spend_an_evening

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

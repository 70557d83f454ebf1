"""What happens to machines happens to a real room while people play: nothing is lost, and play goes on.

Small counts; ``make faults`` plays the same scenes as often as docs/durability.md says.
"""

import logging
import os
from pathlib import Path
from random import SystemRandom

import pytest

from tests.faults import scenes
from tests.faults.scenes import Figures

COUNT = int(os.environ.get("FULLRING_FAULTS", "3"))
"""How often each fault happens."""

on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
_log = logging.getLogger(__name__)


@pytest.fixture
def seed() -> int:
    chosen = SystemRandom().randrange(2**32)
    _log.warning("seed %d", chosen)
    return chosen


def told(figures: Figures) -> None:
    _log.warning("%s %s", figures.what, figures)
    assert len(figures.took) == COUNT


async def test_a_room_that_is_killed_loses_nothing(tmp_path: Path, database_url: str, seed: int) -> None:
    told(await scenes.kills(tmp_path, database_url, COUNT, seed))


async def test_while_postgresql_is_stopped_the_tables_are_paused_and_everybody_is_told(
    tmp_path: Path, seed: int
) -> None:
    told(await scenes.restarts_of_postgresql(tmp_path, COUNT, seed))


@on_postgresql
async def test_connections_to_the_database_that_are_cut_lose_nothing(
    tmp_path: Path, database_url: str, seed: int
) -> None:
    told(await scenes.cuts(tmp_path, database_url, COUNT, seed))


@on_postgresql
async def test_a_database_that_is_slow_makes_play_slow_and_no_more(
    tmp_path: Path, database_url: str, seed: int
) -> None:
    told(await scenes.slowness(tmp_path, database_url, COUNT, seed))


async def test_while_the_disk_is_full_the_tables_are_paused_and_everybody_is_told(tmp_path: Path, seed: int) -> None:
    told(await scenes.full_disks(tmp_path, COUNT, seed))

"""Connections that come to nothing beside a game: it goes on, and what they took is given back."""

import os
from pathlib import Path

import pytest

from tests.faults.connections import SILENT_S, half_open, only_hello

COUNT = int(os.environ.get("FULLRING_CONNECTIONS", "150"))
KIB_EACH = 60
"""More than any of them may take."""
LATE_S = 5
"""A look each second, and a machine with other things to do."""

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@on_sqlite
@pytest.mark.parametrize("hello", [True, False])
async def test_who_says_hello_and_no_more_takes_little_and_leaves_nothing(
    tmp_path: Path, database_url: str, hello: bool
) -> None:
    crowded = await only_hello(tmp_path, database_url, COUNT, hello=hello)

    assert crowded.kib < KIB_EACH


@on_sqlite
async def test_whoever_goes_without_a_word_is_missed_when_the_time_is_up(tmp_path: Path, database_url: str) -> None:
    took = await half_open(tmp_path, database_url, count=5)

    assert SILENT_S - 1.5 < took < SILENT_S + LATE_S

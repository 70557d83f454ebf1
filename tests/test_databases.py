"""The databases that tests are given are real, separate, durable, and gone when the tests are."""

import signal
import subprocess
import sys

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from tests.shared import PROJECT

STARTS_A_SERVER = """
import sys
from tests.postgres import postgres
with postgres() as port:
    print(port, flush=True)
    sys.stdin.read()
"""


async def _execute(url: str, *statements: str) -> list[object]:
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            results = [await connection.execute(sa.text(statement)) for statement in statements]
            return list(results[-1].scalars()) if results[-1].returns_rows else []
    finally:
        await engine.dispose()


@pytest.mark.parametrize("_time", [1, 2])
async def test_every_test_has_a_database_of_its_own(empty_database_url: str, _time: int) -> None:
    await _execute(empty_database_url, "CREATE TABLE mine (n INTEGER)", "INSERT INTO mine VALUES (7)")

    assert await _execute(empty_database_url, "SELECT n FROM mine") == [7]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_postgresql_writes_to_disk_before_it_says_committed(database_url: str) -> None:
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert await _execute(database_url, f"SHOW {setting}") == ["on"]


def test_the_server_goes_when_the_tests_are_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_A_SERVER],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as tests:
        assert tests.stdout is not None
        assert tests.stderr is not None
        assert int(tests.stdout.readline()) < 32768
        tests.send_signal(signal.SIGKILL)
        # Whoever keeps the server holds the other end until the server has stopped.
        assert tests.stderr.read() == b""

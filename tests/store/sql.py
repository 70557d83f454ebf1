"""A second connection to a test's database, for what the store itself never does."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

HOLDS_THE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
connection.close()
"""


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction that is rolled back unless it is committed."""
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def rows(url: str, statement: str, **values: object) -> list[tuple[Any, ...]]:
    """What the statement gives; its changes are committed."""
    async with connected(url) as connection:
        result = await connection.execute(sa.text(statement), values)
        found = [tuple(row) for row in result] if result.returns_rows else []
        await connection.commit()
        return found


@contextlib.asynccontextmanager
async def another_process_writes(url: str) -> AsyncIterator[Callable[[], None]]:
    """While the block lasts, or until this is called, another process has the write lock of the file."""
    command = (sys.executable, "-c", HOLDS_THE_LOCK, str(make_url(url).database))
    pipe = asyncio.subprocess.PIPE
    holder = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"held\n"
    try:
        yield holder.stdin.close
    finally:
        holder.stdin.close()
        await holder.wait()

"""A second connection to a test's database, for what the store itself never does."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine


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

"""A database as it is at one instant, read for as long as it takes, beside a room that goes on writing."""

import asyncio
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from fullring.runtime.ports import LogUnavailable
from fullring.store.database import Work, in_words, parsed, reached
from fullring.store.lanes import CONNECT_TIMEOUT_S, sqlite_engine

T = TypeVar("T")


async def at_one_instant(url: str, work: Work[T]) -> T:
    """What ``work`` makes of it; it only reads. Raises LogUnavailable; ValueError for a database of another kind."""
    try:
        return await _at_one_instant(parsed(url), work)
    except DBAPIError as error:
        raise LogUnavailable(f"the database can't be read: {in_words(error)}") from error


async def _at_one_instant(found: URL, work: Work[T]) -> T:
    if found.get_backend_name() == "sqlite":
        return await asyncio.to_thread(_in_file, found, work)
    engine = create_async_engine(
        found,
        poolclass=NullPool,
        hide_parameters=True,
        isolation_level="REPEATABLE READ",
        connect_args={
            "timeout": CONNECT_TIMEOUT_S,
            "server_settings": {
                "application_name": "fullring command",
                "default_transaction_read_only": "on",
                "idle_in_transaction_session_timeout": "0",  # pg_dump may take its time.
                "jit": "off",
            },
        },
    )
    try:
        async with reached(engine) as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _in_file(url: URL, work: Work[T]) -> T:
    """A transaction sees what it saw at first, whatever is written meanwhile; so long the room's WAL grows."""
    engine = sqlite_engine(url, writes=False)
    event.listen(engine, "connect", _reads_damaged_text)
    try:
        with engine.begin() as connection:
            connection.execute(sa.text("SELECT count(*) FROM sqlite_schema"))  # From here on it is this instant.
            return work(connection)
    finally:
        engine.dispose()


def _reads_damaged_text(connection: DBAPIConnection, _record: object) -> None:
    """What is no text is found where it stands, and the rest is still read."""
    connection.text_factory = lambda found: found.decode("utf-8", "replace")

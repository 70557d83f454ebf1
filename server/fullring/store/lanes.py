"""Ways into a database: connections of one kind on which transactions run without holding up the event loop.

What is done in a transaction is written as plain calls. On SQLite they run in a thread, one hop for a whole transaction
(a hop for each call costs three times as much); on PostgreSQL in the event loop, which waits at each call.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import QueuePool

LOCK_WAIT_MS = 5_000
"""How long a write waits for a lock that another process holds before the log counts as unavailable."""
CONNECT_TIMEOUT_S = 10
CLOSE_TIMEOUT_S = 2
CHECKPOINT_PAGES = 1_000

T = TypeVar("T")


class Lane(Protocol):
    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Begin, do the work, commit; or roll back what raises."""

    async def close(self) -> None: ...


class SqliteLane:
    """Connections to a file, each used by one thread at a time."""

    def __init__(self, url: URL, *, connections: int = 1, writes: bool = True, checkpoint: bool = False) -> None:
        self._engine = sqlite_engine(url, connections=connections, writes=writes, checkpoint=checkpoint)
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="fullring-sqlite")

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        # Whoever stops waiting does not stop the thread: the transaction comes to its end, whole.
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._transact, work)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    def _transact(self, work: Callable[[sa.Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)


class PostgresLane:
    """Connections to a server; ``timeout`` is for each statement and for getting a connection."""

    def __init__(self, url: URL, *, connections: int, timeout: int) -> None:
        self._engine = create_async_engine(
            url,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=timeout,
            hide_parameters=True,
            connect_args={
                "timeout": CONNECT_TIMEOUT_S,
                "command_timeout": timeout,
                "server_settings": {
                    "application_name": "fullring",
                    "synchronous_commit": "on",
                    "lock_timeout": str(LOCK_WAIT_MS),
                    # A process that is stopped in the middle must not keep its locks from the one that takes over.
                    "idle_in_transaction_session_timeout": str(LOCK_WAIT_MS),
                    "jit": "off",
                },
            },
        )

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        # A server that does not answer any more can't be said goodbye to.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._engine.dispose()


def sqlite_engine(
    url: URL, *, connections: int = 1, writes: bool = True, checkpoint: bool = False, foreign_keys: bool = True
) -> sa.Engine:
    """Durable (WAL, synchronous FULL) connections with transactions that are exactly ours, schema changes included."""
    engine = sa.create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"timeout": LOCK_WAIT_MS / 1000},
    )
    wanted = {
        "busy_timeout": LOCK_WAIT_MS,
        "foreign_keys": int(foreign_keys),
        "synchronous": 2,
        "wal_autocheckpoint": CHECKPOINT_PAGES if checkpoint else 0,
        "query_only": int(not writes),
    }

    def connected(connection: DBAPIConnection, _record: object) -> None:
        # The driver must not begin transactions by itself: it would leave schema changes out of them.
        connection.isolation_level = None
        cursor = connection.cursor()
        _pragma(cursor, "journal_mode", "wal")
        for name, setting in wanted.items():
            _pragma(cursor, name, setting)
        cursor.close()

    def begun(connection: sa.Connection) -> None:
        # A transaction that reads first and writes later would fail at once where another has written in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def _pragma(cursor: Any, name: str, setting: int | str) -> None:
    cursor.execute(f"PRAGMA {name} = {setting}")
    cursor.execute(f"PRAGMA {name}")
    (found,) = cursor.fetchone()
    if found != setting:
        raise sqlite3.OperationalError(f"SQLite keeps {name} at {found}, it must be {setting}")

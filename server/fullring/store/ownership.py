"""Which process runs a room. One that starts beside another is turned away before it touches anything.

It is a courtesy to operators: what keeps the journal right is the owner epoch that every commit checks.
"""

import asyncio
import fcntl
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from fullring.runtime.ports import AlreadyOwned, LogUnavailable, Ownership
from fullring.store.database import parsed

# Any number will do, as long as every version of the program takes the same one.
_ROOM = 0x66_75_6C_6C_72_6F_6F_6D

T = TypeVar("T")


def ownership(url: str) -> Ownership:
    """The lock that belongs to that database."""
    found = parsed(url)
    if found.get_backend_name() == "sqlite":
        return FileOwnership(Path(f"{found.database}.lock"))
    return PostgresOwnership(found)


class FileOwnership:
    """An operating-system lock on a file, which goes with the process that holds it, however that ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Raises AlreadyOwned."""
        descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise AlreadyOwned(f"another process runs the room: it holds {self._path.name}") from None
        self._descriptor = descriptor

    def release(self) -> None:
        # The file stays: taking it away would let a third process lock another one of the same name.
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class PostgresOwnership:
    """A session's advisory lock on a connection of its own, which the server drops with the connection.

    The connection lives in a thread of its own, so that it can be asked for without waiting on an event loop. It must
    reach the server itself: behind a pooler that shares sessions the lock means nothing.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            # A process whose machine is gone must not hold the room for hours.
            connect_args={
                "server_settings": {
                    "application_name": "fullring room",
                    "tcp_keepalives_idle": "10",
                    "tcp_keepalives_interval": "5",
                    "tcp_keepalives_count": "3",
                }
            },
        )
        self._thread: ThreadPoolExecutor | None = None
        self._runner: asyncio.Runner | None = None
        self._connection: AsyncConnection | None = None

    def acquire(self) -> None:
        """Raises AlreadyOwned or LogUnavailable."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fullring-ownership")
        self._runner = asyncio.Runner()
        try:
            owned = self._run(self._lock)
        except (DBAPIError, OSError, TimeoutError) as error:
            self.release()
            raise LogUnavailable("the database can't be reached") from error
        if not owned:
            self.release()
            raise AlreadyOwned("another process runs the room on this database")

    def release(self) -> None:
        if self._thread is None or self._runner is None:
            return
        self._run(self._unlock)
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()
        self._thread = self._runner = None

    async def _lock(self) -> bool:
        self._connection = await self._engine.connect()
        found = await self._connection.execute(sa.select(sa.func.pg_try_advisory_lock(_ROOM)))
        return bool(found.scalar_one())

    async def _unlock(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
        await self._engine.dispose()

    def _run(self, what: Callable[[], Coroutine[object, object, T]]) -> T:
        runner = self._runner
        assert runner is not None
        assert self._thread is not None
        return self._thread.submit(lambda: runner.run(what())).result()

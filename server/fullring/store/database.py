"""The database as the rest of the store sees it: commits, writes and reads, each one transaction, on either database.

It turns what drivers raise into LogUnavailable, when nothing was written, and OutcomeUnknown, when that can't be told.
"""

import logging
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from fullring.runtime.ports import LogUnavailable, OutcomeUnknown

logger = logging.getLogger(__name__)

LOCK_WAIT_MS = 5_000
"""How long a write waits for a lock that another process holds before the log counts as unavailable."""
COMMIT_TIMEOUT_S = 10
READ_TIMEOUT_S = 60
READERS = 4
CONNECTIONS = 8
CHECKPOINT_PAGES = 1_000
# SQLSTATE classes that say something of the server and nothing of what was asked of it: connection, transaction
# state, rollback, resources, object state (locks), operator intervention, system.
_SERVER_STATES = frozenset({"08", "25", "40", "53", "55", "57", "58"})
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}

T = TypeVar("T")
Work = Callable[[AsyncConnection], Awaitable[T]]


def parsed(url: str) -> URL:
    """The URL with the driver we use. ValueError for a database that is neither SQLite in a file nor PostgreSQL."""
    given = make_url(url)
    found = given.set(drivername=_DRIVERS.get(given.drivername, given.drivername))
    if found.drivername not in _DRIVERS.values():
        raise ValueError(f"a database of kind {given.drivername} is not supported: use sqlite or postgresql")
    if found.drivername == _DRIVERS["sqlite"] and (found.database or ":memory:") == ":memory:":
        raise ValueError("the database must be a file: sqlite:///folder/room.db")
    return found


class Database:
    """Engines for one URL. Nothing is connected before the first use.

    SQLite has one connection that writes, for commits and all other writes alike, because two that write or checkpoint
    at once can damage the file (the WAL-reset fault of versions before 3.51.3). A visiting process, such as a command
    beside a running room, leaves the checkpoints to the room.
    """

    def __init__(self, url: str, *, visiting: bool = False) -> None:
        self.url = parsed(url)
        self.is_sqlite = self.url.drivername == _DRIVERS["sqlite"]
        if self.is_sqlite:
            self._commits = self._writes = sqlite_engine(self.url, checkpoint=not visiting)
            self._reads = sqlite_engine(self.url, connections=READERS, writes=False)
        else:
            self._commits = _postgres_engine(self.url, connections=1, timeout=COMMIT_TIMEOUT_S)
            self._writes = self._reads = _postgres_engine(self.url, connections=CONNECTIONS, timeout=READ_TIMEOUT_S)

    @property
    def dialect(self) -> sa.Dialect:
        return self._commits.dialect

    async def commit(self, work: Work[T]) -> T:
        """A transaction on the connection kept for the journal. Raises LogUnavailable or OutcomeUnknown."""
        return await _transact(self._commits, work)

    async def write(self, work: Work[T]) -> T:
        """Any other transaction that writes. Raises LogUnavailable or OutcomeUnknown."""
        return await _transact(self._writes, work)

    async def read(self, work: Work[T]) -> T:
        """Raises LogUnavailable."""
        try:
            return await _transact(self._reads, work)
        except OutcomeUnknown as error:
            raise LogUnavailable(str(error)) from error

    async def close(self) -> None:
        # The one that writes goes last, so that the closing checkpoint is its own.
        for engine in (self._reads, self._writes, self._commits):
            await engine.dispose()


async def _transact(engine: AsyncEngine, work: Work[T]) -> T:
    """One transaction; a second try where the first met a connection that had died while it was idle, or a deadlock."""
    try:
        return await _once(engine, work)
    except _Again:
        try:
            return await _once(engine, work)
        except _Again as error:
            raise LogUnavailable(str(error)) from error


class _Again(Exception):
    """Nothing was written, and trying again may well do."""


async def _once(engine: AsyncEngine, work: Work[T]) -> T:
    committing = False
    try:
        async with engine.begin() as connection:
            result = await work(connection)
            committing = True
        return result
    except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
        if not is_outage(error):
            raise
        said = f"the database failed: {_said(error)}"
        logger.warning("%s%s", said, " during a commit" if committing else "")
        if committing and not _refused(error):
            raise OutcomeUnknown(said) from error
        if not committing and _passing(error):
            raise _Again(said) from error
        raise LogUnavailable(said) from error


def is_outage(error: Exception) -> bool:
    """Whether this is the database's state, and not something wrong with what was asked of it."""
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return True
    state = _state(error)
    if state is not None:
        return state[:2] in _SERVER_STATES
    if isinstance(error.orig, sqlite3.Error):
        return not isinstance(error, IntegrityError | ProgrammingError)
    return isinstance(error, NotSupportedError)  # A prepared statement that a migration has made stale.


def _passing(error: Exception) -> bool:
    """A connection that has died before, a deadlock, or a stale prepared statement."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, ConnectionError)
    return error.connection_invalidated or isinstance(error, NotSupportedError) or (_state(error) or "")[:2] == "40"


def _refused(error: Exception) -> bool:
    """Whether a failed commit is known to be undone: the server says so, or SQLite never had the lock."""
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return False
    state = _state(error)
    return (state is not None and state[:2] in {"23", "40"}) or _code(error) == sqlite3.SQLITE_BUSY


def _state(error: DBAPIError) -> str | None:
    state = getattr(error.orig, "sqlstate", None)
    return state if isinstance(state, str) else None


def _code(error: DBAPIError) -> int | None:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _said(error: Exception) -> str:
    """What the driver says, without the statement."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return f"{type(cause).__name__}: {cause}".splitlines()[0]


# --- engines ---------------------------------------------------------------------------------------------------------


def sqlite_engine(
    url: URL, *, connections: int = 1, writes: bool = True, checkpoint: bool = False, foreign_keys: bool = True
) -> AsyncEngine:
    """Durable (WAL, synchronous FULL) connections with transactions that are exactly ours, schema changes included."""
    engine = create_async_engine(
        url,
        poolclass=AsyncAdaptedQueuePool,
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

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
    return engine


def _pragma(cursor: Any, name: str, setting: int | str) -> None:
    cursor.execute(f"PRAGMA {name} = {setting}")
    cursor.execute(f"PRAGMA {name}")
    (found,) = cursor.fetchone()
    if found != setting:
        raise sqlite3.OperationalError(f"SQLite keeps {name} at {found}, it must be {setting}")


def _postgres_engine(url: URL, *, connections: int, timeout: int) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=timeout,
        hide_parameters=True,
        connect_args={
            "timeout": COMMIT_TIMEOUT_S,
            "command_timeout": timeout,
            "server_settings": {
                "application_name": "fullring",
                "synchronous_commit": "on",
                "lock_timeout": str(LOCK_WAIT_MS),
                "jit": "off",
            },
        },
    )

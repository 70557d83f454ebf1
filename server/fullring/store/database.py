"""The database as the rest of the store sees it: commits, writes and reads, each one transaction, on either database.

It turns what drivers raise into LogUnavailable, when nothing was written, and OutcomeUnknown, when that can't be told.
"""

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.store.lanes import Lane, PostgresLane, SqliteLane

logger = logging.getLogger(__name__)

COMMIT_TIMEOUT_S = 10
READ_TIMEOUT_S = 60
READERS = 4
SEARCHERS = 2
CONNECTIONS = 8
# SQLSTATE classes that say something of the server and nothing of what was asked of it: connection, transaction
# state, who may log in, which databases there are, rollback, resources, object state (locks), operator intervention,
# system.
_SERVER_STATES = frozenset({"08", "25", "28", "3D", "40", "53", "55", "57", "58"})
_FORBIDDEN = "42501"
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}

_MAY_SAY = frozenset({"host", "port", "prepared_statement_cache_size", "ssl", "sslmode", "target_session_attrs"})
"""What may stand behind the ? in a server's URL: what asyncpg takes as a text, and libpq's name for its ``ssl``."""

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
"""What is done in a transaction. It may be done again from the beginning, where the first try came to nothing."""


def parsed(url: str) -> URL:
    """The URL with the driver we use. ValueError for a database that is neither SQLite in a file nor PostgreSQL."""
    try:
        given = make_url(url)
    except (ArgumentError, ValueError):  # Whose text may hold a part of the password.
        raise ValueError("the database's URL must be as postgresql://user:password@host:5432/name") from None
    if given.drivername not in _DRIVERS:
        raise ValueError(f"a database of kind {given.drivername} is not supported: use sqlite or postgresql")
    found = given.set(drivername=_DRIVERS[given.drivername])
    if found.drivername == "sqlite" and (found.database or ":memory:") == ":memory:":
        raise ValueError("the database must be a file: sqlite:///folder/room.db")
    if found.drivername != "sqlite":
        return _as_asyncpg_says(found)
    return found


def _as_asyncpg_says(url: URL) -> URL:
    unknown = sorted(url.query.keys() - _MAY_SAY)
    if unknown:
        raise ValueError(f"{unknown[0]} may not stand behind the ? of its URL; {', '.join(sorted(_MAY_SAY))} may")
    mode = url.query.get("sslmode")
    if mode is None:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})


class Database:
    """Lanes to one URL. Nothing is connected before the first use.

    SQLite has one connection that writes, for commits and all other writes alike, because two that write or checkpoint
    at once can damage the file (the WAL-reset fault of versions before 3.51.3). A visiting process, such as a command
    beside a running room, leaves the checkpoints to the room.
    """

    def __init__(self, url: str, *, visiting: bool = False) -> None:
        self.url = parsed(url)
        self.is_sqlite = self.url.drivername == "sqlite"
        self._commits: Lane
        self._writes: Lane
        self._reads: Lane
        self._searches: Lane
        if self.is_sqlite:
            self._commits = self._writes = SqliteLane(self.url, checkpoint=not visiting)
            self._reads = SqliteLane(self.url, connections=READERS, writes=False)
            self._searches = SqliteLane(self.url, connections=SEARCHERS, writes=False)
        else:
            self._commits = PostgresLane(self.url, connections=1, timeout=COMMIT_TIMEOUT_S)
            self._writes = self._reads = PostgresLane(self.url, connections=CONNECTIONS, timeout=READ_TIMEOUT_S)
            self._searches = PostgresLane(self.url, connections=SEARCHERS, timeout=READ_TIMEOUT_S)

    async def commit(self, work: Work[T]) -> T:
        """A transaction on the connection kept for the journal. Raises LogUnavailable or OutcomeUnknown."""
        return await _transact(self._commits, work)

    async def write(self, work: Work[T]) -> T:
        """Any other transaction that writes. Raises LogUnavailable or OutcomeUnknown."""
        return await _transact(self._writes, work)

    async def read(self, work: Work[T]) -> T:
        """Raises LogUnavailable."""
        return await _read(self._reads, work)

    async def search(self, work: Work[T]) -> T:
        """A read that may take seconds: on connections of its own, so that tokens and tables wait for none of them."""
        return await _read(self._searches, work)

    async def close(self) -> None:
        # The one that writes goes last, so that the closing checkpoint is its own.
        for lane in (self._searches, self._reads, self._writes, self._commits):
            await lane.close()


async def _read(lane: Lane, work: Work[T]) -> T:
    try:
        return await _transact(lane, work)
    except OutcomeUnknown as error:
        raise LogUnavailable(str(error)) from error


async def _transact(lane: Lane, work: Work[T]) -> T:
    """One transaction; a second try where the first met a connection that had died while it was idle, or a deadlock."""
    try:
        return await _once(lane, work)
    except _Again:
        try:
            return await _once(lane, work)
        except _Again as error:
            raise LogUnavailable(str(error)) from error


class _Again(Exception):
    """Nothing was written, and trying again may well do."""


async def _once(lane: Lane, work: Work[T]) -> T:
    with _judged() as phase:

        def tracked(connection: sa.Connection) -> T:
            result = work(connection)
            phase.committing = True
            return result

        return await lane.transact(tracked)


@dataclass(slots=True)
class _Phase:
    committing: bool = False


@contextmanager
def _judged() -> Iterator[_Phase]:
    phase = _Phase()
    try:
        yield phase
    except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
        if not is_outage(error):
            raise
        said = f"the database failed: {_said(error)}"
        logger.warning("%s%s", said, " during a commit" if phase.committing else "")
        if phase.committing and not _refused(error):
            raise OutcomeUnknown(said) from error
        if not phase.committing and _passing(error):
            raise _Again(said) from error
        raise LogUnavailable(said) from error


@asynccontextmanager
async def reached(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection to a server. Raises LogUnavailable where none can be had, for whatever reason."""
    try:
        connection = await engine.connect()
    except (DBAPIError, OSError) as error:
        raise LogUnavailable(f"the database can't be reached: {in_words(error)}") from error
    try:
        yield connection
    finally:
        await connection.close()


def is_outage(error: Exception) -> bool:
    """Whether this is the database's state, and not something wrong with what was asked of it."""
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return True
    state = _state(error)
    if state is not None:
        return state[:2] in _SERVER_STATES or state == _FORBIDDEN
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


def in_words(error: DBAPIError | OSError) -> str:
    """For whoever asked for the database and can't have it."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return _without_text(said) or type(cause).__name__


def _said(error: Exception) -> str:
    """What the driver says, without the statement."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return _without_text(f"{type(cause).__name__}: {cause}")


def _without_text(said: str) -> str:
    """Of a text that is damaged SQLite's driver repeats all, and it may have cards in it."""
    return (said.splitlines() or [""])[0].partition(" with text ")[0]

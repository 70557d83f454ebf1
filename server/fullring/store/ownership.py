"""Which process runs a room: the one whose lease is in the database, renewed while it lives.

Whoever takes the lease counts its fence up. The fence is checked in the transaction of every append, so that an owner
of before, however long it slept, writes nothing.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from fullring.runtime.ports import AlreadyOwned, Deposed, LogUnavailable, OutcomeUnknown
from fullring.store.database import Database, Work
from fullring.store.process import in_words, is_dead, this_process
from fullring.store.schema import leases

TTL_MS = 5_000
RENEWALS = 3
"""So many times within its span a lease is renewed."""
RELEASE_S = 1.0
"""How long a process that stops waits for its lease to be released; after that it runs out by itself."""
LOOK_S = 0.25
"""How often one that waits looks whether the lease is over."""
AWAY_S = 2.0
"""The same where the database can't be asked, which is logged each time."""

T = TypeVar("T")
logger = logging.getLogger(__name__)

_ROOM = "room"
_LEASE = sa.select(leases).where(leases.c.name == _ROOM)
FENCE = sa.select(leases.c.fence).where(leases.c.name == _ROOM)
"""The fence that counts."""
_HELD_FENCE = FENCE.with_for_update(read=True)
_OURS = sa.update(leases).where(
    leases.c.name == _ROOM, leases.c.holder == sa.bindparam("our_name"), leases.c.fence == sa.bindparam("our_fence")
)
_EXTEND = _OURS.values(renewed_at=sa.bindparam("now"))
_RELEASE = _OURS.values(ttl_ms=0)


class Lease:
    """`fullring.runtime.ports.Ownership` as a row. ``fence`` is None until it is held for the first time.

    An instant is the database's own with PostgreSQL. With SQLite, which all use on one host, it is the host's monotonic
    clock: nobody can set that, and after a boot no lease of before is believed.
    """

    def __init__(self, database: Database, ttl_ms: int = TTL_MS) -> None:
        self.lost = asyncio.Event()
        self.fence: int | None = None
        self._database = database
        self._ttl_ms = ttl_ms
        self._holder = secrets.token_hex(8)
        self._renewing: asyncio.Task[None] | None = None
        self._renewed = 0.0

    def renewed(self) -> bool:
        """Whether it was in time: the database takes what is written."""
        return time.monotonic() - self._renewed < self._ttl_ms / 1000

    async def acquire(self) -> None:
        """Raises AlreadyOwned, LogUnavailable or OutcomeUnknown."""
        self.fence = await self._database.commit(self._take)
        self._renewed = time.monotonic()
        self.lost.clear()
        self._renewing = asyncio.create_task(self._renew())

    async def release(self) -> None:
        """The next may have it at once. It is no fault if that can't be written, or if it is no longer ours."""
        if self._renewing is None:
            return
        self._renewing.cancel()
        self._renewing = None
        with contextlib.suppress(LogUnavailable, OutcomeUnknown, TimeoutError):
            async with asyncio.timeout(RELEASE_S):
                await self._database.commit(lambda connection: self._if_ours(connection, _RELEASE))

    async def commit(self, work: Work[T]) -> T:
        """A transaction of the owner's alone. Nobody takes the lease before its end. Raises Deposed too."""

        def owned(connection: sa.Connection) -> T:
            if self.fence is not None:
                self.check(connection.execute(_HELD_FENCE).scalar_one())
            return work(connection)

        return await self.noticing(owned)

    async def noticing(self, work: Work[T]) -> T:
        """A transaction that calls `check` itself."""
        try:
            return await self._database.commit(work)
        except Deposed:
            self._lose()
            raise

    def check(self, fence: int) -> None:
        """Raises Deposed if that is not the fence we were given."""
        if self.fence is not None and fence != self.fence:
            raise Deposed("another process runs the room now")

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._ttl_ms / 1000 / RENEWALS)
            try:
                ours = await self._database.commit(self._extend)
            except (LogUnavailable, OutcomeUnknown):
                continue  # It is ours until somebody takes it, and nobody could write that either.
            if not ours:
                self._lose()
                return
            self._renewed = time.monotonic()

    def _lose(self) -> None:
        if not self.lost.is_set():
            logger.error("another process has taken over the room: this one writes nothing more, and ends")
            self.lost.set()

    def _take(self, connection: sa.Connection) -> int:
        found = connection.execute(_LEASE.with_for_update()).one()
        now = _now(connection)
        left = _left(found, now)
        if left and found.holder != self._holder:
            raise AlreadyOwned(_sentence(found, left))
        fence = int(found.fence) + 1
        taken = {"fence": fence, "holder": self._holder, "process": this_process(), "place": in_words()}
        connection.execute(_update().values(**taken, renewed_at=now, ttl_ms=self._ttl_ms))
        if found.ttl_ms:
            logger.warning("the lease of %s was over: this process takes over the room", found.place)
        return fence

    def _extend(self, connection: sa.Connection) -> bool:
        return self._if_ours(connection, _EXTEND, now=_now(connection))

    def _if_ours(self, connection: sa.Connection, change: sa.Update, **values: int) -> bool:
        """Whether it was still ours."""
        ours = {"our_name": self._holder, "our_fence": self.fence}
        return connection.execute(change, ours | values).rowcount == 1


def refuse(connection: sa.Connection) -> None:
    """Raises AlreadyOwned if somebody runs the room now."""
    sentence = held(connection)
    if sentence is not None:
        raise AlreadyOwned(sentence)


def held(connection: sa.Connection) -> str | None:
    """Who runs the room, and until when, in a sentence; None if it may be taken, or there is none yet."""
    if not sa.inspect(connection).has_table(leases.name):
        return None
    found = connection.execute(_LEASE).one()
    left = _left(found, _now(connection))
    return _sentence(found, left) if left else None


async def vacancy(url: str, waiting: Callable[[str], None]) -> None:
    """Until nobody runs the room on that database. ``waiting`` is told once who does."""
    database = Database(url, visiting=True)
    told = False
    try:
        while _is_there(database):
            pause = AWAY_S
            with contextlib.suppress(LogUnavailable):  # It may come back, before the owner or after.
                sentence = await database.read(held)
                if sentence is None:
                    return
                if not told:
                    waiting(sentence)
                    told = True
                pause = LOOK_S
            await asyncio.sleep(pause)
    finally:
        await database.close()


def _is_there(database: Database) -> bool:
    """A file may not be; to look for a lease must not make it."""
    return not database.is_sqlite or Path(database.url.database or "").exists()


def _left(found: sa.Row[Any], now: int) -> int:
    """For how many milliseconds the lease still stands. A clock that was set back does not make it longer."""
    past = now - int(found.renewed_at)
    if not -found.ttl_ms < past < found.ttl_ms or is_dead(found.process):
        return 0
    return min(int(found.ttl_ms) - past, int(found.ttl_ms))


def _sentence(found: sa.Row[Any], left: int) -> str:
    until = f"its lease ends in {left / 1000:.1f} s unless it renews it"
    return f"another process runs the room: {found.place}; {until} (fullring serve --wait takes over then)"


def _now(connection: sa.Connection) -> int:
    if connection.dialect.name == "sqlite":
        return time.monotonic_ns() // 1_000_000
    seconds = sa.extract("epoch", sa.func.clock_timestamp())
    return int(connection.execute(sa.select(sa.cast(seconds * 1000, sa.BigInteger))).scalar_one())


def _update() -> sa.Update:
    return sa.update(leases).where(leases.c.name == _ROOM)

"""Every socket and stream: found by its account, looked after once a second, and sent away when the room stops."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Protocol

from fullring.rules.value import value
from fullring.runtime.clock import Alarm, Clock
from fullring.runtime.outbox import Outbox
from fullring.table.ids import AccountId, Millis
from fullring.wire.errors import CloseCode

LOOK_EVERY_MS = 1_000
SOCKET = ""
"""The door of a socket; a stream's is its table."""


@value
class Caller:
    """Who is at the other end: from where, since when, last heard when, with which program."""

    address: str
    since: Millis
    heard_at: Millis
    client: str | None = None
    greeted: bool = True


class Session(Protocol):
    """A connection, as the others see it. None of this waits."""

    token: str | None
    """Which token it was opened with."""
    outbox: Outbox

    def caller(self) -> Caller: ...

    def look(self, now: Millis) -> None:
        """Time has passed: is it silent, or too slow?"""

    def close(self, code: CloseCode, reason: str) -> None: ...

    def abort(self) -> None: ...

    def notify(self, frame: bytes) -> None:
        """Something for everybody."""


class Connections:
    """One timer for all: ten thousand are looked at in a few milliseconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._all: dict[Session, str] = {}
        self._by_account: dict[AccountId, dict[str, Session]] = {}
        self._asking: list[set[str]] = []
        self._opened = 0
        self._alarm = Alarm(clock, self._look)
        self._none = asyncio.Event()
        self._none.set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, session: Session) -> str:
        """The connection's id."""
        if not self._all:
            self._alarm.set(self._clock.now() + LOOK_EVERY_MS)
            self._none.clear()
        self._opened += 1
        self._all[session] = f"c{self._opened}"
        return self._all[session]

    def remove(self, session: Session) -> None:
        self._all.pop(session, None)
        if not self._all:
            self._alarm.cancel()
            self._none.set()

    def enter(self, account: AccountId, session: Session, door: str = SOCKET) -> list[Session]:
        """The account's newest session; those that go for it. A socket is alone, streams of several tables are not."""
        doors = self._by_account.setdefault(account, {})
        gone = list(doors) if door == SOCKET else [other for other in doors if other in (SOCKET, door)]
        before = [doors.pop(other) for other in gone]
        doors[door] = session
        return before

    def leave(self, account: AccountId, session: Session) -> None:
        doors = self._by_account.get(account, {})
        for door in [door for door, other in doors.items() if other is session]:
            del doors[door]
        if not doors:
            self._by_account.pop(account, None)

    def of(self, account: AccountId) -> list[Session]:
        """Its socket, or its streams; empty where it has none."""
        return list(self._by_account.get(account, {}).values())

    def all(self) -> list[tuple[str, Session]]:
        """By their ids, the oldest first."""
        return [(id, session) for session, id in self._all.items()]

    @contextlib.contextmanager
    def asking(self) -> Iterator[set[str]]:
        """While it is looked up who comes: the accounts and tokens that end meanwhile, which were good when asked."""
        ended: set[str] = set()
        self._asking.append(ended)
        try:
            yield ended
        finally:
            self._asking = [other for other in self._asking if other is not ended]

    def ended(self, account: AccountId, code: CloseCode, reason: str) -> None:
        """Nothing that the account has opened stays open."""
        self._tell(account)
        for session in self.of(account):
            session.close(code, reason)

    def revoked(self, account: AccountId, token: str) -> None:
        """A token is good no longer: neither is what was opened with it."""
        self._tell(token)
        for session in self.of(account):
            if session.token == token:
                session.close(CloseCode.BAD_CREDENTIALS, "the token is no longer good")

    def notify(self, frame: bytes) -> None:
        for session in list(self._all):
            session.notify(frame)

    async def part(self, code: CloseCode, reason: str, within_s: float) -> None:
        """Close all of them; those who have not gone by then are dropped."""
        for session in list(self._all):
            session.close(code, reason)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._none.wait()
        for session in list(self._all):
            session.abort()

    def _tell(self, ended: str) -> None:
        for asking in self._asking:
            asking.add(ended)

    def _look(self) -> None:
        now = self._clock.now()
        for session in list(self._all):
            session.look(now)
        if self._all:
            self._alarm.set(now + LOOK_EVERY_MS)

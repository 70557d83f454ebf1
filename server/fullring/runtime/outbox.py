"""What is sent to one connection. Putting something in never waits; a reader that is too slow loses updates.

Knows nothing of sockets: whoever owns one gives its ``Line``.
"""

import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from fullring.runtime.audience import Audience, Own, Update
from fullring.runtime.faults import BROKEN, traced
from fullring.runtime.meter import Meter
from fullring.table.ids import AccountId, Millis

REPLIES_MAX = 256
"""Answers that wait at most. They are never dropped: one more, and the reader is too slow."""
STALLED_MS = 5_000
"""A line that stays full for so long, while something waits, has a reader that is too slow."""

_FAILURES = (OSError, RuntimeError, *BROKEN)

_log = logging.getLogger(__name__)


class Line(Protocol):
    """The way to a reader. What is written to it is on its way, or waits in a buffer of its own."""

    full: bool
    """Whether that buffer holds all it should. A line that is gone is full for ever."""

    @property
    def write(self) -> Callable[[bytes], None]:
        """Takes a frame; it never waits. A full line takes it too: it is for the writer to ask first."""


class Outbox:
    """A connection as its tables see it: a ``Viewer``.

    While the line is full, answers wait, and updates are dropped for one fresh update of each table; ``flush`` is
    called when it no longer is. A reader for which ``too_slow`` is true is closed with 4007 by whoever owns it.
    """

    __slots__ = (
        "_closed", "_line", "_lost", "_now", "_overrun", "_meter", "_replies", "account", "stalled_since", "watching",
    )  # fmt: skip

    def __init__(self, account: AccountId | None, now: Callable[[], Millis], line: Line, meter: Meter) -> None:
        self.account = account
        self.watching: set[Audience] = set()
        self.stalled_since: Millis | None = None
        """Since when something waits for the line; None when nothing does."""
        self._now = now
        self._meter = meter
        self._line = line
        self._replies: deque[bytes] = deque()
        self._lost: dict[Audience, None] = {}
        self._overrun = False
        self._closed = False

    def __len__(self) -> int:
        """How many answers wait."""
        return len(self._replies)

    def reply(self, frame: bytes) -> None:
        if self._closed or self._overrun:
            return
        if not self._line.full and not self._replies:
            self._write(frame)
        elif len(self._replies) < REPLIES_MAX:
            self._replies.append(frame)
            self._stall()
        else:
            self._overrun = True  # This answer is lost, so there is nothing left to do with this reader.

    def update(self, audience: Audience, update: Update, own: Own | None) -> None:
        line = self._line
        if not line.full and not self._lost:
            try:
                line.write(update.frame(own))
            except _FAILURES as error:
                self._fail(error)
        elif self._closed:
            audience.leave(self)
        else:
            self._lost[audience] = None
            self._meter.dropped += 1
            self._stall()

    def flush(self) -> None:
        """The line takes something again: the answers, and how the tables stand whose updates were dropped."""
        while self._replies and not self._line.full:
            self._write(self._replies.popleft())
        while self._lost and not self._line.full:
            audience = next(iter(self._lost))
            del self._lost[audience]
            update, own = audience.fresh(self.account)
            self._write(update.frame(own))
        if self._replies or self._lost:
            self.stalled_since = self._now()
        else:
            self._go_on()

    def too_slow(self, now: Millis) -> bool:
        """Whether this reader is to be given up."""
        stalled = self.stalled_since is not None and now - self.stalled_since >= STALLED_MS
        return stalled or self._overrun

    def finish(self) -> None:
        """The last that is said: the answers that wait, full line or not. They are few."""
        while self._replies:
            self._write(self._replies.popleft())

    def close(self) -> None:
        """Leaves every audience; what waits is dropped, and what still comes. Closing twice is no fault."""
        self._closed = True
        self._line = _GONE
        for audience in list(self.watching):
            audience.leave(self)
        self._replies.clear()
        self._lost.clear()
        self._go_on()

    def _write(self, frame: bytes) -> None:
        try:
            self._line.write(frame)
        except _FAILURES as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Whatever it is, it is this connection's and not the table's."""
        _log.warning("a connection failed while it was written to: %s", traced(error))
        self.close()

    def _stall(self) -> None:
        if self.stalled_since is None:
            self.stalled_since = self._now()
            self._meter.lagging += 1

    def _go_on(self) -> None:
        if self.stalled_since is not None:
            self.stalled_since = None
            self._meter.lagging -= 1


class _Gone:
    """The line of an outbox that is closed."""

    full = True

    def write(self, frame: bytes) -> None:
        """Lost."""


_GONE: Line = _Gone()

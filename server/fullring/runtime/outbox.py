"""What waits to be sent to one connection. Putting something in never waits; a reader that is too slow loses updates.

Knows nothing of sockets: whoever owns one takes frames out and writes them.
"""

import logging
from collections import deque
from collections.abc import Callable

from fullring.runtime.audience import Audience, Update, You
from fullring.runtime.faults import BROKEN, traced
from fullring.table.ids import AccountId, Millis

OUTBOX_FRAMES = 256
"""Frames that wait at most. One more, and all updates among them are dropped for one fresh update of each table."""
REPLIES_MAX = 256
"""Answers that wait at most. They are never dropped: one more, and the reader is too slow."""
STALLED_MS = 5_000
"""A reader that takes nothing for so long, while something waits, is too slow."""

_log = logging.getLogger(__name__)


class Outbox:
    """A connection as its tables see it: a ``Viewer``.

    ``wake`` is called when something waits that did not before. It may take and write at once, or set an event for
    whoever does; it need not do anything while the socket's own buffer is full, as long as somebody calls ``take``
    when it is not any more. A reader for which ``too_slow`` is true is closed with 4007 by whoever owns it.
    """

    __slots__ = (
        "_closed", "_lost", "_now", "_overrun", "_queue", "_replies", "_wake", "account", "stalled_since", "watching"
    )  # fmt: skip

    def __init__(self, account: AccountId | None, now: Callable[[], Millis], wake: Callable[[], None]) -> None:
        self.account = account
        self.watching: set[Audience] = set()
        self.stalled_since: Millis | None = None
        """Since when the reader has taken nothing while something waits; None when nothing waits."""
        self._now = now
        self._wake = wake
        self._queue: deque[tuple[Audience | None, bytes]] = deque()
        self._replies = 0
        self._overrun = False
        self._lost: dict[Audience, None] = {}
        self._closed = False

    def __len__(self) -> int:
        """How many frames wait."""
        return len(self._queue)

    def reply(self, frame: bytes) -> None:
        if self._closed or self._overrun:
            return
        if self._replies >= REPLIES_MAX:
            self._overrun = True  # This answer is lost, so there is nothing left to do with this reader.
            return
        self._replies += 1
        self._put(None, frame)

    def update(self, audience: Audience, update: Update, you: You | None) -> None:
        if self._closed:
            audience.leave(self)
            return
        if audience in self._lost:
            return  # The fresh update that it will get, when it reads again, shows this too.
        if len(self._queue) - self._replies >= OUTBOX_FRAMES:
            self._drop_updates()
            self._lost[audience] = None
            return
        self._put(audience, update.frame(you))

    def take(self) -> bytes | None:
        """The next frame to send; None when nothing waits."""
        if self._queue:
            audience, frame = self._queue.popleft()
            if audience is None:
                self._replies -= 1
        elif self._lost:
            audience = next(iter(self._lost))
            del self._lost[audience]
            update, you = audience.fresh(self.account)
            frame = update.frame(you)
        else:
            self.stalled_since = None
            return None
        self.stalled_since = self._now() if self._queue or self._lost else None
        return frame

    def too_slow(self, now: Millis) -> bool:
        """Whether this reader is to be given up."""
        stalled = self.stalled_since is not None and now - self.stalled_since >= STALLED_MS
        return stalled or self._overrun

    def close(self) -> None:
        """Leaves every audience; what waits is dropped, and what still comes. Closing twice is no fault."""
        self._closed = True
        for audience in list(self.watching):
            audience.leave(self)
        self._queue.clear()
        self._lost.clear()
        self.stalled_since = None

    def _put(self, audience: Audience | None, frame: bytes) -> None:
        waited = bool(self._queue or self._lost)
        self._queue.append((audience, frame))
        if waited:
            return
        try:
            self._wake()
        except (
            OSError,
            RuntimeError,
            *BROKEN,
        ) as error:  # Whatever it is, it is this connection's and not the table's.
            _log.warning("a connection failed while it was written to: %s", traced(error))
            self.close()
            return
        if self._queue and self.stalled_since is None:
            self.stalled_since = self._now()

    def _drop_updates(self) -> None:
        for audience, _ in self._queue:
            if audience is not None:
                self._lost[audience] = None
        self._queue = deque([entry for entry in self._queue if entry[0] is None])

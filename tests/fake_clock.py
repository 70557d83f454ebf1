"""A clock that stands until a test moves it."""

import asyncio
import heapq
from collections.abc import Callable

from fullring.table.ids import Millis

START: Millis = 1_700_000_000_000
TURNS = 50
"""How often other tasks get their turn before the clock moves on to its next timer."""


class FakeTimer:
    """A timer that a FakeClock holds until its time comes."""

    __slots__ = ("at", "callback", "cancelled", "order")

    def __init__(self, at: Millis, order: int, callback: Callable[[], None]) -> None:
        self.at, self.order, self.callback = at, order, callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def __lt__(self, other: "FakeTimer") -> bool:
        return (self.at, self.order) < (other.at, other.order)


class FakeClock:
    """``advance`` moves it from timer to timer, and lets everything that follows from one happen before the next.

    What waits for a socket, a thread or a database does not hold it up: a test that has those waits for what it wants
    to see before it moves the clock again.
    """

    def __init__(self, now: Millis = START) -> None:
        self._now = now
        self._timers: list[FakeTimer] = []
        self._set = 0

    def now(self) -> Millis:
        return self._now

    def call_at(self, at: Millis, callback: Callable[[], None]) -> FakeTimer:
        self._set += 1
        timer = FakeTimer(at, self._set, callback)
        heapq.heappush(self._timers, timer)
        return timer

    def start_from(self, instant: Millis) -> None:
        self._now = max(self._now, instant)

    @property
    def timers(self) -> int:
        """How many are waiting."""
        return sum(not timer.cancelled for timer in self._timers)

    async def advance(self, span: Millis) -> None:
        until = self._now + span
        await settle()
        while self._timers and self._timers[0].at <= until:
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._now = max(self._now, timer.at)
                timer.callback()
                await settle()
        self._now = until
        await settle()


async def settle() -> None:
    """Let everything that is ready happen, and what becomes ready by that."""
    for _ in range(TURNS):
        await asyncio.sleep(0)

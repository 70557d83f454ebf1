"""Time as the runtime sees it: an instant to stamp things with, and timers. Tests bring a clock of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from fullring.table.ids import Millis


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """Unix milliseconds that never go back while the process runs."""

    def now(self) -> Millis: ...

    def call_at(self, at: Millis, callback: Callable[[], None]) -> Timer:
        """Call back once the clock shows ``at`` or later, but not before this returns."""

    def start_from(self, instant: Millis) -> None:
        """Show no less than this from now on: what is in the log has happened, whatever the machine's clock says."""


class WallClock:
    """The time of day at the start, moved on by the monotonic clock: setting the machine's clock moves no deadline."""

    def __init__(self) -> None:
        self._offset_ns = time.time_ns() - time.monotonic_ns()

    def now(self) -> Millis:
        return (time.monotonic_ns() + self._offset_ns) // 1_000_000

    def call_at(self, at: Millis, callback: Callable[[], None]) -> Timer:
        delay_s = max(0, at - self.now()) / 1000
        return asyncio.get_running_loop().call_later(delay_s, callback)

    def start_from(self, instant: Millis) -> None:
        self._offset_ns += max(0, instant - self.now()) * 1_000_000


async def sleep(clock: Clock, span: Millis) -> None:
    """Wait that long by this clock."""
    woken = asyncio.Event()
    timer = clock.call_at(clock.now() + span, woken.set)
    try:
        await woken.wait()
    finally:
        timer.cancel()


class Alarm:
    """One timer for a deadline that keeps moving.

    A later deadline leaves the timer as it is: when it goes off too early it is set again. That costs a fraction of
    cancelling one timer and making another for every action.
    """

    __slots__ = ("_at", "_callback", "_clock", "_deadline", "_timer")

    def __init__(self, clock: Clock, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._deadline: Millis | None = None
        self._timer: Timer | None = None
        self._at: Millis = 0

    def set(self, deadline: Millis | None) -> None:
        """Call back once the clock shows this or later; None never."""
        self._deadline = deadline
        if deadline is None or (self._timer is not None and self._at <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._arm(deadline)

    def cancel(self) -> None:
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, at: Millis) -> None:
        self._at = at
        self._timer = self._clock.call_at(at, self._ring)

    def _ring(self) -> None:
        self._timer = None
        deadline = self._deadline
        if deadline is None:
            return
        if self._clock.now() < deadline:
            self._arm(deadline)
            return
        self._deadline = None
        self._callback()

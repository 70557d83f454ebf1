"""Time as the client meets it: a clock that tests can replace, waits between attempts, and a pace for sending."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Protocol

from fullring.wire.server import Limits


class Clock(Protocol):
    """Seconds that only go forward, and a way to let some pass."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before the next attempt. Random, so that a room coming back does not meet everybody at once."""

    first: float = 0.25
    most: float = 10.0
    going_away: float = 3.0  # When the room said that it is restarting: up to this long, evenly spread.
    dice: random.Random = field(default_factory=random.Random)

    def wait(self, attempt: int, *, restarting: bool) -> float:
        """Seconds before attempt number ``attempt``, counted from 0 since the last good connection."""
        if restarting and attempt == 0:
            return self.dice.uniform(0, self.going_away)
        longest = min(self.most, self.first * 2 ** min(attempt, 30))
        return self.dice.uniform(longest / 2, longest)


class Pace:
    """Keeps a client within the room's limits, with room to spare: ``burst`` frames at once, then ``rate`` a second."""

    def __init__(self, limits: Limits) -> None:
        self._between = 1 / max(1.0, limits.frames_per_second * 0.9)
        self._burst = max(1, limits.frames_burst * 4 // 5)
        self._due = 0.0

    def wait(self, now: float) -> float:
        """Seconds until the next frame may go. Counts that frame as sent."""
        wait = max(0.0, self._due - now - self._between * (self._burst - 1))
        self._due = max(self._due, now) + self._between
        return wait

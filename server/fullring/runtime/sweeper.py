"""Full garbage collections stop everything while they last: they come when little is going on, not by themselves."""

import gc
import logging
import time
from collections.abc import Callable

from fullring.runtime.clock import Alarm, Clock
from fullring.table.ids import Millis

THRESHOLDS = 10_000, 8, 1_000_000
"""Young objects often, so that no look at them takes 100 ms even while connections come by the thousand; all of them
never: with ten thousand connections that takes a second.
"""
LOOK_EVERY_MS = 60_000
SWEEP_EVERY_MS = 1_800_000
"""A sweep comes no sooner than this after the one before it."""
FEW_IN_PLAY = 2
"""A sweep waits until hands are played at so many tables at most."""

_log = logging.getLogger(__name__)


def tune() -> None:
    """What is there now stays for good: it is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


class Sweeper:
    """``took_s`` is how long the last sweep stopped everything; 0 before the first."""

    def __init__(self, clock: Clock, in_play: Callable[[], int], sweep: Callable[[], object] = gc.collect) -> None:
        self.took_s = 0.0
        self._clock = clock
        self._in_play = in_play
        self._sweep = sweep
        self._swept_at: Millis = clock.now()
        self._alarm = Alarm(clock, self._look)

    def start(self) -> None:
        self._alarm.set(self._clock.now() + LOOK_EVERY_MS)

    def stop(self) -> None:
        self._alarm.cancel()

    def _look(self) -> None:
        now = self._clock.now()
        if now - self._swept_at >= SWEEP_EVERY_MS and self._in_play() <= FEW_IN_PLAY:
            began = time.perf_counter()
            self._sweep()
            self.took_s = time.perf_counter() - began
            self._swept_at = now
            _log.info("garbage swept in %.0f ms", self.took_s * 1000)
        self._alarm.set(now + LOOK_EVERY_MS)

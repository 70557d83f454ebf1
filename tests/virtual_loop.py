"""An event loop without a real clock: one ready callback at a time, chosen from a seed; time jumps to the next timer.

The same seed is the same run. Between two callbacks is "at some await": a run can be cut off at any of them, as a
process is that is killed.
"""

import asyncio
import heapq
import random
from asyncio import base_events, events
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple

from fullring.table.ids import Millis
from tests.fake_clock import START

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Deadlock(RuntimeError):
    """Everything waits for something, and nothing will come."""


class Killed(BaseException):
    """The run was cut off where the test wanted it."""


class VirtualLoop(base_events.BaseEventLoop):
    """``steps`` counts callbacks; at ``kill_at`` the run ends with Killed, and nothing of it runs any more."""

    _ready: "deque[events.Handle]"

    def __init__(self, seed: int, kill_at: int | None = None) -> None:
        super().__init__()
        self._chance = random.Random(seed)
        self._timers: list[tuple[float, int, events.TimerHandle]] = []
        self._set = 0
        self._time = 0.0
        self.steps = 0
        self.kill_at = kill_at

    def time(self) -> float:
        return self._time

    def call_soon(self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None) -> events.Handle:
        handle = events.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> events.TimerHandle:
        self._set += 1
        timer = events.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, self._set, timer))
        return timer

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> events.TimerHandle:
        return self.call_at(self._time + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        """It is passed over when its time comes."""

    def _process_events(self, event_list: object) -> None:
        """There are none: nothing here has a file or a socket."""

    def _write_to_self(self) -> None:
        """Nobody waits in a selector."""

    def _run_once(self) -> None:
        timers, ready = self._timers, self._ready
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        if not ready:
            if not timers:
                raise Deadlock(f"nothing to run at {self._time} s")
            self._time = max(self._time, timers[0][0])
        while timers and timers[0][0] <= self._time:
            timer = heapq.heappop(timers)[2]
            if not timer.cancelled():
                ready.append(timer)
        if not ready:
            return
        ready.rotate(-self._chance.randrange(len(ready)))
        handle = ready.popleft()
        if handle.cancelled():
            return
        handle._run()
        self.steps += 1
        if self.steps == self.kill_at:
            raise Killed


class LoopClock:
    """The room's clock on a virtual loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None, start: Millis = START) -> None:
        self._loop = loop or asyncio.get_running_loop()
        self._start = start

    def now(self) -> Millis:
        return self._start + round(self._loop.time() * 1000)

    def call_at(self, at: Millis, callback: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_at((at - self._start) / 1000, callback)

    def start_from(self, instant: Millis) -> None:
        self._start += max(0, instant - self.now())


def run(main: Callable[[], Coroutine[Any, Any, T]], *, seed: int = 0, kill_at: int | None = None) -> T:
    """What ``main`` returns. Raises Killed when it was cut off, and Deadlock when nothing goes on."""
    loop = VirtualLoop(seed, kill_at)
    left: list[BaseException] = []
    loop.set_exception_handler(
        lambda _, context: left.append(context.get("exception") or RuntimeError(context["message"]))
    )
    try:
        result = loop.run_until_complete(main())
        _let_go(loop)
        assert not left, left
        return result
    except Killed:
        _bury(loop)
        raise
    finally:
        loop.close()


def _let_go(loop: VirtualLoop) -> None:
    """End what still runs, as ``asyncio.run`` does."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def _bury(loop: VirtualLoop) -> None:
    """Nothing of a killed process runs again; its coroutines are closed so that nobody misses them."""
    loop.set_exception_handler(lambda _, context: None)
    tasks = asyncio.all_tasks(loop)  # Also those that have not begun, which only the loop knows.
    loop._ready.clear()
    for task in tasks:
        coroutine = task.get_coro()
        if coroutine is not None:
            coroutine.close()

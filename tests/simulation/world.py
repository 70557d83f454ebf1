"""The world of a run: one seeded loop in which servers live and die, and what is not a server goes on.

A server's callbacks carry its `Life` in their context. A life that ends leaves nothing behind: none of its callbacks
runs again, not even a ``finally``. One that is stalled has its callbacks put off, as a process is that gets no core.
"""

import asyncio
import contextlib
import heapq
import weakref
from asyncio import events
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from random import Random
from types import AsyncGeneratorType
from typing import Any, TypeVarTuple

from fullring.runtime.clock import Clock
from fullring.table.ids import Millis
from tests.virtual_loop import Deadlock, VirtualLoop

Ts = TypeVarTuple("Ts")
FINALLY_MAX = 10

LIFE: ContextVar["Life | None"] = ContextVar("life", default=None)


class Violation(AssertionError):
    """A promise was broken: which, where and when."""


class Life:
    """One process of the server. ``dies_in`` counts its callbacks down to its death; None is not yet decided."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.alive = True
        self.stalled = False
        self.dies_in: int | None = None
        self.clock: Clock | None = None
        """What it takes for the time of day."""
        self.held: list[events.Handle] = []
        self.tasks: weakref.WeakKeyDictionary[asyncio.Task[Any], None] = weakref.WeakKeyDictionary()
        """In the order in which they began."""
        self.generators: weakref.WeakKeyDictionary[AsyncGeneratorType[Any, Any], None] = weakref.WeakKeyDictionary()
        self.died: list[Callable[[], None]] = []
        """Who wants to know."""
        self.context: Context = copy_context()
        self.context.run(LIFE.set, self)

    def __repr__(self) -> str:
        return f"process {self.number}"


class World(VirtualLoop):
    """``fault`` is the first broken promise; the run ends with it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        self.outside = copy_context()
        """Where everything runs that is no server."""
        self.fault: BaseException | None = None
        self.deaths = 0
        self._dice = self._chance.random
        self.set_task_factory(_task)
        self.set_exception_handler(lambda _, told: self._unhandled(told))

    def dice(self, name: str) -> Random:
        """A source of chance of its own, so that who rolls more does not change the others' luck."""
        return Random(f"{self.seed} {name}")

    def now(self) -> Millis:
        """Milliseconds since the beginning of the run."""
        return round(self._time * 1000)

    def later(self, span: Millis, callback: Callable[..., object], *args: object) -> asyncio.TimerHandle:
        """Outside of every process."""
        return self.call_at((self.now() + span) / 1000, callback, *args, context=self.outside)

    def break_promise(self, said: str) -> None:
        """Ends the run after this callback, whoever catches exceptions in between."""
        if self.fault is None:
            self.fault = Violation(f"at {self.now()} ms, callback {self.steps}: {said}")

    # --- lives ---

    def spawn(self, life: Life, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        """A task of that process."""
        return self.create_task(work, context=life.context.copy())

    def kill(self, life: Life) -> None:
        """Nothing of it runs again. Its coroutines are closed where they can do no harm."""
        life.alive = False
        self.deaths += 1
        life.held.clear()
        for told in life.died:
            self.outside.copy().run(told)
        pending = list(life.tasks)
        for task in pending:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # It is: that is what a kill does.
        for generator in list(life.generators):
            life.context.copy().run(_close, generator.ag_await)
        while tasks := list(life.tasks):
            life.tasks.clear()
            for task in tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # It is: that is what a kill does.
            for task in tasks:
                life.context.copy().run(_close, task.get_coro())
        for handle in [handle for handle in self._ready if _is_over(handle)]:
            self._ready.remove(handle)

    def stall(self, life: Life, span: Millis) -> None:
        """The process gets no core for so long. It does not know."""
        life.stalled = True
        self.later(span, self._go_on, life)

    def _go_on(self, life: Life) -> None:
        life.stalled = False
        held, life.held = life.held, []
        if life.alive:
            self._ready.extend(held)

    def end(self) -> None:
        """Whatever still runs does so no more."""
        self.set_exception_handler(lambda *_: None)
        self._ready.clear()
        self._timers.clear()
        tasks = asyncio.all_tasks(self)
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # The run is over.
        for task in tasks:
            _close(task.get_coro())
        self.close()

    # --- the loop ---

    def call_soon(self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None) -> events.Handle:
        handle = events.Handle(callback, args, self, context)
        if not _is_over(handle):
            self._ready.append(handle)
        return handle

    def _run_once(self) -> None:
        timers, ready = self._timers, self._ready
        while not ready:
            if not timers:
                raise Deadlock(f"nothing to run at {self._time} s")
            when, _, timer = heapq.heappop(timers)
            if not _is_over(timer):
                self._time = max(self._time, when)
                ready.append(timer)
        now = self._time
        while timers and timers[0][0] <= now:
            timer = heapq.heappop(timers)[2]
            if not _is_over(timer):
                ready.append(timer)
        count = len(ready)
        if count > 1:
            ready.rotate(-int(self._dice() * count))
        handle = ready.popleft()
        if handle._cancelled:
            return
        life = handle._context.get(LIFE)  # type: ignore[attr-defined]  # Where it runs: its stub has no word for it.
        if life is None:
            handle._run()
        elif life.stalled:
            life.held.append(handle)
            return
        else:
            handle._run()
            if life.dies_in is not None:
                life.dies_in -= 1
                if life.dies_in <= 0 and life.alive:
                    self.kill(life)
        self.steps += 1
        if self.fault is not None:
            raise self.fault

    def _asyncgen_firstiter_hook(self, agen: AsyncGenerator[Any, Any]) -> None:
        life = LIFE.get()
        if life is not None and isinstance(agen, AsyncGeneratorType):
            life.generators[agen] = None

    def _asyncgen_finalizer_hook(self, agen: object) -> None:
        """What the collector finds has ended with its process; when it comes by is no part of the run."""

    def _unhandled(self, told: dict[str, Any]) -> None:
        error = told.get("exception")
        if isinstance(error, Violation):
            self.fault = self.fault or error
        elif not (self.deaths and "never retrieved" in told["message"]):  # It may be of one who has died.
            self.break_promise(f"{told['message']}: {error!r} {told.get('task') or told.get('future') or ''}")


def _is_over(handle: events.Handle) -> bool:
    """Whether it is never to run. Its process may have died: when the collector comes by is no part of the run."""
    life = handle._context.get(LIFE)  # type: ignore[attr-defined]  # Where it runs: its stub has no word for it.
    return handle._cancelled or (life is not None and not life.alive)


def _close(coroutine: Any) -> None:
    """What can be closed ends where it is. One that waits in its ``finally`` is told again."""
    for _ in range(FINALLY_MAX):
        with contextlib.suppress(RuntimeError):
            if hasattr(coroutine, "close"):
                coroutine.close()
            return


def _task(loop: Any, work: Any, context: Context | None = None) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    life = LIFE.get() if context is None else context.get(LIFE)
    if life is not None:
        life.tasks[task] = None
    return task

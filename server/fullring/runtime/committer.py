"""Group commit: what all tables have ready goes into one transaction; while it is written, the next gathers."""

import asyncio
import logging
from collections import deque

from fullring.runtime.answers import Busy
from fullring.runtime.faults import traced
from fullring.runtime.meter import Meter, instant
from fullring.runtime.ports import Batch, Log, LogUnavailable, Outcome, OutcomeUnknown
from fullring.table.ids import Millis

GROUP_ROWS = 500
"""Rows in one transaction at most."""
MANY_ROWS = 16
GATHER_S = 0.005
"""A commit costs the same for one row as for fifty: after a group of so many, the next one waits until as many have
gathered again, so long at most. A room with little to do writes at once."""
WAITING_ROWS = 5_000
"""Rows that wait at most. One more is refused as Busy."""

_log = logging.getLogger(__name__)

Waiting = tuple[Batch, "asyncio.Future[Outcome]"]


class Unwritable(AssertionError):
    """The log can't hold this batch, though it holds others: the fault is ours, and the table must be looked at."""


class Committer:
    """One a process. A table has at most one batch here, so a group's batches are of different tables."""

    def __init__(self, log: Log, meter: Meter) -> None:
        self._log = log
        self._meter = meter
        self._waiting: deque[Waiting] = deque()
        self._alone: deque[Waiting] = deque()  # From a group that failed as a whole: now one by one.
        self._group: list[Waiting] = []
        self._writing: asyncio.Task[object] | None = None
        self._enough = 1
        """So many rows are written without waiting for more."""
        self._gathering: asyncio.TimerHandle | None = None

    def write(self, batch: Batch) -> asyncio.Future[Outcome]:
        """The outcome, once it is known. Raises Busy; the future LogUnavailable, OutcomeUnknown or Unwritable."""
        if len(self._waiting) >= WAITING_ROWS:
            raise Busy
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, future))
        if self._writing is None:
            self._gather()
        return future

    def lag(self) -> tuple[int, Millis | None]:
        """How many rows are not durable yet, and when the oldest of them was asked for."""
        waiting = len(self._waiting) + len(self._alone) + len(self._group)
        for queue in (self._group, self._alone, self._waiting):
            if queue:
                return waiting, queue[0][0].at
        return waiting, None

    async def drain(self) -> None:
        """Until nothing waits and nothing is being written."""
        while self._waiting or self._writing is not None:
            if self._writing is None:
                self._begin()
            assert self._writing is not None
            await asyncio.wait([self._writing])

    def _gather(self) -> None:
        if len(self._waiting) >= self._enough:
            self._begin()
        elif self._gathering is None:
            self._gathering = asyncio.get_running_loop().call_later(GATHER_S, self._begin)

    def _begin(self) -> None:
        """Write the next group, in a task that starts after everything that is ready now has run: that is the group."""
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        self._writing = asyncio.ensure_future(self._commit())
        self._writing.add_done_callback(self._written)

    async def _commit(self) -> None:
        if self._alone:
            self._group = [self._alone.popleft()]
        else:
            self._group = [self._waiting.popleft() for _ in range(min(GROUP_ROWS, len(self._waiting)))]
        began = instant()
        outcomes = await self._log.commit([batch for batch, _ in self._group])
        self._meter.wrote(len(self._group), began)
        for batch, future in self._group:
            if not future.done():
                future.set_result(outcomes[batch.table])

    def _written(self, task: asyncio.Task[object]) -> None:
        group, self._group = self._group, []
        self._writing = None
        error = OutcomeUnknown("the process stops") if task.cancelled() else task.exception()
        if isinstance(error, LogUnavailable | OutcomeUnknown):
            self._meter.failed()
            _fail(group, type(error))
        elif error is not None and len(group) > 1:
            _log.error("a group of %d batches failed, trying each alone: %s", len(group), traced(error))
            self._alone.extend(group)
        elif error is not None:
            _log.error("table %s row %d can't be written: %s", group[0][0].table, group[0][0].seq, traced(error))
            _fail(group, Unwritable)
        self._enough = len(group) if len(group) >= MANY_ROWS else 1
        if self._alone:
            self._begin()
        elif self._waiting:
            self._gather()


def _fail(group: list[Waiting], kind: type[Exception]) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(kind())

"""What the room has done, counted: plain numbers on the way of an action, made into metrics only when somebody asks.

Nothing here knows who reads it. A histogram is a list of whole numbers: adding to one takes a fifth of a microsecond.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from fullring.rules.actions import Action, Auto
from fullring.rules.events import Acted, HandEnded
from fullring.table.events import Event
from fullring.table.ids import TableId

SECONDS = (
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1, 2.5, 5, 10,
)  # fmt: skip
"""Bounds for what takes between ten microseconds and ten seconds."""
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

instant = perf_counter
"""Now, in seconds of a clock that only the meter uses."""


class Spread:
    """How values are spread: how many were at most as large as each bound and larger than the one before."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, amount: float) -> None:
        self.counts[bisect_left(self.bounds, amount)] += 1
        self.total += amount


@dataclass(frozen=True, slots=True)
class Hops:
    """The way of one command that changed a table, in seconds of ``instant``: asked, judged, decided, durable, applied,
    and shown to everybody.
    """

    table: TableId
    events: Sequence[Event]
    asked: float
    began: float
    decided: float
    committed: float
    evolved: float
    published: float


class Meter:
    """One a room. ``hear``, if anything, is called for each command that changed a table."""

    def __init__(self, hear: Callable[[Hops], None] | None = None) -> None:
        self.mailbox = Spread()
        """From being asked to being judged."""
        self.decide = Spread()
        self.commit = Spread()
        """From being decided to being durable, waiting for the group included."""
        self.publish = Spread()
        """Applied, shown, encoded and handed to everybody's line."""
        self.write = Spread()
        """One transaction of the log."""
        self.group = Spread(ROWS)
        self.lag = Spread()
        """How late the event loop was."""
        self.acts: defaultdict[tuple[Action, Auto | None], int] = defaultdict(int)
        self.refusals: defaultdict[str, int] = defaultdict(int)
        self.hands = 0
        self.failed_writes = 0
        self.written_at = self.failed_at = 0.0
        """When the log last took something, and when it last did not."""
        self.dropped = 0
        """Updates that connections were too slow for."""
        self.lagging = 0
        """Connections for which something waits now."""
        self.answers: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self.answering = Spread()
        self.webhook_requests: defaultdict[bool, int] = defaultdict(int)
        """To webhooks, by whether what they tell was taken."""
        self.webhook_waiting = 0
        """What webhooks have still to be told, when that was last looked at."""
        self._hear = hear

    def took(
        self,
        table: TableId,
        events: Sequence[Event],
        asked: float,
        began: float,
        decided: float,
        committed: float,
        evolved: float,
    ) -> None:
        """A command has changed a table, and everybody has been told. Written for speed: this is in every action."""
        published = instant()
        self.mailbox.counts[bisect_left(SECONDS, began - asked)] += 1
        self.mailbox.total += began - asked
        self.decide.counts[bisect_left(SECONDS, decided - began)] += 1
        self.decide.total += decided - began
        self.commit.counts[bisect_left(SECONDS, committed - decided)] += 1
        self.commit.total += committed - decided
        self.publish.counts[bisect_left(SECONDS, published - committed)] += 1
        self.publish.total += published - committed
        for event in events:
            if isinstance(event, Acted):
                self.acts[event.action, event.auto] += 1
            elif isinstance(event, HandEnded):
                self.hands += 1
        if self._hear is not None:
            self._hear(Hops(table, events, asked, began, decided, committed, evolved, published))

    def wrote(self, rows: int, began: float) -> None:
        """One transaction of the log, which began then, is durable."""
        self.written_at = instant()
        self.write.add(self.written_at - began)
        self.group.add(rows)

    def failed(self) -> None:
        """A transaction of the log came to nothing, or to nobody knows what."""
        self.failed_at = instant()
        self.failed_writes += 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """An HTTP request has its answer."""
        self.answers[method, route, status] += 1
        self.answering.add(seconds)

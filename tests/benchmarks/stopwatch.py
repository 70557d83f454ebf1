"""``fullring serve`` with a stopwatch in the hand of every part of an action's way.

On SIGUSR2 it prints, as JSON, for each part how often it ran since the last time and what one run took in
microseconds, without what it called that has a stopwatch of its own. The slowest tenth of the runs is left out: those
waited for other programs. Every run's time is kept until it is told, so this is for a few seconds.
"""

import asyncio
import json
import logging
import signal
import sys
import threading
from collections.abc import Callable
from statistics import fmean
from time import perf_counter_ns, thread_time_ns
from typing import Any

import uvloop

from fullring import app, settings
from fullring.runtime import actor, answers, audience, head, meter, outbox, stage, tables
from fullring.store import journal, lanes
from fullring.table import picture, views
from fullring.web import connection, fast_socket, intake

PARTS: tuple[tuple[str, Any, str], ...] = (
    ("a frame is taken apart", intake.Sips, "buffer_updated"),
    ("its rate is counted, its sender known", connection.Connection, "received"),
    ("the message is read", connection, "decode"),
    ("the room finds the table", tables.Room, "tell"),
    ("the table takes it, and looks at its clock", actor.Actor, "_next"),
    ("decide", actor, "decide"),
    ("the batch is made", head.Head, "batch"),
    ("its row is encoded", journal, "draft"),
    ("evolve", actor, "evolve"),
    ("what is listed and who is told", stage.Stage, "show"),
    ("public events", views, "public_events"),
    ("the public view", picture.Picture, "public"),
    ("own parts", picture.Picture, "yours"),
    ("the public part is encoded", audience.Update, "_encoded"),
    ("own parts are encoded", audience.Own, "encode"),
    ("the audience, events for those who come back", audience.Audience, "publish"),
    ("frames are put together for each viewer", outbox.Outbox, "update"),
    ("the answer is kept and given", answers.Answers, "settle"),
    ("it is counted", meter.Meter, "took"),
)
LONG_PARTS: tuple[tuple[str, Any, str], ...] = (
    ("the transaction, in its thread", lanes.SqliteLane, "_transact"),
    ("sockets are written to", fast_socket.Unsent, "_send"),
)
"""These take long enough to be measured by what their thread ran, without what it waited for."""
SLOWEST = 0.1


class Stopwatch:
    """Of one part. ``inner`` holds, for the thread, how long watched parts ran inside of the one that runs now."""

    def __init__(self, inner: threading.local, clock: Callable[[], int]) -> None:
        self.took: list[int] = []
        self._inner = inner
        self._clock = clock

    def held(self, part: Callable[..., Any]) -> Callable[..., Any]:
        inner, took, clock = self._inner, self.took, self._clock

        def timed(*given: Any, **named: Any) -> Any:
            outside = getattr(inner, "ns", 0)
            inner.ns = 0
            began = clock()
            try:
                return part(*given, **named)
            finally:
                whole = clock() - began
                took.append(whole - inner.ns)
                inner.ns = outside + whole

        return timed

    def told(self) -> dict[str, float]:
        quick = sorted(self.took)[: round(len(self.took) * (1 - SLOWEST))]
        told = {"runs": len(self.took), "us": fmean(quick) / 1000 if quick else 0.0}
        self.took.clear()
        return told


def hand_out() -> dict[str, Stopwatch]:
    inner = threading.local()
    watches = {}
    for parts, clock in ((PARTS, perf_counter_ns), (LONG_PARTS, thread_time_ns)):
        for name, owner, attribute in parts:
            watch = watches[name] = Stopwatch(inner, clock)
            setattr(owner, attribute, watch.held(getattr(owner, attribute)))
    return watches


async def main() -> None:
    watches = hand_out()

    def tell() -> None:
        print(json.dumps({name: watch.told() for name, watch in watches.items()}), flush=True)

    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, tell)
    await app.serve(settings.load(), lambda address: print(f"Fullring is open on {address}", flush=True))


if __name__ == "__main__":
    logging.basicConfig(level="INFO", stream=sys.stderr)
    uvloop.run(main())

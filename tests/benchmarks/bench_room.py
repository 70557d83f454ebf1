"""The room against the bare stack: the same tables and seats, in one run, in turns, on one core; CPU an action.

    python -m tests.benchmarks.bench_room [--tables 200] [--seats 6] [--rounds 30] [--seconds 0.5] [--only NAME ...]

The log is durable, on both databases; what PostgreSQL's own processes use is not counted. Ratios are made inside a
round, from the server's CPU an action, so that a slow minute of the machine meets all. The last line gives those of the
room on SQLite.
"""

import argparse
import contextlib
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import percentile, spread
from tests.benchmarks.load import Figures, Load, Play
from tests.benchmarks.plays import EchoPlay, RoomPlay
from tests.benchmarks.rooms import CHIPS, prepare, room
from tests.benchmarks.servers import LOAD_CORE, SERVER_CORE, Server, more_files, serving
from tests.databases import postgres_databases

FLOOR, STOCK, FAST, DURABLE = "floor", "stock", "fast", "durable"
SQLITE, POSTGRES = "room on sqlite", "room on postgresql"
VARIANTS = (FLOOR, STOCK, FAST, DURABLE, SQLITE, POSTGRES)
TARGETS = {SQLITE: {FAST: 0.40, STOCK: 0.90}, POSTGRES: {FAST: 0.50, STOCK: 1.10}}
WARM_SLICES = 2
LEAST_ROUNDS = 2


@dataclass(slots=True)
class Entry:
    """A server that stays up for the whole run, with its load."""

    name: str
    server: Server
    load: Load
    slices: list[Figures] = field(default_factory=list)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--tables", type=int, default=200)
    given.add_argument("--seats", type=int, default=6)
    given.add_argument("--rounds", type=int, default=30)
    given.add_argument("--seconds", type=float, default=0.5)
    given.add_argument("--only", nargs="+", choices=VARIANTS, default=VARIANTS)
    chosen = given.parse_args()
    more_files()
    os.sched_setaffinity(0, {LOAD_CORE})
    print(
        f"{chosen.tables} tables of {chosen.seats}, {chosen.rounds} rounds of {chosen.seconds:g} s each;"
        f" server on core {SERVER_CORE}, load on core {LOAD_CORE}",
        flush=True,
    )
    with contextlib.ExitStack() as stack:
        entries = [
            stack.enter_context(entered(name, chosen.tables, chosen.seats)) for name in VARIANTS if name in chosen.only
        ]
        others = measure(entries, chosen.rounds, chosen.seconds)
        report({entry.name: entry for entry in entries}, others)


@contextlib.contextmanager
def entered(name: str, tables: int, seats: int) -> Iterator[Entry]:
    with contextlib.ExitStack() as stack:
        play: Play
        if name in (SQLITE, POSTGRES):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if name == SQLITE:
                url = f"sqlite:///{folder / 'room.db'}"
            else:
                url = stack.enter_context(stack.enter_context(postgres_databases(on_disk=True)).empty())
            seating = prepare(url, folder, tables, seats)
            server = stack.enter_context(room(url, folder))
            play = RoomPlay(server.address, seating, CHIPS)
        else:
            server = stack.enter_context(serving("tests.benchmarks.echo", name))
            play = EchoPlay(server.address, tables, seats, sockets=name != FLOOR)
        load = Load(play, server.cpu_ns)
        stack.callback(load.close)
        yield Entry(name, server, load)


def measure(entries: list[Entry], rounds: int, seconds: float) -> float:
    """The share of both cores that was taken by others."""
    order = random.Random(1)
    for entry in entries:
        for _ in range(WARM_SLICES):
            entry.load.slice(seconds)
    taken = []
    for _ in range(rounds):
        for entry in order.sample(entries, len(entries)):
            before, at = host_busy_s(), time.perf_counter()
            entry.slices.append(entry.load.slice(seconds, warm=0))
            ours = entry.slices[-1].cpu_ns / 1e9 + entry.slices[-1].own_cpu_s
            taken.append((host_busy_s() - before - ours) / (time.perf_counter() - at) / 2)
    return max(0.0, median(taken))


def host_busy_s() -> float:
    """Seconds that the machine's cores have worked, or were kept from it."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def report(entries: dict[str, Entry], others: float) -> None:
    print(f"others took {others:.0%} of the machine; medians of the slices, times from saying to all having heard:")
    heads = " ".join(
        f"{head:>8}" for head in ("CPU us", "a core", "reached", "busy", "p50 ms", "p99 ms", "load us", "MiB")
    )
    print(f"{'':20} {heads}")
    for entry in entries.values():
        slices = [figures for figures in entry.slices if figures.actions]
        us = median(figures.us for figures in slices)
        print(
            f"{entry.name:20} {us:8.1f} {1e6 / us:8.0f} {median(f.actions / f.seconds for f in slices):8.0f}"
            f" {median(f.busy for f in slices):8.0%} {median(percentile(f.took, 0.5) for f in slices) * 1e3:8.2f}"
            f" {median(percentile(f.took, 0.99) for f in slices) * 1e3:8.2f}"
            f" {median(f.own_cpu_s / f.actions for f in slices) * 1e6:8.1f} {entry.server.rss_kib() / 1024:8.0f}"
        )
    middles: dict[tuple[str, str], float] = {}
    for name in (POSTGRES, SQLITE):
        for base in (FLOOR, FAST, STOCK, DURABLE):
            if name in entries and base in entries:
                pairs = zip(entries[base].slices, entries[name].slices, strict=True)
                counted = [one.us / other.us for one, other in pairs if one.actions and other.actions]
                if len(counted) < LEAST_ROUNDS:
                    print(f"{base} / {name}: only {len(counted)} rounds in which both did anything: no figure")
                    continue
                found = spread(counted)
                middles[name, base] = found.middle
                print(f"{base} / {name}: {found}{verdict(found.sure_high, TARGETS[name].get(base))}")
    for name, what in ((POSTGRES, "postgresql: "), (SQLITE, "")):
        if (name, FAST) in middles and (name, STOCK) in middles:
            print(f"{what}product/fast: {middles[name, FAST]:.2f}, product/stock: {middles[name, STOCK]:.2f}")


def verdict(high: float, target: float | None) -> str:
    if target is None:
        return ""
    return f"; target {target:.2f} {'missed' if high < target else 'reached'}"


if __name__ == "__main__":
    main()

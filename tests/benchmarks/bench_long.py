"""A long evening at a hundred tables of house bots, made shorter: does anything grow?

    python -m tests.benchmarks.bench_long [--hours 0.5] [--times 20] [--tables 100] [--bots 4] [--picture FILE.svg]

The bots think and pause so many times faster than people wait for them. One of the tables is two clients': what they
measure is the time from an action until both have heard of it, in half a second of play every few seconds. The room
keeps one day of its journals, and a day is a minute.
"""

import argparse
import asyncio
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import sqlalchemy as sa

from fullring.store.database import Database
from fullring.store.schema import hands, journal, tables
from tests.benchmarks.figures import percentile
from tests.benchmarks.load import Load
from tests.benchmarks.plays import RoomPlay
from tests.benchmarks.rooms import CHIPS, prepare, room
from tests.benchmarks.servers import LOAD_CORE, Server, more_files
from tests.benchmarks.timelines import Timeline, picture

SAMPLE_S = 5.0
SLICE_S = 0.5
ACTIONS = 20
"""So many at least are measured each time."""
WITH_SHORT_DAYS = ("tests.benchmarks.short_days",)
THINK_MS, PAUSE_MS = (1_000, 2_000), 1_000
"""What a room has where nobody chose anything else."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """``rows`` are all that were written, ``kept`` those that are in the journals now."""

    at_s: float
    hands: int
    rows: int
    kept: int
    rss_mib: float
    files: int
    database_mib: float
    p50_ms: float
    p99_ms: float
    busy: float


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--hours", type=float, default=0.5, help="of a table's life")
    given.add_argument("--times", type=int, default=20, help="how much faster than with people")
    given.add_argument("--tables", type=int, default=100)
    given.add_argument("--bots", type=int, default=4, help="at each, as a room has them unless told otherwise")
    given.add_argument("--picture", type=Path)
    chosen = given.parse_args()
    more_files()
    os.sched_setaffinity(0, {LOAD_CORE})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'room.db'}"
        seating = prepare(url, folder, tables=1, seats=2)
        pace = {
            "tables": chosen.tables,
            "house_bots": chosen.bots,
            "bot_think_min_ms": THINK_MS[0] // chosen.times,
            "bot_think_max_ms": THINK_MS[1] // chosen.times,
            "hand_pause_ms": PAUSE_MS // chosen.times,
            "journal_keep_days": 1,
            "log_level": "warning",
        }
        with room(url, folder, WITH_SHORT_DAYS, **pace) as server:
            play = RoomPlay(server.address, seating, CHIPS)
            samples = watch(server, play, url, chosen.hours * 3600 / chosen.times)
        print((folder / "room.log").read_text("utf-8")[-2_000:], end="")
    tell(samples)
    if chosen.picture is not None:
        chosen.picture.write_text(drawn(samples, chosen.times, chosen.tables), "utf-8")


def watch(server: Server, play: RoomPlay, url: str, seconds: float) -> list[Sample]:
    """A sample every few seconds."""
    load = Load(play, server.cpu_ns)
    pace = threading.Event()
    samples: list[Sample] = []
    began, database = time.perf_counter(), Database(url, visiting=True)
    with asyncio.Runner() as runner:
        try:
            while (at := time.perf_counter() - began) < seconds:
                cpu = server.cpu_ns()
                pace.wait(SAMPLE_S - SLICE_S)
                busy = (server.cpu_ns() - cpu) / 1e9 / (time.perf_counter() - began - at)
                took: list[float] = []
                while len(took) < ACTIONS:
                    took += [1e3 * one for one in load.slice(SLICE_S).took]
                ended, rows, kept, size = runner.run(_counted(database))
                samples.append(
                    Sample(
                        at,
                        ended,
                        rows,
                        kept,
                        server.rss_kib() / 1024,
                        sum(1 for _ in Path(f"/proc/{server.pid}/fd").iterdir()),
                        size / MIB,
                        median(took),
                        percentile(took, 0.99),
                        busy,
                    )
                )
                print(samples[-1], flush=True)
        finally:
            runner.run(database.close())
    return samples


async def _counted(database: Database) -> tuple[int, int, int, int]:
    """Hands, rows ever, rows now, and how large the database is with its write-ahead log."""
    ever = sa.select(sa.func.coalesce(sa.func.sum(tables.c.last_seq), 0)).scalar_subquery()
    ended = sa.select(sa.func.count()).select_from(hands).scalar_subquery()
    now = sa.select(sa.func.count()).select_from(journal).scalar_subquery()
    row = await database.read(lambda connection: connection.execute(sa.select(ended, ever, now)).one())
    return int(row[0]), int(row[1]), int(row[2]), _size(Path(str(database.url.database)))


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


def tell(samples: Sequence[Sample]) -> None:
    """The first tenth, after a little while, against the last."""
    tenth = max(1, len(samples) // 10)
    first, last, end = samples[tenth : 2 * tenth], samples[-tenth:], samples[-1]
    print(f"{end.hands:,} hands and {end.rows:,} rows in {end.at_s:.0f} s; {median(s.busy for s in samples):.2f} cores")
    for name in ("rss_mib", "files", "kept", "database_mib", "p50_ms", "p99_ms"):
        then, now = (median(getattr(sample, name) for sample in part) for part in (first, last))
        print(f"  {name}: {then:,.1f} in the second tenth, {now:,.1f} in the last")


def drawn(samples: Sequence[Sample], times: int, rooms: int) -> str:
    hours = [sample.at_s * times / 3600 for sample in samples]
    return picture(
        f"A long run at {rooms} tables of bots",
        "hours of table time",
        hours,
        [
            Timeline("Resident memory", "MiB", [[sample.rss_mib for sample in samples]]),
            Timeline("Open files", "descriptors of the server", [[float(sample.files) for sample in samples]]),
            Timeline("Time of an action", "ms until all have heard: p50, p99", _latency(samples)),
            Timeline("Rows in the journals", "thousands, with pruning", [[sample.kept / 1e3 for sample in samples]]),
            Timeline("Database", "MiB, hands and ledger are kept", [[sample.database_mib for sample in samples]]),
            Timeline("Hands played", "thousands", [[sample.hands / 1e3 for sample in samples]]),
        ],
    )


def _latency(samples: Sequence[Sample]) -> list[list[float]]:
    return [[sample.p50_ms for sample in samples], [sample.p99_ms for sample in samples]]


if __name__ == "__main__":
    main()

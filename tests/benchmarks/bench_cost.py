"""What an action, and a spectator, cost as the room grows; with ``--picture FILE`` the curves as an SVG.

    python -m tests.benchmarks.bench_cost [--tables 1 10 100 1000] [--seconds 1] [--rounds 3] [--picture FILE]

Tables of two, on SQLite with the durable log: one action under way at each. Spectators watch the one table of a room.
The rooms of a curve are up together and measured in turns.
"""

import argparse
import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.curves import Curve, picture
from tests.benchmarks.load import Load
from tests.benchmarks.plays import RoomPlay
from tests.benchmarks.rooms import CHIPS, prepare, room
from tests.benchmarks.servers import LOAD_CORE, more_files

SEATS = 2
SPECTATORS = (0, 10, 100, 1000)
TABLES_A_SLICE = 200
"""More tables get longer slices, so that each acts several times: what is under way at the ends is in no count."""


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--tables", type=int, nargs="+", default=[1, 10, 100, 1000])
    given.add_argument("--seconds", type=float, default=1)
    given.add_argument("--rounds", type=int, default=3)
    given.add_argument("--picture", type=Path)
    chosen = given.parse_args()
    more_files()
    os.sched_setaffinity(0, {LOAD_CORE})
    tables = measure([(count, 0) for count in chosen.tables], chosen.rounds, chosen.seconds)
    watched = measure([(1, count) for count in SPECTATORS], chosen.rounds, chosen.seconds)
    curves = [
        Curve("tables of two, an action at each", "CPU us an action", list(zip(chosen.tables, tables, strict=True))),
        Curve("spectators at one table", "CPU us an action", list(zip(SPECTATORS, watched, strict=True))),
    ]
    for curve in curves:
        print(f"{curve.name}: " + ", ".join(f"{count}: {cost:.0f} us" for count, cost in curve.points))
    if chosen.picture is not None:
        chosen.picture.write_text(picture("What an action costs as the room grows", curves), "utf-8")


def measure(sizes: Sequence[tuple[int, int]], rounds: int, seconds: float) -> list[float]:
    """CPU microseconds an action, for each number of tables and of spectators at the first of them.

    Over all rounds together: a slice of a large room on a busy machine may see no action's end.
    """
    with contextlib.ExitStack() as stack:
        lengths = [seconds * max(1, tables / TABLES_A_SLICE) for tables, _ in sizes]
        loads = [stack.enter_context(loaded(tables, spectators)) for tables, spectators in sizes]
        for load in loads:
            load.slice(seconds)
        turns = [[load.slice(length) for load, length in zip(loads, lengths, strict=True)] for _ in range(rounds)]
    slices = zip(*turns, strict=True)
    return [sum(one.cpu_ns for one in found) / 1e3 / sum(one.actions for one in found) for found in slices]


@contextlib.contextmanager
def loaded(tables: int, spectators: int) -> Iterator[Load]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'room.db'}"
        seating = prepare(url, folder, tables, SEATS)
        with room(url, folder) as server:
            play = RoomPlay(server.address, seating, CHIPS)
            for _ in range(spectators):
                play.visit()
            load = Load(play, server.cpu_ns)
            try:
                yield load
            finally:
                load.close()


if __name__ == "__main__":
    main()

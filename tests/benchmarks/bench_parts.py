"""Where an action's time goes: the real room under the load of ``bench_room``, a stopwatch at every part of its way.

    python -m tests.benchmarks.bench_parts [--tables 200] [--seats 6] [--seconds 3]

On SQLite. Stopwatches cost time themselves, some 6 us an action, most of it where many viewers are told. What is left
of the CPU time of the same action has no stopwatch: the event loop, tasks that wake up, timers.
"""

import argparse
import os
import tempfile
from pathlib import Path

from tests.benchmarks.load import Load
from tests.benchmarks.plays import RoomPlay
from tests.benchmarks.rooms import CHIPS, WITH_STOPWATCHES, prepare, room
from tests.benchmarks.servers import LOAD_CORE, more_files


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--tables", type=int, default=200)
    given.add_argument("--seats", type=int, default=6)
    given.add_argument("--seconds", type=float, default=3)
    chosen = given.parse_args()
    more_files()
    os.sched_setaffinity(0, {LOAD_CORE})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'room.db'}"
        seating = prepare(url, folder, chosen.tables, chosen.seats)
        with room(url, folder, WITH_STOPWATCHES) as server:
            load = Load(RoomPlay(server.address, seating, CHIPS), server.cpu_ns)
            try:
                load.slice(chosen.seconds / 3)
                server.told()
                slice = load.slice(chosen.seconds, warm=0)
                told = server.told()
            finally:
                load.close()
    actions = max(1, told["decide"]["runs"])  # The few ticks that begin a hand among them.
    print(f"{slice.actions} actions, {slice.us:.0f} us of CPU each, stopwatches included")
    print(f"{'part':46} {'runs':>6} {'us a run':>9} {'us an action':>13}")
    for part, found in told.items():
        runs = found["runs"] / actions
        print(f"{part:46} {runs:6.2f} {found['us']:9.2f} {runs * found['us']:13.1f}")
    watched = sum(found["runs"] * found["us"] for found in told.values()) / actions
    print(f"{'all of these':46} {watched:30.1f}")


if __name__ == "__main__":
    main()

"""``python -m tests.simulation --seed 7``: one run. With ``--hands 20000``: runs from that seed on, on all cores."""

import argparse
import hashlib
import os
import sys
import time

from tests.simulation.batch import Failed, batch
from tests.simulation.evening import HANDS

TOLD_EVERY = 10_000
"""Hands between two lines that say how far it is."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make simulate", description="The whole room in one seeded world.")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--hands", type=int, default=1, help="as many hands, over as many seeds as that takes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    chosen = parser.parse_args()
    started = time.monotonic()
    digest = hashlib.blake2b(digest_size=16)
    hands = rows = runs = processes = 0
    jobs = 1 if chosen.hands <= HANDS else chosen.jobs
    for result in batch(chosen.seed, chosen.hands, jobs):
        if isinstance(result, Failed):
            sys.stdout.write(f"{result}\n")
            return 1
        digest.update(result.digest.encode())
        hands, rows = hands + result.hands, rows + result.rows
        runs, processes = runs + 1, processes + result.processes
        if hands // TOLD_EVERY > (hands - result.hands) // TOLD_EVERY:
            sys.stderr.write(f"{hands} hands in {runs} runs, {time.monotonic() - started:.0f} s\n")
        if chosen.hands == 1:
            sys.stdout.write(f"weather: {result.weather}\n")
    seconds = time.monotonic() - started
    sys.stdout.write(
        f"{hands} hands, {rows} rows, {processes} processes in {runs} runs from seed {chosen.seed}: "
        f"every promise kept; {hands / seconds:.0f} hands a second on {jobs} cores; digest {digest.hexdigest()}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""All faults, as often as docs/durability.md says: python -m tests.faults [--kills 200] [--faults 20] [--seed N]

It prints the tables of that page as it goes. Chips, hands and answers are judged after every scene.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from tests.benchmarks.servers import more_files
from tests.databases import SqliteDatabases, postgres_databases
from tests.faults import scenes
from tests.faults.connections import half_open, only_hello
from tests.faults.scenes import Figures

HALF_OPEN = 20


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--kills", type=int, default=200, help="on each database")
    given.add_argument("--faults", type=int, default=20, help="of each other kind")
    given.add_argument("--connections", type=int, default=2_000)
    given.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    chosen = given.parse_args()
    more_files()
    say(f"seed {chosen.seed}")
    faults(chosen.kills, chosen.faults, chosen.seed)
    connections(chosen.connections)


def faults(kills: int, others: int, seed: int) -> None:
    say("\n| fault | database | times | hands | play goes on, median | worst |\n| --- | --- | --- | --- | --- | --- |")
    with postgres_databases(on_disk=True) as servers:
        with sqlite() as (folder, url):
            tell("SQLite", scenes.kills(folder, url, kills, seed))
        with sqlite() as (folder, _):
            tell("SQLite", scenes.full_disks(folder, others, seed))
        on_postgresql: list[tuple[Callable[[Path, str, int, int], Awaitable[Figures]], int]] = [
            (scenes.kills, kills),
            (scenes.cuts, others),
            (scenes.slowness, others),
        ]
        for scene, count in on_postgresql:
            with tempfile.TemporaryDirectory() as name, servers.migrated() as url:
                tell("PostgreSQL", scene(Path(name), url, count, seed))
        with tempfile.TemporaryDirectory() as name:
            tell("PostgreSQL", scenes.restarts_of_postgresql(Path(name), others, seed))


def connections(count: int) -> None:
    say("\n| connections | how many | memory | beside a game |\n| --- | --- | --- | --- |")
    for said, hello in (("that say hello and no more", True), ("that do not even say hello", False)):
        with sqlite() as (folder, url):
            say(f"| {said} {asyncio.run(only_hello(folder, url, count, hello=hello))}")
    with sqlite() as (folder, url):
        took = asyncio.run(half_open(folder, url, HALF_OPEN))
    say(f"\nA peer that vanished is missed after {took:.1f} s.")


def tell(database: str, scene: Awaitable[Figures]) -> None:
    async def played() -> Figures:
        return await scene

    figures = asyncio.run(played())
    say(f"| {figures.what} | {database} {figures}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def sqlite() -> Iterator[tuple[Path, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "template").mkdir()
        yield folder, SqliteDatabases(folder / "template").migrated(folder)


if __name__ == "__main__":
    main()

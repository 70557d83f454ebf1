"""Group commits of real batches from many tables, on SQLite and PostgreSQL with full durability.

Every round commits the next batch of each table in one transaction. The batches (hands of six players, now and then
sitting, leaving, topping up, chat) are made beforehand; encoding them is part of the commit. CPU is that of this
process: on SQLite with all of the database's work, on PostgreSQL that of its client.
"""

import asyncio
import gc
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from fullring import store
from fullring.runtime.ports import Batch, Outcome
from fullring.store import Store
from fullring.store.migrate import upgrade
from fullring.table.ids import TableId
from fullring.table.settings import TableSettings
from tests.contracts.playing import START, Playing
from tests.contracts.room import guest
from tests.databases import postgres_databases

TABLES = 200
ROUNDS = 60
GROUPS = (1, 20, 200)
SEATS = 6
KEY = bytes(32)


@dataclass(frozen=True, slots=True)
class Figures:
    rows: int
    seconds: float
    cpu: float
    commits: list[float]

    def __str__(self) -> str:
        last = quantiles(self.commits, n=100)[98]
        return (
            f"{self.rows / self.seconds:8,.0f} rows/s   commit p50 {median(self.commits) * 1e3:6.2f} ms,"
            f" p99 {last * 1e3:6.2f} ms   CPU {self.cpu / self.rows * 1e6:6.1f} us a row"
        )


async def prepare(room: Store, prefix: str) -> list[Playing]:
    people = [await guest(room, f"{prefix} {number}", 10**9) for number in range(SEATS)]
    settings = TableSettings("Bench", hand_pause_ms=0)
    tables = []
    for number in range(TABLES):
        await room.log.create(TableId(f"{prefix}{number}"), settings, None, START)
        table = Playing.open(f"{prefix}{number}", settings, people, seed=1)
        table.around, table.full = 0.02, True
        tables.append(table)
    return tables


def script(tables: list[Playing], rounds: int) -> list[list[Batch]]:
    made = []
    for _ in range(rounds):
        made.append([table.next() for table in tables])
        for table, batch in zip(tables, made[-1], strict=True):
            table.done(batch)
    return made


async def commit(room: Store, groups: list[list[Batch]]) -> Figures:
    gc.collect()
    gc.freeze()  # What was made beforehand is not the log's to look through.
    took = []
    began, cpu = time.perf_counter(), time.process_time()
    for group in groups:
        at = time.perf_counter()
        outcomes = await room.log.commit(group)
        took.append(time.perf_counter() - at)
        assert set(outcomes.values()) == {Outcome.COMMITTED}
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    return Figures(sum(map(len, groups)), seconds, used, took)


async def measure(name: str, url: str) -> None:
    await upgrade(url)
    room = await store.open(url, seal_keys=[KEY])
    try:
        for size in GROUPS:
            tables = await prepare(room, f"g{size}x")
            await commit(room, script(tables, SEATS + 2))
            rounds = script(tables, ROUNDS if size > 1 else 3)
            groups = [batches[at : at + size] for batches in rounds for at in range(0, TABLES, size)]
            print(f"{name:10} {size:3} rows a commit  {await commit(room, groups)}")
        began = time.perf_counter()
        claimed = await room.log.claim()
        rows = sum(len(table.rows) for table in claimed)
        print(f"{name:10} claimed {len(claimed)} tables, {rows} rows, in {(time.perf_counter() - began) * 1e3:.0f} ms")
        problems = await room.ledger.audit()
        assert problems == [], problems
    finally:
        await room.close()


def main() -> None:
    chosen = sys.argv[1:] or ["sqlite", "postgresql"]
    if "sqlite" in chosen:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure("sqlite", f"sqlite:///{Path(folder) / 'room.db'}"))
    if "postgresql" in chosen:
        with postgres_databases(on_disk=True) as databases, databases.empty() as url:
            asyncio.run(measure("postgresql", url))


if __name__ == "__main__":
    main()

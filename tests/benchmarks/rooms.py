"""Rooms to be measured: a database with tables and players in it, and the room that serves it."""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fullring import store
from fullring.runtime.chance import new_table_id
from fullring.store import seal
from fullring.store.migrate import upgrade
from fullring.table.settings import MINUTE, TableSettings
from tests.benchmarks.servers import Server, serving

CHIPS = 1_000_000
"""What everybody brings to the table: nobody goes broke while it is measured."""
OPENED_AT = 1_700_000_000_000
SETTINGS: dict[str, Any] = {
    "port": 0,
    "tables": 0,
    "house_bots": 0,
    "frames_per_second": 100_000,
    "frames_burst": 100_000,
    "handshakes_per_second": 100_000,
    "silent_seconds": 900,
    "connections_max": 100_000,
}
"""No rate that the load generator would meet; everything else is as a room has it."""

SERVE = ("fullring", "serve")
WITH_A_HEART = ("tests.benchmarks.heartbeat",)
WITH_STOPWATCHES = ("tests.benchmarks.stopwatch",)

Seating = dict[str, list[str]]
"""Tables, and the tokens of those who are to sit there."""


def prepare(url: str, folder: Path, tables: int, seats: int) -> Seating:
    """Tables and players in an empty database. A turn lasts so long that none runs out."""
    return asyncio.run(_prepare(url, folder, tables, seats))


async def _prepare(url: str, folder: Path, tables: int, seats: int) -> Seating:
    settings = TableSettings(
        "Bench", seats=max(2, seats), buy_in_max=CHIPS, turn_ms=10 * MINUTE, hand_pause_ms=0, time_bank_ms=0
    )
    await upgrade(url)
    opened = await store.open(url, seal_keys=seal.key_file(folder / "seal.key"))
    try:
        seating: Seating = {}
        for _ in range(tables):
            table = new_table_id()
            await opened.log.create(table, settings, None, OPENED_AT)
            guests = [await opened.accounts.create_guest(None, CHIPS, OPENED_AT) for _ in range(seats)]
            seating[table] = [token for _, token in guests]
        return seating
    finally:
        await opened.close()


@contextlib.contextmanager
def room(url: str, folder: Path, command: Sequence[str] = SERVE, **chosen: Any) -> Iterator[Server]:
    """A room on that database, as ``fullring serve`` or with a heart."""
    settings = SETTINGS | {"data": folder, "database_url": url} | chosen
    environment = {f"FULLRING_{name.upper()}": str(setting) for name, setting in settings.items()}
    with serving(*command, environment=environment, log=folder / "room.log") as server:
        yield server

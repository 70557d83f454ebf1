"""A room is backed up while bots play, and a room made of that elsewhere goes on with every table where it was."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fullring.store.backup import Manifest, read_manifest
from tests.databases import PostgresDatabases
from tests.server import Address, process
from tests.test_cli import command

TABLES = 2
HANDS = 4
"""So many hands at each table are seen to end, before and after."""
UNHURRIED = {"bot_think_min_ms": 2, "bot_think_max_ms": 5}
"""Bots play fast, and leave the machine to the commands now and then."""


@contextmanager
def new_place(request: pytest.FixtureRequest, database_url: str) -> Iterator[str]:
    if database_url.startswith("sqlite"):
        yield ""
    else:
        postgresql: PostgresDatabases = request.getfixturevalue("postgresql")
        with postgresql.empty() as url:
            yield url


async def hands_end(room: Address, count: int) -> dict[str, int]:
    """The number of the last hand that was seen to end at each table, after so many."""

    async def watch(table: str) -> tuple[str, int]:
        number = 0
        async with room.socket() as socket:
            await socket.asks("watch", table=table)
            for _ in range(count):
                update = await socket.sees("hand_ended")
                number = update["view"]["hand"]["number"]
        return table, number

    async with room.http() as client:
        tables = [table["id"] for table in (await client.get("/tables")).json()["tables"]]
    assert len(tables) == TABLES
    return dict(await asyncio.gather(*map(watch, tables)))


async def says(*words: str, status: int = 0) -> str:
    """What a command says; in a thread, so that it has an event loop of its own."""
    return await asyncio.to_thread(command, *words, status=status)


def verified(said: str) -> dict[str, int]:
    told: dict[str, int] = json.loads(said.splitlines()[-1])
    assert told["ok"] is True, said
    return told


async def test_a_room_is_backed_up_under_load_and_goes_on_elsewhere(
    request: pytest.FixtureRequest, tmp_path: Path, database_url: str
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    backup = tmp_path / "backup"
    load: dict[str, Any] = {"tables": TABLES, "house_bots": 4, **UNHURRIED}
    from_here = ("--data", str(here), "--database-url", database_url)
    with new_place(request, database_url) as other:
        url = other or f"sqlite:///{there / 'room.db'}"
        async with process(here, database_url=database_url, **load) as room:
            before = await hands_end(room, HANDS)
            playing = asyncio.create_task(hands_end(room, HANDS))
            said = await says("backup", str(backup), "--with-key", *from_here)
            assert verified(await says("verify", "--json", *from_here))["tables"] == TABLES
            await playing
            assert await room.terminate() == 0

        manifest = read_manifest(backup)
        assert str(manifest.bytes) in said
        assert_between(manifest, before, await playing)
        restored = await says("restore", str(backup), "--data", str(there), "--database-url", url)
        assert "all agree" in restored
        assert "lacks a key" not in restored
        async with process(there, database_url=url, **load) as room:
            after = await hands_end(room, HANDS)
            assert await room.terminate() == 0
        totals = verified(await says("verify", "--json", "--data", str(there), "--database-url", url))

    # No table began anew: the hand in play at the backup was played to its end, in the numbers' order.
    assert all(after[table] >= before[table] + HANDS for table in before)
    assert totals["hands"] >= manifest.rows["hands"] + TABLES * (HANDS - 1)
    assert "began anew" not in (there / "room.log").read_text("utf-8")


def assert_between(manifest: Manifest, before: dict[str, int], after: dict[str, int]) -> None:
    """It is of an instant between the two."""
    assert manifest.last_rows.keys() == before.keys()
    assert sum(before.values()) - TABLES <= manifest.rows["hands"] <= sum(after.values()) + TABLES

"""Journals are pruned while hands are played: nobody notices, a start goes on from there, and all still agrees."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fullring.runtime.clock import WallClock
from fullring.store.database import Database
from fullring.store.prune import Pruned, prune
from tests.room.test_backup import TABLES, UNHURRIED, hands_end, says, verified
from tests.server import Address, process, running
from tests.store.sql import rows

HANDS = 4


async def test_journals_are_pruned_while_hands_are_played(tmp_path: Path, database_url: str) -> None:
    data, archive = tmp_path / "data", tmp_path / "archive"
    data.mkdir()
    load: dict[str, Any] = {"tables": TABLES, "house_bots": 4, "database_url": database_url, **UNHURRIED}
    here = ("--data", str(data), "--database-url", database_url)
    told: list[Pruned] = []

    async def keep_pruning(database: Database) -> None:
        for _ in range(2):
            await asyncio.gather(prune(database, WallClock().now(), archive, told.append), hands_end(room, HANDS // 2))

    database = Database(database_url, visiting=True)
    try:
        async with process(data, **load) as room:
            await hands_end(room, HANDS)
            await keep_pruning(database)
            await room.kill()
        async with process(data, **load) as room:
            after = await hands_end(room, 2)
            assert await room.terminate() == 0
    finally:
        await database.close()

    assert sum(one.rows for one in told) > 10 * TABLES
    gone = dict(await rows(database_url, "SELECT table_id, seq FROM journal_starts"))
    firsts = dict(await rows(database_url, "SELECT table_id, min(seq) FROM journal GROUP BY table_id"))
    assert gone.keys() == after.keys()
    assert firsts == {table: seq + 1 for table, seq in gone.items()}
    assert verified(await says("verify", "--json", *here))["older_hands"] > 0
    whole = verified(await says("verify", "--json", "--archive", str(archive), *here))
    assert whole["older_hands"] == 0
    assert whole["hands"] >= sum(after.values()) - TABLES
    assert "began anew" not in (data / "room.log").read_text("utf-8")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_history_that_had_to_begin_anew_is_a_note(tmp_path: Path, database_url: str) -> None:
    load: dict[str, Any] = {"tables": 1, "house_bots": 4, "database_url": database_url}
    here = ("--data", str(tmp_path), "--database-url", database_url)
    async with running(tmp_path, **load) as room:
        await tables_play(room, 3)
    await rows(database_url, "DROP TRIGGER journal_no_update")
    await rows(database_url, "UPDATE journal SET payload = '?' WHERE seq = (SELECT max(seq) FROM journal)")
    said = await says("verify", *here, status=1)
    assert "the events can't be read" in said

    async with running(tmp_path, **load) as room:
        await tables_play(room, 3)

    said = await says("verify", *here)
    assert "note: table t" in said
    assert "its history could not be continued (the events can't be read) and began anew at row" in said
    assert said.endswith("all agree\n")


async def tables_play(room: Address, count: int) -> None:
    async with room.http() as client:
        ((table,),) = [(await client.get("/tables")).json()["tables"]]
    async with room.socket() as socket:
        await socket.asks("watch", table=table["id"])
        for _ in range(count):
            await socket.sees("hand_ended")

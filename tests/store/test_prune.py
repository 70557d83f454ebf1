"""Old rows go, archived or not; what a start, a repeated command and `verify` need stays."""

import gzip
import json
import shutil
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from fullring import store
from fullring.runtime.ports import CommandKey
from fullring.store import Store
from fullring.store import archive as archiving
from fullring.store import prune as pruning
from fullring.store.archive import archived_rows
from fullring.store.database import Database
from fullring.store.journal_rows import Head
from fullring.store.prune import Pruned, prune
from fullring.store.verify import Finding, verify
from fullring.table.ids import AccountId, TableId
from tests.contracts.playing import Playing, replayed
from tests.fake_clock import settle
from tests.store.conftest import KEY
from tests.store.played import found, go_on, played, totals
from tests.store.sql import rows

ROWS = 80
T1 = TableId("t1")


async def pruned(room: Store, before: int, archive: Path | None = None) -> list[Pruned]:
    told: list[Pruned] = []
    await prune(room.database, before, archive, told.append)
    return told


async def seqs(url: str, table: str) -> list[int]:
    return [seq for (seq,) in await rows(url, "SELECT seq FROM journal WHERE table_id = :t ORDER BY seq", t=table)]


async def findings(url: str, archive: Path) -> list[str]:
    told: list[Finding] = []
    await verify(url, [KEY], told.append, archive)
    return [finding.sentence for finding in told]


def middle(game: Playing) -> int:
    """An instant at which half of what happened was over, as far as instants go."""
    return (1_800_000_000_000 + game.now) // 2


async def test_old_rows_go_up_to_a_hand_and_all_that_is_left_agrees(room: Store, database_url: str) -> None:
    games = await played(room, ROWS)
    before = middle(games[0])

    told = await pruned(room, before)

    assert {one.table for one in told} <= {"t1", "t2"}
    left = await seqs(database_url, "t1")
    gone = next(one.rows for one in told if one.table == "t1")
    assert left == list(range(gone + 1, games[0].seq + 1))
    (first,) = await rows(database_url, "SELECT at, payload FROM journal WHERE table_id = 't1' AND seq = :s", s=left[0])
    assert "hand_started" in first[1]
    looked_at = await totals(database_url)
    assert looked_at.older_hands > 0
    assert looked_at.hands > 0
    assert await pruned(room, before) == []


async def test_nothing_that_is_young_or_that_a_start_needs_goes(room: Store, database_url: str) -> None:
    games = await played(room, ROWS)
    snapshots = dict(await rows(database_url, "SELECT table_id, seq FROM snapshots"))

    assert await pruned(room, 1_800_000_000_000) == []
    await pruned(room, games[0].now + games[1].now)

    for game in games:
        left = await seqs(database_url, game.table.id)
        assert left[0] == snapshots[game.table.id] + 1
        stored = await room.log.read(TableId(game.table.id))
        assert stored.unreadable is None
        assert replayed(stored).seats == game.table.seats
    assert await found(database_url) == []


async def test_a_command_is_answered_again_until_its_row_goes(room: Store, database_url: str) -> None:
    (game,) = await played(room, ROWS, tables=["t1"])
    await pruned(room, middle(game))
    asked = await rows(
        database_url, "SELECT seq, account_id, command_id, answer FROM journal WHERE command_id IS NOT NULL"
    )

    for _, account, command, answer in asked:
        key = CommandKey(AccountId(account), json.loads(command))
        assert await room.log.answer(T1, key) == json.loads(answer)
    assert await room.log.answer(T1, CommandKey(AccountId(asked[0][1]), "t1-1")) is None


async def test_pruned_rows_are_in_the_archive_and_verify_reads_them(
    room: Store, database_url: str, tmp_path: Path
) -> None:
    games = await played(room, ROWS)
    whole = await rows(database_url, "SELECT seq, at, payload, sealed FROM journal WHERE table_id = 't1' ORDER BY seq")
    archive = tmp_path / "archive"

    first = await pruned(room, middle(games[0]), archive)
    for game in games:
        await go_on(room, game, 30)
    second = await pruned(room, games[0].now + games[1].now, archive)

    assert all(one.archived is not None and one.archived.exists() for one in (*first, *second))
    assert all(one.archived.stat().st_mode & 0o777 == 0o600 for one in first if one.archived)
    (begins,) = await rows(database_url, "SELECT seq FROM journal_starts WHERE table_id = 't1'")
    read = list(archived_rows(archive, "t1", begins[0]))
    assert [row.seq for row in read] == list(range(1, begins[0] + 1))
    assert [(row.seq, row.at, row.payload, row.sealed) for row in read][: len(whole)] == whole[: len(read)]
    assert not any("hand_started" in row.payload and row.sealed is None for row in read)
    assert await findings(database_url, archive) == []
    assert await found(database_url) == []

    path = sorted((archive / "t1").iterdir())[0]
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(lines[:3] + lines[4:])))
    assert (await findings(database_url, archive))[0].startswith("table t1 row 5: a row before it is missing")
    path.write_bytes(path.read_bytes()[:-20])
    assert any("can't be read" in sentence for sentence in await findings(database_url, archive))
    shutil.rmtree(archive / "t1")
    assert any("the archive ends at row 0" in sentence for sentence in await findings(database_url, archive))


async def test_the_database_itself_keeps_what_was_not_pruned(room: Store, database_url: str) -> None:
    await played(room, 40, tables=["t1"])
    start = "INSERT INTO journal_starts (table_id, seq, version, payload, pruned_before) VALUES ('t1', :s, 1, '{}', 0)"
    (newest,) = await rows(database_url, "SELECT seq FROM snapshots WHERE table_id = 't1'")

    with pytest.raises(DBAPIError, match="append-only"):
        await rows(database_url, "DELETE FROM journal WHERE seq = 1")
    with pytest.raises(DBAPIError, match="a start needs these rows"):
        await rows(database_url, start, s=newest[0] + 1)
    await rows(database_url, start, s=5)
    await rows(database_url, "DELETE FROM journal WHERE seq <= 5")
    with pytest.raises(DBAPIError, match="append-only"):
        await rows(database_url, "DELETE FROM journal WHERE seq = 6")
    with pytest.raises(DBAPIError, match="append-only"):
        await rows(database_url, "UPDATE journal SET at = 0 WHERE seq = 6")


async def test_pruning_goes_on_where_it_was_interrupted(
    room: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,) = await played(room, ROWS, tables=["t1"])
    monkeypatch.setattr(pruning, "DELETE_ROWS", 7)
    monkeypatch.setattr(pruning, "ROUND_ROWS", 40)
    monkeypatch.setattr(pruning, "READ_ROWS", 10)

    class Interrupted(Exception):
        pass

    deletes = 0

    def interrupted(connection: sa.Connection, table: str, upto: int) -> int:
        nonlocal deletes
        deletes += 1
        if deletes == 4:
            raise Interrupted
        return delete_some(connection, table, upto)

    delete_some = pruning._delete_some
    monkeypatch.setattr(pruning, "_delete_some", interrupted)
    with pytest.raises(Interrupted):
        await pruned(room, game.now)
    assert await found(database_url) == []
    await pruned(room, game.now)

    (newest,) = await rows(database_url, "SELECT seq FROM snapshots WHERE table_id = 't1'")
    assert (await seqs(database_url, "t1"))[0] == newest[0] + 1
    assert await found(database_url) == []


async def test_two_that_prune_at_once_leave_what_the_one_that_prunes_more_leaves(
    room: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``fullring prune`` beside a room that prunes by itself, and keeps more."""
    (game,) = await played(room, ROWS, tables=["t1"])
    one_round = pruning._round
    others: list[list[Pruned]] = []

    async def overtaken(
        database: Database, head: Head, before: int, archive: Path | None
    ) -> tuple[pruning._Cut | None, Path | None]:
        """This one knows where the journal is to begin; before it writes that down, another prunes more."""
        monkeypatch.setattr(pruning, "_round", one_round)
        cut = await one_round(database, head, before, archive)
        others.append(await pruned(room, 2 * game.now))
        return cut

    monkeypatch.setattr(pruning, "_round", overtaken)
    await pruned(room, middle(game))

    (newest,) = await rows(database_url, "SELECT seq FROM snapshots WHERE table_id = 't1'")
    assert [one.rows for (one,) in others] == [newest[0]]
    assert await seqs(database_url, "t1") == list(range(newest[0] + 1, game.seq + 1))
    assert await rows(database_url, "SELECT seq FROM journal_starts") == [newest]
    assert await found(database_url) == []


async def test_the_rooms_loop_does_not_wait_for_the_archives_disk(
    room: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,) = await played(room, ROWS, tables=["t1"])
    synced: list[int] = []
    monkeypatch.setattr(archiving, "_sync", lambda path: synced.append(threading.get_ident()))

    await pruned(room, 2 * game.now, tmp_path / "archive")

    assert synced
    assert threading.get_ident() not in synced


async def test_a_store_that_is_opened_again_goes_on_after_a_pruning(room: Store, database_url: str) -> None:
    games = await played(room, ROWS)
    await pruned(room, games[0].now + games[1].now)
    again = await store.open(database_url, seal_keys=[KEY])
    try:
        for stored, game in zip(await again.log.claim(), games, strict=True):
            assert stored.unreadable is None
            game.owner_epoch = stored.owner_epoch
            game.table = replayed(stored)
            await go_on(again, game, 30)
    finally:
        await again.close()
    assert await found(database_url) == []
    assert (await totals(database_url)).older_hands > 0


async def test_pruning_that_breaks_is_logged_at_once_and_is_nothing_that_the_room_ends_with(
    room: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise ValueError("a card in play")

    monkeypatch.setattr(pruning, "FIRST_S", 0)
    monkeypatch.setattr(pruning, "prune", broken)
    async with pruning.regularly(room.database, lambda: 0, 1, None):
        await settle()
        (said,) = caplog.messages

    assert said.startswith("no journal is pruned any more until the next start: ValueError at ")
    assert "card" not in said

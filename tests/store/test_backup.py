"""A database is backed up as of one instant and put back elsewhere, the same to the row; nothing goes unasked."""

import json
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from fullring import store
from fullring.runtime.ports import AlreadyOwned
from fullring.store import Store, postgres_tools
from fullring.store.backup import BadBackup, back_up, manifest_path, read_manifest
from fullring.store.instant import at_one_instant
from fullring.store.postgres_tools import ToolFailed
from fullring.store.restore import restore
from fullring.store.schema import leases, metadata
from fullring.store.seal import key_ids
from tests.contracts.playing import replayed
from tests.databases import PostgresDatabases
from tests.faults.small_disk import LIMIT_BYTES
from tests.store.conftest import KEY
from tests.store.played import found, go_on, played, totals

ROWS = 40


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path, database_url: str) -> Iterator[str]:
    """A place of the same kind where nothing is."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'elsewhere' / 'room.db'}"
    else:
        postgresql: PostgresDatabases = request.getfixturevalue("postgresql")
        with postgresql.empty() as url:
            yield url


async def contents(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table but the lease, which a backup doesn't carry on."""

    def read(connection: sa.Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for table in metadata.sorted_tables
            if table is not leases
        }

    return await at_one_instant(url, read)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    again = await store.open(url, seal_keys=[KEY])
    try:
        yield again
    finally:
        await again.close()


async def test_what_is_put_back_is_what_was_there(
    room: Store, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    games = await played(room, ROWS)
    before = await contents(database_url)
    manifest = await back_up(database_url, tmp_path / "backup", "1.2.3")
    for game in games:
        await go_on(room, game, 10)

    assert await restore(tmp_path / "backup", elsewhere, force=False) == manifest

    assert await contents(elsewhere) == before
    assert manifest.last_rows == {game.table.id: len([row for row in before["journal"] if row[0] == game.table.id])
                                  for game in games}  # fmt: skip
    assert manifest.rows == {name: len(rows) for name, rows in before.items()} | {"leases": 1}
    assert manifest.program == "1.2.3"
    assert await found(elsewhere) == []
    async with opened(elsewhere) as again:
        for stored in await again.log.claim():
            assert stored.unreadable is None
            assert replayed(stored).id == stored.table


async def test_a_room_that_was_put_back_is_nobodys_though_the_one_before_ran(
    room: Store, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    await room.ownership.acquire()
    await back_up(database_url, tmp_path / "backup", "1")
    await room.ownership.release()
    await restore(tmp_path / "backup", elsewhere, force=False)

    async with opened(elsewhere) as again:
        await again.ownership.acquire()
        await again.ownership.release()


async def test_the_manifest_names_the_keys_of_hands_in_play(room: Store, database_url: str, tmp_path: Path) -> None:
    (game,) = await played(room, ROWS, tables=["t1"])
    while game.table.between_hands:
        batch = game.next()
        await room.log.commit([batch])
        game.done(batch)

    manifest = await back_up(database_url, tmp_path / "backup", "1")

    assert set(manifest.keys) == key_ids([KEY])
    assert read_manifest(tmp_path / "backup") == manifest
    for path in (tmp_path / "backup", manifest_path(tmp_path / "backup")):
        assert path.stat().st_mode & 0o777 == 0o600
        assert KEY not in path.read_bytes()
    with pytest.raises(BadBackup, match="give the backup a name of its own"):
        await back_up(database_url, tmp_path / "backup", "1")


async def test_nothing_is_put_over_a_room_unasked_and_nothing_under_one_that_runs(
    room: Store, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    games = await played(room, ROWS)
    await back_up(database_url, tmp_path / "backup", "1")
    await restore(tmp_path / "backup", elsewhere, force=False)
    async with opened(elsewhere) as again:
        await again.accounts.create_guest("Zoe", 500, 0)
        await again.ownership.acquire()
        with pytest.raises(BadBackup, match="--force"):
            await restore(tmp_path / "backup", elsewhere, force=False)
        with pytest.raises(AlreadyOwned):
            await restore(tmp_path / "backup", elsewhere, force=True)
        await again.ownership.release()
    changed = await totals(elsewhere)

    await restore(tmp_path / "backup", elsewhere, force=True)

    async with opened(elsewhere) as again:
        assert await again.accounts.find("Zoe") is None
        await again.ownership.acquire()
        await again.ownership.release()
    assert (await totals(elsewhere)).transactions == changed.transactions - 1
    if elsewhere.startswith("sqlite"):
        folder = Path(str(make_url(elsewhere).database)).parent
        (kept,) = [path for path in folder.iterdir() if "replaced" in path.name and path.name.endswith("Z")]
        assert (await totals(f"sqlite:///{kept}")).transactions == changed.transactions
    assert games


async def test_a_backup_that_is_not_whole_is_refused(
    room: Store, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    await played(room, 20, tables=["t1"])
    backup = tmp_path / "backup"
    await back_up(database_url, backup, "1")
    whole, described = backup.read_bytes(), manifest_path(backup).read_text()

    def describe(**others: object) -> None:
        manifest_path(backup).write_text(json.dumps(json.loads(described) | others))

    for damage in (whole[:-1], whole[:50] + b"?" + whole[51:]):
        backup.write_bytes(damage)
        with pytest.raises(BadBackup, match="not copied whole"):
            await restore(backup, elsewhere, force=False)
    backup.write_bytes(whole)
    describe(revision="9999")
    with pytest.raises(BadBackup, match="newer than this program"):
        await restore(backup, elsewhere, force=False)
    describe(format=2)
    with pytest.raises(BadBackup, match="format 2"):
        await restore(backup, elsewhere, force=False)
    describe(database="oracle")
    with pytest.raises(BadBackup, match="is of a oracle database"):
        await restore(backup, elsewhere, force=False)
    manifest_path(backup).write_text("[]")
    with pytest.raises(BadBackup, match="no manifest"):
        await restore(backup, elsewhere, force=False)
    manifest_path(backup).unlink()
    with pytest.raises(BadBackup, match="without its manifest"):
        await restore(backup, elsewhere, force=False)
    manifest_path(backup).write_text(described)
    backup.unlink()
    with pytest.raises(BadBackup, match="can't be read"):
        await restore(backup, elsewhere, force=False)
    assert not manifest_path(elsewhere_file(elsewhere, tmp_path)).exists()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_disk_that_is_full_is_said_in_a_sentence(room: Store, database_url: str, tmp_path: Path) -> None:
    await played(room, 20, tables=["t1"])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, before[1]))
    try:
        with pytest.raises(BadBackup, match="the copy can't be written"):
            await back_up(database_url, tmp_path / "backup", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [name for name in names_in(tmp_path) if name.startswith("backup")]


def elsewhere_file(elsewhere: str, tmp_path: Path) -> Path:
    return Path(str(make_url(elsewhere).database)) if elsewhere.startswith("sqlite") else tmp_path / "none"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_file_that_can_not_be_read_any_more_is_replaced(
    room: Store, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    await played(room, 20, tables=["t1"])
    await back_up(database_url, tmp_path / "backup", "1")
    path = elsewhere_file(elsewhere, tmp_path)
    path.parent.mkdir()
    path.write_bytes(b"nothing that SQLite knows" * 1000)

    await restore(tmp_path / "backup", elsewhere, force=True)

    assert await found(elsewhere) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_without_the_tools_of_postgresql_it_is_said_what_to_install(
    room: Store, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(room, 5, tables=["t1"])
    with pytest.raises(ToolFailed, match=r"pg_dump of PostgreSQL \d+ or newer is not there: install postgresql-client"):
        await back_up(database_url, tmp_path / "backup", "1", tmp_path)
    older = tmp_path / "pg_dump"
    older.write_text("#!/bin/sh\necho pg_dump '(PostgreSQL)' 9.6.1\n")
    older.chmod(0o700)
    with pytest.raises(ToolFailed, match=r"pg_dump is older"):
        await back_up(database_url, tmp_path / "backup", "1", tmp_path)
    older.write_text('#!/bin/sh\ntest "$1" = --version && echo 99 || { echo no room >&2; exit 3; }\n')
    with pytest.raises(ToolFailed, match="pg_dump failed: no room"):
        await back_up(database_url, tmp_path / "backup", "1", tmp_path)
    assert names_in(tmp_path) == ["pg_dump"]

    monkeypatch.setattr(postgres_tools, "_beside_server", lambda _: iter(()))
    monkeypatch.setattr(postgres_tools, "_usual", lambda: iter(()))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolFailed, match="pg_dump failed"):
        await back_up(database_url, tmp_path / "backup", "1")
    monkeypatch.setenv("PATH", "")
    assert (await back_up(database_url, tmp_path / "by the wheel", "1")).rows["tables"] == 1


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_password_is_for_the_tools_alone() -> None:
    url = make_url("postgresql+asyncpg://anna:secret@db.example:5433/room?ssl=require")
    assert postgres_tools._environment(url) == {
        "PGHOST": "db.example",
        "PGPORT": "5433",
        "PGUSER": "anna",
        "PGPASSWORD": "secret",
        "PGDATABASE": "room",
        "PGSSLMODE": "require",
        "PGAPPNAME": "fullring command",
    }

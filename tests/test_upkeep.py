"""``fullring backup``, ``restore``, ``verify`` and ``prune`` as an operator types them."""

import asyncio
import base64
import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from fullring.commands import prune as prune_command
from fullring.runtime.clock import WallClock
from fullring.store import prune
from fullring.store.database import Database
from fullring.store.migrate import upgrade
from fullring.store.prune import Pruned
from tests.fake_clock import FakeClock
from tests.server import running
from tests.store.conftest import KEY
from tests.store.played import fill
from tests.store.sql import rows
from tests.test_cli import command

DAYS_LATER = 1_900_000_000_000


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    url = f"sqlite:///{folder / 'room.db'}"
    asyncio.run(upgrade(url))
    fill(url, 60)
    return folder


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    """A folder as a room leaves it."""
    folder = tmp_path / "data"
    folder.mkdir()
    with (
        contextlib.closing(sqlite3.connect(filled / "room.db")) as source,
        contextlib.closing(sqlite3.connect(folder / "room.db")) as target,
    ):
        source.backup(target)
    (folder / "seal.key").write_bytes(base64.b64encode(KEY) + b"\n")
    return folder


def damage(data: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(data / "room.db")) as connection:
        connection.execute(statement)
        connection.commit()


def test_verify_says_what_it_looked_at_and_what_does_not_agree(data: Path) -> None:
    here = ("--data", str(data))
    assert command("verify", *here).endswith("transactions: all agree\n")
    told = json.loads(command("verify", "--json", *here))
    assert (told["ok"], told["tables"], told["found"]) == (True, 2, 0)

    damage(data, "UPDATE accounts SET chips = chips + 1")
    said = command("verify", *here, status=1).splitlines()
    assert len(said) == 5
    assert "its ledger entries sum to" in said[0]
    assert said[-1].endswith("4 do not agree")
    lines = command("verify", "--json", *here, status=1).splitlines()
    assert json.loads(lines[0])["note"] is False
    assert json.loads(lines[-1])["ok"] is False


def test_without_the_key_decks_are_not_unsealed_and_no_key_is_made(data: Path) -> None:
    (data / "seal.key").unlink()
    said = command("verify", "--data", str(data))
    assert "decks are not unsealed" in said
    assert ", 0 decks," in said
    assert not (data / "seal.key").exists()


def test_a_backup_in_a_folder_has_a_name_of_its_own_and_no_key_unless_asked(data: Path, tmp_path: Path) -> None:
    here = ("--data", str(data))
    folder = tmp_path / "backups"
    folder.mkdir()
    said = command("backup", str(folder), *here)
    assert "keep a copy in another place" in said
    (backup, _) = sorted(folder.iterdir(), key=lambda path: len(path.name))
    assert backup.name.startswith("fullring-20")
    assert backup.suffix == ".db"

    named = tmp_path / "named"
    command("backup", str(named), "--with-key", *here)
    key = tmp_path / "named.key"
    assert key.read_bytes() == (data / "seal.key").read_bytes()
    assert key.stat().st_mode & 0o777 == 0o600
    assert "give the backup a name of its own" in command("backup", str(named), *here, status=1)
    named.unlink()
    assert f"{key} is there already" in command("backup", str(named), "--with-key", *here, status=1)
    assert not named.exists()
    (data / "seal.key").unlink()
    assert "there is no key" in command("backup", str(tmp_path / "x"), "--with-key", *here, status=1)


def test_a_restore_places_the_key_and_never_over_another(data: Path, tmp_path: Path) -> None:
    backup = tmp_path / "named"
    command("backup", str(backup), "--with-key", "--data", str(data))
    said = command("restore", str(backup), "--data", str(tmp_path / "one"))
    assert said.splitlines()[-1].endswith("all agree")
    assert (tmp_path / "one" / "seal.key").read_bytes() == (data / "seal.key").read_bytes()

    again = command("restore", str(backup), "--data", str(tmp_path / "one"), status=1)
    assert "is there already: --force replaces it" in again
    assert "all agree" in command("restore", str(backup), "--force", "--data", str(tmp_path / "one"))

    other = tmp_path / "other"
    other.mkdir()
    (other / "seal.key").write_text("A" * 43 + "=\n")
    assert "holds other keys" in command("restore", str(backup), "--data", str(other), status=1)
    missing = ("--key", str(tmp_path / "none"))
    assert "there is no key" in command("restore", str(backup), *missing, "--data", str(other), status=1)
    assert not (other / "room.db").exists()


def test_where_there_is_no_room_there_is_nothing_to_do(tmp_path: Path) -> None:
    for words in (("backup", str(tmp_path / "b")), ("verify",), ("prune", "--days", "1")):
        assert "there is no room in" in command(*words, "--data", str(tmp_path), status=1)
    assert list(tmp_path.iterdir()) == []
    assert "without its manifest" in command("restore", str(tmp_path / "b"), "--data", str(tmp_path), status=1)


def test_prune_keeps_so_many_days(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = ("--data", str(data))
    assert "say how many days are kept" in command("prune", *here, status=1)
    assert command("prune", "--days", "1", *here) == "0 rows are gone that were older than 1 days\n"

    class Later(WallClock):
        def now(self) -> int:
            return DAYS_LATER

    monkeypatch.setattr(prune_command, "WallClock", Later)
    archive = tmp_path / "archive"
    said = command("prune", "--days", "30", "--archive", str(archive), *here)
    assert f"rows, archived in {archive / 't1'}\n" in said
    assert "all agree" in command("verify", *here)
    assert "(0 older ones kept)" in command("verify", "--archive", str(archive), *here)


async def test_a_room_keeps_as_many_days_as_its_settings_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prune, "FIRST_S", 0)
    asked: asyncio.Future[tuple[int, Path | None]] = asyncio.get_running_loop().create_future()

    async def noted(database: Database, before: int, archive: Path | None, tell: Callable[[Pruned], None]) -> None:
        asked.set_result((before, archive))

    monkeypatch.setattr(prune, "prune", noted)
    clock = FakeClock()
    async with running(tmp_path, clock=clock, journal_keep_days=3, journal_archive=tmp_path / "archive"):
        assert await asked == (clock.now() - 3 * prune.DAY_MS, tmp_path / "archive")


async def test_a_room_prunes_while_it_runs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{data / 'room.db'}"
    monkeypatch.setattr(prune, "FIRST_S", 0)
    done = asyncio.Event()
    whole = prune.prune

    async def watched(database: Database, before: int, archive: Path | None, tell: Callable[[Pruned], None]) -> None:
        await whole(database, before, archive, tell)
        done.set()

    monkeypatch.setattr(prune, "prune", watched)
    database = Database(url)
    try:
        async with prune.regularly(database, lambda: DAYS_LATER, 30, None):
            await done.wait()
        async with prune.regularly(database, lambda: DAYS_LATER, None, None):
            pass
    finally:
        await database.close()
    starts = dict(await rows(f"sqlite+aiosqlite:///{data / 'room.db'}", "SELECT table_id, seq FROM journal_starts"))
    assert starts.keys() == {"t1", "t2"}
    assert "all agree" in await asyncio.to_thread(command, "verify", "--data", str(data))

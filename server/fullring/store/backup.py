"""A copy of a whole database, taken while the room runs, and put back elsewhere.

A backup is a file and a manifest beside it, which is written last: a file without one is none. The key that decks are
sealed with is in neither.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL

from fullring.store.database import parsed
from fullring.store.instant import at_one_instant
from fullring.store.migrate import revision
from fullring.store.postgres_tools import find_tool, run_tool
from fullring.store.schema import journal, metadata, snapshots, tables
from fullring.store.seal import key_id_of

FORMAT: Final = 1
SUFFIXES: Final = {"sqlite": ".db", "postgresql": ".dump"}
_CHUNK: Final = 1 << 20


class BadBackup(Exception):
    """It can't be made, or can't be put back, as it is. The text says why, and what would do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. ``keys`` names those without which hands in play at that time can't go on."""

    format: int
    program: str
    database: str
    revision: str
    at: str
    bytes: int
    sha256: str
    keys: list[str]
    rows: Mapping[str, int]
    last_rows: Mapping[str, int]
    """The last row of each open table's journal."""


@dataclass(frozen=True, slots=True)
class _Facts:
    revision: str
    keys: list[str]
    rows: dict[str, int]
    last_rows: dict[str, int]


async def back_up(url: str, target: Path, program: str, tools: Path | None = None) -> Manifest:
    """Write the backup to that file. Raises BadBackup, ToolFailed, OSError, LogUnavailable.

    ``program`` is this program's version, ``tools`` the folder of pg_dump.
    """
    found = parsed(url)
    unfinished = _begun(target)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        facts = await at_one_instant(url, lambda connection: _copy(connection, found, unfinished, tools))
        size, digest = _settled(unfinished)
        manifest = Manifest(
            FORMAT, program, found.get_backend_name(), facts.revision, at, size, digest, facts.keys, facts.rows,
            facts.last_rows,
        )  # fmt: skip
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    _write(manifest_path(target), json.dumps(asdict(manifest), indent=1).encode() + b"\n")
    return manifest


def _begun(target: Path) -> Path:
    if target.exists():
        raise BadBackup(f"{target} is there already: give the backup a name of its own")
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # It holds everything about everybody.
    return unfinished


def manifest_path(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.json")


def read_manifest(backup: Path) -> Manifest:
    """Raises BadBackup."""
    path = manifest_path(backup)
    try:
        manifest = Manifest(**json.loads(path.read_bytes()))
    except OSError:
        raise BadBackup(f"{path} is not there: without its manifest a backup is not known to be whole") from None
    except (ValueError, TypeError):
        raise BadBackup(f"{path} is no manifest of a backup") from None
    if manifest.format != FORMAT:
        raise BadBackup(f"{path} is in format {manifest.format}, this program reads format {FORMAT}")
    return manifest


def check_file(backup: Path, manifest: Manifest) -> None:
    """Raises BadBackup unless the file is, to the byte, the one that was written."""
    try:
        size, digest = _digest(backup)
    except OSError as error:
        raise BadBackup(f"{backup} can't be read: {error.strerror}") from None
    if (size, digest) != (manifest.bytes, manifest.sha256):
        raise BadBackup(f"{backup} is not the file that its manifest describes: it was changed, or not copied whole")


def _copy(connection: sa.Connection, url: URL, target: Path, tools: Path | None) -> _Facts:
    """In one transaction, so that the manifest is of the same instant as the copy."""
    if connection.dialect.name == "sqlite":
        return _copy_file(connection, target)
    facts = _facts(connection)
    snapshot = connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()
    dump = find_tool("pg_dump", connection, tools)
    choices = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={target}")
    run_tool(dump, choices, url)
    return facts


def _copy_file(connection: sa.Connection, target: Path) -> _Facts:
    """SQLite's online backup, in one step: the room may write meanwhile. The copy is one file, without a WAL."""
    source: Any = connection.connection.dbapi_connection
    try:
        with closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise BadBackup(f"the copy can't be written: {error}") from None
    engine = sa.create_engine(URL.create("sqlite", database=str(target)))
    try:
        with engine.connect() as reading:
            return _facts(reading)
    finally:
        engine.dispose()


def _facts(connection: sa.Connection) -> _Facts:
    found = revision(connection)
    if found is None:
        raise BadBackup("the database is empty: there is nothing to back up")
    present = set(sa.inspect(connection).get_table_names())
    counted = [table for table in metadata.sorted_tables if table.name in present]
    needed = (
        sa.select(journal.c.sealed)
        .join(snapshots, snapshots.c.table_id == journal.c.table_id)
        .where(journal.c.sealed.is_not(None), journal.c.seq > snapshots.c.seq)
    )
    last = sa.select(tables.c.id, tables.c.last_seq).where(tables.c.state == "open").order_by(tables.c.id)
    return _Facts(
        found,
        sorted({key_id_of(sealed) for sealed in connection.execute(needed).scalars()}),
        {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in counted
        },
        {row.id: row.last_seq for row in connection.execute(last)},
    )


def _settled(path: Path) -> tuple[int, str]:
    """On the disk, and what is in it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return _digest(path)


def _digest(path: Path) -> tuple[int, str]:
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, and for its owner alone."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)

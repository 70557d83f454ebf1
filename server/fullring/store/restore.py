"""A backup put back: into a place where nothing is, or over a room that does not run."""

import contextlib
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from fullring.runtime.ports import LogUnavailable
from fullring.store.backup import BadBackup, Manifest, check_file, read_manifest
from fullring.store.database import in_words, parsed, reached
from fullring.store.instant import at_one_instant
from fullring.store.migrate import knows
from fullring.store.ownership import refuse
from fullring.store.postgres_tools import find_tool, run_tool

_RELEASED: Final = "UPDATE leases SET ttl_ms = 0"
"""The lease in a backup is that of the room it was taken of."""
_NOTHING: Final = """
    SELECT count(*) = 0 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'public' AND relkind IN ('r', 'p', 'v', 'm', 'S')
"""


async def restore(backup: Path, url: str, *, force: bool, tools: Path | None = None) -> Manifest:
    """Put the backup back. What is there already is replaced with ``force`` alone, and never under a room that runs.

    The schema is still the backup's: migrate it afterwards. Raises BadBackup, ToolFailed, AlreadyOwned, OSError or
    LogUnavailable.
    """
    manifest = read_manifest(backup)
    found = parsed(url)
    kind = found.get_backend_name()
    if manifest.database != kind:
        raise BadBackup(f"the backup is of a {manifest.database} database, it can't go into {kind}")
    if not knows(manifest.revision):
        raise BadBackup(f"the backup's schema is {manifest.revision}, which is newer than this program: upgrade it")
    check_file(backup, manifest)
    if kind == "sqlite":
        path = Path(str(found.database))
        if _occupied(path, force=force):
            await _nobody_runs(found)
        _into_file(backup, path)
    else:
        await _into_server(backup, found, force=force, tools=tools)
    return manifest


def _occupied(path: Path, *, force: bool) -> bool:
    if path.exists() and not force:
        raise BadBackup(f"{path} is there already: --force replaces it, and keeps it under another name")
    return path.exists()


def _into_file(backup: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.restoring")
    os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    try:
        shutil.copyfile(backup, unfinished)
        _release(unfinished)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        if path.exists():
            _set_aside(path)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _release(path: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            if _has_leases(connection):
                connection.execute(_RELEASED)
                connection.commit()
    except sqlite3.Error as error:
        raise BadBackup(f"the copy can't be written: {error}") from None


def _has_leases(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT name FROM sqlite_schema WHERE name = 'leases'").fetchall())


def _set_aside(path: Path) -> None:
    """With its WAL, which may hold what the file does not."""
    kept = f"{path.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"
    for suffix in ("-shm", "-wal", ""):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(path.with_name(kept + suffix))


async def _nobody_runs(url: URL) -> None:
    """Raises AlreadyOwned if a room runs on that database. On one that can't be read none does."""
    with contextlib.suppress(LogUnavailable):
        await at_one_instant(url.render_as_string(hide_password=False), refuse)


async def _into_server(backup: Path, url: URL, *, force: bool, tools: Path | None) -> None:
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True, isolation_level="AUTOCOMMIT")
    try:
        async with reached(engine) as connection:
            empty, program = await connection.run_sync(lambda asked: _asked(asked, tools))
            if not empty and not force:
                raise BadBackup("the database is not empty: --force replaces what is in it")
            if not empty:
                await _nobody_runs(url)
            replacing = [] if empty else ["--clean", "--if-exists"]
            choices = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", *replacing]
            run_tool(program, [*choices, f"--dbname={url.database}", str(backup)], url)
            if await connection.run_sync(lambda asked: sa.inspect(asked).has_table("leases")):
                await connection.exec_driver_sql(_RELEASED)
    except DBAPIError as error:
        raise LogUnavailable(f"the database can't be used: {in_words(error)}") from error
    finally:
        await engine.dispose()


def _asked(connection: sa.Connection, tools: Path | None) -> tuple[bool, Path]:
    empty: Any = connection.exec_driver_sql(_NOTHING).scalar_one()
    return bool(empty), find_tool("pg_restore", connection, tools)

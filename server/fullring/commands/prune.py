"""``fullring prune``: take old rows off the journals, archived first if wanted. Works beside a running room."""

from pathlib import Path
from typing import Annotated

import typer

from fullring.commands import room_database
from fullring.commands.room_database import Data, Url
from fullring.runtime.clock import WallClock
from fullring.settings import PREFIX
from fullring.store.database import Database
from fullring.store.migrate import check
from fullring.store.prune import DAY_MS, Pruned
from fullring.store.prune import prune as take_off


def prune(
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Keep so many days [FULLRING_JOURNAL_KEEP_DAYS].")
    ] = None,
    archive: Annotated[
        Path | None, typer.Option("--archive", help="Write rows there before [FULLRING_JOURNAL_ARCHIVE].")
    ] = None,
    data: Data = None,
    database_url: Url = None,
) -> None:
    """Delete journal rows that are old and that no start needs. Hands, ledger and accounts stay whole."""
    chosen = room_database.room(data, database_url)
    keep = days or chosen.journal_keep_days
    if keep is None:
        room_database.fail(f"say how many days are kept, --days or {PREFIX}JOURNAL_KEEP_DAYS")
    before = WallClock().now() - keep * DAY_MS
    gone = room_database.run(_prune(chosen.database, before, archive or chosen.journal_archive))
    typer.echo(f"{gone} rows are gone that were older than {keep} days")


async def _prune(url: str, before: int, archive: Path | None) -> int:
    gone: list[int] = []

    def tell(done: Pruned) -> None:
        gone.append(done.rows)
        written = f", archived in {done.archived.parent}" if done.archived is not None else ""
        typer.echo(f"table {done.table}: {done.rows} rows{written}")

    database = Database(url, visiting=True)
    try:
        await database.read(check)
        await take_off(database, before, archive, tell)
    finally:
        await database.close()
    return sum(gone)

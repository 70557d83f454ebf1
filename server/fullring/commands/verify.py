"""``fullring verify``: whether a whole database agrees with itself. Works beside a running room."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fullring.commands import room_database
from fullring.commands.room_database import Data, Url
from fullring.store.verify import Finding, Totals
from fullring.store.verify import verify as look_through

TOLD_MAX = 1_000
"""Findings that are printed; those behind them are counted."""


def verify(
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line; the last has the totals.")] = False,
    archive: Annotated[
        Path | None, typer.Option("--archive", help="Read pruned rows from there [FULLRING_JOURNAL_ARCHIVE].")
    ] = None,
    data: Data = None,
    database_url: Url = None,
) -> None:
    """Replay every journal, add up all chips, compare every hand. The exit status is 1 if anything does not agree."""
    chosen = room_database.room(data, database_url)
    told = Telling(as_json=as_json)
    keys = room_database.keys(chosen)
    totals = room_database.run(look_through(chosen.database, keys, told.tell, archive or chosen.journal_archive))
    told.sum_up(totals)
    raise typer.Exit(told.found > 0)


class Telling:
    """Says each finding when it is found, and at the end what was looked at."""

    def __init__(self, *, as_json: bool) -> None:
        self.found = 0
        self._as_json = as_json

    def tell(self, finding: Finding) -> None:
        self.found += not finding.note
        if self.found > TOLD_MAX:
            return
        if self._as_json:
            typer.echo(json.dumps({**asdict(finding), "sentence": finding.sentence}, ensure_ascii=False))
        else:
            typer.echo(f"note: {finding.sentence}" if finding.note else finding.sentence)

    def sum_up(self, totals: Totals) -> None:
        if self._as_json:
            typer.echo(json.dumps({"ok": not self.found, "found": self.found, **asdict(totals)}))
            return
        typer.echo(
            f"{totals.tables} tables, {totals.rows} rows, {totals.hands} hands ({totals.older_hands} older ones kept), "
            f"{totals.decks} decks, {totals.transactions} transactions: "
            + (f"{self.found} do not agree" if self.found else "all agree")
        )

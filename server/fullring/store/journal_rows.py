"""Journals read in pages: whose they are, where each begins and ends, and their rows. Never a whole one at once."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from fullring.store import codec
from fullring.store.codec import Unreadable
from fullring.store.fold import Broken, Decks, Fold, FoundRow
from fullring.store.schema import journal, journal_starts, snapshots, table_settings, tables
from fullring.table.snapshot import Snapshot

PAGE = 500

_HEADS: sa.Select[Any] = (
    sa.select(
        tables.c.id,
        tables.c.state,
        tables.c.owner_epoch,
        tables.c.history_epoch,
        tables.c.last_seq,
        table_settings.c.version.label("settings_version"),
        table_settings.c.payload.label("settings"),
        snapshots.c.seq.label("snapshot_seq"),
        snapshots.c.version.label("snapshot_version"),
        snapshots.c.payload.label("snapshot"),
        sa.func.coalesce(journal_starts.c.seq, 0).label("start_seq"),
        journal_starts.c.version.label("start_version"),
        journal_starts.c.payload.label("start"),
    )
    .outerjoin(table_settings, table_settings.c.table_id == tables.c.id)
    .outerjoin(snapshots, snapshots.c.table_id == tables.c.id)
    .outerjoin(journal_starts, journal_starts.c.table_id == tables.c.id)
)
_ROWS: sa.Select[Any] = sa.select(*[journal.c[one.name] for one in fields(FoundRow)])


@dataclass(frozen=True, slots=True)
class Head:
    """A table as other rows than its journal's have it. That begins behind ``start_seq``: 0, unless it was pruned."""

    table: str
    closed: bool
    history_epoch: int
    last_seq: int
    snapshot_seq: int | None
    start_seq: int
    found: sa.Row[Any]

    @classmethod
    def of(cls, found: sa.Row[Any]) -> "Head":
        return cls(
            found.id,
            found.state == "closed",
            found.history_epoch,
            found.last_seq,
            found.snapshot_seq,
            found.start_seq,
            found,
        )

    def snapshot(self) -> Snapshot | None:
        """The newest. Raises Broken."""
        if self.found.snapshot is None:
            return None
        try:
            return codec.read_snapshot(self.found.snapshot_version, self.found.snapshot)
        except Unreadable as problem:
            raise Broken(str(problem)) from None

    def fold(self, decks: Decks) -> Fold:
        """The table where the journal begins. Raises Broken."""
        found = self.found
        try:
            start = None if found.start is None else codec.read_snapshot(found.start_version, found.start)
        except Unreadable as problem:
            raise Broken(str(problem)) from None
        return self._fold(self.start_seq, start, decks)

    def from_nothing(self, decks: Decks) -> Fold:
        """The table before its first row, also where that has been pruned. Raises Broken."""
        return self._fold(0, None, decks)

    def _fold(self, begins: int, start: Snapshot | None, decks: Decks) -> Fold:
        if self.found.settings is None:
            raise Broken("it has no settings")
        try:
            settings = codec.read_settings(self.found.settings_version, self.found.settings)
        except Unreadable as problem:
            raise Broken(str(problem)) from None
        return Fold(self.table, settings, begins, start, decks, renewals=self.history_epoch - 1)


def heads(connection: sa.Connection) -> Iterator[Head]:
    """Every table, open or closed, by id."""
    last = ""
    while page := connection.execute(_HEADS.where(tables.c.id > last).order_by(tables.c.id).limit(PAGE)).all():
        yield from map(Head.of, page)
        last = page[-1].id


def orphans(connection: sa.Connection) -> Iterator[str]:
    """Sentences about journals of tables that are not there. One look a journal, however long it is."""
    last = ""
    following = sa.select(sa.func.min(journal.c.table_id)).where(journal.c.table_id > sa.bindparam("last"))
    while (table := connection.execute(following, {"last": last}).scalar_one()) is not None:
        if connection.execute(sa.select(tables.c.id).where(tables.c.id == table)).first() is None:
            yield f"journal rows are there of a table {table}, and no such table is"
        last = table


def head(connection: sa.Connection, table: str) -> Head | None:
    found = connection.execute(_HEADS.where(tables.c.id == table)).one_or_none()
    return None if found is None else Head.of(found)


def page_of_rows(connection: sa.Connection, table: str, after: int, limit: int = PAGE) -> list[FoundRow]:
    """The rows behind that one, in order; fewer than ``limit`` at the end of the journal."""
    wanted = _ROWS.where(journal.c.table_id == table, journal.c.seq > after).order_by(journal.c.seq).limit(limit)
    return [FoundRow(*row) for row in connection.execute(wanted)]

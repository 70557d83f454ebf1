"""Takes old rows off the journals: archived if wanted, then deleted, a few at a time, beside a room that plays.

A row goes when it is old enough, when no start needs it, and when the table as it was behind it has been kept: there
the journal begins from then on, and there `verify` begins. Hands, ledger and accounts stay whole.
"""

import asyncio
import contextlib
import logging
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from fullring.rules.events import HandStarted
from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.store import codec
from fullring.store.archive import ArchiveFile
from fullring.store.database import Database
from fullring.store.fold import Broken, Fold, FoundRow, unknown
from fullring.store.journal_rows import Head, head, page_of_rows
from fullring.store.schema import journal, journal_starts, tables
from fullring.table.ids import Millis
from fullring.table.snapshot import Snapshot

logger = logging.getLogger(__name__)

DAY_MS: Final = 86_400_000
FIRST_S: Final = 60
EVERY_S: Final = 6 * 3600
READ_ROWS: Final = 50
"""Rows read and replayed at a time: a few milliseconds of the event loop."""
DELETE_ROWS: Final = 500
ROUND_ROWS: Final = 20_000
"""After so many a table's new beginning is written down, and they are deleted before more are read."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was taken off one table's journal. ``archived`` is the last file that was written."""

    table: str
    rows: int
    archived: Path | None


@contextlib.asynccontextmanager
async def regularly(
    database: Database, now: Callable[[], Millis], days: int | None, archive: Path | None
) -> AsyncIterator[None]:
    """While a room runs, keep so many days of its journals; None keeps all."""
    if days is None:
        yield
        return
    task = asyncio.create_task(_regularly(database, now, days, archive))
    task.add_done_callback(_failed)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _regularly(database: Database, now: Callable[[], Millis], days: int, archive: Path | None) -> None:
    await asyncio.sleep(FIRST_S)
    while True:
        try:
            await prune(database, now() - days * DAY_MS, archive, _log)
        except (LogUnavailable, OutcomeUnknown, OSError) as problem:
            logger.warning("pruning stopped, and is tried again in %d s: %s", EVERY_S, problem)
        await asyncio.sleep(EVERY_S)


def _failed(pruning: "asyncio.Task[None]") -> None:
    """It ends by a fault of ours alone, unless it is stopped."""
    error = None if pruning.cancelled() else pruning.exception()
    if error is not None:
        # Not its text, which may name what it looked at.
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        logger.error("no journal is pruned any more until the next start: %s", where)


def _log(done: Pruned) -> None:
    logger.info("table %s: %d old rows are off its journal", done.table, done.rows)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a journal may begin: behind the row ``seq``, with the table as it was then."""

    seq: int
    snapshot: Snapshot


async def prune(database: Database, before: Millis, archive: Path | None, tell: Callable[[Pruned], None]) -> None:
    """Take off what is older than ``before``; ``tell`` hears of each table that lost rows.

    It can be stopped anywhere and done again. Raises LogUnavailable, OutcomeUnknown, and OSError of the archive.
    """
    last = ""
    while ids := await database.read(partial(_tables, last=last)):
        for table in ids:
            done = await _prune_table(database, table, before, archive)
            if done.rows:
                tell(done)
        last = ids[-1]


def _tables(connection: sa.Connection, last: str) -> list[str]:
    wanted = sa.select(tables.c.id).where(tables.c.id > last).order_by(tables.c.id).limit(READ_ROWS)
    return list(connection.execute(wanted).scalars())


async def _prune_table(database: Database, table: str, before: Millis, archive: Path | None) -> Pruned:
    rows = 0
    path = None
    while True:
        found = await database.read(lambda connection: head(connection, table))
        if found is None:
            return Pruned(table, rows, path)
        # What a round that was interrupted had still to delete.
        rows += await _delete(database, table, found.start_seq)
        cut, written = await _round(database, found, before, archive)
        if cut is None:
            return Pruned(table, rows, path)
        path = written or path
        await database.write(partial(_begin_at, table=table, cut=cut, at=before))


async def _round(
    database: Database, found: Head, before: Millis, archive: Path | None
) -> tuple[_Cut | None, Path | None]:
    """The newest place where the journal may begin, at most a round further on; and the file with the rows up to it."""
    try:
        fold = found.fold(unknown)
    except Broken as problem:
        logger.error("table %s is not pruned: %s", found.table, problem)
        return None, None
    reading = _Reading(database, found, before)
    if archive is None:
        return await reading.cut(fold, lambda _: None), None
    with ArchiveFile(archive, found.table) as file:
        cut = await reading.cut(fold, file.write)
        return cut, None if cut is None else await asyncio.to_thread(file.finish)  # It waits for the disk.


class _Reading:
    """One round's way through a journal."""

    def __init__(self, database: Database, found: Head, before: Millis) -> None:
        self._database = database
        self._head = found
        self._before = before
        self._needed = found.snapshot_seq or 0
        """A start begins behind this row."""
        self._behind: list[FoundRow] = []
        self._numbered = True
        """False from a new history to its first hand: how many hands there were before is not known until then."""

    async def cut(self, fold: Fold, passed: Callable[[list[FoundRow]], None]) -> _Cut | None:
        """``passed`` hears of the rows up to it."""
        cut = None
        begins = fold.seq
        while fold.seq - begins < ROUND_ROWS:
            page = await self._database.read(
                partial(page_of_rows, table=self._head.table, after=fold.seq, limit=READ_ROWS)
            )
            for row in page:
                if row.at >= self._before or row.seq > self._needed + 1:
                    return cut
                place = self._step(fold, row)
                if place is not None and place.seq > begins:
                    passed(self._behind)
                    self._behind = []
                    cut = place
                self._behind.append(row)
            if len(page) < READ_ROWS:
                return cut
        return cut

    def _step(self, fold: Fold, row: FoundRow) -> _Cut | None:
        """Take the row. The place before it, if a hand starts in it: a start would begin there too."""
        seq, kept = fold.seq, fold.snapshot() if fold.sound else None
        try:
            taken = fold.take(row, None)
        except Broken as problem:
            logger.warning("table %s row %d, which is old: %s", row.table_id, row.seq, problem)
            return None
        starts = any(isinstance(event, HandStarted) for event in taken.events)
        numbered, self._numbered = self._numbered, starts or (self._numbered and not fold.anew)
        return _Cut(seq, kept) if kept is not None and starts and numbered else None


def _begin_at(connection: sa.Connection, table: str, cut: _Cut, at: Millis) -> None:
    """Unless it begins further on already, as another that prunes at the same time has it."""
    here = journal_starts.c.table_id == table
    # Of two that give a journal its first beginning, the second waits here and finds it.
    connection.execute(sa.select(tables.c.id).where(tables.c.id == table).with_for_update(key_share=True))
    values = {
        "seq": cut.seq,
        "version": codec.VERSION,
        "payload": codec.write_snapshot(cut.snapshot),
        "pruned_before": at,
    }
    moved = connection.execute(sa.update(journal_starts).where(here, journal_starts.c.seq < cut.seq).values(values))
    if not moved.rowcount and connection.execute(sa.select(journal_starts.c.seq).where(here)).first() is None:
        connection.execute(sa.insert(journal_starts).values(table_id=table, **values))


async def _delete(database: Database, table: str, upto: int) -> int:
    """The rows up to that one, if there are any; how many."""
    deleted = 0
    while gone := await database.write(lambda connection: _delete_some(connection, table, upto)):
        deleted += gone
    return deleted


def _delete_some(connection: sa.Connection, table: str, upto: int) -> int:
    here = journal.c.table_id == table
    first = connection.execute(sa.select(sa.func.min(journal.c.seq)).where(here)).scalar_one()
    if first is None or first > upto:
        return 0
    last = min(upto, first + DELETE_ROWS - 1)
    return connection.execute(sa.delete(journal).where(here, journal.c.seq <= last)).rowcount

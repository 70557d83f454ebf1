"""Whether a whole database agrees with itself: every journal replays to what stands beside it, and all chips add up.

It reads one instant, so it may run beside a room, and a page at a time, so that its memory doesn't grow with what is
there. What doesn't agree is told in sentences that name no card.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa

from fullring.rules.events import HandStarted
from fullring.store import beside
from fullring.store.archive import archived_rows
from fullring.store.audit import discrepancies
from fullring.store.fold import Broken, Decks, Fold, FoundRow, Taken, unknown, unsealed
from fullring.store.instant import at_one_instant
from fullring.store.journal_rows import PAGE, Head, heads, orphans, page_of_rows
from fullring.store.migrate import check
from fullring.store.schema import ledger_tx
from fullring.store.seal import KeyMissing, Seal
from fullring.table.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that doesn't agree; a ``note`` is worth knowing and no fault."""

    text: str
    table: str | None = None
    row: int | None = None
    note: bool = False

    @property
    def sentence(self) -> str:
        where = "" if self.table is None else f"table {self.table}{'' if self.row is None else f' row {self.row}'}: "
        return f"{where}{self.text}"


@dataclass(slots=True)
class Totals:
    """What was looked at. ``older_hands`` are kept from before their table's journal begins."""

    tables: int = 0
    rows: int = 0
    hands: int = 0
    older_hands: int = 0
    decks: int = 0
    transactions: int = 0


Tell = Callable[[Finding], None]


async def verify(url: str, keys: Sequence[bytes], tell: Tell, archive: Path | None = None) -> Totals:
    """Look at everything; ``tell`` hears of each finding at once. With ``archive`` pruned rows are read from there.

    Without ``keys`` no deck is unsealed, and hole cards are not compared.

    Raises WrongSchema, LogUnavailable or ValueError.
    """

    decks = unsealed(Seal(keys)) if keys else unknown

    def work(connection: sa.Connection) -> Totals:
        check(connection)
        return examine(connection, decks, tell, archive)

    return await at_one_instant(url, work)


def examine(connection: sa.Connection, decks: Decks, tell: Tell, archive: Path | None = None) -> Totals:
    """The same in a transaction that sees one instant."""
    totals = Totals()
    for head in heads(connection):
        totals.tables += 1
        _Journal(connection, head, decks, tell, totals, archive).verify()
    for sentence in (*orphans(connection), *discrepancies(connection), *beside.balances(connection)):
        tell(Finding(sentence))
    totals.transactions = connection.execute(sa.select(sa.func.count()).select_from(ledger_tx)).scalar_one()
    return totals


class _Journal:
    """One table's. ``due`` is the table as it was at its newest snapshot, until that has been compared."""

    def __init__(
        self, connection: sa.Connection, head: Head, decks: Decks, tell: Tell, totals: Totals, archive: Path | None
    ) -> None:
        self._connection = connection
        self._head = head
        self._decks = decks
        self._say = tell
        self._totals = totals
        self._archive = archive
        self._numbers = beside.Numbers()
        self._broken: Finding | None = None
        self._due: Snapshot | None = None
        self._locked = ("", 0)
        """What is said of the first deck whose key isn't there, and how many, since one could be unsealed."""
        self._older = 0
        """Hands up to this number ended before the rows that are read."""

    def verify(self) -> None:
        head = self._head
        if head.snapshot_seq is None:
            self._tell("it has no snapshot, not even an empty one: a start would not find it")
            return
        try:
            fold = head.fold(self._decks)
            newest = head.snapshot()
        except Broken as problem:
            self._tell(str(problem))
            return
        self._older = fold.table.hands
        if self._archive is not None and head.start_seq:
            fold = self._from_archive(fold)
        if fold.seq == head.snapshot_seq:
            self._due = fold.snapshot(shown=True)
        page: list[FoundRow] = page_of_rows(self._connection, head.table, fold.seq)
        while page:
            self._rows(fold, page, newest)
            page = page_of_rows(self._connection, head.table, fold.seq) if len(page) == PAGE else []
        self._end(fold, newest)
        self._totals.older_hands += beside.strangers(
            self._connection, head.table, self._numbers, self._older, self._told_hands
        )

    def _from_archive(self, fold: Fold) -> Fold:
        """The table at the start of its journal, from the rows that were pruned: the same that was kept."""
        assert self._archive is not None
        head = self._head
        earlier = head.from_nothing(self._decks)
        page: list[FoundRow] = []
        try:
            for found in archived_rows(self._archive, head.table, head.start_seq):
                page.append(found)
                if len(page) == PAGE:
                    self._rows(earlier, page, None)
                    page = []
        except Broken as problem:
            self._tell(str(problem))
        self._rows(earlier, page, None)
        if earlier.seq != head.start_seq:
            self._tell(f"the archive ends at row {earlier.seq}, the journal begins behind row {head.start_seq}")
            return fold
        self._older = 0
        if earlier.sound and earlier.snapshot() != fold.snapshot():
            self._tell("the archive leads to another table than the one that the journal begins with")
        return earlier

    def _rows(self, fold: Fold, page: list[FoundRow], newest: Snapshot | None) -> None:
        taken: list[tuple[FoundRow, Taken]] = []
        for found in page:
            self._totals.rows += 1
            blank = newest if found.seq - 1 == self._head.snapshot_seq else None
            before = fold.table.hands
            try:
                new = fold.take(found, blank)
            except Broken as problem:
                if self._broken is None:
                    self._broken = Finding(str(problem), self._head.table, found.seq)
                continue
            if fold.anew:
                self._began_anew(found.seq)
            elif self._due is not None:
                self._compare_snapshot(newest)
            taken.append((found, new))
            self._count(new, before)
            if found.seq == self._head.snapshot_seq:
                self._due = fold.snapshot(shown=True)
        beside.compare(self._connection, self._head.table, taken, self._tell)

    def _count(self, new: Taken, before: int) -> None:
        if isinstance(new.fault, KeyMissing):
            self._locked = (self._locked[0] or str(new.fault), self._locked[1] + 1)
        elif new.fault is not None:
            self._tell(str(new.fault))
        for event in new.events:
            if isinstance(event, HandStarted):
                self._totals.decks += new.whole
                if new.whole:
                    self._tell_locked(note=True)
                self._numbers.add(event.number, after=before)
        self._totals.hands += new.record is not None

    def _tell_locked(self, *, note: bool) -> None:
        """A key that was taken out once no hand in play needed it leaves older decks locked, and newer ones open."""
        first, count = self._locked
        if count:
            more = f", and those of {count - 1} hands behind it" if count > 1 else ""
            self._say(Finding(first + more, self._head.table, note=note))
            self._locked = ("", 0)

    def _began_anew(self, row: int) -> None:
        self._due = None
        if self._broken is not None:
            text = f"its history could not be continued ({self._broken.text}) and began anew at row {row}"
            self._say(Finding(text, self._head.table, self._broken.row, note=True))
            self._broken = None
        self._numbers.excuse()

    def _compare_snapshot(self, newest: Snapshot | None) -> None:
        """What a start would go on from is what the journal makes."""
        due = self._due
        if due is not None and newest is not None and None in (due.last, newest.last):
            # Most are written where a hand starts, and some decks are locked.
            due, newest = replace(due, last=None), replace(newest, last=None)
        if newest is not None and due != newest:
            self._tell(f"the snapshot at row {self._head.snapshot_seq} is not the table that the journal makes")
        self._due = None

    def _end(self, fold: Fold, newest: Snapshot | None) -> None:
        head = self._head
        self._tell_locked(note=False)
        if self._broken is not None:
            self._say(self._broken)
            behind = fold.seq - (self._broken.row or 0)
            if behind:
                self._tell(f"the {behind} rows behind row {self._broken.row} were not replayed")
        if self._due is not None:
            self._compare_snapshot(newest)
        if fold.seq != head.last_seq:
            self._tell(f"the journal ends at row {fold.seq}, the table's last row is {head.last_seq}")
        if not fold.sound:
            return
        if fold.table.closed != head.closed:
            self._tell(f"it is {_state(head.closed)}, and by its journal it is {_state(fold.table.closed)}")
        beside.compare_seats(self._connection, head.table, fold, self._tell)

    def _tell(self, text: str, row: int | None = None) -> None:
        self._say(Finding(text, self._head.table, row))

    def _told_hands(self, text: str) -> None:
        if self._broken is None:  # Else they may be those of the rows that were not replayed.
            self._tell(text)


def _state(closed: bool) -> str:
    return "closed" if closed else "open"

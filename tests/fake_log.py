"""The log in memory: as honest as the real one, small, and able to fail on demand."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from fullring.rules.actions import Chips, SeatNo
from fullring.rules.events import CardsShown
from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Account, LedgerEntry
from fullring.runtime.audit import Opening, Repeated
from fullring.runtime.ports import (
    Answer,
    Batch,
    CommandKey,
    LogUnavailable,
    Outcome,
    OutcomeUnknown,
    Row,
    SeatRow,
    StoredTable,
)
from fullring.store.money import Transfer, moves_money, reseat, settle
from fullring.table.events import Closed, Event, ShownLate
from fullring.table.ids import AccountId, HandId, Millis, TableId
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Snapshot


class Fault(StrEnum):
    """How the log fails: LOST has not written, UNKNOWN_LOST and UNKNOWN_WRITTEN leave the caller in doubt."""

    LOST = "lost"
    UNKNOWN_LOST = "unknown, lost"
    UNKNOWN_WRITTEN = "unknown, written"


@dataclass(slots=True)
class StoredHistory:
    """What the log knows of one table. A replay begins behind row ``snapshot_seq``."""

    settings: TableSettings
    owner: AccountId | None = None
    owner_epoch: int = 1
    history_epoch: int = 1
    rows: list[Row] = field(default_factory=list)
    answers: dict[CommandKey, Answer] = field(default_factory=dict)
    snapshot: Snapshot | None = None
    snapshot_seq: int = 0
    seats: dict[SeatNo, SeatRow] = field(default_factory=dict)
    unreadable_from: int | None = None
    closed: bool = False


@dataclass(slots=True)
class Books:
    """What the fakes of one room have in common."""

    tables: dict[TableId, StoredHistory] = field(default_factory=dict)
    accounts: dict[AccountId, Account] = field(default_factory=dict)
    entries: list[tuple[str, LedgerEntry]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    hands: dict[HandId, HandRecord] = field(default_factory=dict)

    def move(self, lines: Mapping[str, Chips], kind: str, at: Millis, table: str | None, reason: str | None) -> None:
        """One ledger transaction; its lines sum to zero."""
        assert sum(lines.values()) == 0
        number = self.entries[-1][1].id + 1 if self.entries else 1
        for account, amount in lines.items():
            balance = 0
            if account in self.accounts:
                held = self.accounts[AccountId(account)]
                balance = held.chips + amount
                self.accounts[held.id] = replace(held, chips=balance)
            self.entries.append((account, LedgerEntry(number, at, kind, amount, balance, table, reason)))


class FakeLog:
    """The log in memory.

    ``down`` makes everything raise LogUnavailable; ``faults`` are used up by the commits that come, one each;
    while ``gate`` is an event that is not set, whoever calls waits.
    """

    def __init__(self, books: Books | None = None) -> None:
        self.books = books or Books()
        self.down = False
        self.faults: list[Fault] = []
        self.gate: asyncio.Event | None = None
        self.commits: list[tuple[Batch, ...]] = []

    async def create(
        self,
        table: TableId,
        settings: TableSettings,
        owner: AccountId | None,
        at: Millis,
        opening: Opening | None = None,
    ) -> None:
        await self._reach()
        assert table not in self.books.tables, "a table is opened once"
        if opening is not None and opening.by.key is not None:
            key = f"admin:{opening.by.account}:{opening.by.key}"
            if key in self.books.keys:
                raise Repeated
            self.books.keys.add(key)
        self.books.tables[table] = StoredHistory(settings, owner)

    async def commit(self, batches: Sequence[Batch]) -> Mapping[TableId, Outcome]:
        await self._reach()
        fault = self.faults.pop(0) if self.faults else None
        if fault is Fault.LOST:
            raise LogUnavailable("the log fails as it was told to")
        if fault is Fault.UNKNOWN_LOST:
            raise OutcomeUnknown("the log was lost as it was told to")
        for batch in batches:  # One that can't be written fails them all, before any is written.
            stored = self.books.tables.get(batch.table)
            if stored is not None and _follows(stored, batch) and not _repeats(stored, batch):
                settle(stored.seats, batch.events)
        self.commits.append(tuple(batches))
        outcomes = {batch.table: self._commit(batch) for batch in batches}
        if fault is Fault.UNKNOWN_WRITTEN:
            raise OutcomeUnknown("the log was lost as it was told to")
        return outcomes

    async def claim(self) -> Sequence[StoredTable]:
        await self._reach()
        return [self._claimed(table) for table, stored in self.books.tables.items() if not stored.closed]

    async def read(self, table: TableId) -> StoredTable:
        await self._reach()
        return self._claimed(table)

    async def answer(self, table: TableId, key: CommandKey) -> Answer | None:
        await self._reach()
        return self.books.tables[table].answers.get(key)

    async def restart_history(self, table: TableId, batch: Batch) -> Outcome:
        await self._reach()
        stored = self.books.tables.get(table)
        if stored is None or not _follows(stored, batch):
            return Outcome.FENCED
        stored.seats = reseat(stored.seats, batch.events)
        stored.history_epoch += 1
        stored.unreadable_from = None
        self._write(stored, replace(batch, snapshot=None))
        stored.snapshot, stored.snapshot_seq = batch.snapshot, batch.seq - 1
        return Outcome.COMMITTED

    def spoil(self, table: TableId, seq: int) -> None:
        """Make the rows from ``seq`` on unreadable."""
        self.books.tables[table].unreadable_from = seq

    async def _reach(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.down:
            raise LogUnavailable("the log is down")

    def _commit(self, batch: Batch) -> Outcome:
        stored = self.books.tables.get(batch.table)
        if stored is None or not _follows(stored, batch):
            return Outcome.FENCED
        if _repeats(stored, batch):
            return Outcome.REPEATED
        if moves_money(batch.events):
            seats, transfers = settle(stored.seats, batch.events)
            if not self._affordable(transfers):
                return Outcome.SHORT
            stored.seats = seats
            for transfer in transfers:
                lines = {transfer.account: transfer.amount, f"escrow:{batch.table}": -transfer.amount}
                self.books.move(lines, transfer.purpose, batch.at, batch.table, None)
        self._write(stored, batch)
        return Outcome.COMMITTED

    def _affordable(self, transfers: Sequence[Transfer]) -> bool:
        chips: dict[str, Chips] = {str(account.id): account.chips for account in self.books.accounts.values()}
        for transfer in transfers:
            chips[transfer.account] = chips.get(transfer.account, 0) + transfer.amount
            if transfer.amount < 0 and chips[transfer.account] < 0:
                return False
        return True

    def _write(self, stored: StoredHistory, batch: Batch) -> None:
        stored.rows.append(Row(batch.seq, batch.at, batch.events, batch.key, batch.answer))
        if batch.key is not None:
            stored.answers[batch.key] = batch.answer or {}
        if batch.snapshot is not None:
            stored.snapshot, stored.snapshot_seq = batch.snapshot, batch.seq - 1
        if batch.record is not None:
            self.books.hands[HandId(batch.record.hand)] = batch.record
        for event in batch.events:
            self._note(stored, event)

    def _note(self, stored: StoredHistory, event: Event) -> None:
        if isinstance(event, Closed):
            stored.closed = True
        elif isinstance(event, ShownLate):
            record = self.books.hands[event.hand]
            shown = (*record.shown_late, CardsShown(event.seat, event.cards))
            self.books.hands[event.hand] = replace(record, shown_late=shown)

    def _claimed(self, table: TableId) -> StoredTable:
        stored = self.books.tables[table]
        stored.owner_epoch += 1
        rows = [row for row in stored.rows if row.seq > stored.snapshot_seq]
        spoiled = stored.unreadable_from
        return StoredTable(
            table=table,
            settings=stored.settings,
            owner_epoch=stored.owner_epoch,
            history_epoch=stored.history_epoch,
            last_seq=len(stored.rows),
            snapshot=stored.snapshot,
            rows=tuple([row for row in rows if spoiled is None or row.seq < spoiled]),
            seats=tuple(sorted(stored.seats.values(), key=lambda row: row.seat)),
            unreadable=None if spoiled is None else f"row {spoiled} can't be read",
            hands=stored.history_epoch
            + max((record.number for record in self.books.hands.values() if record.table == table), default=0),
            owner=stored.owner,
        )


def _repeats(stored: StoredHistory, batch: Batch) -> bool:
    return batch.key in stored.answers


def _follows(stored: StoredHistory, batch: Batch) -> bool:
    ours = batch.owner_epoch == stored.owner_epoch and not stored.closed
    return ours and batch.seq == len(stored.rows) + 1

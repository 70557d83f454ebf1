"""The ports in memory: as honest as the real ones, small, and able to fail on demand.

``FakeStore`` has the same parts as the store; what they share is one `Books`.
"""

import asyncio
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from fullring.rules.actions import Chips, SeatNo
from fullring.rules.events import CardsShown
from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Account, Credentials, LedgerEntry, NameTaken, NotEnough, TokenInfo, Unauthorized
from fullring.runtime.audit import Opening, Repeated
from fullring.runtime.ports import (
    Answer,
    Batch,
    CommandKey,
    HandQuery,
    LogUnavailable,
    Outcome,
    OutcomeUnknown,
    Row,
    SeatRow,
    StoredTable,
)
from fullring.store.money import HOUSE, Purpose, Transfer, moves_money, reseat, settle
from fullring.store.names import name_key, shown_name
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


SCOPES = frozenset({"play", "read", "host", "admin"})


class FakeAccounts:
    """Accounts in memory; their secrets are countable, not secret."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._passwords: dict[AccountId, str] = {}
        self._tokens: dict[str, tuple[AccountId, TokenInfo | None, str]] = {}
        self._numbers = itertools.count(1)

    async def create_guest(self, name: str | None, chips: Chips, at: Millis) -> tuple[Account, str]:
        given = f"Guest {next(self._numbers):04}" if name is None else name
        return self._opened(given, "guest", chips, at)

    async def register(self, name: str, password: str, chips: Chips, at: Millis) -> tuple[Account, str]:
        account, token = self._opened(name, "player", chips, at)
        self._passwords[account.id] = password
        return account, token

    async def log_in(self, name: str, password: str, at: Millis) -> tuple[Account, str]:
        account = await self.find(name)
        if account is None or account.id not in self._passwords or self._passwords[account.id] != password:
            raise Unauthorized("wrong name or password")
        return account, self._token(account.id)

    async def authenticate(self, token: str) -> Credentials:
        if token not in self._tokens:
            raise Unauthorized("unknown token")
        owner, info, number = self._tokens[token]
        account = self._books.accounts[owner]
        if info is None:
            return Credentials(account, number, SCOPES)
        return Credentials(replace(account, kind=info.kind), info.id, frozenset(info.scopes))

    async def log_out(self, token: str) -> None:
        self._tokens.pop(token, None)

    async def change_password(self, account: AccountId, password: str, new: str, kept: str) -> Sequence[str]:
        if self._passwords.get(account) != password:
            raise Unauthorized("wrong password")
        self._passwords[account] = new
        ended = {
            token: id
            for token, (owner, info, id) in self._tokens.items()
            if owner == account and info is None and id != kept
        }
        for token in ended:
            del self._tokens[token]
        return list(ended.values())

    async def account(self, account: AccountId) -> Account | None:
        return self._books.accounts.get(account)

    async def find(self, name: str) -> Account | None:
        try:
            key = name_key(name)
        except ValueError:
            return None
        return next((account for account in self._books.accounts.values() if name_key(account.name) == key), None)

    async def create_token(
        self, account: AccountId, name: str, scopes: Sequence[str], kind: str | None, at: Millis
    ) -> tuple[TokenInfo, str]:
        number = f"token{next(self._numbers)}"
        info = TokenInfo(number, name, tuple(sorted(scopes)), kind or self._books.accounts[account].kind, at)
        self._tokens[f"secret-{number}"] = (account, info, number)
        return info, f"secret-{number}"

    async def tokens(self, account: AccountId) -> Sequence[TokenInfo]:
        return [info for owner, info, _ in self._tokens.values() if owner == account and info is not None]

    async def revoke_token(self, account: AccountId, token_id: str) -> bool:
        for secret, (owner, info, number) in self._tokens.items():
            if owner == account and info is not None and number == token_id:
                del self._tokens[secret]
                return True
        return False

    async def set_role(self, account: AccountId, role: str) -> None:
        if account not in self._books.accounts:
            raise Unauthorized("there is no such account")
        self._books.accounts[account] = replace(self._books.accounts[account], role=role)

    async def ensure_bot(self, name: str, chips: Chips, at: Millis) -> Account:
        account = await self.find(name)
        if account is None:
            account, _ = self._opened(name, "bot", 0, at)
        elif account.kind != "bot":
            raise NameTaken(name)
        if account.chips < chips:
            missing = chips - account.chips
            self._books.move({account.id: missing, HOUSE: -missing}, Purpose.GRANT, at, None, "house bot")
        return self._books.accounts[account.id]

    def _opened(self, name: str, kind: str, chips: Chips, at: Millis) -> tuple[Account, str]:
        key = name_key(name)
        if any(name_key(account.name) == key for account in self._books.accounts.values()):
            raise NameTaken(name)
        account = Account(AccountId(f"a{next(self._numbers)}"), shown_name(name), kind, "player", 0, at)
        self._books.accounts[account.id] = account
        if chips:
            self._books.move({account.id: chips, HOUSE: -chips}, Purpose.WELCOME, at, None, None)
        return self._books.accounts[account.id], self._token(account.id)

    def _token(self, account: AccountId) -> str:
        number = f"session{next(self._numbers)}"
        self._tokens[f"secret-{number}"] = (account, None, number)
        return f"secret-{number}"


class FakeLedger:
    """The ledger in memory."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def entries(self, account: AccountId, before: int | None, limit: int) -> Sequence[LedgerEntry]:
        own = [entry for owner, entry in reversed(self._books.entries) if owner == account]
        return [entry for entry in own if before is None or entry.id < before][:limit]

    async def grant(
        self, account: AccountId, amount: Chips, reason: str, key: str, by: AccountId | None, at: Millis
    ) -> Chips:
        if account not in self._books.accounts:
            raise Unauthorized("there is no such account")
        held = self._books.accounts[account].chips
        if amount and key not in self._books.keys:
            if held + amount < 0:
                raise NotEnough(f"the account has {held}")
            self._books.keys.add(key)
            self._books.move({account: amount, HOUSE: -amount}, Purpose.GRANT, at, None, reason)
        return self._books.accounts[account].chips

    async def audit(self) -> Sequence[str]:
        found = []
        sums: Counter[str] = Counter()
        for owner, entry in self._books.entries:
            sums[owner] += entry.amount
        if sum(sums.values()):
            found.append(f"all entries sum to {sum(sums.values())}")
        held = {str(account.id): account.chips for account in self._books.accounts.values()}
        for table, stored in self._books.tables.items():
            held[f"escrow:{table}"] = sum(row.stack + row.pending for row in stored.seats.values())
        found += [
            f"{name} has {chips}, its entries sum to {sums[name]}"
            for name, chips in held.items()
            if chips != sums[name]
        ]
        return found


class FakeHands:
    """Finished hands in memory."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def find(self, query: HandQuery) -> tuple[Sequence[HandRecord], str | None]:
        found = [record for record in self._books.hands.values() if _matches(record, query)]
        found.sort(key=_place, reverse=True)
        if query.cursor is not None:
            ended = self._books.hands.get(HandId(query.cursor))
            found = [record for record in found if ended is not None and _place(record) < _place(ended)]
        page = found[: query.limit]
        return page, page[-1].hand if len(found) > len(page) else None

    async def get(self, hand: HandId) -> HandRecord | None:
        return self._books.hands.get(hand)


class FakeStore:
    """A room's ports in memory."""

    def __init__(self) -> None:
        self.books = Books()
        self.log = FakeLog(self.books)
        self.accounts = FakeAccounts(self.books)
        self.ledger = FakeLedger(self.books)
        self.hands = FakeHands(self.books)

    async def close(self) -> None:
        """Nothing to let go of; the store has it."""


def _place(record: HandRecord) -> tuple[int, str]:
    return record.ended_at, record.hand


def _matches(record: HandRecord, query: HandQuery) -> bool:
    return (
        (query.table is None or record.table == query.table)
        and (query.account is None or any(player.account == query.account for player in record.players))
        and (query.since is None or record.ended_at >= query.since)
        and (query.until is None or record.ended_at < query.until)
    )

"""What the runtime and the web need from the outside, in our words. ``store`` and the tests' fakes implement it.

Chips are integers, instants Unix milliseconds. No port ever hands out a deck or a token in clear.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from fullring.rules.actions import Chips, SeatNo
from fullring.rules.record import HandRecord
from fullring.rules.value import value
from fullring.runtime.audit import Opening
from fullring.table.events import Event
from fullring.table.ids import AccountId, HandId, Millis, TableId
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Snapshot

Answer = Mapping[str, object]
"""What an ``ok`` returns beside ``re``: ``{"seq": 846}``, ``{"seat": 4}``."""


# --- the log ---------------------------------------------------------------------------------------------------------


@value
class CommandKey:
    """Names a client's command: its id is unique per account, and the same id never acts twice."""

    account: AccountId
    id: str


@value
class Batch:
    """What one command (or tick) did to one table: one row of the journal, written whole or not at all.

    ``seq`` is the row's number, one more than the row it follows; ``owner_epoch`` must still be the table's.
    ``snapshot`` is the table as it was before these events (that of row ``seq - 1``), now and then where no hand is
    open: a replay begins with it and this row. ``record`` is there when a hand ended or was voided.
    Money follows from the events: the log moves chips between accounts, table and rake in the same transaction.
    """

    table: TableId
    owner_epoch: int
    seq: int
    at: Millis
    events: tuple[Event, ...] = field(repr=False)
    key: CommandKey | None = None
    answer: Answer | None = None
    snapshot: Snapshot | None = field(default=None, repr=False)
    record: HandRecord | None = field(default=None, repr=False)


class Outcome(StrEnum):
    """How a batch fared. Only COMMITTED changed anything.

    FENCED: the table has another owner or another last row. SHORT: an account hasn't the chips it would pay.
    REPEATED: the command's key is in the journal already.
    """

    COMMITTED = "committed"
    FENCED = "fenced"
    SHORT = "short"
    REPEATED = "repeated"


class LogUnavailable(Exception):
    """The log can't be written or read now. What was asked has not happened."""


class Deposed(LogUnavailable):
    """Another process runs this room now: this one writes nothing any more."""


class OutcomeUnknown(Exception):
    """The log was lost during the commit: it may have happened. Read the log again before anything else."""


@dataclass(frozen=True, slots=True)
class Row:
    """A journal row as it was committed."""

    seq: int
    at: Millis
    events: tuple[Event, ...] = field(repr=False)
    key: CommandKey | None = None
    answer: Answer | None = None


@value
class SeatRow:
    """A seat as the money side of the log has it: the stack before the open hand, and chips that wait to be added."""

    seat: SeatNo
    account: AccountId
    name: str
    kind: str
    stack: Chips
    pending: Chips


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that is needed to go on with a table. ``rows`` are those after the snapshot, in order.

    ``unreadable`` says why the rows end early (a row that can't be decoded, a deck that can't be unsealed); then
    ``rows`` are those before it and ``last_seq`` is still that of the last row written; ``hands`` is the highest number
    that a hand of this table can have had, so that those of a new history get other ids. ``owner`` is who opened it.
    """

    table: TableId
    settings: TableSettings
    owner_epoch: int
    history_epoch: int
    last_seq: int
    snapshot: Snapshot | None
    rows: tuple[Row, ...]
    seats: tuple[SeatRow, ...]
    unreadable: str | None = None
    hands: int = 0
    owner: AccountId | None = None


class Log(Protocol):
    """The journal with the money that its events move, in one transaction a commit."""

    async def create(
        self,
        table: TableId,
        settings: TableSettings,
        owner: AccountId | None,
        at: Millis,
        opening: Opening | None = None,
    ) -> None:
        """A new table, with no rows, owned by this process; owner and history epoch are 1.

        ``opening`` becomes its line in the audit log, in the same transaction. Raises LogUnavailable, OutcomeUnknown,
        and Repeated for a key that was used.
        """

    async def commit(self, batches: Sequence[Batch]) -> Mapping[TableId, Outcome]:
        """Write batches of different tables in one transaction.

        Raises LogUnavailable or OutcomeUnknown, for all of them. Any other error says that one of them can't be written
        as it is, and that nothing was.
        """

    async def claim(self) -> Sequence[StoredTable]:
        """Become the owner of every open table (its owner epoch goes up by one) and read what is needed to go on."""

    async def read(self, table: TableId) -> StoredTable:
        """One owned table again, as it stands in the log; its owner epoch goes up by one."""

    async def answer(self, table: TableId, key: CommandKey) -> Answer | None:
        """The answer given to a command that was committed; None if there is none."""

    async def restart_history(self, table: TableId, batch: Batch) -> Outcome:
        """Commit a batch that begins a new history: the history epoch goes up by one; rows before it stay."""


# --- ownership and the bus (one process now; several later) ----------------------------------------------------------


class Ownership(Protocol):
    """Which process may write: one that loses this while it lives can't, and is to end."""

    lost: asyncio.Event
    """Set when another process has taken over."""

    async def acquire(self) -> None:
        """Raises AlreadyOwned when another live process holds it, LogUnavailable or OutcomeUnknown."""

    async def release(self) -> None: ...


class AlreadyOwned(Exception):
    """Another process runs this room."""


class NoOwner(Exception):
    """Nobody listens on that subject."""


class BusTimeout(Exception):
    """The answer did not come in time."""


Handler = Callable[[bytes], Awaitable[bytes | None]]


class Subscription(Protocol):
    def cancel(self) -> None: ...


class Bus(Protocol):
    """Carries only what can be had again from the log."""

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        """The answer of the subject's one handler. Raises NoOwner or BusTimeout."""

    def publish(self, subject: str, data: bytes) -> None: ...

    def subscribe(self, subject: str, handler: Handler) -> Subscription: ...


# --- finished hands --------------------------------------------------------------------------------------------------


@value
class HandQuery:
    """Finished hands, newest first. ``cursor`` is where the page before ended; instants bound the hand's end."""

    table: TableId | None = None
    account: AccountId | None = None
    since: Millis | None = None
    until: Millis | None = None
    cursor: str | None = None
    limit: int = 50


class Hands(Protocol):
    async def find(self, query: HandQuery) -> tuple[Sequence[HandRecord], str | None]:
        """A page and the cursor of the next, whole: the caller cuts them for the viewer (``seen_by``)."""

    async def get(self, hand: HandId) -> HandRecord | None: ...

"""What a database holds, read from outside while the room runs or after it: journals whole, and where the chips are."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from fullring import store
from fullring.rules.cards import text
from fullring.rules.events import CardsShown, HandStarted, StreetDealt
from fullring.runtime.ports import CommandKey, Row
from fullring.store import codec, seal
from fullring.store.schema import accounts, journal, seats, table_settings
from fullring.store.seal import Seal
from fullring.store.store import Store
from fullring.table.events import Event, ShownLate
from fullring.table.ids import AccountId, HandId
from fullring.table.settings import TableSettings
from fullring.table.table import evolve, opened
from fullring.table.views import public_events, public_view, you
from fullring.wire.codec import encode

HOLE_CARDS = 2
Holes = dict[str, frozenset[str]]
"""Hole cards by account."""


@dataclass(frozen=True, slots=True)
class Books:
    """A visitor's look into a room's database."""

    store: Store
    seal: Seal

    async def settings(self, table: str) -> TableSettings:
        wanted = sa.select(table_settings.c.version, table_settings.c.payload).where(table_settings.c.table_id == table)
        row = await self.store.database.read(lambda connection: connection.execute(wanted).one())
        return codec.read_settings(row.version, row.payload)

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        """The table's journal, in order."""
        wanted = sa.select(journal).where(journal.c.table_id == table, journal.c.seq > after).order_by(journal.c.seq)
        found = await self.store.database.read(lambda connection: connection.execute(wanted).all())
        return [self._row(row) for row in found]

    async def chips(self) -> int:
        """All that accounts and seats have, as of one instant."""
        held = sa.select(sa.func.coalesce(sa.func.sum(accounts.c.chips), 0)).scalar_subquery()
        lying = sa.select(sa.func.coalesce(sa.func.sum(seats.c.stack + seats.c.pending), 0)).scalar_subquery()
        return int(
            await self.store.database.read(lambda connection: connection.execute(sa.select(held + lying)).scalar_one())
        )

    async def discrepancies(self) -> Sequence[str]:
        return await self.store.ledger.audit()

    def _row(self, found: sa.Row[Any]) -> Row:
        events = codec.read_events(found.version, found.payload)
        if found.sealed is not None:
            events = tuple([self._with_deck(event, found) for event in events])
        key = None
        if found.command_id is not None:
            key = CommandKey(AccountId(found.account_id), codec.read_key(found.command_id))
        return Row(found.seq, found.at, events, key, None if found.answer is None else codec.read_answer(found.answer))

    def _with_deck(self, event: Event, found: sa.Row[Any]) -> Event:
        if not isinstance(event, HandStarted):
            return event
        return replace(event, deck=self.seal.unseal(found.sealed, table=found.table_id, hand=event.hand))


@asynccontextmanager
async def books(url: str, folder: Path) -> AsyncIterator[Books]:
    """``folder`` has the key that seals the decks."""
    keys = seal.key_file(folder / "seal.key")
    opened_store = await store.open(url, seal_keys=keys, visiting=True)
    try:
        yield Books(opened_store, Seal(keys))
    finally:
        await opened_store.close()


@dataclass(frozen=True, slots=True)
class Moment:
    """A table after one update, as its journal has it.

    ``public`` are the cards of the hand on the table that everybody may know, ``holes`` those of each account, found
    from the deck alone. ``you`` are each account's own parts: several where the last rows concerned one seat alone.
    """

    table: str
    epoch: int
    seq: int
    row: Row
    hand: HandId
    events: list[dict[str, Any]]
    view: msgspec.Raw
    you: dict[str, list[dict[str, Any]]]
    public: frozenset[str]
    holes: Holes

    def frame(self, events: Sequence[dict[str, Any]], *, lost: bool = False) -> bytes:
        """The bytes that everybody was sent, with those events."""
        update: dict[str, Any] = {"type": "update", "table": self.table, "epoch": self.epoch, "seq": self.seq}
        update |= {"at": self.row.at, "events": events, "view": self.view}
        return encode(update | {"lost": True} if lost else update)


def moments(table: str, settings: TableSettings, rows: Sequence[Row], epoch: int = 1) -> Iterator[Moment]:
    """The table's life, update by update."""
    now = opened(table, settings)
    public: frozenset[str] = frozenset()
    holes: Holes = {}
    last: Moment | None = None
    for row in rows:
        late: frozenset[str] = frozenset()  # It may be of the hand before the one on the table.
        for event in row.events:
            if isinstance(event, HandStarted):
                public = frozenset()
                holes = _dealt(event, {seat.seat: seat.account for seat in now.seats.values()})
            elif isinstance(event, StreetDealt | CardsShown):
                public |= _names(event.cards)
            elif isinstance(event, ShownLate):
                late |= _names(event.cards)
        before = now.seq
        evolve(now, row.events, row.at)
        own = {seat.account: you(now, seat.seat) for seat in now.seats.values()}
        if now.seq == before:  # It concerned one seat alone.
            assert last is not None, "somebody sits there"
            for account, part in own.items():
                last.you[account].append(part)
            continue
        if last is not None:
            yield last
        if now.finished is not None and now.finished.id == now.hand_id:
            public |= late
        view = msgspec.Raw(encode(public_view(now)))
        parts = {str(account): [part] for account, part in own.items()}
        events = public_events(now, row.events)
        last = Moment(table, epoch, now.seq, row, now.hand_id, events, view, parts, public | late, holes)
    if last is not None:
        yield last


def shown_in(life: Iterable[Moment]) -> dict[str, tuple[frozenset[str], Holes]]:
    """By hand: the cards that everybody may know when it is over, also those shown late, and each account's own."""
    shown: dict[str, tuple[frozenset[str], Holes]] = {}
    late: dict[str, frozenset[str]] = defaultdict(frozenset)
    for moment in life:
        shown[moment.hand] = moment.public, moment.holes
        for event in moment.row.events:
            if isinstance(event, ShownLate):
                late[event.hand] |= _names(event.cards)
    return {hand: (public | late[hand], holes) for hand, (public, holes) in shown.items()}


def _dealt(started: HandStarted, accounts_at: dict[int, AccountId]) -> Holes:
    """One card at a time, clockwise from the first in ``seats``, off the top of the deck."""
    order, size = [stake.seat for stake in started.seats], len(started.seats)
    return {
        accounts_at[seat]: _names([started.deck[place + size * turn] for turn in range(HOLE_CARDS)])
        for place, seat in enumerate(order)
    }


def _names(cards: Sequence[int]) -> frozenset[str]:
    return frozenset([text(card) for card in cards])

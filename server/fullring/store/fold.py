"""A table as the fold of its journal, row by row from where that begins, with the chips that the rows move.

It trusts nothing: a row that does not follow from those before it is told as Broken, in words that name no card.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from fullring.rules.actions import SeatNo
from fullring.rules.cards import FULL_DECK, UNKNOWN, Deck
from fullring.rules.events import HandStarted, HandVoided
from fullring.rules.record import HandRecord
from fullring.runtime.ports import SeatRow
from fullring.store import codec
from fullring.store.codec import Unreadable
from fullring.store.money import Seats, Transfer, Unbalanced, reseat, settle
from fullring.store.seal import CannotUnseal, Seal
from fullring.table.events import Event, Seated
from fullring.table.ids import Millis
from fullring.table.kept import emptied, restore, snapshot
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Snapshot
from fullring.table.state import Table
from fullring.table.table import evolve, opened, record

_BROKEN: Final = (AssertionError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What code raises that meets what it was not made for."""


class Broken(Exception):
    """A row that can't follow those before it."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row of the journal as it stands there. Its columns have these names and this order."""

    table_id: str
    seq: int
    owner_epoch: int
    at: Millis
    account_id: str | None
    command_id: str | None
    answer: str | None
    version: int
    payload: str = field(repr=False)
    sealed: bytes | None = field(repr=False)


Decks: TypeAlias = Callable[[HandStarted, FoundRow], Deck]
"""The deck of the hand that starts in a row. Raises CannotUnseal."""


def unsealed(seal: Seal) -> Decks:
    def deck(started: HandStarted, found: FoundRow) -> Deck:
        if found.sealed is None:
            raise CannotUnseal(f"hand {started.hand} has no deck")
        return seal.unseal(found.sealed, table=found.table_id, hand=started.hand)

    return deck


def unknown(_started: HandStarted, _found: FoundRow) -> Deck:
    """No deck at all: who sits where with what follows from the events alone."""
    return Deck([UNKNOWN] * len(FULL_DECK))


@dataclass(frozen=True, slots=True)
class Taken:
    """What a row brings. ``whole`` is False where the hole cards in the record are not known."""

    events: tuple[Event, ...]
    transfers: tuple[Transfer, ...]
    record: HandRecord | None
    whole: bool
    fault: CannotUnseal | None
    """Why the deck of the hand that starts in the row can't be had; None if it can, or if none starts."""


class Fold:
    """``seq`` is the last row taken. ``sound`` is False from a broken row to where a new history begins.

    ``renewals`` is how often a new history may begin in these rows.
    """

    def __init__(
        self, table: str, settings: TableSettings, begins: int, base: Snapshot | None, decks: Decks, *, renewals: int
    ) -> None:
        self.seq = begins
        self._renewals = renewals
        self.sound = True
        self.anew = False
        """Whether the last row began a new history."""
        self._settings = settings
        self._decks = decks
        self._epoch = 0
        self._whole = True
        self.table = opened(table, settings) if base is None else restore(table, settings, base)
        self.seats: Seats | None = _seated(self.table)

    def snapshot(self, *, shown: bool = False) -> Snapshot | None:
        """None while a hand is in play. ``shown`` keeps the last hand, if its deck could be had."""
        return snapshot(self.table, shown=shown and self._whole) if self.table.between_hands else None

    def take(self, found: FoundRow, blank: Snapshot | None) -> Taken:
        """Raises Broken. ``blank`` is the snapshot of the row before, if that is the newest: a new history has one."""
        bumped, self._epoch = found.owner_epoch > self._epoch, found.owner_epoch
        missing = found.seq != self.seq + 1
        self.seq, self.anew = found.seq, False
        try:
            events = codec.read_events(found.version, found.payload)
        except Unreadable as problem:
            raise self._broken(str(problem)) from None
        if bumped and self._renewals and self._begins_anew(events):
            return self._begin_anew(events, found, blank)
        if not self.sound:
            self._move(events)
            raise Broken("it follows a row that can't be replayed")
        if missing:
            raise self._broken("a row before it is missing")
        return self._follow(events, found)

    def _follow(self, events: tuple[Event, ...], found: FoundRow) -> Taken:
        deck_fault = None
        started = next((event for event in events if isinstance(event, HandStarted)), None)
        if started is not None:
            deck, deck_fault = self._deck(started, found)
            self._whole = deck_fault is None and UNKNOWN not in deck
            events = tuple([replace(event, deck=deck) if event is started else event for event in events])
        try:
            kept = record(self.table, events, found.at)
            evolve(self.table, events, found.at)
            if self._whole:
                self._check_cards()
        except _BROKEN as fault:
            # An assertion of ours may look at cards: none of its text is told.
            raise self._broken(f"it does not follow from the rows before it ({type(fault).__name__})") from None
        transfers = self._move(events)
        if self.seats is not None and self.seats != _seated(self.table):
            raise self._broken("the chips that it moves are not those that the table has afterwards")
        return Taken(events, transfers, kept, self._whole, deck_fault)

    def _deck(self, started: HandStarted, found: FoundRow) -> tuple[Deck, CannotUnseal | None]:
        try:
            deck = self._decks(started, found)
            if UNKNOWN not in deck and sorted(deck) != sorted(FULL_DECK):
                raise CannotUnseal(f"the deck of hand {started.hand} is not one of {len(FULL_DECK)} cards")
        except CannotUnseal as problem:
            return unknown(started, found), problem
        return deck, None

    def _check_cards(self) -> None:
        """The board comes from the deck, and nobody shows a card that was dealt to another."""
        hand = self.table.hand
        if hand is None:
            return
        assert tuple(hand.board) == tuple(hand.deck[hand.dealt - len(hand.board) : hand.dealt])
        assert all(set(shown) <= set(hole) for shown, hole in zip(hand.shown, hand.holes, strict=True))

    def _move(self, events: tuple[Event, ...]) -> tuple[Transfer, ...]:
        if self.seats is None:
            return ()
        try:
            self.seats, transfers = settle(self.seats, events)
        except Unbalanced as problem:
            raise self._broken(str(problem)) from None
        return tuple(transfers)

    def _broken(self, why: str) -> Broken:
        self.sound = False
        self.seats = None
        return Broken(why)

    def _begins_anew(self, events: tuple[Event, ...]) -> bool:
        """Whether everybody who sat here is seated once more, with the same chips, and nothing else happens."""
        if not all(isinstance(event, Seated | HandVoided) for event in events):
            return False
        if self.seats is None:
            return True
        try:
            return bool(reseat(self.seats, events)) or not events
        except Unbalanced:
            return False

    def _begin_anew(self, events: tuple[Event, ...], found: FoundRow, blank: Snapshot | None) -> Taken:
        self._renewals -= 1
        old, known = self.table, self.sound and self._whole
        kept = None
        if known and not old.between_hands:
            voided = [event for event in events if isinstance(event, HandVoided)]
            kept = record(old, voided, found.at) if voided else None
        self.table = restore(old.id, self._settings, blank or emptied(old))
        self.sound, self.anew = True, True
        try:
            evolve(self.table, events, found.at)
        except _BROKEN:
            raise self._broken("it begins a new history, and can't") from None
        self.seats = _seated(self.table)
        return Taken(events, (), kept, known, None)


def _seated(table: Table) -> Mapping[SeatNo, SeatRow]:
    return {
        seat.seat: SeatRow(seat.seat, seat.account, seat.name, seat.kind, seat.stack, seat.pending)
        for seat in table.seats.values()
    }

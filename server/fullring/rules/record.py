"""A finished hand: a copy of the facts at the time, complete after everybody has left."""

from collections.abc import Iterable
from dataclasses import field, replace

from fullring.rules.actions import SeatNo
from fullring.rules.cards import Card, Deck
from fullring.rules.events import CardsShown, Event, HandEnded, HandStarted, HandVoided
from fullring.rules.value import value


@value
class Player:
    """Who sat in a seat when the hand was dealt. ``account`` is an opaque id, ``kind`` guest, player or bot."""

    seat: SeatNo
    account: str
    name: str
    kind: str


@value
class HoleCards:
    """The cards dealt to a seat, as far as the reader of the record may know them: () where not at all."""

    seat: SeatNo
    cards: tuple[Card, ...] = field(repr=False)


@value
class HandRecord:
    """Everything that happened in one hand, in order. Instants are Unix milliseconds, UTC.

    ``events`` begin with a ``HandStarted`` whose deck is empty and end with ``HandEnded`` or ``HandVoided``; cards
    shown by choice after the end are in ``shown_late``. ``holes`` has an entry for each seat dealt in.
    """

    hand: str
    number: int
    table: str
    table_name: str
    small_blind: int
    big_blind: int
    ante: int
    seats: int
    started_at: int
    ended_at: int
    players: tuple[Player, ...]
    holes: tuple[HoleCards, ...]
    events: tuple[Event, ...]
    shown_late: tuple[CardsShown, ...] = ()

    @property
    def started(self) -> HandStarted:
        first = self.events[0]
        assert isinstance(first, HandStarted)
        return first

    @property
    def ended(self) -> HandEnded | HandVoided:
        last = self.events[-1]
        assert isinstance(last, HandEnded | HandVoided)
        return last


def without_deck(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with nothing of the deck left in them."""
    return tuple([replace(event, deck=Deck()) if isinstance(event, HandStarted) else event for event in events])


def seen_by(record: HandRecord, account: str | None) -> HandRecord:
    """The hand as one account may see it: own hole cards, and what was shown. None is a spectator."""
    own = {player.seat for player in record.players if player.account == account}
    shown: dict[SeatNo, tuple[Card, ...]] = {}
    for event in (*record.events, *record.shown_late):
        if isinstance(event, CardsShown):
            shown[event.seat] = event.cards
    return HandRecord(
        hand=record.hand,
        number=record.number,
        table=record.table,
        table_name=record.table_name,
        small_blind=record.small_blind,
        big_blind=record.big_blind,
        ante=record.ante,
        seats=record.seats,
        started_at=record.started_at,
        ended_at=record.ended_at,
        players=record.players,
        holes=tuple(
            [
                HoleCards(hole.seat, hole.cards if hole.seat in own else shown.get(hole.seat, ()))
                for hole in record.holes
            ]
        ),
        events=record.events,
        shown_late=record.shown_late,
    )

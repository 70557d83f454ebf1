"""What must hold of any table after any batch, whoever looks at it. Knows no particular table."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fullring.rules import events as hands
from fullring.rules.cards import FULL_DECK, Card, text
from fullring.table.events import ChipsAdded, Event, Left, Seated, ShownLate, ToppedUp
from fullring.table.ids import Millis
from fullring.table.kept import restore, snapshot
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Snapshot
from fullring.table.state import Table
from fullring.table.table import evolve, opened
from fullring.table.views import public_events, public_view, you
from fullring.wire.codec import encode
from fullring.wire.server import Update
from tests.table.facts import between_hands, facts

_TOLD = [(card, f'"{text(card)}"'.encode()) for card in FULL_DECK]
"""Each card as it stands in what is sent."""


def moved(events: Iterable[Event]) -> int:
    """The chips that came to the table, less those that left it for an account or as rake."""
    chips = 0
    for event in events:
        match event:
            case Seated():
                chips += event.stack
            case ChipsAdded():
                chips += event.amount
            case ToppedUp():
                chips -= event.returned
            case Left():
                chips -= event.stack
            case hands.HandEnded():
                chips -= event.rake
            case _:
                pass
    return chips


def check(table: Table, bought: int) -> None:
    """Every chip that was bought is at a seat or in the pot; no card is twice in play; one seat to act at most."""
    lying = sum(table.stack(seat) + seat.pending for seat in table.seats.values())
    hand = table.hand
    if hand is not None and not hand.over:
        lying += hand.pot
        assert set(hand.seats) <= set(table.seats), "who was dealt in stays until the end"
        assert table.deadline is None or hand.seat_to_act is not None
        assert table.paused is not None or table.deadline is not None or hand.seat_to_act is None
    else:
        assert table.deadline is None, "a clock runs for a turn alone"
    assert lying == bought == table.chips, "chips are conserved"
    if hand is not None:
        cards = [*hand.board, *(card for hole in hand.holes for card in hole)]
        assert len(set(cards)) == len(cards), "no card is in play twice"
    accounts = [seat.account for seat in table.seats.values()]
    assert len(set(accounts)) == len(accounts), "one seat a player"
    for number, seat in table.seats.items():
        assert number == seat.seat
        assert 1 <= number <= table.settings.seats
        assert min(seat.stack, seat.pending, seat.time_bank_ms) >= 0
        assert seat.time_bank_ms <= max(table.settings.time_bank_ms, table.settings.time_bank_max_ms)


def update(table: Table, events: Sequence[Event], at: Millis) -> dict[str, Any]:
    """The update that everybody gets; no viewer's copy holds a card that this viewer may not know."""
    public: dict[str, Any] = {
        "type": "update",
        "table": table.id,
        "epoch": 1,
        "seq": table.seq,
        "at": at,
        "events": public_events(table, events),
        "view": public_view(table),
    }
    sent = encode(public)
    known = open_cards(table, events)
    assert seen(sent) <= known, "everybody is shown a hidden card"
    Update.model_validate_json(sent)
    for number in table.seats:
        own = you(table, number)
        copy = encode(public | {"you": own})
        assert copy.startswith(sent[:-1]), "the public part is the same bytes for everybody"
        assert seen(copy) <= known | set(table.hole_cards(number)), "a player is shown another's cards"
        Update.model_validate_json(copy)
    return public


def open_cards(table: Table, events: Iterable[Event]) -> set[Card]:
    """The cards that lie open: on the board, or shown."""
    hand = table.hand
    cards: set[Card] = set() if hand is None else {*hand.board, *(card for shown in hand.shown for card in shown)}
    for event in events:
        if isinstance(event, ShownLate):
            cards |= set(event.cards)
    return cards


def seen(sent: bytes) -> set[Card]:
    """The cards that somebody finds who searches these bytes."""
    return {card for card, told in _TOLD if told in sent}


@dataclass
class Journal:
    """The rows that were written, and snapshots of the table before some of them."""

    settings: TableSettings
    rows: list[tuple[Millis, Sequence[Event]]] = field(default_factory=list)
    snapshots: list[tuple[int, Snapshot]] = field(default_factory=list)

    def write(self, table: Table, events: Sequence[Event], at: Millis) -> None:
        """A row, about to be applied to the table."""
        if table.between_hands and (not self.rows or any(isinstance(event, hands.HandStarted) for event in events)):
            self.snap(table)
        self.rows.append((at, events))

    def snap(self, table: Table) -> None:
        self.snapshots.append((len(self.rows), snapshot(table)))

    def check(self, live: Table, snapshots: int = 3) -> None:
        """Replayed from the start, and from each of the last snapshots, it is the same table to everybody."""
        again = opened(live.id, self.settings)
        for at, events in self.rows:
            evolve(again, events, at)
        assert facts(again) == facts(live)
        assert shown(again) == shown(live)
        for row, taken in self.snapshots[-snapshots:]:
            table = restore(live.id, self.settings, taken)
            started = False
            for at, events in self.rows[row:]:
                evolve(table, events, at)
                started = started or any(isinstance(event, hands.HandStarted) for event in events)
            assert between_hands(table) == between_hands(live)
            if started:
                assert facts(table.hand) == facts(live.hand)
                assert shown(table) == shown(live)
        if live.between_hands and not live.closed:
            table = restore(live.id, self.settings, snapshot(live, shown=True))
            assert between_hands(table) == between_hands(live)
            assert shown(table) == shown(live)
            assert snapshot(table, shown=True) == snapshot(live, shown=True)


def shown(table: Table) -> str:
    """All that anybody sees of it."""
    return json.dumps([public_view(table), *(you(table, number) for number in sorted(table.seats))])

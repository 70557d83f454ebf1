"""A table between two hands, as plain values: where a replay may begin."""

from dataclasses import field

from fullring.rules.actions import Action, Chips, SeatNo
from fullring.rules.cards import Card
from fullring.rules.events import Event
from fullring.rules.record import Player
from fullring.rules.value import value
from fullring.table.events import Entry
from fullring.table.ids import AccountId, Millis
from fullring.table.settings import TableSettings


@value
class SeatSnapshot:
    """One seat, with everything that outlives a hand."""

    seat: SeatNo
    account: AccountId
    name: str
    kind: str
    stack: Chips
    pending: Chips
    connected: bool
    out: bool
    out_since: Millis
    out_until: Millis
    entry: Entry
    missed_small: bool
    missed_big: bool
    missed_count: int
    expiries: int
    time_bank_ms: Millis
    hands: int


@value
class Departure:
    """Who left with what, for the ratholing rule."""

    account: AccountId
    stack: Chips
    at: Millis


@value
class LastHand:
    """A hand that is over, and is shown until the next begins.

    ``events`` hold no deck; ``dealt`` are the cards that left it, in their order. ``shown`` are those that lie open,
    seat by seat; ``actions`` what those did last who were dealt in and still sit there. ``ended_at`` is 0 for a hand
    that was void.
    """

    started_at: Millis
    ended_at: Millis
    players: tuple[Player, ...]
    events: tuple[Event, ...]
    dealt: tuple[Card, ...] = field(repr=False)
    shown: tuple[tuple[Card, ...], ...]
    actions: tuple[tuple[SeatNo, Action | None], ...]


@value
class Snapshot:
    """``seq`` is the number of the last public update, ``last_at`` the instant of the last batch.

    ``settings`` are there where they are no longer those that the table was opened with; ``last`` is where the table
    was written down for its own sake, and not because the next hand starts.
    """

    seq: int
    hands: int
    button: SeatNo | None
    small_blind_at: SeatNo | None
    big_blind_at: SeatNo | None
    next_hand_at: Millis | None
    paused: str | None
    closing: str | None
    seats: tuple[SeatSnapshot, ...]
    departures: tuple[Departure, ...]
    last_at: Millis = 0
    paused_at: Millis | None = None
    average_pot: Chips = 0
    settings: TableSettings | None = None
    last: LastHand | None = None

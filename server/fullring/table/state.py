"""The state of a table: who sits where, what is owed, the hand in play, the clock. Only ``evolve`` writes to it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fullring.rules.actions import Action, Chips, SeatNo
from fullring.rules.cards import Card
from fullring.rules.events import Event as HandEvent
from fullring.rules.record import Player
from fullring.rules.state import FOLDED, Hand
from fullring.rules.value import value
from fullring.table.commands import PreAction
from fullring.table.events import Entry, OutReason
from fullring.table.ids import AccountId, HandId, Millis
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Departure

NO_HAND = HandId("")


@value
class Dues:
    """What a seat owes before it plays again."""

    entry: Entry
    missed_small: bool
    missed_big: bool
    missed_count: int


@value
class Places:
    """Where button and blinds stand. ``small_blind_at`` may be a seat that posts none (dead button)."""

    button: SeatNo | None = None
    small_blind_at: SeatNo | None = None
    big_blind_at: SeatNo | None = None


@dataclass(slots=True)
class Seat:
    """An occupied seat. While its hand is in play, ``stack`` is still the one that hand began with.

    ``entry`` says how it comes into the next hand: NOW once it plays. ``missed_small`` and ``missed_big`` are blinds
    owed, ``missed_count`` the big blinds that passed it since it was last dealt in. ``expiries`` counts turns that ran
    out in a row. ``out_since`` and ``out_until`` hold while it is ``absent``. ``dealt`` says that who sits here was
    dealt into the hand on the table, ``dues`` what was owed before that hand.
    """

    seat: SeatNo
    account: AccountId
    name: str
    kind: str
    stack: Chips
    entry: Entry
    time_bank_ms: Millis
    pending: Chips = 0
    connected: bool = True
    out: bool = False
    out_since: Millis = 0
    out_until: Millis = 0
    missed_small: bool = False
    missed_big: bool = False
    missed_count: int = 0
    expiries: int = 0
    hands: int = 0
    leaving: str | None = None
    sit_out_asked: OutReason | None = None
    armed: PreAction | None = None
    armed_to_call: Chips = 0
    last_action: Action | None = None
    dealt: bool = False
    dues: Dues | None = None

    @property
    def absent(self) -> bool:
        """Whether it sits out or has no connection: then the seat is not kept for ever."""
        return self.out or not self.connected

    @property
    def plays(self) -> bool:
        """Whether it can be dealt in, its blinds apart."""
        return not self.out and self.stack > 0 and self.leaving is None

    @property
    def player(self) -> Player:
        return Player(self.seat, self.account, self.name, self.kind)


@dataclass(slots=True)
class FinishedHand:
    """The last hand, for as long as cards may still be shown, and who played it."""

    id: HandId
    hand: Hand
    players: tuple[Player, ...]
    ended_at: Millis


@dataclass(slots=True)
class Table:
    """One table. ``seq`` numbers its public updates; ``hands`` the hands dealt.

    ``hand`` stays after its end, for those who look, until the next begins; ``places_before`` is where button and
    blinds stood before it. ``chips`` is all that lies on the table: what came less what went. ``next_settings`` hold
    when the hand in play is over; ``edited`` says that the settings are not those the table was opened with.
    """

    id: str
    settings: TableSettings
    seq: int = 0
    hands: int = 0
    seats: dict[SeatNo, Seat] = field(default_factory=dict)
    button: SeatNo | None = None
    small_blind_at: SeatNo | None = None
    big_blind_at: SeatNo | None = None
    hand: Hand | None = None
    hand_id: HandId = NO_HAND
    hand_started_at: Millis = 0
    hand_players: tuple[Player, ...] = ()
    hand_log: list[HandEvent] = field(default_factory=list)
    deadline: Millis | None = None
    bank_running: bool = False
    next_hand_at: Millis | None = None
    last_at: Millis = 0
    paused_at: Millis | None = None
    paused: str | None = None
    closing: str | None = None
    closed: bool = False
    chips: Chips = 0
    average_pot: Chips = 0
    departures: dict[AccountId, Departure] = field(default_factory=dict)
    finished: FinishedHand | None = None
    places_before: Places | None = None
    next_settings: TableSettings | None = None
    edited: bool = False

    @property
    def between_hands(self) -> bool:
        return self.hand is None or self.hand.over

    def seat_of(self, account: AccountId | None) -> Seat | None:
        """Where that account sits here, if it does."""
        for seat in self.seats.values():
            if seat.account == account:
                return seat
        return None

    def in_hand(self, seat: SeatNo) -> bool:
        """Whether the seat was dealt into the hand in play, folded or not."""
        return self.hand is not None and not self.hand.over and seat in self.hand.index

    def live(self, seat: SeatNo) -> bool:
        """Whether the seat still has a claim in the hand in play."""
        hand = self.hand
        return hand is not None and not hand.over and seat in hand.index and hand.status[hand.index[seat]] != FOLDED

    def stack(self, seat: Seat) -> Chips:
        """The chips behind, now."""
        hand = self.hand
        if hand is None or hand.over:
            return seat.stack
        i = hand.index.get(seat.seat)
        return seat.stack if i is None else hand.stacks[i]

    def hole_cards(self, seat: SeatNo) -> tuple[Card, ...]:
        """The cards, in the hand on the table, of who sits there now; none of who sat there before."""
        hand, here = self.hand, self.seats.get(seat)
        return hand.holes[hand.index[seat]] if hand is not None and here is not None and here.dealt else ()

    def clockwise(self, after: SeatNo) -> Iterator[Seat]:
        """The occupied seats, from the one behind ``after`` round to ``after`` itself."""
        size = self.settings.seats
        for step in range(1, size + 1):
            seat = self.seats.get((after - 1 + step) % size + 1)
            if seat is not None:
                yield seat

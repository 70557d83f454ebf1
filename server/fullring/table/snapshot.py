"""A table between two hands, as plain values: where a replay may begin."""

from fullring.rules.actions import Chips, SeatNo
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
class Snapshot:
    """``seq`` is the number of the last public update, ``last_at`` the instant of the last batch.

    ``settings`` are there where they are no longer those that the table was opened with.
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

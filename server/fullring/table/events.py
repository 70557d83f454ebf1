"""What happens at a table, around the events of its hands. Instants are Unix milliseconds."""

from dataclasses import field
from enum import StrEnum

from fullring.rules import events as hand_events
from fullring.rules.actions import Chips, SeatNo
from fullring.rules.cards import Card
from fullring.rules.value import value
from fullring.table.commands import PreAction
from fullring.table.ids import AccountId, HandId, Millis, TurnId
from fullring.table.settings import TableSettings


class OutReason(StrEnum):
    """Why a seat sits out."""

    ASKED = "asked"
    TIMEOUT = "timeout"
    AWAY = "away"
    BUSTED = "busted"


class Entry(StrEnum):
    """How a seat comes into play: at once, with the big blind when it arrives, or by posting."""

    NOW = "now"
    BIG_BLIND = "big_blind"
    POST = "post"


@value
class TableOpened:
    table: str
    settings: TableSettings


@value
class Seated:
    """Chips move from the account to the table: ``stack`` of them."""

    seat: SeatNo
    account: AccountId
    name: str
    kind: str
    stack: Chips
    entry: Entry
    at: Millis


@value
class Left:
    """Chips move from the table back to the account: ``stack`` of them, pending ones included."""

    seat: SeatNo
    account: AccountId
    name: str
    stack: Chips
    reason: str
    at: Millis


@value
class LeaveAsked:
    """The seat is given up when the hand in play is over."""

    seat: SeatNo
    reason: str


@value
class SatOut:
    """``until`` is when the seat is given up."""

    seat: SeatNo
    reason: OutReason
    at: Millis
    until: Millis


@value
class SitOutAsked:
    """To sit out when the hand in play is over; ``asked`` False takes it back."""

    seat: SeatNo
    asked: bool
    reason: OutReason = OutReason.ASKED


@value
class SatIn:
    seat: SeatNo
    entry: Entry


@value
class ChipsAdded:
    """Chips move from the account to the table, where they wait for the end of the hand."""

    seat: SeatNo
    account: AccountId
    amount: Chips


@value
class ToppedUp:
    """Waiting chips join the stack, now ``stack``. ``returned`` went back to the account, being above the maximum."""

    seat: SeatNo
    account: AccountId
    amount: Chips
    stack: Chips
    returned: Chips = 0


@value
class ConnectionChanged:
    seat: SeatNo
    connected: bool


@value
class BlindMissed:
    """The blind passed a seat that sits out."""

    seat: SeatNo
    big: bool


@value
class ClockStarted:
    """The turn that has just begun, or goes on after a pause, lasts until ``deadline``."""

    turn: TurnId
    seat: SeatNo
    deadline: Millis


@value
class TimeBankStarted:
    turn: TurnId
    seat: SeatNo
    deadline: Millis


@value
class TimeBankChanged:
    """What is left in the seat's time bank."""

    seat: SeatNo
    left: Millis


@value
class TurnExpired:
    """A turn ran out. It counts towards sitting out."""

    seat: SeatNo
    connected: bool


@value
class Armed:
    seat: SeatNo
    action: PreAction
    to_call: Chips


@value
class Disarmed:
    seat: SeatNo


@value
class ShownLate:
    """Cards shown by choice after the hand."""

    hand: HandId
    seat: SeatNo
    cards: tuple[Card, ...]


@value
class HandDue:
    """The next hand starts at ``at``, if enough players are there."""

    at: Millis


@value
class Positions:
    """Where the blinds of the hand that starts stand. ``small_blind`` None: nobody posts it."""

    button: SeatNo
    small_blind: SeatNo | None
    small_blind_at: SeatNo
    big_blind: SeatNo
    at: Millis


@value
class Paused:
    reason: str


@value
class Resumed:
    reason: str
    lost_connections: bool = False


@value
class SettingsChanged:
    """They hold from the next hand on: at once where none is in play."""

    settings: TableSettings


@value
class ClosingStarted:
    reason: str


@value
class Closed:
    reason: str


@value
class Chatted:
    account: AccountId
    name: str
    text: str = field(repr=False)


TableEvent = (
    TableOpened | Seated | Left | LeaveAsked | SatOut | SitOutAsked | SatIn | ChipsAdded | ToppedUp | ConnectionChanged
    | BlindMissed | ClockStarted | TimeBankStarted | TimeBankChanged | TurnExpired | Armed | Disarmed | ShownLate
    | HandDue | Positions | Paused | Resumed | SettingsChanged | ClosingStarted | Closed | Chatted
)  # fmt: skip
Event = TableEvent | hand_events.Event

PRIVATE = (Armed, Disarmed)
"""Events that concern one seat alone. A batch of nothing else makes no update for the others."""

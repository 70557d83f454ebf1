"""What happened at a table since the update before. All of it is public; a viewer needs it only to tell the story."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from fullring.wire.fields import ActionName, Card, Chips, Count, GameCode, Id, Maybe, SeatNo, Shape, Street, Time
from fullring.wire.view import Rank, Settings


class Player(Shape):
    """A seat dealt in, with its stack before anything is posted."""

    seat: SeatNo
    account: Id
    name: str
    stack: Chips


class Share(Shape):
    seat: SeatNo
    amount: Chips


class Stack(Shape):
    seat: SeatNo
    stack: Chips


class HandStarted(Shape):
    type: Literal["hand_started"] = "hand_started"
    hand: Id
    number: Count
    game: GameCode
    button: SeatNo
    small_blind: Chips
    big_blind: Chips
    ante: Chips
    seats: list[Player]


class Posted(Shape):
    type: Literal["posted"] = "posted"
    seat: SeatNo
    kind: Literal["small_blind", "big_blind", "ante", "dead_blind", "straddle"]
    amount: Chips
    all_in: bool


class HoleCardsDealt(Shape):
    """``count`` cards to each of ``seats``; which ones stands only in each seat's own ``you``."""

    type: Literal["hole_cards_dealt"] = "hole_cards_dealt"
    seats: list[SeatNo]
    count: Count


class TurnStarted(Shape):
    type: Literal["turn_started"] = "turn_started"
    turn: Id
    seat: SeatNo
    deadline: Time


class TimeBankStarted(Shape):
    type: Literal["time_bank_started"] = "time_bank_started"
    turn: Id
    seat: SeatNo
    deadline: Time


class Acted(Shape):
    """``amount`` is the chips added, ``to`` the seat's total for the street; ``auto`` says why the table acted."""

    type: Literal["acted"] = "acted"
    seat: SeatNo
    turn: Id
    action: ActionName
    amount: Chips
    to: Chips
    all_in: bool
    auto: Maybe[Literal["timeout", "away", "left", "armed"]] = None


class StreetDealt(Shape):
    """``cards`` are the new ones, ``board`` all of it."""

    type: Literal["street_dealt"] = "street_dealt"
    street: Street
    cards: list[Card]
    board: list[Card]


class UncalledReturned(Shape):
    type: Literal["uncalled_returned"] = "uncalled_returned"
    seat: SeatNo
    amount: Chips


class CardsShown(Shape):
    type: Literal["cards_shown"] = "cards_shown"
    seat: SeatNo
    cards: list[Card]
    rank: Maybe[Rank] = None


class Mucked(Shape):
    type: Literal["mucked"] = "mucked"
    seat: SeatNo


class PotAwarded(Shape):
    """``pot`` counts from 0, the main pot; side pots are awarded before it."""

    type: Literal["pot_awarded"] = "pot_awarded"
    pot: Count
    amount: Chips
    winners: list[Share]


class HandEnded(Shape):
    type: Literal["hand_ended"] = "hand_ended"
    hand: Id
    stacks: list[Stack]
    rake: Chips


class HandVoided(Shape):
    """The hand could not go on: ``stacks`` are those it began with."""

    type: Literal["hand_voided"] = "hand_voided"
    hand: Id
    reason: str
    stacks: list[Stack]


class _SeatChanged(Shape):
    seat: SeatNo
    account: Id
    name: str
    stack: Chips
    reason: Maybe[str] = None


class Seated(_SeatChanged):
    type: Literal["seated"] = "seated"


class Left(_SeatChanged):
    """``stack`` is what the player took away."""

    type: Literal["left"] = "left"


class SatOut(_SeatChanged):
    type: Literal["sat_out"] = "sat_out"


class SatIn(_SeatChanged):
    type: Literal["sat_in"] = "sat_in"


class ToppedUp(_SeatChanged):
    """``stack`` is what stands there now."""

    type: Literal["topped_up"] = "topped_up"


class ConnectionChanged(Shape):
    type: Literal["connection_changed"] = "connection_changed"
    seat: SeatNo
    connected: bool


class TablePaused(Shape):
    type: Literal["table_paused"] = "table_paused"
    reason: str


class TableResumed(Shape):
    type: Literal["table_resumed"] = "table_resumed"
    reason: str


class SettingsChanged(Shape):
    """The table's host chose other settings. ``next_hand``: they hold when the hand in play is over."""

    type: Literal["settings_changed"] = "settings_changed"
    name: str
    game: GameCode
    settings: Settings
    next_hand: bool


class TableClosed(Shape):
    type: Literal["table_closed"] = "table_closed"
    reason: str


class Chatted(Shape):
    type: Literal["chatted"] = "chatted"
    account: Id
    name: str
    text: str


Event = Annotated[
    HandStarted
    | Posted
    | HoleCardsDealt
    | TurnStarted
    | TimeBankStarted
    | Acted
    | StreetDealt
    | UncalledReturned
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
    | HandVoided
    | Seated
    | Left
    | SatOut
    | SatIn
    | ToppedUp
    | ConnectionChanged
    | TablePaused
    | TableResumed
    | SettingsChanged
    | TableClosed
    | Chatted,
    Field(discriminator="type"),
]
EVENT_TYPES = tuple(model.model_fields["type"].default for model in get_args(get_args(Event)[0]))

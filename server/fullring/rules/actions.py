"""What may be asked of a hand, and what a seat may do on its turn."""

from enum import StrEnum

from fullring.rules.cards import Card
from fullring.rules.value import value

SeatNo = int
Chips = int


class Action(StrEnum):
    """What a player does on a turn. Amounts are the street's total ("raise to"), never an increment."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


class Auto(StrEnum):
    """Why the table acted for a player."""

    TIMEOUT = "timeout"
    AWAY = "away"
    LEFT = "left"
    ARMED = "armed"


@value
class Act:
    """A player's answer to a turn. ``to`` belongs to bet and raise alone; ``auto`` is set by the table."""

    seat: SeatNo
    action: Action
    to: Chips | None = None
    auto: Auto | None = None


@value
class Leave:
    """The seat's player has left the table.

    On its turn the seat folds at once; later it checks or folds as its turn comes, and folds where no decision is left.
    A seat that is all-in stays in.
    """

    seat: SeatNo


@value
class Show:
    """Turn up own cards that the showdown left hidden: one or both, once the hand is over."""

    seat: SeatNo
    cards: tuple[Card, ...]


Command = Act | Leave | Show


@value
class Legal:
    """All that the seat to act may do; what ``decide`` judges by and what a client is sent.

    ``call``, when not None, is the chips a call adds. ``to_min`` and ``to_max`` bound a bet or a raise as
    street totals and are None together, where neither is allowed; where they are equal, that one amount
    (all-in for less, or fixed limit) is the whole range. ``opens`` says that it would be a bet, not a raise.
    ``all_in`` is the street total of going all-in, None where that is not allowed.
    """

    seat: SeatNo
    call: Chips | None
    opens: bool
    to_min: Chips | None
    to_max: Chips | None
    all_in: Chips | None

    @property
    def check(self) -> bool:
        return self.call is None

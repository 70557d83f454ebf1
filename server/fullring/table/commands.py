"""What may be asked of a table. Who asks is an account, looked up from the connection, never a seat from a message."""

from dataclasses import field
from enum import StrEnum

from fullring.rules.actions import Action, Chips, SeatNo
from fullring.rules.cards import Card, Deck
from fullring.rules.value import value
from fullring.table.ids import AccountId, HandId, TurnId
from fullring.table.settings import TableSettings


class PreAction(StrEnum):
    """A pre-action. ``check`` and ``call`` are dropped when the amount to call changes; the others hold."""

    FOLD = "fold"
    CHECK = "check"
    CHECK_FOLD = "check_fold"
    CALL = "call"
    CALL_ANY = "call_any"


@value
class Sit:
    """``seat`` None takes any. ``post_now`` posts a big blind instead of waiting for it."""

    account: AccountId
    name: str
    kind: str
    buy_in: Chips
    seat: SeatNo | None = None
    post_now: bool = False
    join_code: str | None = field(default=None, repr=False)


@value
class Leave:
    account: AccountId


@value
class SitOut:
    account: AccountId


@value
class SitIn:
    account: AccountId
    post_now: bool = False


@value
class TopUp:
    account: AccountId
    amount: Chips


@value
class ActOnTurn:
    """An answer to one turn. It is refused as stale when that turn is over."""

    account: AccountId
    hand: HandId
    turn: TurnId
    action: Action
    to: Chips | None = None


@value
class Arm:
    account: AccountId
    hand: HandId
    action: PreAction
    to_call: Chips | None = None


@value
class Disarm:
    account: AccountId
    hand: HandId


@value
class ShowCards:
    account: AccountId
    hand: HandId
    cards: tuple[Card, ...] = field(repr=False)


@value
class Chat:
    account: AccountId
    name: str
    text: str


@value
class Connect:
    """The account has a live connection again, or has none any more."""

    account: AccountId
    connected: bool


@value
class Tick:
    """Time has passed: whatever was due by now happens. ``deck`` is shuffled, for a hand that may start."""

    deck: Deck = field(repr=False)


@value
class PlayArmed:
    """The pre-action that was held for the turn that is on is carried out now, at a table that blurs when."""


@value
class Pause:
    reason: str


@value
class Resume:
    """Go on after a pause or an outage; the player to act gets a full clock.

    ``lost_connections`` is set after a restart: nobody is connected yet, and an operator's pause still holds.
    ``by_host`` lifts a pause and nothing else: at a table that plays it changes nothing.
    """

    reason: str
    lost_connections: bool = False
    by_host: bool = False


@value
class Void:
    """The open hand cannot go on: stacks go back to its start."""

    reason: str


@value
class Close:
    """No more hands; when the one in play is over, everybody is cashed out and the table is gone."""

    reason: str


@value
class Kick:
    account: AccountId
    reason: str


@value
class Edit:
    """Other settings, from the next hand on; at once where none is in play. The number of seats stays."""

    settings: TableSettings


Command = (
    Sit | Leave | SitOut | SitIn | TopUp | ActOnTurn | Arm | Disarm | ShowCards | Chat | Connect | Tick
    | PlayArmed | Pause | Resume | Void | Close | Kick | Edit
)  # fmt: skip

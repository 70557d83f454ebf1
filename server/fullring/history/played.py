"""What became of a hand that was read from a file and played. Amounts are in the hand's units (`PhhHand`)."""

from fullring.history.phh import PhhHand
from fullring.rules.actions import Chips
from fullring.rules.events import PotAwarded
from fullring.rules.value import value


@value
class Step:
    """The state before a player's action. ``actor`` is None where nobody is to act.

    The limits are street totals, None where neither a bet nor a raise is allowed. ``max_raise_to`` is None also for a
    player of unknown stack.
    """

    actor: int | None
    to_call: Chips
    can_check: bool
    min_raise_to: Chips | None
    max_raise_to: Chips | None


@value
class Trouble:
    """Why a hand did not play through: at its ``action``-th player action, counted from 0."""

    action: int
    code: str
    message: str


@value
class Played:
    """A hand as far as it went.

    ``stacks`` are as they stand where the file or the trouble stops, without the bets then in the middle; None for an
    unknown stack. ``pots`` are those awarded, the main pot first: none before the hand is over.
    """

    hand: PhhHand
    over: bool
    stacks: tuple[Chips | None, ...]
    pots: tuple[PotAwarded, ...]
    steps: tuple[Step, ...]
    trouble: Trouble | None

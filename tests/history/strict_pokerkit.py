"""PokerKit as a reader without mercy: every line is applied as it stands, nothing is repaired, warnings are errors.

It burns cards of its own, which PHH does not write.
"""

import warnings
from typing import Any

from pokerkit import HandHistory
from pokerkit.notation import parse_action

FREE_FOLD = "There is no reason for this player to fold."


class NotTaken(Exception):
    """A line that PokerKit does not accept, or a hand that is not over after the last."""


def finishing_stacks(text: str) -> list[Any]:
    """The stacks at the end of the hand. Raises NotTaken. A fold where a check is free is the one thing it may say."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=FREE_FOLD)
        history = HandHistory.loads(text)
        state = history.create_state()
        for line in history.actions:
            while state.can_burn_card():
                state.burn_card("??")
            try:
                parse_action(state, line)
            except (ValueError, UserWarning, AssertionError) as error:
                raise NotTaken(f"{line}: {error}") from error
        if state.status:
            raise NotTaken("the hand is not over after the last line")
        return list(state.stacks)

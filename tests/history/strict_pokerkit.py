"""PokerKit as a reader without mercy: every line is applied as it stands, nothing is repaired, warnings are errors.

It burns cards of its own, which PHH does not write. And PokerKit as a writer, of hands that it plays at random.
"""

import warnings
from random import Random
from typing import Any

from pokerkit import Automation, HandHistory, Mode, NoLimitTexasHoldem
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


def played_by_pokerkit(seed: int) -> tuple[str, list[Any]]:
    """A no-limit hand that PokerKit dealt and wrote, with antes and straddles, and the stacks at its end."""
    random = Random(seed)
    size = random.randint(2, 8)
    blinds = [50, 100, 200] if size > 3 and random.random() < 0.2 else [50, 100]
    by_hand = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
    automations = tuple(one for one in Automation if one not in by_hand)
    game = NoLimitTexasHoldem(automations, True, random.choice((0, 10)), blinds, 100, mode=Mode.CASH_GAME)
    cards = random.sample([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"], 52)
    state = game([random.randint(200, random.choice((400, 8000))) for _ in range(size)], size)
    while state.status:
        low, top = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        if state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_hole():
            state.deal_hole(cards.pop() + cards.pop())
        elif state.can_deal_board():
            state.deal_board("".join(cards.pop() for _ in range(state.board_dealing_count or 0)))
        elif low is not None and top is not None and random.random() < 0.3:
            state.complete_bet_or_raise_to(random.choice((low, top, random.randint(low, top))))
        elif state.checking_or_calling_amount and random.random() < 0.2:
            state.fold()
        else:
            state.check_or_call()
    return HandHistory.from_game_state(game, state).dumps(), list(state.stacks)

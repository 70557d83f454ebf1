"""A bot that does anything allowed, by dice: good for trying out a table."""

from random import Random

from fullring.wire.view import Actions, TableView, You
from fullring_client.bot import ALL_IN, CALL, CHECK, FOLD, Action, bet, raise_to


class RandomBot:
    """Folds and goes all-in less often than it does the rest, or hands would be short."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def __call__(self, view: TableView, you: You) -> Action:
        assert view.hand
        assert view.hand.turn
        choices = allowed(view.hand.turn.actions, self._dice)
        weights = [{"fold": 1, "all_in": 1}.get(choice.name, 6) for choice in choices]
        return self._dice.choices(choices, weights)[0]


def allowed(actions: Actions, dice: Random) -> list[Action]:
    """One of each action that is allowed, with amounts by dice; no fold where checking is free."""
    choices: list[Action] = []
    if actions.check:
        choices.append(CHECK)
    elif actions.fold:
        choices.append(FOLD)
    if actions.call is not None:
        choices.append(CALL)
    if actions.bet is not None:
        choices.append(bet(dice.randint(actions.bet.min, actions.bet.max)))
    if actions.raise_ is not None:
        choices.append(raise_to(dice.randint(actions.raise_.min, actions.raise_.max)))
    if actions.all_in is not None:
        choices.append(ALL_IN)
    return choices

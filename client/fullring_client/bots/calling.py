"""The calling station: never folds, never raises."""

from fullring.wire.view import TableView, You
from fullring_client.bot import CALL, CHECK, FOLD, Action


def calling_station(view: TableView, you: You) -> Action:
    assert view.hand
    assert view.hand.turn
    actions = view.hand.turn.actions
    if actions.check:
        return CHECK
    return CALL if actions.call is not None else FOLD

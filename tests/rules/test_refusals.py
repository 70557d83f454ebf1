"""What is refused leaves no trace: for every reason that the rules have, the hand is afterwards what it was before."""

import pytest

from fullring.rules.actions import Act, Action, Command, Show
from fullring.rules.refusals import Refusal, Refused
from tests.rules.soundness import refusal
from tests.scenario import play

NO_LIMIT = "no-limit 50/100\nAnn 1000 AsKs\nBob 1000 QsJs\nCid 1000 button\n"
FACING_A_BET = NO_LIMIT
OPEN = NO_LIMIT + "Cid calls 100\nAnn calls 50\nBob checks\n"
NOT_REOPENED = (
    "no-limit 50/100\nAnn 1000\nBob 1000\nCid 1000\nDan 150 button\nCid calls 100\nDan goes all-in\nAnn folds\n"
)
NOT_REOPENED += "Bob calls 50\n"
POT_LIMIT = NO_LIMIT.replace("no-limit", "pot-limit")
OVER = NO_LIMIT + "Cid folds\nAnn folds\n"

REFUSED: tuple[tuple[str, Command, Refusal, str], ...] = (
    (FACING_A_BET, Act(1, Action.CALL), Refusal.NOT_YOUR_TURN, "seat 1 is not the one to act: seat 3 is"),
    (FACING_A_BET, Act(9, Action.CALL), Refusal.NOT_YOUR_TURN, "seat 9 is not the one to act: seat 3 is"),
    (OVER, Act(2, Action.CHECK), Refusal.NOT_YOUR_TURN, "seat 2 is not the one to act: nobody is"),
    (FACING_A_BET, Act(3, Action.CHECK), Refusal.ILLEGAL_ACTION, "a check is not possible: 100 to call"),
    (OPEN, Act(1, Action.CALL), Refusal.ILLEGAL_ACTION, "there is nothing to call: check, or bet or raise"),
    (
        OPEN,
        Act(1, Action.RAISE, 100),
        Refusal.ILLEGAL_ACTION,
        "a raise is not possible before a bet: bet between 100 and 900",
    ),
    (
        FACING_A_BET,
        Act(3, Action.BET, 300),
        Refusal.ILLEGAL_ACTION,
        "a bet is not possible after a bet: raise to between 200 and 1000",
    ),
    (NOT_REOPENED, Act(3, Action.RAISE, 300), Refusal.ILLEGAL_ACTION, "a raise is not allowed now: call 50 or fold"),
    (
        NOT_REOPENED,
        Act(3, Action.ALL_IN),
        Refusal.ILLEGAL_ACTION,
        "going all-in would be a raise, and none is allowed now",
    ),
    (POT_LIMIT, Act(3, Action.ALL_IN), Refusal.ILLEGAL_ACTION, "all-in for 1000 is above the maximum of 350"),
    (
        FACING_A_BET,
        Act(3, Action.RAISE),
        Refusal.BAD_AMOUNT,
        "a raise needs a whole number of chips as its street total: between 200 and 1000",
    ),
    (FACING_A_BET, Act(3, Action.RAISE, 199), Refusal.BAD_AMOUNT, "raise to 199 is below the minimum of 200"),
    (FACING_A_BET, Act(3, Action.RAISE, 1001), Refusal.BAD_AMOUNT, "raise to 1001 is above the maximum of 1000"),
    (OPEN, Act(1, Action.BET, 99), Refusal.BAD_AMOUNT, "bet 99 is below the minimum of 100"),
    (
        FACING_A_BET,
        Show(1, (51,)),
        Refusal.ILLEGAL_ACTION,
        "cards can be shown once the hand is over, by those who were in it",
    ),
    (OVER, Show(1, (51,)), Refusal.ILLEGAL_ACTION, "a folded hand can't be shown"),
    (OVER, Show(2, (51,)), Refusal.ILLEGAL_ACTION, "only own hole cards can be shown, each once"),
    (OVER + "Bob turns up Qs\n", Show(2, (43,)), Refusal.ILLEGAL_ACTION, "those cards are shown already"),
)


@pytest.mark.parametrize(("before", "command", "code", "text"), REFUSED)
def test_a_refused_command_leaves_no_trace(before: str, command: Command, code: Refusal, text: str) -> None:
    refused = refusal(play(before).hand, command)
    assert refused is not None
    assert (refused.code, refused.text) == (code, text)


def test_a_refusal_says_its_code_and_what_would_do() -> None:
    refused = Refused(Refusal.BAD_AMOUNT, "raise to 300 is below the minimum of 400", {"min": 400})
    assert str(refused) == "bad_amount: raise to 300 is below the minimum of 400"
    assert refused.details == {"min": 400}

"""The state of a hand, and the events that change it."""

import pytest

from fullring.rules.actions import Act, Action
from fullring.rules.hand import decide, evolve
from fullring.rules.state import Hand
from tests.rules.soundness import facts
from tests.rules.test_hand import STARTED
from tests.scenario import play

TEXT = """
    no-limit 50/100, ante 5
    Ann 1000
    Bob 1000
    Cid 1000 button

    Bob leaves
    Cid calls 100
    Ann raises to 300
    Bob is folded
    Cid calls 200
    Ann bets 100
"""


def test_a_copy_knows_the_same_and_shares_nothing_that_changes() -> None:
    hand = play(TEXT).hand
    twin = hand.copy()
    for name in Hand.__slots__:
        mine, its = getattr(hand, name), getattr(twin, name)
        assert mine == its
        assert not (isinstance(mine, list | dict | set) and mine is its) or name == "index"


def test_what_happens_to_a_copy_does_not_happen_to_the_hand() -> None:
    scenario = play(TEXT)
    before = facts(scenario.hand)
    twin = scenario.hand.copy()
    scenario.hand = twin
    for line in ("Cid raises to 200", "Ann folds", "Cid gets 100 back", "the hand is over"):
        scenario.read(line)
    assert facts(scenario.hand) != before
    assert facts(play(TEXT).hand) == before


def test_a_hand_starts_once() -> None:
    with pytest.raises(AssertionError, match="a hand starts once"):
        evolve(Hand(STARTED), STARTED)


def test_chips_that_are_not_there_cannot_be_paid() -> None:
    hand = play(TEXT).hand
    [event, *_] = decide(hand, Act(3, Action.CALL))
    hand.stacks[2] = 50
    hand.total -= 645
    with pytest.raises(AssertionError, match="nobody pays more than the stack"):
        evolve(hand, event)

"""A house bot's decisions: always one that is offered, and mostly a sensible one."""

from random import Random
from typing import Any

import pytest

from fullring.bots.strategy import Choice, choose, starting_score
from fullring.rules.actions import Action


def spot(
    cards: str,
    board: str = "",
    *,
    pot: int = 0,
    bets: tuple[int, ...] = (0, 0),
    stack: int = 1_000,
    raise_to: tuple[int, int] | None = None,
    **actions: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The view and the own part of seat 1, whose turn it is."""
    seats = [
        {"seat": seat, "stack": stack, "bet": bet, "holds": 2, "state": "active"} for seat, bet in enumerate(bets, 1)
    ]
    offered = {"fold": True, "check": "call" not in actions, **actions}
    if raise_to is not None:
        offered["raise"] = dict(zip(("min", "max"), raise_to, strict=True))
    hand = {
        "board": board.split(),
        "pots": [{"amount": pot, "eligible": [1, 2]}],
        "turn": {"seat": 1, "actions": offered},
    }
    return {"settings": {"big_blind": 10}, "seats": seats, "hand": hand}, {"seat": 1, "cards": cards.split()}


def choices(view: dict[str, Any], you: dict[str, Any], times: int = 100) -> list[Choice]:
    chance = Random(1).random
    return [choose(view, you, chance) for _ in range(times)]


def actions(view: dict[str, Any], you: dict[str, Any]) -> set[Action]:
    return {choice.action for choice in choices(view, you)}


@pytest.mark.parametrize(
    ("cards", "score"),
    [
        ("As Ah", 20),
        ("As Ks", 12),
        ("Qs Js", 9),
        ("Ts 9s", 8),
        ("5s 5h", 5),
        ("2s 2h", 5),
        ("7s 2h", -1),
        ("Ad Kh", 10),
    ],
)
def test_hole_cards_are_counted_as_chen_does(cards: str, score: int) -> None:
    assert starting_score(cards.split()) == score


def test_aces_are_raised_and_never_folded() -> None:
    raised = actions(*spot("As Ah", bets=(5, 10), call=5, all_in=1_005, raise_to=(20, 1_005)))
    shoved = actions(*spot("As Ah", bets=(5, 1_000), call=995, all_in=1_005))

    assert Action.RAISE in raised
    assert Action.FOLD not in raised | shoved


def test_the_worst_hand_is_folded_to_a_raise_and_checked_for_nothing() -> None:
    assert actions(*spot("7s 2h", bets=(10, 60), call=50, raise_to=(110, 1_000))) == {Action.FOLD}
    assert actions(*spot("7s 2h", bets=(10, 10), raise_to=(20, 1_000))) == {Action.CHECK}


def test_the_nuts_are_raised_and_nothing_is_folded_to_a_big_bet() -> None:
    board = "Ks Qs Js 2d 3h"
    nuts = spot("As Ts", board, pot=100, bets=(0, 100), call=100, all_in=1_000, raise_to=(200, 1_000))
    air = spot("4d 6c", board, pot=100, bets=(0, 100), call=100, all_in=1_000, raise_to=(200, 1_000))

    assert actions(*nuts) == {Action.RAISE}
    assert [choice.action for choice in choices(*air)].count(Action.FOLD) > 90


def test_a_good_hand_is_bet_and_a_bad_one_mostly_checked() -> None:
    board, bet = "Ah 7d 2c", {"min": 10, "max": 1_000}
    good, bad = (choices(*spot(cards, board, pot=60, all_in=1_000, bet=bet)) for cards in ("As Kd", "9s 8h"))

    assert [choice.action for choice in good].count(Action.BET) > 60
    assert [choice.action for choice in bad].count(Action.CHECK) > 60
    assert all(10 <= choice.to <= 1_000 for choice in (*good, *bad) if choice.to is not None)


def test_nobody_folds_for_nothing() -> None:
    dice = Random(2)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for _ in range(300):
        drawn = dice.sample(cards, 7)
        board = " ".join(drawn[2 : 2 + dice.choice([0, 3, 4, 5])])
        view, you = spot(" ".join(drawn[:2]), board, pot=30, bets=(0, 0, 0), bet={"min": 10, "max": 500})

        assert choose(view, you, dice.random).action is not Action.FOLD


def test_where_one_amount_is_offered_that_is_it() -> None:
    view, you = spot("As Ah", "Ad 7d 2c", pot=60, bet={"min": 20, "max": 20})

    assert {choice.to for choice in choices(view, you) if choice.action is Action.BET} == {20}


def test_a_call_is_made_where_a_raise_is_not_offered() -> None:
    assert actions(*spot("As Ah", bets=(10, 1_000), stack=300, call=300)) == {Action.CALL}


def test_a_raise_by_one_bet_is_a_raise_too() -> None:
    """The big blind has to call a bet to any raise at fixed limit, and to the smallest at any table."""
    assert actions(*spot("7s 4s", bets=(10, 20), call=10, pot=40, raise_to=(30, 30))) == {Action.FOLD}
    assert actions(*spot("Qs 9s", bets=(10, 20), call=10, raise_to=(30, 30))) == {Action.CALL}


@pytest.mark.parametrize("board", ["", "Ks Qs Js"])
def test_two_who_have_the_best_do_not_raise_each_other_without_end(board: str) -> None:
    cards = "As Ts" if board else "As Ah"
    third = spot(cards, board, bets=(20, 30), call=10, raise_to=(40, 40))
    fourth = spot(cards, board, bets=(30, 40), call=10, raise_to=(50, 50))

    assert Action.RAISE in actions(*third)
    assert actions(*fourth) == {Action.CALL}


def test_what_it_has_bet_on_the_street_counts_where_it_may_not_go_all_in() -> None:
    view, you = spot("As Ah", bets=(40, 120), pot=0, call=80, raise_to=(200, 360))

    assert {choice.to for choice in choices(view, you)} == {None, 360}

import asyncio
import json
from random import Random
from typing import Any

import pytest

from fullring.wire.codec import decode
from fullring.wire.errors import ErrorCode, Malformed
from fullring.wire.view import Actions
from fullring_client.bot import ALL_IN, CALL, CHECK, FOLD, Action, Bot
from fullring_client.bots import KINDS
from fullring_client.bots.calling import calling_station
from fullring_client.bots.dice import allowed
from fullring_client.bots.fuzz import fuzz
from fullring_client.bots.strength import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    WORST_GROUP,
    category,
    outs,
    starting_group,
    strength,
)
from fullring_client.bots.tight import TightAggressive
from fullring_client.connection import Room
from tests.client.fakes import Peer, fake_room
from tests.client.scenes import CALL_OR_RAISE, CHECK_OR_BET, hand, own, seat, seen, turn, update, view, you
from tests.client.test_connection import AT_ONCE


def decision(bot: Bot, cards: str, board: str = "", **changes: Any) -> Action:
    """What the bot does in seat 4 against seat 1, who bet 10 unless the changes say otherwise."""
    seats = changes.pop("seats", [seat(1), seat(4)])
    asked = turn(4, actions=changes.pop("actions", CALL_OR_RAISE))
    street = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}[len(board.split())]
    shown = view(*seats, hand=hand(street=street, board=board.split(), turn=asked, **changes))
    action = bot(seen(shown), own(*cards.split()))
    assert isinstance(action, Action)
    return action


def test_a_calling_station_checks_and_calls_and_folds_only_when_it_must() -> None:
    assert decision(calling_station, "2c 7d") == CALL
    assert decision(calling_station, "2c 7d", actions=CHECK_OR_BET) == CHECK
    assert decision(calling_station, "2c 7d", actions={"fold": True, "check": False, "all_in": 5}) == FOLD


def test_a_random_bot_does_only_what_is_allowed_and_all_of_it() -> None:
    for actions in (CALL_OR_RAISE, CHECK_OR_BET, {"fold": True, "check": False, "all_in": 7}):
        bot = KINDS["random"](Random(1))
        done = {decision(bot, "2c 7d", actions=actions).name for _ in range(300)}
        assert done == {choice.name for choice in allowed(Actions.model_validate(actions), Random(1))}


def test_amounts_by_dice_stay_within_their_bounds() -> None:
    actions = Actions.model_validate({"fold": True, "check": True, "bet": {"min": 10, "max": 12}, "all_in": 12})
    amounts = {choice.to for seed in range(40) for choice in allowed(actions, Random(seed)) if choice.name == "bet"}
    assert amounts == {10, 11, 12}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("board", ["", "2h 7c Jd", "2h 7c Jd 3s", "2h 7c Jd 3s Ah"])
@pytest.mark.parametrize(
    "actions",
    [
        CALL_OR_RAISE,
        CHECK_OR_BET,
        {"fold": True, "check": False, "call": 990},
        {"fold": True, "check": False, "call": 10, "raise": {"min": 20, "max": 20}},
        {"fold": True, "check": False, "call": 400, "raise": {"min": 1000, "max": 1000}, "all_in": 1000},
        {"fold": True, "check": True},
    ],
)
def test_no_bot_does_what_it_may_not(kind: str, board: str, actions: dict[str, Any]) -> None:
    bot, dice = KINDS[kind](Random(3)), Random(4)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs" if rank + suit not in board]
    bounds = Actions.model_validate(actions)
    for _ in range(60):
        action = decision(bot, " ".join(dice.sample(deck, 2)), board, actions=actions)
        match action.name:
            case "fold":
                assert bounds.fold
            case "check":
                assert bounds.check
            case "call":
                assert bounds.call is not None
            case "all_in":
                assert bounds.all_in is not None
            case "bet" | "raise":
                amounts = bounds.bet if action.name == "bet" else bounds.raise_
                assert amounts is not None
                assert action.to is not None
                assert amounts.min <= action.to <= amounts.max


TAG = TightAggressive(Random(5))


def test_tight_means_few_hands() -> None:
    assert decision(TAG, "2c 7d") == FOLD
    assert decision(TAG, "9c 4h") == FOLD
    assert decision(TAG, "2c 7d", actions={"fold": True, "check": True, "raise": {"min": 20, "max": 1000}}) == CHECK


def test_aggressive_means_raising_with_them() -> None:
    assert decision(TAG, "As Ah").name == "raise"
    assert decision(TAG, "Ks Qs").name == "raise"
    assert decision(TAG, "Kc Kd", "2h 7c Jd", actions=CHECK_OR_BET).name == "bet"
    assert decision(TAG, "2c 2d", "2h 7c Jd").name == "raise"


def test_against_a_raise_good_hands_call_and_only_the_best_raise() -> None:
    raised = [seat(1, bet=40), seat(4)]
    assert decision(TAG, "As Ah", seats=raised).name == "raise"
    assert decision(TAG, "9s 9h", seats=raised) == CALL
    assert decision(TAG, "7s 6h", seats=raised) == FOLD


def test_a_draw_calls_at_the_right_price_and_folds_at_the_wrong_one() -> None:
    pots = [{"amount": 200, "eligible": [1, 4]}]
    assert decision(TAG, "Ah 5h", "2h 7h Jd", pots=pots) == CALL
    dear = {"fold": True, "check": False, "call": 190, "raise": {"min": 380, "max": 1000}, "all_in": 1000}
    assert decision(TAG, "Ah 5h", "2h 7h Jd", pots=[], seats=[seat(1, bet=200), seat(4)], actions=dear) == FOLD
    assert decision(TAG, "Ah 5h", "2h 7h Jd 9c 9s", pots=pots) == FOLD


def test_with_little_left_behind_it_goes_all_in() -> None:
    short = {"fold": True, "check": False, "call": 10, "raise": {"min": 20, "max": 40}, "all_in": 40}
    assert decision(TAG, "As Ah", seats=[seat(1), seat(4, stack=30)], actions=short) == ALL_IN


@pytest.mark.parametrize(
    ("cards", "group"),
    [("As Ah", 1), ("As Ks", 1), ("Ks As", 1), ("As Kd", 2), ("Tc Td", 2), ("2c 2d", 7), ("7c 2d", WORST_GROUP)],
)
def test_starting_hands_have_their_group(cards: str, group: int) -> None:
    assert starting_group(cards.split()) == group


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("", HIGH_CARD),
        ("As Kd 9c 5h 2s", HIGH_CARD),
        ("As Ad 9c 5h 2s 7d Jc", PAIR),
        ("As Ad 9c 9h 2s 2d Jc", TWO_PAIR),
        ("As Ad Ac 9h 2s 7d Jc", THREE),
        ("As 2d 3c 4h 5s 9d 9c", STRAIGHT),
        ("Ts Jd Qc Kh As 9d 9c", STRAIGHT),
        ("Qs Kd Ac 2h 3s 9d 9c", PAIR),
        ("2s 5s 9s Js As Ad Ac", FLUSH),
        ("As Ad Ac 9h 9s 9d Jc", FULL_HOUSE),
        ("As Ad Ac Ah 9s 9d 9c", FOUR),
        ("5s 6s 7s 8s 9s 9d 9c", STRAIGHT_FLUSH),
        ("5s 6s 7s 8s 9d As Ac", FLUSH),
    ],
)
def test_kinds_of_hands_are_told_apart(cards: str, kind: int) -> None:
    assert category(cards.split()) == kind


def test_strength_grows_with_what_the_hole_cards_make() -> None:
    board = "2h 7c Jd".split()
    holdings = ["Ks Qd", "As Qd", "2s Kd", "7s Kd", "Js 9d", "Js Kd", "Qs Qd", "Js 7d", "7s 7d"]
    strengths = [strength(holding.split(), board) for holding in holdings]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths)


def test_what_lies_on_the_board_is_no_strength_of_ours() -> None:
    assert strength(["Ks", "Qd"], ["7c", "7d", "7h", "2s", "2d"]) == strength(["Ks", "Qd"], ["7c", "9d", "3h"])
    assert strength(["Js", "Kd"], ["7c", "7d", "Jh"]) == strength(["Js", "Kd"], ["7c", "8d", "Jh"])
    assert strength(["Ks", "Qd"], ["5c", "6d", "7h", "8s", "9d"]) < 0.2


@pytest.mark.parametrize(
    ("cards", "board", "expected"),
    [
        ("Ah 5h", "2h 7h Jd", 9),
        ("9c 8d", "7h 6s 2c", 8),
        ("9c 8d", "7h 5s 2c", 4),
        ("9h 8h", "7h 6h 2c", 15),
        ("Ac Kd", "7h 6s 2c", 0),
        ("Ac Kd", "9h 8s 7c 6d", 0),
    ],
)
def test_outs_count_cards_that_make_a_straight_or_a_flush(cards: str, board: str, expected: int) -> None:
    assert outs(cards.split(), board.split()) == expected


async def answer(peer: Peer, seed: int) -> None:
    """A room that judges only the shape of what it is sent; the turn goes round and round."""
    dice, seq = Random(seed), 1
    while True:
        text = await peer.hears_text()
        try:
            decode(text)
        except Malformed as malformed:
            reply = {"type": "error", "code": malformed.code, "message": malformed.text}
            await peer.says(**reply if malformed.id is None else reply | {"re": malformed.id})
        else:
            await peer.says(type="ok", re=json.loads(text)["id"])
        seq += 1
        mine = you("As", "Kd") if dice.random() < 0.8 else None
        shown = view(hand=hand(turn=turn(dice.choice([1, 4]), f"h1-{seq}")))
        await peer.says(**update(seq, shown) | ({"you": mine} if mine else {}))


async def test_fuzz_sends_legal_and_illegal_things_and_counts_the_answers() -> None:
    async with fake_room() as server:
        room = Room(server.url, "secret", backoff=AT_ONCE)
        limits = {"frame_bytes": 8192, "frames_per_second": 100000, "frames_burst": 100000}
        _, peer = await asyncio.gather(room.__aenter__(), server.welcomes(limits=limits))
        answering = asyncio.create_task(answer(peer, 6))
        tally = await fuzz(room, "t1", buy_in=500, dice=Random(7), messages=600)
        answering.cancel()
        await room.__aexit__(None, None, None)
    assert tally.agreed.total() + tally.refused.total() == 600
    assert set(tally.refused) == {ErrorCode.BAD_MESSAGE, ErrorCode.UNKNOWN_TYPE}
    assert {"act", "sit", "chat", "top_up", "arm"} <= set(tally.agreed)
    assert tally.agreed.total() > 200
    assert tally.refused.total() > 50
    assert tally.unanswerable > 0

"""One hand, from the forced bets to the last award."""

from dataclasses import replace
from typing import Any

import pytest

from fullring.rules.actions import Act, Action, Leave, Show
from fullring.rules.cards import FULL_DECK, UNKNOWN, Deck
from fullring.rules.events import (
    Abandoned,
    HandEnded,
    HandStarted,
    HandVoided,
    HoleCardsDealt,
    Post,
    Posted,
    PostKind,
    Stake,
    TurnStarted,
)
from fullring.rules.hand import decide, evolve, legal, start
from tests.rules.soundness import apply, fold
from tests.scenario import play

STARTED = HandStarted(
    hand="h",
    number=1,
    game="nlhe",
    button=3,
    seats=(Stake(4, 1000), Stake(7, 1000), Stake(3, 1000)),
    posts=(Post(4, PostKind.SMALL_BLIND, 50), Post(7, PostKind.BIG_BLIND, 100)),
    min_bet=100,
    big_bet=100,
    deck=Deck(FULL_DECK),
)


def test_a_hand_begins_with_the_forced_bets_the_deal_and_the_first_turn() -> None:
    assert start(STARTED)[1:] == [
        Posted(4, PostKind.SMALL_BLIND, 50, 50, False),
        Posted(7, PostKind.BIG_BLIND, 100, 100, False),
        HoleCardsDealt((4, 7, 3), 2),
        TurnStarted(3, 1),
    ]


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_left_of_the_button_without_burns() -> None:
    hand = fold(start(STARTED))
    assert hand.holes == [(0, 3), (1, 4), (2, 5)]
    for act in (Act(3, Action.CALL), Act(4, Action.CALL), Act(7, Action.CHECK)):
        apply(hand, decide(hand, act))
    assert hand.board == [6, 7, 8]


@pytest.mark.parametrize("players", range(2, 11))
def test_two_to_ten_players_can_play(players: int) -> None:
    seats = tuple(Stake(seat, 1000) for seat in range(1, players + 1))
    small, big = (2, 1) if players == 2 else (1, 2)
    posts = (Post(small, PostKind.SMALL_BLIND, 50), Post(big, PostKind.BIG_BLIND, 100))
    hand = fold(start(replace(STARTED, seats=seats, button=players, posts=posts)))
    while not hand.over:
        allowed = legal(hand)
        assert allowed is not None
        apply(hand, decide(hand, Act(allowed.seat, Action.CHECK if allowed.check else Action.CALL)))
    assert len(hand.board) == 5
    assert sum(hand.stacks) == 1000 * players


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"deck": Deck([*FULL_DECK[:-1], FULL_DECK[0]])}, "the deck holds a card twice"),
        ({"deck": Deck(FULL_DECK[:10])}, "10 cards are too few for 3 players"),
        ({"seats": (Stake(4, 1000),), "posts": ()}, "a hand needs 2 to 10 different seats with chips"),
        ({"seats": (Stake(4, 1000), Stake(4, 1000))}, "a hand needs 2 to 10 different seats with chips"),
        ({"seats": (Stake(4, 1000), Stake(7, 0))}, "a hand needs 2 to 10 different seats with chips"),
        ({"seats": tuple(Stake(seat, 1000) for seat in range(11))}, "a hand needs 2 to 10 different seats with chips"),
        ({"posts": (Post(5, PostKind.BIG_BLIND, 100),)}, "a forced bet needs a seat of this hand and an amount"),
        ({"posts": (Post(4, PostKind.BIG_BLIND, -1),)}, "a forced bet needs a seat of this hand and an amount"),
    ],
)
def test_a_hand_that_cannot_be_dealt_is_an_error(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        start(replace(STARTED, **change))


def test_cards_that_nobody_recorded_may_be_dealt_more_than_once() -> None:
    assert len(start(replace(STARTED, deck=Deck([UNKNOWN] * 20)))) == 5


def test_heads_up_the_button_posts_the_small_blind_and_acts_last_after_the_flop() -> None:
    play("""
        no-limit 50/100
        Ann 1000 button
        Bob 1000

        Ann has 950
        Bob has 900
        Ann may call 50 or raise to 200-1000
        Ann calls 50
        Bob checks
        flop Ac7h2s
        Bob checks
        Ann may check or bet 100-900
    """)


def test_a_big_blind_who_is_all_in_from_posting_is_not_asked_again() -> None:
    play("""
        no-limit 10/20
        Ann 20 Kh9h
        Bob 1980 7c6d button

        Bob may call 10
        Bob calls 10
        flop Ks5d2c
        turn Jh
        river 3s
        main pot 40: Ann 40
    """)


def test_heads_up_a_short_big_blind_costs_only_what_it_can_contest() -> None:
    play("""
        no-limit 10/20
        Ann 8 Kh9h
        Bob 1980 7c6d button

        Bob gets 2 back
        flop Ks5d2c
        turn Jh
        river 3s
        main pot 16: Ann 16
        the hand is over
    """)
    play("""
        no-limit 200/400
        Ann 237
        Bob 5000 button

        Bob may call 37
    """)


def test_callers_owe_the_full_big_blind_and_what_nobody_matches_comes_back() -> None:
    play("""
        no-limit 50/100
        Ann 1000 AsAd
        Bob 20 KsKd
        Cid 1000 QsQd button

        Cid calls 100
        Ann folds
        Cid gets 50 back
        flop 9h8h4s
        turn Jc
        river 2h
        side pot 1 60: Cid 60
        main pot 60: Bob 60
    """)


def test_the_last_with_chips_owes_only_what_the_others_can_win() -> None:
    play("""
        no-limit 300/600
        Ann 5000
        Bob 360
        Cid 480 button

        Cid goes all-in for 480
        Ann may call 180
    """)


def test_a_blind_or_ante_that_takes_the_whole_stack_is_an_all_in() -> None:
    hand = play("""
        no-limit 50/100, ante 10
        Ann 30
        Bob 10
        Cid 5
        Dan 1000
        Eve 1000 button
    """)
    posted = [event for event in hand.events if isinstance(event, Posted) and event.all_in]
    assert posted == [
        Posted(2, PostKind.ANTE, 10, 10, True),
        Posted(3, PostKind.ANTE, 5, 10, True),
        Posted(1, PostKind.SMALL_BLIND, 20, 50, True),
        Posted(2, PostKind.BIG_BLIND, 0, 100, True),
    ]
    hand.read("Dan may call 100 or raise to 200-990")


def test_there_may_be_no_small_blind_and_the_button_may_be_at_an_empty_seat() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Empty button
        Bob 2000
        Cid 1000
        Bob posts big blind 20

        Cid may call 20 or raise to 40-1000
        Cid calls 20
        Ann calls 20
        Bob may check or raise to 40-2000
        Bob checks
        flop Td6s2c
        Bob may check or bet 20-1980
    """)


def test_a_newcomers_live_post_changes_neither_the_first_to_act_nor_the_price() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 1000
        Eve 1000 button
        Ann posts small blind 50
        Bob posts big blind 100
        Dan posts live 100

        Cid may call 100 or raise to 200-1000
        Cid folds
        Dan may check or raise to 200-1000
        Dan checks
        Eve folds
        Ann folds
        Bob may check or raise to 200-1000
    """)


def test_after_a_straddle_the_first_to_act_is_left_of_it_and_the_smallest_raise_adds_a_big_blind() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 1000 button
        Ann posts small blind 50
        Bob posts big blind 100
        Cid posts straddle 200

        Dan may call 200 or raise to 300-1000
        Dan folds
        Ann folds
        Bob calls 100
        Cid may check or raise to 300-1000
    """)


def test_when_everybody_is_all_in_from_the_forced_bets_the_hand_is_played_out_at_once() -> None:
    play("""
        no-limit 50/100, ante 10
        Ann 10 AsAd
        Bob 8 KsKd
        Cid 6 QsQd button

        Ann gets 2 back
        flop 9h8h4s
        turn Jc
        river 2h
        side pot 1 4: Ann 4
        main pot 18: Ann 18
        the hand is over
    """)


def test_leaving_twice_or_without_a_hand_changes_nothing() -> None:
    hand = fold(start(STARTED))
    assert decide(hand, Leave(9)) == []
    apply(hand, decide(hand, Leave(7)))
    assert decide(hand, Leave(7)) == []
    apply(hand, decide(hand, Act(3, Action.FOLD)))
    assert decide(hand, Leave(3)) == []
    assert decide(hand, Leave(4))[0] == Abandoned(4)


def test_when_the_hand_is_over_nothing_is_legal() -> None:
    scenario = play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob folds
        the hand is over
        Ann can't check: not_your_turn
        Bob can't fold: not_your_turn
    """)
    assert legal(scenario.hand) is None
    assert decide(scenario.hand, Leave(1)) == []


def test_the_end_tells_every_stack_and_the_rake() -> None:
    scenario = play("""
        no-limit 50/100, rake 10%
        Ann 1000
        Bob 1000 button

        Bob calls 50
        Ann checks
        flop 9h8h4s
        Ann bets 100
        Bob folds
    """)
    assert scenario.events[-1] == HandEnded((Stake(1, 1080), Stake(2, 900)), rake=20)


def test_a_void_hand_gives_everybody_the_stack_it_began_with() -> None:
    hand = play("""
        no-limit 50/100
        Ann 1000
        Bob 700 button

        Bob raises to 300
        Ann raises to 600
    """).hand
    evolve(hand, HandVoided("the log does not replay", hand.started.seats))
    assert hand.over
    assert hand.stakes() == {1: 1000, 2: 700}
    assert legal(hand) is None


@pytest.mark.parametrize(("mucks", "winner"), [((3, 7), 4), ((4, 7), 3), ((4, 7, 3), 3)])
def test_cards_a_record_says_were_mucked_unseen_cannot_win(mucks: tuple[int, ...], winner: int) -> None:
    """If it says so of all, the last to muck has won."""
    hand = fold(start(replace(STARTED, mucks=mucks)))
    for act in (Act(3, Action.CALL), Act(4, Action.CALL), Act(7, Action.CHECK)):
        apply(hand, decide(hand, act))
    while not hand.over:
        allowed = legal(hand)
        assert allowed is not None
        apply(hand, decide(hand, Act(allowed.seat, Action.CHECK)))
    assert hand.stakes() == {4: 900, 7: 900, 3: 900} | {winner: 1200}


def test_a_stranger_to_the_hand_has_nothing_to_show() -> None:
    scenario = play("no-limit 50/100\nAnn 1000\nBob 1000 button\nBob folds")
    scenario.refused(Show(9, (0,)), "illegal_action")
    scenario.refused(Show(1, ()), "illegal_action")
    scenario.refused(Show(1, (scenario.hand.holes[0][0],) * 2), "illegal_action")

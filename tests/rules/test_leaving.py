"""Players who leave in the middle of a hand: what is done for them, and what they can still win."""

from fullring.rules.actions import Action, Auto
from fullring.rules.events import (
    Acted,
)
from tests.scenario import play


def test_a_player_who_leaves_on_the_turn_folds_at_once() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid leaves
        Cid is folded
        Ann may call 50 or raise to 200-1000
    """)


def test_a_player_who_leaves_before_the_turn_checks_while_that_is_free_and_else_folds() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Bob leaves
        Cid calls 100
        Ann calls 50
        Bob is checked
        flop Ac7h2s
        Ann checks
        Bob is checked
        Cid bets 100
        Ann calls 100
        Bob is folded
        turn 9d
        Ann may check or bet 100-800
    """)


def test_a_player_who_leaves_can_still_win_what_was_checked_down() -> None:
    play("""
        no-limit 50/100
        Ann 1000 AhAd
        Bob 1000 KsQs button

        Bob calls 50
        Ann checks
        flop Ac7h2s
        Bob leaves
        Ann checks
        Bob is checked
        turn 9d
        Ann leaves
        Ann is folded
        main pot 200: Bob 200
    """)


def test_a_player_who_is_all_in_stays_in_the_hand_whether_there_or_not() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Bob 1000 KhQh
        Cid 200 TsTd button

        Cid goes all-in for 200
        Cid leaves
        Ann folds
        Bob calls 180
        flop 8c5d2h
        turn Js
        river 3c
        main pot 410: Cid 410
    """)


def test_a_player_who_has_left_folds_where_no_decision_is_left() -> None:
    played = play("""
        no-limit 50/100
        Ann 500 2c3d
        Bob 1000 AsAd button

        Bob raises to 600
        Bob leaves
        Ann calls 400
        Bob gets 100 back
        Bob is folded
        main pot 1000: Ann 1000
    """)
    assert played.hand.board == [], "at once, before a card is turned"
    assert Acted(2, Action.FOLD, 0, 500, False, Auto.LEFT) in played.events


def test_what_is_done_for_players_who_left_costs_them_nothing() -> None:
    played = play("""
        no-limit 50/100
        Ann 500
        Bob 1000
        Cid 1000 button

        Cid calls 100
        Bob leaves
        Ann calls 50
        Bob is checked
        flop Ac7h2s
        Ann bets 200
        Bob is folded
        Cid leaves
        Cid is folded
        Ann gets 200 back
        main pot 300: Ann 300
    """)

    assert [event for event in played.events if isinstance(event, Acted) and event.auto] == [
        Acted(2, Action.CHECK, 0, 100, False, Auto.LEFT),
        Acted(2, Action.FOLD, 0, 0, False, Auto.LEFT),
        Acted(3, Action.FOLD, 0, 0, False, Auto.LEFT),
    ]


def test_a_player_who_has_left_folds_on_the_river_where_the_turn_never_came() -> None:
    play("""
        no-limit 50/100
        Ann 1000 7c8c
        Bob 1000 AsAd
        Cid 300 2c3d button

        Cid goes all-in for 300
        Ann calls 250
        Bob calls 200
        flop 9h8h4s
        Ann checks
        Bob checks
        turn Jc
        Ann checks
        Bob checks
        river 2h
        Bob leaves
        Ann folds
        Bob is folded
        main pot 900: Cid 900
    """)


def test_a_player_who_is_there_plays_on_alone_where_another_has_left() -> None:
    play("""
        no-limit 50/100
        Ann 500 2c3d
        Bob 1000
        Cid 1000 AsAd button

        Bob leaves
        Cid calls 100
        Ann goes all-in for 500
        Bob is folded
        Cid calls 400
        flop 9h8h4s
        turn Jc
        river 2h
        main pot 1100: Cid 1100
    """)


def test_a_player_who_has_left_stays_in_the_showdown_after_the_last_bet() -> None:
    play("""
        no-limit 50/100
        Ann 500 2c3d
        Bob 1000 AsAd button

        Bob calls 50
        Ann checks
        flop 9h8h4s
        Ann checks
        Bob checks
        turn Jc
        Ann checks
        Bob checks
        river 2h
        Ann checks
        Bob bets 500
        Bob leaves
        Ann calls 400
        Bob gets 100 back
        Bob shows AsAd
        Ann mucks
        main pot 1000: Bob 1000
    """)


def test_the_last_live_hand_wins_even_if_its_player_has_left() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Bob leaves
        Cid leaves
        Cid is folded
        Ann leaves
        Ann is folded
        Bob gets 50 back
        main pot 100: Bob 100
        the hand is over
    """)

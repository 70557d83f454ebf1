"""Pots: who may win which chips."""

from fullring.rules.pots import Pot, pots
from tests.scenario import play


def test_the_part_of_a_bet_that_nobody_matched_comes_back_and_is_never_won() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid raises to 60
        Ann folds
        Bob folds
        Cid gets 40 back
        main pot 50: Cid 50
        Cid has 1030
    """)


def test_the_unmatched_part_of_a_blind_comes_back() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid folds
        Ann folds
        Bob gets 10 back
        main pot 20: Bob 20
        Bob has 1010
    """)


def test_the_excess_over_an_all_in_call_comes_back_before_the_board_is_run_out() -> None:
    play("""
        no-limit 50/100
        Ann 700 2c3d
        Bob 1000 AsAd button

        Bob goes all-in for 1000
        Ann calls 600
        Bob gets 300 back
        Bob shows AsAd
        Ann shows 2c3d
        flop Ks9h8d
        turn 7c
        river 6h
        main pot 1400: Bob 1400
        Bob has 1700
        Ann has 0
    """)


def test_there_is_one_side_pot_for_each_all_in_and_each_is_won_by_itself() -> None:
    play("""
        no-limit 50/100
        Ann 300 AsAd
        Bob 600 KsKd
        Cid 1000 QsQd
        Dan 1000 2c3d button

        Cid goes all-in for 1000
        Dan calls 1000
        Ann calls 250
        Bob calls 500
        flop 9h8h4s
        turn Jc
        river 2h
        side pot 2 800: Cid 800
        side pot 1 900: Bob 900
        main pot 1200: Ann 1200
        Ann has 1200
        Bob has 900
        Cid has 800
        Dan has 0
    """)


def test_folded_chips_stay_in_the_pots_they_entered() -> None:
    play("""
        no-limit 50/100
        Ann 2000 KsKd
        Bob 200 AsAd
        Cid 2000 QsQd button

        Cid raises to 400
        Ann calls 350
        Bob calls 100
        flop 9h8h4s
        Ann checks
        Cid bets 400
        Ann folds
        Cid gets 400 back
        turn Jc
        river 2h
        side pot 1 400: Cid 400
        main pot 600: Bob 600
    """)


def test_a_layer_that_only_folded_players_paid_into_falls_to_the_pot_below() -> None:
    play("""
        no-limit 5/10
        Ann 100 AsAh
        Bob 1000 KsKd
        Cid 1000 9c8c
        Dan 200 QhQc button

        Cid raises to 300
        Dan goes all-in for 200
        Ann goes all-in for 100
        Bob calls 290
        flop Jd7s4h
        Cid leaves
        Bob leaves
        Bob is folded
        Cid is folded
        turn 3d
        river 2c
        side pot 1 500: Dan 500
        main pot 400: Ann 400
        Ann has 400
        Bob has 700
        Cid has 700
        Dan has 500
    """)


def test_a_short_ante_contests_only_what_it_matches() -> None:
    play("""
        no-limit 5/10, ante 20
        Ann 100 KdQc
        Bob 100 9c8c
        Cid 19 AsAh button

        Ann may call 5 or raise to 20-80        # the ante is no part of the bet
        Ann calls 5
        Bob checks
        flop 2h7sTc
        Ann checks
        Bob checks
        turn 3d
        Ann checks
        Bob checks
        river 4d
        Ann checks
        Bob checks
        side pot 1 22: Ann 22
        main pot 57: Cid 57
    """)


def test_an_ante_that_the_big_blind_pays_for_all_can_be_won_by_everybody() -> None:
    play("""
        no-limit 50/100, big blind ante 100
        Ann 1000 KsKd
        Bob 1000 QsQd
        Cid 80 AsAd button

        Bob has 800
        Cid goes all-in for 80
        Ann calls 50
        Bob checks
        flop 9h8h4s
        Ann checks
        Bob checks
        turn Jc
        Ann checks
        Bob checks
        river 2h
        Ann checks
        Bob checks
        side pot 1 40: Ann 40
        main pot 340: Cid 340
    """)


def test_an_ante_for_all_comes_out_of_what_the_blind_leaves() -> None:
    play("""
        no-limit 50/100, big blind ante 100
        Ann 1000
        Bob 130 AsAd
        Cid 1000 button

        Bob has 0
        Cid may call 100 or raise to 200-1000
        Cid folds
        Ann may call 50
        Ann calls 50
        main pot 230: Bob 230
    """)


def test_a_dead_blind_goes_to_the_pot_and_is_no_part_of_the_bet() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 1000 button
        Ann posts small blind 50
        Bob posts big blind 100
        Cid posts dead blind 50
        Cid posts live 100

        Cid may check or raise to 200-950       # has paid the blind, and keeps the option
        Cid checks
        Dan folds
        Ann folds
        Bob checks
        flop 9h8h4s
        Bob bets 100
        Cid folds
        main pot 300: Bob 300
    """)


def test_pots_can_be_told_while_the_hand_is_played() -> None:
    hand = play("""
        no-limit 50/100
        Ann 200
        Bob 1000
        Cid 1000 button

        Cid raises to 300
        Ann goes all-in for 200
        Bob calls 200
        flop 9h8h4s
        Bob checks
        Cid bets 100
    """).hand
    assert pots(hand) == [Pot(600, (0, 1, 2)), Pot(200, (1, 2)), Pot(100, (2,))]
    before_this_street = [paid - bet for paid, bet in zip(hand.paid, hand.bets, strict=True)]
    assert pots(hand, before_this_street) == [Pot(600, (0, 1, 2)), Pot(200, (1, 2))]

"""Twelve hard questions, from the spots where poker engines are known to go wrong, each with the right answer."""

from tests.scenario import play


def test_a_short_big_blind_does_not_lower_the_price() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 20
        Cid 1000 button

        Cid may call 100 or raise to 200-1000
        Cid calls 100
        Ann may call 50 or raise to 200-1000
    """)


def test_a_short_raise_does_not_reopen_the_betting_to_a_limper() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 150 button

        Cid calls 100
        Dan goes all-in for 150
        Ann folds
        Bob may call 50 or raise to 250-1000   # has not acted
        Bob calls 50
        Cid may call 50
    """)


def test_a_short_bet_does_not_reopen_the_betting_to_those_who_checked() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 150 button

        Cid calls 100
        Ann calls 50
        Bob checks
        Ann checks
        Bob checks
        Cid goes all-in for 50
        Ann may call 50
        Ann calls 50
        Bob may call 50
    """)


def test_a_short_raise_over_a_bet_does_not_reopen_the_betting_to_bettor_and_caller() -> None:
    play("""
        no-limit 50/100
        Ann 2000
        Bob 2000
        Cid 500 button

        Cid calls 100
        Ann calls 50
        Bob checks
        Ann bets 300
        Bob calls 300
        Cid goes all-in for 400
        Ann may call 100
        Ann calls 100
        Bob may call 100
    """)


def test_two_short_raises_that_add_up_to_a_full_one_reopen_the_betting() -> None:
    play("""
        no-limit 50/100
        Ann 2000
        Bob 500
        Cid 700 button

        Cid calls 100
        Ann calls 50
        Bob checks
        Ann bets 300
        Bob goes all-in for 400
        Cid goes all-in for 600
        Ann may call 300                       # nobody is left who could call a raise
    """)
    play("""
        no-limit 50/100
        Ann 2000
        Bob 500
        Cid 700
        Dan 2000 button

        Cid calls 100
        Dan calls 100
        Ann calls 50
        Bob checks
        Ann bets 300
        Bob goes all-in for 400                # short by 200
        Cid goes all-in for 600                # 300 above Ann's bet in all
        Dan calls 600
        Ann may call 300 or raise to 900-1900
    """)


def test_a_player_who_has_not_acted_may_raise_over_a_short_all_in() -> None:
    play("""
        no-limit 50/100
        Ann 2000
        Bob 500
        Cid 2000 button

        Cid calls 100
        Ann calls 50
        Bob checks
        Ann bets 300
        Bob goes all-in for 400
        Cid may call 400 or raise to 700-1900
    """)


def test_the_smallest_bet_is_the_big_blind_again_on_every_street() -> None:
    play("""
        no-limit 50/100
        Ann 5000
        Bob 5000 button

        Bob raises to 800
        Ann calls 700
        Ann may check or bet 100-4200
        Ann bets 100
        Bob may call 100 or raise to 200-4200
        Bob raises to 900
        Ann calls 800
        Ann may check or bet 100-3300
    """)


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob has 950
        Ann has 900
        Bob may call 50 or raise to 200-1000
    """)


def test_heads_up_the_big_blind_acts_first_on_the_flop() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob calls 50
        Ann checks
        flop Ac7h2s
        Ann may check or bet 100-900
        Ann checks
        Bob may check or bet 100-900
    """)


def test_when_the_button_has_folded_the_first_live_seat_to_its_left_acts_first() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 1000 button

        Cid calls 100
        Dan folds
        Ann folds
        Bob checks
        flop Ac7h2s
        Bob may check or bet 100-900
    """)


def test_nobody_is_asked_when_no_decision_is_left() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 2c3d
        Cid 60 AsAd button

        Cid goes all-in for 60
        Ann folds
        Bob gets 40 back
        flop Ac7h2s
        turn 9d
        river Jc
        main pot 170: Cid 170
        the hand is over
    """)


def test_two_odd_chips_go_to_two_of_three_winners() -> None:
    play("""
        no-limit 1/2
        Ann 2 AsKd
        Bob 2 AdKc
        Cid 2 AhKs
        Dan 2 2c3d button

        Cid calls 2
        Dan calls 2
        Ann calls 1
        flop QcJd4h
        turn 7s
        river 8c
        main pot 8: Ann 3, Bob 3, Cid 2
    """)

"""One street of betting: who is to act, what that seat may do, and what is refused."""

from typing import Any

import pytest

from fullring.rules.actions import Act, Action, Auto
from fullring.rules.events import Acted
from fullring.rules.hand import decide
from fullring.rules.refusals import Refusal, Refused
from tests.scenario import play


def test_before_the_flop_the_first_to_act_is_left_of_the_big_blind_afterwards_left_of_the_button() -> None:
    play("""
        no-limit 50/100
        Ann 1000 button
        Bob 1000
        Cid 1000
        Dan 1000

        Dan may call 100 or raise to 200-1000
        Dan calls 100
        Ann calls 100
        Bob calls 50
        Cid checks
        flop Ac7h2s
        Bob may check or bet 100-900
    """)


def test_the_big_blind_may_raise_when_everybody_has_only_called() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid folds
        Ann calls 10
        Bob may check or raise to 40-1000
        Bob raises to 60
        Ann may call 40 or raise to 100-1000
    """)


def test_amounts_are_where_the_bet_will_stand_on_this_street() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob raises to 250
        Bob has 750
        Ann raises to 400
        Ann has 600
        Bob raises to 550
        Bob has 450
    """)


def test_a_raise_adds_the_largest_full_bet_or_raise_of_the_street() -> None:
    play("""
        no-limit 50/100
        Ann 10000
        Bob 10000
        Cid 10000 button

        Cid raises to 350                       # adds 250
        Ann may call 300 or raise to 600-10000
        Ann raises to 900                       # adds 550
        Bob may call 800 or raise to 1450-10000
        Bob can't raise to 1449: bad_amount
        Bob calls 800
        Cid may call 550 or raise to 1450-10000
    """)


def test_blinds_need_not_be_in_the_ratio_of_one_to_two() -> None:
    play("""
        no-limit 10/25
        Ann 1000
        Bob 1000 button

        Bob may call 15 or raise to 50-1000
        Bob can't raise to 49: bad_amount
        Bob raises to 50
        Ann may call 25 or raise to 75-1000
    """)
    play("""
        no-limit 100/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid calls 100
        Ann may check or raise to 200-1000
    """)


def test_in_no_limit_the_most_is_the_whole_stack() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 730 button

        Cid may call 100 or raise to 200-730
        Cid can't raise to 731: bad_amount
        Cid goes all-in for 730
    """)


def test_in_pot_limit_the_most_is_the_pot_after_calling() -> None:
    play("""
        pot-limit 50/100
        Ann 5000
        Bob 5000
        Cid 5000 button

        Cid may call 100 or raise to 200-350    # 150 in the middle, 100 to call
        Cid raises to 350
        Ann may call 300 or raise to 600-1150   # 500 in the middle, 300 to call
        Ann calls 300
        Bob folds
        Ann may check or bet 100-800
        Ann bets 800
        Cid may call 800 or raise to 1600-3200
        Cid can't go all-in: illegal_action
    """)


def test_in_pot_limit_a_short_stack_may_go_all_in() -> None:
    play("""
        pot-limit 50/100
        Ann 5000
        Bob 5000
        Cid 320 button

        Cid may call 100 or raise to 200-320
        Cid goes all-in for 320
    """)


def test_in_pot_limit_antes_count_for_the_pot() -> None:
    play("""
        pot-limit 50/100, ante 10
        Ann 5000
        Bob 5000
        Cid 5000 button

        Cid may call 100 or raise to 200-380
    """)


def test_a_raise_needs_an_opponent_who_can_still_call_it() -> None:
    play("""
        no-limit 10/20
        Ann 1000
        Bob 1000
        Cid 300 button

        Cid goes all-in for 300
        Ann may call 290 or raise to 580-1000   # Bob could call
        Ann folds
        Bob may call 280
        Bob can't raise to 580: illegal_action
        Bob calls 280
        the hand is over
    """)


def test_a_raise_over_an_all_in_is_allowed_while_somebody_behind_has_chips_though_too_few() -> None:
    play("""
        no-limit 5/10
        Ann 1000
        Bob 233
        Cid 1000
        Dan 320 button

        Cid calls 10
        Dan goes all-in for 320
        Ann folds
        Bob may call 223 all-in
        Bob folds
        Cid may call 310
    """)
    play("""
        no-limit 5/10
        Ann 1000
        Bob 233
        Cid 320
        Dan 1000 button

        Cid goes all-in for 320
        Dan may call 320 or raise to 630-1000
        Dan raises to 630
        Ann folds
        Bob folds
        Dan gets 310 back
    """)


def test_folding_is_allowed_when_checking_is_free() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid calls 100
        Ann calls 50
        Bob folds
        flop Ac7h2s
        Ann folds
        main pot 300: Cid 300
    """)


def test_a_call_for_less_is_an_all_in() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 60 button

        Cid may call 60 all-in
        Cid can't raise to 60: illegal_action
        Cid calls 60
        Cid has 0
    """)


def test_a_stack_that_just_covers_the_call_has_nothing_to_raise_with() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 300
        Cid 1000 button

        Cid raises to 300
        Ann calls 250
        Bob may call 200 all-in
        Bob can't raise to 300: illegal_action
    """)


def test_an_all_in_is_told_as_the_raise_the_bet_or_the_call_that_it_is() -> None:
    played = play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 300 button

        Cid goes all-in for 300
        Ann calls 250
        Bob calls 200
        flop Ac7h2s
        Ann goes all-in for 700
        Bob goes all-in for 700
        turn 9d
        river 3c
    """)

    told = [event.action for event in played.events if isinstance(event, Acted) and event.all_in]
    assert told == [Action.RAISE, Action.BET, Action.CALL]


def test_what_is_not_offered_is_refused_with_a_code_and_what_would_do() -> None:
    hand = play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob can't check: illegal_action
        Bob can't bet 200: illegal_action
        Bob can't raise to 199: bad_amount
        Bob can't raise to 1001: bad_amount
        Ann can't fold: not_your_turn
    """).hand
    with pytest.raises(Refused) as caught:
        decide(hand, Act(2, Action.RAISE, 199))
    assert caught.value.text == "raise to 199 is below the minimum of 200"
    assert caught.value.details == {"min": 200, "max": 1000}
    with pytest.raises(Refused) as caught:
        decide(hand, Act(2, Action.CHECK))
    assert caught.value.text == "a check is not possible: 50 to call"
    assert caught.value.details == {"to_call": 50}


@pytest.mark.parametrize("to", [None, True, 200.0, "200", [200]])
def test_an_amount_that_is_no_whole_number_is_refused(to: Any) -> None:
    hand = play("no-limit 50/100\nAnn 1000\nBob 1000 button").hand
    with pytest.raises(Refused) as caught:
        decide(hand, Act(2, Action.RAISE, to))
    assert caught.value.code is Refusal.BAD_AMOUNT


def test_a_call_with_nothing_to_call_is_refused() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob calls 50
        Ann can't call: illegal_action
        Ann can't bet 200: illegal_action       # the blinds were the bet: it would be a raise
        Ann checks
        Ann can't call: illegal_action
        Ann can't raise to 200: illegal_action
    """)


def test_what_the_table_did_for_a_player_says_so() -> None:
    hand = play("no-limit 50/100\nAnn 1000\nBob 1000 button").hand
    assert decide(hand, Act(2, Action.FOLD, auto=Auto.TIMEOUT))[0] == Acted(2, Action.FOLD, 0, 50, False, Auto.TIMEOUT)

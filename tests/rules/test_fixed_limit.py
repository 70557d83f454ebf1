"""Fixed limit: bets and raises of one size, how many of them, and what an all-in counts for."""

from tests.scenario import play


def test_in_fixed_limit_bets_and_raises_have_one_size_doubled_on_the_last_two_streets() -> None:
    play("""
        fixed-limit 10/20
        Ann 1000
        Bob 1000 button

        Bob may call 5 or raise to 20
        Bob can't raise to 19: bad_amount
        Bob can't raise to 21: bad_amount
        Bob can't go all-in: illegal_action
        Bob raises to 20
        Ann calls 10
        Ann may check or bet 10
        Ann checks
        Bob checks
        Ann may check or bet 20
        Ann bets 20
        Bob may call 20 or raise to 40
        Bob calls 20
        Ann may check or bet 20
    """)


def test_in_fixed_limit_a_street_has_a_bet_and_three_raises() -> None:
    play("""
        fixed-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid raises to 20
        Ann raises to 30
        Bob raises to 40
        Cid may call 20
        Cid can't raise to 50: illegal_action
        Cid calls 20
        Ann calls 10
        Ann bets 10
        Bob raises to 20
        Cid raises to 30
        Ann raises to 40
        Bob may call 20
    """)


def test_in_fixed_limit_two_players_may_raise_without_end() -> None:
    play("""
        fixed-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid folds                               # two are left before the cap was reached
        Ann raises to 20
        Bob raises to 30
        Ann raises to 40
        Bob raises to 50
        Ann raises to 60
        Bob may call 10 or raise to 70
    """)


def test_in_fixed_limit_a_cap_once_reached_is_not_lifted_by_a_fold() -> None:
    play("""
        fixed-limit 10/20
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid raises to 20
        Ann raises to 30
        Bob raises to 40
        Cid folds
        Ann may call 10
    """)


def test_in_fixed_limit_an_all_in_of_half_a_bet_or_more_counts_as_a_full_raise() -> None:
    play("""
        fixed-limit 20/40
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 30 button

        Cid calls 20
        Dan may call 20 or raise to 30
        Dan goes all-in for 30                  # adds 10, half a bet
        Ann may call 20 or raise to 50
        Ann calls 20
        Bob folds
        Cid may call 10 or raise to 50
    """)


def test_in_fixed_limit_an_all_in_of_less_than_half_a_bet_is_only_completed() -> None:
    play("""
        fixed-limit 20/40
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 29 button

        Cid calls 20
        Dan goes all-in for 29                  # adds 9
        Ann may call 19 or raise to 40          # the raise to 40, completed
        Ann calls 19
        Bob may call 9 or raise to 40
        Bob calls 9
        Cid may call 9                          # has acted, and faces less than half a bet
    """)
    play("""
        fixed-limit 20/40
        Ann 1000
        Bob 1000
        Cid 29 button

        Cid calls 20
        Ann calls 10
        Bob checks
        Ann checks
        Bob checks
        Cid goes all-in for 9
        Ann may call 9                          # checked, and faces less than half a bet
    """)

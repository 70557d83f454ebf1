"""All-ins for less than a raise: what the next raise adds, and for whom they reopen the betting."""

from tests.scenario import play


def test_an_all_in_for_less_than_a_raise_is_allowed_and_the_next_raise_adds_a_full_one_to_it() -> None:
    play("""
        no-limit 100/200
        Ann 5000
        Bob 5000
        Cid 325
        Dan 5000 button

        Cid may call 200 or raise to 325
        Cid goes all-in for 325
        Dan may call 325 or raise to 525-5000
        Dan can't raise to 524: bad_amount
    """)


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    play("""
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000
        Dan 450 button

        Cid raises to 300
        Dan goes all-in for 450
        Ann folds
        Bob calls 350
        Cid may call 150
        Cid can't raise to 1000: illegal_action
        Cid can't go all-in: illegal_action
    """)


def test_short_all_ins_reopen_the_betting_to_each_player_for_whom_they_make_a_full_raise() -> None:
    play("""
        no-limit 50/100
        Ann 3000
        Bob 3000
        Cid 3000
        Dan 450
        Eve 600
        Fay 3000 button

        Cid raises to 300                       # adds 200
        Dan goes all-in for 450                 # adds 150
        Eve goes all-in for 600                 # adds 150: 300 above Cid
        Fay calls 600
        Ann folds
        Bob calls 500
        Cid may call 300 or raise to 800-3000   # the last full raise added 200
        Cid calls 300
        flop Ac7h2s
    """)
    play("""
        no-limit 50/100
        Ann 3000
        Bob 3000
        Cid 3000
        Dan 450
        Eve 3000
        Fay 600 button

        Cid raises to 300
        Dan goes all-in for 450
        Eve calls 450
        Fay goes all-in for 600
        Ann folds
        Bob folds
        Cid may call 300 or raise to 800-3000   # faces 300 more
        Cid calls 300
        Eve may call 150                        # faces 150 more than when she called
    """)


def test_what_short_all_ins_add_up_to_counts_however_many_follow() -> None:
    """PokerKit 0.7.7 forgets the sum once it is a full raise, and refuses Cid."""
    play("""
        no-limit 10/20
        Ann 200
        Bob 2000
        Cid 2000
        Dan 153
        Eve 190 button

        Cid raises to 89                        # adds 69
        Dan goes all-in for 153                 # adds 64
        Eve goes all-in for 190                 # adds 37: 101 above Cid
        Ann goes all-in for 200                 # adds 10
        Bob calls 180
        Cid may call 111 or raise to 269-2000
    """)


def test_a_full_raise_behind_a_short_all_in_reopens_the_betting_to_everybody() -> None:
    play("""
        no-limit 50/100
        Ann 3000
        Bob 3000
        Cid 3000
        Dan 350 button

        Cid raises to 300
        Dan goes all-in for 350
        Ann raises to 550
        Bob folds
        Cid may call 250 or raise to 750-3000
    """)

"""The end of a hand: who shows, in which order, and who is paid what."""

from fullring.rules.events import CardsShown
from fullring.rules.ranking import HIGH
from tests.scenario import play


def test_the_last_to_bet_or_raise_on_the_river_shows_first() -> None:
    play("""
        no-limit 10/20
        Ann 1000 QcTc
        Bob 1000 7d6d
        Cid 1000 AhJd
        Dan 1000 9s8s button

        Cid calls 20
        Dan calls 20
        Ann calls 10
        Bob checks
        flop Jc8h2d
        Ann checks
        Bob checks
        Cid bets 40
        Dan calls 40
        Ann folds
        Bob folds
        turn 9c
        Cid checks
        Dan checks
        river 4s
        Cid bets 60
        Dan raises to 160
        Cid calls 100
        Dan shows 9s8s
        Cid mucks
        main pot 480: Dan 480
    """)


def test_after_a_checked_river_the_first_live_seat_left_of_the_button_shows_first() -> None:
    play("""
        no-limit 10/20
        Ann 1000 2c3d
        Bob 1000 KsKd
        Cid 1000 QsQd
        Dan 1000 AsAd button

        Cid calls 20
        Dan raises to 80
        Ann folds
        Bob calls 60
        Cid calls 60
        flop 9h8h4s
        Bob bets 100
        Cid calls 100
        Dan calls 100
        turn Jc
        Bob checks
        Cid bets 100
        Dan calls 100
        Bob calls 100
        river Th
        Bob checks
        Cid checks
        Dan checks
        Bob shows KsKd
        Cid shows QsQd                          # a straight to the queen
        Dan mucks
        main pot 850: Cid 850
    """)


def test_a_hand_that_ties_what_is_shown_is_shown() -> None:
    play("""
        no-limit 10/20
        Ann 500 Th3c
        Bob 500 Td9h button

        Bob calls 10
        Ann checks
        flop QhQcAs
        Ann checks
        Bob checks
        turn Tc
        Ann checks
        Bob checks
        river 5h
        Ann checks
        Bob checks
        Ann shows
        Bob shows
        main pot 40: Ann 20, Bob 20
    """)


def test_a_beaten_hand_is_mucked_and_shown_to_nobody() -> None:
    scenario = play("""
        no-limit 10/20
        Ann 500 AhKh
        Bob 500 2d7s button

        Bob calls 10
        Ann checks
        flop QhQcAs
        Ann checks
        Bob checks
        turn Tc
        Ann checks
        Bob checks
        river 5h
        Ann checks
        Bob checks
        Ann shows AhKh
        Bob mucks
    """)
    assert [event.seat for event in scenario.events if isinstance(event, CardsShown)] == [1]


def test_a_hand_beaten_for_the_main_pot_is_shown_where_it_can_win_a_side_pot() -> None:
    play("""
        no-limit 10/20
        Ann 100 AhAd
        Bob 500 KhKd
        Cid 500 QhQd
        Dan 500 2c3c button

        Cid calls 20
        Dan calls 20
        Ann goes all-in for 100
        Bob calls 80
        Cid calls 80
        Dan calls 80
        flop 9h8c4s
        Bob checks
        Cid checks
        Dan checks
        turn Jc
        Bob checks
        Cid checks
        Dan checks
        river 5d
        Bob bets 100
        Cid calls 100
        Dan folds
        Bob shows KhKd
        Cid mucks
        Ann shows AhAd
        side pot 1 200: Bob 200
        main pot 400: Ann 400
    """)
    play("""
        no-limit 10/20
        Ann 100 AhAd
        Bob 500 2c3c
        Cid 500 KhKd button

        Cid calls 20
        Ann goes all-in for 100
        Bob calls 80
        Cid calls 80
        flop 9h8c4s
        Bob checks
        Cid bets 100
        Bob calls 100
        turn Jc
        Bob checks
        Cid checks
        river 5d
        Bob checks
        Cid checks
        Ann shows AhAd                          # left of the button
        Bob shows 2c3c                          # first for the side pot
        Cid shows KhKd                          # beaten by Ann, but not for the side pot
        side pot 1 200: Cid 200
        main pot 300: Ann 300
    """)


def test_with_the_option_all_hands_are_shown() -> None:
    play("""
        no-limit 10/20, all hands shown
        Ann 500 AhKh
        Bob 500 2d7s button

        Bob calls 10
        Ann checks
        flop QhQcAs
        Ann checks
        Bob checks
        turn Tc
        Ann checks
        Bob checks
        river 5h
        Ann checks
        Bob checks
        Ann shows AhKh
        Bob shows 2d7s
    """)


def test_when_no_betting_is_left_all_live_hands_are_turned_up_before_the_board_is_run_out() -> None:
    scenario = play("""
        no-limit 10/20
        Ann 500 AhKh
        Bob 500 2d7s
        Cid 500 QsQd button

        Cid goes all-in for 500
        Ann goes all-in for 500
        Bob folds
        Cid shows QsQd
        Ann shows AhKh
        flop 9h8c4s
        turn Jc
        river 5d
        main pot 1020: Cid 1020
    """)
    assert [event.ranking for event in scenario.events if isinstance(event, CardsShown)] == [None, None]


def test_the_hands_stay_hidden_while_two_players_can_still_bet() -> None:
    scenario = play("""
        no-limit 10/20
        Ann 50
        Bob 500
        Cid 500 button

        Cid calls 20
        Ann goes all-in for 50
        Bob calls 30
        Cid calls 30
        flop 9h8c4s
    """)
    assert not [event for event in scenario.events if isinstance(event, CardsShown)]


def test_an_all_in_on_the_river_is_a_showdown_like_any_other() -> None:
    play("""
        no-limit 10/20
        Ann 500 AhKh
        Bob 500 2d7s button

        Bob calls 10
        Ann checks
        flop QhQcAs
        Ann checks
        Bob checks
        turn Tc
        Ann checks
        Bob checks
        river 5h
        Ann goes all-in for 480
        Bob calls 480
        Ann shows AhKh
        Bob mucks
    """)


def test_a_hand_shown_on_the_full_board_carries_its_ranking() -> None:
    scenario = play("""
        no-limit 10/20
        Ann 500 AhKh
        Bob 500 2d7s button

        Bob calls 10
        Ann checks
        flop QhQcAs
        Ann checks
        Bob checks
        turn Tc
        Ann checks
        Bob checks
        river 5h
        Ann checks
        Bob checks
    """)
    [shown] = [event for event in scenario.events if isinstance(event, CardsShown)]
    assert shown.ranking == HIGH([*shown.cards, *scenario.hand.board])


def test_odd_chips_go_one_each_to_the_winners_nearest_the_left_of_the_button() -> None:
    play("""
        no-limit 1/2
        Ann 3 AsKd
        Bob 3 2c3d
        Cid 3 AhKs
        Dan 3 AdKc button

        Cid goes all-in for 3
        Dan calls 3
        Ann calls 2
        Bob folds
        flop QcJd4h
        turn 7s
        river 8c
        main pot 11: Ann 4, Cid 4, Dan 3
    """)


def test_each_pot_is_split_by_itself() -> None:
    play("""
        no-limit 10/20
        Ann 1000 AsKd
        Bob 301 QcJc
        Cid 100 7h7d
        Dan 1000 AdKs button

        Cid goes all-in for 100
        Dan raises to 400
        Ann calls 390
        Bob goes all-in for 301
        flop 7sAh9c
        Ann checks
        Dan checks
        turn 4d
        Ann bets 200
        Dan calls 200
        river 2s
        Ann checks
        Dan checks
        Ann shows
        Cid shows
        Dan shows
        side pot 2 598: Ann 299, Dan 299
        side pot 1 603: Ann 302, Dan 301
        main pot 400: Cid 400
    """)


def test_odd_chips_of_two_pots_are_two_odd_chips_though_the_loser_between_them_is_out() -> None:
    play("""
        no-limit 1/2, ante 1
        Ann 103 AsKd
        Bob 20 2c3d
        Cid 7 4c5d
        Dan 103 AdKs button

        Cid goes all-in for 6
        Dan calls 6
        Ann calls 5
        Bob folds
        flop QcJd4h
        Ann bets 5
        Dan calls 5
        turn 7s
        Ann checks
        Dan checks
        river 8c
        Ann checks
        Dan checks
        side pot 1 10: Ann 5, Dan 5
        main pot 24: Cid 24
    """)


def test_the_winner_of_an_uncalled_bet_does_not_show() -> None:
    scenario = play("""
        no-limit 10/20
        Ann 500 6h5h
        Bob 500 JsTs button

        Bob calls 10
        Ann checks
        flop Kd8c3h
        Ann checks
        Bob checks
        turn 2s
        Ann checks
        Bob checks
        river 9d
        Ann bets 20
        Bob folds
        Ann gets 20 back
        main pot 40: Ann 40
    """)
    assert not [event for event in scenario.events if isinstance(event, CardsShown)]


def test_after_the_hand_a_player_who_was_in_it_to_the_end_may_show_one_or_both_cards() -> None:
    play("""
        no-limit 10/20
        Ann 500 6h5h
        Bob 500 JsTs button

        Bob can't turn up JsTs: illegal_action  # the hand is not over
        Bob raises to 60
        Ann folds
        Bob can't turn up 6h: illegal_action    # not his
        Ann can't turn up 6h5h: illegal_action  # folded
        Bob turns up Ts
        Bob can't turn up Ts: illegal_action    # shown already
        Bob turns up Js
        Bob shows Ts
        Bob shows JsTs
    """)


def test_rake_is_a_share_of_each_pot_rounded_down() -> None:
    play("""
        no-limit 10/20, rake 5%
        Ann 1000 AsKd
        Bob 301 QcJc
        Cid 100 7h7d
        Dan 1000 AdKs button

        Cid goes all-in for 100
        Dan raises to 400
        Ann calls 390
        Bob goes all-in for 301
        flop 7sAh9c
        Ann checks
        Dan checks
        turn 4d
        Ann bets 200
        Dan calls 200
        river 2s
        Ann checks
        Dan checks
        side pot 2 598 less 29: Ann 285, Dan 284
        side pot 1 603 less 30: Ann 287, Dan 286
        main pot 400 less 20: Cid 380
    """)


def test_there_is_no_rake_without_a_flop() -> None:
    play("""
        no-limit 10/20, rake 5%
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid raises to 60
        Ann folds
        Bob folds
        Cid gets 40 back
        main pot 50: Cid 50
    """)


def test_the_cap_on_the_rake_is_for_the_hand_and_used_up_from_the_main_pot_on() -> None:
    play("""
        no-limit 10/20, rake 5%, at most 35
        Ann 1000 AsKd
        Bob 301 QcJc
        Cid 100 7h7d
        Dan 1000 AdKs button

        Cid goes all-in for 100
        Dan raises to 400
        Ann calls 390
        Bob goes all-in for 301
        flop 7sAh9c
        Ann checks
        Dan checks
        turn 4d
        Ann bets 200
        Dan calls 200
        river 2s
        Ann checks
        Dan checks
        side pot 2 598: Ann 299, Dan 299
        side pot 1 603 less 15: Ann 294, Dan 294
        main pot 400 less 20: Cid 380
    """)


def test_the_uncalled_bet_is_never_raked() -> None:
    play("""
        no-limit 50/100, rake 10%
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid calls 100
        Ann calls 50
        Bob checks
        flop Kd8c3h
        Ann bets 300
        Bob folds
        Cid folds
        Ann gets 300 back
        main pot 300 less 30: Ann 270
    """)

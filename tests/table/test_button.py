"""docs/rules.md, the table: the button, moving and dead, and two players."""

import itertools
from collections.abc import Callable

import pytest

from tests.table.playing import Playing

Open = Callable[..., Playing]


def places(table: Playing, hands: int) -> list[str]:
    """Where button and blinds stand for so many hands in which everybody folds."""
    seen = []
    for _ in range(hands):
        seen.append(table.deal())
        table.over()
    return seen


# --- the moving button ---


def test_the_button_moves_to_the_next_player_and_the_blinds_follow_it(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob - Cid Dan")

    assert places(table, 5) == [
        "button Ann, small blind Bob, big blind Cid",
        "button Bob, small blind Cid, big blind Dan",
        "button Cid, small blind Dan, big blind Ann",
        "button Dan, small blind Ann, big blind Bob",
        "button Ann, small blind Bob, big blind Cid",
    ]


def test_the_moving_button_skips_a_player_who_busts_and_one_who_leaves(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave("Bob")

    assert table.deal() == "button Cid, small blind Dan, big blind Ann"


def test_a_player_who_sits_out_does_not_freeze_the_button(open_table: Open) -> None:
    """PR-D2: three-handed S3 had the button; heads-up the blinds alternate, nobody posts the big one twice running."""
    table = open_table(seats=3)
    table.sit_all("Ann Bob Cid")
    assert places(table, 3)[-1] == "button Cid, small blind Ann, big blind Bob"
    table.sit_out("Cid")

    assert places(table, 4) == [
        "button Bob, small blind Bob, big blind Ann",
        "button Ann, small blind Ann, big blind Bob",
        "button Bob, small blind Bob, big blind Ann",
        "button Ann, small blind Ann, big blind Bob",
    ]
    table.sit_in("Cid")
    back = places(table, 6)
    assert back[0].endswith("big blind Ann")
    assert back[1].endswith("big blind Cid")
    bigs = ["Bob", *(hand.rpartition(" ")[2] for hand in back)]
    assert all(one != next_one for one, next_one in itertools.pairwise(bigs))


def test_heads_up_the_button_posts_the_small_blind_and_the_big_blind_is_dealt_first(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")

    assert table.deal() == "button Ann, small blind Ann, big blind Bob"
    assert table.dealt() == "Bob Ann"
    assert table.acting() == "Ann"
    table.plays("Ann call", "Bob check")
    assert table.acting() == "Bob"


@pytest.mark.parametrize("dead_button", [False, True])
@pytest.mark.parametrize("leaver", ["Ann", "Bob", "Cid"])
def test_from_three_players_to_two_nobody_posts_the_big_blind_twice_running(
    open_table: Open, leaver: str, dead_button: bool
) -> None:
    table = open_table(dead_button=dead_button)
    table.sit_all("Ann Bob Cid")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave(leaver)

    after = places(table, 2)

    bigs = ["Cid", *(hand.rpartition(" ")[2] for hand in after)]
    assert bigs == {"Ann": ["Cid", "Bob", "Cid"], "Bob": ["Cid", "Ann", "Cid"], "Cid": ["Cid", "Ann", "Bob"]}[leaver]
    assert all(hand.split(", ")[0].removeprefix("button ") in hand.split(", ")[1] for hand in after)


def back_between_two(open_table: Open) -> Playing:
    """Bob and Cid, who missed nothing, come back to Ann and Eve: both between the button and the big blind."""
    table = open_table()
    table.sit_all("Ann Bob Cid Dan Eve")
    assert places(table, 2)[-1] == "button Bob, small blind Cid, big blind Dan"
    table.leave("Dan")
    table.sit_out("Bob", "Cid")
    assert places(table, 1) == ["button Ann, small blind Ann, big blind Eve"]
    table.sit_in("Bob")
    table.sit_in("Cid")
    return table


def test_those_who_come_back_do_not_bring_the_big_blind_to_one_player_twice_running(open_table: Open) -> None:
    table = back_between_two(open_table)

    assert places(table, 2) == [
        "button Cid, small blind Eve, big blind Ann",
        "button Eve, small blind Ann, big blind Bob",
    ]


def test_a_newcomer_in_the_seat_of_the_last_big_blind_may_have_it_next(open_table: Open) -> None:
    table = back_between_two(open_table)
    table.leave("Eve")
    table.sit("Fay", 5)

    assert table.deal() == "button Bob, small blind Cid, big blind Fay"


def test_a_third_player_comes_in_on_the_big_blind_of_a_heads_up_table(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1)
    table.sit("Bob", 4)
    assert places(table, 1) == ["button Ann, small blind Ann, big blind Bob"]
    table.sit("Cid", 2)

    assert places(table, 3) == [
        "button Bob, small blind Ann, big blind Cid",
        "button Ann, small blind Cid, big blind Bob",
        "button Cid, small blind Bob, big blind Ann",
    ]


def test_a_third_player_who_would_come_between_button_and_blind_waits_one_heads_up_hand(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1)
    table.sit("Bob", 4)
    assert places(table, 1) == ["button Ann, small blind Ann, big blind Bob"]
    table.sit("Cid", 5)

    assert places(table, 2) == [
        "button Bob, small blind Bob, big blind Ann",
        "button Ann, small blind Bob, big blind Cid",
    ]


def test_all_who_sit_when_one_player_is_left_begin_anew_but_not_with_the_big_blind_where_it_was(
    open_table: Open,
) -> None:
    table = open_table()
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.sit("Cid", 4)
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave("Ann", "Bob")
    table.sit("Dan", 2)
    table.sit("Eve", 3)

    assert table.deal() == "button Eve, small blind Cid, big blind Dan"
    assert table.posts() == ["Cid small_blind 10", "Dan big_blind 20"]


# --- the dead button ---


def test_dead_button_the_big_blind_busts_and_nobody_skips_or_repeats_it(open_table: Open) -> None:
    """PR-D1: the small blind falls on the empty seat and is not posted; a hand later the button is there."""
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave("Cid")

    assert table.deal() == "button Bob, no small blind, big blind Dan"
    assert table.posts() == ["Dan big_blind 20"]
    assert table.acting() == "Ann"
    table.plays("Ann call", "Bob call", "Dan check")
    assert table.acting() == "Dan"
    table.plays("Dan bet 40", "Ann fold", "Bob fold")
    assert table.deal() == "button seat 3, small blind Dan, big blind Ann"
    table.over()
    assert table.deal() == "button Dan, small blind Ann, big blind Bob"


def test_dead_button_the_small_blind_leaves_and_the_button_stands_at_an_empty_seat(open_table: Open) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave("Bob")

    assert table.deal() == "button seat 2, small blind Cid, big blind Dan"
    assert table.dealt() == "Cid Dan Ann"
    assert table.view()["button"] == 2


def test_dead_button_a_newcomer_in_the_seat_of_the_small_blind_is_not_dealt_in_there(open_table: Open) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.leave("Cid")
    table.sit("Eve", 3, post_now=True)

    assert table.deal() == "button Bob, no small blind, big blind Dan"
    assert table.dealt() == "Dan Ann Bob"
    table.over()
    assert table.deal() == "button Eve, small blind Dan, big blind Ann"
    assert table.dealt() == "Dan Ann Bob"
    table.over()
    assert table.deal() == "button Dan, small blind Ann, big blind Bob"
    assert table.dealt() == "Ann Bob Eve Dan"
    assert table.posts() == ["Ann small_blind 10", "Bob big_blind 20", "Eve live 20"]


def test_dead_button_who_had_the_big_blind_and_sits_out_owes_the_small_one(open_table: Open) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.sit_out("Cid")

    assert table.deal() == "button Bob, no small blind, big blind Dan"
    table.over()
    assert (table.seat("Cid").missed_small, table.seat("Cid").missed_big) == (True, False)


def test_dead_button_who_comes_back_to_a_heads_up_table_having_missed_nothing_may_get_the_button(
    open_table: Open,
) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob - Cid")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.sit_out("Bob")
    assert table.deal() == "button Cid, small blind Cid, big blind Ann"
    table.over()
    table.sit_in("Bob")

    assert table.deal() == "button Cid, small blind Ann, big blind Bob"


def test_dead_button_who_comes_back_between_the_last_two_of_a_heads_up_table_has_the_button(open_table: Open) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    table.sit_out("Bob")
    table.leave("Cid")
    assert table.deal() == "button Ann, small blind Ann, big blind Dan"
    table.over()
    table.sit_in("Bob")

    assert table.deal() == "button Bob, small blind Dan, big blind Ann"
    assert table.dealt() == "Dan Ann Bob"


def test_dead_button_of_several_who_come_back_between_the_last_two_the_nearest_to_the_big_blind_has_it(
    open_table: Open,
) -> None:
    table = open_table(dead_button=True)
    table.sit_all("Ann Bob Cid Dan Eve")
    assert places(table, 2)[-1] == "button Bob, small blind Cid, big blind Dan"
    table.leave("Dan")
    table.sit_out("Bob", "Cid")
    assert table.deal() == "button Ann, small blind Ann, big blind Eve"
    table.over()
    table.sit_in("Bob")

    assert table.seat("Cid").missed_small is False
    table.sit_in("Cid")
    assert table.deal() == "button Cid, small blind Eve, big blind Ann"
    assert table.dealt() == "Eve Ann Bob Cid"


def test_dead_button_heads_up_nobody_posts_behind_the_big_blind(open_table: Open) -> None:
    """Where the small blind has the button, who wants to post comes in with the next big blind anyway."""
    table = open_table(dead_button=True)
    table.sit("Ann", 1)
    table.sit("Bob", 3)
    assert table.deal() == "button Ann, small blind Ann, big blind Bob"
    table.over()
    table.sit("Cid", 2, post_now=True)

    assert table.deal() == "button Bob, small blind Bob, big blind Ann"
    assert table.dealt() == "Ann Bob"
    table.over()
    assert table.deal() == "button Bob, small blind Ann, big blind Cid"

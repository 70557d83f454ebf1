"""docs/rules.md, the table: joining, and blinds that were missed."""

from collections.abc import Callable

import pytest

from fullring.rules.refusals import Refusal
from fullring.table.commands import Sit, SitIn
from tests.table.playing import MINUTE, Playing, account

Open = Callable[..., Playing]


def four(open_table: Open, **chosen: object) -> Playing:
    """Ann, Bob, Cid and Dan in seats 1, 3, 5 and 7 of nine, after a hand with the button at Ann."""
    table = open_table(seats=9, **chosen)
    table.sit_all("Ann - Bob - Cid - Dan")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.over()
    return table


def test_the_first_hand_at_a_table_needs_no_posts(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid Dan")

    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    assert table.posts() == ["Bob small_blind 10", "Cid big_blind 20"]
    assert table.dealt() == "Bob Cid Dan Ann"


def test_who_sits_down_to_post_before_the_first_hand_posts_nothing_either(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.sit("Dan", 4, post_now=True)

    table.deal()
    assert table.posts() == ["Bob small_blind 10", "Cid big_blind 20"]
    assert table.dealt() == "Bob Cid Dan Ann"


def test_a_newcomer_waits_for_the_big_blind(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 2)
    assert table.you("Eve")["waiting"] == "big_blind"
    assert table.shown_seat("Eve")["state"] == "waiting"

    dealt = []
    for _ in range(3):
        table.deal()
        dealt.append("Eve" in table.dealt())
        table.over()

    assert dealt == [False, False, True]
    assert table.places() == "button Dan, small blind Ann, big blind Eve"
    assert "waiting" not in table.you("Eve")


def test_the_next_live_seat_behind_the_small_blind_is_the_newcomers(open_table: Open) -> None:
    """PR-D3: S1 has the button, S5 sits down during the flop: next hand button S2, small blind S3, big blind S5."""
    table = open_table()
    table.sit_all("Ann Bob Cid")
    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    table.plays("Ann call", "Bob call", "Cid check", "Bob bet 40")
    deadline, pots, order = table.table.deadline, table.view()["hand"], table.dealt()
    table.sit("Eve", 5)

    assert table.view()["hand"] == pots, "nothing in the hand has changed"
    assert (table.table.deadline, table.dealt()) == (deadline, order)
    assert table.you("Eve") == {"seat": 5, "cards": [], "waiting": "big_blind"}
    table.plays("Cid call", "Ann call")
    table.showdown()
    assert table.seat("Eve").stack == 1_000
    assert table.deal() == "button Bob, small blind Cid, big blind Eve"
    assert table.dealt() == "Cid Eve Ann Bob"


def test_post_now_posts_a_live_big_blind_at_once(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 2, post_now=True)
    assert table.you("Eve")["waiting"] == "post"

    assert table.deal() == "button Bob, small blind Cid, big blind Dan"
    assert table.posts() == ["Cid small_blind 10", "Dan big_blind 20", "Eve live 20"]
    assert table.dealt() == "Cid Dan Ann Eve Bob"
    assert table.acting() == "Ann", "left of the big blind, not of who posted"
    table.plays("Ann call")
    assert table.actions() == {"fold": True, "check": True, "raise": {"min": 40, "max": 1_000}, "all_in": 1_000}


def test_a_newcomer_who_posted_is_a_player_like_any_other_afterwards(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 2, post_now=True)
    table.deal()
    table.over()

    assert table.deal() == "button Cid, small blind Dan, big blind Ann"
    assert table.posts() == ["Dan small_blind 10", "Ann big_blind 20"]
    assert table.dealt() == "Dan Ann Eve Bob Cid"


def test_nobody_is_dealt_in_between_the_button_and_the_small_blind_even_by_posting(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 4, post_now=True)  # Between the next button, Bob, and the next small blind, Cid.

    assert table.deal() == "button Bob, small blind Cid, big blind Dan"
    assert "Eve" not in table.dealt()
    assert table.posts() == ["Cid small_blind 10", "Dan big_blind 20"]
    table.over()
    assert table.deal() == "button Cid, small blind Dan, big blind Ann"
    assert table.dealt() == "Dan Ann Bob Eve Cid"
    assert table.posts() == ["Dan small_blind 10", "Ann big_blind 20", "Eve live 20"]


def test_who_wants_to_post_and_is_due_for_the_big_blind_posts_that_alone(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 6, post_now=True)

    assert table.deal() == "button Bob, small blind Cid, big blind Eve"
    assert table.posts() == ["Cid small_blind 10", "Eve big_blind 20"]


def test_several_newcomers_come_in_each_in_their_own_way(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 6)  # The next big blind.
    table.sit("Fay", 8, post_now=True)  # Behind it.
    table.sit("Gus", 9)  # Behind it, waiting.
    table.sit("Hal", 4, post_now=True)  # Between the button and the small blind.

    assert table.deal() == "button Bob, small blind Cid, big blind Eve"
    assert table.dealt() == "Cid Eve Dan Fay Ann Bob"
    assert table.posts() == ["Cid small_blind 10", "Eve big_blind 20", "Fay live 20"]


def test_who_waits_may_change_their_mind_and_post(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 2)
    table.sit_in("Eve", post_now=True)

    table.deal()
    assert table.posts()[-1] == "Eve live 20"


def test_an_ante_is_paid_by_who_posts_too(open_table: Open) -> None:
    table = four(open_table, ante=5)
    table.sit("Eve", 2, post_now=True)

    table.deal()
    assert table.posts() == [
        *(f"{name} ante 5" for name in ("Cid", "Dan", "Ann", "Eve", "Bob")),
        "Cid small_blind 10",
        "Dan big_blind 20",
        "Eve live 20",
    ]


def test_the_big_blind_ante_is_paid_after_the_blind(open_table: Open) -> None:
    table = four(open_table, big_blind_ante=20)
    table.deal()
    assert table.posts() == ["Cid small_blind 10", "Dan big_blind 20", "Dan big_blind_ante 20"]


# --- missed blinds ---


def misses(open_table: Open, hands: int) -> Playing:
    """As `four`, where Bob sat out after the first hand and so many have passed him since."""
    table = four(open_table)
    table.sit_out("Bob")
    for _ in range(hands):
        table.deal()
        table.over()
    return table


def test_blinds_that_pass_a_seat_that_sits_out_are_booked(open_table: Open) -> None:
    table = misses(open_table, 0)
    owed = []
    for _ in range(4):
        table.deal()
        table.over()
        bob = table.seat("Bob")
        owed.append((table.places().rpartition(" ")[2], bob.missed_small, bob.missed_big, bob.missed_count))

    assert owed == [
        ("Ann", False, False, 0),
        ("Cid", False, True, 1),
        ("Dan", True, True, 1),
        ("Ann", True, True, 1),
    ]


def test_who_has_missed_nothing_comes_back_at_once(open_table: Open) -> None:
    table = misses(open_table, 1)
    table.sit_in("Bob")

    assert table.deal() == "button Dan, small blind Ann, big blind Bob"


def test_who_missed_blinds_comes_back_with_the_big_blind(open_table: Open) -> None:
    table = misses(open_table, 3)
    table.sit_in("Bob")
    assert table.you("Bob")["waiting"] == "big_blind"

    assert table.deal() == "button Cid, small blind Dan, big blind Ann"
    assert "Bob" not in table.dealt()
    table.over()
    assert table.deal() == "button Dan, small blind Ann, big blind Bob"
    assert table.posts() == ["Ann small_blind 10", "Bob big_blind 20"]
    assert (table.seat("Bob").missed_small, table.seat("Bob").missed_big) == (False, False)


def test_who_missed_both_blinds_posts_the_big_one_live_and_the_small_one_dead(open_table: Open) -> None:
    table = misses(open_table, 3)
    table.sit_in("Bob", post_now=True)

    assert table.deal() == "button Cid, small blind Dan, big blind Ann"
    assert table.posts() == ["Dan small_blind 10", "Ann big_blind 20", "Bob live 20", "Bob dead_blind 10"]
    assert table.acting() == "Bob"
    assert table.actions()["check"] is True, "the live blind is a bet; the dead one is in the pot"
    assert table.shown_seat("Bob")["bet"] == 20
    assert table.view()["hand"]["pots"] == [{"amount": 10, "eligible": [7, 1, 3, 5]}]


def test_who_missed_the_big_blind_alone_posts_that_live(open_table: Open) -> None:
    table = misses(open_table, 2)
    table.sit_in("Bob", post_now=True)

    table.deal()
    assert "Bob" not in table.dealt(), "between the button and the small blind"
    table.over()
    table.deal()
    assert table.posts()[2:] == ["Bob live 20"]


def test_who_missed_the_small_blind_alone_posts_that_dead(open_table: Open) -> None:
    table = four(open_table)
    table.sit_out("Cid")
    table.deal()
    table.over()
    table.sit_in("Cid", post_now=True)

    assert table.deal() == "button Dan, small blind Ann, big blind Bob"
    assert table.posts() == ["Ann small_blind 10", "Bob big_blind 20", "Cid dead_blind 10"]
    assert table.acting() == "Cid"
    assert table.actions()["call"] == 20


def test_at_most_one_of_each_blind_is_owed_however_often_they_were_missed(open_table: Open) -> None:
    table = misses(open_table, 11)
    assert table.seat("Bob").missed_count == 4
    table.sit_in("Bob", post_now=True)

    while "Bob" not in table.dealt():
        table.deal()
        if "Bob" not in table.dealt():
            table.over()
    assert [post for post in table.posts() if post.startswith("Bob")] in (
        ["Bob live 20", "Bob dead_blind 10"],
        ["Bob big_blind 20"],
    )


def test_a_newcomer_who_sits_out_before_the_first_hand_still_owes_a_big_blind(open_table: Open) -> None:
    """Not the small one dead, cheaper, that passed the seat meanwhile."""
    table = four(open_table)
    table.sit("Eve", 4)
    table.sit_out("Eve")
    table.deal()
    table.over()
    table.sit_in("Eve", post_now=True)

    table.deal()
    assert [post for post in table.posts() if post.startswith("Eve")] == ["Eve live 20"]


def test_blinds_are_forgotten_when_nobody_else_has_paid_for_a_place(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.over()
    table.sit_out("Cid")
    table.deal()
    table.over()
    assert table.seat("Cid").missed_small
    table.leave("Ann")
    table.sit_in("Cid")

    table.deal()
    assert {post.split()[1] for post in table.posts()} == {"small_blind", "big_blind"}


def test_heads_up_both_blinds_are_missed_in_two_hands(open_table: Open) -> None:
    table = open_table(seats=3)
    table.sit_all("Ann Bob Cid")
    for _ in range(3):
        table.deal()
        table.over()
    table.sit_out("Cid")

    owed = []
    for _ in range(2):
        table.deal()
        table.over()
        owed.append((table.seat("Cid").missed_small, table.seat("Cid").missed_big))
    assert owed == [(False, True), (True, True)]


# --- seats ---


def test_one_seat_a_player_and_one_player_a_seat(open_table: Open) -> None:
    """PR-D4, in whatever order the two arrive."""
    table = open_table()
    table.sit("Ann", 2)

    assert table.refused(Sit(account("Ann"), "Ann", "player", 1_000, 4)) is Refusal.ALREADY_SEATED
    assert table.refused(Sit(account("Bob"), "Bob", "player", 1_000, 2)) is Refusal.SEAT_TAKEN
    table.leave("Ann")
    table.sit("Ann", 4)
    assert table.names() == "Ann"
    assert table.bought == 1_000


def test_without_a_wish_a_newcomer_gets_the_first_free_seat(open_table: Open) -> None:
    table = open_table(seats=3)
    table.sit("Ann", 2)
    table.sit("Bob")
    table.sit("Cid")

    assert {name: table.seat(name).seat for name in ("Ann", "Bob", "Cid")} == {"Ann": 2, "Bob": 1, "Cid": 3}
    assert table.refused(Sit(account("Dan"), "Dan", "player", 1_000)) is Refusal.TABLE_FULL


@pytest.mark.parametrize("seat", [0, 7, -1, True, 2.0, "2"])
def test_a_seat_that_is_not_there_is_not_given(open_table: Open, seat: object) -> None:
    table = open_table(seats=6)

    assert table.refused(Sit(account("Ann"), "Ann", "player", 1_000, seat)) is Refusal.NOT_FOUND  # type: ignore[arg-type]  # As sent.


def test_an_invite_only_table_asks_for_its_code(open_table: Open) -> None:
    table = open_table(join_code="xyzzy")

    assert table.refused(Sit(account("Ann"), "Ann", "player", 1_000)) is Refusal.FORBIDDEN
    assert table.refused(Sit(account("Ann"), "Ann", "player", 1_000, join_code="plugh")) is Refusal.FORBIDDEN
    table.do(Sit(account("Ann"), "Ann", "player", 1_000, join_code="xyzzy"))
    assert "xyzzy" not in repr(Sit(account("Ann"), "Ann", "player", 1_000, join_code="xyzzy"))
    assert "xyzzy" not in str(table.updates)


def test_only_who_sits_out_or_waits_has_something_to_come_back_from(open_table: Open) -> None:
    table = four(open_table)

    assert table.refused(SitIn(account("Ann"), True)) is Refusal.ILLEGAL_ACTION
    assert table.refused(SitIn(account("Eve"))) is Refusal.NOT_SEATED
    table.sit("Eve", 2)
    assert table.refused(SitIn(account("Eve"))) is Refusal.ILLEGAL_ACTION
    table.sit_in("Eve", post_now=True)
    assert table.refused(SitIn(account("Eve"), True)) is Refusal.ILLEGAL_ACTION


def test_a_newcomer_who_never_plays_is_no_player_of_any_hand(open_table: Open) -> None:
    table = four(open_table)
    table.sit("Eve", 2)
    table.deal()
    table.wait(2 * MINUTE)
    table.leave("Eve")

    assert all(player.name != "Eve" for record in table.records for player in record.players)

"""docs/rules.md, the table: sitting out, seats that are given up, players who are away."""

from collections.abc import Callable

from fullring.rules.refusals import Refusal
from fullring.table.commands import Pause, Resume, Sit, SitOut
from fullring.table.events import SatOut
from fullring.table.table import deadline
from tests.table.playing import MINUTE, SECOND, Playing, account

Open = Callable[..., Playing]


def wants_a_seat(name: str, seat: int | None = None) -> Sit:
    return Sit(account(name), name, "player", 1_000, seat)


def test_sitting_out_takes_effect_when_the_hand_is_over(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.sit_out("Bob")

    assert not table.seat("Bob").out
    assert table.you("Bob")["waiting"] == "sit_out"
    table.plays("Ann call", "Bob raise 60")
    table.over()
    assert table.shown_seat("Bob")["state"] == "sitting_out"
    assert table.told("sat_out")[-1]["reason"] == "asked"
    table.deal()
    assert "Bob" not in table.dealt()


def test_between_hands_it_takes_effect_at_once(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.sit_out("Cid")

    assert table.seat("Cid").out
    assert table.you("Cid")["waiting"] == "sitting_out"
    assert table.refused(SitOut(account("Cid"))) is Refusal.ILLEGAL_ACTION


def test_it_may_be_taken_back_while_the_hand_is_in_play(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.sit_out("Bob")
    assert table.refused(SitOut(account("Bob"))) is Refusal.ILLEGAL_ACTION
    table.sit_in("Bob")
    table.over()

    assert not table.seat("Bob").out
    assert table.happened(SatOut) == []


def test_blinds_are_missed_and_not_posted(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid Dan")
    table.sit_out("Cid")

    assert table.deal() == "button Ann, small blind Bob, big blind Dan"
    assert table.stacks()["Cid"] == 1_000
    assert table.seat("Cid").missed_count == 0, "the first hand's blinds have passed nobody"


def full(open_table: Open, **chosen: object) -> Playing:
    """Three seats, all taken; Cid sits out."""
    table = open_table(seats=3, **chosen)
    table.sit_all("Ann Bob Cid")
    table.sit_out("Cid")
    return table


def test_a_seat_is_kept_while_nobody_waits_for_it(open_table: Open) -> None:
    table = full(open_table)
    for _ in range(8):
        table.deal()
        table.over()
    table.wait(20 * MINUTE)

    assert "Cid" in table.names()


def test_three_missed_big_blinds_and_the_seat_is_given_to_who_waits_for_it(open_table: Open) -> None:
    table = full(open_table)
    while table.seat("Cid").missed_count < 2:
        table.deal()
        table.over()
    assert table.refused(wants_a_seat("Dan")) is Refusal.TABLE_FULL
    assert table.refused(wants_a_seat("Dan", 3)) is Refusal.SEAT_TAKEN
    while table.seat("Cid").missed_count < 3:
        table.deal()
        table.over()
    table.do(wants_a_seat("Dan"))

    assert table.names() == "Ann Bob Dan"
    assert [event["type"] for event in table.updates[-1]["events"]][:2] == ["left", "seated"]
    assert table.told("left") == [
        {
            "type": "left",
            "seat": 3,
            "account": account("Cid"),
            "name": "Cid",
            "stack": 1_000,
            "reason": "gave up the seat",
        }
    ]


def test_who_has_played_again_may_miss_three_big_blinds_anew(open_table: Open) -> None:
    table = full(open_table)
    while table.seat("Cid").missed_count < 2:
        table.deal()
        table.over()
    table.sit_in("Cid")
    while "Cid" not in table.dealt():
        table.deal()
        table.over()
    table.sit_out("Cid")
    while not table.seat("Cid").missed_big:
        table.deal()
        table.over()

    assert table.refused(wants_a_seat("Dan")) is Refusal.TABLE_FULL


def test_fifteen_minutes_and_the_seat_is_given_to_who_waits_for_it(open_table: Open) -> None:
    table = full(open_table)
    table.sit_out("Bob")
    table.wait(15 * MINUTE - 1)
    assert table.refused(wants_a_seat("Dan", 3)) is Refusal.SEAT_TAKEN
    table.wait(1)
    table.do(wants_a_seat("Dan", 3))

    assert table.names() == "Ann Bob Dan"


def test_who_has_been_out_longest_gives_up_the_seat(open_table: Open) -> None:
    table = full(open_table)
    table.wait(MINUTE)
    table.sit_out("Bob")
    table.wait(20 * MINUTE)
    table.do(wants_a_seat("Dan"))

    assert table.names() == "Ann Bob Dan"


def test_while_another_seat_is_free_nobody_gives_up_theirs(open_table: Open) -> None:
    table = full(open_table)
    table.leave("Ann")
    table.wait(20 * MINUTE)

    assert table.refused(wants_a_seat("Dan", 3)) is Refusal.SEAT_TAKEN
    table.do(wants_a_seat("Dan"))
    assert table.names() == "Dan Bob Cid"


def test_after_an_hour_the_seat_is_given_up_regardless(open_table: Open) -> None:
    table = full(open_table)
    table.wait(60 * MINUTE - 1)
    assert "Cid" in table.names()
    table.wait(1)

    assert "Cid" not in table.names()
    assert table.told("left")[-1]["reason"] == "was away too long"


def test_a_seat_is_given_up_on_time_though_a_hand_is_in_play(open_table: Open) -> None:
    table = full(open_table, turn_ms=10 * MINUTE, sit_out_max_ms=5 * MINUTE, sit_out_yield_ms=5 * MINUTE)
    table.deal()
    table.wait(5 * MINUTE)

    assert "Cid" not in table.names()
    assert not table.table.between_hands


def test_who_sits_out_keeps_the_seat_no_longer_for_losing_the_connection(open_table: Open) -> None:
    table = full(open_table)
    table.wait(50 * MINUTE)
    table.disconnect("Cid")
    table.wait(10 * MINUTE)

    assert "Cid" not in table.names()


def test_coming_back_starts_no_old_clock(open_table: Open) -> None:
    table = full(open_table)
    table.wait(59 * MINUTE)
    table.sit_in("Cid")
    table.sit_out("Cid")
    table.wait(30 * MINUTE)

    assert "Cid" in table.names()


def test_pauses_do_not_count_towards_the_hour(open_table: Open) -> None:
    table = full(open_table)
    table.wait(10 * MINUTE)
    table.pause(10 * MINUTE)
    table.wait(5 * MINUTE - 1)
    assert table.refused(wants_a_seat("Dan")) is Refusal.TABLE_FULL
    table.wait(45 * MINUTE)
    assert "Cid" in table.names()
    table.wait(1)

    assert "Cid" not in table.names()


def test_in_a_pause_nobody_makes_room_for_who_waits(open_table: Open) -> None:
    table = full(open_table)
    table.wait(14 * MINUTE)
    table.do(Pause("a break"))
    table.wait(MINUTE)

    assert table.refused(wants_a_seat("Dan")) is Refusal.TABLE_FULL
    assert table.refused(wants_a_seat("Dan", 3)) is Refusal.SEAT_TAKEN


def test_who_goes_away_in_a_pause_keeps_the_seat_for_an_hour_from_its_end(open_table: Open) -> None:
    table = full(open_table)
    table.do(Pause("a break"))
    table.wait(9 * 60 * MINUTE)
    table.sit_out("Bob")
    table.disconnect("Ann")
    table.wait(60 * MINUTE)
    table.do(Resume("the break is over"))
    table.wait(60 * MINUTE - 1)
    assert table.names() == "Ann Bob Cid"
    table.wait(1)

    assert table.names() == ""


# --- away from a table where nothing is dealt ---


def test_no_hand_starts_with_fewer_than_two_who_are_connected(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.disconnect("Bob", "Cid")
    table.wait(MINUTE)

    assert table.table.hands == 0
    assert table.view()["status"] == "waiting"
    table.connect("Cid")
    table.wait(2 * SECOND)
    assert table.table.hands == 1
    assert table.dealt() == "Bob Cid Ann", "who is away is dealt in all the same"


def test_everybody_disconnects(open_table: Open) -> None:
    """PR-E6: folded one after the other at 30 s; the last live hand wins unasked; the table starts when two return."""
    table = open_table(seats=3)
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.disconnect("Ann", "Bob", "Cid")
    table.wait(30 * SECOND)
    assert (table.acting(), table.seat("Ann").last_action) == ("Bob", "fold")
    table.wait(30 * SECOND)

    assert table.acting() is None
    assert table.stacks() == {"Ann": 1_000, "Bob": 990, "Cid": 1_010}
    assert [(event["seat"], event["amount"]) for event in table.told("uncalled_returned")] == [(3, 10)]
    assert table.told("pot_awarded")[-1]["amount"] == 20
    table.wait(10 * MINUTE)
    assert table.table.hands == 1
    table.connect("Ann", "Cid")
    table.sit_in("Ann")
    assert table.deal() == "button Cid, small blind Cid, big blind Ann"


def test_who_is_away_where_nothing_is_dealt_keeps_the_seat_as_long_as_who_sits_out(open_table: Open) -> None:
    table = open_table(seats=2)
    table.sit_all("Ann Bob")
    table.disconnect("Bob")
    table.wait(15 * MINUTE - 1)
    assert table.refused(wants_a_seat("Cid")) is Refusal.TABLE_FULL
    table.wait(45 * MINUTE)
    assert table.names() == "Ann Bob"
    table.wait(1)

    assert table.names() == "Ann"


def test_who_is_away_for_a_quarter_of_an_hour_makes_room_for_who_waits(open_table: Open) -> None:
    table = open_table(seats=2)
    table.sit_all("Ann Bob")
    table.disconnect("Bob")
    table.wait(15 * MINUTE)
    table.do(wants_a_seat("Cid"))

    assert table.names() == "Ann Cid"


def test_a_seat_in_a_hand_is_given_up_to_nobody_before_it_is_over(open_table: Open) -> None:
    """However long its turns are."""
    table = open_table(seats=2, turn_ms=10 * MINUTE, sit_out_max_ms=5 * MINUTE, sit_out_yield_ms=5 * MINUTE)
    table.sit_all("Ann Bob")
    table.deal()
    table.disconnect("Ann", "Bob")
    table.wait(10 * MINUTE - 1)
    assert table.refused(wants_a_seat("Cid")) is Refusal.TABLE_FULL
    assert (table.names(), table.acting()) == ("Ann Bob", "Ann")
    table.wait(1)

    assert table.told("acted")[-1]["auto"] == "away"
    assert [(event["name"], event["stack"]) for event in table.told("left")] == [("Bob", 1_010)]


def test_a_connection_that_comes_back_is_away_no_longer(open_table: Open) -> None:
    table = open_table(seats=2)
    table.sit("Ann", 1)
    table.disconnect("Ann")
    table.wait(50 * MINUTE)
    table.connect("Ann")
    assert deadline(table.table) is None
    table.wait(10 * MINUTE)
    table.disconnect("Ann")
    table.wait(50 * MINUTE)

    assert table.names() == "Ann"


def test_a_table_that_everybody_has_left_waits_for_nothing(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.leave("Ann", "Bob", "Cid")

    assert table.table.seats == {}
    assert table.table.chips == 0
    assert deadline(table.table) is None
    table.sit_all("Dan Eve")
    table.deal()
    assert table.posts()[0].endswith("small_blind 10")

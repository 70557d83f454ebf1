"""docs/rules.md, the time bank."""

from collections.abc import Callable

import pytest

from fullring.rules.refusals import Refusal
from fullring.table.events import OutReason, TimeBankStarted
from tests.table.playing import SECOND, Playing
from tests.table.test_clock import acted, in_play

Open = Callable[..., Playing]


def test_the_time_bank_starts_by_itself_for_a_player_who_is_connected(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.wait(30 * SECOND)

    assert acted(table) == []
    assert table.told("time_bank_started") == [
        {"type": "time_bank_started", "turn": table.turn(), "seat": 1, "deadline": table.now + 30 * SECOND}
    ]
    turn = table.shown_turn()
    assert turn is not None
    assert turn["deadline"] == table.now + 30 * SECOND
    table.wait(30 * SECOND)
    assert acted(table) == [(1, "fold", "timeout")]
    assert table.seat("Ann").time_bank_ms == 0


def test_what_is_left_of_the_time_bank_is_kept(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.wait(42 * SECOND)
    table.plays("Ann call")

    assert table.seat("Ann").time_bank_ms == 18 * SECOND
    assert table.shown_seat("Ann")["time_bank_ms"] == 18 * SECOND
    table.plays("Bob call", "Cid check", "Bob check", "Cid check")
    table.wait(30 * SECOND)
    assert table.table.deadline == table.now + 18 * SECOND


def test_an_action_at_the_very_end_of_the_time_bank_counts(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    answer, end = table.answer("Ann call"), table.now + 60 * SECOND
    table.wait(59 * SECOND)
    table.do(answer, end)

    assert acted(table) == [(1, "call", None)]
    assert table.seat("Ann").time_bank_ms == 0


def test_an_action_after_the_end_of_the_time_bank_is_refused_though_the_clock_has_not_rung(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    answer, end = table.answer("Ann call"), table.now + 60 * SECOND
    table.wait(59 * SECOND)
    assert table.refused(answer, end + 1) is Refusal.STALE_TURN
    table.wait(SECOND)

    assert acted(table) == [(1, "fold", "timeout")]


def test_a_moment_past_the_deadline_the_time_bank_pays_though_the_clock_has_not_rung(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.do(table.answer("Ann call"), table.now + 30 * SECOND + 40)

    assert table.seat("Ann").time_bank_ms == 30 * SECOND - 40


def test_a_time_bank_that_ran_costs_no_more_than_it_held(open_table: Open) -> None:
    """An answer that was received before the clock rang, and is judged after."""
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    received = table.now + 30 * SECOND
    answer = table.answer("Ann call")
    table.wait(30 * SECOND)
    table.do(answer, received)

    assert table.seat("Ann").time_bank_ms == 30 * SECOND


def test_the_time_bank_cannot_start_without_a_connection(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.disconnect("Ann")
    answer = table.answer("Ann call")
    assert table.refused(answer, table.now + 30 * SECOND + 1) is Refusal.STALE_TURN
    table.wait(30 * SECOND)

    assert table.happened(TimeBankStarted) == []
    assert table.seat("Ann").time_bank_ms == 30 * SECOND


def test_a_time_bank_that_runs_goes_on_without_a_connection(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.wait(35 * SECOND)
    due = table.table.deadline
    table.disconnect("Ann")
    assert table.table.deadline == due
    table.wait(25 * SECOND)

    assert acted(table) == [(1, "fold", "away")]
    assert table.seat("Ann").sit_out_asked is OutReason.AWAY


def test_an_empty_time_bank_starts_no_more(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.wait(60 * SECOND)
    table.over()
    table.deal()
    table.plays("Bob call", "Cid call")
    table.wait(30 * SECOND)

    assert len(table.happened(TimeBankStarted)) == 1
    assert acted(table)[-1] == (1, "check", "timeout")


@pytest.mark.parametrize(("hands", "seconds"), [(9, 30), (10, 35), (20, 40), (60, 60), (70, 60)])
def test_the_time_bank_grows_by_five_seconds_every_ten_hands_up_to_a_minute(
    open_table: Open, hands: int, seconds: int
) -> None:
    table = open_table(time_bank_ms=30 * SECOND, hand_pause_ms=0)
    table.sit_all("Ann Bob")
    for _ in range(hands):
        table.deal()
        table.over()

    assert [seat.time_bank_ms for seat in table.table.seats.values()] == [seconds * SECOND] * 2


def test_the_hands_that_count_are_those_the_player_was_dealt(open_table: Open) -> None:
    table = open_table(time_bank_ms=30 * SECOND, hand_pause_ms=0)
    table.sit_all("Ann Bob Cid")
    table.sit_out("Cid")
    for _ in range(10):
        table.deal()
        table.over()

    assert table.seat("Ann").time_bank_ms == 35 * SECOND
    assert table.seat("Cid").time_bank_ms == 30 * SECOND


def test_a_table_without_a_time_bank_never_gets_one(open_table: Open) -> None:
    table = open_table(time_bank_ms=0, hand_pause_ms=0)
    table.sit_all("Ann Bob")
    for _ in range(10):
        table.deal()
        table.over()

    assert table.seat("Ann").time_bank_ms == 0

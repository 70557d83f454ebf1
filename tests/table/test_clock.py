"""docs/rules.md, the clock and disconnection."""

from collections.abc import Callable

from fullring.rules.refusals import Refusal
from fullring.table.commands import Arm, Connect, PreAction
from fullring.table.events import ClockStarted, OutReason, SatOut, TurnExpired
from fullring.table.table import deadline
from tests.table.playing import SECOND, Playing, account

Open = Callable[..., Playing]


def in_play(open_table: Open, names: str = "Ann Bob Cid", **chosen: object) -> Playing:
    """Before the flop. Of three, Ann has the button and is to act, Bob and Cid have the blinds."""
    table = open_table(**{"time_bank_ms": 0, **chosen})
    table.sit_all(names)
    table.deal()
    return table


def acted(table: Playing) -> list[tuple[object, ...]]:
    return [(event["seat"], event["action"], event.get("auto")) for event in table.told("acted")]


# --- the turn ---


def test_every_turn_has_thirty_seconds(open_table: Open) -> None:
    table = in_play(open_table)
    assert table.happened(ClockStarted) == [ClockStarted(table.turn(), 1, table.now + 30 * SECOND)]
    assert table.table.deadline == table.now + 30 * SECOND
    table.wait(12 * SECOND)
    table.plays("Ann call")

    assert table.table.deadline == table.now + 30 * SECOND
    turn = table.shown_turn()
    assert turn is not None
    assert (turn["seat"], turn["deadline"]) == (2, table.now + 30 * SECOND)
    assert table.told("turn_started")[-1]["deadline"] == table.now + 30 * SECOND


def test_the_turns_length_is_a_setting(open_table: Open) -> None:
    table = in_play(open_table, turn_ms=7 * SECOND)
    table.wait(7 * SECOND - 1)
    assert table.acting() == "Ann"
    table.wait(1)

    assert table.acting() == "Bob"


def test_when_time_runs_out_a_bet_is_folded_to_and_the_reason_is_logged(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(30 * SECOND - 1)
    assert acted(table) == []
    table.wait(1)

    assert acted(table) == [(1, "fold", "timeout")]
    assert table.table.deadline == table.now + 30 * SECOND, "the next turn has its own"


def test_when_time_runs_out_it_is_a_check_where_checking_is_free(open_table: Open) -> None:
    """PR-E1: disconnected in the big blind, checked on each street at 30 s while nothing is owed, folded to a bet."""
    table = open_table(time_bank_ms=0)
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="KcQc", Bob="8h7h", Cid="AsAd", board="Js6d3cKh")
    table.disconnect("Cid")
    table.plays("Ann call", "Bob call")
    assert table.actions() == {"fold": True, "check": True, "raise": {"min": 40, "max": 1_000}, "all_in": 1_000}
    for answers in (["Bob check"], ["Ann check", "Bob check"], ["Ann bet 40", "Bob fold"]):
        table.wait(30 * SECOND - 1)
        assert table.acting() == "Cid"
        table.wait(1)
        assert acted(table)[-1] == (3, "check", "away")
        table.plays(*answers)
    table.wait(30 * SECOND)

    assert acted(table)[-1] == (3, "fold", "away")
    assert table.stacks() == {"Ann": 1_040, "Bob": 980, "Cid": 980}
    assert [(event["seat"], event["amount"]) for event in table.told("uncalled_returned")] == [(1, 40)]


# --- the tie ---


def test_an_action_at_the_very_deadline_counts(open_table: Open) -> None:
    """PR-E4: at 29.9 and 30.0 s it counts, and the next decision of the same player has its full time."""
    for late in (29_900, 30_000):
        table = in_play(open_table, "Ann Bob")
        table.plays("Ann call")
        answer = table.answer("Bob check")
        began = table.now
        table.do(answer, began + late)

        assert acted(table)[-1] == (2, "check", None)
        assert table.acting() == "Bob", "first on the flop"
        assert table.table.deadline == began + late + 30 * SECOND


def test_an_action_at_the_very_deadline_counts_though_the_connection_is_lost_in_that_instant(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob", time_bank_ms=30 * SECOND)
    answer, due = table.answer("Ann call"), table.now + 30 * SECOND
    table.disconnect("Ann")
    table.do(answer, due)

    assert acted(table) == [(1, "call", None)]


def test_an_action_after_the_deadline_is_refused_and_the_clock_decides(open_table: Open) -> None:
    """PR-E4: at 30.1 s, whether or not the clock has rung."""
    table = in_play(open_table, "Ann Bob")
    late = table.answer("Ann call")
    assert table.refused(late, table.now + 30_100) is Refusal.STALE_TURN
    table.wait(30_100)

    assert acted(table) == [(1, "fold", "timeout")]
    assert table.refused(late) is Refusal.STALE_TURN


def test_of_an_action_and_the_clock_in_one_instant_exactly_one_takes_effect(open_table: Open) -> None:
    """PR-E4: in either order."""
    table = in_play(open_table, "Ann Bob")
    answer, due = table.answer("Ann call"), table.now + 30 * SECOND
    table.do(answer, due)
    assert table.table.deadline == due + 30 * SECOND
    table.wait(30 * SECOND)
    assert acted(table) == [(1, "call", None)]

    table = in_play(open_table, "Ann Bob")
    answer = table.answer("Ann call")
    table.wait(30 * SECOND)
    assert table.refused(answer) is Refusal.STALE_TURN
    assert acted(table) == [(1, "fold", "timeout")]


# --- without a connection ---


def test_a_lost_connection_gives_no_extra_time(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(20 * SECOND)
    due = table.table.deadline
    table.disconnect("Ann")
    assert table.table.deadline == due
    table.wait(10 * SECOND)

    assert acted(table) == [(1, "fold", "away")]


def test_who_comes_back_acts_in_what_remains(open_table: Open) -> None:
    table = in_play(open_table)
    due = table.table.deadline
    table.disconnect("Ann")
    table.wait(25 * SECOND)
    table.connect("Ann")
    assert table.table.deadline == due
    table.wait(4 * SECOND)
    table.plays("Ann raise 60")

    assert acted(table) == [(1, "raise", None)]


def test_who_is_away_when_the_turn_begins_has_thirty_seconds_and_no_more(open_table: Open) -> None:
    table = in_play(open_table, time_bank_ms=30 * SECOND)
    table.disconnect("Bob")
    table.plays("Ann call")
    assert table.table.deadline == table.now + 30 * SECOND
    table.wait(30 * SECOND)

    assert acted(table)[-1] == (2, "fold", "away")
    assert table.told("time_bank_started") == []


def test_who_is_all_in_stays_in_without_a_connection(open_table: Open) -> None:
    """PR-E2: no clock runs for it, the hand is shown with the others and wins."""
    table = open_table(time_bank_ms=0)
    table.sit("Ann", 1, 200)
    table.sit("Bob", 2)
    table.sit("Cid", 3)
    table.deal(Ann="TsTd", Bob="9c4d", Cid="KhQh", board="8c5d2hJs3c")
    table.plays("Ann all-in")
    table.disconnect("Ann")
    table.plays("Bob fold", "Cid call")

    assert table.table.between_hands
    assert table.stacks() == {"Ann": 410, "Bob": 990, "Cid": 800}
    assert not any(event.seat == 1 for event in table.happened(ClockStarted)[1:])
    assert {event["seat"] for event in table.told("cards_shown")} == {1, 3}


# --- repeated ---


def test_one_expiry_without_a_connection_and_the_player_sits_out_after_the_hand(open_table: Open) -> None:
    table = in_play(open_table)
    table.disconnect("Ann")
    table.wait(30 * SECOND)
    assert not table.seat("Ann").out
    assert table.you("Ann")["waiting"] == "sit_out"
    table.over()

    assert [(event.seat, event.reason) for event in table.happened(SatOut)] == [(1, OutReason.AWAY)]
    assert table.told("sat_out")[-1]["reason"] == "away"


def test_who_comes_back_before_the_hand_is_over_may_stay_in(open_table: Open) -> None:
    table = in_play(open_table)
    table.disconnect("Ann")
    table.wait(30 * SECOND)
    table.connect("Ann")
    table.sit_in("Ann")
    table.over()

    assert table.happened(SatOut) == []


def test_later_turns_of_the_same_hand_have_their_thirty_seconds_too(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann call")
    table.disconnect("Bob")
    table.wait(30 * SECOND)
    assert table.acting() == "Bob", "checked before the flop, first on it"
    table.wait(30 * SECOND - 1)
    assert table.acting() == "Bob"
    table.wait(1)

    assert table.acting() == "Ann"


def test_two_expiries_running_with_a_connection_and_the_player_sits_out(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(30 * SECOND)
    assert table.seat("Ann").sit_out_asked is None
    table.over()
    assert table.happened(SatOut) == []
    table.deal()
    table.plays("Bob call", "Cid call")
    table.wait(30 * SECOND)

    assert [(event.seat, event.connected) for event in table.happened(TurnExpired)] == [(1, True), (1, True)]
    table.over()
    assert [(event.seat, event.reason) for event in table.happened(SatOut)] == [(1, OutReason.TIMEOUT)]


def test_who_has_asked_to_sit_out_sits_out_for_that_reason_though_the_clock_ran_out(open_table: Open) -> None:
    table = in_play(open_table)
    table.sit_out("Ann")
    table.disconnect("Ann")
    table.wait(30 * SECOND)
    table.over()

    assert [(event.seat, event.reason) for event in table.happened(SatOut)] == [(1, OutReason.ASKED)]


def test_an_action_in_between_starts_the_count_again(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(30 * SECOND)
    table.over()
    table.deal()
    table.plays("Bob call", "Cid call", "Ann check")
    table.over()
    table.deal()
    table.plays("Cid call")
    table.wait(30 * SECOND)
    table.over()

    assert table.happened(SatOut) == []


def test_an_answer_that_was_held_starts_the_count_again_too(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(30 * SECOND)
    table.over()
    table.deal()
    table.do(Arm(account("Ann"), table.table.hand_id, PreAction.FOLD))
    table.plays("Bob call", "Cid raise 60")
    table.over()
    table.deal()
    table.plays("Cid call")
    table.wait(30 * SECOND)
    table.over()

    assert table.happened(SatOut) == []


def test_who_sits_out_after_an_expiry_comes_back_by_sitting_in(open_table: Open) -> None:
    table = in_play(open_table)
    table.disconnect("Ann")
    table.wait(30 * SECOND)
    table.over()
    table.connect("Ann")
    assert table.you("Ann")["waiting"] == "sitting_out"
    table.deal()
    assert "Ann" not in table.dealt()
    table.sit_in("Ann")

    assert not table.seat("Ann").out


# --- between hands ---


def test_the_next_hand_starts_a_second_after_one_without_a_showdown(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    table.wait(999)
    assert table.table.hands == 1
    table.wait(1)

    assert table.table.hands == 2


def test_the_next_hand_starts_three_seconds_after_a_showdown(open_table: Open) -> None:
    table = in_play(open_table)
    table.showdown()
    table.wait(2_999)
    assert table.table.hands == 1
    table.wait(1)

    assert table.table.hands == 2


def test_who_comes_back_within_that_time_does_not_shorten_it(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann all-in", "Bob call")
    due = table.table.next_hand_at
    table.disconnect("Bob")
    table.wait(SECOND)
    table.connect("Bob")

    assert table.table.next_hand_at == due == table.now + 2 * SECOND
    assert table.do(Connect(account("Bob"), True)) == [], "that is so already"


def test_hands_that_everybody_saw_all_in_are_a_showdown_too(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann fold", "Bob all-in", "Cid call")

    assert table.table.next_hand_at == table.now + 3 * SECOND


def test_a_table_of_bots_needs_no_pause(open_table: Open) -> None:
    table = in_play(open_table, hand_pause_ms=0)
    table.over()
    assert deadline(table.table) == table.now
    table.wait(0)

    assert table.table.hands == 2


def test_within_a_hand_the_table_never_waits_for_show(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann all-in", "Bob call")

    kinds = [event["type"] for event in table.updates[-1]["events"]]
    assert kinds.count("street_dealt") == 3
    assert kinds[-1] in {"hand_ended", "sat_out"}


def test_a_table_at_rest_starts_a_pause_after_the_second_player_comes(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann")
    table.wait(60 * SECOND)
    table.sit("Bob")
    assert deadline(table.table) == table.now + SECOND
    table.leave("Bob")

    assert deadline(table.table) is None
    assert table.table.seat_of(account("Bob")) is None

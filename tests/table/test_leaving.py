"""docs/rules.md, the table: leaving at any moment, being removed, a table that closes."""

from collections.abc import Callable

import pytest

from fullring.rules.cards import Deck
from fullring.rules.refusals import Refusal, Refused
from fullring.table.commands import Chat, Close, Kick, Leave, Sit, SitIn, Tick
from fullring.table.events import Closed
from fullring.table.table import deadline
from tests.table.playing import SECOND, Playing, account

Open = Callable[..., Playing]


def in_play(open_table: Open, **chosen: object) -> Playing:
    """Ann, on the button, is to act before the flop; Bob and Cid have the blinds."""
    table = open_table(**chosen)
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", Cid="QsQh", board="2c3d4h8s9s")
    return table


def left(table: Playing) -> list[tuple[object, object]]:
    return [(event["name"], event["stack"]) for event in table.told("left")]


def acted(table: Playing) -> list[tuple[object, ...]]:
    return [(event["seat"], event["action"], event.get("auto")) for event in table.told("acted")]


def test_between_hands_who_leaves_is_cashed_out_at_once(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1, 700)
    table.leave("Ann")

    assert left(table) == [("Ann", 700)]
    assert table.refused(Leave(account("Ann"))) is Refusal.NOT_SEATED


def test_who_was_not_dealt_in_leaves_at_once_during_a_hand(open_table: Open) -> None:
    table = in_play(open_table)
    table.sit("Dan", 5)
    table.leave("Dan")

    assert left(table) == [("Dan", 1_000)]
    assert table.acting() == "Ann"


def test_a_player_to_act_folds_at_once(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Ann")

    assert acted(table) == [(1, "fold", "left")]
    assert table.acting() == "Bob"
    assert left(table) == [], "the stack is cashed out when the hand ends"
    assert table.you("Ann")["waiting"] == "leaving"
    table.over()
    assert left(table) == [("Ann", 1_000)]


def test_a_player_not_to_act_is_checked_when_the_turn_comes(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Cid")
    assert acted(table) == []
    table.plays("Ann call", "Bob call")

    assert acted(table)[-1] == (3, "check", "left")
    assert table.acting() == "Bob"
    table.plays("Bob bet 40")
    assert acted(table)[-1] == (3, "fold", "left")
    table.over()
    assert left(table) == [("Cid", 980)]


def test_a_player_not_to_act_is_folded_to_a_bet(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Bob")
    table.plays("Ann raise 60")

    assert acted(table)[-1] == (2, "fold", "left")
    assert table.acting() == "Cid"


def test_a_player_who_has_folded_stays_seated_until_the_end(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann fold")
    table.leave("Ann")
    assert left(table) == []
    table.over()

    assert left(table) == [("Ann", 1_000)]


def test_a_player_who_is_all_in_stays_in_and_may_win(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann all-in", "Bob fold")
    table.leave("Ann")
    table.plays("Cid call")

    assert left(table) == [("Ann", 2_010)]
    assert table.stacks() == {"Bob": 990, "Cid": 0}


def test_the_last_but_one_leaves_and_the_hand_is_over(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann fold")
    table.leave("Bob")

    assert table.table.between_hands
    assert left(table) == [("Bob", 990)]
    assert table.stacks() == {"Ann": 1_000, "Cid": 1_010}


def test_all_leave_in_any_order_and_every_chip_goes_with_them(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Bob", "Ann", "Cid")

    assert left(table) == [("Bob", 990), ("Ann", 1_000), ("Cid", 1_010)]
    assert table.table.seats == {}


def test_leaving_is_asked_once_and_not_taken_back(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Cid")

    assert table.refused(Leave(account("Cid"))) is Refusal.CLOSING
    assert table.refused(SitIn(account("Cid"))) is Refusal.CLOSING
    assert table.refused(Sit(account("Cid"), "Cid", "player", 1_000)) is Refusal.ALREADY_SEATED


def test_who_left_plays_no_more_turns(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Cid")
    table.plays("Ann call", "Bob call")

    assert table.refused(table.answer("Cid bet 40")) is Refusal.NOT_YOUR_TURN


def test_a_seat_that_was_left_is_free_at_once(open_table: Open) -> None:
    table = in_play(open_table, seats=3)
    table.leave("Ann")
    table.over()
    table.sit("Dan", 1)

    assert table.names() == "Dan Bob Cid"
    assert table.you("Dan") == {"seat": 1, "cards": [], "waiting": "big_blind"}


def test_one_who_is_removed_leaves_like_any_other(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Kick(account("Ann"), "removed by the host"))
    assert acted(table) == [(1, "fold", "left")]
    table.over()

    assert table.told("left")[-1]["reason"] == "removed by the host"
    assert table.refused(Kick(account("Ann"), "again")) is Refusal.NOT_SEATED


def test_who_removes_somebody_is_refused_in_words_about_that_player(open_table: Open) -> None:
    table = in_play(open_table)
    with pytest.raises(Refused, match="that account has no seat"):
        table.do(Kick(account("Dan"), "removed by the host"))
    table.leave("Bob")
    with pytest.raises(Refused, match="that account is leaving already"):
        table.do(Kick(account("Bob"), "removed by the host"))


# --- a table that closes ---


def test_a_table_closes_when_the_hand_in_play_is_over_and_everybody_is_cashed_out(open_table: Open) -> None:
    table = in_play(open_table)
    table.sit("Dan", 5)
    table.do(Close("the evening is over"))
    assert table.view()["status"] == "closing"
    assert table.view()["reason"] == "the evening is over"
    assert table.refused(Sit(account("Eve"), "Eve", "player", 1_000)) is Refusal.CLOSING
    assert table.do(Close("again")) == []
    table.plays("Ann call", "Bob call", "Cid check")
    table.showdown()

    assert table.table.closed
    assert dict(left(table)) == {"Ann": 1_040, "Bob": 980, "Cid": 980, "Dan": 1_000}
    assert table.told("table_closed") == [{"type": "table_closed", "reason": "the evening is over"}]
    assert deadline(table.table) is None


def test_the_last_events_of_a_table_that_closes_are_told_like_any_others(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann call", "Bob call", "Cid check", "Bob check", "Cid check", "Ann check")
    table.plays("Bob check", "Cid check", "Ann check", "Bob check", "Cid check")
    table.do(Close("the evening is over"))
    turn = table.turn()
    table.plays("Ann check")

    assert table.told("acted")[-1]["turn"] == turn
    assert [event.get("rank", {}).get("text") for event in table.told("cards_shown")] == [
        "pair of kings",
        "pair of aces",
    ]


def test_a_table_where_no_hand_is_in_play_closes_at_once(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    events = table.do(Close("empty"))

    assert events[-1] == Closed("empty")
    assert dict(left(table)) == {"Ann": 1_000, "Bob": 1_000}


def test_a_closed_table_refuses_everything(open_table: Open) -> None:
    table = open_table()
    table.do(Close("empty"))

    for command in (
        Sit(account("Ann"), "Ann", "player", 1_000),
        Leave(account("Ann")),
        Chat(account("Ann"), "Ann", "hello"),
        Tick(Deck()),
        Close("again"),
    ):
        assert table.refused(command) is Refusal.TABLE_CLOSED


def test_chips_that_wait_are_cashed_out_too_when_a_table_closes(open_table: Open) -> None:
    table = in_play(open_table)
    table.top_up("Ann", 300)
    table.do(Close("the evening is over"))
    table.over()

    assert dict(left(table))["Ann"] == 1_300
    assert table.bought == 0


def test_no_hand_starts_at_a_table_that_closes(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Close("the evening is over"))
    table.over()
    table.wait(60 * SECOND)

    assert table.table.hands == 1
    with pytest.raises(Refused):
        table.do(Tick(Deck()))

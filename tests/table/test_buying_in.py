"""docs/rules.md, the table: buy-in, ratholing, top-up, busting."""

from collections.abc import Callable

import pytest

from fullring.rules.refusals import Refusal, Refused
from fullring.table.commands import Sit, SitIn, TopUp
from fullring.table.events import OutReason, SatOut
from tests.table.playing import MINUTE, SECOND, Playing, account

Open = Callable[..., Playing]

NONSENSE = [-1, 0, 10**18, True, 40.5, "40", None]


def buys_in(name: str, amount: object) -> Sit:
    return Sit(account(name), name, "player", amount)  # type: ignore[arg-type]  # As sent.


@pytest.mark.parametrize("amount", [200, 2_000])
def test_a_buy_in_is_between_the_minimum_and_the_maximum_of_the_table(open_table: Open, amount: int) -> None:
    table = open_table()
    table.sit("Ann", 1, amount)
    assert table.stacks() == {"Ann": amount}


@pytest.mark.parametrize("amount", [199, 2_001, *NONSENSE])
def test_any_other_buy_in_is_refused_and_moves_nothing(open_table: Open, amount: object) -> None:
    """PR-I1."""
    table = open_table()
    assert table.refused(buys_in("Ann", amount)) is Refusal.BAD_AMOUNT
    assert table.table.seats == {}


def test_a_refused_buy_in_says_what_would_be_right(open_table: Open) -> None:
    table = open_table()
    with pytest.raises(Refused, match="a buy-in of 50 is outside 200 to 2000") as refused:
        table.do(buys_in("Ann", 50))
    assert refused.value.details == {"min": 200, "max": 2_000}


# --- ratholing ---


def test_who_comes_back_within_the_hour_brings_at_least_what_they_left_with(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1, 900)
    table.leave("Ann")
    table.wait(60 * MINUTE - 1)

    with pytest.raises(
        Refused, match="you left with 900 not long ago: a buy-in of 899 is outside 900 to 2000"
    ) as refused:
        table.do(buys_in("Ann", 899))
    assert refused.value.code is Refusal.BAD_AMOUNT
    table.sit("Ann", 1, 900)


def test_after_the_hour_any_buy_in_will_do(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1, 900)
    table.leave("Ann")
    table.wait(60 * MINUTE)

    table.sit("Ann", 1, 200)


def test_who_left_with_more_than_the_maximum_comes_back_with_exactly_that(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob", 2_000)
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann all-in", "Bob call")
    table.leave("Ann")

    assert table.refused(buys_in("Ann", 2_000)) is Refusal.BAD_AMOUNT
    assert table.refused(buys_in("Ann", 4_001)) is Refusal.BAD_AMOUNT
    table.sit("Ann", 1, 4_000)


def test_a_small_stack_that_left_does_not_lower_the_minimum(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob", 200)
    table.deal()
    table.over()
    table.leave("Ann")

    assert table.refused(buys_in("Ann", 190)) is Refusal.BAD_AMOUNT


def test_ratholing_is_a_setting(open_table: Open) -> None:
    table = open_table(ratholing_ms=0)
    table.sit("Ann", 1, 900)
    table.leave("Ann")

    table.sit("Ann", 1, 200)
    assert table.table.departures == {}


def test_departures_are_remembered_no_longer_than_they_bind(open_table: Open) -> None:
    table = open_table()
    for name in ("Ann", "Bob"):
        table.sit(name)
        table.leave(name)
        table.wait(40 * MINUTE)

    assert set(table.table.departures) == {account("Ann"), account("Bob")}
    table.sit("Cid")
    table.leave("Cid")
    assert set(table.table.departures) == {account("Bob"), account("Cid")}


# --- topping up ---


def test_chips_bought_during_a_hand_play_from_the_next_hand(open_table: Open) -> None:
    """PR-D5: 40 behind and a bet of 100 to call; 500 are bought, and wait."""
    table = open_table()
    table.sit("Ann", 1)
    table.sit("Bob", 2, 200)
    table.sit("Cid", 3)
    table.deal(Ann="AsAh", Bob="2s7d", Cid="KsKh", board="Ac3d4h8s9s")
    table.plays("Ann raise 160", "Bob call", "Cid call")
    assert table.stacks()["Bob"] == 40
    table.plays("Bob check", "Cid check", "Ann bet 100")
    table.top_up("Bob", 500)

    assert table.stacks()["Bob"] == 40
    assert table.shown_seat("Bob")["pending"] == 500
    assert table.actions() == {"fold": True, "check": False, "call": 40, "all_in": 40}
    table.plays("Bob call", "Cid fold")
    assert table.stacks()["Bob"] == 500
    assert "pending" not in table.shown_seat("Bob")
    assert [event["stack"] for event in table.told("topped_up")] == [500]
    assert table.told("sat_out") == []


def test_chips_bought_after_folding_wait_too(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.plays("Ann fold")
    table.top_up("Ann", 500)

    assert table.stacks()["Ann"] == 1_000
    table.over()
    assert table.stacks()["Ann"] == 1_500


def test_between_hands_a_top_up_counts_at_once(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1, 200)
    table.top_up("Ann", 300)

    assert table.stacks() == {"Ann": 500}
    assert table.told("topped_up") == [
        {"type": "topped_up", "seat": 1, "account": account("Ann"), "name": "Ann", "stack": 500}
    ]


def test_who_has_chips_may_add_as_few_as_one_up_to_the_maximum(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1, 1_998)
    table.top_up("Ann", 1)
    table.top_up("Ann", 1)

    assert table.stacks() == {"Ann": 2_000}


def test_who_sits_out_with_chips_tops_up_and_still_sits_out(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1)
    table.sit_out("Ann")
    table.top_up("Ann", 500)

    assert table.seat("Ann").out
    assert table.told("sat_in") == []


@pytest.mark.parametrize("amount", [1_001, *NONSENSE])
def test_a_top_up_above_the_maximum_or_of_no_chips_is_refused(open_table: Open, amount: object) -> None:
    """PR-I1."""
    table = open_table()
    table.sit("Ann", 1)
    assert table.refused(TopUp(account("Ann"), amount)) is Refusal.BAD_AMOUNT  # type: ignore[arg-type]  # As sent.
    table.top_up("Ann", 1_000)
    with pytest.raises(Refused, match="a stack of 2000 can't be topped up: the maximum is 2000") as refused:
        table.top_up("Ann", 1)
    assert refused.value.code is Refusal.BAD_AMOUNT


def test_chips_that_wait_count_towards_the_maximum(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal()
    table.top_up("Bob", 600)

    assert table.refused(TopUp(account("Bob"), 421)) is Refusal.BAD_AMOUNT
    table.top_up("Bob", 420)


def test_what_is_too_much_when_the_hand_is_over_goes_back(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann raise 600", "Bob call")
    table.top_up("Ann", 1_600)
    table.showdown()

    assert table.stacks() == {"Ann": 2_000, "Bob": 400}
    assert table.bought == 2_400, "400 of 1,600 joined the stack of 1,600"


def test_who_won_past_the_maximum_keeps_it_and_gets_the_top_up_back(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob", 1_500)
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann all-in")
    table.top_up("Ann", 700)
    table.plays("Bob call")

    assert table.stacks() == {"Ann": 3_000, "Bob": 0}


def test_a_player_without_chips_needs_a_whole_buy_in(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann all-in")
    assert table.refused(TopUp(account("Ann"), 199)) is Refusal.BAD_AMOUNT
    table.plays("Bob call", "Cid fold")

    assert table.refused(TopUp(account("Bob"), 199)) is Refusal.BAD_AMOUNT
    table.top_up("Bob", 200)


def test_only_who_sits_may_top_up(open_table: Open) -> None:
    table = open_table()
    assert table.refused(TopUp(account("Ann"), 100)) is Refusal.NOT_SEATED


def test_who_is_leaving_buys_no_more_chips(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.leave("Bob")

    assert table.refused(TopUp(account("Bob"), 100)) is Refusal.CLOSING


def test_chips_that_wait_go_with_who_leaves(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.top_up("Bob", 300)
    table.leave("Bob")
    table.over()

    assert [(event["name"], event["stack"]) for event in table.told("left")] == [("Bob", 1_290)]


# --- busting ---


def busted(open_table: Open, **chosen: object) -> Playing:
    """Bob has just lost his last chip to Ann; Cid has 1,000."""
    table = open_table(**chosen)
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann all-in", "Bob call", "Cid fold")
    return table


def test_a_busted_player_keeps_the_seat_for_a_minute(open_table: Open) -> None:
    table = busted(open_table)
    assert table.happened(SatOut) == [SatOut(2, OutReason.BUSTED, table.now, table.now + 60 * SECOND)]
    assert table.you("Bob")["waiting"] == "chips"
    assert table.refused(SitIn(account("Bob"))) is Refusal.INSUFFICIENT_CHIPS

    table.wait(60 * SECOND - 1)
    assert table.names() == "Ann Bob Cid"
    table.wait(1)
    assert table.names() == "Ann Cid"
    assert table.told("left")[-1]["stack"] == 0


def test_the_seat_is_given_up_on_time_though_a_hand_is_in_play(open_table: Open) -> None:
    table = busted(open_table, turn_ms=50 * SECOND)
    table.deal()
    table.wait(40 * SECOND)
    assert table.names() == "Ann Bob Cid"
    table.plays(f"{table.acting()} call")
    table.wait(20 * SECOND)

    assert table.names() == "Ann Cid"
    assert not table.table.between_hands


def test_a_re_buy_brings_the_player_back(open_table: Open) -> None:
    table = busted(open_table)
    table.top_up("Bob", 500)

    assert [event["type"] for event in table.updates[-1]["events"]] == ["topped_up", "sat_in"]
    assert table.deal() == "button Bob, small blind Cid, big blind Ann"
    assert "Bob" in table.dealt()
    table.wait(2 * MINUTE)
    assert "Bob" in table.names()


def test_two_players_go_on_after_a_re_buy(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann all-in", "Bob call")
    table.wait(10 * SECOND)
    assert table.table.hands == 1
    table.top_up("Bob", 1_000)

    assert table.deal() == "button Bob, small blind Bob, big blind Ann"


def test_a_busted_seat_is_not_given_to_others_before_its_minute_is_over(open_table: Open) -> None:
    table = busted(open_table, seats=3, hand_pause_ms=0)
    for _ in range(8):
        table.deal()
        table.over()
    assert table.seat("Bob").missed_count >= 3

    assert table.refused(buys_in("Dan", 1_000)) is Refusal.TABLE_FULL
    assert table.refused(Sit(account("Dan"), "Dan", "player", 1_000, 2)) is Refusal.SEAT_TAKEN

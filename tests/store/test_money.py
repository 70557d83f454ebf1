"""Chips as events move them: what a table's seats hold afterwards, and what is no bookkeeping at all."""

from dataclasses import replace

import pytest

from fullring.rules.events import HandEnded, HandVoided, Stake
from fullring.runtime.ports import SeatRow
from fullring.store.money import Purpose, Transfer, Unbalanced, moves_money, reseat, settle
from fullring.table.events import Chatted, ChipsAdded, Entry, Event, Left, Seated, ToppedUp
from fullring.table.ids import AccountId

ANNA, BO = AccountId("anna"), AccountId("bo")
SEATS = {1: SeatRow(1, ANNA, "Anna", "guest", 200, 0), 4: SeatRow(4, BO, "Bo", "bot", 300, 50)}


def sits(seat: int, account: AccountId, stack: int) -> Seated:
    return Seated(seat, account, "Name", "guest", stack, Entry.NOW, 0)


def leaves(seat: int, account: AccountId, stack: int) -> Left:
    return Left(seat, account, "Name", stack, "left", 0)


def test_events_in_their_order_make_seats_and_transfers() -> None:
    events = (
        HandEnded((Stake(1, 380), Stake(4, 100)), 20),
        leaves(1, ANNA, 380),
        ToppedUp(4, BO, 40, 140, 10),
        sits(1, ANNA, 400),
        ChipsAdded(1, ANNA, 5),
        Chatted(BO, "Bo", "hello"),
    )

    seats, transfers = settle(SEATS, events)

    assert seats == {4: replace(SEATS[4], stack=140, pending=0), 1: SeatRow(1, ANNA, "Name", "guest", 400, 5)}
    assert transfers == [
        Transfer(Purpose.RAKE, "rake", 20),
        Transfer(Purpose.CASH_OUT, ANNA, 380),
        Transfer(Purpose.RETURNED, BO, 10),
        Transfer(Purpose.BUY_IN, ANNA, -400),
        Transfer(Purpose.TOP_UP, ANNA, -5),
    ]


def test_the_seats_given_are_left_as_they_were() -> None:
    before = dict(SEATS)

    settle(SEATS, (leaves(1, ANNA, 200),))

    assert before == SEATS


def test_a_batch_in_which_no_chips_move_is_told_apart() -> None:
    assert not moves_money((Chatted(BO, "Bo", "hello"),))
    assert moves_money((Chatted(BO, "Bo", "hello"), HandVoided("x", ())))


@pytest.mark.parametrize(
    "event",
    [
        sits(1, AccountId("cora"), 100),
        sits(2, ANNA, 100),
        sits(2, AccountId("cora"), -1),
        leaves(1, ANNA, 201),
        leaves(1, BO, 200),
        leaves(2, ANNA, 200),
        leaves(4, BO, 300),
        ChipsAdded(1, ANNA, 0),
        ChipsAdded(1, ANNA, -5),
        ChipsAdded(4, ANNA, 5),
        ToppedUp(4, BO, 50, 351, 0),
        ToppedUp(4, BO, 50, 350, 1),
        ToppedUp(4, BO, 60, 360, -10),
        ToppedUp(4, BO, -10, 290, 10),
        ToppedUp(1, ANNA, 1, 201, 0),
        HandEnded((Stake(1, 201), Stake(4, 300))),
        HandEnded((Stake(1, -1), Stake(4, 501))),
        HandEnded((Stake(1, 201), Stake(4, 300)), -1),
        HandEnded((Stake(2, 0),)),
        HandVoided("x", (Stake(1, 100), Stake(4, 400))),
        HandVoided("x", (Stake(3, 0),)),
    ],
    ids=str,
)
def test_events_that_make_or_lose_chips_are_refused(event: Event) -> None:
    with pytest.raises(Unbalanced):
        settle(SEATS, (event,))


def test_a_new_history_keeps_what_everybody_had() -> None:
    seats = reseat(SEATS, (HandVoided("x", ()), sits(2, BO, 350), sits(1, ANNA, 200)))

    assert [(row.seat, row.account, row.stack, row.pending) for row in seats.values()] == [
        (2, BO, 350, 0),
        (1, ANNA, 200, 0),
    ]


@pytest.mark.parametrize(
    "events",
    [(), (sits(1, ANNA, 200),), (sits(1, ANNA, 200), sits(4, BO, 300)), (sits(1, ANNA, 250), sits(4, BO, 300))],
)
def test_a_new_history_gives_and_takes_nothing(events: tuple[Event, ...]) -> None:
    with pytest.raises(Unbalanced):
        reseat(SEATS, events)

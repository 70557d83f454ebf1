"""What a batch does to the chips of a table: its seats afterwards, and the transfers between accounts and table.

Pure. It also checks: events that make or lose chips never reach the ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from fullring.rules.actions import Chips, SeatNo
from fullring.rules.events import HandEnded, HandVoided, Stake
from fullring.rules.value import value
from fullring.runtime.ports import SeatRow
from fullring.table.events import ChipsAdded, Event, Left, Seated, ToppedUp

RAKE = "rake"
HOUSE = "house"
MoneyEvent = Seated | Left | ChipsAdded | ToppedUp | HandEnded | HandVoided
MONEY = (Seated, Left, ChipsAdded, ToppedUp, HandEnded, HandVoided)
_MONEY: frozenset[type] = frozenset(MONEY)

Seats = Mapping[SeatNo, SeatRow]


class Unbalanced(Exception):
    """The events would make or lose chips."""


class Purpose(StrEnum):
    """What a ledger transaction is for."""

    BUY_IN = "buy_in"
    TOP_UP = "top_up"
    RETURNED = "returned"
    CASH_OUT = "cash_out"
    RAKE = "rake"
    WELCOME = "welcome"
    GRANT = "grant"


@value
class Transfer:
    """Chips between the table and one account; positive left the table."""

    purpose: Purpose
    account: str
    amount: Chips


def moves_money(events: Iterable[Event]) -> bool:
    return not _MONEY.isdisjoint(map(type, events))


def settle(seats: Seats, events: Sequence[Event]) -> tuple[dict[SeatNo, SeatRow], list[Transfer]]:
    """The seats after these events, and the transfers in the order they happened. Raises Unbalanced."""
    after = dict(seats)
    transfers: list[Transfer] = []
    for event in events:
        if isinstance(event, MONEY):
            transfers += _settle(after, event)
    return after, transfers


def reseat(seats: Seats, events: Sequence[Event]) -> dict[SeatNo, SeatRow]:
    """The seats after the batch that begins a new history: everybody sits with what was theirs. Raises Unbalanced."""
    after = {
        event.seat: SeatRow(event.seat, event.account, event.name, event.kind, event.stack, 0)
        for event in events
        if isinstance(event, Seated)
    }
    before = {row.account: row.stack + row.pending for row in seats.values()}
    if before != {row.account: row.stack for row in after.values()}:
        raise Unbalanced("a new history must seat everybody with what they had")
    return after


def _settle(seats: dict[SeatNo, SeatRow], event: MoneyEvent) -> list[Transfer]:
    match event:
        case Seated(seat, account, name, kind, stack):
            _require(stack >= 0, f"seat {seat} brings less than nothing")
            _require(seat not in seats, f"seat {seat} is taken")
            _require(all(row.account != account for row in seats.values()), f"who sits in seat {seat} sits already")
            seats[seat] = SeatRow(seat, account, name, kind, stack, 0)
            return _transfer(Purpose.BUY_IN, account, -stack)
        case Left(seat, account, _, stack):
            row = _row(seats, seat, account)
            _require(stack == row.stack + row.pending, f"seat {seat} leaves with other chips than it has")
            del seats[seat]
            return _transfer(Purpose.CASH_OUT, account, stack)
        case ChipsAdded(seat, account, amount):
            row = _row(seats, seat, account)
            _require(amount > 0, f"seat {seat} adds no chips")
            seats[seat] = replace(row, pending=row.pending + amount)
            return _transfer(Purpose.TOP_UP, account, -amount)
        case ToppedUp(seat, account, amount, stack, returned):
            row = _row(seats, seat, account)
            _require(amount >= 0 and returned >= 0, f"seat {seat} tops up with less than nothing")
            _require(row.stack + amount == stack and amount + returned <= row.pending, f"seat {seat} tops up wrongly")
            seats[seat] = replace(row, stack=stack, pending=row.pending - amount - returned)
            return _transfer(Purpose.RETURNED, account, returned)
        case HandEnded(stacks, rake):
            _stacks(seats, stacks, rake)
            return _transfer(Purpose.RAKE, RAKE, rake)
        case HandVoided(_, stacks):
            _require(all(_at(seats, stake.seat).stack == stake.stack for stake in stacks), "a void hand moves chips")
            return []
        case _:
            assert_never(event)


def _stacks(seats: dict[SeatNo, SeatRow], stacks: Sequence[Stake], rake: Chips) -> None:
    before = sum([_at(seats, stake.seat).stack for stake in stacks])
    _require(rake >= 0 and all(stake.stack >= 0 for stake in stacks), "a hand ends below zero")
    _require(sum([stake.stack for stake in stacks]) + rake == before, "a hand makes or loses chips")
    for stake in stacks:
        row = seats[stake.seat]
        if row.stack != stake.stack:
            seats[stake.seat] = replace(row, stack=stake.stack)


def _at(seats: Seats, seat: SeatNo) -> SeatRow:
    _require(seat in seats, f"nobody is in seat {seat}")
    return seats[seat]


def _row(seats: Seats, seat: SeatNo, account: str) -> SeatRow:
    row = _at(seats, seat)
    _require(row.account == account, f"somebody else is in seat {seat}")
    return row


def _transfer(purpose: Purpose, account: str, amount: Chips) -> list[Transfer]:
    return [Transfer(purpose, account, amount)] if amount else []


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise Unbalanced(why)

"""What each event makes of the table. The only place where a table's state changes."""

from collections.abc import Sequence
from typing import assert_never

from fullring.rules import events as hands
from fullring.rules.actions import Action, Auto, Chips, SeatNo
from fullring.rules.hand import evolve as evolve_hand
from fullring.rules.state import Hand
from fullring.table.commands import PreAction
from fullring.table.events import (
    Armed,
    BlindMissed,
    Chatted,
    ChipsAdded,
    ClockStarted,
    Closed,
    ClosingStarted,
    ConnectionChanged,
    Disarmed,
    Entry,
    Event,
    HandDue,
    LeaveAsked,
    Left,
    Paused,
    Positions,
    Resumed,
    SatIn,
    SatOut,
    Seated,
    SettingsChanged,
    ShownLate,
    SitOutAsked,
    TableEvent,
    TableOpened,
    TimeBankChanged,
    TimeBankStarted,
    ToppedUp,
    TurnExpired,
)
from fullring.table.ids import HandId, Millis
from fullring.table.settings import TableSettings
from fullring.table.snapshot import Departure
from fullring.table.state import Dues, FinishedHand, Places, Seat, Table


def apply(table: Table, event: Event, at: Millis) -> None:
    """Apply one event of a batch that happened at ``at``."""
    if isinstance(event, ClockStarted) or not isinstance(event, hands.Event):  # The commonest first.
        _table_event(table, event, at)
    else:
        _hand_event(table, event, at)


def _hand_event(table: Table, event: hands.Event, at: Millis) -> None:
    if isinstance(event, hands.HandStarted):
        _hand_started(table, event, at)
        return
    hand = table.hand
    if hand is None or hand.over:  # A hand that was voided without having been read: the money stands in the event.
        assert isinstance(event, hands.HandVoided), "only a hand in play goes on"
        return
    evolve_hand(hand, event)
    table.hand_log.append(event)
    if isinstance(event, hands.Acted):
        _acted(table, event)
    elif isinstance(event, hands.HandEnded | hands.HandVoided):
        _hand_over(table, hand, event, at)


def _hand_started(table: Table, started: hands.HandStarted, at: Millis) -> None:
    table.hand = Hand(started)
    table.hand_id = HandId(started.hand)
    table.hands = started.number
    table.hand_started_at = at
    table.hand_log = [started]
    table.hand_players = tuple([table.seats[stake.seat].player for stake in started.seats])
    table.next_hand_at = None
    for seat in table.seats.values():
        seat.dealt = False
        seat.last_action = None
    for stake in started.seats:
        seat = table.seats[stake.seat]
        seat.dealt = True
        seat.entry = Entry.NOW
        seat.missed_small = seat.missed_big = False
        seat.missed_count = 0
        seat.hands += 1


def _acted(table: Table, event: hands.Acted) -> None:
    table.deadline = None
    table.bank_running = False
    seat = table.seats[event.seat]
    seat.last_action = event.action
    seat.armed = None
    if event.auto is None or event.auto is Auto.ARMED:
        seat.expiries = 0
    if event.action is Action.BET or event.action is Action.RAISE:
        for other in table.seats.values():
            if other.armed is PreAction.CHECK or other.armed is PreAction.CALL:
                other.armed = None


def _hand_over(table: Table, hand: Hand, event: hands.HandEnded | hands.HandVoided, at: Millis) -> None:
    for stake in event.stacks:
        table.seats[stake.seat].stack = stake.stack
    for seat in table.seats.values():
        seat.armed = None
    table.deadline = None
    table.bank_running = False
    dealt = [table.seats[stake.seat] for stake in event.stacks]
    if isinstance(event, hands.HandEnded):
        table.chips -= event.rake
        table.finished = FinishedHand(table.hand_id, hand, table.hand_players, at)
        _banks_grow(table.settings, dealt)
        table.average_pot = _average(table.average_pot, table.hand_log)
    else:
        table.finished = None
        _take_back(table)
        for seat in dealt:
            seat.hands -= 1
    if table.next_settings is not None:
        _other_settings(table, table.next_settings)
        table.next_settings = None


def _other_settings(table: Table, settings: TableSettings) -> None:
    """They hold from here on. A time bank of another size is everybody's, whoever had used some of theirs."""
    if settings.time_bank_ms != table.settings.time_bank_ms:
        for seat in table.seats.values():
            seat.time_bank_ms = settings.time_bank_ms
    table.settings = settings


def _average(before: Chips, log: Sequence[hands.Event]) -> Chips:
    """A moving average: an eighth of it is the pot just won."""
    pot = sum(event.amount for event in log if isinstance(event, hands.PotAwarded))
    return (7 * before + pot) // 8 if before else pot


def _banks_grow(settings: TableSettings, dealt: list[Seat]) -> None:
    """A time bank grows every so many hands; one that is off stays off."""
    for seat in dealt:
        if settings.time_bank_ms and seat.hands % settings.time_bank_hands == 0:
            grown = min(settings.time_bank_max_ms, seat.time_bank_ms + settings.time_bank_step_ms)
            seat.time_bank_ms = max(seat.time_bank_ms, grown)


def _take_back(table: Table) -> None:
    """A void hand never was: the button goes back, and what was owed before it is owed again."""
    if table.places_before is not None:
        before = table.places_before
        table.button, table.small_blind_at = before.button, before.small_blind_at
        table.big_blind_at = before.big_blind_at
    for seat in table.seats.values():
        dues = seat.dues
        if dues is not None:
            seat.missed_small, seat.missed_big = dues.missed_small, dues.missed_big
            seat.missed_count = dues.missed_count
            owed_nothing = dues.entry is Entry.NOW and not (dues.missed_small or dues.missed_big)
            if seat.dealt or owed_nothing:
                seat.entry = dues.entry


def _table_event(table: Table, event: TableEvent, at: Millis) -> None:
    seats = table.seats
    match event:
        case ClockStarted(_, _, deadline):
            table.deadline = deadline
            table.bank_running = False
        case TimeBankStarted(_, _, deadline):
            table.deadline = deadline
            table.bank_running = True
        case TimeBankChanged(seat, left):
            seats[seat].time_bank_ms = left
        case TurnExpired(seat, _):
            seats[seat].expiries += 1
        case HandDue(due):
            table.next_hand_at = due
        case Positions():
            _positions(table, event)
        case Armed(seat, action, to_call):
            seats[seat].armed, seats[seat].armed_to_call = action, to_call
        case Disarmed(seat):
            seats[seat].armed = None
        case ConnectionChanged(seat, connected):
            _connection(table, seats[seat], at, connected=connected)
        case BlindMissed(seat, big):
            _missed(seats[seat], big=big)
        case ShownLate(hand, seat, cards):
            _shown_late(table, hand, seat, hands.CardsShown(seat, cards))
        case Seated() | Left() | LeaveAsked() | SatOut() | SitOutAsked() | SatIn() | ChipsAdded() | ToppedUp():
            _seat_event(table, event, at)
        case TableOpened() | Paused() | Resumed() | SettingsChanged() | ClosingStarted() | Closed() | Chatted():
            _life_event(table, event, at)
        case _:
            assert_never(event)


def _positions(table: Table, event: Positions) -> None:
    table.places_before = Places(table.button, table.small_blind_at, table.big_blind_at)
    table.button, table.big_blind_at = event.button, event.big_blind
    table.small_blind_at = event.small_blind_at
    for seat in table.seats.values():
        seat.dues = Dues(seat.entry, seat.missed_small, seat.missed_big, seat.missed_count)


def _missed(seat: Seat, *, big: bool) -> None:
    """A blind is booked for who has played; a newcomer posts a big blind anyway, and no small one."""
    owes = seat.entry is Entry.NOW or seat.missed_small or seat.missed_big
    if big:
        seat.missed_big = owes
        seat.missed_count += 1
    else:
        seat.missed_small = owes


def _connection(table: Table, seat: Seat, at: Millis, *, connected: bool) -> None:
    if not connected and not seat.absent:
        _absent_from(table, seat, at)
    seat.connected = connected


def _absent_from(table: Table, seat: Seat, at: Millis) -> None:
    """Without a connection a seat is kept as long as one that sits out."""
    seat.out_since, seat.out_until = at, at + table.settings.sit_out_max_ms


def _shown_late(table: Table, hand_id: HandId, seat: SeatNo, shown: hands.CardsShown) -> None:
    if table.finished is not None and table.finished.id == hand_id:
        evolve_hand(table.finished.hand, shown)


SeatEvent = Seated | Left | LeaveAsked | SatOut | SitOutAsked | SatIn | ChipsAdded | ToppedUp


def _seat_event(table: Table, event: SeatEvent, at: Millis) -> None:
    if isinstance(event, Seated):
        bank = table.settings.time_bank_ms
        table.seats[event.seat] = Seat(
            event.seat, event.account, event.name, event.kind, event.stack, event.entry, bank
        )
        table.chips += event.stack
        return
    seat = table.seats[event.seat]
    match event:
        case Left():
            table.chips -= event.stack
            del table.seats[event.seat]
            table.departures[event.account] = Departure(event.account, event.stack, event.at)
            _forget(table, event.at)
        case LeaveAsked(_, reason):
            seat.leaving = reason
        case SatOut(_, _, since, until):
            seat.out, seat.sit_out_asked, seat.expiries = True, None, 0
            seat.out_since, seat.out_until = since, until
        case SitOutAsked(_, asked, why):
            seat.sit_out_asked = why if asked else None
        case SatIn(_, entry):
            seat.out, seat.entry, seat.expiries = False, entry, 0
            if not seat.connected:
                _absent_from(table, seat, at)
        case ChipsAdded(_, _, amount):
            seat.pending += amount
            table.chips += amount
        case ToppedUp(_, _, amount, stack, returned):
            seat.stack = stack
            seat.pending -= amount + returned
            table.chips -= returned
        case _:
            assert_never(event)


def _forget(table: Table, now: Millis) -> None:
    """Departures that no longer bind anybody."""
    for account, departure in list(table.departures.items()):
        if now - departure.at >= table.settings.ratholing_ms:
            del table.departures[account]


LifeEvent = TableOpened | Paused | Resumed | SettingsChanged | ClosingStarted | Closed | Chatted


def _life_event(table: Table, event: LifeEvent, at: Millis) -> None:
    match event:
        case Paused(reason):
            table.paused, table.paused_at = reason, at
            table.deadline = None
        case Resumed(_, lost_connections):
            _resumed(table, at, lost_connections=lost_connections)
        case SettingsChanged(settings):
            table.edited = True
            if table.between_hands:
                _other_settings(table, settings)
            else:
                table.next_settings = settings
        case ClosingStarted(reason):
            table.closing = reason
        case Closed():
            table.closed = True
        case TableOpened() | Chatted():
            pass
        case _:
            assert_never(event)


def _resumed(table: Table, at: Millis, *, lost_connections: bool) -> None:
    """No clock ran meanwhile: what was due later is due later by as much as it has waited."""
    stopped = table.paused_at or table.last_at or at
    if not lost_connections:
        table.paused = table.paused_at = None
    elif table.paused is not None:
        table.paused_at = at
    for seat in table.seats.values():
        if seat.absent:
            gap = at - max(stopped, seat.out_since)
            seat.out_since += gap
            seat.out_until += gap
        if lost_connections:
            _connection(table, seat, at, connected=False)

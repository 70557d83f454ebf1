"""The table around the hand: what a command makes happen, and what that makes of the table.

``decide`` judges: it may refuse and changes nothing. ``evolve`` applies one batch of events, a journal row, and never
refuses. A table is the fold of its batches: live, resumed and replayed are one path.
"""

from collections.abc import Sequence
from typing import assert_never

from fullring.rules import events as hands
from fullring.rules.cards import Deck
from fullring.rules.hand import evolve as evolve_hand
from fullring.rules.record import HandRecord, HoleCards, without_deck
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import Hand
from fullring.table import play, seating
from fullring.table.apply import apply
from fullring.table.button import startable
from fullring.table.commands import (
    ActOnTurn,
    Arm,
    Chat,
    Close,
    Command,
    Connect,
    Disarm,
    Edit,
    Kick,
    Leave,
    Pause,
    PlayArmed,
    Resume,
    ShowCards,
    Sit,
    SitIn,
    SitOut,
    Tick,
    TopUp,
    Void,
)
from fullring.table.events import (
    PRIVATE,
    Chatted,
    Closed,
    ClosingStarted,
    ConnectionChanged,
    Event,
    HandDue,
    LeaveAsked,
    Paused,
    Resumed,
    SettingsChanged,
)
from fullring.table.ids import Millis
from fullring.table.settings import TableSettings
from fullring.table.state import Seat, Table

_PRIVATE: frozenset[type] = frozenset(PRIVATE)
ENDS: frozenset[type] = frozenset({hands.HandEnded, hands.HandVoided})


def opened(table_id: str, settings: TableSettings) -> Table:
    """A table where nothing has happened yet."""
    return Table(table_id, settings)


def decide(table: Table, command: Command, now: Millis) -> list[Event]:
    """The events this command causes at ``now``; none when it changes nothing. Raises Refused."""
    if table.closed:
        raise Refused(Refusal.TABLE_CLOSED, "this table is closed")
    if isinstance(command, Tick):
        return _tick(table, command.deck, now)
    if isinstance(command, PlayArmed):
        return play.play_armed(table, now)
    if table.paused is not None and isinstance(command, ActOnTurn | Arm | Disarm):
        raise Refused(Refusal.TABLE_PAUSED, f"the table is paused: {table.paused}")
    events = _judge(table, command, now)
    return _soon(table, events, now) if isinstance(command, Sit | SitIn | TopUp | Connect | Resume) else events


def _judge(table: Table, command: Command, now: Millis) -> list[Event]:
    match command:
        case ActOnTurn():
            return play.act(table, command, now)
        case Sit():
            return list(seating.sit(table, command, now))
        case Leave(account):
            return _get_up(table, seating.seated(table, account), "left", now)
        case SitOut():
            return seating.sit_out(table, command, now)
        case SitIn():
            return seating.sit_in(table, command)
        case TopUp():
            return seating.top_up(table, command, now)
        case Arm():
            return play.arm(table, command)
        case Disarm():
            return play.disarm(table, command)
        case ShowCards():
            return play.show(table, command, now)
        case Chat(account, name, text):
            return [Chatted(account, name, text)]
        case Connect(account, connected):
            seat = table.seat_of(account)
            return [ConnectionChanged(seat.seat, connected)] if seat and seat.connected != connected else []
        case Kick():
            return _kick(table, command, now)
        case Pause(reason):
            return [Paused(reason)] if table.paused is None else []
        case Resume(by_host=True) if table.paused is None:
            return []
        case Resume(reason, lost):
            held = lost and table.paused is not None
            return [Resumed(reason, lost), *([] if held else play.clock(table, now))]
        case Void(reason):
            return play.void(table, reason, now) if not table.between_hands else []
        case Close(reason):
            return _close(table, reason, now)
        case Edit(settings):
            return _edit(table, settings)
        case Tick() | PlayArmed():
            raise AssertionError("what time brings is decided apart")
        case _:
            assert_never(command)


def _get_up(table: Table, seat: Seat, reason: str, now: Millis) -> list[Event]:
    """The seat is given up: at once, or when the hand it was dealt into is over."""
    if not table.in_hand(seat.seat):
        return [seating.left(table, seat, reason, now)]
    if seat.leaving is not None:
        raise Refused(Refusal.CLOSING, "you are leaving already: the hand must be over first")
    return [LeaveAsked(seat.seat, reason), *play.leave_hand(table, seat, reason, now)]


def _kick(table: Table, command: Kick, now: Millis) -> list[Event]:
    """What the player would do by leaving. Who is refused is somebody else."""
    seat = table.seat_of(command.account)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED, "that account has no seat at this table")
    if seat.leaving is not None:
        raise Refused(Refusal.CLOSING, "that account is leaving already: the hand must be over first")
    return _get_up(table, seat, command.reason, now)


def _close(table: Table, reason: str, now: Millis) -> list[Event]:
    if table.closing is not None:
        return []
    if not table.between_hands:
        return [ClosingStarted(reason)]
    out: list[Event] = [seating.left(table, seat, "table closed", now) for seat in table.seats.values()]
    return [ClosingStarted(reason), *out, Closed(reason)]


def _edit(table: Table, settings: TableSettings) -> list[Event]:
    if table.closing is not None:
        raise Refused(Refusal.CLOSING, "this table is closing")
    if settings.seats != table.settings.seats:
        raise Refused(Refusal.ILLEGAL_ACTION, f"a table keeps its {table.settings.seats} seats: open another")
    return [SettingsChanged(settings)] if settings != (table.next_settings or table.settings) else []


def _soon(table: Table, events: list[Event], now: Millis) -> list[Event]:
    """A table at rest starts its next hand a pause after somebody made that possible."""
    resting = table.between_hands and (table.next_hand_at is None or table.next_hand_at < now)
    if events and resting and not startable(table):
        return [*events, HandDue(now + table.settings.hand_pause_ms)]
    return events


def _tick(table: Table, deck: Deck, now: Millis) -> list[Event]:
    """Whatever was due by now: seats given up, a turn that ran out, the next hand. At most one of these at a time."""
    if table.paused is not None:
        return []
    over = [seat for seat in table.seats.values() if seating.overdue(table, seat, now)]
    if over:
        return [seating.left(table, seat, seating.OVERDUE, now) for seat in over]
    if table.deadline is not None:
        return play.expire(table, now) if now >= table.deadline else []
    return play.start_hand(table, deck, now) if wants_deck(table, now) else []


def wants_deck(table: Table, now: Millis) -> bool:
    """Whether a tick now would start a hand."""
    at = _next_hand(table)
    return at is not None and now >= at


def _next_hand(table: Table) -> Millis | None:
    if not table.between_hands or table.paused is not None or table.closing is not None or not startable(table):
        return None
    return table.next_hand_at or 0


def deadline(table: Table) -> Millis | None:
    """When the next tick is due; None while nothing can become due by itself."""
    if table.paused is not None or table.closed:
        return None
    due = table.deadline if table.deadline is not None else _next_hand(table)
    for seat in table.seats.values():
        absent = seat.out or not seat.connected
        if absent and (due is None or seat.out_until < due) and not table.in_hand(seat.seat):
            due = seat.out_until
    return due


def evolve(table: Table, events: Sequence[Event], at: Millis) -> None:
    """Apply one batch: a journal row, one public update unless it concerns a single seat alone."""
    for event in events:
        apply(table, event, at)
    if is_public(events):
        table.seq += 1
    table.last_at = at
    chips = 0
    for seat in table.seats.values():
        chips += seat.stack + seat.pending
    assert table.chips == chips, "chips are conserved"


def is_public(events: Sequence[Event]) -> bool:
    """Whether this batch makes an update for everybody."""
    return not _PRIVATE.issuperset(map(type, events))


def record(table: Table, events: Sequence[Event], at: Millis) -> HandRecord | None:
    """The finished hand, if these events, decided and not yet applied, end or void one that this table knows."""
    if ENDS.isdisjoint(map(type, events)):
        return None
    new = [event for event in events if isinstance(event, hands.Event)]
    fresh = isinstance(new[0], hands.HandStarted)
    log = new if fresh else [*table.hand_log, *new]
    if not isinstance(log[0], hands.HandStarted):
        return None
    started = log[0]
    hand = table.hand
    if fresh or hand is None or any(isinstance(event, hands.HoleCardsDealt) for event in new):
        hand = Hand(started)  # Its hole cards are not all on the table yet.
        for event in log[1:]:
            evolve_hand(hand, event)
    settings = table.settings
    seats = [stake.seat for stake in started.seats]
    return HandRecord(
        hand=started.hand,
        number=started.number,
        table=table.id,
        table_name=settings.name,
        small_blind=settings.small_blind,
        big_blind=settings.big_blind,
        ante=settings.ante or settings.big_blind_ante,
        seats=settings.seats,
        started_at=at if fresh else table.hand_started_at,
        ended_at=at,
        players=tuple([table.seats[seat].player for seat in seats]) if fresh else table.hand_players,
        holes=tuple([HoleCards(seat, hand.holes[i]) for i, seat in enumerate(seats)]),
        events=without_deck(log),
    )

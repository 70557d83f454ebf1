"""The hand inside the table: starting one, acting in it, the clock around each turn, and what follows its end.

Nothing here changes a table: each function says which events a command causes, or refuses.
"""

from collections.abc import Sequence

from fullring.rules import betting
from fullring.rules import hand as rules
from fullring.rules.actions import Act, Action, Auto, Chips, SeatNo, Show
from fullring.rules.actions import Leave as LeaveHand
from fullring.rules.cards import Deck
from fullring.rules.events import (
    Acted,
    CardsShown,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    Stake,
    TurnStarted,
)
from fullring.rules.events import Event as HandEvent
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, Hand
from fullring.rules.value import value
from fullring.table.button import deal
from fullring.table.commands import ActOnTurn, Arm, Disarm, PreAction, ShowCards
from fullring.table.events import (
    Armed,
    BlindMissed,
    ClockStarted,
    Closed,
    Disarmed,
    Event,
    HandDue,
    OutReason,
    Positions,
    SatOut,
    ShownLate,
    SitOutAsked,
    TimeBankChanged,
    TimeBankStarted,
    TurnExpired,
)
from fullring.table.ids import HandId, Millis, hand_id, turn_id
from fullring.table.seating import left, seated, topped_up
from fullring.table.state import Seat, Table

SHOWDOWN_PAUSES = 3
"""A hand with a showdown is followed by that many pauses, so that people can see it."""


@value
class Intent:
    """What one seat has asked for in this very batch, which its state does not show yet."""

    seat: SeatNo
    leave: str | None = None
    out: OutReason | None = None


NO_INTENT = Intent(0)


def start_hand(table: Table, deck: Deck, now: Millis) -> list[Event]:
    """The next hand. The table must be startable."""
    settings, plan = table.settings, deal(table)
    number = table.hands + 1
    started = HandStarted(
        hand=hand_id(table.id, number),
        number=number,
        game=settings.game,
        button=plan.button,
        seats=tuple([Stake(seat, table.seats[seat].stack) for seat in plan.seats]),
        posts=plan.posts,
        min_bet=settings.big_blind,
        big_bet=settings.big_bet,
        deck=deck,
        show_all=settings.show_all,
        rake_bps=settings.rake_bps,
        rake_cap=settings.rake_cap(len(plan.seats)),
    )
    missed = [BlindMissed(seat, False) for seat in plan.missed_small]
    missed += [BlindMissed(seat, True) for seat in plan.missed_big]
    positions = Positions(plan.button, plan.small_blind, plan.small_blind_at, plan.big_blind, now)
    return [positions, *missed, *_follow(table, None, rules.start(started), now)]


def act(table: Table, command: ActOnTurn, now: Millis) -> list[Event]:
    """An answer to a turn. Refused as stale when the turn it names is over, however legal it would be now."""
    seat = seated(table, command.account)
    hand = _hand(table, command.hand)
    if hand.to_act < 0 or hand.over or command.turn != turn_id(table.hand_id, hand.turn):
        raise Refused(Refusal.STALE_TURN, "that turn is over")
    if hand.seat_to_act != seat.seat:
        raise Refused(Refusal.NOT_YOUR_TURN, f"it is seat {hand.seat_to_act}'s turn")
    spent = _time_spent(table, seat, now)
    return spent + _follow(table, hand, rules.decide(hand, Act(seat.seat, command.action, command.to)), now)


def _time_spent(table: Table, seat: Seat, now: Millis) -> list[Event]:
    """What the answer costs the time bank. An answer up to the deadline counts; Refused when time and bank are over."""
    deadline = table.deadline
    if deadline is None:
        return []
    left = deadline - now
    if table.bank_running:
        if left >= 0:
            return [TimeBankChanged(seat.seat, min(left, seat.time_bank_ms))]
    elif left >= 0:
        return []
    elif seat.connected and seat.time_bank_ms + left >= 0:
        return [TimeBankChanged(seat.seat, seat.time_bank_ms + left)]
    raise Refused(Refusal.STALE_TURN, "the time for that turn is over")


def _hand(table: Table, hand_id: HandId) -> Hand:
    """The hand in play, if that is the one meant. Raises Refused."""
    if table.hand is None or table.hand_id != hand_id:
        raise Refused(Refusal.STALE_TURN, "that hand is over")
    return table.hand


def expire(table: Table, now: Millis) -> list[Event]:
    """The turn has run out: the time bank for who is there to use it, else check if that is free, else fold."""
    hand = table.hand
    assert hand is not None, "only a turn runs out"
    assert hand.seat_to_act is not None, "only a turn runs out"
    seat = table.seats[hand.seat_to_act]
    if seat.connected and seat.time_bank_ms > 0 and not table.bank_running:
        return [TimeBankStarted(turn_id(table.hand_id, hand.turn), seat.seat, now + seat.time_bank_ms)]
    events: list[Event] = [TurnExpired(seat.seat, seat.connected)]
    if table.bank_running:
        events.append(TimeBankChanged(seat.seat, 0))
    out = None
    if seat.sit_out_asked is None and (not seat.connected or seat.expiries):
        out = OutReason.TIMEOUT if seat.connected else OutReason.AWAY
        events.append(SitOutAsked(seat.seat, True, out))
    legal = rules.legal(hand)
    action = Action.CHECK if legal is not None and legal.check else Action.FOLD
    auto = Auto.TIMEOUT if seat.connected else Auto.AWAY
    played = rules.decide(hand, Act(seat.seat, action, auto=auto))
    return events + _follow(table, hand, played, now, Intent(seat.seat, out=out))


def leave_hand(table: Table, seat: Seat, reason: str, now: Millis) -> list[Event]:
    """What the hand in play makes of a player who gets up."""
    assert table.hand is not None
    events = rules.decide(table.hand, LeaveHand(seat.seat))
    return _follow(table, table.hand, events, now, Intent(seat.seat, leave=reason)) if events else []


def void(table: Table, reason: str, now: Millis) -> list[Event]:
    """The open hand never was: its stacks go back to the start."""
    hand = table.hand
    assert hand is not None, "only an open hand is voided"
    assert not hand.over, "only an open hand is voided"
    return _follow(table, hand, [HandVoided(reason, hand.started.seats)], now)


def arm(table: Table, command: Arm) -> list[Event]:
    seat = seated(table, command.account)
    hand = _hand(table, command.hand)
    i = hand.index.get(seat.seat)
    if i is None or hand.over or hand.status[i] != ACTIVE:
        raise Refused(Refusal.ILLEGAL_ACTION, "you have nothing to decide in this hand")
    if hand.to_act == i:
        raise Refused(Refusal.ILLEGAL_ACTION, "it is your turn: act")
    owed = to_call(hand, i)
    if command.to_call is not None and command.to_call != owed:
        raise Refused(Refusal.STALE_TURN, f"the amount to call is {owed} now", {"to_call": owed})
    if command.action is PreAction.CHECK and owed:
        raise Refused(Refusal.ILLEGAL_ACTION, f"a check is not possible: {owed} to call", {"to_call": owed})
    if command.action is PreAction.CALL and not owed:
        raise Refused(Refusal.ILLEGAL_ACTION, "there is nothing to call: arm a check", {"to_call": owed})
    return [Armed(seat.seat, command.action, owed)]


def armed_holds(table: Table) -> bool:
    """Whether the turn that is on is one that a pre-action, still held, will answer."""
    hand = table.hand
    if table.paused is not None or hand is None or hand.over or hand.seat_to_act is None:
        return False
    return _armed_answer(table, hand, [], hand.seat_to_act) is not None


def play_armed(table: Table, now: Millis) -> list[Event]:
    """What it was held for. Nothing where it does not hold any more."""
    hand = table.hand
    if hand is None or not armed_holds(table):
        return []
    assert hand.seat_to_act is not None, "a pre-action that holds answers a turn"
    answer = _armed_answer(table, hand, [], hand.seat_to_act)
    return [] if answer is None else _follow(table, hand, answer, now)


def disarm(table: Table, command: Disarm) -> list[Event]:
    seat = seated(table, command.account)
    _hand(table, command.hand)
    return [Disarmed(seat.seat)] if seat.armed else []


def to_call(hand: Hand, i: int) -> Chips:
    """What a call costs the i-th seat as things stand, whoever's turn it is."""
    return max(0, min(betting.call_to(hand, i, hand.high) - hand.bets[i], hand.stacks[i]))


def show(table: Table, command: ShowCards, now: Millis) -> list[Event]:
    """Cards that the showdown left hidden, for a few seconds after the end."""
    seat = seated(table, command.account)
    finished = table.finished
    if finished is None or finished.id != command.hand or now > finished.ended_at + table.settings.show_ms:
        raise Refused(
            Refusal.ILLEGAL_ACTION, f"cards can be shown for {table.settings.show_ms / 1000:g} s after a hand"
        )
    if all(player.account != seat.account or player.seat != seat.seat for player in finished.players):
        raise Refused(Refusal.ILLEGAL_ACTION, "you were not in that hand")
    (event,) = rules.decide(finished.hand, Show(seat.seat, command.cards))
    assert isinstance(event, CardsShown)
    return [ShownLate(finished.id, seat.seat, event.cards)]


def clock(table: Table, now: Millis) -> list[Event]:
    """A full clock for the turn that is on, as after a pause."""
    hand = table.hand
    if hand is None or hand.seat_to_act is None:
        return []
    return [ClockStarted(turn_id(table.hand_id, hand.turn), hand.seat_to_act, now + table.settings.turn_ms)]


def _follow(
    table: Table, hand: Hand | None, events: list[HandEvent], now: Millis, intent: Intent = NO_INTENT
) -> list[Event]:
    """The hand's events, and what the table adds: armed answers, a clock for the turn, what follows the end."""
    while True:
        last = events[-1]
        if isinstance(last, HandEnded | HandVoided):
            return [*events, *_after_hand(table, hand, events, last.stacks, now, intent)]
        if not isinstance(last, TurnStarted):
            return list(events)
        at_once = hand is not None and not table.settings.jitter_ms
        answer = _armed_answer(table, hand, events, last.seat) if at_once else None
        if answer is None:
            return [*events, *_clock(table, hand, last, now)]
        events = events + answer


def _clock(table: Table, hand: Hand | None, turn: TurnStarted, now: Millis) -> list[Event]:
    """No clock runs while the table is paused: the turn gets its own when play goes on."""
    if table.paused is not None:
        return []
    this = table.hand_id if hand is not None else hand_id(table.id, table.hands + 1)
    return [ClockStarted(turn_id(this, turn.turn), turn.seat, now + table.settings.turn_ms)]


def _armed_answer(table: Table, hand: Hand | None, events: Sequence[HandEvent], seat_no: int) -> list[HandEvent] | None:
    """What the seat whose turn comes had armed, if that still holds; None if it must be asked."""
    seat = table.seats.get(seat_no)
    if hand is None or seat is None or seat.armed is None:
        return None
    if any(isinstance(event, Acted) and event.seat == seat_no for event in events):
        return None
    ahead = hand.copy()
    for event in events:
        rules.evolve(ahead, event)
    legal = rules.legal(ahead)
    assert legal is not None
    action = _resolved(seat.armed, seat.armed_to_call, legal.call)
    return None if action is None else rules.decide(ahead, Act(seat_no, action, auto=Auto.ARMED))


def _resolved(armed: PreAction, armed_to_call: Chips, call: Chips | None) -> Action | None:
    """The action a pre-action comes to when ``call`` is the price; None when it no longer holds."""
    free = call is None
    match armed:
        case PreAction.FOLD:
            return Action.FOLD
        case PreAction.CHECK_FOLD:
            return Action.CHECK if free else Action.FOLD
        case PreAction.CALL_ANY:
            return Action.CHECK if free else Action.CALL
        case PreAction.CHECK:
            return Action.CHECK if free else None
        case PreAction.CALL:
            return Action.CALL if call == armed_to_call else None


def _after_hand(
    table: Table,
    hand: Hand | None,
    events: Sequence[HandEvent],
    stacks: Sequence[Stake],
    now: Millis,
    intent: Intent,
) -> list[Event]:
    """Chips that waited, seats given up, sitting out, busting, and when the next hand is due."""
    after: list[Event] = []
    for stake in stacks:
        seat = table.seats[stake.seat]
        asked = intent if intent.seat == seat.seat else NO_INTENT
        leaving = seat.leaving or asked.leave or ("table closed" if table.closing is not None else None)
        if leaving is not None:
            after.append(left(table, seat, leaving, now, stake.stack))
            continue
        added = topped_up(table, seat, stake.stack, seat.pending)
        after += added
        if stake.stack == 0 and not added:
            after.append(SatOut(seat.seat, OutReason.BUSTED, now, now + table.settings.rebuy_ms))
        elif out := seat.sit_out_asked or asked.out:
            after.append(SatOut(seat.seat, out, now, now + table.settings.sit_out_max_ms))
    if table.closing is not None:
        gone = {stake.seat for stake in stacks}
        after += [left(table, seat, "table closed", now) for seat in table.seats.values() if seat.seat not in gone]
        return [*after, Closed(table.closing)]
    log = [*table.hand_log, *events] if hand is not None else events
    shown = any(isinstance(event, CardsShown | Mucked) for event in log)
    return [*after, HandDue(now + table.settings.hand_pause_ms * (SHOWDOWN_PAUSES if shown else 1))]

"""One street of betting: who is to act, what that seat may do, and what an answer comes to.

``bounds`` is the one source: what a client is offered and what ``judge`` accepts are the same value.
"""

from fullring.rules.actions import Act, Action, Chips, Legal
from fullring.rules.events import Acted
from fullring.rules.game import Structure
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, NOBODY, NOT_YET, Hand

FOLD, CHECK, CALL, BET, RAISE, ALL_IN = Action
POT_LIMIT = Structure.POT_LIMIT


def call_to(hand: Hand, i: int, high: Chips) -> Chips:
    """Where a caller's bet must stand, ``high`` being the highest real bet.

    A short big blind does not lower the price (docs/rules.md, R5) while somebody else has chips to contest it.
    """
    floor = hand.floor
    return high if floor <= high or hand.active - (hand.status[i] == ACTIVE) == 0 else floor


def next_to_act(hand: Hand) -> int:
    """The first seat from ``hand.next`` on that has a decision to make, or NOBODY: then the street is closed."""
    if not hand.game.streets[hand.street].betting:
        return NOBODY
    return asked(hand, hand.next, hand.size, hand.high, hand.active)


def asked(hand: Hand, start: int, count: int, high: Chips, active: int) -> int:
    """The first of ``count`` seats that owes chips, or has not acted while somebody else still can; else NOBODY.

    ``high`` and ``active`` may be as they will be once the seat before ``start`` has acted, where no blind is short:
    then nobody's price depends on that seat.
    """
    size, status, bets, acted = hand.size, hand.status, hand.bets, hand.acted
    nominal = hand.floor > high
    for j in range(start, start + count):
        if j >= size:
            j -= size
        if status[j] == ACTIVE and (
            bets[j] < (call_to(hand, j, high) if nominal else high) or (acted[j] == NOT_YET and active > 1)
        ):
            return j
    return NOBODY


def bounds(hand: Hand) -> Legal:
    """What the seat to act may do. Someone must be to act."""
    i = hand.to_act
    bet, stack = hand.bets[i], hand.stacks[i]
    high = hand.high
    if hand.floor > high:
        high = call_to(hand, i, high)
    owed = high - bet
    everything = bet + stack
    call = None if owed <= 0 else owed if owed < stack else stack
    if stack <= owed:
        return Legal(hand.seats[i], call, False, None, None, everything)
    level = hand.high if hand.high >= hand.floor else hand.floor
    if hand.active < 2 or not _open_to(hand, i, level):
        return Legal(hand.seats[i], call, level == 0, None, None, None)
    if hand.limit:
        low = top = hand.full_level + hand.bet_size
    else:
        low = level + hand.full_raise
        top = everything
        if hand.game.structure is POT_LIMIT:
            top = max(low, level + hand.pot + level - bet)
    if low > everything:
        low = everything
    if top > everything:
        top = everything
    return Legal(hand.seats[i], call, level == 0, low, top, everything if top == everything else None)


def _open_to(hand: Hand, i: int, level: Chips) -> bool:
    """Whether the betting is open to a raise by seat i (docs/rules.md, R10).

    It is for a seat that has not acted, or that faces, above the level at which it did, at least one full raise; in
    fixed limit half a bet.
    """
    if hand.capped:
        return False
    acted = hand.acted[i]
    if acted == NOT_YET:
        return True
    if hand.limit:
        return (level - acted) * 2 >= hand.bet_size
    return level - acted >= hand.full_raise


def judge(hand: Hand, legal: Legal, act: Act) -> Acted:
    """The event that this answer comes to. Raises Refused."""
    i = hand.to_act
    bet, stack = hand.bets[i], hand.stacks[i]
    action = act.action
    if action is FOLD:
        return Acted(act.seat, FOLD, 0, bet, False, act.auto)
    if action is CHECK:
        if legal.call is not None:
            raise Refused(
                Refusal.ILLEGAL_ACTION, f"a check is not possible: {legal.call} to call", {"to_call": legal.call}
            )
        return Acted(act.seat, CHECK, 0, bet, False, act.auto)
    if action is CALL:
        if legal.call is None:
            raise Refused(Refusal.ILLEGAL_ACTION, "there is nothing to call: check, or bet or raise")
        return Acted(act.seat, CALL, legal.call, bet + legal.call, legal.call == stack, act.auto)
    if action is ALL_IN:
        return _all_in(legal, act, bet, stack)
    return _raise(legal, act, bet, stack)


def _all_in(legal: Legal, act: Act, bet: Chips, stack: Chips) -> Acted:
    if legal.all_in is None:
        if legal.to_max is None:
            raise Refused(Refusal.ILLEGAL_ACTION, "going all-in would be a raise, and none is allowed now")
        raise Refused(
            Refusal.ILLEGAL_ACTION,
            f"all-in for {bet + stack} is above the maximum of {legal.to_max}",
            {"max": legal.to_max},
        )
    if legal.to_max is None:
        return Acted(act.seat, CALL, stack, bet + stack, True, act.auto)
    return Acted(act.seat, BET if legal.opens else RAISE, stack, bet + stack, True, act.auto)


def _raise(legal: Legal, act: Act, bet: Chips, stack: Chips) -> Acted:
    action, to = act.action, act.to
    low, top = legal.to_min, legal.to_max
    if low is None or top is None:
        raise Refused(Refusal.ILLEGAL_ACTION, f"a {action} is not allowed now: {_instead(legal)}")
    bounds = {"min": low, "max": top}
    if action is not (BET if legal.opens else RAISE):
        instead = (
            f"before a bet: bet {_range(low, top)}" if legal.opens else f"after a bet: raise to {_range(low, top)}"
        )
        raise Refused(Refusal.ILLEGAL_ACTION, f"a {action} is not possible {instead}", bounds)
    if type(to) is not int:
        needs = f"a {action} needs a whole number of chips as its street total: {_range(low, top)}"
        raise Refused(Refusal.BAD_AMOUNT, needs, bounds)
    if to < low:
        raise Refused(Refusal.BAD_AMOUNT, f"{_words(action, to)} is below the minimum of {low}", bounds)
    if to > top:
        raise Refused(Refusal.BAD_AMOUNT, f"{_words(action, to)} is above the maximum of {top}", bounds)
    return Acted(act.seat, action, to - bet, to, to - bet == stack, act.auto)


def _instead(legal: Legal) -> str:
    return "check or fold" if legal.call is None else f"call {legal.call} or fold"


def _range(low: Chips, top: Chips) -> str:
    return str(low) if low == top else f"between {low} and {top}"


def _words(action: Action, to: Chips) -> str:
    return f"bet {to}" if action is BET else f"raise to {to}"

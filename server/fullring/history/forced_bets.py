"""Antes and blinds between the two ways of saying them: PHH's arrays of numbers, and the posts of the rules."""

from typing import Final

from fullring.history.phh import PhhHand
from fullring.rules.actions import Chips
from fullring.rules.events import Post, Posted, PostKind
from fullring.rules.record import HandRecord
from fullring.rules.value import value

TO_THE_MIDDLE: Final = frozenset({PostKind.BIG_BLIND_ANTE, PostKind.DEAD_BLIND})
ANTES: Final = TO_THE_MIDDLE | {PostKind.ANTE}


@value
class Arrays:
    """The forced bets as PHH writes them: heads-up the small blind's entry, player 2's, stands first."""

    trimmed: bool
    antes: tuple[Chips, ...]
    blinds: tuple[Chips, ...]


def posts(hand: PhhHand) -> tuple[Post, ...]:
    """The forced bets of a hand in a file, in the order they are paid: antes, then blinds.

    The last blind is the one after which the betting starts: the highest that is no newcomer's.
    """
    paid = [post for post in _antes(hand) if post.amount]
    last = _last_blind(hand)
    for i, amount in enumerate(hand.blinds):
        if amount and i != last:
            paid.append(Post(i + 1, PostKind.LIVE if amount < 0 else PostKind.SMALL_BLIND, abs(amount)))
    if last is not None:
        paid.append(Post(last + 1, PostKind.BIG_BLIND, hand.blinds[last]))
    return tuple(paid)


def _antes(hand: PhhHand) -> list[Post]:
    due = [max(ante - dead, 0) for ante, dead in zip(hand.antes, hand.dead, strict=True)]
    if not hand.trimmed and not (any(hand.dead) and sum(map(bool, due)) > 1):
        return [Post(i, PostKind.BIG_BLIND_ANTE, ante) for i, ante in enumerate(hand.antes, 1)]
    paid = [min(ante, stack or ante) for ante, stack in zip(due, hand.stacks, strict=True)]
    matched = sorted(paid)[-2]  # What only one player anted is returned at once.
    antes = [Post(i, PostKind.ANTE, min(ante, matched)) for i, ante in enumerate(due, 1)]
    return antes + [Post(i, PostKind.DEAD_BLIND, dead) for i, dead in enumerate(hand.dead, 1)]


def _last_blind(hand: PhhHand) -> int | None:
    """The place of the highest blind or straddle; of equal ones the last, heads-up the big blind's."""
    top = max(hand.blinds)
    if top <= 0:
        return None
    places = [i for i, amount in enumerate(hand.blinds) if amount == top]
    return places[0] if hand.size == 2 else places[-1]


def arrays(record: HandRecord) -> Arrays:
    """The forced bets of a finished hand.

    Blinds are what was due: who can't pay posts the rest of the stack. A dead blind and a big-blind ante stand among
    the antes, which PHH takes before the blinds: where ours came up short after the blind, it is what was paid.
    """
    seats = record.started.seats
    posted = [event for event in record.events if isinstance(event, Posted)]
    to_antes = [event for event in posted if event.kind in ANTES and event.amount]
    antes, blinds = [], []
    for stake in seats:
        own = [event for event in to_antes if event.seat == stake.seat]
        due, paid = sum([event.due for event in own]), sum([event.amount for event in own])
        antes.append(due if min(due, stake.stack) == paid else paid)
        live = [event for event in posted if event.seat == stake.seat and event.kind not in ANTES]
        sign = -1 if any(event.kind is PostKind.LIVE for event in live) else 1
        blinds.append(sign * sum([event.due for event in live]))
    if len(seats) == 2 and blinds[1] >= blinds[0] > 0:
        blinds[1] = -blinds[1]  # Of equal blinds PokerKit takes the button's for the last, and the other would open.
    order = -1 if len(seats) == 2 else 1
    trimmed = bool(to_antes) and not any(event.kind in TO_THE_MIDDLE for event in to_antes)
    return Arrays(trimmed, tuple(antes[::order]), tuple(blinds[::order]))

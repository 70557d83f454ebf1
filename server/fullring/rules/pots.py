"""Pots: who may win which chips, from what each seat has paid."""

from collections.abc import Sequence

from fullring.rules.actions import Chips
from fullring.rules.events import UncalledReturned
from fullring.rules.state import FOLDED, Hand
from fullring.rules.value import value


@value
class Pot:
    """``eligible`` are indices of live seats, in order from the button's left."""

    amount: Chips
    eligible: tuple[int, ...]


def pots(hand: Hand, paid: Sequence[Chips] | None = None) -> list[Pot]:
    """The pots, main pot first, one for each level of live contributions (docs/rules.md, R16).

    Folded money stays in the layers it entered; what lies above every live seat falls to the nearest pot below. Dead
    money is everybody's. ``paid`` defaults to all that was paid; a view leaves out this street's bets.
    """
    paid = hand.paid if paid is None else paid
    live = [i for i, status in enumerate(hand.status) if status != FOLDED]
    if len(live) == 1:
        amount = sum(paid) + hand.dead
        return [Pot(amount, (live[0],))] if amount else []
    layers: list[Pot] = []
    below, amount = 0, hand.dead
    if amount and min([paid[i] for i in live]) == 0:
        layers.append(Pot(amount, tuple(live)))
        amount = 0
    levels = sorted({paid[i] for i in live if paid[i]})
    for level in levels:
        top = level if level != levels[-1] else max(paid)
        for mine in paid:
            if mine > below:
                amount += (mine if mine < top else top) - below
        layers.append(Pot(amount, tuple([i for i in live if paid[i] >= level])))
        below, amount = level, 0
    return layers


def uncalled(hand: Hand) -> UncalledReturned | None:
    """The part of the highest contribution that nobody matched; it was never in a pot."""
    paid = hand.paid
    top = max(paid)
    if paid.count(top) > 1:
        return None
    i = paid.index(top)
    return None if hand.status[i] == FOLDED else UncalledReturned(hand.seats[i], top - sorted(paid)[-2])

"""Shuffling and ids, from the operating system's secure source. Nothing here can be seeded."""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence

from fullring.rules.cards import Card, Deck
from fullring.table.ids import TableId

Shuffle = Callable[[Sequence[Card]], Deck]
"""The cards in an order that nobody can foresee; in tests, in an order that the test chose."""

_BYTE = 256


def shuffled(cards: Sequence[Card]) -> Deck:
    """Fisher-Yates: every order of the cards is as likely as any other."""
    assert len(cards) <= _BYTE, "one byte chooses a card"
    left = list(cards)
    entropy = _entropy(2 * len(left))
    for last in range(len(left) - 1, 0, -1):
        choices = last + 1
        fair = _BYTE - _BYTE % choices  # A byte from here on would favour the first cards: it is thrown away.
        byte = next(entropy)
        while byte >= fair:
            byte = next(entropy)
        chosen = byte % choices
        left[last], left[chosen] = left[chosen], left[last]
    return Deck(left)


def _entropy(size: int) -> Iterator[int]:
    while True:
        yield from os.urandom(size)


def up_to(most: int) -> int:
    """A number from 0 to this, each as likely as any other."""
    return secrets.randbelow(most + 1)


def new_table_id() -> TableId:
    """Short, and not to be guessed: an invite-only table is found by its id alone."""
    return TableId(f"t{secrets.token_hex(6)}")

"""Decks that a test knows: shuffled by a seed and remembered, or stacked by hand."""

from collections.abc import Sequence
from random import Random

from fullring.rules.cards import Card, Deck


class Decks:
    """Shuffles by a seed, and remembers each deck that it made."""

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)
        self.made: list[Deck] = []

    def __call__(self, cards: Sequence[Card]) -> Deck:
        self.made.append(Deck(self._dice.sample(list(cards), len(cards))))
        return self.made[-1]


class Stacked:
    """Deals the decks it was given, one after another; the rest of each comes in order behind what was stacked."""

    def __init__(self, *tops: Sequence[Card]) -> None:
        self._tops = list(tops)

    def __call__(self, cards: Sequence[Card]) -> Deck:
        top = self._tops.pop(0) if self._tops else ()
        return Deck([*top, *[card for card in cards if card not in top]])

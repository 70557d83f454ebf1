"""Parts that the views and the public events share: cards as text, a hand in words."""

from collections.abc import Iterable
from functools import lru_cache

from fullring.rules.cards import Card, text
from fullring.rules.ranking import HIGH

Json = dict[str, object]

RANKED_FROM = 5
"""Cards it takes to name a hand."""
RANKS_KEPT = 4_096
"""Hands in words that are kept for the next update: a seat's stays the same until the next street."""


def texts(cards: Iterable[Card]) -> list[str]:
    return [text(card) for card in cards]


@lru_cache(maxsize=RANKS_KEPT)
def rank(cards: tuple[Card, ...]) -> Json:
    """The best five in words: category, the cards that play, text. The same object every time: nobody changes it."""
    value = HIGH(cards)
    assert value is not None, "every hand has a high rank"
    return {
        "category": HIGH.category(value).name.lower(),
        "cards": texts(HIGH.best_five(cards)),
        "text": HIGH.describe(value),
    }

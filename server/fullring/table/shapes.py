"""Parts that the views and the public events share: cards as text, a hand in words."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from fullring.rules.cards import RANKS, Card, text
from fullring.rules.ranking import HIGH
from fullring.rules.ranking_words import Category

Json = dict[str, object]

RANKED_FROM = 5
"""Cards it takes to name a hand."""
RANKS_KEPT = 4_096
"""Hands in words that are kept for the next update: a seat's stays the same until the next street."""


FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)


def texts(cards: Iterable[Card]) -> list[str]:
    return [text(card) for card in cards]


@lru_cache(maxsize=RANKS_KEPT)
def rank(cards: tuple[Card, ...]) -> Json:
    """The best five in words: category, the cards that play, text. The same object every time: nobody changes it."""
    value = HIGH(cards)
    assert value is not None, "every hand has a high rank"
    category = HIGH.category(value)
    return {
        "category": category.name.lower(),
        "cards": texts(_five(cards, HIGH.ranks(value), flush=category in FLUSHES)),
        "text": HIGH.describe(value),
    }


def _five(cards: Sequence[Card], ranks: str, *, flush: bool) -> list[Card]:
    """The cards that play, in the order in which they are compared. Of two that would do, the first."""
    left = list(cards)
    if flush:
        suits = [card & 3 for card in cards]
        left = [card for card in cards if suits.count(card & 3) >= len(ranks)]
    five = []
    for wanted in ranks:
        card = next(card for card in left if RANKS[card >> 2] == wanted)
        left.remove(card)
        five.append(card)
    return five

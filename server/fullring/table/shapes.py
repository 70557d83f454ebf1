"""Parts that the views and the public events share: cards as text, a hand in words."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from fullring.rules.cards import RANKS, TEXT, Card
from fullring.rules.ranking import HIGH
from fullring.rules.ranking_words import Category
from fullring.table.ids import Millis
from fullring.table.settings import MINUTE, SECOND, TableSettings

Json = dict[str, object]

RANKED_FROM = 5
"""Cards it takes to name a hand."""
RANKS_KEPT = 4_096
"""Hands in words that are kept for the next update: a seat's stays the same until the next street."""
VALUES_KEPT = 8_192
"""Values whose words are kept: all that there are of five cards."""


FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)


def texts(cards: Iterable[Card]) -> list[str]:
    return [TEXT[card] for card in cards]


@lru_cache(maxsize=RANKS_KEPT)
def rank(cards: tuple[Card, ...]) -> Json:
    """The best five in words: category, the cards that play, text. The same object every time: nobody changes it."""
    value = HIGH(cards)
    assert value is not None, "every hand has a high rank"
    category, ranks, words, flush = _words(value)
    return {"category": category, "cards": texts(_five(cards, ranks, flush=flush)), "text": words}


@lru_cache(maxsize=VALUES_KEPT)
def _words(value: int) -> tuple[str, tuple[int, ...], str, bool]:
    """What every hand of that value has in common: category, the ranks that play, text, whether the suit matters."""
    category = HIGH.category(value)
    ranks = tuple([RANKS.index(rank) for rank in HIGH.ranks(value)])
    return category.name.lower(), ranks, HIGH.describe(value), category in FLUSHES


def shown_settings(settings: TableSettings) -> Json:
    """The settings players may know: all but the join code itself."""
    return {
        "seats": settings.seats,
        "small_blind": settings.small_blind,
        "big_blind": settings.big_blind,
        "ante": settings.ante,
        "big_blind_ante": settings.big_blind_ante,
        "buy_in_min": settings.buy_in_min,
        "buy_in_max": settings.buy_in_max,
        "turn_seconds": _seconds(settings.turn_ms),
        "time_bank_seconds": _seconds(settings.time_bank_ms),
        "hand_pause_ms": settings.hand_pause_ms,
        "jitter_ms": settings.jitter_ms,
        "show_all": settings.show_all,
        "dead_button": settings.dead_button,
        "ratholing_minutes": settings.ratholing_ms // MINUTE,
        "rake_bps": settings.rake_bps,
        "rake_cap": max(settings.rake_caps, default=0),
        "join_code": settings.join_code is not None,
    }


def _seconds(span: Millis) -> int | float:
    return span // SECOND if span % SECOND == 0 else span / SECOND


def _five(cards: Sequence[Card], ranks: Sequence[int], *, flush: bool) -> list[Card]:
    """The cards that play, in the order in which they are compared. Of two that would do, the first."""
    if flush:
        suits = [card & 3 for card in cards]
        cards = [card for card in cards if suits.count(card & 3) >= len(ranks)]
    left: dict[int, list[Card]] = {}
    for card in reversed(cards):
        left.setdefault(card >> 2, []).append(card)
    return [left[rank].pop() for rank in ranks]

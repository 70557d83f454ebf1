"""Cards as numbers, and as the text people write: ``As``, ``Td``.

A card is ``4 * rank + suit``: ranks from 0 for a deuce to 12 for an ace, suits clubs, diamonds, hearts, spades.
Nothing here shuffles, and no error or ``repr`` of a deck names a card.
"""

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
JOKERS: Final[tuple[Card, Card]] = (52, 53)
UNKNOWN: Final[Card] = -1  # A card that was dealt and that nobody recorded.

FULL_DECK: Final[tuple[Card, ...]] = tuple(range(52))

TEXT: Final = {
    **{4 * rank + suit: RANKS[rank] + SUITS[suit] for rank in range(13) for suit in range(4)},
    52: "Jo",
    53: "Jp",
    UNKNOWN: "??",
}
"""Each card's text; see `text`."""
_CARD: Final = {text: card for card, text in TEXT.items()} | {"10" + suit: 32 + n for n, suit in enumerate(SUITS)}
_ONE: Final = re.compile(r"(10[cdhs]|[2-9TJQKA][cdhs]|J[op]|\?\?)\s*")


class Deck(tuple[Card, ...]):
    """Cards in the order in which they will be dealt. Printing it shows how many, never which."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Deck({len(self)} cards)"


def parse(text: str, *, allow_unknown: bool = False) -> tuple[Card, ...]:
    """The cards of ``AsKd``, ``10s 9s`` or, if allowed, ``??``. ValueError for anything else, and for a card twice."""
    cards: list[Card] = []
    text, at = text.strip(), 0
    while at < len(text):
        found = _ONE.match(text, at)
        if found is None:
            raise ValueError(f"no card at character {at + 1} of {len(text)}, expected one such as As, Td or 10d")
        cards.append(_CARD[found[1]])
        at = found.end()
    known = [card for card in cards if card != UNKNOWN]
    if len(known) < len(cards) and not allow_unknown:
        raise ValueError("an unknown card has no place here")
    if len(set(known)) < len(known):
        raise ValueError("the same card twice")
    return tuple(cards)


def card(text: str) -> Card:
    """The one card of ``As``. ValueError if it is not exactly one known card."""
    cards = parse(text)
    if len(cards) != 1:
        raise ValueError(f"expected one card, not {len(cards)}")
    return cards[0]


def text(card: Card) -> str:
    """``As``; ``??`` for an unknown card."""
    return TEXT[card]


def texts(cards: Iterable[Card]) -> str:
    """``AsKd``, as `parse` reads it."""
    return "".join([TEXT[card] for card in cards])

"""What hands are called: their categories, and "full house, kings over twos".

Knows the names of things and their order of worth; how a hand comes by its category is `ranking`'s.
"""

from enum import IntEnum
from typing import Final


class Category(IntEnum):
    """Kinds of hands, from worst to best in a high game."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9


RANK_WORDS: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}


def describe(category: Category, ranks: str, *, low: bool) -> str:
    """``ranks`` are those of the cards that play, in the order in which they are compared: ``KKK22``."""
    one = RANK_WORDS[ranks[0]]
    match category:
        case Category.HIGH_CARD if low:
            return "-".join(RANK_WORDS[rank] for rank in ranks[:2]) + " low"
        case Category.HIGH_CARD:
            return f"{one} high"
        case Category.ONE_PAIR:
            return f"pair of {_plural(ranks[0])}"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(ranks[0])} and {_plural(ranks[2])}"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(ranks[0])} over {_plural(ranks[3])}"
        case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND | Category.FIVE_OF_A_KIND:
            return f"{_called(category)}, {_plural(ranks[0])}"
        case Category.STRAIGHT_FLUSH if ranks[0] == "A" and not low:
            return "royal flush"
        case Category.STRAIGHT | Category.FLUSH | Category.STRAIGHT_FLUSH:
            return f"{_called(category)}, {one} high"


def _called(category: Category) -> str:
    return category.name.lower().replace("_", " ")


def _plural(rank: str) -> str:
    word = RANK_WORDS[rank]
    return word + "es" if word.endswith("x") else word + "s"

"""What five cards are worth by definition, and what the best five of more cards are worth, by the sum of their keys.

A key has an octal digit for each rank, one more for wild cards, and a hexadecimal digit for each suit. Added up, the
digits count, and `oct` shows the hand. Nothing here knows the order of cards or who holds them: that is `ranking`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Final

from fullring.rules.cards import FULL_DECK, RANKS
from fullring.rules.ranking_words import Category

# The digits of a sum: seven cards of one rank, seven wild cards and twelve of one suit fit, so any seven cards do.
# With three added to each suit, the highest bit of its digit says "five or more of this suit".
ONE_OF: Final = [1 << 3 * rank for rank in range(13)]
WILD: Final = 1 << 39
WILDS: Final = 7 << 39
ALL_RANKS: Final = (1 << 42) - 1
THREE_OF_EACH_SUIT: Final = 0x3333 << 42
FIVE_OF_A_SUIT: Final = 0x8888 << 42
FIVE_OF: Final = [8 << 42 + 4 * suit for suit in range(4)]

NATURAL: Final = [ONE_OF[card >> 2] + (1 << 42 + 4 * (card & 3)) for card in FULL_DECK]
ANYTHING: Final = WILD + (0x1111 << 42)  # A wild card is of no rank, and one of each suit.

# A value is six digits of four bits: the category, then the ranks in the order in which they are compared, each as its
# place in the ranking's order from 1. A low ranking keeps what is missing to this, so that the larger wins there too.
HIGHEST: Final = (1 << 24) - 1

# How many there are of the most frequent rank and of the next: the category, suits and sequence aside.
_REPEATS: Final = {
    (1, 0): Category.HIGH_CARD,
    (1, 1): Category.HIGH_CARD,
    (2, 0): Category.ONE_PAIR,
    (2, 1): Category.ONE_PAIR,
    (2, 2): Category.TWO_PAIR,
    (3, 0): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 0): Category.FOUR_OF_A_KIND,
    (4, 1): Category.FOUR_OF_A_KIND,
    (5, 0): Category.FIVE_OF_A_KIND,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """All that tells one ranking from another."""

    low: bool = False  # The hand that is worth less wins.
    ace_low: bool = False  # The ace is below the deuce, and nowhere else.
    straights: bool = True
    wheel: bool = True  # A-5-4-3-2 is a straight although the ace is high.
    flushes: bool = True
    eight_or_better: bool = False  # Five different ranks, none above the eight, or no hand at all.
    wild_ranks: str = ""
    jokers: bool = False  # There are jokers, and they are wild.
    bug: bool = False  # A wild card is an ace, or completes a straight, flush or straight flush: nothing else.


class Values:
    """Values by the sum of the cards' ranks, and by the ranks held in one suit. Each is worked out once and kept."""

    def __init__(self, switches: Switches) -> None:
        self.by_ranks: dict[int, int | None] = {}
        self._by_suit: dict[tuple[int, int], int] = {}
        self._switches = switches
        self._flip = HIGHEST if switches.low else 0
        self._order = [12, *range(12)] if switches.ace_low else [*range(13)]  # Ranks by their place, lowest first.
        self._straights = _straights(switches)

    def of_ranks(self, total: int) -> int | None:
        """The best that five of these cards make, suits aside. None if that doesn't qualify.

        Five cards are worth what they are by definition. Of more, one is dropped: whichever is missed least, and never
        a wild one, since that could stand for any other. A wild card stands for whatever helps most.
        """
        if total in self.by_ranks:
            return self.by_ranks[total]
        counts = [total >> 3 * rank & 7 for rank in self._order]
        wild = total >> 39
        value: int | None
        if wild and self._switches.bug:
            value = self._with_bug(total)
        elif wild and not self._switches.low and max(counts) + wild >= 5:  # At once, rather than after many detours.
            place = max(place for place, count in enumerate(counts) if count + wild >= 5)
            value = self.of_five([5 * (other == place) for other in range(13)])
        elif wild > 5:
            value = self.of_ranks(total - WILD)
        elif sum(counts) + wild > 5:
            value = best(self.of_ranks(total - one) for rank, one in enumerate(ONE_OF) if total >> 3 * rank & 7)
        elif wild:
            value = best(self.of_ranks(total - WILD + one) for one in ONE_OF)
        elif self._switches.eight_or_better and not _eight_or_better(counts):
            value = None
        else:
            value = self.of_five(counts)
        self.by_ranks[total] = value
        return value

    def of_suit(self, held: int, wild: int) -> int:
        """The best flush or straight flush in a suit of which the ranks that are bits of ``held`` are held.

        A wild card is one that is not held: there is no flush with two aces.
        """
        if (held, wild) in self._by_suit:
            return self._by_suit[held, wild]
        bits = [1 << rank for rank in range(13)]
        if held.bit_count() + wild > 5:
            value = max(self.of_suit(held ^ bit, wild) for bit in bits if held & bit)
        elif wild:
            value = max(self.of_suit(held | bit, wild - 1) for bit in bits if not held & bit)
        else:
            value = self.of_five([held >> rank & 1 for rank in self._order], suited=True)
        self._by_suit[held, wild] = value
        return value

    def of_five(self, counts: Sequence[int], *, suited: bool = False) -> int:
        """The value of five natural cards, or of fewer, by how many there are at each place of the order."""
        groups = sorted(((count, place) for place, count in enumerate(counts) if count), reverse=True)
        places = [place for count, place in groups for _ in range(count)]
        run = self._straights.get(frozenset(places)) if len(groups) == 5 else None
        if run is not None:
            category, places = Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT, run
        elif suited:
            category = Category.FLUSH
        else:
            category = _REPEATS[groups[0][0], groups[1][0] if len(groups) > 1 else 0]
        value = int(category)
        for digit in [place + 1 for place in places] + [0] * (5 - len(places)):
            value = value << 4 | digit
        return value ^ self._flip

    def category(self, value: int) -> Category:
        return Category((value ^ self._flip) >> 20)

    def ranks(self, value: int) -> str:
        places = [(value ^ self._flip) >> shift & 15 for shift in (16, 12, 8, 4, 0)]
        return "".join(RANKS[self._order[place - 1]] for place in places if place)

    @cached_property
    def class_numbers(self) -> dict[int, int]:
        """The values of all hands of five cards, numbered from 1, the best."""
        wild = self._switches.jokers or self._switches.wild_ranks
        most = 5 if wild and not self._switches.low else 4
        values = set()
        for places in combinations_with_replacement(range(13), 5):
            counts = [places.count(place) for place in range(13)]
            if max(counts) <= most and (not self._switches.eight_or_better or _eight_or_better(counts)):
                values.add(self.of_five(counts))
            if max(counts) == 1 and self._switches.flushes:
                values.add(self.of_five(counts, suited=True))
        return {value: number for number, value in enumerate(sorted(values, reverse=True), start=1)}

    def _with_bug(self, total: int) -> int | None:
        """As an ace, or as the card that completes a straight."""
        others = [self.of_ranks(total - WILD + one) for one in ONE_OF]
        straights = [value for value in others if value is not None and self.category(value) == Category.STRAIGHT]
        return best([others[12], *straights])


def best(values: Iterable[int | None]) -> int | None:
    """The largest of those that qualify; None if none does."""
    return max((value for value in values if value is not None), default=None)


def _eight_or_better(counts: Sequence[int]) -> bool:
    """Five different ranks, none above the eight, in an order that begins with the ace."""
    return counts[:8].count(1) == 5


def _straights(switches: Switches) -> dict[frozenset[int], list[int]]:
    """For each set of places that is a straight, the places in the order in which they are compared."""
    if not switches.straights:
        return {}
    runs = [[*range(top, top - 5, -1)] for top in range(4, 13)]
    if switches.wheel and not switches.ace_low:
        runs.append([3, 2, 1, 0, 12])
    return {frozenset(run): run for run in runs}

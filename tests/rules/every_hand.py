"""Every hand of a deck, exactly, with those that no rule can tell apart counted together.

133 million hands of seven cards are 190,000 kinds: which ranks they hold and, if a suit can make a flush, which of
them are of that suit. A test ranks one hand of each kind and counts it as often as the kind occurs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from fullring.rules.cards import Card

Ranks = tuple[int, ...]  # In ascending order, repeats included.


def kinds(natural: Sequence[Card], wild: Sequence[Card], cards: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """A hand of each kind, and how many hands are of that kind. Wild cards are all alike."""
    ranks = sorted({card >> 2 for card in natural})
    assert len(natural) == 4 * len(ranks)
    for held in range(min(len(wild), cards) + 1):
        ways = comb(len(wild), held)
        if held < 3:
            found = _by_ranks(ranks, cards - held, flush=5 - held)
        else:  # Two suits at once can make a flush: every hand is a kind of its own.
            found = ((hand, 1) for hand in combinations(natural, cards - held))
        for hand, count in found:
            yield (*wild[:held], *hand), ways * count


def _by_ranks(ranks: Sequence[int], cards: int, *, flush: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Kinds of natural hands, where ``flush`` cards of a suit make a flush; there is at most one such suit."""
    assert 2 * flush > cards
    left = {
        held: prod(comb(4, count) for count in Counter(held).values())
        for held in combinations_with_replacement(ranks, cards)
        if all(first != fifth for first, fifth in zip(held, held[4:], strict=False))
    }
    for others in range(cards - flush + 1):
        off_suit = [
            (held, prod(comb(3, count) for count in Counter(held).values()))
            for held in combinations_with_replacement(ranks, others)
        ]
        for suited in combinations(ranks, cards - others):
            for held, ways in off_suit:
                if ways:
                    left[tuple(sorted(suited + held))] -= 4 * ways
                    yield (*(4 * rank for rank in suited), *_in_suits(held, (1, 2, 3))), 4 * ways
    for held, count in left.items():
        if count:
            yield _in_suits(held, (0, 1, 2, 3)), count


def _in_suits(ranks: Ranks, suits: Sequence[int]) -> tuple[Card, ...]:
    """Cards of these ranks, the suits taking turns: so no suit has more than its share."""
    return tuple(4 * rank + suits[turn % len(suits)] for turn, rank in enumerate(ranks))

"""How hands compare: the best five of any cards, under high and low rules and with wild cards.

A hand is the sum of its cards' keys, and a sum's value is looked up: `ranking_values` says why that is right.
A board is summed once, so that a player at a showdown costs two additions and a look-up.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from typing import Final, cast

from fullring.rules.cards import FULL_DECK, JOKERS, RANKS, Card
from fullring.rules.ranking_values import (
    ALL_RANKS,
    ANYTHING,
    FIVE_OF,
    FIVE_OF_A_SUIT,
    NATURAL,
    ONE_OF,
    THREE_OF_EACH_SUIT,
    WILD,
    WILDS,
    Switches,
    Values,
    best,
)
from fullring.rules.ranking_words import Category, describe

_NO_KEY: Final = cast(int, None)  # Fails when added: for a joker where there is none and, last in a list, for UNKNOWN.
_SUITS_WITH: Final = {
    sum(FIVE_OF[suit] for suit in suits): suits for count in range(5) for suits in combinations(range(4), count)
}
_FIVE_OF_A_KIND: Final = Category.FIVE_OF_A_KIND << 20  # No value below this is one.


class Ranking:
    """``ranking(cards)`` is the value of the best five of up to seven cards, in any order. **The larger value wins,
    in low games too**; equal values tie; None does not qualify.

    One to four cards rank as stud compares the cards showing: pairs, trips and quads count, straights and flushes
    don't. Values compare within one ranking and, below five cards, one number of cards. Nothing is checked here: the
    cards must be different ones, from the game's deck. A ranking remembers what it has met, so keep it.
    """

    def __init__(self, name: str, switches: Switches) -> None:
        self.name = name
        self.switches = switches
        self.keys = [ANYTHING if RANKS[card >> 2] in switches.wild_ranks else NATURAL[card] for card in FULL_DECK]
        self.keys += [ANYTHING if switches.jokers else _NO_KEY] * len(JOKERS) + [_NO_KEY]
        self._bits = [
            0 if key == ANYTHING else 1 << 13 * (card & 3) + (card >> 2) for card, key in enumerate(self.keys)
        ]
        self._values = Values(switches)
        self._by_ranks = self._values.by_ranks
        self._flushes = switches.flushes

    def __repr__(self) -> str:
        return f"<Ranking {self.name}>"

    def __call__(self, cards: Collection[Card]) -> int | None:
        keys = self.keys
        if len(cards) == 7:  # Asked for most, so written out: the loop takes an eighth more.
            a, b, c, d, e, f, g = cards
            total = THREE_OF_EACH_SUIT + keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
        else:
            total = THREE_OF_EACH_SUIT
            for card in cards:
                total += keys[card]
        if total & FIVE_OF_A_SUIT and self._flushes:
            return self._suited(total, cards)
        try:
            return self._by_ranks[total & ALL_RANKS]
        except KeyError:
            return self._values.of_ranks(total & ALL_RANKS)

    def strengths(
        self, holes: Sequence[Sequence[Card]], board: Sequence[Card], *, hole_cards_used: int | None = None
    ) -> list[int | None]:
        """Each player's value at showdown. ``hole_cards_used`` is 2 in Omaha: exactly so many must play."""
        if hole_cards_used is not None:
            boards = list(combinations(board, 5 - hole_cards_used))
            return [self._with_exactly(hole_cards_used, hole, boards) for hole in holes]
        keys, by_ranks, flushes = self.keys, self._by_ranks, self._flushes
        shared = THREE_OF_EACH_SUIT + sum([keys[card] for card in board])
        values = []
        for hole in holes:
            total = shared
            for card in hole:
                total += keys[card]
            if total & FIVE_OF_A_SUIT and flushes:
                values.append(self._suited(total, (*hole, *board)))
                continue
            try:
                values.append(by_ranks[total & ALL_RANKS])
            except KeyError:
                values.append(self._values.of_ranks(total & ALL_RANKS))
        return values

    def of_sums(
        self, totals: Iterable[int], holes: Iterable[Sequence[Card]], board: Sequence[Card]
    ) -> list[int | None]:
        """The same for players who already know what their ``keys``, the board's and THREE_OF_EACH_SUIT add up to."""
        by_ranks = self._by_ranks
        values = []
        for total, hole in zip(totals, holes, strict=True):
            if total & FIVE_OF_A_SUIT and self._flushes:
                values.append(self._suited(total, (*hole, *board)))
                continue
            try:
                values.append(by_ranks[total & ALL_RANKS])
            except KeyError:
                values.append(self._values.of_ranks(total & ALL_RANKS))
        return values

    def of_ranks(self, totals: Sequence[int]) -> list[int | None]:
        """The values of hands whose suits don't matter, from what the ALL_RANKS parts of their ``keys`` add up to."""
        by_ranks = self._by_ranks
        try:
            return [by_ranks[total] for total in totals]
        except KeyError:
            return [self._values.of_ranks(total) for total in totals]

    def category(self, value: int) -> Category:
        return self._values.category(value)

    def ranks(self, value: int) -> str:
        """The ranks that play, in the order in which they are compared: ``KKK22``, ``5432A``."""
        return self._values.ranks(value)

    def describe(self, value: int) -> str:
        """``two pair, kings and fives``; in a low ranking ``seven-six low``."""
        return describe(self.category(value), self.ranks(value), low=self.switches.low)

    def class_number(self, value: int) -> int:
        """1 for the best hand of five cards, then 2; hands that tie count as one."""
        return self._values.class_numbers[value]

    def best_five(
        self, cards: Sequence[Card], board: Sequence[Card] = (), *, hole_cards_used: int | None = None
    ) -> dict[Card, Card]:
        """The cards that play, in the order in which they are compared, and what each stands for: itself, unless wild.

        Empty if the hand doesn't qualify. It tries every five, so it is for showing a winner, not for finding one.
        """
        every = (*cards, *board)
        fives: Iterable[tuple[Card, ...]] = combinations(every, min(5, len(every)))
        if hole_cards_used is not None:
            shared = list(combinations(board, 5 - hole_cards_used))
            fives = (part + other for part in combinations(cards, hole_cards_used) for other in shared)
        value, five = max(
            ((-1 if (value := self(five)) is None else value, five) for five in fives), key=lambda f: f[0]
        )
        return self._roles(value, five) if value >= 0 else {}

    def with_wild(self, which: str, *, bug: bool = False) -> "Ranking":
        """This ranking where in addition the ``"joker"``, or each card of such ranks as ``"93"``, is wild.

        A ``bug`` is less: it is an ace, or it completes a straight, flush or straight flush.
        """
        if bug and self.switches.low:
            raise ValueError("a bug is for high games: in a low one a joker is simply wild")
        if ANYTHING in self.keys and bug != self.switches.bug:
            raise ValueError("in one game all wild cards are bugs, or none is")
        if which == "joker":
            switches = replace(self.switches, jokers=True, bug=bug)
        elif which and set(which) <= set(RANKS):
            switches = replace(self.switches, wild_ranks=self.switches.wild_ranks + which, bug=bug)
        else:
            raise ValueError(f'expected "joker" or ranks such as "93", not {which!r}')
        return Ranking(f"{self.name}, {which} {'a bug' if bug else 'wild'}", switches)

    def warm(self, cards: int = 7) -> None:
        """Meet all the ranks that so many cards can have now, so that no hand at a table is the first of its kind.

        Half a second and 7 MB for seven natural cards, a few seconds with many wild ones.
        """
        natural = [one for rank, one in zip(RANKS, ONE_OF, strict=True) if rank not in self.switches.wild_ranks]
        for wild in range(min(self.keys.count(ANYTHING), cards) + 1):
            for ones in combinations_with_replacement(natural, cards - wild):
                if all(first != fifth for first, fifth in zip(ones, ones[4:], strict=False)):
                    self._values.of_ranks(sum(ones) + wild * WILD)

    def _sum(self, cards: Iterable[Card]) -> int:
        return sum([self.keys[card] for card in cards])

    def _suited(self, total: int, cards: Collection[Card]) -> int | None:
        """The value where five cards or more are of one suit, wild ones counted.

        The best five are all of that suit, or else suits don't matter to them: it is the better of the two.
        """
        if self.switches.low:
            return self._avoiding_flushes(total, cards)
        bits = self._bits
        held = 0
        for card in cards:
            held |= bits[card]
        value = self._values.of_ranks(total & ALL_RANKS) or 0  # A high hand always qualifies.
        if value < _FIVE_OF_A_KIND:
            for suit in _SUITS_WITH[total & FIVE_OF_A_SUIT]:
                flush = self._values.of_suit(held >> 13 * suit & 0x1FFF, total >> 39 & 7)
                value = flush if flush > value else value
        return value

    def _avoiding_flushes(self, total: int, cards: Collection[Card]) -> int | None:
        """The ranks decide, unless all cards of the ranks that would play are of one suit: then every five is tried."""
        value = self._values.of_ranks(total & ALL_RANKS)
        if value is None or total & WILDS:  # A wild card is of a suit that makes no flush.
            return value
        playing = self.ranks(value)
        if len({card & 3 for card in cards if RANKS[card >> 2] in playing}) > 1:
            return value
        return best(self._low_five(five) for five in combinations(cards, 5))

    def _low_five(self, five: Sequence[Card]) -> int | None:
        if len({card & 3 for card in five}) > 1:
            return self._values.of_ranks(self._sum(five) & ALL_RANKS)
        return self._values.of_suit(sum([1 << (card >> 2) for card in five]), 0)

    def _with_exactly(self, used: int, hole: Sequence[Card], boards: Sequence[Sequence[Card]]) -> int | None:
        sums = [THREE_OF_EACH_SUIT + self._sum(board) for board in boards]
        values: list[int | None] = []
        for part in combinations(hole, used):
            held = self._sum(part)
            values += self.of_sums([held + total for total in sums], boards, part)
        return best(values)

    def _roles(self, value: int, five: Sequence[Card]) -> dict[Card, Card]:
        """The natural cards take the places of their ranks; the wild ones stand for what remains."""
        natural = [card for card in five if self.keys[card] != ANYTHING]
        wild = [card for card in five if card not in natural]
        flush = self.category(value) in (Category.FLUSH, Category.STRAIGHT_FLUSH)
        roles: dict[Card, Card] = {}
        for rank in self.ranks(value):
            own = next((card for card in natural if RANKS[card >> 2] == rank and card not in roles), None)
            if own is not None:
                roles[own] = own
            else:
                roles[wild.pop()] = _stand_in(RANKS.index(rank), {*natural, *roles.values()}, flush=flush)
        return roles


def _stand_in(rank: int, held: set[Card], *, flush: bool) -> Card:
    """A card of this rank that is not held, if there is one, and that makes a flush or else breaks one."""
    suit = min(held) & 3 if held else 0
    return min(range(4 * rank, 4 * rank + 4), key=lambda card: (card in held, (card & 3 == suit) != flush))


HIGH: Final = Ranking("high", Switches())
DEUCE_TO_SEVEN: Final = Ranking("deuce to seven", Switches(low=True, wheel=False))
ACE_TO_FIVE: Final = Ranking("ace to five", Switches(low=True, ace_low=True, straights=False, flushes=False))
ACE_TO_SIX: Final = Ranking("ace to six", Switches(low=True, ace_low=True, wheel=False))
EIGHT_OR_BETTER: Final = Ranking(
    "eight or better", Switches(low=True, ace_low=True, straights=False, flushes=False, eight_or_better=True)
)

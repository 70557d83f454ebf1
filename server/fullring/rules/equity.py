"""Equity: each player's share of the pot over the boards that may still come, counted exactly or sampled.

Nothing here is chance: whoever wants samples brings what draws them. A preflop spot counted exactly takes a tenth of
a second, which is too long for an event loop.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import TypeAlias

from fullring.rules.cards import FULL_DECK, Card
from fullring.rules.ranking import HIGH, Ranking
from fullring.rules.ranking_values import ALL_RANKS, THREE_OF_EACH_SUIT

Cards: TypeAlias = Sequence[Card]
Draw: TypeAlias = Callable[[Cards, int], Cards]  # So many different ones of these, as random.Random(seed).sample does.
Runouts: TypeAlias = tuple[tuple[Card, ...], int, int]  # One for all that are alike, the sum of its keys, how many.
Tally: TypeAlias = "Counter[int]"  # How often which players win together: bit n is player n.


@dataclass(frozen=True, slots=True)
class Equity:
    """How one player fares over all ``runouts``, or over a sample of them."""

    runouts: int
    wins: int  # Alone.
    ties: Mapping[int, int]  # By the number of players who share: {2: 6732}.

    @property
    def share(self) -> Fraction:
        """Of the pot, on average."""
        return Fraction(self.wins, self.runouts) + sum(
            Fraction(n, many * self.runouts) for many, n in self.ties.items()
        )

    @property
    def standard_error(self) -> float:
        """How far a sample's share is off, typically."""
        squares = self.wins + sum(n / many**2 for many, n in self.ties.items())
        return sqrt(max(0.0, squares / self.runouts - float(self.share) ** 2) / self.runouts)


def exact(
    holes: Sequence[Cards],
    board: Cards = (),
    dead: Cards = (),
    *,
    ranking: Ranking = HIGH,
    hole_cards_used: int | None = None,
    deck: Cards = FULL_DECK,
) -> list[Equity]:
    """Each player's equity over every board of five that can come. A board for which nobody qualifies is nobody's."""
    left = _left(holes, board, dead, deck)
    to_come = 5 - len(board)
    if hole_cards_used is not None:
        runouts = combinations(left, to_come)
        tally = Counter(
            _winners(ranking.strengths(holes, (*board, *runout), hole_cards_used=hole_cards_used)) for runout in runouts
        )
    elif to_come > 1 and _one_flush_at_most(holes, board, ranking):
        tally = _counted(holes, board, left, ranking)
    else:
        tally = _enumerated(holes, board, left, ranking)
    return _equities(tally, len(holes), comb(len(left), to_come))


def sampled(
    holes: Sequence[Cards],
    board: Cards = (),
    dead: Cards = (),
    *,
    samples: int,
    draw: Draw,
    unknown: int = 0,
    ranking: Ranking = HIGH,
    hole_cards_used: int | None = None,
    deck: Cards = FULL_DECK,
) -> list[Equity]:
    """Each player's equity over random boards, then that of ``unknown`` more players with random hole cards."""
    left = _left(holes, board, dead, deck)
    to_come, size = 5 - len(board), len(holes[0])
    if samples < 1:
        raise ValueError("expected at least one sample")
    if len(left) < to_come + unknown * size:
        raise ValueError(f"{len(left)} cards are left for {unknown} unknown hands of {size} and {to_come} board cards")
    tally = Counter[int]()
    for _ in range(samples):
        drawn = draw(left, to_come + unknown * size)
        others = [drawn[at : at + size] for at in range(to_come, len(drawn), size)]
        values = ranking.strengths([*holes, *others], (*board, *drawn[:to_come]), hole_cards_used=hole_cards_used)
        tally[_winners(values)] += 1
    return _equities(tally, len(holes) + unknown, samples)


def _left(holes: Sequence[Cards], board: Cards, dead: Cards, deck: Cards) -> list[Card]:
    """What may still come. ValueError for what can't be a spot in a hand."""
    known = [*board, *dead, *(card for hole in holes for card in hole)]
    if len(set(known)) < len(known):
        raise ValueError("the same card twice")
    if not set(known) <= set(deck):
        raise ValueError("a card that is not in the deck")
    if not holes or len(board) > 5 or len({len(hole) for hole in holes}) > 1:
        raise ValueError("expected hands of one size and a board of at most five cards")
    return [card for card in deck if card not in known]


def _equities(tally: Tally, players: int, runouts: int) -> list[Equity]:
    wins = [0] * players
    ties = [Counter[int]() for _ in range(players)]
    for winners, times in tally.items():
        for player in range(players):
            if winners == 1 << player:
                wins[player] += times
            elif winners >> player & 1:
                ties[player][winners.bit_count()] += times
    return [Equity(runouts, alone, dict(shared)) for alone, shared in zip(wins, ties, strict=True)]


def _winners(values: Sequence[int | None]) -> int:
    top, winners, player = -1, 0, 1
    for value in values:
        if value is not None and value >= top:
            winners = winners | player if value == top else player
            top = value
        player <<= 1
    return winners


def _needs(holes: Sequence[Cards], board: Cards) -> list[int]:
    """For each suit, how many more cards of it give somebody five."""
    on_board = [sum(card & 3 == suit for card in board) for suit in range(4)]
    held = [max(sum(card & 3 == suit for card in hole) for hole in holes) for suit in range(4)]
    return [max(0, 5 - mine - shared) for mine, shared in zip(held, on_board, strict=True)]


def _one_flush_at_most(holes: Sequence[Cards], board: Cards, ranking: Ranking) -> bool:
    """Whether no board makes flushes in two suits, as none does in hold'em."""
    fewest, next_fewest = sorted(_needs(holes, board))[:2]
    wild = ranking.switches.jokers or ranking.switches.wild_ranks
    return not wild and fewest + next_fewest > 5 - len(board)


def _summed(holes: Sequence[Cards], board: Cards, ranking: Ranking) -> tuple[list[Cards], list[int]]:
    """What each player holds with the board so far, and what its keys add up to."""
    held: list[Cards] = [(*hole, *board) for hole in holes]
    return held, [THREE_OF_EACH_SUIT + sum([ranking.keys[card] for card in cards]) for cards in held]


def _enumerated(holes: Sequence[Cards], board: Cards, left: Cards, ranking: Ranking) -> Tally:
    held, totals = _summed(holes, board, ranking)
    tally = Counter[int]()
    for runout in combinations(left, 5 - len(board)):
        added = sum([ranking.keys[card] for card in runout])
        tally[_winners(ranking.of_sums([total + added for total in totals], held, runout))] += 1
    return tally


def _counted(holes: Sequence[Cards], board: Cards, left: Cards, ranking: Ranking) -> Tally:
    """Boards without a flush matter by their ranks alone, so one stands for all with the same ranks: preflop 6,175 for
    1.7 million. Of boards with a flush the cards of that suit matter, and the others by their ranks alone."""
    to_come = 5 - len(board)
    held, totals = _summed(holes, board, ranking)
    tally = Counter[int]()
    plain = {added & ALL_RANKS: ways for _, added, ways in _rank_sets(left, to_come, ranking)}
    for runout, added, ways in _with_flush(left, to_come, _needs(holes, board), ranking):
        plain[added & ALL_RANKS] -= ways
        tally[_winners(ranking.of_sums([total + added for total in totals], held, runout))] += ways
    suitless = [total & ALL_RANKS for total in totals]
    for ranks, ways in plain.items():
        if ways:
            tally[_winners(ranking.of_sums([total + ranks for total in suitless], held, ()))] += ways
    return tally


def _with_flush(left: Cards, to_come: int, needs: Sequence[int], ranking: Ranking) -> Iterator[Runouts]:
    """Boards that give somebody five of a suit: one for all that differ only in the suits of their other cards."""
    for suit, need in enumerate(needs):
        of_suit = [card for card in left if card & 3 == suit]
        off_suit = [card for card in left if card & 3 != suit]
        for count in range(need, to_come + 1):
            others = _rank_sets(off_suit, to_come - count, ranking)
            for suited in combinations(of_suit, count):
                added = sum([ranking.keys[card] for card in suited])
                for rest, more, ways in others:
                    yield suited + rest, added + more, ways


def _rank_sets(cards: Cards, size: int, ranking: Ranking) -> list[Runouts]:
    """So many of these cards: one set for all that hold the same ranks."""
    sets: list[list[Runouts]] = [[((), 0, 1)], *([] for _ in range(size))]
    for rank in range(13):
        same = tuple(card for card in cards if card >> 2 == rank)
        for held in range(size, 0, -1):  # From the largest, so that smaller sets are still without this rank.
            for taken in range(1, min(len(same), held) + 1):
                more, choices = sum(ranking.keys[card] for card in same[:taken]), comb(len(same), taken)
                fewer = sets[held - taken]
                sets[held] += [(rest + same[:taken], added + more, ways * choices) for rest, added, ways in fewer]
    return sets[size]

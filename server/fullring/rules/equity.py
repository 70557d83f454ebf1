"""Equity: each player's share of the pot over the boards that may still come, counted exactly or sampled.

Nothing here is chance: whoever wants samples brings the random numbers. A preflop spot counted exactly takes a tenth of
a second, which is too long for an event loop.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import comb, sqrt
from typing import TypeAlias

from fullring.rules.cards import FULL_DECK, Card
from fullring.rules.ranking import HIGH, Ranking
from fullring.rules.ranking_values import ALL_RANKS, ONE_OF, THREE_OF_EACH_SUIT

Cards: TypeAlias = Sequence[Card]
Chance: TypeAlias = Callable[[], float]  # From 0 up to but not 1, as random.Random(seed).random gives them.
Values: TypeAlias = Sequence[int | None]
Tally: TypeAlias = "Counter[int]"  # How often which players win together: bit n is player n.

RUNOUTS_AT_ONCE = 1_000
"""A player's hands are ranked so many boards at a time: one by one takes longer, all of them too much memory."""


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
    elif to_come > 1 and _countable(holes, board, ranking):
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
    chance: Chance,
    unknown: int = 0,
    ranking: Ranking = HIGH,
    hole_cards_used: int | None = None,
    deck: Cards = FULL_DECK,
) -> list[Equity]:
    """Each player's equity over random boards, then that of ``unknown`` more players with random hole cards."""
    left = _left(holes, board, dead, deck)
    to_come, size = 5 - len(board), len(holes[0])
    drawn = to_come + unknown * size
    if samples < 1:
        raise ValueError("expected at least one sample")
    if len(left) < drawn:
        raise ValueError(f"{len(left)} cards are left for {to_come} board cards and {unknown} hands of {size}")
    places = [(at, len(left) - at) for at in range(drawn)]
    tally = Counter[int]()
    for _ in range(samples):
        for at, choices in places:
            other = at + int(chance() * choices)
            left[at], left[other] = left[other], left[at]
        others = [left[at : at + size] for at in range(to_come, drawn, size)]
        values = ranking.strengths([*holes, *others], (*board, *left[:to_come]), hole_cards_used=hole_cards_used)
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
    left = [card for card in deck if card not in known]
    if len(left) < 5 - len(board):
        raise ValueError(f"{len(left)} cards are left for {5 - len(board)} board cards")
    return left


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


def _winners(values: Values) -> int:
    top, winners, player = -1, 0, 1
    for value in values:
        if value is not None and value >= top:
            winners = winners | player if value == top else player
            top = value
        player <<= 1
    return winners


def _enumerated(holes: Sequence[Cards], board: Cards, left: Cards, ranking: Ranking) -> Tally:
    held = [(*hole, *board) for hole in holes]
    totals = [THREE_OF_EACH_SUIT + _sum(cards, ranking) for cards in held]
    tally = Counter[int]()
    every = combinations(left, 5 - len(board))
    while runouts := list(islice(every, RUNOUTS_AT_ONCE)):
        added = [_sum(runout, ranking) for runout in runouts]
        values = [
            ranking.of_sums([total + ranks for ranks in added], runouts, cards)
            for total, cards in zip(totals, held, strict=True)
        ]
        tally.update(map(_winners, zip(*values, strict=True)))
    return tally


def _countable(holes: Sequence[Cards], board: Cards, ranking: Ranking) -> bool:
    """Whether no board makes flushes in two suits, as none does in hold'em, and a flush is nothing to avoid."""
    switches = ranking.switches
    fewest, next_fewest = sorted(_needs(holes, board))[:2]
    one_flush = not switches.low and fewest + next_fewest > 5 - len(board)
    return not switches.jokers and not switches.wild_ranks and (one_flush or not switches.flushes)


def _counted(holes: Sequence[Cards], board: Cards, left: Cards, ranking: Ranking) -> Tally:
    """Boards without a flush matter by their ranks alone, so one stands for all with the same ranks: preflop 6,175 for
    1.7 million. Where there is a flush, a hand is worth its cards of that suit or its ranks, whichever is more."""
    to_come, held = 5 - len(board), [(*hole, *board) for hole in holes]
    totals = [_sum(cards, ranking) & ALL_RANKS for cards in held]
    plain = _rank_sums(left, to_come)
    tally = Counter[int]()
    for suit, need in enumerate(_needs(holes, board) if ranking.switches.flushes else ()):
        held_of_suit = [[card for card in cards if card & 3 == suit] for cards in held]
        left_of_suit = [card for card in left if card & 3 == suit]
        for count in range(need, to_come + 1):
            others = _rank_sums([card for card in left if card & 3 != suit], to_come - count)
            for suited in combinations(left_of_suit, count):
                added = _sum(suited, ranking) & ALL_RANKS
                for ranks, ways in others.items():
                    plain[added + ranks] -= ways
                values: list[Values] = [
                    ranking.of_ranks([total + added + ranks for ranks in others]) for total in totals
                ]
                for player, cards in enumerate(held_of_suit):
                    if len(cards) + count >= 5:
                        values[player] = _at_least(ranking((*cards, *suited)), values[player])
                _settle(tally, values, others.values())
    _settle(tally, [ranking.of_ranks([total + ranks for ranks in plain]) for total in totals], plain.values())
    return tally


def _at_least(flush: int | None, values: Values) -> Values:
    return [flush if value is None or (flush is not None and flush > value) else value for value in values]


def _settle(tally: Tally, values: Sequence[Values], times: Iterable[int]) -> None:
    """Who wins with each player's first value, with each one's second, and so on, and how often that comes up."""
    for showdown, ways in zip(zip(*values, strict=True), times, strict=True):
        if ways:
            tally[_winners(showdown)] += ways


def _needs(holes: Sequence[Cards], board: Cards) -> list[int]:
    """For each suit, how many more cards of it give somebody five."""
    on_board = [sum(card & 3 == suit for card in board) for suit in range(4)]
    held = [max(sum(card & 3 == suit for card in hole) for hole in holes) for suit in range(4)]
    return [max(0, 5 - mine - shared) for mine, shared in zip(held, on_board, strict=True)]


def _rank_sums(cards: Cards, size: int) -> dict[int, int]:
    """How many sets of so many of these cards have each sum of ranks."""
    sums: list[dict[int, int]] = [{0: 1}, *({} for _ in range(size))]
    for rank in range(13):
        same = sum(card >> 2 == rank for card in cards)
        for held in range(size, 0, -1):  # From the largest, so that smaller sets are still without this rank.
            for taken in range(1, min(same, held) + 1):
                added, choices = taken * ONE_OF[rank], comb(same, taken)
                sums[held] |= {total + added: ways * choices for total, ways in sums[held - taken].items()}
    return sums[size]


def _sum(cards: Cards, ranking: Ranking) -> int:
    return sum([ranking.keys[card] for card in cards])

"""How fast hands are ranked and equity counted, as ratios to the libraries that are installed.

Each ratio is of two times taken in turns in one run, the least of several rounds each; above 1 we are faster. The bars
are those we set ourselves on another machine. phevaluator and poker-equity are compiled, the others are Python.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations, islice
from random import Random
from time import perf_counter
from typing import Any

from fullring.rules import equity
from fullring.rules.cards import FULL_DECK, Card, parse, text
from fullring.rules.ranking import ACE_TO_FIVE, DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH, Ranking
from fullring.rules.ranking_values import Switches

ROUNDS = 7
RANDOM = Random(20)
HANDS = [RANDOM.sample(FULL_DECK, 7) for _ in range(4000)]
DEALS = [RANDOM.sample(FULL_DECK, 23) for _ in range(400)]
SHOWDOWNS = [([deal[2 * n : 2 * n + 2] for n in range(9)], deal[18:]) for deal in DEALS]
FEW = 40  # Slow peers get one in so many of the hands.

HEADS_UP = ["AhKh", "QsQd"]
SIX_WAY = ["AhKh", "QsQd", "7c7s", "JdTd", "5h4h", "As2s"]
TURN = "2c7d9h3s"
SAMPLES = 10_000


@dataclass(frozen=True)
class Comparison:
    """``ours`` does the same as ``theirs``, ``times`` over."""

    what: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    bar: float
    times: int = 1


def main() -> None:
    print(f"{'':52}{'ours':>12}{'theirs':>14}{'ratio':>9}{'bar':>7}")
    for name, compare in PEERS.items():
        try:
            peer = import_module(name)
        except ModuleNotFoundError:
            print(f"{name} is not installed")
            continue
        for comparison in compare(peer):
            _print(name, comparison)
    for what, ms, at_most in (
        ("import and first answer", _import_ms(), 15),
        ("everything that seven cards can be", 1000 * _seconds(Ranking("high", Switches()).warm), 1000),
        ("a nine-handed showdown", 1000 * min(_seconds(_showdowns) for _ in range(ROUNDS)) / len(SHOWDOWNS), 0.2),
    ):
        print(f"{what:52}{ms:9.3f} ms, at most {at_most}")


def phevaluator(peer: Any) -> Iterator[Comparison]:
    seven, public = import_module("phevaluator._pheval").evaluate_7cards, peer.evaluate_cards
    spelled = [[text(card) for card in hand] for hand in HANDS]
    yield Comparison("seven cards, private call", _rank(HIGH), _each(seven, HANDS), 0.33)
    yield Comparison("seven cards, as numbers", _rank(HIGH), _each(public, HANDS), 1.3)
    yield Comparison("seven cards, as text", _rank(HIGH), _each(public, spelled), 4.5)

    def showdown(holes: list[list[Card]], board: list[Card]) -> None:
        for hole in holes:
            seven(*hole, *board)

    yield Comparison("nine-handed showdown, private call", _showdowns, _each(showdown, SHOWDOWNS), 0.5)


def treys(peer: Any) -> Iterator[Comparison]:
    evaluate = peer.Evaluator().evaluate

    def named(cards: list[Card]) -> list[int]:
        return [peer.Card.new(text(card)) for card in cards]

    hands = [(named(hand[:2]), named(hand[2:])) for hand in HANDS[::FEW]]
    yield Comparison("seven cards", _rank(HIGH), _each(evaluate, hands), 15, FEW)
    players = [(named(hole), named(board)) for holes, board in SHOWDOWNS[::FEW] for hole in holes]
    yield Comparison("nine-handed showdown", _showdowns, _each(evaluate, players), 10, FEW)


def pokerfast(peer: Any) -> Iterator[Comparison]:
    spelled = [[text(card) for card in hand] for hand in HANDS]
    python = peer.evaluator.eval7
    yield Comparison("seven cards", _rank(HIGH), lambda: [python(hand) for hand in spelled], 5)


def pokerkit(peer: Any) -> Iterator[Comparison]:
    def named(cards: list[Card]) -> list[Any]:
        return [next(iter(peer.Card.parse(text(card)))) for card in cards]

    hands = [(named(hand[:2]), named(hand[2:])) for hand in HANDS[::FEW]]
    players = [(named(hole), named(board)) for holes, board in SHOWDOWNS[::FEW] for hole in holes]
    for what, ranking, kind, bar in (
        ("seven cards", HIGH, peer.StandardHighHand, 300),
        ("deuce to seven", DEUCE_TO_SEVEN, peer.StandardLowHand, 9),
        ("ace to five", ACE_TO_FIVE, peer.RegularLowHand, 250),
        ("eight or better", EIGHT_OR_BETTER, peer.EightOrBetterLowHand, 150),
    ):
        yield Comparison(what, _rank(ranking), _each(kind.from_game_or_none, hands), bar, FEW)
    yield Comparison("nine-handed showdown", _showdowns, _each(peer.StandardHighHand.from_game, players), 220, FEW)
    ranges = [[list(peer.Card.parse(hole))] for hole in HEADS_UP]
    yield Comparison(
        f"{SAMPLES:,} samples heads-up",
        lambda: equity.sampled([parse(hole) for hole in HEADS_UP], samples=SAMPLES, chance=RANDOM.random),
        lambda: peer.calculate_equities(
            ranges, (), 2, 5, peer.Deck.STANDARD, (peer.StandardHighHand,), sample_count=SAMPLES // FEW
        ),
        110,
        FEW,
    )


def poker_equity(peer: Any) -> Iterator[Comparison]:
    for what, holes, board, bar in (
        ("exact, heads-up preflop", HEADS_UP, "", 2.5),
        ("exact, six-way preflop", SIX_WAY, "", 1.1),
        ("exact, heads-up turn", HEADS_UP, TURN, 0.7),
        ("exact, six-way turn", SIX_WAY, TURN, 0.7),
    ):
        theirs = partial(peer.exact_from_text, "holdem", holes, board, "")
        yield Comparison(what, _exact(holes, board), theirs, bar)


def ourselves(_: Any) -> Iterator[Comparison]:
    few = HANDS[::FEW]
    yield Comparison(
        "seven cards, best of 21 fives", _rank(HIGH), _each(_best_of_21, [(hand,) for hand in few]), 12, FEW
    )
    for what, holes, bar in (("heads-up", HEADS_UP, 20), ("six-way", SIX_WAY, 10)):
        hands = [parse(hole) for hole in holes]
        left = [card for card in FULL_DECK if card not in {card for hand in hands for card in hand}]
        some = list(islice(combinations(left, 5), 0, None, FEW * FEW))
        theirs = _each(partial(HIGH.strengths, hands), [(board,) for board in some])
        yield Comparison(f"exact, {what} preflop, one by one", _exact(holes, ""), theirs, bar, FEW * FEW)


PEERS: dict[str, Callable[[Any], Iterator[Comparison]]] = {
    "phevaluator": phevaluator,
    "treys": treys,
    "pokerfast": pokerfast,
    "pokerkit": pokerkit,
    "poker_equity": poker_equity,
    "fullring.rules": ourselves,
}


def _print(name: str, comparison: Comparison) -> None:
    """In turns, so that what slows the machine slows both. The first turn only fills what is remembered."""
    turns = [(_seconds(comparison.ours), _seconds(comparison.theirs)) for _ in range(ROUNDS + 1)][1:]
    ours, theirs = min(ours for ours, _ in turns), comparison.times * min(theirs for _, theirs in turns)
    what = f"{name}: {comparison.what}"
    print(f"{what:52}{1000 * ours:9.2f} ms{1000 * theirs:11.2f} ms{theirs / ours:9.2f}{comparison.bar:7}")


def _rank(ranking: Ranking) -> Callable[[], object]:
    def every_hand() -> None:
        for hand in HANDS:
            ranking(hand)

    return every_hand


def _best_of_21(hand: list[Card]) -> int:
    return max(HIGH(five) or 0 for five in combinations(hand, 5))


def _each(call: Callable[..., object], arguments: Sequence[Sequence[object]]) -> Callable[[], object]:
    def every_one() -> None:
        for some in arguments:
            call(*some)

    return every_one


def _showdowns() -> None:
    for holes, board in SHOWDOWNS:
        HIGH.strengths(holes, board)


def _exact(holes: list[str], board: str) -> Callable[[], object]:
    hands, shared = [parse(hole) for hole in holes], parse(board)
    return lambda: equity.exact(hands, shared)


def _seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def _import_ms() -> float:
    """In a fresh interpreter that has what any program of this size has imported."""
    script = (
        "import dataclasses, enum, functools, itertools, re, time; start = time.perf_counter();"
        "from fullring.rules.ranking import HIGH; HIGH((0, 5, 9, 13, 20, 33, 50));"
        "print(1000 * (time.perf_counter() - start))"
    )
    return min(float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(ROUNDS))


if __name__ == "__main__":
    main()

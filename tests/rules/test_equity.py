"""Equity, exact and sampled."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from fullring.rules.cards import FULL_DECK, JOKERS, Card, parse
from fullring.rules.equity import Equity, exact, sampled
from fullring.rules.ranking import DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH, Ranking
from tests.shared import data

SPOTS: list[dict[str, Any]] = json.loads(data("evaluator_vectors.json").read_text())["equity"]


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: f"{' '.join(spot['holes'])} on {spot['board'] or 'nothing'}")
def test_every_runout_is_counted(spot: dict[str, Any]) -> None:
    for found, fact in zip(
        exact([parse(hole) for hole in spot["holes"]], parse(spot["board"])), spot["players"], strict=True
    ):
        assert (found.runouts, found.wins) == (spot["runouts"], fact["wins"])
        assert found.ties == {int(many): times for many, times in fact["ties"].items()}
        assert found.share == Fraction(fact["share"])
        assert float(found.share) == pytest.approx(fact["equity"], abs=1e-9)


@pytest.mark.parametrize("ranking", [HIGH, DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH.with_wild("2")])
@pytest.mark.parametrize("seed", range(6))
def test_counting_finds_what_dealing_every_board_does(ranking: Ranking, seed: int) -> None:
    cards = Random(seed).sample(FULL_DECK, 13)
    holes, board, dead = [cards[0:2], cards[2:4], cards[4:6]], cards[6:9], cards[9:]
    assert exact(holes, board, dead, ranking=ranking) == _dealt_out(ranking, holes, board, dead)


@pytest.mark.parametrize("hole", ["AhKh", "AhKd", "7h2h"])
def test_a_flush_that_is_there_already_is_counted(hole: str) -> None:
    holes, board = [parse(hole), parse("QhJs")], parse("9h5h3h")
    assert exact(holes, board) == _dealt_out(HIGH, holes, board, ())


def test_two_suits_that_can_both_make_a_flush_are_counted() -> None:
    """As where any of four hole cards may play: a runout of one heart and one spade may give both players a flush."""
    holes, board = [parse("AhKhQhJd"), parse("AsKsQsJc")], parse("2h2s3h")
    assert exact(holes, board) == _dealt_out(HIGH, holes, board, ())


def test_equity_where_two_hole_cards_must_play() -> None:
    holes, board = [parse("AsAdKsKd"), parse("JhTh9c8c")], parse("7h6h2c")
    found = exact(holes, board, hole_cards_used=2)
    assert sum(player.share for player in found) == 1
    assert found == _dealt_out(HIGH, holes, board, (), hole_cards_used=2)


def test_jokers_may_still_come() -> None:
    deck = (*FULL_DECK, *JOKERS)
    first, second = exact([parse("AsAd"), parse("KsKd")], parse("2c7h9dJs"), ranking=HIGH.with_wild("joker"), deck=deck)
    assert (first.runouts, first.wins, second.wins) == (46, 44, 2)


def test_a_board_for_which_nobody_qualifies_is_nobodys() -> None:
    low, none = exact([parse("As2d"), parse("KsKd")], parse("3c4hTsJd"), ranking=EIGHT_OR_BETTER)
    assert (low.wins, low.runouts, none.wins) == (16, 44, 0)


def test_samples_come_close_to_the_exact_share() -> None:
    holes = [parse("AhKh"), parse("QsQd")]
    for found, fact in zip(sampled(holes, samples=4000, chance=Random(7).random), SPOTS[0]["players"], strict=True):
        assert found.runouts == 4000
        assert 0.007 < found.standard_error < 0.009
        assert abs(float(found.share) - fact["equity"]) < 4 * found.standard_error


def test_the_same_draws_give_the_same_samples() -> None:
    first, second = (sampled([parse("AhKh")], unknown=3, samples=50, chance=Random(5).random) for _ in range(2))
    assert first == second


def test_unknown_players_come_after_the_known_ones() -> None:
    found = sampled([parse("AsAd")], parse("AhKc2s"), parse("7c7d"), unknown=2, samples=500, chance=Random(3).random)
    assert len(found) == 3
    assert sum(player.share for player in found) == 1
    assert found[0].share > Fraction(8, 10)


def test_the_error_of_a_sure_thing_is_none() -> None:
    assert Equity(runouts=100, wins=100, ties={}).standard_error == 0
    assert Equity(runouts=100, wins=0, ties={2: 100}).standard_error == 0
    assert Equity(runouts=100, wins=50, ties={}).standard_error == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("holes", "board", "dead", "why"),
    [
        (["AsKd", "AsQh"], "", "", "the same card twice"),
        (["AsKd", "QhQs"], "2cKd3c", "", "the same card twice"),
        (["AsKd", "QhQs"], "", "Qs", "the same card twice"),
        (["AsKd", "QhQs"], "2c3c4c5c6c7c", "", "a board of at most five cards"),
        (["AsKd", "QhQsJh"], "", "", "hands of one size"),
        (["JoKd", "QhQs"], "", "", "a card that is not in the deck"),
        ([], "", "", "hands of one size"),
    ],
)
def test_what_is_no_spot_is_refused(holes: list[str], board: str, dead: str, why: str) -> None:
    hands = [parse(hole) for hole in holes]
    with pytest.raises(ValueError, match=why):
        exact(hands, parse(board), parse(dead))
    with pytest.raises(ValueError, match=why):
        sampled(hands, parse(board), parse(dead), samples=1, chance=Random(1).random)


def test_a_board_that_the_deck_has_no_cards_for_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cards are left for 2 board cards"):
        exact([parse("2c2d"), parse("2h2s")], parse("3c3d3h"), deck=FULL_DECK[:8])


def test_more_unknown_players_than_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="50 cards are left for 5 board cards and 23 hands of 2"):
        sampled([parse("AsKd")], unknown=23, samples=1, chance=Random(1).random)
    with pytest.raises(ValueError, match="at least one sample"):
        sampled([parse("AsKd")], unknown=1, samples=0, chance=Random(1).random)


def _dealt_out(
    ranking: Ranking,
    holes: Sequence[Sequence[Card]],
    board: Sequence[Card],
    dead: Sequence[Card],
    hole_cards_used: int | None = None,
) -> list[Equity]:
    """Every board dealt, and every hand ranked by itself."""
    out = {*board, *dead, *(card for hole in holes for card in hole)}
    wins, ties, runouts = [0] * len(holes), [Counter[int]() for _ in holes], 0
    for runout in combinations([card for card in FULL_DECK if card not in out], 5 - len(board)):
        runouts += 1
        whole = (*board, *runout)
        values = [ranking.strengths([hole], whole, hole_cards_used=hole_cards_used)[0] for hole in holes]
        best = max((value for value in values if value is not None), default=None)
        winners = [player for player, value in enumerate(values) if value is not None and value == best]
        for player in winners:
            if len(winners) == 1:
                wins[player] += 1
            else:
                ties[player][len(winners)] += 1
    return [Equity(runouts, alone, dict(shared)) for alone, shared in zip(wins, ties, strict=True)]

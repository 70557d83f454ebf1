"""Every fact of evaluator_vectors.json, which two other programs found by looking at every hand."""

import json
from array import array
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest

from fullring.rules import cards
from fullring.rules.cards import FULL_DECK, RANKS, Card
from fullring.rules.ranking import ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH, Ranking
from tests.rules.every_hand import kinds
from tests.shared import data

FACTS: dict[str, Any] = json.loads(data("evaluator_vectors.json").read_text())

RANKINGS = {
    "high": HIGH,
    "low_2_7": DEUCE_TO_SEVEN,
    "low_a_6": ACE_TO_SIX,
    "low_a_5": ACE_TO_FIVE,
    "eight_or_better": EIGHT_OR_BETTER,
    "joker_wild": HIGH.with_wild("joker"),
    "joker_bug": HIGH.with_wild("joker", bug=True),
    "two_jokers_wild": HIGH.with_wild("joker"),
    "deuces_wild": HIGH.with_wild("2"),
    "nines_and_threes_wild": HIGH.with_wild("93"),
    "joker_low_a_5": ACE_TO_FIVE.with_wild("joker"),
    "joker_low_2_7": DEUCE_TO_SEVEN.with_wild("joker"),
}
DECKS = {"eight_or_better": 52} | {fact["name"]: fact["deck"] for fact in FACTS["counts"]}


@pytest.mark.parametrize("fact", FACTS["counts"], ids=lambda fact: f"{fact['name']}/{fact['cards']}")
def test_every_hand_of_the_deck_is_counted_in_its_category(fact: dict[str, Any]) -> None:
    ranking, found = RANKINGS[fact["name"]], _histogram(fact["name"], fact["cards"])
    hands, classes = Counter[str](), Counter[str]()
    for value, times in found.items():
        assert value is not None
        category = ranking.category(value).name.lower()
        hands[category] += times
        classes[category] += 1
    assert dict(hands) == fact["counts"]
    assert dict(classes) == fact["classes_by_category"]
    assert (len(found), found.total()) == (fact["classes"], fact["hands_in"])


@pytest.mark.parametrize("name", FACTS["histogram_digests"])
def test_every_class_has_as_many_hands_as_it_should(name: str) -> None:
    fact = FACTS["histogram_digests"][name]
    game, size = name.split("/")
    found = _histogram(game, int(size))
    times = {RANKINGS[game].class_number(value): times for value, times in found.items() if value is not None}
    text = ",".join(str(times.get(number, 0)) for number in range(1, fact["classes"] + 1))
    assert sha256(text.encode()).hexdigest() == fact["sha256"]


@pytest.mark.parametrize("name", FACTS["five_card_digests"])
def test_every_hand_of_five_cards_has_its_class(name: str) -> None:
    ranking, fact = RANKINGS[name], FACTS["five_card_digests"][name]
    number = {value: 0 if value is None else ranking.class_number(value) for value in _histogram(name, 5)}
    classes = array("H", map(number.__getitem__, map(ranking, combinations(range(DECKS[name]), 5))))
    assert len(classes) == fact["hands"]
    assert sha256(classes.tobytes()).hexdigest() == fact["sha256"]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_hand_with_an_eight_or_better_is_found(size: int) -> None:
    found, fact = _histogram("eight_or_better", size), FACTS["eight_or_better"][str(size)]
    del found[None]
    assert (found.total(), len(found)) == (fact["hands"], fact["classes"])
    assert {EIGHT_OR_BETTER.class_number(value) for value in found if value} == set(range(1, 57))


@pytest.mark.parametrize("name", FACTS["class_ranges"])
def test_each_category_has_its_classes(name: str) -> None:
    ranking, numbers = RANKINGS[name], dict[str, list[int]]()
    for value in _histogram(name, 5):
        assert value is not None
        numbers.setdefault(ranking.category(value).name.lower(), []).append(ranking.class_number(value))
    assert {category: [min(some), max(some)] for category, some in numbers.items()} == FACTS["class_ranges"][name]


@pytest.mark.parametrize("name", FACTS["cases"])
def test_each_case_is_what_it_should_be(name: str) -> None:
    ranking = RANKINGS[name]
    for case in FACTS["cases"][name]:
        value = _value(ranking, case["cards"])
        found = ranking.class_number(value), ranking.category(value).name.lower(), ranking.ranks(value)
        assert found == (case["class"], case["category"], case["ranks"]), case["why"]


@pytest.mark.parametrize("name", FACTS["samples"])
def test_each_sample_has_its_class(name: str) -> None:
    ranking = RANKINGS[name.split("/")[0]]
    for hand, number in FACTS["samples"][name]:
        assert ranking.class_number(_value(ranking, hand)) == number, hand


@pytest.mark.parametrize("hands", FACTS["ties"])
def test_these_hands_tie(hands: list[str]) -> None:
    assert len({_value(HIGH, hand) for hand in hands}) == 1


@pytest.mark.parametrize(("better", "worse", "why"), FACTS["orders"])
def test_this_hand_beats_that(better: str, worse: str, why: str) -> None:
    assert _value(HIGH, better) > _value(HIGH, worse), why


@pytest.mark.parametrize(("better", "worse"), FACTS["showing"])
def test_these_cards_showing_beat_those(better: str, worse: str) -> None:
    assert _value(HIGH, better) > _value(HIGH, worse)


@pytest.mark.parametrize("fact", FACTS["hilo"], ids=lambda fact: fact["why"])
def test_a_hand_plays_high_and_low(fact: dict[str, Any]) -> None:
    high, low = _value(HIGH, fact["cards"]), EIGHT_OR_BETTER(_cards(fact["cards"]))
    found = {"class": HIGH.class_number(high), "category": HIGH.category(high).name.lower(), "ranks": HIGH.ranks(high)}
    assert found == fact["high"]
    assert (None if low is None else EIGHT_OR_BETTER.ranks(low)) == fact["low"]


@cache
def _counted(name: str, size: int) -> Counter[int | None]:
    ranking = RANKINGS[name]
    wild_ranks = ranking.switches.wild_ranks
    natural = [card for card in FULL_DECK if RANKS[card >> 2] not in wild_ranks]
    wild = [card for card in range(DECKS[name]) if card not in natural]
    found = Counter[int | None]()
    for hand, times in kinds(natural, wild, size):
        found[ranking(hand)] += times
    return found


def _histogram(name: str, size: int) -> Counter[int | None]:
    """How many hands of that many cards have each value."""
    return _counted(name, size).copy()


def _value(ranking: Ranking, hand: str) -> int:
    value = ranking(_cards(hand))
    assert value is not None
    return value


def _cards(hand: str) -> list[Card]:
    """Card by card, since one case of the file has the eight of diamonds twice, which `parse` refuses."""
    return [cards.card(hand[at : at + 2]) for at in range(0, len(hand), 2)]

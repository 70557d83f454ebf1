"""Decks that nobody can foresee (PR-I3), and ids."""

from collections import Counter

from fullring.rules.cards import FULL_DECK, Deck
from fullring.runtime.chance import new_table_id, shuffled
from tests.fake_clock import FakeClock

DEALS = 10_400
# Chi-square with 51 degrees of freedom is above this once in ten million times.
LIMIT = 121.0


def test_a_shuffled_deck_holds_every_card_once() -> None:
    for _ in range(100):
        deck = shuffled(FULL_DECK)

        assert isinstance(deck, Deck)
        assert sorted(deck) == list(FULL_DECK)


def test_every_card_comes_to_every_place_equally_often() -> None:
    places = [Counter[int]() for _ in FULL_DECK]
    for _ in range(DEALS):
        for place, card in zip(places, shuffled(FULL_DECK), strict=True):
            place[card] += 1

    expected = DEALS / 52
    squares = [sum((place[card] - expected) ** 2 for card in FULL_DECK) / expected for place in places]

    assert max(squares) < LIMIT


def test_neighbours_in_the_new_deck_stay_neighbours_no_more_often_than_chance() -> None:
    pairs = sum(
        after == before + 1
        for _ in range(2_000)
        for before, after in zip(*(2 * [iter(shuffled(FULL_DECK))]), strict=True)
    )

    # Of 52,000 pairs one in 52 is such a pair, give or take 32 each standard deviation: six of them.
    assert abs(pairs - 51 / 52 / 51 * 52_000) < 6 * 32


def test_two_tables_started_at_the_same_frozen_instant_get_different_decks() -> None:
    clock = FakeClock()
    decks = set()
    for _ in range(1_000):
        assert clock.now() == FakeClock().now()
        decks.add(tuple(shuffled(FULL_DECK)))

    assert len(decks) == 1_000


def test_short_and_long_decks_are_shuffled_too() -> None:
    assert shuffled([]) == Deck()
    assert shuffled([7]) == Deck([7])
    assert {tuple(shuffled([1, 2])) for _ in range(100)} == {(1, 2), (2, 1)}
    assert sorted(shuffled(range(256))) == list(range(256))


def test_table_ids_do_not_repeat() -> None:
    assert len({new_table_id() for _ in range(1_000)}) == 1_000

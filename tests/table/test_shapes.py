"""A hand in words, and the cards that make it."""

from random import Random

import pytest

from fullring.rules.cards import FULL_DECK, parse
from fullring.rules.ranking import HIGH
from fullring.table.shapes import rank


@pytest.mark.parametrize(
    ("cards", "category", "five"),
    [
        ("AsKd Qh9c4s2d7h", "high_card", "As Kd Qh 9c 7h"),
        ("KsKd 2c4h9sQdJc", "one_pair", "Ks Kd Qd Jc 9s"),
        ("KsKd 2c2h9s9dJc", "two_pair", "Ks Kd 9s 9d Jc"),
        ("As2d 3c4h5sKdKc", "straight", "5s 4h 3c 2d As"),
        ("6s2d 3c4h5sKdKc", "straight", "6s 5s 4h 3c 2d"),
        ("As2s 9s4s5sKsKc", "flush", "As Ks 9s 5s 4s"),
        ("As2s 3s4s5sKsKc", "straight_flush", "5s 4s 3s 2s As"),
        ("KsKd 2c2hKhQdJc", "full_house", "Ks Kd Kh 2c 2h"),
        ("KsKd KcKh9sQdJc", "four_of_a_kind", "Ks Kd Kc Kh Qd"),
    ],
)
def test_the_five_that_play_stand_in_the_order_in_which_they_are_compared(cards: str, category: str, five: str) -> None:
    shown = rank(parse(cards.replace(" ", "")))

    assert (shown["category"], shown["cards"]) == (category, five.split())


def test_any_five_that_are_shown_are_as_good_as_the_whole_hand() -> None:
    chance = Random(1)
    for _ in range(2_000):
        cards = tuple(chance.sample(FULL_DECK, chance.choice([5, 6, 7])))
        shown = rank(cards)
        assert isinstance(shown["cards"], list)
        five = parse("".join(shown["cards"]))

        assert HIGH(five) == HIGH(cards)
        assert set(five) <= set(cards)
        assert [card >> 2 for card in five] == [card >> 2 for card in HIGH.best_five(cards)]

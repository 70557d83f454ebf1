"""Hands named in words."""

import pytest

from fullring.rules.cards import parse
from fullring.rules.ranking import ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH, Ranking


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("As Kd 9h 4c 2s", "ace high"),
        ("Ks Kd 9h 4c 2s", "pair of kings"),
        ("6s 6d 9h 4c 2s", "pair of sixes"),
        ("Ks Kd 5h 5c 2s", "two pair, kings and fives"),
        ("2s 2d 6h 6c Ts 9s 9d", "two pair, nines and sixes"),
        ("Ts Td Th 4c 2s", "three of a kind, tens"),
        ("9s 8d 7h 6c 5s", "straight, nine high"),
        ("5s 4d 3h 2c As", "straight, five high"),
        ("As Kd Qh Jc Ts", "straight, ace high"),
        ("Qs 9s 7s 5s 2s", "flush, queen high"),
        ("Ks Kd Kh 2c 2s", "full house, kings over twos"),
        ("3s 3d 3h 3c 2s", "four of a kind, threes"),
        ("9s 8s 7s 6s 5s", "straight flush, nine high"),
        ("5s 4s 3s 2s As", "straight flush, five high"),
        ("As Ks Qs Js Ts", "royal flush"),
        ("8s", "eight high"),
        ("8s 8d", "pair of eights"),
    ],
)
def test_a_high_hand_in_words(cards: str, words: str) -> None:
    assert HIGH.describe(_value(HIGH, cards)) == words


@pytest.mark.parametrize(
    ("ranking", "cards", "words"),
    [
        (DEUCE_TO_SEVEN, "7s 6d 4h 3c 2s", "seven-six low"),
        (DEUCE_TO_SEVEN, "As 5d 4h 3c 2s", "ace-five low"),
        (DEUCE_TO_SEVEN, "6s 5d 4h 3c 2s", "straight, six high"),
        (DEUCE_TO_SEVEN, "As Ks Qs Js Ts", "straight flush, ace high"),
        (DEUCE_TO_SEVEN, "Js Jd 4h 3c 2s", "pair of jacks"),
        (ACE_TO_SIX, "6s 4d 3h 2c As", "six-four low"),
        (ACE_TO_SIX, "As Kd Qh Jc Ts", "king-queen low"),
        (ACE_TO_FIVE, "5s 4s 3s 2s As", "five-four low"),
        (ACE_TO_FIVE, "4s 3d", "four-three low"),
        (ACE_TO_FIVE, "As", "ace low"),
        (EIGHT_OR_BETTER, "Ks Kd 8h 7c 4s 3d As", "eight-seven low"),
    ],
)
def test_a_low_hand_in_words(ranking: Ranking, cards: str, words: str) -> None:
    assert ranking.describe(_value(ranking, cards)) == words


def test_five_of_a_kind_in_words() -> None:
    ranking = HIGH.with_wild("2")
    assert ranking.describe(_value(ranking, "As Ad Ah Ac 2c")) == "five of a kind, aces"


def _value(ranking: Ranking, cards: str) -> int:
    value = ranking(parse(cards))
    assert value is not None
    return value

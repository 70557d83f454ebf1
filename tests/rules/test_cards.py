"""Cards and their text."""

import pickle

import pytest

from fullring.rules import cards
from fullring.rules.cards import FULL_DECK, JOKERS, RANKS, SUITS, UNKNOWN, Deck


def test_a_card_is_four_times_its_rank_and_its_suit() -> None:
    assert [cards.card(rank + suit) for rank in RANKS for suit in SUITS] == list(FULL_DECK) == list(range(52))
    assert (cards.card("2c"), cards.card("As"), cards.card("Jo"), cards.card("Jp")) == (0, 51, *JOKERS)


def test_text_and_cards_are_two_ways_to_write_the_same() -> None:
    every = (*FULL_DECK, *JOKERS)
    assert cards.parse(cards.texts(every)) == every
    assert [cards.card(cards.text(card)) for card in every] == list(every)
    assert cards.texts(cards.parse("AsKd2c")) == "AsKd2c"


def test_tens_and_spaces_are_read_either_way() -> None:
    assert cards.parse("10s10hTd") == cards.parse(" Ts Th  Td ") == tuple(map(cards.card, ("Ts", "10h", "Td")))
    assert cards.parse("") == cards.parse("  ") == ()


def test_unknown_cards_are_read_only_where_they_are_allowed() -> None:
    assert cards.parse("????", allow_unknown=True) == (UNKNOWN, UNKNOWN)
    assert cards.texts(cards.parse("As??", allow_unknown=True)) == "As??"
    with pytest.raises(ValueError, match="an unknown card has no place here"):
        cards.parse("As??")


@pytest.mark.parametrize(
    "text", ["A", "as", "AS", "1s", "0s", "110s", "As-Kd", "A s", "AsK", "??", "Joker", "Aß", "As\0"]
)
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match=r"no card at character|unknown card"):
        cards.parse(text)


@pytest.mark.parametrize("text", ["AsAs", "As Kd As", "10sTs", "JoJo", "As??As"])
def test_a_card_is_there_once(text: str) -> None:
    with pytest.raises(ValueError, match="the same card twice"):
        cards.parse(text, allow_unknown=True)


@pytest.mark.parametrize("text", ["", "AsKd", "????"])
def test_one_card_is_neither_none_nor_two(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected one card|unknown card"):
        cards.card(text)


@pytest.mark.parametrize("text", ["AsKdAs", "AsKdXx", "AsKd??"])
def test_an_error_names_no_card(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(?!.*(AsK|Kd|Xx))"):
        cards.parse(text)


def test_a_deck_is_a_sequence_that_prints_no_card() -> None:
    deck = Deck(cards.parse("AsKd2c"))
    assert repr(deck) == str(deck) == f"{deck}" == "Deck(3 cards)"
    assert (deck[0], deck[1:], len(deck)) == (51, cards.parse("Kd2c"), 3)
    assert deck == cards.parse("AsKd2c")
    assert pickle.loads(pickle.dumps(deck)) == deck

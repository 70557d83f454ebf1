"""How hands compare: what must hold for any hand. What is so for every hand is in test_ranking_facts.py."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from time import perf_counter

import pytest

from fullring.rules.cards import FULL_DECK, JOKERS, RANKS, UNKNOWN, Card, parse, texts
from fullring.rules.ranking import ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SEVEN, EIGHT_OR_BETTER, HIGH, Ranking
from fullring.rules.ranking_words import Category

NATURAL = [HIGH, DEUCE_TO_SEVEN, ACE_TO_SIX, ACE_TO_FIVE, EIGHT_OR_BETTER]
JOKERS_WILD = HIGH.with_wild("joker")
BUG = HIGH.with_wild("joker", bug=True)
WILD = [
    JOKERS_WILD,
    BUG,
    HIGH.with_wild("93"),
    HIGH.with_wild("joker").with_wild("2"),
    ACE_TO_FIVE.with_wild("joker"),
    DEUCE_TO_SEVEN.with_wild("joker"),
    DEUCE_TO_SEVEN.with_wild("K"),
    EIGHT_OR_BETTER.with_wild("joker"),
]
each_ranking = pytest.mark.parametrize("ranking", [*NATURAL, *WILD], ids=lambda ranking: str(ranking.name))


@each_ranking
@pytest.mark.parametrize("size", [6, 7])
def test_more_cards_are_worth_their_best_five(ranking: Ranking, size: int) -> None:
    for hand in _hands(ranking, size, count=150):
        fives = [value for five in combinations(hand, 5) if (value := ranking(five)) is not None]
        assert ranking(hand) == max(fives, default=None), texts(hand)


@each_ranking
def test_the_order_of_the_cards_does_not_matter(ranking: Ranking) -> None:
    for hand in _hands(ranking, 7, count=100):
        assert len({ranking(hand), ranking(sorted(hand)), ranking(frozenset(hand))}) == 1


@each_ranking
def test_a_showdown_gives_each_player_what_the_seven_cards_are_worth(ranking: Ranking) -> None:
    for cards in _hands(ranking, 23, count=30):
        holes, board = _dealt(cards)
        assert ranking.strengths(holes, board) == [ranking((*hole, *board)) for hole in holes]


@each_ranking
def test_where_two_hole_cards_must_play_exactly_two_do(ranking: Ranking) -> None:
    for cards in _hands(ranking, 13, count=10):
        holes, board = [cards[:4], cards[4:8]], cards[8:]
        found = ranking.strengths(holes, board, hole_cards_used=2)
        for hole, value in zip(holes, found, strict=True):
            fives = [(*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)]
            assert value == max((worth for five in fives if (worth := ranking(five)) is not None), default=None)


@pytest.mark.parametrize(
    ("hole", "board", "category"),
    [
        ("As 2d 3c 4h", "Ks Qs Js 9s 9d", Category.ONE_PAIR),  # One spade is not two.
        ("As 2s 3c 4h", "Ks Qs Js 9s 9d", Category.FLUSH),
        ("Ah Ad Ac As", "Kh Kd Qc Js 9d", Category.TWO_PAIR),  # Two of the aces play.
        ("2c 3d 7h 8s", "Ah Kh Qh Jh Th", Category.HIGH_CARD),  # The board alone never plays.
    ],
)
def test_what_two_hole_cards_and_three_of_the_board_make(hole: str, board: str, category: Category) -> None:
    (value,) = HIGH.strengths([parse(hole)], parse(board), hole_cards_used=2)
    assert value is not None
    assert HIGH.category(value) == category


@pytest.mark.parametrize("size", [5, 7])
def test_a_joker_is_worth_the_best_card_that_is_not_held(size: int) -> None:
    for hand in _hands(HIGH, size - 1, count=60, seed=size):
        held = [card >> 2 for card in hand]
        found = JOKERS_WILD((*hand, JOKERS[0]))
        assert found is not None
        if max(map(held.count, held)) == 4:
            assert JOKERS_WILD.category(found) == Category.FIVE_OF_A_KIND
        else:
            assert found == max(HIGH((*hand, other)) or 0 for other in FULL_DECK if other not in hand), texts(hand)


def test_two_jokers_are_worth_the_best_two_cards_that_are_not_held() -> None:
    for hand in _hands(HIGH, 3, count=8):
        if len({card >> 2 for card in hand}) > 1:
            others = combinations([card for card in FULL_DECK if card not in hand], 2)
            assert JOKERS_WILD((*hand, *JOKERS)) == max(HIGH((*hand, *two)) or 0 for two in others), texts(hand)


def test_a_bug_is_an_ace_or_completes_a_straight_or_a_flush() -> None:
    completing = {Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH}
    for hand in _hands(HIGH, 4, count=200):
        allowed = [_value(HIGH, (*hand, other)) for other in FULL_DECK if other not in hand]
        as_ace = [_value(HIGH, (*hand, ace)) for ace in parse("AcAdAhAs") if ace not in hand]
        found = BUG((*hand, JOKERS[0]))
        assert found == max(*as_ace, *(value for value in allowed if HIGH.category(value) in completing)), texts(hand)


def test_five_of_a_kind_beats_a_straight_flush_and_needs_a_wild_card() -> None:
    assert _value(JOKERS_WILD, parse("2c2d2h2sJo")) > _value(JOKERS_WILD, parse("AsKsQsJsTs"))
    assert [JOKERS_WILD.class_number(_value(JOKERS_WILD, parse(hand))) for hand in ("AcAdAhAsJo", "AsKsQsJsTs")] == [
        1,
        14,
    ]
    assert HIGH.class_number(_value(HIGH, parse("AsKsQsJsTs"))) == 1


@pytest.mark.parametrize("ranking", [HIGH.with_wild("93"), HIGH.with_wild("93").with_wild("joker")])
@pytest.mark.parametrize("wild", ["9c9d9h9s3c3d", "9c9d9h9s3c3d3h", "9c9d9h9s3cKs2d"])
def test_so_many_wild_cards_are_five_of_a_kind(ranking: Ranking, wild: str) -> None:
    assert ranking.category(_value(ranking, parse(wild))) == Category.FIVE_OF_A_KIND


def test_a_low_hand_of_wild_cards_is_the_best_low() -> None:
    ranking = DEUCE_TO_SEVEN.with_wild("KQ")
    assert ranking.ranks(_value(ranking, parse("KcKdKhKsQcQdQh"))) == "75432"


def test_no_eight_or_better_is_none_and_so_are_fewer_than_five_cards() -> None:
    assert EIGHT_OR_BETTER(parse("9s7d3h2cAsAdKc")) is None
    assert EIGHT_OR_BETTER(parse("As2s3s4s")) is None
    assert EIGHT_OR_BETTER.strengths([parse("As2d"), parse("KsKd")], parse("3c4h8hTcJc"))[1] is None


@pytest.mark.parametrize("ranking", NATURAL, ids=lambda ranking: str(ranking.name))
def test_a_card_that_is_not_in_the_deck_is_never_ranked(ranking: Ranking) -> None:
    for stranger in (UNKNOWN, *JOKERS):
        with pytest.raises(TypeError):
            ranking((stranger, *parse("AsKdQh")))


def test_what_can_be_wild() -> None:
    assert repr(HIGH.with_wild("93").with_wild("joker")) == "<Ranking high, 93 wild, joker wild>"
    assert BUG.name == "high, joker a bug"
    for nonsense in ("", "1", "jokers", "As"):
        with pytest.raises(ValueError, match='expected "joker" or ranks such as "93"'):
            HIGH.with_wild(nonsense)
    with pytest.raises(ValueError, match="a bug is for high games"):
        ACE_TO_FIVE.with_wild("joker", bug=True)
    with pytest.raises(ValueError, match="all wild cards are bugs, or none is"):
        BUG.with_wild("2")


@pytest.mark.parametrize(
    ("ranking", "cards", "playing", "standing_for"),
    [
        (HIGH, "2cKd 5hKs5d9c5s", "5h5d5sKdKs", "5h5d5sKdKs"),
        (HIGH, "As2d 3c4h5sKdQc", "5s4h3c2dAs", "5s4h3c2dAs"),
        (HIGH, "9d2c", "9d2c", "9d2c"),
        (DEUCE_TO_SEVEN, "7s6s5s4s3s2s9d", "9d5s4s3s2s", "9d5s4s3s2s"),
        (EIGHT_OR_BETTER, "As2d3c4h9sKdQc", "", ""),
        (JOKERS_WILD, "JoAhKh8h5h2h3s", "AhKhJo8h5h", "AhKhQh8h5h"),
        (JOKERS_WILD, "JoAsAdAcKs", "AsAdAcJoKs", "AsAdAcAhKs"),
        (HIGH.with_wild("9"), "9s8d7c6h5s", "9s8d7c6h5s", "9c8d7c6h5s"),
        (DEUCE_TO_SEVEN.with_wild("joker"), "Jo5s4s3s2s", "Jo5s4s3s2s", "7c5s4s3s2s"),
    ],
)
def test_the_five_cards_that_play(ranking: Ranking, cards: str, playing: str, standing_for: str) -> None:
    five = ranking.best_five(parse(cards))
    assert (texts(five), texts(five.values())) == (playing, standing_for)


@each_ranking
def test_the_five_that_play_are_worth_what_the_hand_is(ranking: Ranking) -> None:
    plain = next(plain for plain in NATURAL if ranking.name.startswith(plain.name))
    for hand in _hands(ranking, 7, count=150):
        value, five = ranking(hand), ranking.best_five(hand[:2], hand[2:])
        if value is None:
            assert five == {}
            continue
        assert set(five) <= set(hand)
        assert len(five) == 5
        assert ranking(list(five)) == value
        assert "".join(RANKS[card >> 2] for card in five.values()) == ranking.ranks(value)
        if ranking.category(value) != Category.FIVE_OF_A_KIND:
            assert plain(list(five.values())) == value


def test_the_five_that_play_where_two_hole_cards_must() -> None:
    five = HIGH.best_five(parse("AsAd2c2h"), parse("AcAhKsKd3c"), hole_cards_used=2)
    assert texts(five) == "AsAdAcAhKs"
    assert texts(HIGH.best_five(parse("As2d3c4h"), parse("KsQsJs9s9d"), hole_cards_used=2)) == "9s9dAsKs4h"


@pytest.mark.parametrize("ranking", [HIGH.with_wild("joker"), EIGHT_OR_BETTER.with_wild("joker")])
def test_a_warm_ranking_has_met_every_hand(ranking: Ranking) -> None:
    ranking.warm(5)
    met = len(ranking._by_ranks)
    for hand in _hands(ranking, 5, count=300):
        ranking(hand)
    assert len(ranking._by_ranks) == met


def test_a_nine_handed_showdown_takes_less_than_a_fifth_of_a_millisecond() -> None:
    deals = [_dealt(cards) for cards in _hands(HIGH, 23, count=100)]
    least = 1.0
    for _ in range(5):
        start = perf_counter()
        for holes, board in deals:
            HIGH.strengths(holes, board)
        least = min(least, (perf_counter() - start) / len(deals))
    assert least < 0.0002


def _hands(ranking: Ranking, size: int, *, count: int, seed: int = 1) -> list[tuple[Card, ...]]:
    """Random hands: plain ones, one in three with half of its cards of one suit, and some with jokers in wild games."""
    random = Random(seed)
    jokers = list(JOKERS) if ranking.switches.jokers else []
    hands = []
    for number in range(count):
        wild = jokers[: random.randrange(len(jokers) + 1)]
        suited = random.sample(range(number % 4, 52, 4), size // 2) if number % 3 == 0 else []
        rest = random.sample([card for card in FULL_DECK if card not in suited], size - len(suited) - len(wild))
        hand = [*wild, *suited, *rest]
        random.shuffle(hand)
        hands.append(tuple(hand))
    return hands


def _dealt(cards: Sequence[Card]) -> tuple[list[Sequence[Card]], Sequence[Card]]:
    return [cards[2 * player : 2 * player + 2] for player in range(9)], cards[18:]


def _value(ranking: Ranking, cards: Sequence[Card]) -> int:
    value = ranking(cards)
    assert value is not None
    return value

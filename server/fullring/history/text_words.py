"""What the text of a hand history calls games and hands: "Hold'em No Limit (5/10)", "two pair, Aces and Fives"."""

from collections.abc import Mapping, Sequence
from typing import Final

from fullring.rules.cards import UNKNOWN, Card
from fullring.rules.game import GAMES, Structure
from fullring.rules.ranking import HIGH
from fullring.rules.ranking_words import Category
from fullring.rules.record import HandRecord

_LIMITS: Final = {
    Structure.NO_LIMIT: "No Limit",
    Structure.POT_LIMIT: "Pot Limit",
    Structure.FIXED_LIMIT: "Limit",
}
_ONE: Final[Mapping[str, str]] = dict(
    zip("23456789TJQKA", "Deuce Three Four Five Six Seven Eight Nine Ten Jack Queen King Ace".split(), strict=True)
)
_HOLE, _BOARD = 2, 5


def game_words(record: HandRecord) -> str:
    """In fixed limit the bets of the two halves of a hand, elsewhere the blinds."""
    started = record.started
    structure = GAMES[started.game].structure
    low, high = record.small_blind, record.big_blind
    if structure is Structure.FIXED_LIMIT:
        low, high = started.min_bet, started.big_bet
    return f"Hold'em {_LIMITS[structure]} ({low}/{high})"


def described(cards: Sequence[Card], board: Sequence[Card]) -> str:
    """What the cards make of a full board; nothing where either is not there in full."""
    if len(cards) != _HOLE or len(board) != _BOARD or UNKNOWN in (*cards, *board):
        return ""
    value = HIGH.strengths([cards], board)[0]
    assert value is not None, "every hand has a place among the high ones"
    ranks = HIGH.ranks(value)
    first = _ONE[ranks[0]]
    match HIGH.category(value):
        case Category.HIGH_CARD:
            return f"high card {first}"
        case Category.ONE_PAIR:
            return f"a pair of {_many(ranks[0])}"
        case Category.TWO_PAIR:
            return f"two pair, {_many(ranks[0])} and {_many(ranks[2])}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_many(ranks[0])}"
        case Category.STRAIGHT:
            return f"a straight, {_ONE[ranks[-1]]} to {first}"
        case Category.FLUSH:
            return f"a flush, {first} high"
        case Category.FULL_HOUSE:
            return f"a full house, {_many(ranks[0])} full of {_many(ranks[3])}"
        case Category.FOUR_OF_A_KIND | Category.FIVE_OF_A_KIND:
            return f"four of a kind, {_many(ranks[0])}"
        case Category.STRAIGHT_FLUSH if ranks[0] == "A":
            return "a Royal Flush"
        case Category.STRAIGHT_FLUSH:
            return f"a straight flush, {_ONE[ranks[-1]]} to {first}"


def _many(rank: str) -> str:
    word = _ONE[rank]
    return word + "es" if word.endswith("x") else word + "s"

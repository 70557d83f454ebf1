"""One line of a PHH hand: ``p3 cbr 300 # timeout``.

It knows words, cards and numbers. Whether a line fits the hand is for the replay to say.
"""

import re
from decimal import Decimal
from enum import StrEnum
from typing import Final

from fullring.rules.cards import FULL_DECK, UNKNOWN, Card, parse
from fullring.rules.refusals import Refusal
from fullring.rules.value import value

BAD_FILE: Final = "bad_file"
PLACES_MAX: Final = 9
DIGITS_MAX: Final = 15  # What a JSON number keeps, too.

_ACTOR: Final = re.compile(r"p([1-9][0-9]{0,2})")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class Verb(StrEnum):
    DEAL_HOLE = "dh"
    DEAL_BOARD = "db"
    FOLD = "f"
    CHECK_OR_CALL = "cc"
    BET_OR_RAISE = "cbr"
    SHOW_OR_MUCK = "sm"


DECISIONS: Final = frozenset({Verb.FOLD, Verb.CHECK_OR_CALL, Verb.BET_OR_RAISE})
OTHER_GAMES: Final = frozenset({"sd", "pb"})


class PhhError(Exception):
    """What is wrong with a file. ``code`` is for programs, ``text`` for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


@value
class Line:
    """What a line says. ``player`` counts from 1; 0 is nobody in particular, as when the board is dealt.

    ``cards`` is None where none are named: a bare ``sm``, which mucks, and ``sm -``, which shows (``shows``) what was
    dealt. ``amount`` is in the file's own unit. A line that can't be read has a ``fault`` and no verb.
    """

    text: str
    verb: Verb | None = None
    player: int = 0
    cards: tuple[Card, ...] | None = None
    shows: bool = False
    amount: Decimal | None = None
    comment: str = ""
    fault: tuple[str, str] | None = None


def read_line(text: str, *, players: int) -> Line | None:
    """The line, or None for a lone commentary or nothing at all, which say nothing about the hand."""
    course, _, comment = text.partition("#")
    words = course.split()
    if not words:
        return None
    try:
        return _line(words, text, comment.strip(), players)
    except PhhError as error:
        return Line(text, fault=(error.code, error.text))


def _line(words: list[str], text: str, comment: str, players: int) -> Line:
    match words:
        case ["d", "dh", player, cards]:
            return Line(text, Verb.DEAL_HOLE, _player(player, players), _cards(cards), comment=comment)
        case ["d", "db", cards]:
            return Line(text, Verb.DEAL_BOARD, 0, _cards(cards), comment=comment)
        case [player, "f"]:
            return Line(text, Verb.FOLD, _player(player, players), comment=comment)
        case [player, "cc"]:
            return Line(text, Verb.CHECK_OR_CALL, _player(player, players), comment=comment)
        case [player, "cbr", amount]:
            return Line(text, Verb.BET_OR_RAISE, _player(player, players), amount=_bet(player, amount), comment=comment)
        case [player, "sm"]:
            return Line(text, Verb.SHOW_OR_MUCK, _player(player, players), comment=comment)
        case [player, "sm", "-"]:
            return Line(text, Verb.SHOW_OR_MUCK, _player(player, players), shows=True, comment=comment)
        case [player, "sm", cards]:
            return Line(text, Verb.SHOW_OR_MUCK, _player(player, players), _cards(cards), True, comment=comment)
        case [_, verb, *_] if verb in OTHER_GAMES:
            raise PhhError(BAD_FILE, f"{verb} has no place in hold'em")
        case _:
            raise PhhError(
                BAD_FILE, "expected one of: d dh pN CARDS, d db CARDS, pN f, pN cc, pN cbr AMOUNT, pN sm [CARDS or -]"
            )


def _player(word: str, players: int) -> int:
    found = _ACTOR.fullmatch(word)
    if found is None or int(found[1]) > players:
        raise PhhError(BAD_FILE, f"{_short(word)} is nobody here: the players are p1 to p{players}")
    return int(found[1])


def _cards(word: str) -> tuple[Card, ...]:
    try:
        cards = parse(word, allow_unknown=True)
    except ValueError as error:
        raise PhhError(BAD_FILE, f"{_short(word)} are no cards: {error}") from error
    if any(card not in FULL_DECK and card != UNKNOWN for card in cards):
        raise PhhError(BAD_FILE, f"{_short(word)}: there are no jokers in hold'em")
    return cards


def _bet(player: str, word: str) -> Decimal:
    if _NUMBER.fullmatch(word) is None:
        raise PhhError(Refusal.BAD_AMOUNT, f"{player} bets {_short(word)}, which is not a number")
    whole, _, part = word.lstrip("+-").partition(".")
    if len(whole) + len(part) > DIGITS_MAX * 2 or len(part) > PLACES_MAX:
        raise PhhError(Refusal.BAD_AMOUNT, f"{player} bets {_short(word)}, a number with too many digits")
    return Decimal(word)


def _short(word: str) -> str:
    return repr(word if len(word) <= 20 else word[:20] + "…")

"""The cards that a file names, as it comes to them and all together; what it doesn't name stays unknown."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from fullring.history.phh_lines import BAD_FILE, Line, PhhError, Verb
from fullring.rules.cards import FULL_DECK, UNKNOWN, Card, Deck, texts
from fullring.rules.ranking import HIGH, Ranking
from fullring.rules.ranking_values import Switches

HOLE_CARDS: Final = 2
BOARD: Final = 5
UNKNOWN_WORTH: Final = -1  # Less than any hand that is known,
MUCKED_WORTH: Final = -2  # and this is less than nothing.


class AsFarAsKnown(Ranking):
    """High hands where not all cards are known.

    One that isn't known in full loses to all that are and ties with its like; one of ``mucked`` loses to all others.
    So a mucked hand keeps its place in the pots, as it had it while it was played.
    """

    def __init__(self, mucked: Collection[tuple[Card, ...]]) -> None:
        super().__init__("high, as far as known", Switches())
        self.mucked = mucked

    def strengths(
        self, holes: Sequence[Sequence[Card]], board: Sequence[Card], *, hole_cards_used: int | None = None
    ) -> list[int | None]:
        values: dict[tuple[Card, ...], int | None] = {}
        if UNKNOWN not in board:
            known = [tuple(hole) for hole in holes if UNKNOWN not in hole]
            values = dict(zip(known, HIGH.strengths(known, board), strict=True))
        values |= dict.fromkeys(self.mucked, MUCKED_WORTH)
        return [values.get(tuple(hole), UNKNOWN_WORTH) for hole in holes]


def deck(lines: Iterable[Line], size: int, *, mucks: Collection[int]) -> Deck:
    """The cards in the order in which the rules deal them, from all that the lines say.

    A card that stands there twice is unknown the second time: the line that repeats it is refused when it comes.
    Players in ``mucks`` get any cards that are left where theirs are unknown, so that their hands can be told apart.
    """
    holes: list[list[Card]] = [[] for _ in range(size)]
    board: list[Card] = []
    shown: list[Line] = []
    for line in lines:
        if line.verb is Verb.DEAL_HOLE:
            holes[line.player - 1] += line.cards or ()
        elif line.verb is Verb.DEAL_BOARD:
            board += line.cards or ()
        elif line.verb is Verb.SHOW_OR_MUCK and line.cards:
            shown.append(line)
    holes = [_filled(hole, HOLE_CARDS) for hole in holes]
    for line in shown:
        hole = holes[line.player - 1]
        for card in line.cards or ():
            if card not in hole and UNKNOWN in hole:
                hole[hole.index(UNKNOWN)] = card
        if UNKNOWN in (line.cards or ()):  # Kept face down, so it beats no hand that is shown.
            holes[line.player - 1] = [UNKNOWN] * HOLE_CARDS
    order = _once([*(holes[i][place] for place in range(HOLE_CARDS) for i in range(size)), *_filled(board, BOARD)])
    left = [card for card in FULL_DECK if card not in order]
    for player in mucks:
        for at in range(player - 1, HOLE_CARDS * size, size):
            if order[at] == UNKNOWN:
                order[at] = left.pop()
    return Deck(order)


def holes_of(deck: Deck, players: Iterable[int], size: int) -> list[tuple[Card, ...]]:
    """The hole cards that these players, counted from 1, are dealt from a deck."""
    return [deck[player - 1 : HOLE_CARDS * size : size] for player in players]


def _filled(cards: Sequence[Card], count: int) -> list[Card]:
    return [*cards, *[UNKNOWN] * count][:count]


def _once(cards: Iterable[Card]) -> list[Card]:
    met: set[Card] = set()
    once = []
    for card in cards:
        once.append(UNKNOWN if card in met else card)
        met.add(card)
    return once


class Dealt:
    """What has been dealt and shown so far. Each method raises PhhError where a line doesn't fit."""

    def __init__(self, size: int) -> None:
        self.holes: list[list[Card]] = [[] for _ in range(size)]
        self._met: set[Card] = set()

    def deal_hole(self, player: int, cards: Sequence[Card]) -> None:
        hole = self.holes[player - 1]
        if len(hole) + len(cards) > HOLE_CARDS:
            raise PhhError(BAD_FILE, f"p{player} gets {len(hole) + len(cards)} hole cards, expected {HOLE_CARDS}")
        self._meet(cards)
        hole += cards

    def complete(self) -> None:
        """The deal is over: a hand of which the file says nothing is unknown, but none may be dealt in part."""
        for player, hole in enumerate(self.holes, 1):
            if len(hole) not in (0, HOLE_CARDS):
                raise PhhError(BAD_FILE, f"p{player} has {len(hole)} hole card, expected {HOLE_CARDS}")

    def deal_board(self, cards: Sequence[Card]) -> None:
        self._meet(cards)

    def show(self, player: int, cards: Sequence[Card]) -> None:
        """A hand shown in full or in part. What was dealt unknown is known from now on."""
        hole = self.holes[player - 1] = _filled(self.holes[player - 1], HOLE_CARDS)
        if len(cards) > HOLE_CARDS:
            raise PhhError(BAD_FILE, f"p{player} shows {len(cards)} cards and holds {HOLE_CARDS}")
        for card in cards:
            if card == UNKNOWN or card in hole:
                continue
            if UNKNOWN not in hole:
                raise PhhError(BAD_FILE, f"p{player} shows {texts(cards)} and was dealt {texts(hole)}")
            self._meet([card])
            hole[hole.index(UNKNOWN)] = card

    def _meet(self, cards: Sequence[Card]) -> None:
        for card in cards:
            if card in self._met:
                raise PhhError(BAD_FILE, f"{texts([card])} was dealt before")
            if card != UNKNOWN:
                self._met.add(card)

"""Who shuffles: it deals what a test wants to see, else what a seed says, and remembers every deck."""

from collections.abc import Sequence
from random import Random

from fullring.rules.cards import Card, Deck, parse, text


class Dealer:
    """``decks`` are all that it has made, the latest last."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._first: tuple[Card, ...] = ()
        self.decks: list[Deck] = []

    def begins_with(self, cards: str) -> None:
        """Every deck from now on: one card to each seat from the small blind on, then a second one, then the board."""
        self._first = parse(cards)

    def __call__(self, cards: Sequence[Card]) -> Deck:
        rest = [card for card in cards if card not in self._first]
        self.decks.append(Deck((*self._first, *self._chance.sample(rest, len(rest)))))
        return self.decks[-1]

    def others(self, mine: Sequence[str], count: int) -> set[str]:
        """The hole cards that somebody who holds ``mine`` may not know, of so many players."""
        for deck in reversed(self.decks):
            hole = set(map(text, deck[: 2 * count]))
            if set(mine) <= hole:
                return hole - set(mine)
        raise AssertionError("nobody was dealt these")

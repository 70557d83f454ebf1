"""Games as data: what is dealt on which street, how it is bet, what wins."""

from enum import StrEnum

from fullring.rules.cards import FULL_DECK, Card
from fullring.rules.ranking import HIGH, Ranking
from fullring.rules.value import value


class Structure(StrEnum):
    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    FIXED_LIMIT = "fixed_limit"


@value
class Street:
    """What is dealt when the street opens, and how it is bet.

    ``hole`` cards go down to every live seat, ``board`` cards face up to all. ``big_bet`` streets of a fixed-limit game
    are played at the larger bet; ``cap`` is how many bets and raises it allows (a big blind counts as one).
    """

    name: str
    hole: int = 0
    board: int = 0
    betting: bool = True
    big_bet: bool = False
    cap: int = 4


@value
class Game:
    """``rankings`` share each pot: one for high, two for high-low (the first takes the odd chip).

    ``hole_used`` is how many hole cards a hand must use; None means any number.
    ``capped_heads_up`` keeps the cap of a fixed-limit street when only two are left.
    """

    code: str
    name: str
    structure: Structure
    streets: tuple[Street, ...]
    rankings: tuple[Ranking, ...] = (HIGH,)
    deck: tuple[Card, ...] = FULL_DECK
    hole_used: int | None = None
    capped_heads_up: bool = False

    def cards_needed(self, players: int) -> int:
        """The most cards that a hand of so many can take."""
        cards = 0
        for street in self.streets:
            cards += street.board + players * street.hole
        return cards


HOLDEM_STREETS = (
    Street("preflop", hole=2),
    Street("flop", board=3),
    Street("turn", board=1, big_bet=True),
    Street("river", board=1, big_bet=True),
)
NO_LIMIT_HOLDEM = Game("nlhe", "no-limit hold'em", Structure.NO_LIMIT, HOLDEM_STREETS)
POT_LIMIT_HOLDEM = Game("plhe", "pot-limit hold'em", Structure.POT_LIMIT, HOLDEM_STREETS)
FIXED_LIMIT_HOLDEM = Game("flhe", "fixed-limit hold'em", Structure.FIXED_LIMIT, HOLDEM_STREETS)

GAMES = {game.code: game for game in (NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, FIXED_LIMIT_HOLDEM)}

"""The state of one hand in play: plain numbers, indexed by order from the button's left.

Only ``hand.evolve`` writes to it. Seat numbers appear in events and commands; inside, a seat is its index.
"""

from fullring.rules.actions import Chips, Legal
from fullring.rules.cards import Card
from fullring.rules.events import HandStarted
from fullring.rules.game import GAMES, Game, Structure

ACTIVE, ALL_IN, FOLDED = 0, 1, 2
NOBODY = -1
NOT_YET = -1


class Hand:
    """One hand. All lists are parallel: entry ``i`` is the i-th seat clockwise from the button's left.

    ``bets`` is what each has in on this street, ``paid`` what each has in that others must match (all streets and
    antes), ``dead`` what went to the middle for everybody; ``pot`` is all of it. ``high`` is the highest real bet of
    the street and ``floor`` the nominal one: a short big blind does not lower the price. ``full_raise`` is the largest
    full bet or raise; ``full_level`` is, in fixed limit, the level of the last bet or raise that counted as full.
    ``acted[i]`` is the level at which seat i last acted on this street. ``next`` is where to look for the next to act.
    ``gone`` are seats whose players have left.
    """

    __slots__ = (
        "acted",
        "active",
        "aggressor",
        "bet_size",
        "bets",
        "board",
        "button",
        "capped",
        "dead",
        "dealt",
        "deck",
        "floor",
        "full_level",
        "full_raise",
        "game",
        "gone",
        "high",
        "holes",
        "index",
        "legal",
        "limit",
        "live",
        "next",
        "over",
        "paid",
        "pot",
        "raises",
        "rake",
        "seats",
        "shown",
        "size",
        "stacks",
        "started",
        "status",
        "street",
        "to_act",
        "total",
        "turn",
    )

    def __init__(self, started: HandStarted, game: Game | None = None) -> None:
        size = len(started.seats)
        self.started = started
        self.game = game or GAMES[started.game]
        self.limit = self.game.structure is Structure.FIXED_LIMIT
        self.seats = tuple([stake.seat for stake in started.seats])
        self.index = {seat: i for i, seat in enumerate(self.seats)}
        self.size = size
        self.button = started.button
        self.deck = started.deck
        self.dealt = 0
        self.stacks: list[Chips] = [stake.stack for stake in started.seats]
        self.bets: list[Chips] = [0] * size
        self.paid: list[Chips] = [0] * size
        self.status = [ACTIVE] * size
        self.acted = [NOT_YET] * size
        self.holes: list[tuple[Card, ...]] = [()] * size
        self.shown: list[tuple[Card, ...]] = [()] * size
        self.board: list[Card] = []
        self.dead = self.pot = self.rake = 0
        self.total = sum(self.stacks)
        self.street = 0
        self.live = self.active = size
        self.high = self.floor = self.full_level = 0
        self.bet_size = self.full_raise = started.min_bet
        self.raises = 0
        self.capped = False
        self.aggressor = NOBODY
        self.to_act = NOBODY
        self.next = 0
        self.gone: frozenset[int] = frozenset()
        self.turn = 0
        self.over = False
        self.legal: Legal | None = None

    def copy(self) -> "Hand":
        """A copy to look ahead on; what never changes is shared."""
        twin = object.__new__(Hand)
        for name in Hand.__slots__:
            mine = getattr(self, name)
            setattr(twin, name, mine.copy() if type(mine) is list else mine)
        return twin

    @property
    def seat_to_act(self) -> int | None:
        """The seat number whose turn it is; None when nobody is to act."""
        return None if self.to_act == NOBODY else self.seats[self.to_act]

    @property
    def street_name(self) -> str:
        return self.game.streets[self.street].name

    def stakes(self) -> dict[int, Chips]:
        """Each seat's stack now."""
        return dict(zip(self.seats, self.stacks, strict=True))

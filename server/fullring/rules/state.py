"""The state of one hand in play: plain numbers, indexed by order from the button's left.

Only ``evolve`` writes to it. Seat numbers appear in events and commands; inside, a seat is its index.
"""

from typing import assert_never

from fullring.rules.actions import Action, Chips, Legal, SeatNo
from fullring.rules.cards import Card
from fullring.rules.events import (
    Abandoned,
    Acted,
    CardsShown,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    HoleCardsDealt,
    Mucked,
    Posted,
    PostKind,
    PotAwarded,
    StreetDealt,
    TurnStarted,
    UncalledReturned,
)
from fullring.rules.game import GAMES, Game, Structure

FIXED_LIMIT = Structure.FIXED_LIMIT
FOLD, CALL = Action.FOLD, Action.CALL
ANTE = PostKind.ANTE
ACTIVE, ALL_IN, FOLDED = 0, 1, 2
NOBODY = -1
NOT_YET = -1
NOMINAL = frozenset({PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.LIVE})
"""Posts that count towards the seat's bet."""
FIRST_MOVING = frozenset({PostKind.BIG_BLIND, PostKind.STRADDLE})
"""Posts after which the first to act is the next seat."""


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
        "acted", "active", "aggressor", "bet_size", "bets", "board", "button", "capped", "dead", "dealt", "deck",
        "floor", "full_level", "full_raise", "game", "gone", "high", "holes", "index", "legal", "limit", "live", "next",
        "over", "paid", "pot", "raises", "rake", "seats", "shown", "size", "stacks", "started", "status", "street",
        "to_act", "total", "turn",
    )  # fmt: skip

    def __init__(self, started: HandStarted, game: Game | None = None) -> None:
        size = len(started.seats)
        self.started = started
        self.game = game = game or GAMES[started.game]
        self.limit = game.structure is FIXED_LIMIT
        self.seats = seats = tuple([stake.seat for stake in started.seats])
        self.index = {seat: i for i, seat in enumerate(seats)}
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
        """A copy to look ahead on; what never changes is shared. Attribute by attribute, because that is quick."""
        twin = object.__new__(Hand)
        twin.started, twin.game, twin.limit, twin.deck = self.started, self.game, self.limit, self.deck
        twin.seats, twin.index, twin.size, twin.button = self.seats, self.index, self.size, self.button
        twin.stacks, twin.bets, twin.paid = self.stacks.copy(), self.bets.copy(), self.paid.copy()
        twin.status, twin.acted = self.status.copy(), self.acted.copy()
        twin.holes, twin.shown, twin.board = self.holes.copy(), self.shown.copy(), self.board.copy()
        twin.dead, twin.pot, twin.rake, twin.total = self.dead, self.pot, self.rake, self.total
        twin.street, twin.dealt, twin.live, twin.active = self.street, self.dealt, self.live, self.active
        twin.high, twin.floor, twin.full_level = self.high, self.floor, self.full_level
        twin.full_raise, twin.bet_size, twin.raises = self.full_raise, self.bet_size, self.raises
        twin.capped, twin.aggressor, twin.gone = self.capped, self.aggressor, self.gone
        twin.to_act, twin.next, twin.turn = self.to_act, self.next, self.turn
        twin.legal, twin.over = self.legal, self.over
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


def evolve(hand: Hand, event: Event) -> None:
    """Apply what happened: the only place where a hand changes. Chips are conserved after every event."""
    match event:
        case Acted():
            _acted(hand, event)
        case TurnStarted():
            hand.to_act = hand.index[event.seat]
            hand.turn = event.turn
            hand.legal = None
        case Posted():
            _posted(hand, event)
        case HoleCardsDealt():
            _hole_cards_dealt(hand, event)
        case StreetDealt():
            _street_dealt(hand, event)
        case UncalledReturned():
            _returned(hand, hand.index[event.seat], event.amount)
        case CardsShown():
            hand.shown[hand.index[event.seat]] = event.cards
        case Mucked():
            _mucked(hand, event.seat)
        case PotAwarded():
            _awarded(hand, event)
        case HandEnded() | HandVoided():
            _over(hand, event)
        case Abandoned():
            hand.gone |= {hand.index[event.seat]}
        case HandStarted():
            raise AssertionError("a hand starts once")
        case _:
            assert_never(event)
    assert sum(hand.stacks) + hand.pot + hand.rake == hand.total, "chips are conserved"


def _acted(hand: Hand, event: Acted) -> None:
    i = hand.index[event.seat]
    hand.legal = None
    hand.to_act = NOBODY
    hand.next = i + 1 if i + 1 < hand.size else 0
    if event.action is FOLD:
        _out(hand, i)
        return
    if event.amount:
        _pay(hand, i, event.amount)
        if event.to > hand.high:
            if event.action is not CALL:
                _raised(hand, i, event.to)
            hand.high = event.to
    hand.acted[i] = hand.high if hand.high > hand.floor else hand.floor


def _raised(hand: Hand, i: int, to: Chips) -> None:
    """A bet or raise: what counts as full raises the bar; a short all-in does not (docs/rules.md, R9, R13)."""
    level = hand.high if hand.high > hand.floor else hand.floor
    hand.aggressor = i
    if hand.limit:
        if (to - hand.full_level) * 2 >= hand.bet_size:
            hand.full_level = to
            hand.raises += 1
            street = hand.game.streets[hand.street]
            hand.capped = hand.raises >= street.cap and (hand.live > 2 or hand.game.capped_heads_up)
    elif to - level >= hand.full_raise:
        hand.full_raise = to - level


def _pay(hand: Hand, i: int, amount: Chips) -> None:
    hand.stacks[i] -= amount
    hand.bets[i] += amount
    hand.paid[i] += amount
    hand.pot += amount
    assert hand.stacks[i] >= 0, "nobody pays more than the stack"
    if hand.stacks[i] == 0:
        hand.status[i] = ALL_IN
        hand.active -= 1


def _out(hand: Hand, i: int) -> None:
    """Out of the hand."""
    if hand.status[i] == ACTIVE:
        hand.active -= 1
    hand.status[i] = FOLDED
    hand.live -= 1


def _posted(hand: Hand, event: Posted) -> None:
    i = hand.index[event.seat]
    amount, kind = event.amount, event.kind
    if amount:
        _pay(hand, i, amount)
    if kind in NOMINAL:
        if hand.bets[i] > hand.high:
            hand.high = hand.bets[i]
        if event.due > hand.floor:
            hand.floor = hand.full_level = event.due
        hand.raises = 1
    else:
        hand.bets[i] -= amount
        if kind is not ANTE:
            hand.paid[i] -= amount
            hand.dead += amount
    if kind in FIRST_MOVING:
        hand.next = i + 1 if i + 1 < hand.size else 0


def _hole_cards_dealt(hand: Hand, event: HoleCardsDealt) -> None:
    at, count = hand.dealt, len(event.seats)
    hand.dealt = end = at + count * event.count
    deck, holes, index = hand.deck, hand.holes, hand.index
    for seat in event.seats:
        holes[index[seat]] += deck[at:end:count]
        at += 1


def _street_dealt(hand: Hand, event: StreetDealt) -> None:
    size = hand.size
    hand.street += 1
    street = hand.game.streets[hand.street]
    hand.dealt += len(event.cards)
    hand.board += event.cards
    hand.bets = [0] * size
    hand.acted = [NOT_YET] * size
    hand.high = hand.floor = hand.full_level = hand.raises = 0
    hand.capped = False
    hand.aggressor = NOBODY
    hand.next = 0
    started = hand.started
    hand.bet_size = started.big_bet if street.big_bet and hand.limit else started.min_bet
    hand.full_raise = hand.bet_size


def _returned(hand: Hand, i: int, amount: Chips) -> None:
    hand.stacks[i] += amount
    hand.paid[i] -= amount
    if amount < hand.bets[i]:
        hand.bets[i] -= amount
    else:  # What nobody matched was in part an ante.
        hand.bets[i] = 0
    hand.high = max(hand.bets)
    hand.pot -= amount
    if hand.status[i] == ALL_IN:
        hand.status[i] = ACTIVE
        hand.active += 1


def _mucked(hand: Hand, seat: SeatNo) -> None:
    """Hidden for good. A hand that was given up before any was compared is also out of the pots."""
    if seat in hand.started.mucks:
        _out(hand, hand.index[seat])


def _awarded(hand: Hand, event: PotAwarded) -> None:
    for share in event.winners:
        hand.stacks[hand.index[share.seat]] += share.amount
    hand.pot -= event.amount
    hand.rake += event.rake


def _over(hand: Hand, event: HandEnded | HandVoided) -> None:
    """A hand that ends has paid out every chip; one that is void gives the chips back."""
    hand.over = True
    hand.to_act = NOBODY
    hand.legal = None
    hand.bets = [0] * hand.size
    if isinstance(event, HandVoided):
        hand.stacks = [stake.stack for stake in event.stacks]
        hand.pot = hand.rake = 0
    assert hand.pot == 0, "every chip is paid out"

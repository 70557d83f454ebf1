"""What a house bot does on its turn: few hands, and those bet; pot odds, and now and then a bluff.

Knows what a client knows: the public view, and its own cards.
"""

from collections.abc import Callable
from typing import Any

from fullring.rules.actions import Action, Chips
from fullring.rules.cards import RANKS, card
from fullring.rules.equity import sampled
from fullring.rules.value import value

View = dict[str, Any]
Chance = Callable[[], float]

SAMPLES = 60
"""Boards looked at after the flop. The error that leaves is what makes a bot guess, as people do."""
RIVALS_MAX = 3
"""Against more it counts as against so many: of many rivals, most have nothing."""

BETS_MAX = 4
"""It raises no further than to so many bets on a street: at fixed limit, two players might go on without end."""
BET_MEANS = 0.2
"""Who bets has more than a random hand: so much less of the pot is won than against those."""


@value
class Choice:
    action: Action
    to: Chips | None = None


@value
class Spot:
    """What a decision rests on. ``pot`` is all that is in the middle and before the seats, ``bet`` the seat's own."""

    actions: View
    pot: Chips
    bet: Chips
    to_call: Chips
    big_blind: Chips
    stack: Chips
    rivals: int

    @property
    def price(self) -> Chips:
        """Where a call brings the seat's bet."""
        return self.bet + self.to_call

    @property
    def odds(self) -> float:
        """The share of the pot that a call must win to pay for itself."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0


def choose(view: View, you: View, chance: Chance) -> Choice:
    """One of the actions that are offered. It must be this seat's turn."""
    hand = view["hand"]
    spot = _spot(view, you["seat"])
    if not hand["board"]:
        return _before_the_flop(spot, starting_score(you["cards"]), chance)
    hole, board = [card(text) for text in you["cards"]], [card(text) for text in hand["board"]]
    rivals = min(spot.rivals, RIVALS_MAX)
    (mine, *_) = sampled([hole], board, samples=SAMPLES, chance=chance, unknown=rivals)
    return _after_the_flop(spot, float(mine.share) * (rivals + 1), float(mine.share), chance)


def starting_score(cards: list[str]) -> int:
    """Chen's count of two hole cards: 20 for aces, 10 for a suited queen and jack, under 0 for seven-deuce."""
    high, low = sorted((RANKS.index(text[0]) for text in cards), reverse=True)
    points = {12: 10.0, 11: 8.0, 10: 7.0, 9: 6.0}.get(high, (high + 2) / 2)
    if high == low:
        return int(max(5.0, 2 * points) + 0.5)
    gap = high - low - 1
    points += 2 * (cards[0][1] == cards[1][1])
    points -= {0: 0, 1: 1, 2: 2, 3: 4}.get(gap, 5)
    points += gap <= 1 and high < 10
    return int(points + 0.5) if points > 0 else int(points)


def _spot(view: View, seat: int) -> Spot:
    seats = view["seats"]
    mine = next(other for other in seats if other["seat"] == seat)
    actions = view["hand"]["turn"]["actions"]
    return Spot(
        actions=actions,
        pot=sum(pot["amount"] for pot in view["hand"]["pots"]) + sum(other["bet"] for other in seats),
        bet=mine["bet"],
        to_call=actions.get("call", 0),
        big_blind=view["settings"]["big_blind"],
        stack=mine["stack"],
        rivals=max(1, sum(other["holds"] > 0 and other["seat"] != seat for other in seats)),
    )


def _before_the_flop(spot: Spot, score: int, chance: Chance) -> Choice:
    tight = min(spot.rivals, 4)  # Heads-up nearly every hand plays; at a full table one in five.
    raised = spot.price > spot.big_blind
    dear = spot.to_call * 4 > spot.stack
    if raised:
        if score >= 10 + tight // 2 and not (dear and score < 14):
            return _bet(spot, 1.0) if chance() < 0.7 else _call(spot)
        return _call(spot) if score >= (12 if dear else 4 + tight) else _fold(spot)
    if score >= 5 + tight:
        return _bet(spot, 1.0) if chance() < 0.85 else _call(spot)
    if score >= 3 + tight:
        return _call(spot)
    return _call(spot) if spot.odds < 0.15 and score > 0 else _fold(spot)


def _after_the_flop(spot: Spot, edge: float, share: float, chance: Chance) -> Choice:
    """``edge`` is the share of the pot against an equal one: 1 is as good as everybody else."""
    if not spot.to_call:
        if edge > 1.25 and chance() < 0.85:
            return _bet(spot, 0.5 + 0.4 * chance())
        return _bet(spot, 0.5) if chance() < 0.08 else _call(spot)
    if share > 0.9 or (edge > 1.6 and chance() < 0.3):
        return _bet(spot, 0.75)
    if share > spot.odds + BET_MEANS:
        return _call(spot)
    return _bet(spot, 0.75) if chance() < 0.02 else _fold(spot)


def _bet(spot: Spot, part: float) -> Choice:
    """A bet, or a raise, of about that part of the pot after calling; else, or after raises enough, a call."""
    offered = spot.actions.get("bet") or spot.actions.get("raise")
    if offered is None or spot.price >= BETS_MAX * (offered["min"] - spot.price):
        return _call(spot)
    wanted = spot.price + round(part * (spot.pot + spot.to_call) / spot.big_blind) * spot.big_blind
    most: Chips = offered["max"]
    to = max(offered["min"], min(wanted, most))
    if spot.actions.get("all_in") == most and to * 4 > most * 3:
        to = most  # Most of the stack is in anyway.
    return Choice(Action.BET if "bet" in spot.actions else Action.RAISE, to)


def _call(spot: Spot) -> Choice:
    return Choice(Action.CHECK if spot.actions["check"] else Action.CALL)


def _fold(spot: Spot) -> Choice:
    return Choice(Action.CHECK if spot.actions["check"] else Action.FOLD)

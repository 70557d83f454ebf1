"""Tight and aggressive: plays few hands, and bets them. Knows its own cards and the pot odds, and nobody's habits."""

from dataclasses import dataclass
from random import Random
from typing import Self

from fullring.wire.view import Actions, HandView, SeatView, TableView, You
from fullring_client.bot import ALL_IN, CALL, CHECK, FOLD, Action, bet, raise_to
from fullring_client.bots.strength import outs, starting_group, strength


@dataclass(frozen=True, slots=True)
class _Spot:
    """What a decision rests on. ``pot`` holds everything in the middle and before the seats."""

    actions: Actions
    pot: int
    big_blind: int
    highest: int
    mine: SeatView
    behind: int  # Players still to act after us on this street, were nobody to raise.
    rivals: int

    @classmethod
    def of(cls, view: TableView, hand: HandView, actions: Actions, you: You) -> Self:
        mine = next(seat for seat in view.seats if seat.seat == you.seat)
        live = [seat for seat in view.seats if seat.holds and seat.state in {"active", "all_in"}]
        return cls(
            actions=actions,
            pot=sum(pot.amount for pot in hand.pots) + sum(seat.bet for seat in view.seats),
            big_blind=view.settings.big_blind,
            highest=max(seat.bet for seat in view.seats),
            mine=mine,
            behind=sum(1 for seat in live if seat.state == "active" and not seat.last_action) - 1,
            rivals=len(live) - 1,
        )

    @property
    def call(self) -> int:
        return self.actions.call or 0

    @property
    def odds(self) -> float:
        """The share of the pot after a call that the call pays for."""
        return self.call / (self.pot + self.call) if self.call else 0.0

    @property
    def room_left(self) -> int:
        return self.mine.stack + self.mine.bet


class TightAggressive:
    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def __call__(self, view: TableView, you: You) -> Action:
        assert view.hand
        assert view.hand.turn
        spot = _Spot.of(view, view.hand, view.hand.turn.actions, you)
        if not view.hand.board:
            return self._before_the_flop(spot, starting_group(you.cards))
        return self._after_the_flop(spot, strength(you.cards, view.hand.board), self._draw(view.hand.board, you))

    def _before_the_flop(self, spot: _Spot, group: int) -> Action:
        raised = spot.highest > spot.big_blind
        if not raised:
            opens = 6 if spot.behind <= 2 else 5 if spot.behind <= 4 else 4
            return _up_to(spot, spot.highest * 2 + spot.pot) if group <= opens else _passive(spot, at_most=0.0)
        if group <= 2:
            return _up_to(spot, spot.highest * 3)
        dear = spot.call / max(1, spot.room_left)
        return _passive(spot, at_most=1.0 if group <= 5 and dear <= 0.08 else 0.0)

    def _after_the_flop(self, spot: _Spot, made: float, draw: float) -> Action:
        made **= 1 + 0.12 * max(0, spot.rivals - 1)
        if spot.call:
            if made >= 0.75:
                return _up_to(spot, spot.highest * 3)
            return _passive(spot, at_most=max(draw, 0.42 if made >= 0.5 else 0.22 if made >= 0.3 else 0.0))
        if made >= 0.55:
            return _up_to(spot, spot.highest + spot.pot * 2 // 3)
        bluffs = 0.5 if draw >= 0.16 else 0.2 if spot.rivals == 1 else 0.0
        return (
            _up_to(spot, spot.highest + spot.pot // 2) if self._dice.random() < bluffs else _passive(spot, at_most=0.0)
        )

    def _draw(self, board: list[str], you: You) -> float:
        """The chance that the next card makes a straight or a flush."""
        return outs(you.cards, board) / 47 if len(board) < 5 else 0.0


def _up_to(spot: _Spot, to: int) -> Action:
    """Bet or raise to about that much; all-in where little would be left; call where raising is not allowed."""
    bounds = spot.actions.bet or spot.actions.raise_
    if to >= spot.room_left * 3 // 5 and spot.actions.all_in is not None:
        return ALL_IN
    if bounds is None:
        return _passive(spot, at_most=1.0)
    to = max(bounds.min, min(bounds.max, to))
    return bet(to) if spot.actions.bet is not None else raise_to(to)


def _passive(spot: _Spot, *, at_most: float) -> Action:
    """Check, or call where the pot odds ask for no more than ``at_most``, or fold."""
    if spot.actions.check:
        return CHECK
    if spot.actions.call is not None and spot.odds <= at_most:
        return CALL
    return FOLD

"""What a key would do now: read from the actions the room offers, never worked out from the rules."""

from dataclasses import dataclass
from fractions import Fraction

from fullring.wire.view import Armed, HandView, Range, SeatView, TableView, Turn, You
from fullring_client.terminal.words import chips

_SHARES = {
    "half": Fraction(1, 2),
    "1/2": Fraction(1, 2),
    "2/3": Fraction(2, 3),
    "3/4": Fraction(3, 4),
    "pot": Fraction(1),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A table as a player sees it."""

    view: TableView
    you: You | None

    @property
    def my_turn(self) -> Turn | None:
        hand = self.view.hand
        return hand.turn if hand and hand.turn and self.you and hand.turn.seat == self.you.seat else None

    @property
    def in_hand(self) -> HandView | None:
        """The hand we hold live cards in and may still have to act in."""
        mine, hand = self._mine, self.view.hand
        return hand if hand and hand.turn and mine and mine.state == "active" and mine.holds else None

    @property
    def bounds(self) -> Range | None:
        return (self.my_turn.actions.bet or self.my_turn.actions.raise_) if self.my_turn else None

    @property
    def to_call(self) -> int:
        """What a call costs as things stand: the room's word, as a blind may be short or a call for less."""
        if self.my_turn:
            return self.my_turn.actions.call or 0
        return (self.you.to_call or 0) if self.you else 0

    @property
    def my_state(self) -> str | None:
        return self._mine.state if self._mine else None

    @property
    def my_stack(self) -> int:
        return self._mine.stack if self._mine else 0

    @property
    def called(self) -> int:
        """Where our bet stands after calling."""
        return (self._mine.bet if self._mine else 0) + self.to_call

    @property
    def pot(self) -> int:
        """All that is in the middle and before the seats."""
        pots = self.view.hand.pots if self.view.hand else []
        return sum(pot.amount for pot in pots) + sum(seat.bet for seat in self.view.seats)

    @property
    def _mine(self) -> SeatView | None:
        return next((seat for seat in self.view.seats if self.you and seat.seat == self.you.seat), None)


def keys(spot: Spot) -> str:
    """The line under the table: each key that does something now."""
    turn = spot.my_turn
    if spot.you is None:
        return "s sit down · / chat · L lobby · ? help · q quit"
    if turn is None:
        if spot.in_hand:
            armed = spot.you.armed
            return (
                f"armed: {_ahead(armed)} · the same key takes it back"
                if armed
                else "f, c decide ahead · / chat · ? help"
            )
        sit = "s sit in" if spot.my_state == "sitting_out" else "s sit out"
        post = "p post now · " if spot.you.waiting == "big_blind" else ""
        return f"{post}{sit} · t top up · l leave · v show · / chat · ? help"
    actions = turn.actions
    offers = [
        "f fold" if actions.fold else "",
        "c check" if actions.check else f"c call {chips(actions.call)}" if actions.call is not None else "",
        f"b bet {_span(actions.bet)}" if actions.bet else "",
        f"r raise to {_span(actions.raise_)}" if actions.raise_ else "",
        f"a all-in {chips(actions.all_in)}" if actions.all_in is not None else "",
    ]
    return " · ".join(offer for offer in offers if offer)


def presets(spot: Spot) -> list[tuple[str, int]]:
    """Amounts worth offering, smallest first, each within the bounds."""
    bounds = spot.bounds
    if bounds is None:
        return []
    offers = [("min", bounds.min)]
    offers += [(name, _share(spot, _SHARES[name])) for name in ("1/2", "2/3", "pot")]
    offers = [(name, to) for name, to in offers if bounds.min <= to <= bounds.max] + [("max", bounds.max)]
    return [offer for at, offer in enumerate(offers) if offer[1] not in {to for _, to in offers[:at]}]


def amount(text: str, spot: Spot) -> int | None:
    """A street total from what was typed: ``60``, ``min``, ``max``, ``pot``, ``1/2``, ``3bb``. None from all else."""
    text = text.strip().lower().replace(",", "")
    bounds = spot.bounds
    if bounds is None:
        return None
    if text in {"min", "max"}:
        return bounds.min if text == "min" else bounds.max
    if text in _SHARES:
        return max(bounds.min, min(bounds.max, _share(spot, _SHARES[text])))
    blinds = text.endswith("bb")
    digits = text.removesuffix("bb")
    if not digits.isdecimal() or len(digits) > 15:
        return None
    return int(digits) * (spot.view.settings.big_blind if blinds else 1)


def _share(spot: Spot, share: Fraction) -> int:
    """A bet or raise of that share of the pot after calling."""
    return spot.called + int((spot.pot + spot.to_call) * share)


def _ahead(armed: Armed) -> str:
    words = "check or fold" if armed.action == "check_fold" else armed.action.replace("_", " ")
    return f"{words} {chips(armed.to_call)}" if armed.action == "call" and armed.to_call else words


def _span(bounds: Range) -> str:
    return chips(bounds.min) if bounds.min == bounds.max else f"{chips(bounds.min)} to {chips(bounds.max)}"

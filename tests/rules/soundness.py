"""What must hold of any hand after any event, and of any turn. Knows no particular hand."""

from collections.abc import Iterable, Iterator

from fullring.rules.actions import Act, Action, Command, Legal
from fullring.rules.cards import UNKNOWN
from fullring.rules.events import Event, HandStarted, PotAwarded
from fullring.rules.game import Game
from fullring.rules.hand import decide, evolve, legal
from fullring.rules.pots import pots
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, FOLDED, NOBODY, Hand


def facts(hand: Hand) -> dict[str, object]:
    """All that a hand knows, to be compared later; not ``legal``, which only remembers what follows from the rest."""
    known = {name: getattr(hand, name) for name in Hand.__slots__ if name != "legal"}
    return {name: value.copy() if isinstance(value, list) else value for name, value in known.items()}


def fold(events: Iterable[Event], game: Game | None = None) -> Hand:
    """The hand that these events make."""
    first, *rest = events
    assert isinstance(first, HandStarted)
    hand = Hand(first, game)
    for event in rest:
        evolve(hand, event)
    return hand


def apply(hand: Hand, events: Iterable[Event]) -> None:
    """Let it happen, and hold the hand to its promises after every event."""
    for event in events:
        evolve(hand, event)
        check(hand, event)


def check(hand: Hand, event: Event) -> None:
    """Chips conserved and in some pot that a live hand can win, no card twice, the counts right, one seat to act."""
    assert sum(hand.stacks) + hand.pot + hand.rake == hand.total
    assert min(hand.stacks) >= 0
    assert min(hand.bets) >= 0
    assert all(bet <= paid for bet, paid in zip(hand.bets, hand.paid, strict=True)) or hand.over
    if not (hand.over or isinstance(event, PotAwarded)):
        layers = pots(hand)
        assert sum(pot.amount for pot in layers) == hand.pot
        assert all(pot.amount > 0 and pot.eligible for pot in layers)
        assert all(hand.status[i] != FOLDED for pot in layers for i in pot.eligible)
    cards = [card for card in [*hand.board, *[card for hole in hand.holes for card in hole]] if card != UNKNOWN]
    assert len(set(cards)) == len(cards)
    assert hand.live == sum(status != FOLDED for status in hand.status) >= 1
    assert hand.active == sum(status == ACTIVE for status in hand.status)
    assert hand.to_act == NOBODY or hand.status[hand.to_act] == ACTIVE


def refusal(hand: Hand, command: Command) -> Refused | None:
    """Why this is refused, None if it is not. Either way, asking changes nothing."""
    before = facts(hand)
    try:
        decide(hand, command)
        refused = None
    except Refused as why:
        refused = why
    assert facts(hand) == before, f"{command} left a trace"
    return refused


def check_turn(hand: Hand) -> None:
    """Exactly what ``legal`` lists is accepted, and everything else is refused."""
    allowed = legal(hand)
    assert allowed is not None
    for act, right in _answers(allowed):
        refused = refusal(hand, act)
        assert (refused is None) == right, f"{act}: {refused or 'accepted'}"
    for seat in {*hand.seats, max(hand.seats) + 1} - {allowed.seat}:
        refused = refusal(hand, Act(seat, Action.FOLD))
        assert refused is not None
        assert refused.code is Refusal.NOT_YOUR_TURN


def _answers(allowed: Legal) -> Iterator[tuple[Act, bool]]:
    """Every kind of answer, with the amounts at and beyond the limits, and whether it must be accepted."""
    seat, low, top = allowed.seat, allowed.to_min, allowed.to_max
    yield Act(seat, Action.FOLD), True
    yield Act(seat, Action.CHECK), allowed.call is None
    yield Act(seat, Action.CALL), allowed.call is not None
    yield Act(seat, Action.ALL_IN), allowed.all_in is not None
    if low is None or top is None:
        assert low is top is None
    limits = (0, 100) if low is None or top is None else (low, top)
    for action, right in ((Action.BET, allowed.opens), (Action.RAISE, not allowed.opens)):
        for to in {-1, 0, *(limit + step for limit in limits for step in (-1, 0, 1))}:
            fits = low is not None and top is not None and low <= to <= top
            yield Act(seat, action, to), right and fits
        yield Act(seat, action), False
        yield Act(seat, action, True), False

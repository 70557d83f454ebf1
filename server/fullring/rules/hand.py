"""One hand, from the forced bets to the last award.

``start`` and ``decide`` say what happens; ``decide`` may refuse, and neither changes anything.
``evolve`` applies what happened and never refuses. A hand is the fold of its events: live, resumed and replayed are one
path.
It knows nothing of time, owners or the table around it.
"""

from typing import assert_never

from fullring.rules import betting, pots, showdown
from fullring.rules.actions import Act, Action, Auto, Command, Leave, Legal, SeatNo, Show
from fullring.rules.cards import UNKNOWN
from fullring.rules.events import (
    Abandoned,
    Acted,
    CardsShown,
    Event,
    HandEnded,
    HandStarted,
    HoleCardsDealt,
    Post,
    Posted,
    PotAwarded,
    Stake,
    StreetDealt,
    TurnStarted,
)
from fullring.rules.game import Game
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, FOLDED, NOBODY, NOT_YET, Hand, evolve

__all__ = ["Hand", "decide", "evolve", "legal", "start"]

FOLD, CHECK = Action.FOLD, Action.CHECK
SEATS_MIN, SEATS_MAX = 2, 10


def start(started: HandStarted, game: Game | None = None) -> list[Event]:
    """All that happens up to the first decision: forced bets, the deal, and the whole hand if nobody has one.

    ValueError if such a hand can't be dealt; the error names no card.
    """
    hand = Hand(started, game)
    _check(hand)
    events: list[Event] = [started]
    for post in started.posts:
        events.append(_posted(hand, post))
        evolve(hand, events[-1])
    for event in _street(hand):
        events.append(event)
        evolve(hand, event)
    return _play_on(hand, events)


def decide(hand: Hand, command: Command) -> list[Event]:
    """The events this command causes. Raises Refused."""
    match command:
        case Act():
            return _act(hand, command)
        case Leave(seat):
            return _leave(hand, seat)
        case Show(seat, cards):
            return [_show(hand, seat, cards)]
        case _:
            assert_never(command)


def legal(hand: Hand) -> Legal | None:
    """What the seat to act may do; None when nobody is to act. Found once a turn."""
    if hand.legal is None and hand.to_act != NOBODY:
        hand.legal = betting.bounds(hand)
    return hand.legal


def _act(hand: Hand, act: Act) -> list[Event]:
    i = hand.to_act
    allowed = hand.legal or legal(hand)
    if allowed is None or act.seat != allowed.seat:
        raise Refused(Refusal.NOT_YOUR_TURN, _whose_turn(hand, act.seat))
    event = betting.judge(hand, allowed, act)
    high = event.to if event.to > hand.high else hand.high
    folded = event.action is FOLD
    if hand.live - folded > 1 and hand.floor <= high and not hand.gone:
        active = hand.active - (folded or event.all_in)
        j = betting.asked(hand, i + 1, hand.size - 1, high, active)
        if j != NOBODY:
            return [event, TurnStarted(hand.seats[j], hand.turn + 1)]
    ahead = hand.copy()
    evolve(ahead, event)
    return _play_on(ahead, [event])


def _whose_turn(hand: Hand, seat: SeatNo) -> str:
    turn = hand.seat_to_act
    return f"seat {seat} is not the one to act: " + ("nobody is" if turn is None else f"seat {turn} is")


def _leave(hand: Hand, seat: SeatNo) -> list[Event]:
    i = hand.index.get(seat)
    if hand.over or i is None or hand.status[i] != ACTIVE or i in hand.gone:
        return []
    if hand.to_act != i:
        return [Abandoned(seat)]
    events: list[Event] = [Abandoned(seat), Acted(seat, FOLD, 0, hand.bets[i], False, Auto.LEFT)]
    ahead = hand.copy()
    for event in events:
        evolve(ahead, event)
    return _play_on(ahead, events)


def _show(hand: Hand, seat: SeatNo, cards: tuple[int, ...]) -> CardsShown:
    i = hand.index.get(seat)
    if i is None or not hand.over:
        raise Refused(Refusal.ILLEGAL_ACTION, "cards can be shown once the hand is over, by those who were in it")
    if hand.status[i] == FOLDED:
        raise Refused(Refusal.ILLEGAL_ACTION, "a folded hand can't be shown")
    if not cards or len(set(cards)) != len(cards) or not set(cards) <= set(hand.holes[i]):
        raise Refused(Refusal.ILLEGAL_ACTION, "only own hole cards can be shown, each once")
    if set(cards) <= set(hand.shown[i]):
        raise Refused(Refusal.ILLEGAL_ACTION, "those cards are shown already")
    return CardsShown(seat, tuple([card for card in hand.holes[i] if card in cards or card in hand.shown[i]]))


def _check(hand: Hand) -> None:
    """Every card once and enough of them, every seat once and with chips, nothing posted by a stranger."""
    deck, size = hand.deck, hand.size
    known = set(deck)
    if len(known) != len(deck) and len(known - {UNKNOWN}) + deck.count(UNKNOWN) != len(deck):
        raise ValueError("the deck holds a card twice")
    if len(deck) < hand.game.cards_needed(size):
        raise ValueError(f"{len(deck)} cards are too few for {size} players")
    if not SEATS_MIN <= size <= SEATS_MAX or len(hand.index) != size or min(hand.stacks) < 1:
        raise ValueError(f"a hand needs {SEATS_MIN} to {SEATS_MAX} different seats with chips")
    for post in hand.started.posts:
        if post.seat not in hand.index or post.amount < 0:
            raise ValueError("a forced bet needs a seat of this hand and an amount")


def _posted(hand: Hand, post: Post) -> Posted:
    stack = hand.stacks[hand.index[post.seat]]
    amount = post.amount if post.amount < stack else stack
    return Posted(post.seat, post.kind, amount, post.amount, amount == stack)


def _play_on(ahead: Hand, events: list[Event]) -> list[Event]:
    """Add what follows until somebody is to act or the hand is over. ``ahead`` is spent on finding out."""
    while True:
        more = _next(ahead)
        events += more
        last = more[-1]
        if type(last) is HandEnded or (type(last) is TurnStarted and ahead.index[last.seat] not in ahead.gone):
            return events
        for event in more:
            evolve(ahead, event)


def _next(hand: Hand) -> list[Event]:
    """What follows where nobody is waited for: a leaver's answer, a turn, a return, a street, or the end."""
    if hand.to_act != NOBODY:
        return [_absent(hand, hand.to_act)]
    turn = betting.next_to_act(hand) if hand.live > 1 else NOBODY
    if turn != NOBODY:
        return [TurnStarted(hand.seats[turn], hand.turn + 1)]
    back = pots.uncalled(hand)
    if back is not None:
        return [back]
    if hand.live == 1:
        return _ended(hand, showdown.awards(hand, []))
    last = hand.street == len(hand.game.streets) - 1
    leaver = _undecided_leaver(hand, last=last)
    if leaver is not None:
        return [Acted(hand.seats[leaver], FOLD, 0, hand.bets[leaver], False, Auto.LEFT)]
    if last:
        return showdown.thrown_away(hand) or _showdown(hand)
    up = showdown.turned_up(hand) if hand.active < 2 and not any(hand.shown) else []
    return up + _street(hand, hand.street + 1)


def _absent(hand: Hand, i: int) -> Acted:
    """What a leaver does on the turn: check if that is free, else fold."""
    allowed = betting.bounds(hand)
    return Acted(hand.seats[i], CHECK if allowed.check else FOLD, 0, hand.bets[i], False, Auto.LEFT)


def _undecided_leaver(hand: Hand, *, last: bool) -> int | None:
    """The one seat left with chips, if its player has left and its turn on this street never came."""
    if hand.active != 1 or not hand.gone:
        return None
    i = hand.status.index(ACTIVE)
    return i if i in hand.gone and (not last or hand.acted[i] == NOT_YET) else None


def _showdown(hand: Hand) -> list[Event]:
    values = showdown.strengths(hand)
    return _ended(hand, showdown.shows(hand, values) + showdown.awards(hand, values))


def _ended(hand: Hand, events: list[Event]) -> list[Event]:
    stacks = hand.stacks.copy()
    rake = 0
    for event in events:
        if type(event) is PotAwarded:
            rake += event.rake
            for share in event.winners:
                stacks[hand.index[share.seat]] += share.amount
    return [*events, HandEnded(tuple(map(Stake, hand.seats, stacks)), rake)]


def _street(hand: Hand, number: int = 0) -> list[Event]:
    """What the street deals. The first street is not announced: its betting follows the deal."""
    street = hand.game.streets[number]
    events: list[Event] = []
    at = hand.dealt
    if street.hole:
        live = hand.seats
        if hand.live < hand.size:
            live = tuple([seat for seat, status in zip(live, hand.status, strict=True) if status != FOLDED])
        events.append(HoleCardsDealt(live, street.hole))
        at += len(live) * street.hole
    if number:
        events.append(StreetDealt(street.name, hand.deck[at : at + street.board]))
    return events

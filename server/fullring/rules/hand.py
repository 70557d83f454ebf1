"""One hand, from the forced bets to the last award.

``start`` and ``decide`` say what happens; ``decide`` may refuse, and neither changes anything.
``evolve`` applies what happened and never refuses. A hand is the fold of its events: live, resumed and replayed are one
path.
It knows nothing of time, owners or the table around it.
"""

from typing import assert_never

from fullring.rules import betting, pots, showdown
from fullring.rules.actions import Act, Action, Auto, Chips, Command, Leave, Legal, SeatNo, Show
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
    Post,
    Posted,
    PostKind,
    PotAwarded,
    Stake,
    StreetDealt,
    TurnStarted,
    UncalledReturned,
)
from fullring.rules.game import Game
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, ALL_IN, FOLDED, NOBODY, NOT_YET, Hand

FOLD, CHECK, CALL, BET, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.BET, Action.RAISE
NOMINAL = frozenset({PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.LIVE})
"""Posts that count towards the seat's bet."""
FIRST_MOVING = frozenset({PostKind.BIG_BLIND, PostKind.STRADDLE})
"""Posts after which the first to act is the next seat."""


def start(started: HandStarted, game: Game | None = None) -> list[Event]:
    """All that happens up to the first decision: forced bets, the deal, and the whole hand if nobody has one."""
    hand = Hand(started, game)
    events: list[Event] = [started]
    for post in started.posts:
        events.append(_posted(hand, post))
        evolve(hand, events[-1])
    return _play_on(hand, events, _street(hand))


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
    allowed = legal(hand)
    if allowed is None or act.seat != allowed.seat:
        raise Refused(Refusal.NOT_YOUR_TURN, _whose_turn(hand, act.seat))
    event = betting.judge(hand, allowed, act)
    high = event.to if event.to > hand.high else hand.high
    folded = event.action is FOLD
    if hand.live - folded > 1 and hand.floor <= high and not hand.gone:
        active = hand.active - (folded or event.all_in)
        j = betting.behind(hand, i, high, active)
        if j != NOBODY:
            return [event, TurnStarted(hand.seats[j], hand.turn + 1)]
    ahead = hand.copy()
    evolve(ahead, event)
    return _play_on(ahead, [event], [])


def _whose_turn(hand: Hand, seat: SeatNo) -> str:
    turn = hand.seat_to_act
    return f"seat {seat} is not the one to act: " + ("nobody is" if turn is None else f"seat {turn} is")


def _leave(hand: Hand, seat: SeatNo) -> list[Event]:
    i = hand.index.get(seat)
    if hand.over or i is None or hand.status[i] != ACTIVE or i in hand.gone:
        return []
    ahead = hand.copy()
    events: list[Event] = [Abandoned(seat)]
    if hand.to_act == i:
        events.append(Acted(seat, FOLD, 0, hand.bets[i], False, Auto.LEFT))
    for event in events:
        evolve(ahead, event)
    return _play_on(ahead, events, [])


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


def _posted(hand: Hand, post: Post) -> Posted:
    stack = hand.stacks[hand.index[post.seat]]
    amount = post.amount if post.amount < stack else stack
    return Posted(post.seat, post.kind, amount, post.amount, amount == stack)


def _play_on(ahead: Hand, events: list[Event], dealt: list[Event]) -> list[Event]:
    """Add what follows until somebody is to act or the hand is over. ``ahead`` is spent on finding out."""
    for event in dealt:
        events.append(event)
        evolve(ahead, event)
    while not ahead.over and (ahead.to_act == NOBODY or ahead.to_act in ahead.gone):
        for event in _next(ahead):
            events.append(event)
            evolve(ahead, event)
    return events


def _next(hand: Hand) -> list[Event]:
    """What follows where nobody is waited for: a leaver's answer, a turn, a return, a street, or the end."""
    if hand.to_act != NOBODY:
        return [_absent(hand, hand.to_act)]
    turn = betting.next_to_act(hand)
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
        live = tuple([seat for seat, status in zip(hand.seats, hand.status, strict=True) if status != FOLDED])
        events.append(HoleCardsDealt(live, street.hole))
        at += len(live) * street.hole
    if number:
        events.append(StreetDealt(street.name, hand.deck[at : at + street.board]))
    return events


def evolve(hand: Hand, event: Event) -> None:
    """Apply what happened. Chips are conserved after every event."""
    match event:
        case Acted():
            _acted(hand, event)
        case TurnStarted(seat, turn):
            hand.to_act = hand.index[seat]
            hand.turn = turn
            hand.legal = None
        case StreetDealt():
            _street_dealt(hand, event)
        case Posted():
            _post(hand, event)
        case HoleCardsDealt():
            _deal(hand, event)
        case Abandoned(seat):
            hand.gone |= {hand.index[seat]}
        case UncalledReturned(seat, amount):
            _return(hand, hand.index[seat], amount)
        case CardsShown(seat, cards):
            hand.shown[hand.index[seat]] = cards
        case Mucked(seat):
            _mucked(hand, seat)
        case PotAwarded():
            _award(hand, event)
        case HandEnded() | HandVoided():
            _over(hand, event)
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
    action = event.action
    if action is FOLD:
        _out(hand, i)
    else:
        if event.amount:
            _pay(hand, i, event.amount)
            if event.to > hand.high:
                if action is not CALL:
                    _raised(hand, i, event.to)
                hand.high = event.to
        level = hand.high if hand.high > hand.floor else hand.floor
        hand.acted[i] = level


def _raised(hand: Hand, i: int, to: Chips) -> None:
    """A bet or raise: what counts as full raises the bar; a short all-in does not (docs/rules.md, minimum raise)."""
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


def _post(hand: Hand, event: Posted) -> None:
    i = hand.index[event.seat]
    if event.amount:
        _pay(hand, i, event.amount)
    if event.kind in NOMINAL:
        hand.high = max(hand.high, hand.bets[i])
        hand.floor = max(hand.floor, event.due)
        hand.full_level = hand.floor
        hand.raises = 1
    else:
        hand.bets[i] -= event.amount
        if event.kind is not PostKind.ANTE:
            hand.paid[i] -= event.amount
            hand.dead += event.amount
    if event.kind in FIRST_MOVING:
        hand.next = i + 1 if i + 1 < hand.size else 0


def _deal(hand: Hand, event: HoleCardsDealt) -> None:
    deck, at, count = hand.deck, hand.dealt, len(event.seats)
    for place, seat in enumerate(event.seats):
        i = hand.index[seat]
        hand.holes[i] += deck[at + place : at + count * event.count : count]
    hand.dealt = at + count * event.count


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


def _return(hand: Hand, i: int, amount: Chips) -> None:
    hand.stacks[i] += amount
    hand.paid[i] -= amount
    hand.bets[i] = max(0, hand.bets[i] - amount)
    hand.high = max(hand.bets)
    hand.pot -= amount
    if hand.status[i] == ALL_IN:
        hand.status[i] = ACTIVE
        hand.active += 1


def _mucked(hand: Hand, seat: SeatNo) -> None:
    """Hidden for good. A hand that was given up before any was compared is also out of the pots."""
    if seat in hand.started.mucks:
        _out(hand, hand.index[seat])


def _award(hand: Hand, event: PotAwarded) -> None:
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

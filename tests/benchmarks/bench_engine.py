"""Our engine against PokerKit: the same real hands, the legal actions asked before every action, events included.

Both play the Pluribus hands in turns, on one core. Cards are read and decks are put in order beforehand on both sides,
and both must end with the recorded stacks. The last line says how many hands we play while PokerKit plays one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter

from pokerkit import Automation, Card, NoLimitTexasHoldem

from fullring.rules.actions import Act, Action
from fullring.rules.cards import FULL_DECK, Deck, texts
from fullring.rules.events import HandStarted, Post, PostKind, Stake
from fullring.rules.hand import decide, evolve, legal, start
from fullring.rules.state import Hand
from tests.conformance.records import Record, read, started

HANDS = 1000
BATCH = 100
ROUNDS = 7
POSTS = (Post(1, PostKind.SMALL_BLIND, 50), Post(2, PostKind.BIG_BLIND, 100))
AUTOMATIONS = (  # All but the dealing, because the cards are given.
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


@dataclass(frozen=True, slots=True)
class Script:
    """A hand as either engine is told it."""

    stacks: tuple[int, ...]
    acts: tuple[Act, ...]
    finishing: tuple[int, ...]
    deck: Deck
    holes: tuple[tuple[Card, ...], ...]
    streets: tuple[tuple[Card, ...], ...]


def script(record: Record) -> Script:
    raises = (Action.BET, Action.RAISE)
    return Script(
        stacks=record.stacks,
        acts=tuple(Act(move.seat, move.action, move.to if move.action in raises else None) for move in record.moves),
        finishing=record.finishing,
        deck=started(record).deck,
        holes=tuple(tuple(Card.parse(texts(hole))) for hole in record.holes),
        streets=tuple(tuple(Card.parse(texts(street))) for street in record.streets),
    )


def play_ours(script: Script) -> tuple[int, ...]:
    hand = _begin(script)
    for act in script.acts:
        legal(hand)
        for event in decide(hand, act):
            evolve(hand, event)
    return tuple(hand.stacks)


def _begin(script: Script) -> Hand:
    seats = tuple([Stake(seat, stack) for seat, stack in enumerate(script.stacks, 1)])
    begun = HandStarted("h", 1, "nlhe", len(seats), seats, POSTS, 100, 100, script.deck)
    hand = Hand(begun)
    for event in start(begun)[1:]:
        evolve(hand, event)
    return hand


def play_pokerkit(script: Script) -> tuple[int, ...]:
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (50, 100), 100, script.stacks, len(script.stacks))
    for hole in script.holes:
        state.deal_hole(hole)
    streets = iter(script.streets)
    for act in script.acts:
        if state.can_burn_card():
            state.burn_card("??")
            state.deal_board(next(streets))
        _ = (
            state.can_fold(),
            state.checking_or_calling_amount,
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        if act.action is Action.FOLD:
            state.fold()
        elif act.to is None:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(act.to)
    while state.status and state.can_burn_card():
        state.burn_card("??")
        state.deal_board(next(streets))
    return tuple(state.stacks)


def timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def race(scripts: list[Script]) -> tuple[list[list[float]], list[list[float]]]:
    """Seconds for each round of each batch. The two take turns: a busy moment of the machine meets both."""
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    for _ in range(ROUNDS):
        ours.append([])
        theirs.append([])
        for at in range(0, len(scripts), BATCH):
            batch = scripts[at : at + BATCH]
            ours[-1].append(timed(partial(play_all, play_ours, batch)))
            theirs[-1].append(timed(partial(play_all, play_pokerkit, batch)))
    return ours, theirs


def play_all(play: Callable[[Script], object], scripts: list[Script]) -> None:
    for one in scripts:
        play(one)


def least(rounds: list[list[float]]) -> float:
    """The time for all hands, of each batch the round in which it was quickest."""
    return sum(min(one[batch] for one in rounds) for batch in range(len(rounds[0])))


def worst_call(scripts: Iterable[Script]) -> float:
    """The longest that any one call of ours takes: to begin a hand, or to answer, judge and apply one action.

    Each is the least of three tries, so that it measures the call and not what else the machine was doing.
    """
    worst = 0.0
    for script in scripts:
        worst = max(worst, min(timed(partial(_begin, script)) for _ in range(3)))
        hand = _begin(script)
        for act in script.acts:
            worst = max(worst, min(timed(partial(_answer, hand.copy(), act)) for _ in range(3)))
            _answer(hand, act)
    return worst


def _answer(hand: Hand, act: Act) -> None:
    legal(hand)
    for event in decide(hand, act):
        evolve(hand, event)


def showdown_of_nine() -> float:
    """Nine players check down to the river: the last check, with the showdown and the awards."""
    seats = tuple([Stake(seat, 1000) for seat in range(1, 10)])
    begun = HandStarted("h", 1, "nlhe", 9, seats, POSTS, 100, 100, Deck(FULL_DECK))
    hand = Hand(begun)
    for event in start(begun)[1:]:
        evolve(hand, event)
    while len(hand.board) < 5 or hand.to_act != 8:
        allowed = legal(hand)
        assert allowed is not None
        _answer(hand, Act(allowed.seat, Action.CHECK if allowed.check else Action.CALL))
    return min(timed(partial(_answer, hand.copy(), Act(9, Action.CHECK))) for _ in range(200))


def main() -> None:
    scripts = [script(record) for record in read("pluribus_sample.jsonl.gz")[:HANDS]]
    for one in scripts:
        assert play_ours(one) == play_pokerkit(one) == one.finishing
    ours, theirs = race(scripts)
    actions = sum(len(one.acts) for one in scripts)
    print(f"{len(scripts)} Pluribus hands, {actions} actions; of each {BATCH} the quickest of {ROUNDS} rounds:")
    for name, seconds in (("fullring", least(ours)), ("pokerkit", least(theirs))):
        print(f"  {name}  {seconds / len(scripts) * 1e6:7.1f} us a hand  {actions / seconds:9,.0f} actions a second")
    print(f"ratios of whole rounds, median: {median(sum(b) / sum(a) for a, b in zip(ours, theirs, strict=True)):.1f}")
    print(f"worst call of ours: {worst_call(scripts) * 1e6:.0f} us")
    print(f"last check and showdown of nine hands: {showdown_of_nine() * 1e6:.0f} us")
    print(f"ratio to pokerkit: {least(theirs) / least(ours):.1f}")


if __name__ == "__main__":
    main()

"""What an action costs at a six-handed table, part by part, in microseconds on one core.

``rules`` is what the hand itself costs (decide, evolve, legal); ``table`` is all that the table adds to it: whose
account it is, the clock, what follows a hand, the timer's deadline. The view and the events are what everybody is sent,
``you`` is one seat's own part. The last lines are the two figures that have a limit.

Every round plays the same hands; of each call the quickest counts, so that a busy machine matters little.
"""

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from fullring.rules.actions import Act, Action
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.hand import decide as decide_hand
from fullring.rules.hand import evolve as evolve_hand
from fullring.rules.hand import legal
from fullring.table.commands import ActOnTurn, Sit, Tick
from fullring.table.ids import AccountId, turn_id
from fullring.table.settings import TableSettings
from fullring.table.shapes import rank
from fullring.table.state import Table
from fullring.table.table import deadline, decide, evolve, opened
from fullring.table.views import public_events, public_view, you

ACTIONS = 4_000
ROUNDS = 7
LIMITS = {"table": 15.0, "view and events": 20.0}
T = TypeVar("T")


class Clock:
    """Notes how long each call took, by the name of a part."""

    def __init__(self) -> None:
        self.spent: dict[str, list[int]] = defaultdict(list)

    def __call__(self, part: str, what: Callable[[], T]) -> T:
        began = time.perf_counter_ns()
        result = what()
        self.spent[part].append(time.perf_counter_ns() - began)
        return result


def figures(rounds: Sequence[Clock]) -> dict[str, float]:
    """Microseconds an action for each part, without what the clock itself costs."""
    quickest = {
        part: [min(calls) for calls in zip(*(clock.spent[part] for clock in rounds), strict=True)]
        for part in rounds[0].spent
    }
    nothing = statistics.median(quickest.pop("nothing"))
    return {part: statistics.fmean(calls) / 1000 - nothing / 1000 for part, calls in quickest.items()}


def choose(chance: Random, table: Table) -> tuple[Action, int | None]:
    """As people play: half of the hands are folded, some pots are raised, the flop is seen by two or three."""
    assert table.hand is not None
    allowed = legal(table.hand)
    assert allowed is not None
    dice = chance.random()
    if allowed.to_min is not None and dice < 0.15:
        return (Action.BET if allowed.opens else Action.RAISE), allowed.to_min
    if allowed.check:
        return Action.CHECK, None
    return (Action.CALL if dice < 0.55 else Action.FOLD), None


def play(clock: Clock) -> None:
    rank.cache_clear()
    chance = Random(1)
    table, now = opened("t1", TableSettings("Magnolia", buy_in_max=10**9)), 0
    for number in range(6):
        sit = Sit(AccountId(f"a{number}"), f"player {number}", "bot", 10**6)
        evolve(table, decide(table, sit, now), now)
    for _ in range(ACTIONS):
        while table.between_hands:
            now = max(now, deadline(table) or 0)
            evolve(table, decide(table, Tick(Deck(chance.sample(FULL_DECK, len(FULL_DECK)))), now), now)
        now += 500
        act(clock, table, *choose(chance, table), now)


def act(clock: Clock, table: Table, action: Action, to: int | None, now: int) -> None:
    hand = table.hand
    assert hand is not None
    assert hand.seat_to_act is not None
    seat = table.seats[hand.seat_to_act]
    ahead, answer = hand.copy(), Act(seat.seat, action, to)

    def rules() -> None:
        for event in decide_hand(ahead, answer):
            evolve_hand(ahead, event)
        legal(ahead)

    clock("rules", rules)
    command = ActOnTurn(seat.account, table.hand_id, turn_id(table.hand_id, hand.turn), action, to)
    events = clock("decide", lambda: decide(table, command, now))
    clock("evolve", lambda: evolve(table, events, now))
    clock("legal", lambda: legal(hand))
    clock("deadline", lambda: deadline(table))
    clock("events", lambda: public_events(table, events))
    clock("view", lambda: public_view(table))
    clock("you", lambda: you(table, seat.seat))
    clock("nothing", lambda: None)


def main() -> None:
    rounds = [Clock() for _ in range(ROUNDS)]
    for clock in rounds:
        play(clock)
    cost = figures(rounds)
    added = cost["decide"] + cost["evolve"] + cost["legal"] + cost["deadline"] - cost["rules"]
    limited = {"table": added, "view and events": cost["view"] + cost["events"]}
    print(f"{ACTIONS} actions, the quickest of {ROUNDS} rounds, Python {sys.version.split()[0]}")
    for part, spent in cost.items():
        print(f"{part:>10} {spent:6.2f} us an action")
    for part, limit in LIMITS.items():
        print(f"{part} on top of the rules: {limited[part]:.2f} us an action (limit {limit:g})")


if __name__ == "__main__":
    main()

"""A table that is played at: people by name, a clock that the test moves, decks that it stacks.

After every command the table is held to its promises; `finish` replays its journal, which must make the same table.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from fullring.rules import events as hands
from fullring.rules.actions import Action, SeatNo
from fullring.rules.cards import FULL_DECK, Card, Deck, parse
from fullring.rules.record import HandRecord
from fullring.rules.refusals import Refusal, Refused
from fullring.table.commands import ActOnTurn, Command, Connect, Leave, Pause, Resume, Sit, SitIn, SitOut, Tick, TopUp
from fullring.table.events import Event, Positions
from fullring.table.ids import AccountId, Millis, TurnId, turn_id
from fullring.table.picture import Picture
from fullring.table.settings import TableSettings
from fullring.table.state import Seat
from fullring.table.table import deadline, decide, evolve, opened, record
from fullring.table.views import public_view, you
from tests.table.facts import facts
from tests.table.soundness import Journal, check, moved, update

E = TypeVar("E")
Json = dict[str, Any]

START = 1_795_968_000_000
SECOND, MINUTE = 1_000, 60_000
TICKS_MAX = 2_000
ACTIONS = {"all-in": Action.ALL_IN} | {action.value: action for action in Action}


def account(name: str) -> AccountId:
    return AccountId(f"a-{name}")


class Playing:
    """``journal`` is what the log would hold, ``updates`` what everybody was sent, ``records`` the finished hands."""

    def __init__(self, **chosen: Any) -> None:
        usual: Json = {"name": "Magnolia", "small_blind": 10, "big_blind": 20, "buy_in_min": 200, "buy_in_max": 2_000}
        self.settings = TableSettings(**(usual | chosen))
        self.table = opened("t1", self.settings)
        self.now: Millis = START
        self.picture = Picture(self.table)
        self.journal = Journal(self.settings)
        self.updates: list[Json] = []
        self.records: list[HandRecord] = []
        self.bought = 0
        self.stacked: Callable[[Sequence[SeatNo]], Deck] = lambda _: Deck(FULL_DECK)

    # --- asking ---

    def do(self, command: Command, at: Millis | None = None) -> list[Event]:
        """Let it happen. Raises Refused; either way, deciding changes nothing."""
        now = self.now if at is None else at
        before = facts(self.table)
        try:
            events = decide(self.table, command, now)
        finally:
            assert facts(self.table) == before, "deciding left a trace"
        if events:
            self._happen(events, now)
        return events

    def _happen(self, events: list[Event], now: Millis) -> None:
        finished = record(self.table, events, now)
        if finished is not None:
            self.records.append(finished)
        self.journal.write(self.table, events, now)
        evolve(self.table, events, now)
        self.bought += moved(events)
        check(self.table, self.bought)
        self.updates.append(update(self.table, events, now))
        self.picture.changed(events)
        self._compare()

    def _compare(self) -> None:
        """A picture that is kept up to date shows the same as one that is new."""
        assert self.picture.public() == public_view(self.table)
        assert self.picture.yours() == {seat.account: you(self.table, seat.seat) for seat in self.table.seats.values()}

    def finish(self) -> None:
        self.journal.check(self.table)

    def refused(self, command: Command, at: Millis | None = None) -> Refusal:
        """Why it is refused, as it must be."""
        with pytest.raises(Refused) as refused:
            self.do(command, at)
        assert refused.value.text.strip(), "a refusal says what would be right"
        return refused.value.code

    def sit(self, name: str, seat: SeatNo | None = None, buy_in: int = 1_000, *, post_now: bool = False) -> None:
        self.do(Sit(account(name), name, "player", buy_in, seat, post_now))

    def sit_all(self, names: str, buy_in: int = 1_000) -> None:
        """``Ann Bob - Cid``: one after the other from seat 1 on, ``-`` leaves one free."""
        for seat, name in enumerate(names.split(), 1):
            if name != "-":
                self.sit(name, seat, buy_in)

    def leave(self, *names: str) -> None:
        for name in names:
            self.do(Leave(account(name)))

    def sit_out(self, *names: str) -> None:
        for name in names:
            self.do(SitOut(account(name)))

    def sit_in(self, name: str, *, post_now: bool = False) -> None:
        self.do(SitIn(account(name), post_now))

    def top_up(self, name: str, amount: int) -> None:
        self.do(TopUp(account(name), amount))

    def connect(self, *names: str) -> None:
        for name in names:
            self.do(Connect(account(name), True))

    def disconnect(self, *names: str) -> None:
        for name in names:
            self.do(Connect(account(name), False))

    def answer(self, line: str, turn: TurnId | None = None) -> ActOnTurn:
        """``Ann raise 60``, as an answer to the turn that is on, or to the one that is named."""
        name, verb, *to = line.split()
        turn = turn or self.turn()
        return ActOnTurn(account(name), self.table.hand_id, turn, ACTIONS[verb], int(to[0]) if to else None)

    def plays(self, *lines: str) -> list[Event]:
        """What players do on their turns, in this order; the events of the last."""
        return [self.do(self.answer(line)) for line in lines][-1]

    # --- time ---

    def tick(self) -> list[Event]:
        """What is due by now happens. The deck is stacked for those who are dealt in."""
        deck = Deck(FULL_DECK)
        for event in decide(self.table, Tick(deck), self.now):
            if isinstance(event, hands.HandStarted):
                deck = self.stacked([stake.seat for stake in event.seats])
        return self.do(Tick(deck))

    def wait(self, span: Millis) -> None:
        """So much time passes, and the table's clock rings whenever something is due."""
        until = self.now + span
        for _ in range(TICKS_MAX):
            due = deadline(self.table)
            if due is None or due > until:
                self.now = until
                return
            self.now = max(self.now, due)
            assert self.tick(), "what is due happens"
        raise AssertionError("the table does not come to rest")

    def deal(self, board: str = "", **holes: str) -> str:
        """Wait for the next hand and say its places. Cards by name; all others are any."""
        number = self.table.hands
        cards = {self.seat(name).seat: parse(hole) for name, hole in holes.items()}
        self.stacked = lambda dealt: stack(dealt, cards, parse(board))
        while self.table.hands == number:
            due = deadline(self.table)
            assert due is not None, "no hand is going to start"
            self.wait(max(0, due - self.now))
        return self.places()

    def pause(self, span: Millis) -> None:
        """The host stops the game, and lets it go on so much later."""
        self.do(Pause("a break"))
        self.wait(span)
        self.do(Resume("the break is over"))

    def over(self) -> None:
        """Everybody folds until the hand is over."""
        while (seat := self.to_act()) is not None:
            self.plays(f"{seat.name} fold")

    def showdown(self) -> None:
        """Everybody checks or calls until the hand is over."""
        while (seat := self.to_act()) is not None:
            self.plays(f"{seat.name} {'check' if self.actions()['check'] else 'call'}")

    # --- looking ---

    def seat(self, name: str) -> Seat:
        seat = self.table.seat_of(account(name))
        assert seat is not None, f"{name} has no seat"
        return seat

    def names(self) -> str:
        """Who sits there, in the order of their seats."""
        return " ".join(self.table.seats[number].name for number in sorted(self.table.seats))

    def stacks(self) -> dict[str, int]:
        """The chips behind, now."""
        return {seat.name: self.table.stack(seat) for seat in self.table.seats.values()}

    def to_act(self) -> Seat | None:
        hand = self.table.hand
        return None if hand is None or hand.seat_to_act is None else self.table.seats[hand.seat_to_act]

    def acting(self) -> str | None:
        seat = self.to_act()
        return None if seat is None else seat.name

    def turn(self) -> TurnId:
        assert self.table.hand is not None
        return turn_id(self.table.hand_id, self.table.hand.turn)

    def view(self) -> Json:
        return public_view(self.table)

    def shown_turn(self) -> Json | None:
        """The turn as everybody sees it."""
        turn: Json | None = self.view().get("hand", {}).get("turn")
        return turn

    def actions(self) -> Json:
        turn = self.shown_turn()
        assert turn is not None, "nobody is to act"
        actions: Json = turn["actions"]
        return actions

    def you(self, name: str) -> Json:
        return you(self.table, self.seat(name).seat)

    def shown_seat(self, name: str) -> Json:
        """The seat as everybody sees it."""
        found: Json = next(seat for seat in self.view()["seats"] if seat["name"] == name)
        return found

    def told(self, kind: str) -> list[Json]:
        """All public events of that kind so far."""
        return [event for sent in self.updates for event in sent["events"] if event["type"] == kind]

    def happened(self, kind: type[E]) -> list[E]:
        """All events of that kind so far."""
        return [event for _, events in self.journal.rows for event in events if isinstance(event, kind)]

    def places(self) -> str:
        """``button Ann, small blind Bob, big blind Cid`` of the last hand; an empty seat by its number."""
        at = self.happened(Positions)[-1]
        small = "no small blind" if at.small_blind is None else f"small blind {self._place(at.small_blind)}"
        return f"button {self._place(at.button)}, {small}, big blind {self._place(at.big_blind)}"

    def dealt(self) -> str:
        """Who was dealt into the last hand, from the button's left."""
        return " ".join(self._place(stake.seat) for stake in self.happened(hands.HandStarted)[-1].seats)

    def posts(self) -> list[str]:
        """``Ann small_blind 10``, of the last hand."""
        posts = self.happened(hands.HandStarted)[-1].posts
        return [f"{self._place(post.seat)} {post.kind} {post.amount}" for post in posts]

    def _place(self, number: SeatNo) -> str:
        seat = self.table.seats.get(number)
        return f"seat {number}" if seat is None else seat.name


def stack(dealt: Sequence[SeatNo], holes: Mapping[SeatNo, Sequence[Card]], board: Sequence[Card]) -> Deck:
    """A deck that deals those hole cards, one at a time round the table, and that board."""
    named = {*board, *(card for hole in holes.values() for card in hole)}
    others = [card for card in FULL_DECK if card not in named]
    full = [holes.get(seat) or (others.pop(), others.pop()) for seat in dealt]
    return Deck([*(hole[k] for k in range(2) for hole in full), *board, *others])

"""Faults planted in the server, one at a time, to show that a run finds them. None of it is in the server's code."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import count
from typing import Any
from unittest.mock import patch

from fullring.rules.cards import Deck
from fullring.runtime import actor
from fullring.runtime.answers import Answers, Asked
from fullring.runtime.audience import Audience
from fullring.runtime.clock import Alarm
from fullring.runtime.committer import Committer
from fullring.runtime.mailbox import Mailbox
from fullring.runtime.outbox import Outbox
from fullring.runtime.ports import Outcome
from fullring.store import journal, money, recovery
from fullring.store.journal import SqlLog
from fullring.store.ownership import Lease
from fullring.table import play, views
from fullring.table.ids import turn_id
from fullring.table.picture import Picture
from fullring.table.shapes import texts
from tests.simulation import disk
from tests.simulation.weather import FAIR, Weather
from tests.simulation.world import LIFE

DYING = replace(FAIR, kill_after=2_500, repeating=0.3)
FAILING = replace(FAIR, lost=0.03, unheard=0.03, refused=0.02, repeating=0.2)
RESTLESS = replace(FAIR, absence=0.3, lingering=0.2, leaving=0.2, moving=0.2, repeating=0.3, malice=0.2)
LAST_MINUTE = replace(FAIR, sniping=0.5, slowness=0.2)
TWO_OWNERS = replace(FAIR, stall_every=8_000, stall=(1_000, 12_000), replaced=1.0)
SLY = replace(FAIR, malice=1.0)
Planting = Callable[[ExitStack], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """``weather`` is one in which it can be noticed."""

    name: str
    weather: Weather
    plant: Planting

    def planted(self) -> AbstractContextManager[object]:
        stack = ExitStack()
        self.plant(stack)
        return stack


def _change(stack: ExitStack, where: object, name: str, by: Callable[[Any], Any]) -> None:
    """Put another in the place of what is there; ``by`` gets what was."""
    stack.enter_context(patch.object(where, name, by(getattr(where, name))))


def _acknowledged_before_the_commit(stack: ExitStack) -> None:
    def early(write: Any) -> Any:
        def now(self: Committer, batch: Any) -> Any:
            real = write(self, batch)
            real.add_done_callback(lambda done: done.cancelled() or done.exception())
            told = real.get_loop().create_future()
            told.set_result(Outcome.COMMITTED)
            return told

        return now

    _change(stack, Committer, "write", early)


def _an_answer_is_lost(stack: ExitStack) -> None:
    number = count(1)

    def forgetful(tell: Any) -> Any:
        return lambda self, answer: tell(self, answer) if next(number) % 20 else self.waiting.clear()

    _change(stack, Asked, "tell", forgetful)


def _paid_twice(stack: ExitStack) -> None:
    def generous(transfer: Any) -> Any:
        return lambda purpose, account, amount: transfer(
            purpose, account, 2 * amount if purpose is money.Purpose.CASH_OUT else amount
        )

    _change(stack, money, "_transfer", generous)


def _a_turn_is_a_millisecond_short(stack: ExitStack) -> None:
    def early(deadline: Any) -> Any:
        return lambda table: None if (due := deadline(table)) is None else due - 1

    _change(stack, actor, "deadline", early)


def _the_clock_wins_a_tie(stack: ExitStack) -> None:
    def strict(take: Any) -> Any:
        return lambda self, until: take(self, None if until is None else until - 1)

    _change(stack, Mailbox, "take", strict)


def _a_hidden_card_in_the_public_view(stack: ExitStack) -> None:
    def open_hand(seat_view: Any) -> Any:
        def shown(table: Any, number: int) -> Any:
            view = seat_view(table, number)
            return view | {"cards": texts(table.hole_cards(number))} if number == 2 else view

        return shown

    _change(stack, views, "seat_view", open_hand)


def _anothers_cards(stack: ExitStack) -> None:
    def wrong(own: Any) -> Any:
        def next_door(self: Picture, number: int) -> Any:
            table = self.table
            return own(self, number) | {"cards": texts(table.hole_cards(number % len(table.seats) + 1))}

        return next_door

    _change(stack, Picture, "_your", wrong)


def _a_resume_skips_an_update(stack: ExitStack) -> None:
    def short(missed: Any) -> Any:
        def fewer(self: Audience, since: Any) -> Any:
            events, lost = missed(self, since)
            return events[1:], lost

        return fewer

    _change(stack, Audience, "_missed", short)


def _an_owner_of_before_may_write(stack: ExitStack) -> None:
    _change(stack, Lease, "check", lambda _: lambda self, fence: None)
    _change(stack, journal, "_fence", lambda _: lambda connection, drafts, lease: {})


def _nothing_is_recognized_again(stack: ExitStack) -> None:
    async def unknown(self: SqlLog, table: str, key: object) -> None:
        return None

    def without_index(schema: Any) -> Any:
        return lambda: tuple(sql for sql in schema() if "uq_journal_command" not in sql)

    _change(stack, Answers, "find", lambda _: lambda self, key: None)
    _change(stack, SqlLog, "answer", lambda _: unknown)
    _change(stack, disk, "_schema", without_index)


def _another_deck_after_a_restart(stack: ExitStack) -> None:
    def cut(with_deck: Any) -> Any:
        def reshuffled(event: Any, found: Any, seal: Any) -> Any:
            event = with_deck(event, found, seal)
            deck = getattr(event, "deck", None)
            return event if deck is None else replace(event, deck=Deck([*deck[20:], *deck[:20]]))

        return reshuffled

    _change(stack, recovery, "_with_deck", cut)


def _no_timer_after_a_restart(stack: ExitStack) -> None:
    def dead(set_alarm: Any) -> Any:
        def first_life_only(self: Alarm, deadline: Any) -> None:
            life = LIFE.get()
            if life is None or life.number == 1:
                set_alarm(self, deadline)

        return first_life_only

    _change(stack, Alarm, "set", dead)


def _a_slow_reader_is_told_nothing(stack: ExitStack) -> None:
    def silent(update: Any) -> Any:
        def dropped(self: Outbox, audience: Any, frame: Any, own: Any) -> None:
            if not self._line.full:
                update(self, audience, frame, own)

        return dropped

    _change(stack, Outbox, "update", silent)


def _any_turn_will_do(stack: ExitStack) -> None:
    def willing(act: Any) -> Any:
        def now(table: Any, command: Any, at: Any) -> Any:
            hand = table.hand
            if hand is not None and not hand.over:
                turn = turn_id(table.hand_id, hand.turn)
                command = replace(command, hand=table.hand_id, turn=turn)
            return act(table, command, at)

        return now

    _change(stack, play, "act", willing)


MUTANTS = (
    Mutant("acknowledged before the commit", FAILING, _acknowledged_before_the_commit),
    Mutant("an answer is lost", RESTLESS, _an_answer_is_lost),
    Mutant("paid twice", RESTLESS, _paid_twice),
    Mutant("a turn is a millisecond short", LAST_MINUTE, _a_turn_is_a_millisecond_short),
    Mutant("the clock wins a tie", LAST_MINUTE, _the_clock_wins_a_tie),
    Mutant("a hidden card in the public view", FAIR, _a_hidden_card_in_the_public_view),
    Mutant("another's cards", FAIR, _anothers_cards),
    Mutant("a resume skips an update", RESTLESS, _a_resume_skips_an_update),
    Mutant("an owner of before may write", TWO_OWNERS, _an_owner_of_before_may_write),
    Mutant("nothing is recognized again", RESTLESS, _nothing_is_recognized_again),
    Mutant("another deck after a restart", DYING, _another_deck_after_a_restart),
    Mutant("no timer after a restart", DYING, _no_timer_after_a_restart),
    Mutant("a slow reader is told nothing", RESTLESS, _a_slow_reader_is_told_nothing),
    Mutant("any turn will do", SLY, _any_turn_will_do),
)

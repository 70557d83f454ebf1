"""A bot is one function from (view, you) to an action; ``play`` gives it a seat and keeps it there."""

import inspect
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from fullring.wire.fields import ActionName
from fullring.wire.server import Update
from fullring.wire.view import SeatView, TableView, Turn, You
from fullring_client.connection import Room
from fullring_client.errors import Refused
from fullring_client.updates import Updates

_LOG = logging.getLogger(__name__)

SIT_IN_AGAIN = 20
SIT_IN_AGAIN_S = 10.0
"""After so many updates, or so long without one, a bot that still sits out asks again. For a buy-in that was put off it
asks with the next update, or after as long."""

_MISTAKES = frozenset({"illegal_action", "bad_amount", "bad_message"})
_OVER = frozenset({"stale_turn", "not_your_turn", "not_found", "not_seated"})
_NOT_NOW = frozenset({"table_paused", "closing", "rate_limited"})


@dataclass(frozen=True, slots=True)
class Action:
    """An answer to a turn. ``to`` is the street's total, for bet and raise."""

    name: ActionName
    to: int | None = None


FOLD = Action("fold")
CHECK = Action("check")
CALL = Action("call")
ALL_IN = Action("all_in")


def bet(to: int) -> Action:
    return Action("bet", to)


def raise_to(to: int) -> Action:
    return Action("raise", to)


class Bot(Protocol):
    """Asked when it is its seat's turn: ``view.hand.turn.actions`` says what is allowed, ``you`` holds its cards."""

    def __call__(self, view: TableView, you: You, /) -> Action | Awaitable[Action]: ...


@runtime_checkable
class Observer(Protocol):
    """A bot that also has ``observe`` is shown every update, its own turn or not."""

    def observe(self, update: Update, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Played:
    """How many hands a bot was dealt, and why it stopped."""

    hands: int
    end: Literal["done", "busted", "seat lost", "table closed"]


async def play(
    room: Room,
    table: str,
    bot: Bot,
    *,
    buy_in: int,
    seat: int | None = None,
    post_now: bool = True,
    rebuys: int | None = 0,
    hands: int | None = None,
) -> Played:
    """Sit down, answer every turn, and get up after ``hands`` hands or when the chips are gone.

    ``rebuys`` is how often to buy in again, None for always. An account that sits there already plays on. If the room
    refuses an action, the bot checks or folds. Raises Refused if there is no seat, and what the room raises.
    """
    player = _Player(room, table, bot, buy_in, seat, post_now, rebuys, hands)
    async with room.watch(table) as updates:
        while (update := await _next(updates)) is not None:
            if isinstance(bot, Observer):
                bot.observe(update)
            end = await player.goes_on(update, newest=not updates.waiting)
            while end is None and player.asks and not await updates.arrives(within=SIT_IN_AGAIN_S):
                end = await player.asks_again(update)
            if end is not None:
                return end
    return Played(player.dealt, "table closed")


async def _next(updates: Updates) -> Update | None:
    """None where the table is gone: closed while we were away, it is not there to be watched again."""
    try:
        return await anext(updates, None)
    except Refused as refused:
        if refused.code != "not_found":
            raise
        return None


@dataclass(slots=True)
class _Player:
    """One bot at one table: what it is to do there, what it has asked for, and what it waits for."""

    room: Room
    table: str
    bot: Bot
    buy_in: int
    seat: int | None
    post_now: bool
    rebuys: int | None
    hands: int | None
    dealt: int = 0
    hand: str | None = None  # The last one dealt in.
    hand_over: bool = True
    asked_to_sit: bool = False
    seated: bool = False
    topped_up: bool = False
    put_off: bool = False  # The room did not come to the buy-in that we asked for.
    sat_in_at: int | None = None  # The update that we last answered with sit_in.
    answered: str | None = None  # The last turn we took.

    async def goes_on(self, update: Update, *, newest: bool) -> Played | None:
        """What to do about an update; None while the bot stays. Only the newest is worth an answer."""
        view, you = update.view, update.you
        if not isinstance(view, TableView):
            raise ValueError("a bot plays at a table, not in the lobby")
        if any(event.type == "table_closed" for event in update.events):
            return Played(self.dealt, "table closed")
        if you is not None:
            self._note(update, view, you)
        if not newest:
            return None
        if you is None:
            return await self._without_a_seat()
        if self._has_had_enough():
            await self._leave()
            return Played(self.dealt, "done")
        mine = _seat(view, you)
        if mine is not None and not await self._can_go_on(view, mine, update.seq):
            await self._leave()
            return Played(self.dealt, "busted")
        if view.hand and view.hand.turn and view.hand.turn.seat == you.seat:
            await self._answer(view.hand.id, view.hand.turn, view, you)
        return None

    @property
    def asks(self) -> bool:
        """To sit in or to buy in, and has neither as far as is known."""
        return self.sat_in_at is not None or self.put_off

    async def asks_again(self, update: Update) -> Played | None:
        """Nothing has happened since that update: what was refused then may be granted now."""
        self.sat_in_at = None
        return await self.goes_on(update, newest=True)

    def _note(self, update: Update, view: TableView, you: You) -> None:
        """What must not be missed though only newer updates are answered."""
        self.seated = True
        if view.hand and you.cards and view.hand.id != self.hand:
            self.hand, self.hand_over = view.hand.id, False
            self.dealt += 1
        if view.hand is None or view.hand.id != self.hand or _over(update):
            self.hand_over = True
        mine = _seat(view, you)
        if mine is not None and mine.stack > 0:
            self.topped_up = self.put_off = False
            if mine.state != "sitting_out":
                self.sat_in_at = None

    def _has_had_enough(self) -> bool:
        """Also when the hand after the last one was dealt before we saw that it was over."""
        if self.hands is None:
            return False
        return self.dealt > self.hands or (self.dealt == self.hands and self.hand_over)

    async def _without_a_seat(self) -> Played | None:
        """Sit down the first time. Later, to have no seat is to have lost it."""
        if self.seated:
            if not self._may_rebuy():
                return Played(self.dealt, "seat lost")
            self.seated = self.asked_to_sit = False
        if not self.asked_to_sit:
            self.asked_to_sit = True
            await self.room.sit(self.table, buy_in=self.buy_in, seat=self.seat, post_now=self.post_now)
        return None

    async def _can_go_on(self, view: TableView, mine: SeatView, seq: int) -> bool:
        """Buys in again when the stack is gone, sits in again when put out. False without chips to go on with."""
        if mine.stack > 0:
            long_ago = self.sat_in_at is None or seq >= self.sat_in_at + SIT_IN_AGAIN
            if mine.state == "sitting_out" and long_ago:
                self.sat_in_at = seq
                await self._try(self.room.sit_in(self.table, post_now=self.post_now))
            return True
        in_the_hand = view.hand is not None and mine.state in {"active", "all_in"}
        if in_the_hand or self.topped_up:
            return True
        return await self._buy_in_again() if self.put_off or self._may_rebuy() else False

    async def _buy_in_again(self) -> bool:
        """False if the room will not have it. What it only puts off is asked for again."""
        try:
            await self.room.top_up(self.table, self.buy_in)
        except Refused as refused:
            _LOG.info("at table %s: %s", self.table, refused)
            self.put_off = refused.code in _NOT_NOW
            return self.put_off
        self.topped_up, self.put_off = True, False
        return True

    def _may_rebuy(self) -> bool:
        """Takes one of the rebuys."""
        if self.rebuys is None:
            return True
        self.rebuys -= 1
        return self.rebuys >= 0

    async def _answer(self, hand: str, turn: Turn, view: TableView, you: You) -> None:
        if turn.id == self.answered:
            return
        self.answered = turn.id
        action = self.bot(view, you)
        if inspect.isawaitable(action):
            action = await action
        try:
            await self.room.act(self.table, hand=hand, turn=turn.id, action=action.name, to=action.to)
        except Refused as refused:
            if refused.code in _MISTAKES:
                _LOG.warning("%s at table %s: %s", action, self.table, refused)
                safe = CHECK if turn.actions.check else FOLD
                await self._try(self.room.act(self.table, hand=hand, turn=turn.id, action=safe.name))
            elif refused.code not in _OVER:
                self.answered = None  # The turn is still open: answer it with the next update.

    async def _leave(self) -> None:
        await self._try(self.room.leave(self.table))

    async def _try(self, command: Awaitable[object]) -> bool:
        """Whether the room agreed."""
        try:
            await command
        except Refused as refused:
            _LOG.info("at table %s: %s", self.table, refused)
            return False
        return True


def _over(update: Update) -> bool:
    return any(event.type in {"hand_ended", "hand_voided"} for event in update.events)


def _seat(view: TableView, you: You) -> SeatView | None:
    return next((seat for seat in view.seats if seat.seat == you.seat), None)

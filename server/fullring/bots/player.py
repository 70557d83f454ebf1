"""One house bot at one table: it watches, thinks, acts, buys chips when it has none, and sits down again when up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from fullring.bots.strategy import choose
from fullring.rules.actions import Chips
from fullring.rules.refusals import Refused
from fullring.runtime.answers import Busy
from fullring.runtime.audience import Audience, Own, Update, You
from fullring.runtime.clock import Clock, sleep
from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.runtime.tables import Room
from fullring.table.commands import ActOnTurn, Command, Sit, SitIn, TopUp
from fullring.table.ids import AccountId, HandId, Millis, TableId, TurnId

AGAIN_MS = 1_000
"""How long it waits before it asks again for what was refused."""
BANK_BUY_INS = 20
"""What its account is filled up to before it buys in, in buy-ins of its table."""

_log = logging.getLogger(__name__)


class HouseBot:
    """A ``Viewer``: it remembers the latest update alone, which is enough to play on.

    ``fund`` sees to it that the account has so many chips; ``think_ms`` is the least and the most that it takes over a
    turn, of which it never takes more than half.
    """

    def __init__(
        self,
        room: Room,
        table: TableId,
        account: AccountId,
        name: str,
        *,
        clock: Clock,
        dice: Random,
        think_ms: tuple[Millis, Millis],
        fund: Callable[[Chips], Awaitable[object]],
    ) -> None:
        self.account: AccountId | None = account
        self.watching: set[Audience] = set()
        self.table = table
        self._me = account
        self._name = name
        self._room = room
        self._clock = clock
        self._dice = dice
        self._think_ms = think_ms
        self._fund = fund
        self._view: dict[str, Any] = {}
        self._you: You | None = None
        self._news = asyncio.Event()
        self._closed = False
        self._least: Chips = 0  # What it must sit down with, who left with more not long ago.

    # --- a viewer ---

    def reply(self, frame: bytes) -> None:
        """Its answers come through the futures of what it asks."""

    def update(self, audience: Audience, update: Update, own: Own | None) -> None:
        self._view = update.message["view"]
        self._you = None if own is None else own.message
        self._closed = any(event["type"] == "table_closed" for event in update.message["events"])
        self._news.set()

    # --- a player ---

    async def play(self) -> None:
        """Until the table is closed, or this is cancelled."""
        self._room.connected(self._me)
        try:
            self._room.audience(self.table).watch(self)
            while not self._closed:
                await self._news.wait()
                self._news.clear()
                await self._react()
        finally:
            for audience in list(self.watching):
                audience.leave(self)
            self._room.disconnected(self._me)

    async def _react(self) -> None:
        """To the view as it is now. What changes meanwhile is news again."""
        view, you = self._view, self._you
        if self._closed or (view["status"] in {"paused", "closing"} and "turn" not in view.get("hand", {})):
            return
        turn = view.get("hand", {}).get("turn")
        if you is None:
            if len(view["seats"]) < view["settings"]["seats"]:
                await self._sit(max(self._least, self._buy_in()))
        elif turn is not None and turn["seat"] == you["seat"]:
            await self._act(turn)
        elif you.get("waiting") == "chips":
            await self._ask(TopUp(self._me, self._buy_in()), price=self._buy_in())
        elif you.get("waiting") == "sitting_out":
            await self._ask(SitIn(self._me))

    async def _sit(self, buy_in: Chips) -> None:
        refused = await self._ask(Sit(self._me, self._name, "bot", buy_in), price=buy_in)
        self._least = 0 if refused is None else int(refused.details.get("min", 0))

    async def _act(self, turn: dict[str, Any]) -> None:
        half = max(0, turn["deadline"] - self._clock.now()) // 2
        await sleep(self._clock, min(half, self._dice.randint(*self._think_ms)))
        view, you = self._view, self._you
        now = view.get("hand", {}).get("turn")
        if you is None or now is None or now["id"] != turn["id"]:
            return
        choice = choose(view, you, self._dice.random)
        await self._ask(ActOnTurn(self._me, HandId(view["hand"]["id"]), TurnId(now["id"]), choice.action, choice.to))

    def _buy_in(self) -> Chips:
        buy_in: Chips = self._view["settings"]["buy_in_max"]
        return buy_in

    async def _ask(self, command: Command, *, price: Chips = 0) -> Refused | None:
        """What can't be done now is tried again a little later, if it still makes sense. Why it was refused, if so."""
        try:
            if price:
                await self._fund(max(price, BANK_BUY_INS * self._buy_in()))
            await self._room.ask(self.table, command)
        except (Refused, Busy, LogUnavailable, OutcomeUnknown) as refused:
            _log.debug("house bot %s at table %s: %s", self._me, self.table, type(refused).__name__)
            await sleep(self._clock, AGAIN_MS)
            self._news.set()
            return refused if isinstance(refused, Refused) else None
        return None

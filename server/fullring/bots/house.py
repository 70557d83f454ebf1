"""The house's bots: so many at each of its tables, with the same names and seats after every start."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from random import Random

from fullring.bots.player import HouseBot
from fullring.rules.actions import Chips
from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Account, Accounts, NameTaken
from fullring.runtime.clock import Clock
from fullring.runtime.faults import traced
from fullring.runtime.tables import Room
from fullring.table.ids import AccountId, Millis, TableId

NAMES = (
    "Pascal Fermat Huygens Bernoulli Bayes Laplace Markov Borel Keynes Nash Ulam Shannon Erdős Moivre Cardano Galton"
    " Poisson Kelly Wald Bellman Zermelo Lovelace Noether Kovalevskaya"
).split()
"""Then the same with a number."""
Outcast = Callable[[AccountId, Millis], Refused | None]
"""Why that account may not come in; None where it may."""
AGAIN_MS = 10_000
"""After that a bot that has failed comes back."""

_log = logging.getLogger(__name__)


class HouseBots:
    """Start them when the room is up, stop them before it stops."""

    def __init__(
        self,
        room: Room,
        accounts: Accounts,
        outcast: Outcast,
        *,
        clock: Clock,
        dice: Random,
        think_ms: tuple[Millis, Millis],
    ) -> None:
        self._room = room
        self._accounts = accounts
        self._outcast = outcast
        self._clock = clock
        self._dice = dice
        self._think_ms = think_ms
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._stopping = False

    async def seat(self, tables: Sequence[TableId], each: int) -> None:
        """So many bots for each table. Who sits at one of them already stays; raises LogUnavailable."""
        wanted = dict.fromkeys(tables, each)
        free: list[Account] = []
        names = _names()
        while sum(wanted.values()) > len(free):
            account = await self._account(next(names))
            if account is None or account.name in self._playing:
                continue
            here = [table for table, _ in self._room.seats_of(account.id) if wanted.get(table)]
            if here:
                wanted[here[0]] -= 1
                self._play(account, here[0])
            else:
                free.append(account)
        for table, missing in wanted.items():
            for _ in range(missing):
                self._play(free.pop(0), table)

    async def stop(self) -> None:
        self._stopping = True
        playing = list(self._playing.values())
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _account(self, name: str, chips: Chips = 0) -> Account | None:
        """That bot's account, filled up to so many chips; None where somebody else has the name."""
        try:
            return await self._accounts.ensure_bot(name, chips, self._clock.now())
        except NameTaken:
            return None

    async def _fund(self, account: Account, chips: Chips) -> None:
        """Raises Refused for a bot that an admin has banned: it would sit down and be sent away for ever."""
        why = self._outcast(account.id, self._clock.now())
        if why is not None:
            raise why
        await self._account(account.name, chips)

    def _play(self, account: Account, table: TableId) -> None:
        bot = HouseBot(
            self._room,
            table,
            account.id,
            account.name,
            clock=self._clock,
            dice=self._dice,
            think_ms=self._think_ms,
            fund=partial(self._fund, account),
        )
        task = asyncio.ensure_future(bot.play())
        self._playing[account.name] = task
        task.add_done_callback(partial(self._ended, account, table))

    def _ended(self, account: Account, table: TableId, task: "asyncio.Task[None]") -> None:
        del self._playing[account.name]
        error = None if task.cancelled() else task.exception()
        if error is not None and not self._stopping:
            ids = {"table": table, "account": account.id}
            _log.error("house bot %s at table %s failed: %s", account.id, table, traced(error), extra=ids)
            self._clock.call_at(self._clock.now() + AGAIN_MS, partial(self._again, account, table))

    def _again(self, account: Account, table: TableId) -> None:
        open_tables = {row["id"] for row in self._room.summaries()}
        if not self._stopping and table in open_tables and account.name not in self._playing:
            self._play(account, table)


def _names() -> Iterator[str]:
    yield from NAMES
    for number in count(2):
        yield from (f"{name} {number}" for name in NAMES)

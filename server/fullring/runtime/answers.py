"""What was asked of tables and what was answered: a command sent again gets the first answer and changes nothing."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from fullring.rules.refusals import Refused
from fullring.runtime.meter import instant
from fullring.runtime.ports import Answer, CommandKey
from fullring.table.commands import Command
from fullring.table.ids import AccountId, Millis

REMEMBERED_PER_ACCOUNT = 512
"""Answers kept in memory for one account; the journal still knows older commands that changed something."""
REMEMBERED = 200_000
"""Answers kept in all. Beyond that, those of the account that has asked nothing for longest are forgotten."""


Hear = Callable[[Answer | Exception], None]
"""Called once, with the answer or with why there is none (Refused, Busy). It never waits and never raises."""


class Busy(Exception):
    """Too much is waiting already. Nothing was done; the same may be sent again (``rate_limited`` on the wire)."""


class Asked:
    """A command on its way, when it came, and who waits for the answer: the first who sent it and who sent it again."""

    __slots__ = ("at", "came", "command", "key", "waiting")

    def __init__(self, command: Command, at: Millis, key: CommandKey | None = None) -> None:
        self.command = command
        self.at = at
        self.key = key
        self.came = instant()
        """The same as the meter has it."""
        self.waiting: list[Hear] = []

    def tell(self, answer: Answer | Exception) -> None:
        """Everybody who waits."""
        waiting, self.waiting = self.waiting, []
        for hear in waiting:
            hear(answer)


def promised() -> tuple[asyncio.Future[Answer], Hear]:
    """A future, and what to call so that it holds the answer. Who no longer waits for it misses it."""
    future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    return future, partial(_give, future)


def _give(future: asyncio.Future[Answer], answer: Answer | Exception) -> None:
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(_untraced(answer))
    else:
        future.set_result(answer)


def _untraced(error: Exception) -> Exception:
    """The same without its traceback, which would keep a table's whole state alive."""
    return Refused(error.code, error.text, error.details) if isinstance(error, Refused) else type(error)(*error.args)


class Answers:
    """By account and command id: the command in hand, or its answer."""

    def __init__(self) -> None:
        self._accounts: OrderedDict[AccountId, dict[str, Asked | Answer | Refused]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def find(self, key: CommandKey) -> Asked | Answer | Refused | None:
        return self._accounts.get(key.account, {}).get(key.id)

    def expect(self, asked: Asked) -> None:
        """The first of its key has come."""
        if asked.key is not None:
            self._keep(asked.key, asked)

    def settle(self, asked: Asked, answer: Answer | Refused) -> None:
        """This is the answer, now and whenever it is asked again."""
        if asked.key is not None:
            self._keep(asked.key, _untraced_refusal(answer))
        asked.tell(answer)

    def withdraw(self, asked: Asked, error: Exception) -> None:
        """Nothing was decided: the same command may be sent again, and is then judged as if for the first time."""
        if asked.key is not None and self.find(asked.key) is asked:
            del self._accounts[asked.key.account][asked.key.id]
            self._size -= 1
        asked.tell(error)

    def learn(self, key: CommandKey, answer: Answer) -> None:
        """The journal says that this was the answer. Whoever waits for it hears it."""
        known = self.find(key)
        self._keep(key, answer)
        if isinstance(known, Asked):
            known.tell(answer)

    def _keep(self, key: CommandKey, what: Asked | Answer | Refused) -> None:
        mine = self._accounts.get(key.account)
        if mine is None:
            mine = self._accounts[key.account] = {}
        elif key.id in mine:
            mine[key.id] = what
            return
        else:
            self._accounts.move_to_end(key.account)
        self._size += 1
        mine[key.id] = what
        if len(mine) > REMEMBERED_PER_ACCOUNT:
            del mine[next(iter(mine))]
            self._size -= 1
        while self._size > REMEMBERED:
            _, forgotten = self._accounts.popitem(last=False)
            self._size -= len(forgotten)


def _untraced_refusal(answer: Answer | Refused) -> Answer | Refused:
    return Refused(answer.code, answer.text, answer.details) if isinstance(answer, Refused) else answer

"""What waits to be done to one table, in the order in which it came."""

from collections import deque
from collections.abc import Callable

from fullring.runtime.answers import Asked
from fullring.table.commands import Connect
from fullring.table.ids import AccountId, Millis

EACH = 16
"""One account's commands that wait at most."""
STRANGERS = 64
"""Where so many wait, only those who have a seat may add to them: nobody is talked out of their turn."""


class Mailbox:
    """Bounded: so many of each account's commands, and of connections that come and go, the last of each account."""

    __slots__ = ("_clients", "_connects", "_queue")

    def __init__(self) -> None:
        self._queue: deque[Asked] = deque()
        self._clients = 0
        self._connects: dict[AccountId, Asked] = {}

    def put(self, asked: Asked, seated: Callable[[AccountId], bool]) -> bool:
        """A client's command; False when there is no room for it. ``seated``: whether an account has a seat here."""
        if self._clients >= EACH and not self._has_room(asked, seated):
            return False
        self._clients += 1
        self._queue.append(asked)
        return True

    def _has_room(self, asked: Asked, seated: Callable[[AccountId], bool]) -> bool:
        if asked.key is None:  # The room's own, of which there are few.
            return True
        account = asked.key.account
        mine = sum([one.key is not None and one.key.account == account for one in self._queue])
        return mine < EACH and (self._clients < STRANGERS or seated(account))

    def connect(self, command: Connect, at: Millis) -> None:
        """An account's connection has come or gone. What waits of the same account is overtaken."""
        waiting = self._connects.get(command.account)
        if waiting is not None:
            waiting.command = command
            return
        asked = self._connects[command.account] = Asked(command, at)
        self._queue.append(asked)

    def take(self, until: Millis | None) -> Asked | None:
        """The first, if it came by then; None for until is whenever."""
        if not self._queue or (until is not None and self._queue[0].at > until):
            return None
        asked = self._queue.popleft()
        if isinstance(asked.command, Connect):
            del self._connects[asked.command.account]
        else:
            self._clients -= 1
        return asked

    def empty(self) -> list[Asked]:
        """Takes out all clients' commands; connections that have come or gone stay."""
        taken = [asked for asked in self._queue if not isinstance(asked.command, Connect)]
        self._queue = deque(self._connects.values())
        self._clients = 0
        return taken

"""The room: all its tables, who is connected, and the one door that people, bots and hosts come through.

Nothing here waits for a socket or holds a card.
"""

import asyncio
from collections.abc import Sequence

from fullring.rules.actions import SeatNo
from fullring.runtime.audience import Audience, Encoder, View
from fullring.runtime.chance import Shuffle
from fullring.runtime.clock import Clock
from fullring.runtime.ports import Answer, Bus, CommandKey, Log, Ownership
from fullring.table.commands import Command
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import TableSettings

LOBBY = "lobby"
"""What the lobby is called where a table's id is expected."""


class Room:
    """Start it before anything else is called, and stop it at the end.

    A connection is an ``Outbox`` (or another ``Viewer``): it watches with ``room.audience(table).watch(outbox, since,
    accepted)``, stops with ``room.audience(table).leave(outbox)``, and ends with ``outbox.close()``. One that has an
    account also tells ``connected`` once, and ``disconnected`` once when it ends.
    """

    def __init__(
        self, log: Log, ownership: Ownership, clock: Clock, shuffle: Shuffle, encoder: Encoder, bus: Bus
    ) -> None: ...

    async def start(self) -> None:
        """Take over every open table and go on with it. Raises AlreadyOwned or LogUnavailable."""

    async def stop(self) -> None:
        """Take no more commands, finish the commits in flight, let go of the tables. Takes at most 5 s."""

    async def open_table(self, settings: TableSettings, owner: AccountId | None) -> TableId:
        """A new table, for anybody to see in the lobby. Raises LogUnavailable."""

    def ask(self, table: str, command: Command, key: CommandKey | None = None) -> "asyncio.Future[Answer]":
        """Ask a table for something: everything that players, hosts (Pause, Resume, Kick, Close) and bots may do.

        The future holds the answer after it is permanent, or raises Refused, or Busy (nothing was done, too much waits;
        ``rate_limited`` on the wire). Look at it, or asyncio will complain. ``key`` names a client's command: the same
        key again gets the first answer again and changes nothing. Only Busy and TABLE_PAUSED may be answered otherwise
        the next time, as nothing was decided.
        """

    def audience(self, name: str) -> Audience:
        """Those who watch that table, or the lobby (``"lobby"``). Raises Refused (NOT_FOUND)."""

    def settings(self, table: str) -> TableSettings:
        """Raises Refused (NOT_FOUND)."""

    def summaries(self) -> Sequence[View]:
        """The open tables as the lobby lists them, in the order in which they were opened."""

    def connected(self, account: AccountId) -> None:
        """The account has one more live connection."""

    def disconnected(self, account: AccountId) -> None:
        """The account has one connection less."""

    def seats_of(self, account: AccountId) -> Sequence[tuple[TableId, SeatNo]]:
        """Where the account sits now."""

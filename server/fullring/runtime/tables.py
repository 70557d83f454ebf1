"""The room: all its tables, who is connected, and the one door that people, bots and hosts come through.

Nothing here waits for a socket or holds a card.
"""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

from fullring.rules.actions import SeatNo
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.value import value
from fullring.runtime.actor import Actor, Shared
from fullring.runtime.answers import Answers, Asked, Hear, promised
from fullring.runtime.audience import Audience, Encoder, View
from fullring.runtime.audit import Opening
from fullring.runtime.blur import Draw
from fullring.runtime.chance import Shuffle, new_table_id, up_to
from fullring.runtime.clock import Clock
from fullring.runtime.committer import Committer
from fullring.runtime.lobby import LOBBY, Lobby
from fullring.runtime.meter import Meter
from fullring.runtime.ports import Answer, Bus, CommandKey, Deposed, Log, Ownership, StoredTable
from fullring.runtime.presence import Presence
from fullring.runtime.recovery import last_instant
from fullring.table.commands import Command, Resume
from fullring.table.ids import AccountId, HandId, Millis, TableId
from fullring.table.settings import TableSettings

STOP_SECONDS = 3.0
"""How long commits in flight have to finish when the room stops."""
DRAINING = "the room restarts: no new hand until it is back"
RESTARTED = "the room is back: the player to act has a full clock"

_log = logging.getLogger(__name__)


@value
class OpenTable:
    """A table as its host and the admins may know it, beside its view. ``hand`` is the one in play, and its start."""

    id: TableId
    owner: AccountId | None
    settings: TableSettings
    next_settings: TableSettings | None
    hands: int
    hand: tuple[HandId, Millis] | None


class Room:
    """Start it before anything else is called, and stop it at the end.

    A connection is an ``Outbox`` (or another ``Viewer``): it watches with ``room.audience(table).watch(outbox, since,
    accepted)``, stops with ``room.audience(table).leave(outbox)``, and ends with ``outbox.close()``. One that has an
    account also tells ``connected`` once, and ``disconnected`` once when it ends.
    """

    def __init__(
        self,
        log: Log,
        ownership: Ownership,
        clock: Clock,
        shuffle: Shuffle,
        encoder: Encoder,
        bus: Bus,
        meter: Meter | None = None,
        draw: Draw = up_to,
    ) -> None:
        self.meter = meter or Meter()
        self._log = log
        self._ownership = ownership
        self._clock = clock
        self._committer = Committer(log, self.meter)
        self._answers = Answers()
        self._presence = Presence()
        self._actors: dict[str, Actor] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False
        self._draining = False
        self._lobby = Lobby(self.summaries, clock, encoder, bus)
        self._shared = Shared(
            log,
            self._committer,
            clock,
            shuffle,
            encoder,
            self._answers,
            self._presence,
            self._lobby.tell,
            self.meter,
            draw,
        )

    async def start(self) -> None:
        """Take over every open table and go on with it. Raises AlreadyOwned, Deposed or LogUnavailable."""
        await self._ownership.acquire()
        try:
            claimed = await self._log.claim()
        except BaseException:
            await self._ownership.release()
            raise
        self._clock.start_from(max([last_instant(stored) for stored in claimed], default=0))
        for stored in claimed:
            self._begin(stored, Resume(RESTARTED, lost_connections=True))
        await self._up()
        _log.info("the room is open with %d tables", len(self._actors))

    async def _up(self) -> None:
        """Until every table is. Raises Deposed: those that another process took over meanwhile never are."""
        lost: asyncio.Future[Any] = asyncio.ensure_future(self._ownership.lost.wait())
        try:
            for actor in list(self._actors.values()):
                ready: asyncio.Future[Any] = actor.ready
                await asyncio.wait([ready, lost], return_when=asyncio.FIRST_COMPLETED)
                if not ready.done():
                    await self.stop()
                    raise Deposed("another process runs the room now")
        finally:
            lost.cancel()

    async def drain(self, within_s: float | None = None) -> None:
        """No table starts a hand any more. Returns when none is played, or after so long; the rest is for ``stop``."""
        self._draining = True
        for actor in self._actors.values():
            actor.drain(DRAINING)
        playing = [actor.resting for actor in self._actors.values() if actor.resting is not None]
        if playing:
            await asyncio.wait(playing, timeout=within_s)

    async def stop(self) -> None:
        """Take no more commands, finish the commits in flight, let go of the tables: 3 s at most. Twice is no fault."""
        if self._stopped:
            return
        self._stopped = True
        for actor in self._actors.values():
            actor.stop()
        if self._tasks:
            _, unfinished = await asyncio.wait(self._tasks, timeout=STOP_SECONDS)
            for task in unfinished:
                task.cancel()
        self._lobby.close()
        await self._ownership.release()

    async def open_table(
        self, settings: TableSettings, owner: AccountId | None, opening: Opening | None = None
    ) -> TableId:
        """A new table, in the lobby at once. Raises what `Log.create` does."""
        table = new_table_id()
        await self._log.create(table, settings, owner, self._clock.now(), opening)
        self._opened(StoredTable(table, settings, 1, 1, last_seq=0, snapshot=None, rows=(), seats=(), owner=owner))
        return table

    async def take_up(self, table: TableId) -> None:
        """A table that is open in the log, whether or not this room was told that it is. Raises LogUnavailable."""
        if table not in self._actors:
            self._opened(await self._log.read(table))

    def ask(self, table: str, command: Command, key: CommandKey | None = None) -> "asyncio.Future[Answer]":
        """Ask a table for something: everything that players, hosts (Pause, Resume, Kick, Close) and bots may do.

        The future holds the answer after it is permanent, or raises Refused, or Busy (nothing was done, too much waits;
        ``rate_limited`` on the wire). Look at it, or asyncio will complain. ``key`` names a client's command: the same
        key again gets the first answer again and changes nothing. Only Busy and TABLE_PAUSED may be answered otherwise
        the next time, as nothing was decided.
        """
        future, hear = promised()
        self.tell(table, command, key, hear)
        return future

    def tell(self, table: str, command: Command, key: CommandKey | None, hear: Hear) -> None:
        """Ask, and ``hear`` the answer in the moment in which it is given, which may be now."""
        known = None if key is None else self._answers.find(key)
        if isinstance(known, Asked):
            known.waiting.append(hear)
            return
        if known is not None:
            hear(known)
            return
        asked = Asked(command, self._clock.now(), key)
        asked.waiting.append(hear)
        actor = self._actors.get(table)
        if actor is None:
            self._answers.settle(asked, _no_table(table))
        else:
            self._answers.expect(asked)
            actor.ask(asked)

    def audience(self, name: str) -> Audience:
        """Those who watch that table, or the lobby (``"lobby"``). Raises Refused (NOT_FOUND)."""
        return self._lobby.audience if name == LOBBY else self._actor(name).audience

    def settings(self, table: str) -> TableSettings:
        """Raises Refused (NOT_FOUND)."""
        return self._actor(table).table.settings

    def known(self, table: str) -> OpenTable:
        """Raises Refused (NOT_FOUND)."""
        return _known(self._actor(table))

    def all_known(self) -> Sequence[OpenTable]:
        """Every table, in the order in which they were opened."""
        return [_known(actor) for actor in self._actors.values()]

    def is_public(self, table: TableId) -> bool:
        """Whether that table is open, and to everybody: it has no join code."""
        actor = self._actors.get(table)
        return actor is not None and actor.table.settings.join_code is None

    def summary(self, table: str) -> View:
        """The table as a list has it. Raises Refused (NOT_FOUND)."""
        return self._actor(table).row

    def summaries(self) -> Sequence[View]:
        """The public tables as the lobby lists them, in the order in which they were opened."""
        return [actor.row for actor in self._actors.values() if self.is_public(actor.id)]

    def __len__(self) -> int:
        """How many tables are open, those with a join code too."""
        return len(self._actors)

    def rows(self) -> Sequence[View]:
        """Every table as a list would have it."""
        return [actor.row for actor in self._actors.values()]

    def viewers(self) -> int:
        """How many watch, counted at each table that they watch."""
        return sum(len(actor.audience) for actor in self._actors.values())

    def lag(self) -> tuple[int, Millis]:
        """How many rows are not durable yet, and how long ago the oldest of them was asked for."""
        rows, asked_at = self._committer.lag()
        return rows, 0 if asked_at is None else max(0, self._clock.now() - asked_at)

    def in_play(self) -> int:
        """At how many tables a hand is played now."""
        return sum(not actor.table.between_hands for actor in self._actors.values())

    def connected(self, account: AccountId) -> None:
        """The account has one more live connection."""
        if self._presence.connect(account):
            self._tell(account, connected=True)

    def disconnected(self, account: AccountId) -> None:
        """The account has one connection less."""
        if self._presence.disconnect(account):
            self._tell(account, connected=False)

    def seats_of(self, account: AccountId) -> Sequence[tuple[TableId, SeatNo]]:
        """Where the account sits now."""
        return self._presence.seats(account)

    def _actor(self, table: str) -> Actor:
        actor = self._actors.get(table)
        if actor is None:
            raise _no_table(table)
        return actor

    def _opened(self, stored: StoredTable) -> None:
        """Unless somebody else took it up while it was read."""
        if stored.table in self._actors:
            return
        self._begin(stored)
        self._lobby.tell(stored.table)
        _log.info("table %s is open", stored.table, extra={"table": stored.table})

    def _begin(self, stored: StoredTable, resume: Resume | None = None) -> None:
        actor = Actor(stored, self._shared)
        self._actors[actor.id] = actor
        task = actor.start(resume)
        if self._draining:
            actor.drain(DRAINING)
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, actor))

    def _ended(self, actor: Actor, task: "asyncio.Task[None]") -> None:
        """A table that is closed leaves nothing behind. One that is frozen or stopped stays to be looked at."""
        self._tasks.discard(task)
        if actor.table.closed:
            del self._actors[actor.id]
            self._presence.clear(actor.id)
            self._lobby.tell(actor.id)
            _log.info("table %s is closed", actor.id, extra={"table": actor.id})

    def _tell(self, account: AccountId, *, connected: bool) -> None:
        for table, _ in self._presence.seats(account):
            self._actors[table].connect(account, connected=connected)


def _known(actor: Actor) -> OpenTable:
    table = actor.table
    playing = None if table.between_hands else (table.hand_id, table.hand_started_at)
    return OpenTable(actor.id, actor.owner, table.settings, table.next_settings, table.hands, playing)


def _no_table(table: str) -> Refused:
    return Refused(Refusal.NOT_FOUND, "there is no such table")

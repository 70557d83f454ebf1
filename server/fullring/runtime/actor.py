"""One table's task: command, decide, commit, evolve, publish, answer; one at a time, time included.

Durable before audible: the table changes, and anybody hears of it, after the log has taken what happened.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from fullring.rules.cards import Deck
from fullring.rules.game import GAMES
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.answers import Answers, Asked, Busy
from fullring.runtime.audience import Audience, Encoder, View
from fullring.runtime.blur import Blur, Draw
from fullring.runtime.chance import Shuffle
from fullring.runtime.clock import Alarm, Clock
from fullring.runtime.committer import Committer
from fullring.runtime.faults import traced
from fullring.runtime.head import Head
from fullring.runtime.mailbox import Mailbox
from fullring.runtime.meter import Meter, instant
from fullring.runtime.ports import Batch, Log, LogUnavailable, Outcome, OutcomeUnknown, Row, StoredTable
from fullring.runtime.presence import Presence
from fullring.runtime.recovery import Replayed, new_history, replay
from fullring.runtime.stage import Stage
from fullring.table.commands import Connect, PlayArmed, Resume, Tick
from fullring.table.events import Seated
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.state import Table
from fullring.table.table import deadline, decide, evolve, wants_deck

RETRY_FIRST_MS, RETRY_LAST_MS = 250, 2_000
"""How long to wait before trying the log again: twice as long each time, up to the last."""
BUSY_MS = 50
"""How long a tick waits when the committer is full."""

OUTAGE = "the room's log can't be written: no clock runs, and the game goes on when it can"
REREAD = "the room reads the table's log again: no clock runs meanwhile"
FROZEN = "stopped for inspection"
STOPPING = "the room is stopping: ask again when it is back"
BACK = "the log is back"

_NO_DECK = Deck()
_log = logging.getLogger(__name__)


class Reread(Exception):
    """What the log holds is not what we hold."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tables of a process have in common. ``changed`` hears when a table's row in the lobby is another."""

    log: Log
    committer: Committer
    clock: Clock
    shuffle: Shuffle
    encoder: Encoder
    answers: Answers
    presence: Presence
    changed: Callable[[TableId], None]
    meter: Meter
    draw: Draw


class Actor:
    """Owns one table: nothing else changes it. Made from what the log holds."""

    def __init__(self, stored: StoredTable, shared: Shared) -> None:
        self.id = stored.table
        self.owner = stored.owner
        self._shared = shared
        self._stage = Stage(stored, shared.encoder, shared.presence, shared.changed)
        self._mail = Mailbox()
        self._in_hand: Asked | None = None
        self._alarm = Alarm(shared.clock, self._ring)
        self._blur = Blur(shared.clock, shared.draw)
        self._bell: asyncio.Future[None] | None = None
        self._due: Millis | None = None
        self._not_before: Millis = 0
        self._ending = False
        self.resting: asyncio.Future[None] | None = None
        """None unless the room drains."""
        self._stored: StoredTable | None  # None while the log must be read again.
        self._replayed: Replayed
        self._head: Head
        self._load(stored)

    # --- what others call: nothing here waits ---

    @property
    def table(self) -> Table:
        return self._stage.table

    @property
    def audience(self) -> Audience:
        return self._stage.audience

    @property
    def row(self) -> View:
        """The table in the lobby's list."""
        return self._stage.row

    def start(self, resume: Resume | None = None) -> asyncio.Task[None]:
        """The task, which ends when the table is closed or the room stops. ``ready`` is done when the table is up."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(self._run(resume))
        self._task.add_done_callback(self._ended)
        return self._task

    def ask(self, asked: Asked) -> None:
        """A client's command. It is answered through ``asked``, sooner or later."""
        unavailable = self._unavailable()
        if unavailable is not None:
            self._turn_away(asked, unavailable)
        elif self._mail.put(asked, self._seated):
            self._ring()
        else:
            self._shared.answers.withdraw(asked, Busy())

    def _seated(self, account: AccountId) -> bool:
        return self.table.seat_of(account) is not None

    def connect(self, account: AccountId, *, connected: bool) -> None:
        """A seated account's connection has come or gone."""
        self._mail.connect(Connect(account, connected), self._shared.clock.now())
        self._ring()

    def drain(self, reason: str) -> None:
        """Start no hand any more. ``resting`` is done when none is played, or none that time alone would end."""
        if self.resting is None:
            self.resting = asyncio.get_running_loop().create_future()
            if self._task.done():
                self.resting.set_result(None)
            else:
                self._stage.close_soon(reason, self._shared.clock.now())
                self._ring()

    def stop(self) -> None:
        """Finish what is in hand, take nothing more."""
        self._ending = True
        self._ring()

    # --- the task ---

    async def _run(self, resume: Resume | None) -> None:
        if resume is not None:
            await self._revive(resume, 0)
        self.ready.set_result(None)
        stage = self._stage
        while not self._ending and not stage.table.closed:
            asked = self._next()
            if asked is None:
                await self._wait(self._due)
            else:
                await self._handle(asked)

    def _next(self) -> Asked | None:
        """The first command, or time where the deadline passed before it came. At the deadline the command wins."""
        table = self._stage.table
        due = deadline(table) if self.resting is None else self._rested(self.resting)
        armed = self._blur.at(table)
        if armed is not None and (due is None or armed < due):
            due = armed
        self._due = due
        asked = self._mail.take(due)
        if asked is not None or due is None:
            return asked
        now = self._shared.clock.now()
        if now <= due or now < self._not_before:
            return None
        return Asked(PlayArmed() if due == armed else Tick(self._deck(now)), now)

    def _rested(self, resting: asyncio.Future[None]) -> Millis | None:
        """The deadline while the room drains: between hands nothing is due."""
        table = self.table
        if (table.between_hands or table.paused is not None) and not resting.done():
            resting.set_result(None)
        return None if table.between_hands else deadline(table)

    def _deck(self, now: Millis) -> Deck:
        if not wants_deck(self.table, now):
            return _NO_DECK
        return self._shared.shuffle(GAMES[self.table.settings.game].deck)

    async def _handle(self, asked: Asked) -> None:
        self._in_hand = asked
        answers = self._shared.answers
        try:
            await self._work(asked)
        except Busy:
            self._not_before = self._shared.clock.now() + BUSY_MS
            answers.withdraw(asked, Busy())
        except LogUnavailable:
            self._halt(OUTAGE)
            answers.withdraw(asked, Refused(Refusal.TABLE_PAUSED, OUTAGE))
            await self._revive(Resume(BACK), RETRY_FIRST_MS)
        except (OutcomeUnknown, Reread):
            self._halt(REREAD)
            self._stored = None
            await self._revive(Resume(BACK), RETRY_FIRST_MS)
            answers.withdraw(asked, Refused(Refusal.TABLE_PAUSED, REREAD))  # Unless the log had its answer.
        self._in_hand = None

    async def _work(self, asked: Asked) -> None:
        """One command, from judging it to answering it. Raises what the log and the committer raise, and Reread."""
        table, answers = self._stage.table, self._shared.answers
        now = asked.at if asked.at > table.last_at else table.last_at
        began = instant()
        try:
            events = decide(table, asked.command, now)
        except Refused as refused:
            await self._refuse(asked, refused)
            return
        if not events:
            assert not isinstance(asked.command, Tick), "a tick that is due makes something happen"
            answers.settle(asked, {"seq": table.seq})
            return
        decided = instant()
        batch = self._head.batch(table, asked, events, now)
        match await self._shared.committer.write(batch):
            case Outcome.COMMITTED:
                committed = instant()
                evolved = self._done(asked, batch)
                self._shared.meter.took(self.id, events, asked.came, began, decided, committed, evolved)
            case Outcome.SHORT:
                await self._refuse(asked, Refused(Refusal.INSUFFICIENT_CHIPS, "your account hasn't that many chips"))
            case Outcome.REPEATED:
                assert asked.key is not None
                answers.settle(asked, await self._shared.log.answer(self.id, asked.key) or {})
            case Outcome.FENCED:
                raise Reread

    def _done(self, asked: Asked, batch: Batch) -> float:
        """It is permanent now, whatever becomes of this process: that is what the asker hears in any case.

        Returns the instant between applying and showing it.
        """
        try:
            self._head.written(batch)
            evolve(self._stage.table, batch.events, batch.at)
            evolved = instant()
            self._stage.show(batch.events, batch.at)
            if Seated in map(type, batch.events):
                self._tell_connections()  # Who asked for the seat may have gone since.
            return evolved
        finally:
            self._shared.answers.settle(asked, batch.answer or {})

    async def _refuse(self, asked: Asked, refused: Refused) -> None:
        """Unless the log says that this very command was done before we came up."""
        answer = None if asked.key is None else await self._shared.log.answer(self.id, asked.key)
        self._shared.answers.settle(asked, refused if answer is None else answer)

    def _tell_connections(self) -> None:
        """Connections that the table does not know to have come or gone."""
        for seat in self.table.seats.values():
            connected = self._shared.presence.connected(seat.account)
            if connected != seat.connected:
                self.connect(seat.account, connected=connected)

    # --- when the log is away, or what it holds is not what we hold ---

    def _halt(self, reason: str) -> None:
        """No clock runs, nothing is taken, everybody is told."""
        _log.warning("table %s is halted: %s", self.id, reason, extra={"table": self.id, "hand": self.table.hand_id})
        self._alarm.set(None)
        self._stage.halt(reason, self._shared.clock.now())
        self._turn_all_away(Refused(Refusal.TABLE_PAUSED, reason))

    async def _revive(self, resume: Resume, wait_ms: Millis) -> None:
        """Until the table is up again, as the log has it, and goes on with a fresh clock."""
        while not self._ending:
            await self._rest(wait_ms)
            try:
                if self._stored is None:
                    self._load(await self._shared.log.read(self.id))
                if self._replayed.fault is not None:
                    await self._begin_history()
                await self._resume(resume)
                return
            except (LogUnavailable, Busy):
                pass
            except (OutcomeUnknown, Reread):
                self._stored = None
            wait_ms = min(max(2 * wait_ms, RETRY_FIRST_MS), RETRY_LAST_MS)

    def _load(self, stored: StoredTable) -> None:
        """Make the table from the log. Where it does not replay, what was shown stays until there is a new history."""
        self._stored = stored
        self._replayed = replay(stored, self._catch_up)
        self._head = Head(stored)
        if self._replayed.fault is None:
            self._stage.begin(self._replayed.table, stored.history_epoch)

    def _catch_up(self, table: Table, row: Row) -> None:
        """A row of the log: its command's answer is known from now on, and who hasn't seen what it did is shown it."""
        if row.key is not None:
            self._shared.answers.learn(row.key, row.answer or {})
        if table.seq == self.audience.seq + 1:
            self._stage.look_at(table)
            self._stage.show(row.events, row.at)

    async def _begin_history(self) -> None:
        """The log does not replay: a new history, with every chip where the money side of the log has it."""
        stored, broken, log = self._stored, self._replayed, self._shared.log
        assert stored is not None
        _log.error("table %s begins a new history: %s", self.id, broken.fault, extra={"table": self.id})
        batch = new_history(stored, broken, self._shared.clock.now())
        if await log.restart_history(self.id, batch) is not Outcome.COMMITTED:
            raise Reread
        self._stored = None  # What was written is read back: one path for every history.
        self._load(await log.read(self.id))
        assert self._replayed.fault is None, "a new history replays"

    async def _resume(self, resume: Resume) -> None:
        table, clock = self.table, self._shared.clock
        paused = table.paused is not None and not resume.lost_connections  # By a host, who will resume it.
        if table.closed or paused:
            self._stage.halted = None
            self.audience.announce(clock.now())
        else:
            asked = Asked(resume, max(clock.now(), table.last_at))
            batch = self._head.batch(table, asked, decide(table, resume, asked.at), asked.at)
            if await self._shared.committer.write(batch) is not Outcome.COMMITTED:
                raise Reread
            self._stage.halted = None
            self._done(asked, batch)
        self._stage.list()
        self._tell_connections()

    # --- waiting and ending ---

    def _ring(self) -> None:
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    async def _wait(self, due: Millis | None) -> None:
        """Until something comes, or the instant has passed."""
        self._alarm.set(None if due is None else max(due + 1, self._not_before))
        self._bell = asyncio.get_running_loop().create_future()
        await self._bell

    async def _rest(self, span: Millis) -> None:
        until = self._shared.clock.now() + span
        while not self._ending and self._shared.clock.now() < until:
            await self._wait(until - 1)

    def _unavailable(self) -> Refused | None:
        if self._stage.table.closed:
            return Refused(Refusal.TABLE_CLOSED, "this table is closed")
        if self._stage.halted is not None:
            return Refused(Refusal.TABLE_PAUSED, self._stage.halted)
        return Refused(Refusal.TABLE_PAUSED, STOPPING) if self._ending else None

    def _turn_all_away(self, refused: Refused) -> None:
        for asked in self._mail.empty():
            self._turn_away(asked, refused)

    def _turn_away(self, asked: Asked, refused: Refused) -> None:
        """For good where the table is closed; else the same may be asked again."""
        if refused.code is Refusal.TABLE_CLOSED:
            self._shared.answers.settle(asked, refused)
        else:
            self._shared.answers.withdraw(asked, refused)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """The task is over. By an error, which is our own fault: then the table stands still, and others go on."""
        error = None if task.cancelled() else task.exception()
        self._alarm.cancel()
        if error is not None:
            ids = {"table": self.id, "hand": self.table.hand_id}
            text = "table %s hand %s row %d is frozen: %s"
            _log.error(text, self.id, self.table.hand_id, self._head.row, traced(error), extra=ids)
            self._stage.freeze(FROZEN, self._shared.clock.now())
        refused = self._unavailable() or Refused(Refusal.TABLE_PAUSED, STOPPING)
        self._turn_all_away(refused)
        if self._in_hand is not None:
            self._turn_away(self._in_hand, refused)
            self._in_hand = None
        for waited in (self.ready, self.resting):
            if waited is not None and not waited.done():
                waited.set_result(None)
        if self.table.closed:
            self.audience.close()

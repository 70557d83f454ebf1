"""One table's task: command, decide, commit, evolve, publish, answer; one at a time, time included.

Durable before audible: the table changes, and anybody hears of it, after the log has taken what happened.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fullring.rules import events as hands
from fullring.rules.cards import Deck
from fullring.rules.game import GAMES
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.answers import Answers, Asked, Busy
from fullring.runtime.audience import Audience, Encoder, View
from fullring.runtime.chance import Shuffle
from fullring.runtime.clock import Alarm, Clock
from fullring.runtime.committer import Committer
from fullring.runtime.faults import traced
from fullring.runtime.mailbox import Mailbox
from fullring.runtime.ports import Answer, Batch, Log, LogUnavailable, Outcome, OutcomeUnknown, Row, StoredTable
from fullring.runtime.presence import Presence
from fullring.runtime.recovery import Replayed, new_history, replay
from fullring.runtime.scene import TableScene
from fullring.table import events as happened
from fullring.table.commands import Connect, Resume, Tick
from fullring.table.events import PRIVATE, Event, Left, Seated
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.state import Table, snapshot
from fullring.table.table import deadline, decide, evolve, opened, record, wants_deck
from fullring.table.views import public_events

SNAPSHOT_ROWS = 200
"""Where no hand starts, the table is written down whole after so many rows, so that a replay stays short."""
RETRY_FIRST_MS, RETRY_LAST_MS = 250, 2_000
"""How long to wait before trying the log again: twice as long each time, up to the last."""
BUSY_MS = 50
"""How long a tick waits when the committer is full."""

OUTAGE = "the room's log can't be written: no clock runs, and the game goes on when it can"
REREAD = "the room reads the table's log again: no clock runs meanwhile"
FROZEN = "stopped for inspection"
STOPPING = "the room is stopping: ask again when it is back"
BACK = "the log is back"

LISTED = (
    hands.HandStarted, hands.HandEnded, hands.HandVoided, Seated, Left, happened.SatOut, happened.SatIn,
    happened.ToppedUp, happened.HandDue, happened.ConnectionChanged, happened.Paused, happened.Resumed,
    happened.ClosingStarted,
)  # fmt: skip
"""Events that may change the table's row in the lobby."""

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


class Actor:
    """Owns one table: nothing else changes it. Made from what the log holds."""

    def __init__(self, stored: StoredTable, shared: Shared) -> None:
        self.id = stored.table
        self._shared = shared
        self._mail = Mailbox()
        self._in_hand: Asked | None = None
        self._alarm = Alarm(shared.clock, self._ring)
        self._bell: asyncio.Future[None] | None = None
        self._due: Millis | None = None
        self._not_before: Millis = 0
        self._ending = False
        self._stored: StoredTable | None  # None while the log must be read again.
        self._replayed: Replayed
        self._owner_epoch = self._last_row = self._snapshot_row = 0
        self._scene = TableScene(opened(stored.table, stored.settings))
        began = stored.snapshot
        seq, at = (0, 0) if began is None else (began.seq, began.last_at)
        self.audience = Audience(self.id, stored.history_epoch, seq, at, self._scene, shared.encoder)
        self._load(stored)
        self.row: View = self._scene.row()
        """The table in the lobby's list."""

    # --- what others call: nothing here waits ---

    @property
    def table(self) -> Table:
        return self._scene.table

    def start(self, resume: Resume | None = None) -> asyncio.Task[None]:
        """The task, which ends when the table is closed or the room stops. ``ready`` is done when the table is up."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        task = asyncio.ensure_future(self._run(resume))
        task.add_done_callback(self._ended)
        return task

    def ask(self, asked: Asked) -> None:
        """A client's command. It is answered through ``asked``, sooner or later."""
        unavailable = self._unavailable()
        if unavailable is not None:
            self._shared.answers.withdraw(asked, unavailable)
        elif self._mail.put(asked):
            self._ring()
        else:
            self._shared.answers.withdraw(asked, Busy())

    def connect(self, account: AccountId, *, connected: bool) -> None:
        """A seated account's connection has come or gone."""
        self._mail.connect(Connect(account, connected), self._shared.clock.now())
        self._ring()

    def stop(self) -> None:
        """Finish what is in hand, take nothing more."""
        self._ending = True
        self._ring()

    # --- the task ---

    async def _run(self, resume: Resume | None) -> None:
        if resume is not None:
            await self._revive(resume, 0)
        if not self.ready.done():
            self.ready.set_result(None)
        while not self._ending and not self.table.closed:
            asked = self._next()
            if asked is None:
                await self._wait(self._due)
            else:
                await self._handle(asked)

    def _next(self) -> Asked | None:
        """The first command, or time where the deadline passed before it came. At the deadline the command wins."""
        due = self._due = deadline(self.table)
        asked = self._mail.take(due)
        if asked is not None or due is None:
            return asked
        now = self._shared.clock.now()
        return Asked(Tick(self._deck(now)), now) if now > due and now >= self._not_before else None

    def _deck(self, now: Millis) -> Deck:
        if not wants_deck(self.table, now):
            return _NO_DECK
        return self._shared.shuffle(GAMES[self.table.settings.game].deck)

    async def _handle(self, asked: Asked) -> None:
        self._in_hand = asked
        try:
            await self._work(asked)
        except Busy:
            self._not_before = self._shared.clock.now() + BUSY_MS
            self._shared.answers.withdraw(asked, Busy())
        except LogUnavailable:
            self._halt(OUTAGE)
            self._shared.answers.withdraw(asked, Refused(Refusal.TABLE_PAUSED, OUTAGE))
            await self._revive(Resume(BACK), RETRY_FIRST_MS)
        except (OutcomeUnknown, Reread):
            self._halt(REREAD)
            self._stored = None
            await self._revive(Resume(BACK), RETRY_FIRST_MS)
            self._shared.answers.withdraw(
                asked, Refused(Refusal.TABLE_PAUSED, REREAD)
            )  # Unless the log had its answer.
        self._in_hand = None

    async def _work(self, asked: Asked) -> None:
        """One command, from judging it to answering it. Raises what the log and the committer raise, and Reread."""
        table = self.table
        now = max(asked.at, table.last_at)
        try:
            events = decide(table, asked.command, now)
        except Refused as refused:
            await self._refuse(asked, refused)
            return
        if not events:
            assert not isinstance(asked.command, Tick), "a tick that is due makes something happen"
            self._shared.answers.settle(asked, {"seq": table.seq})
            return
        batch = self._batch(asked, events, now)
        match await self._shared.committer.write(batch):
            case Outcome.COMMITTED:
                self._done(asked, batch)
            case Outcome.SHORT:
                await self._refuse(asked, Refused(Refusal.INSUFFICIENT_CHIPS, "your account hasn't that many chips"))
            case Outcome.REPEATED:
                assert asked.key is not None
                self._shared.answers.settle(asked, await self._shared.log.answer(self.id, asked.key) or {})
            case Outcome.FENCED:
                raise Reread

    def _batch(self, asked: Asked, events: Sequence[Event], now: Millis) -> Batch:
        table = self.table
        starts = any(isinstance(event, hands.HandStarted) for event in events)
        due = starts or self._last_row - self._snapshot_row >= SNAPSHOT_ROWS
        return Batch(
            table=self.id,
            owner_epoch=self._owner_epoch,
            seq=self._last_row + 1,
            at=now,
            events=tuple(events),
            key=asked.key,
            answer=_answer(table, events),
            snapshot=snapshot(table) if due and table.between_hands else None,
            record=record(table, events, now),
        )

    def _done(self, asked: Asked, batch: Batch) -> None:
        """It is permanent now, whatever becomes of this process: that is what the asker hears in any case."""
        answer = batch.answer or {}
        try:
            self._apply(batch)
        finally:
            self._shared.answers.settle(asked, answer)

    async def _refuse(self, asked: Asked, refused: Refused) -> None:
        """Unless the log says that this very command was done before we came up."""
        answer = None if asked.key is None else await self._shared.log.answer(self.id, asked.key)
        self._shared.answers.settle(asked, refused if answer is None else answer)

    def _apply(self, batch: Batch) -> None:
        table, events = self.table, batch.events
        evolve(table, events, batch.at)
        self._last_row = batch.seq
        if batch.snapshot is not None:
            self._snapshot_row = batch.seq
        self._note_seats(events)
        self._show(events, batch.at)
        if any(isinstance(event, LISTED) for event in events):
            self._list()

    def _note_seats(self, events: Sequence[Event]) -> None:
        presence = self._shared.presence
        for event in events:
            if isinstance(event, Seated):
                presence.sit(event.account, self.id, event.seat)
                if not presence.connected(event.account):  # It has gone since it asked for the seat.
                    self.connect(event.account, connected=False)
            elif isinstance(event, Left):
                presence.leave(event.account, self.id)

    def _show(self, events: Sequence[Event], at: Millis) -> None:
        table = self.table
        if table.seq > self.audience.seq:
            self.audience.publish(table.seq, at, public_events(table, events))
            return
        for event in events:
            assert isinstance(event, PRIVATE), "only what concerns one seat alone makes no update"
            self.audience.refresh(table.seats[event.seat].account)

    def _list(self) -> None:
        row = self._scene.row()
        if row != self.row:
            self.row = row
            self._shared.changed(self.id)

    # --- when the log is away, or what it holds is not what we hold ---

    def _halt(self, reason: str) -> None:
        """No clock runs, nothing is taken, everybody is told."""
        self._scene.halted = reason
        self._alarm.set(None)
        self._turn_away(Refused(Refusal.TABLE_PAUSED, reason))
        self.audience.announce(self._shared.clock.now(), [{"type": "table_paused", "reason": reason}])
        self._list()
        _log.warning("table %s is halted: %s", self.id, reason)

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
        """Make the table from the log, showing what nobody has seen of it yet."""
        self._stored = stored
        self._replayed = replay(stored, self._catch_up)
        self._owner_epoch = stored.owner_epoch
        self._last_row = stored.last_seq
        self._snapshot_row = stored.last_seq - len(stored.rows)
        if self._replayed.fault is not None:
            return  # What was shown last stays, until there is a new history.
        table = self._scene.table = self._replayed.table
        self._shared.presence.clear(self.id)
        for seat in table.seats.values():
            self._shared.presence.sit(seat.account, self.id, seat.seat)
        if self.audience.seq != table.seq or self.audience.epoch != stored.history_epoch:
            self.audience.jump(stored.history_epoch, table.seq, table.last_at)

    def _catch_up(self, table: Table, row: Row) -> None:
        """A row of the log: its command's answer is known from now on, and who hasn't seen what it did is shown it."""
        if row.key is not None:
            self._shared.answers.learn(row.key, row.answer or {})
        if table.seq == self.audience.seq + 1:
            self._scene.table = table
            self._show(row.events, row.at)

    async def _begin_history(self) -> None:
        """The log does not replay: a new history, with every chip where the money side of the log has it."""
        stored, broken = self._stored, self._replayed
        assert stored is not None
        batch = new_history(stored, broken, self._shared.clock.now())
        _log.error("table %s begins a new history: %s", self.id, broken.fault)
        if await self._shared.log.restart_history(self.id, batch) is not Outcome.COMMITTED:
            raise Reread
        self._stored = None  # What was written is read back: one path for every history.
        self._load(await self._shared.log.read(self.id))
        if self._replayed.fault is not None:
            raise AssertionError("a new history replays")

    async def _resume(self, resume: Resume) -> None:
        table, clock = self.table, self._shared.clock
        paused = table.paused is not None and not resume.lost_connections  # By a host, who will resume it.
        if not table.closed and not paused:
            now = max(clock.now(), table.last_at)
            asked = Asked(resume, now)
            batch = self._batch(asked, decide(table, resume, now), now)
            if await self._shared.committer.write(batch) is not Outcome.COMMITTED:
                raise Reread
            self._scene.halted = None
            self._done(asked, batch)
        else:
            self._scene.halted = None
            self.audience.announce(clock.now())
        self._list()
        self._tell_connections()

    def _tell_connections(self) -> None:
        """Connections may have come and gone while the table could not be told."""
        for seat in self.table.seats.values():
            connected = self._shared.presence.connected(seat.account)
            if connected != seat.connected:
                self.connect(seat.account, connected=connected)

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
        if self.table.closed:
            return Refused(Refusal.TABLE_CLOSED, "this table is closed")
        if self._scene.halted is not None:
            return Refused(Refusal.TABLE_PAUSED, self._scene.halted)
        return Refused(Refusal.TABLE_PAUSED, STOPPING) if self._ending else None

    def _turn_away(self, refused: Refused) -> None:
        for asked in self._mail.empty():
            self._shared.answers.withdraw(asked, refused)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """The task is over. By an error, which is our own fault: then the table stands still, and others go on."""
        error = None if task.cancelled() else task.exception()
        self._alarm.cancel()
        if error is not None:
            table = self.table
            _log.error("table %s hand %s row %d is frozen: %s", self.id, table.hand_id, self._last_row, traced(error))
            self._scene.freeze(FROZEN)
            self._halt(FROZEN)
        refused = self._unavailable() or Refused(Refusal.TABLE_PAUSED, STOPPING)
        self._turn_away(refused)
        if self._in_hand is not None:
            self._shared.answers.withdraw(self._in_hand, refused)
            self._in_hand = None
        if not self.ready.done():
            self.ready.set_result(None)
        if self.table.closed:
            self.audience.close()


def _answer(table: Table, events: Sequence[Event]) -> Answer:
    """What the asker is told: the update that shows it and, having sat down, the seat."""
    private = all(isinstance(event, PRIVATE) for event in events)
    answer: dict[str, object] = {"seq": table.seq + (not private)}
    for event in events:
        if isinstance(event, Seated):
            answer["seat"] = event.seat
    return answer

"""What is true in a run: the journal, read back after every transaction and folded here, and the money beside it.

Nothing of what a server remembers is looked at. Each row, each chip and each card is held to the room's promises as
soon as it is durable; `Moment` is what the `Witness` holds the server's words against.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullring.rules.cards import text
from fullring.rules.events import Acted, CardsShown, HandEnded, HandStarted, HandVoided, StreetDealt
from fullring.rules.events import Event as HandEvent
from fullring.rules.record import without_deck
from fullring.store import codec
from fullring.store.seal import Seal
from fullring.table.events import ClockStarted, Event, ShownLate, TimeBankStarted, TurnExpired
from fullring.table.ids import Millis, turn_id
from fullring.table.kept import restore
from fullring.table.state import Table
from fullring.table.table import evolve, opened
from fullring.table.views import public_events, public_view, you
from fullring.wire.codec import encode
from tests.simulation.disk import Disk, Operation
from tests.simulation.reading import cards
from tests.simulation.world import World
from tests.table.soundness import check, moved

HELD = 1_500
"""Updates of a table that are remembered: many more than a server holds for those who come back."""
LATE_MS = 10_000
"""How long a turn may stand after its deadline, once all is well."""
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Moment:
    """A table after an update: what everybody is told. ``events`` is what stands between the brackets.

    ``own`` are the parts that each seated account may be given: several where rows concerned one seat alone.
    """

    seq: int
    events: bytes
    view: bytes
    own: Mapping[str, frozenset[bytes]]


@dataclass(frozen=True, slots=True)
class Expired:
    """A turn that ran out: when it began, when it had to run out, and when it did."""

    began: Millis
    deadline: Millis
    at: Millis
    life: object


@dataclass(slots=True)
class Truth:
    """One table, as its journal tells it."""

    table: Table
    epoch: int = 1
    row: int = 0
    bought: int = 0
    hands: int = 0
    keys: dict[tuple[str, str], bytes] = field(default_factory=dict)
    """The answer to each command that is in the journal."""
    moments: dict[tuple[int, int], Moment] = field(default_factory=dict)
    """By history epoch and number."""
    expired: dict[str, Expired] = field(default_factory=dict)
    turn: tuple[str, Millis] = "", 0
    """The newest, and when it began."""
    turns: dict[tuple[str, str], str] = field(default_factory=dict)
    """The turn that each action in the journal has answered."""
    public: frozenset[str] = NOTHING
    holes: dict[str, frozenset[str]] = field(default_factory=dict)
    board_at: int = 0
    log: list[HandEvent] = field(default_factory=list)


@dataclass(slots=True)
class Money:
    """Where the chips are, by the ledger: what the house gave, and what was raked."""

    entry: int = 0
    sums: dict[str, int] = field(default_factory=dict)

    @property
    def given(self) -> int:
        return -self.sums.get("house", 0)


class Journal:
    """All tables. ``look`` after every transaction, ``sweep`` now and then. A broken promise ends the run."""

    def __init__(self, world: World) -> None:
        self.tables: dict[str, Truth] = {}
        self.money = Money()
        self.hands = 0
        self.troubled_at: Millis = 0
        """When there was anything last that excuses a table for being late."""
        self.heard: list[Callable[[bytes], None]] = []
        """Who wants every row's bytes."""
        self._world = world
        self._disk: Disk | None = None
        self._seal: Seal | None = None
        self._rowid = 0
        self._changes = 0

    def open(self, disk: Disk, keys: Sequence[bytes]) -> None:
        """``keys`` are all that ever sealed a deck."""
        self._disk = disk
        self._seal = Seal(keys)

    def open_table(self, table: str) -> None:
        """There is such a table, though nothing has happened at it yet."""
        if table not in self.tables:
            self._opened(table)

    def trouble(self, span: Millis = 0) -> None:
        """Something is not as it should be, and for so long: nothing that is late now is too late."""
        self.troubled_at = max(self.troubled_at, self._world.now() + span)

    def look(self) -> None:
        assert self._disk is not None
        changes = self._disk.raw.total_changes
        if changes == self._changes:
            return  # Nothing was written.
        self._changes = changes
        try:
            self._read_rows()
            self._count_money()
        except AssertionError as error:
            self._world.break_promise(f"{error}" or repr(error))

    # --- rows ---

    def _read_rows(self) -> None:
        disk = self._disk
        assert disk is not None
        rows = disk.raw.execute(_ROWS, (self._rowid,)).fetchall()
        assert disk.current is not None
        for rowid, table, seq, owner_epoch, at, account, command, answer, version, payload, sealed, *head in rows:
            self._rowid = rowid
            owner, history, last_seq = head
            truth = self.tables.get(table) or self._opened(table)
            where = f"table {table} row {seq}"
            assert owner_epoch == owner, f"{where} was written by an owner of before: {owner_epoch}, now {owner}"
            assert seq == truth.row + 1, f"{where} follows row {truth.row}"
            assert at >= truth.table.last_at or history != truth.epoch, f"{where} goes back in time"
            if command is not None:
                key = account, codec.read_key(command)
                assert key not in truth.keys, f"{where} does a second time what {key} asked for"
                truth.keys[key] = (answer or "{}").encode()
            events = codec.read_events(version, payload)
            if command is not None and any(isinstance(event, Acted) and event.auto is None for event in events):
                assert truth.table.hand is not None, f"{where}: nobody could act"
                truth.turns[key] = turn_id(truth.table.hand_id, truth.table.hand.turn)
            if sealed is not None:
                events = self._with_deck(table, events, sealed)
            if history != truth.epoch and seq == last_seq:
                self._new_history(truth, table, history, events)
            disk.current.tables.add(table)
            for told in self.heard:
                told(payload.encode())
            self._apply(truth, where, events, at, disk.current)
            assert self._seats(table) == _seats(truth.table), f"{where}: the seats of money and of play differ"

    def _opened(self, table: str) -> Truth:
        assert self._disk is not None
        version, payload = self._disk.raw.execute(_SETTINGS, (table,)).fetchone()
        truth = self.tables[table] = Truth(opened(table, codec.read_settings(version, payload)))
        return truth

    def _with_deck(self, table: str, events: tuple[Event, ...], sealed: bytes) -> tuple[Event, ...]:
        assert self._seal is not None
        unsealed: list[Event] = []
        for event in events:
            if isinstance(event, HandStarted):
                deck = self._seal.unseal(sealed, table=table, hand=event.hand)
                event = replace(event, deck=deck)
            unsealed.append(event)
        return tuple(unsealed)

    def _new_history(self, truth: Truth, table: str, history: int, events: Sequence[Event]) -> None:
        """Every chip stays where it was, as the money has it; a hand in play never was."""
        assert self._disk is not None
        version, payload = self._disk.raw.execute(_SNAPSHOT, (table,)).fetchone()
        before = sum(seat.stack + seat.pending for seat in truth.table.seats.values())
        truth.table = restore(table, truth.table.settings, codec.read_snapshot(version, payload))
        truth.epoch = history
        truth.bought = 0
        after = moved([event for event in events if not isinstance(event, HandEnded)])
        assert before == after, f"table {table}: a new history has {after} chips, there were {before}"

    def _apply(self, truth: Truth, where: str, events: tuple[Event, ...], at: Millis, by: Operation) -> None:
        table = truth.table
        self._check_clock(truth, where, events, at, by)
        late = NOTHING
        for event in events:
            if isinstance(event, HandStarted):
                self._hand_started(truth, where, event)
            elif isinstance(event, StreetDealt):
                self._street_dealt(truth, where, event)
            elif isinstance(event, CardsShown):
                truth.public |= _names(event.cards)
            elif isinstance(event, ShownLate):
                late |= _names(event.cards)
            elif isinstance(event, ClockStarted) and event.turn != truth.turn[0]:
                truth.turn = event.turn, at
            if isinstance(event, HandEvent):
                truth.log.append(event)
            if isinstance(event, HandEnded | HandVoided):
                self._hand_over(truth, where)
        before = table.seq
        evolve(table, events, at)
        truth.row += 1
        truth.bought += moved(events)
        check(table, truth.bought)
        if table.finished is not None and table.finished.id == table.hand_id:
            truth.public |= late
        self._remember(truth, where, events, late, public=table.seq != before)

    def _hand_started(self, truth: Truth, where: str, started: HandStarted) -> None:
        deck, size = started.deck, len(started.seats)
        assert len(set(deck)) == len(deck) == 52, f"{where}: a deck of {len(set(deck))} cards"
        assert started.number > truth.hands, f"{where}: hand {started.number} after {truth.hands}"
        truth.hands = started.number
        truth.public = NOTHING
        truth.holes = {
            truth.table.seats[stake.seat].account: _names([deck[place], deck[place + size]])
            for place, stake in enumerate(started.seats)
        }
        truth.board_at = 2 * size
        truth.log = []

    def _street_dealt(self, truth: Truth, where: str, street: StreetDealt) -> None:
        started = truth.log[0]
        assert isinstance(started, HandStarted)
        end = truth.board_at + len(street.cards)
        assert street.cards == tuple(started.deck[truth.board_at : end]), f"{where}: the board is not the deck's"
        truth.board_at = end
        truth.public |= _names(street.cards)

    def _hand_over(self, truth: Truth, where: str) -> None:
        assert self._disk is not None
        self.hands += 1
        started = truth.log[0]
        if not isinstance(started, HandStarted):  # A void hand that could not be read.
            return
        version, payload = self._disk.raw.execute(_HAND, (started.hand,)).fetchone()
        record = codec.read_record(version, payload)
        assert record.events == without_deck(truth.log), f"{where}: hand {started.hand} is not kept as it was played"

    def _remember(
        self, truth: Truth, where: str, events: Sequence[Event], late: frozenset[str], *, public: bool
    ) -> None:
        table = truth.table
        own = {str(seat.account): encode(you(table, number) or {}) for number, seat in table.seats.items()}
        for account, part in own.items():
            assert cards(part) <= truth.public | truth.holes.get(account, NOTHING), (
                f"{where}: {account} is shown others' cards"
            )
        if not public:
            last = truth.moments[truth.epoch, table.seq]
            added = {account: last.own.get(account, frozenset()) | {part} for account, part in own.items()}
            truth.moments[truth.epoch, table.seq] = Moment(last.seq, last.events, last.view, added)
            return
        told = encode({"events": public_events(table, events)})[len(b'{"events":[') : -len(b"]}")]
        view = encode(public_view(table))
        parts = {account: frozenset([part]) for account, part in own.items()}
        known = truth.public | late
        assert cards(told) | cards(view) <= known, f"{where}: everybody is shown a hidden card"
        truth.moments[truth.epoch, table.seq] = Moment(table.seq, told, view, parts)
        truth.moments.pop((truth.epoch, table.seq - HELD), None)

    # --- time ---

    def _check_clock(self, truth: Truth, where: str, events: Sequence[Event], at: Millis, by: Operation) -> None:
        """A turn runs out after its deadline, and if nothing was in the way, at once."""
        table, hand = truth.table, truth.table.hand
        if not any(isinstance(event, TurnExpired | TimeBankStarted) for event in events):
            return
        deadline = table.deadline
        assert hand is not None, f"{where}: no turn could run out"
        assert deadline is not None, f"{where}: no clock could run out"
        assert at > deadline, f"{where}: the turn ran out {deadline - at} ms before its time was over"
        turn, began = truth.turn
        assert turn == turn_id(table.hand_id, hand.turn), f"{where}: a turn ran out that is not the newest"
        truth.expired[turn] = Expired(began, deadline, at, by.life)
        due = self._in_the_world(deadline, by) + 1
        if at > deadline + 1 and self.troubled_at < due - LATE_MS and not self._was_busy(table.id, by, due):
            raise AssertionError(f"{where}: the turn ran out {at - deadline} ms after its deadline")

    def _was_busy(self, table: str, by: Operation, due: Millis) -> bool:
        """Whether the process waited for a transaction that may have been this table's when it was due."""
        assert self._disk is not None
        return any(
            one is not by
            and one.life is by.life
            and one.asked <= by.asked
            and (one.answered is None or one.answered >= due)
            and (not one.tables or table in one.tables)
            for one in self._disk.operations
        )

    def _in_the_world(self, instant: Millis, by: Operation) -> Millis:
        assert by.life.clock is not None
        return instant - by.life.clock.now() + self._world.now()

    def sweep(self, clock: Callable[[], Millis]) -> None:
        """No turn stands long after its deadline. ``clock`` is that of the process that plays."""
        now = self._world.now()
        if now < self.troubled_at + LATE_MS:
            return
        for truth in self.tables.values():
            table = truth.table
            if table.deadline is not None and clock() > table.deadline + LATE_MS and not table.closed:
                self._world.break_promise(
                    f"table {table.id} row {truth.row}: a turn stands {clock() - table.deadline} ms after its deadline"
                )

    # --- money ---

    def _count_money(self) -> None:
        assert self._disk is not None
        execute, money = self._disk.raw.execute, self.money
        sums: dict[int, int] = {}
        for tx, account, amount in execute(_ENTRIES, (money.entry,)):
            sums[tx] = sums.get(tx, 0) + amount
            money.sums[account] = money.sums.get(account, 0) + amount
        if sums:
            money.entry = max(sums)
            assert not any(sums.values()), f"ledger transactions {[tx for tx in sums if sums[tx]]} do not sum to zero"
        ((held,),) = execute(_HELD)
        found = held + money.sums.get("rake", 0)
        assert found == money.given, f"there are {found} chips, the house gave {money.given}"

    def _seats(self, table: str) -> list[tuple[int, str, int, int]]:
        assert self._disk is not None
        return self._disk.raw.execute(_SEATS, (table,)).fetchall()


def _seats(table: Table) -> list[tuple[int, str, int, int]]:
    return [(n, str(table.seats[n].account), table.seats[n].stack, table.seats[n].pending) for n in sorted(table.seats)]


def _names(cards: Sequence[int]) -> frozenset[str]:
    return frozenset([text(card) for card in cards])


_ROWS = """SELECT journal.rowid, table_id, seq, journal.owner_epoch, at, account_id, command_id, answer, version,
    payload, sealed, tables.owner_epoch, history_epoch, last_seq
    FROM journal JOIN tables ON tables.id = table_id WHERE journal.rowid > ? ORDER BY journal.rowid"""
_SETTINGS = "SELECT version, payload FROM table_settings WHERE table_id = ?"
_SNAPSHOT = "SELECT version, payload FROM snapshots WHERE table_id = ?"
_HAND = "SELECT version, payload FROM hands WHERE id = ?"
_SEATS = "SELECT seat, account_id, stack, pending FROM seats WHERE table_id = ? ORDER BY seat"
_ENTRIES = "SELECT tx_id, account, amount FROM ledger_entries WHERE tx_id > ?"
_HELD = """SELECT (SELECT coalesce(sum(chips), 0) FROM accounts)
    + (SELECT coalesce(sum(stack + pending), 0) FROM seats)"""
"""In accounts and at seats."""

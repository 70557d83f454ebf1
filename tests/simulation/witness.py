"""Hears every frame of a run, and holds what the server says against what is true in the journal.

What goes to everybody must be the very bytes that the journal's rows make; what goes to one seat, that seat's alone.
An ``ok`` says that something is permanent, an ``error`` that nothing has happened.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fullring.table.ids import Millis
from tests.simulation.network import Line
from tests.simulation.reading import UPDATE, Reader, Update, cards, read
from tests.simulation.truth import Journal, Moment, Truth
from tests.simulation.world import World

Json = dict[str, Any]

COMMANDS = frozenset({
    "sit", "leave", "sit_out", "sit_in", "top_up", "act", "arm", "disarm", "show", "chat",
})  # fmt: skip
"""What changes a table."""
NOT_NOW = frozenset({"table_paused", "rate_limited", "closing", "not_found", "table_closed"})
"""Says nothing about whether the same command was done before."""
NO_MESSAGE = frozenset({"bad_message", "unknown_type", "unauthorized"})
FOREVER = 2**60
ID_CHARACTERS, FRAME_CHARACTERS = 64, 8_000
LATE_MS = 20_000
"""How long an answer may take, once all is well: a reader who takes nothing for long is sent away."""
REMEMBERED = 400
"""So many commands of an account are answered from memory at least."""


@dataclass(slots=True)
class Asked:
    """A command, and how it was answered first, by which process. ``at`` is when it came over the line ``came``, or
    came again after it was put off."""

    number: int
    kind: str
    table: str
    turn: str
    life: object
    at: Millis | None = None
    came: object = None
    answer: str | None = None


@dataclass(slots=True)
class Place:
    """Where a viewer stands at a table. ``first`` is set when a watch was granted whose update has not come yet."""

    epoch: int
    seq: int
    first: bool = False
    since: tuple[int, int] | None = None


@dataclass(slots=True)
class Watching:
    """What one line has asked to see, and has seen."""

    greeted: bool = False
    waiting: dict[str, list[Millis]] = field(default_factory=dict)
    """The messages that have no answer yet, and when they came."""
    places: dict[str, Place] = field(default_factory=dict)
    asked: dict[str, Json] = field(default_factory=dict)


class Witness:
    """``frames`` counts; ``noted`` gets everything that passed, for the digest of the run."""

    def __init__(self, world: World, journal: Journal, noted: Callable[[str, Line, str | bytes], None]) -> None:
        self.reader = Reader()
        self.frames = 0
        self._world = world
        self._journal = journal
        self._noted = noted
        self._lines: dict[Line, Watching] = {}
        self._asked: dict[tuple[str, str], Asked] = {}
        self._numbers: dict[str, int] = {}

    # --- a line's life ---

    def opened(self, line: Line) -> None:
        self._lines[line] = Watching()

    def closed(self, line: Line, code: int) -> None:
        self._noted("closed", line, str(code))
        self._lines.pop(line, None)

    def received(self, line: Line, frame: str | bytes) -> None:
        self.frames += 1
        self._noted("received", line, frame)
        watching = self._lines.get(line)
        if watching is None or isinstance(frame, bytes):
            return
        try:
            message = read(frame)
        except msgspec.DecodeError:
            return
        id, kind = message.get("id"), message.get("type")
        if isinstance(id, str) and isinstance(kind, str) and isinstance(message.get("table", ""), str):
            watching.asked.setdefault(id, message)
            if 0 < len(id) <= ID_CHARACTERS and len(frame) <= FRAME_CHARACTERS:
                watching.waiting.setdefault(id, []).append(self._world.now())
            if kind in COMMANDS and line.account is not None:
                self._command(line, watching, id, kind, message)

    def _command(self, line: Line, watching: Watching, id: str, kind: str, message: Json) -> None:
        key = line.account or "", id
        asked = self._asked.get(key)
        if asked is None:
            number = self._numbers[key[0]] = self._numbers.get(key[0], 0) + 1
            turn, table = str(message.get("turn")), message.get("table", "")
            asked = self._asked[key] = Asked(number, kind, table, turn, line.life)
        if asked.at is None or asked.came is not line:
            asked.came = line
            clock = line.life.clock
            assert clock is not None
            asked.at = clock.now() if watching.greeted else FOREVER

    def sweep(self, calm_since: Millis) -> None:
        """Every message gets its answer, within a time that is long enough when all is well."""
        late = self._world.now() - LATE_MS
        if calm_since >= late:
            return
        for line, watching in self._lines.items():
            for id, since in watching.waiting.items():
                if since[0] < late and id in watching.asked and watching.greeted:
                    self._world.break_promise(f"{line}: {watching.asked[id]['type']} {id} gets no answer")

    # --- what the server says ---

    def sent(self, line: Line, frame: str) -> None:
        self.frames += 1
        self._noted("sent", line, frame)
        watching = self._lines.get(line)
        if watching is None:
            return
        try:
            if frame.startswith(UPDATE):
                self._update(line, watching, frame)
            else:
                self._answer(line, watching, frame)
        except AssertionError as error:
            self._world.break_promise(f"{line}: {error}")

    def _answer(self, line: Line, watching: Watching, frame: str) -> None:
        message = read(frame)
        assert not cards(frame.encode()) - self._said(line, message), f"cards in {message['type']}"
        id, kind = message.pop("re", None), message.pop("type")
        if id is not None:
            waiting = watching.waiting.get(id)
            assert waiting, f"{id} is answered once more than it was asked"
            waiting.pop(0)
            if not waiting:
                del watching.waiting[id]
        asked = watching.asked.get(id) if isinstance(id, str) else None
        if kind == "welcome":
            watching.greeted = True
        elif asked is not None and asked["type"] in COMMANDS and line.account is not None:
            self._answered(line, str(id), kind, message)
        elif kind == "ok" and asked is not None and asked["type"] == "watch":
            self._watched(watching, asked)
        elif kind == "ok" and asked is not None and asked["type"] == "unwatch":
            watching.places.pop(asked["table"], None)
        elif kind == "error":
            assert message["code"] != "internal" or (asked or {}).get("type") == "hello", message["message"]

    def _said(self, line: Line, message: Json) -> set[str]:
        """The cards that this client has named itself: a refusal may repeat them."""
        watching, id = self._lines[line], message.get("re")
        asked = watching.asked.get(id) if isinstance(id, str) else None
        return set() if asked is None else {card for card in asked.get("cards", ()) if isinstance(card, str)}

    def _answered(self, line: Line, id: str, kind: str, message: Json) -> None:
        asked = self._asked[line.account or "", id]
        truth = self._journal.tables.get(asked.table)
        done = None if truth is None else truth.keys.get((line.account or "", id))
        if kind == "ok":
            told = msgspec.json.encode(message, order="sorted")
            if done is None:
                assert asked.kind == "disarm", f"{asked.kind} {id} was acknowledged and is not in the journal"
            else:
                if asked.kind == "act" and truth is not None:
                    turn = truth.turns.get((line.account or "", id))
                    assert turn == asked.turn, f"act {id} was for turn {asked.turn}, and counts for {turn}"
                kept = msgspec.json.encode(read(done), order="sorted")
                assert told == kept, f"{asked.kind} {id} was answered {told!r}, the journal has {kept!r}"
                self._first(asked, line, f"ok {told!r}")
            return
        code = message["code"]
        if code in NOT_NOW:
            asked.at = None
        if code in NOT_NOW or code in NO_MESSAGE:
            return
        assert code != "internal", f"{asked.kind} {id}: {message['message']}"
        assert done is None, f"{asked.kind} {id} was refused as {code} and is in the journal"
        self._first(asked, line, code)
        if code == "stale_turn" and truth is not None:
            self._in_time(asked, truth, line)

    def _first(self, asked: Asked, line: Line, answer: str) -> None:
        """The same command gets its first answer again. A refusal is remembered by the process that gave it."""
        first = asked.answer
        again = self._numbers[line.account or ""] - asked.number < REMEMBERED
        if first is None or (asked.life is not line.life and not first.startswith("ok")) or not again:
            asked.answer, asked.life = answer, line.life
            return
        assert answer == first, f"{asked.kind} was answered {answer} after {first}"

    def _in_time(self, asked: Asked, truth: Truth, line: Line) -> None:
        """An action that came by the deadline counts, even if the clock rings at the same instant.

        One that came before its turn had begun does not, and is refused again whenever it comes again.
        """
        expired = truth.expired.get(asked.turn)
        if expired is None or asked.came is not line or expired.life is not line.life or asked.at is None:
            return
        if asked.at >= expired.began:
            early = expired.deadline - asked.at
            assert early < 0, f"an action that came {early} ms before the turn's deadline was refused: it had run out"

    # --- updates ---

    def _watched(self, watching: Watching, asked: Json) -> None:
        """The next update of that table begins with the view."""
        asked["type"] = "watched"  # The same id again is no other watch.
        since = asked.get("since")
        place = watching.places.setdefault(asked["table"], Place(0, -1))
        place.first = True
        place.since = (since["epoch"], since["seq"]) if isinstance(since, dict) else None

    def _update(self, line: Line, watching: Watching, frame: str) -> None:
        update, own = self.reader.update(frame)
        place = watching.places.get(update.table)
        assert place is not None, f"an update of {update.table}, which is not watched"
        where = f"update {update.epoch}.{update.seq} of table {update.table}"
        if update.table == "lobby":
            assert own is None, "the lobby knows nobody"
            assert not cards(frame.encode()), "cards in the lobby"
        else:
            truth = self._journal.tables.get(update.table)
            if truth is None or update.seq == 0:
                assert not cards(frame.encode()), f"{where}: cards from nowhere"
            else:
                self._held_against(truth, update, own, place, line, where)
        if not (place.first or update.lost):
            assert update.epoch == place.epoch, f"{where} after {place.epoch}.{place.seq}: another history"
            assert update.seq in (place.seq, place.seq + 1), f"{where} after {place.seq}: a gap"
        place.epoch, place.seq, place.first = update.epoch, update.seq, False

    def _held_against(
        self, truth: Truth, update: Update, own: str | None, place: Place, line: Line, where: str
    ) -> None:
        moment = truth.moments.get((update.epoch, update.seq))
        assert moment is not None, f"{where} is in no journal: the last is {truth.table.seq}"
        self._check_view(moment, update, where)
        self._check_events(truth, update, place, where)
        if own is None:
            assert line.account not in moment.own or not self._lines[line].greeted, f"{where}: without its own part"
            return
        mine = moment.own.get(line.account or "", frozenset())
        assert own.encode() in mine, f"{where}: {line.account} gets another's part, or a wrong one: {own}"

    def _check_view(self, moment: Moment, update: Update, where: str) -> None:
        if bytes(update.view) == moment.view:
            return
        shown, true = read(update.view), read(moment.view)
        assert shown.get("status") == "paused", f"{where}: the view is not what the journal's rows make"
        true |= {"status": "paused", "reason": shown.get("reason")}
        true.get("hand", {}).pop("turn", None)
        assert shown == true, f"{where}: the view of a table that stands still is not what the journal's rows make"

    def _check_events(self, truth: Truth, update: Update, place: Place, where: str) -> None:
        """Since the viewer's last update, all of them once and in order; or it is said that some are lost."""
        told = bytes(update.events)[1:-1]
        if update.lost:
            return
        if place.first:
            since = place.since
            assert since is None or since[0] == update.epoch, f"{where}: of another history, and nothing is lost"
            after = update.seq if since is None else since[1]
        else:
            after = place.seq
        if after == update.seq:
            assert not told or told.startswith(b'{"type":"table_paused"'), f"{where}: events come a second time"
            return
        missed = [truth.moments[update.epoch, seq].events for seq in range(after + 1, update.seq + 1)]
        assert told == b",".join([events for events in missed if events]), (
            f"{where}: events since {after} are not these"
        )

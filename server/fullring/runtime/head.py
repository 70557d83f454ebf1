"""Where a table's log ends, and what the next row of it is."""

from collections.abc import Sequence

from fullring.rules.events import HandStarted
from fullring.runtime.answers import Asked
from fullring.runtime.ports import Answer, Batch, StoredTable
from fullring.table.events import Event, Seated
from fullring.table.ids import Millis, TableId
from fullring.table.kept import snapshot
from fullring.table.state import Table
from fullring.table.table import is_public, record

SNAPSHOT_ROWS = 200
"""Where no hand starts, the table is written down whole after so many rows, so that a replay stays short."""


class Head:
    """One table's. A batch that was made here is written, or the log is read again: nothing else moves the head."""

    __slots__ = ("_owner_epoch", "_snapshot_row", "_table", "row")

    def __init__(self, stored: StoredTable) -> None:
        self._table: TableId = stored.table
        self._owner_epoch = stored.owner_epoch
        self._snapshot_row = stored.last_seq - len(stored.rows)
        self.row = stored.last_seq
        """The number of the last row."""

    def batch(self, table: Table, asked: Asked, events: Sequence[Event], now: Millis) -> Batch:
        """The next row: these events, decided and not yet applied."""
        starts = HandStarted in map(type, events)
        due = starts or self.row - self._snapshot_row >= SNAPSHOT_ROWS
        return Batch(
            table=self._table,
            owner_epoch=self._owner_epoch,
            seq=self.row + 1,
            at=now,
            events=tuple(events),
            key=asked.key,
            answer=_answer(table, events),
            snapshot=snapshot(table, shown=not starts) if due and table.between_hands else None,
            record=record(table, events, now),
        )

    def written(self, batch: Batch) -> None:
        self.row = batch.seq
        if batch.snapshot is not None:
            self._snapshot_row = batch.seq


def _answer(table: Table, events: Sequence[Event]) -> Answer:
    """What the asker is told: the update that shows it and, having sat down, the seat."""
    answer: dict[str, object] = {"seq": table.seq + is_public(events)}
    for event in events:
        if type(event) is Seated:
            answer["seat"] = event.seat
    return answer

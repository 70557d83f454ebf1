"""A table from what the log holds of it; one that does not replay begins a new history, with every chip in place."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fullring.rules.events import HandVoided
from fullring.rules.record import HandRecord
from fullring.runtime.faults import BROKEN, traced
from fullring.runtime.ports import Batch, Row, SeatRow, StoredTable
from fullring.table.events import Entry, Event, Seated
from fullring.table.ids import Millis
from fullring.table.kept import emptied, restore
from fullring.table.state import Table
from fullring.table.table import evolve, opened, record

VOIDED = "the hand is void: its log could not be read, and every chip is back where the hand began"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The table after the last row that could be applied; ``fault`` says why it is not the last that was written."""

    table: Table
    fault: str | None


def replay(stored: StoredTable, seen: Callable[[Table, Row], None]) -> Replayed:
    """``seen`` hears of each row when it has been applied."""
    table = _start(stored)
    for row in stored.rows:
        try:
            evolve(table, row.events, row.at)
        except BROKEN as error:
            ids = {"table": stored.table}
            _log.error("table %s row %d does not replay: %s", stored.table, row.seq, traced(error), extra=ids)
            return Replayed(table, f"row {row.seq} of its log does not replay")
        seen(table, row)
    return Replayed(table, stored.unreadable or _disagreement(table, stored.seats))


def new_history(stored: StoredTable, broken: Replayed, now: Millis) -> Batch:
    """The first batch of a new history: the open hand is void, all sit where the money says, with the same chips."""
    voided: list[Event] = []
    kept: HandRecord | None = None
    hand = broken.table.hand
    stacks = {row.seat: row.stack for row in stored.seats}
    if (
        hand is not None
        and not hand.over
        and all(stacks.get(stake.seat) == stake.stack for stake in hand.started.seats)
    ):
        voided = [HandVoided(VOIDED, hand.started.seats)]
        kept = _void_record(broken.table, voided, now)
    seated = [
        Seated(row.seat, row.account, row.name, row.kind, row.stack + row.pending, Entry.NOW, now)
        for row in stored.seats
    ]
    return Batch(
        table=stored.table,
        owner_epoch=stored.owner_epoch,
        seq=stored.last_seq + 1,
        at=now,
        events=(*voided, *seated),
        snapshot=emptied(broken.table, stored.hands),
        record=kept,
    )


def last_instant(stored: StoredTable) -> Millis:
    """When something happened at the table last."""
    if stored.rows:
        return stored.rows[-1].at
    return 0 if stored.snapshot is None else stored.snapshot.last_at


def _start(stored: StoredTable) -> Table:
    if stored.snapshot is None:
        return opened(stored.table, stored.settings)
    try:
        return restore(stored.table, stored.settings, stored.snapshot)
    except BROKEN as error:
        _log.error("table %s: its last hand is not shown again: %s", stored.table, traced(error))
        return restore(stored.table, stored.settings, replace(stored.snapshot, last=None))


def _disagreement(table: Table, seats: Sequence[SeatRow]) -> str | None:
    """The money side knows every seat too. Where the two differ, the money is right."""
    mine = {seat.seat: (seat.account, seat.stack, seat.pending) for seat in table.seats.values()}
    theirs = {row.seat: (row.account, row.stack, row.pending) for row in seats}
    return None if mine == theirs else "its log and its chips do not agree"


def _void_record(table: Table, voided: Sequence[Event], now: Millis) -> HandRecord | None:
    try:
        return record(table, voided, now)
    except BROKEN as error:
        _log.error("table %s: no record of its void hand: %s", table.id, traced(error))
        return None

"""What is needed to go on with a table after a start, an outage or a lost ownership: read under a new owner epoch."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import sqlalchemy as sa

from fullring.rules.events import HandStarted
from fullring.runtime.ports import CommandKey, Row, SeatRow, StoredTable
from fullring.store import codec
from fullring.store.codec import Unreadable
from fullring.store.schema import hands, journal, seats, snapshots, table_settings, tables
from fullring.store.seal import CannotUnseal, Seal
from fullring.table.events import Event
from fullring.table.ids import AccountId, TableId

logger = logging.getLogger(__name__)

Found: TypeAlias = sa.Row[Any]


class UnreadableSettings(Exception):
    """A table's settings can't be read: without them there is no table to go on with."""


def claimed(connection: sa.Connection, seal: Seal, table: TableId | None) -> list[StoredTable]:
    """That table, or every open one, with its owner epoch one higher. Raises UnreadableSettings."""
    which = tables.c.state == "open" if table is None else tables.c.id == table
    # Locked in the order in which commits lock them, so that an owner of before can't be in each other's way.
    connection.execute(sa.select(tables.c.id).where(which).order_by(tables.c.id).with_for_update())
    connection.execute(sa.update(tables).where(which).values(owner_epoch=tables.c.owner_epoch + 1))
    rows: dict[str, list[Found]] = defaultdict(list)
    for row in connection.execute(_rows(which)):
        rows[row.table_id].append(row)
    seated: dict[str, list[SeatRow]] = defaultdict(list)
    for row in connection.execute(_seats(which)):
        seated[row.table_id].append(
            SeatRow(row.seat, AccountId(row.account_id), row.name, row.kind, row.stack, row.pending)
        )
    heads = connection.execute(_heads(which))
    return [_stored(head, rows[head.id], tuple(seated[head.id]), seal) for head in heads]


def _heads(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    # A hand in play has the number after the last one recorded, but for those lost with each history before this one.
    last_end = sa.select(sa.func.max(hands.c.ended_at)).where(hands.c.table_id == tables.c.id).correlate(tables)
    last_number = (
        sa.select(sa.func.max(hands.c.number))
        .where(hands.c.table_id == tables.c.id, hands.c.ended_at == last_end.scalar_subquery())
        .correlate(tables)
    )
    return (
        sa.select(
            tables.c.id,
            tables.c.owner_epoch,
            tables.c.history_epoch,
            tables.c.last_seq,
            table_settings.c.version.label("settings_version"),
            table_settings.c.payload.label("settings"),
            table_settings.c.opened_by,
            snapshots.c.seq.label("snapshot_seq"),
            snapshots.c.version.label("snapshot_version"),
            snapshots.c.payload.label("snapshot"),
            (sa.func.coalesce(last_number.scalar_subquery(), 0) + tables.c.history_epoch).label("hands"),
        )
        .join(table_settings, table_settings.c.table_id == tables.c.id)
        .join(snapshots, snapshots.c.table_id == tables.c.id)
        .where(which)
        .order_by(table_settings.c.opened_at, tables.c.id)
    )


def _rows(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return (
        sa.select(
            journal.c.table_id,
            journal.c.seq,
            journal.c.at,
            journal.c.account_id,
            journal.c.command_id,
            journal.c.answer,
            journal.c.version,
            journal.c.payload,
            journal.c.sealed,
        )
        .join(tables, tables.c.id == journal.c.table_id)
        .join(snapshots, snapshots.c.table_id == tables.c.id)
        .where(which, journal.c.seq > snapshots.c.seq)
        .order_by(journal.c.table_id, journal.c.seq)
    )


def _seats(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return (
        sa.select(
            seats.c.table_id,
            seats.c.seat,
            seats.c.account_id,
            seats.c.name,
            seats.c.kind,
            seats.c.stack,
            seats.c.pending,
        )
        .join(tables, tables.c.id == seats.c.table_id)
        .where(which)
        .order_by(seats.c.table_id, seats.c.seat)
    )


def _stored(head: Found, rows: Sequence[Found], seated: tuple[SeatRow, ...], seal: Seal) -> StoredTable:
    try:
        settings = codec.read_settings(head.settings_version, head.settings)
    except Unreadable as problem:
        raise UnreadableSettings(f"table {head.id}: {problem}") from problem
    snapshot = None
    read: list[Row] = []
    unreadable = None
    try:
        if head.snapshot is not None:
            snapshot = codec.read_snapshot(head.snapshot_version, head.snapshot)
        for row in rows:
            read.append(_row(row, head.snapshot_seq + len(read) + 1, seal))
        if head.snapshot_seq + len(read) != head.last_seq:
            raise Unreadable("it is missing")
    except (Unreadable, CannotUnseal) as problem:
        unreadable = f"row {head.snapshot_seq + len(read) + 1}: {problem}"
        logger.error("table %s can't be read from its journal: %s", head.id, unreadable)
    return StoredTable(
        table=TableId(head.id),
        settings=settings,
        owner_epoch=head.owner_epoch,
        history_epoch=head.history_epoch,
        last_seq=head.last_seq,
        snapshot=snapshot,
        rows=tuple(read),
        seats=seated,
        unreadable=unreadable,
        hands=head.hands,
        owner=head.opened_by,
    )


def _row(found: Found, expected: int, seal: Seal) -> Row:
    """Raises Unreadable or CannotUnseal."""
    if found.seq != expected:
        raise Unreadable("it is missing")
    events = codec.read_events(found.version, found.payload)
    if found.sealed is not None:
        events = tuple([_with_deck(event, found, seal) for event in events])
    key = None
    if found.command_id is not None:
        key = CommandKey(AccountId(found.account_id), codec.read_key(found.command_id))
    answer = None if found.answer is None else codec.read_answer(found.answer)
    return Row(found.seq, found.at, events, key, answer)


def _with_deck(event: Event, found: Found, seal: Seal) -> Event:
    if not isinstance(event, HandStarted):
        return event
    return replace(event, deck=seal.unseal(found.sealed, table=found.table_id, hand=event.hand))

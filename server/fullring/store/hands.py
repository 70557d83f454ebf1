"""Finished hands: each record once and whole, found by account, table and time, newest first."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import sqlalchemy as sa

from fullring.rules.events import CardsShown
from fullring.rules.record import HandRecord
from fullring.runtime.ports import Batch, HandQuery
from fullring.store import codec
from fullring.store.database import Database
from fullring.store.schema import hand_players, hand_shows, hands
from fullring.store.statements import Prepared, Values, among
from fullring.table.events import ShownLate
from fullring.table.ids import HandId

_Rows: TypeAlias = Sequence[sa.Row[Any]]

PAGE_MAX = 1_000
_DIGITS_MAX = 16

_INSERT_HAND = Prepared(sa.insert(hands), "id", "table_id", "number", "started_at", "ended_at", "version", "payload")
_INSERT_PLAYER = Prepared(sa.insert(hand_players), "account_id", "ended_at", "hand_id")
_INSERT_SHOW = Prepared(sa.insert(hand_shows), "hand_id", "seq", "seat", "cards")
_RECORD: sa.Select[Any] = sa.select(hands.c.id, hands.c.ended_at, hands.c.version, hands.c.payload)
_SHOWS: sa.Select[Any] = (
    sa.select(hand_shows.c.hand_id, hand_shows.c.seat, hand_shows.c.cards)
    .where(among(hand_shows.c.hand_id, "ids"))
    .order_by(hand_shows.c.hand_id, hand_shows.c.seq, hand_shows.c.seat)
)


class SqlHands:
    """`fullring.runtime.ports.Hands` in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, query: HandQuery) -> tuple[Sequence[HandRecord], str | None]:
        """Nothing behind a cursor that no page ended with. ValueError for a limit outside 1 to 1,000."""
        if not 1 <= query.limit <= PAGE_MAX:
            raise ValueError(f"a page has 1 to {PAGE_MAX} hands")
        after = None if query.cursor is None else _place(query.cursor)
        if query.cursor is not None and after is None:
            return (), None
        statement = _found(query, after)

        def work(connection: sa.Connection) -> tuple[_Rows, _Rows, str | None]:
            rows = connection.execute(statement).all()
            page = rows[: query.limit]
            more = f"{page[-1].ended_at}.{page[-1].id}" if len(rows) > len(page) else None
            return page, _shows(connection, page), more

        page, shows, more = await self._database.search(work)
        # With PostgreSQL that was the event loop, which a thousand of them would hold up.
        return await asyncio.to_thread(_records, page, shows), more

    async def get(self, hand: HandId) -> HandRecord | None:
        def work(connection: sa.Connection) -> HandRecord | None:
            rows = connection.execute(_RECORD.where(hands.c.id == hand)).all()
            return next(iter(_records(rows, _shows(connection, rows))), None)

        return await self._database.read(work)


@dataclass(frozen=True, slots=True)
class HandRows:
    """What a batch adds to the finished hands: a record with its players, cards shown after the end."""

    hands: Sequence[Values]
    players: Sequence[Values]
    shows: Sequence[Values]


def hand_rows(batch: Batch) -> HandRows | None:
    """None for a batch that adds nothing, as most do."""
    record = batch.record
    if record is None and ShownLate not in map(type, batch.events):
        return None
    shown = [event for event in batch.events if type(event) is ShownLate]
    if record is None:
        return HandRows((), (), [_show(batch.seq, event) for event in shown])
    players = [(player.account, record.ended_at, record.hand) for player in record.players]
    return HandRows([_values(record)], players, [_show(batch.seq, event) for event in shown])


def write_hands(connection: sa.Connection, added: Sequence[HandRows]) -> None:
    _INSERT_HAND.run(connection, [row for rows in added for row in rows.hands])
    _INSERT_PLAYER.run(connection, [row for rows in added for row in rows.players])
    _INSERT_SHOW.run(connection, [row for rows in added for row in rows.shows])


def _show(seq: int, event: ShownLate) -> Values:
    return event.hand, seq, event.seat, codec.write_cards(event.cards)


def _values(record: HandRecord) -> Values:
    return (
        record.hand,
        record.table,
        record.number,
        record.started_at,
        record.ended_at,
        codec.VERSION,
        codec.write_record(record),
    )


def _place(cursor: str) -> tuple[int, str] | None:
    """Where a page ended: when its last hand did, and the hand."""
    ended, _, hand = cursor.partition(".")
    digits = ended.isascii() and ended.isdigit() and len(ended) <= _DIGITS_MAX
    return (int(ended), hand) if digits and hand and "\0" not in hand else None


def _found(query: HandQuery, after: tuple[int, str] | None) -> sa.Select[Any]:
    statement = _RECORD
    ended_at, hand_id = hands.c.ended_at, hands.c.id
    if query.account is not None:
        # By the index of the players, which has the order of the page in it.
        ended_at, hand_id = hand_players.c.ended_at, hand_players.c.hand_id
        statement = statement.join(hand_players, hand_id == hands.c.id).where(
            hand_players.c.account_id == query.account
        )
    if query.table is not None:
        statement = statement.where(hands.c.table_id == query.table)
    if query.since is not None:
        statement = statement.where(ended_at >= query.since)
    if query.until is not None:
        statement = statement.where(ended_at < query.until)
    if after is not None:
        place = sa.tuple_(sa.literal(after[0], sa.BigInteger), sa.literal(after[1], sa.Text))
        statement = statement.where(sa.tuple_(ended_at, hand_id) < place)
    return statement.order_by(ended_at.desc(), hand_id.desc()).limit(query.limit + 1)


def _shows(connection: sa.Connection, rows: _Rows) -> _Rows:
    return connection.execute(_SHOWS, {"ids": [row.id for row in rows]}).all() if rows else ()


def _records(rows: _Rows, shows: _Rows) -> list[HandRecord]:
    late: dict[str, list[CardsShown]] = defaultdict(list)
    for show in shows:
        late[show.hand_id].append(CardsShown(show.seat, codec.read_cards(show.cards)))
    return [_with_shows(codec.read_record(row.version, row.payload), late[row.id]) for row in rows]


def _with_shows(record: HandRecord, shows: Sequence[CardsShown]) -> HandRecord:
    return replace(record, shown_late=(*record.shown_late, *shows)) if shows else record

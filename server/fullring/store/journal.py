"""The log: a journal for each table, written together with the money that its events move, in group commits.

One transaction takes what many tables have ready. It locks the tables' rows, drops what another owner or another last
row forbids, and writes the rest: all of it, or nothing.
"""

import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from fullring.runtime.audit import Opening
from fullring.runtime.ports import Answer, Batch, CommandKey, Outcome, StoredTable
from fullring.store import codec, trail
from fullring.store.bookkeeping import Books
from fullring.store.database import Database
from fullring.store.drafts import Draft, draft
from fullring.store.hands import write_hands
from fullring.store.money import reseat
from fullring.store.notes import Notes, note, table_opened
from fullring.store.ownership import FENCE, Lease
from fullring.store.recovery import claimed
from fullring.store.schema import journal, snapshots, table_settings, tables
from fullring.store.seal import Seal
from fullring.store.statements import Prepared, among
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.settings import TableSettings

logger = logging.getLogger(__name__)

_HEADS = (
    sa.select(
        tables.c.id, tables.c.owner_epoch, tables.c.last_seq, tables.c.state, FENCE.scalar_subquery().label("fence")
    )
    .where(among(tables.c.id, "ids"))
    .order_by(tables.c.id)
    .with_for_update(of=tables)
)
_INSERT_ROW = Prepared(
    sa.insert(journal),
    "table_id",
    "seq",
    "owner_epoch",
    "at",
    "account_id",
    "command_id",
    "answer",
    "version",
    "payload",
    "sealed",
)
_ADVANCE = sa.update(tables).where(among(tables.c.id, "ids")).values(last_seq=tables.c.last_seq + 1)
_CLOSE = sa.update(tables).where(among(tables.c.id, "ids")).values(state="closed")
_SET_SNAPSHOT = Prepared(
    sa.update(snapshots)
    .values(seq=sa.bindparam("before"), version=sa.bindparam("written"), payload=sa.bindparam("taken"))
    .where(snapshots.c.table_id == sa.bindparam("table")),
    "before",
    "written",
    "taken",
    "table",
)


class SqlLog:
    """`fullring.runtime.ports.Log` in SQL, for the one who has the lease."""

    def __init__(self, database: Database, seal: Seal, lease: Lease | None = None, notes: Notes | None = None) -> None:
        self._database = database
        self._seal = seal
        self._lease = lease or Lease(database)
        self._notes = notes or Notes()

    async def create(
        self,
        table: TableId,
        settings: TableSettings,
        owner: AccountId | None,
        at: Millis,
        opening: Opening | None = None,
    ) -> None:
        payload = codec.write_settings(settings)

        def work(connection: sa.Connection) -> None:
            connection.execute(
                sa.insert(tables).values(id=table, state="open", owner_epoch=1, history_epoch=1, last_seq=0)
            )
            connection.execute(
                sa.insert(table_settings).values(
                    table_id=table, version=codec.VERSION, payload=payload, opened_by=owner, opened_at=at
                )
            )
            connection.execute(sa.insert(snapshots).values(table_id=table, seq=0, version=codec.VERSION))
            note(connection, [table_opened(table, settings, owner, at)])
            if opening is not None:
                by, after = opening.by, opening.facts
                trail.write(connection, by, "table.open", table, target_name=settings.name, after=after)

        async with contextlib.nullcontext() if opening is None else trail.once(self._database, opening.by):
            await self._lease.commit(work)

    async def commit(self, batches: Sequence[Batch]) -> Mapping[TableId, Outcome]:
        drafts = [draft(batch, self._seal) for batch in batches]
        try:
            return await self._lease.noticing(lambda connection: self._commit(connection, drafts))
        except IntegrityError:
            # Nothing was written. A command that was committed before has a row with its key already.
            repeated = await self._database.commit(lambda connection: _repeated(connection, batches))
            if not repeated:
                raise
        others = [one for one in drafts if one.batch.table not in repeated]
        outcomes = await self._lease.noticing(lambda connection: self._commit(connection, others))
        return {**outcomes, **dict.fromkeys(repeated, Outcome.REPEATED)}

    def _commit(self, connection: sa.Connection, drafts: Sequence[Draft]) -> dict[TableId, Outcome]:
        outcomes = _commit(connection, drafts, self._lease)
        told = [one.batch for one in drafts if one.moves_money or one.closes or one.hands is not None]
        self._notes.take(connection, [one for one in told if outcomes[one.table] is Outcome.COMMITTED])
        return outcomes

    async def claim(self) -> Sequence[StoredTable]:
        return await self._lease.commit(lambda connection: claimed(connection, self._seal, None))

    async def read(self, table: TableId) -> StoredTable:
        """Raises LookupError if there is no such table."""
        found = await self._lease.commit(lambda connection: claimed(connection, self._seal, table))
        if not found:
            raise LookupError(f"there is no table {table}")
        return found[0]

    async def answer(self, table: TableId, key: CommandKey) -> Answer | None:
        wanted = sa.select(journal.c.answer).where(
            journal.c.table_id == table,
            journal.c.account_id == key.account,
            journal.c.command_id == codec.write_key(key.id),
        )
        row = await self._database.read(lambda connection: connection.execute(wanted).one_or_none())
        if row is None:
            return None
        return {} if row.answer is None else codec.read_answer(row.answer)

    async def restart_history(self, table: TableId, batch: Batch) -> Outcome:
        new = draft(batch, self._seal)
        return await self._lease.commit(lambda connection: _restart(connection, new, self._lease))


def _commit(connection: sa.Connection, drafts: Sequence[Draft], lease: Lease) -> dict[TableId, Outcome]:
    outcomes = _fence(connection, drafts, lease)
    going = [one for one in drafts if one.batch.table not in outcomes]
    books = Books.open(connection, [one.batch for one in going if one.moves_money])
    for one in going:
        affordable = not one.moves_money or books.enter(one.batch)
        outcomes[one.batch.table] = Outcome.COMMITTED if affordable else Outcome.SHORT
    going = [one for one in going if outcomes[one.batch.table] is Outcome.COMMITTED]
    if going:
        _write(connection, going, books)
    return outcomes


def _write(connection: sa.Connection, going: Sequence[Draft], books: Books) -> None:
    _INSERT_ROW.run(connection, [one.row for one in going])
    # Each is known to be the row after the last: see `_fence`.
    connection.execute(_ADVANCE, {"ids": [one.batch.table for one in going]})
    closing = [one.batch.table for one in going if one.closes]
    if closing:
        connection.execute(_CLOSE, {"ids": closing})
    _SET_SNAPSHOT.run(connection, [one.snapshot for one in going if one.snapshot is not None])
    books.settle()
    write_hands(connection, [one.hands for one in going if one.hands is not None])


def _fence(connection: sa.Connection, drafts: Sequence[Draft], lease: Lease) -> dict[TableId, Outcome]:
    """Lock the tables until the end of the transaction; which of the batches do not follow what is there.

    Raises Deposed. Who takes the lease after this looked claims the tables next, and waits for these locks to do so.
    """
    found = connection.execute(_HEADS, {"ids": [one.batch.table for one in drafts]}).all()
    for fence in {fence for *_, fence in found}:
        lease.check(fence)
    heads = {table: (owner_epoch, last_seq, state) for table, owner_epoch, last_seq, state, _ in found}
    fenced = {}
    for one in drafts:
        batch = one.batch
        if heads.get(batch.table) != (batch.owner_epoch, batch.seq - 1, "open"):
            logger.warning("table %s row %d is fenced off: %s", batch.table, batch.seq, heads.get(batch.table))
            fenced[batch.table] = Outcome.FENCED
    return fenced


def _repeated(connection: sa.Connection, batches: Sequence[Batch]) -> set[TableId]:
    keys = [(batch.table, batch.key.account, codec.write_key(batch.key.id)) for batch in batches if batch.key]
    if not keys:
        return set()
    key = sa.tuple_(journal.c.table_id, journal.c.account_id, journal.c.command_id)
    found = connection.execute(sa.select(journal.c.table_id).where(key.in_(keys)))
    return {TableId(table) for table in found.scalars()}


def _restart(connection: sa.Connection, new: Draft, lease: Lease) -> Outcome:
    if _fence(connection, [new], lease):
        return Outcome.FENCED
    batch = new.batch
    books = Books.open(connection, [batch])
    books.replace(batch.table, reseat(books.seats(batch.table), batch.events))
    connection.execute(
        sa.update(tables).where(tables.c.id == batch.table).values(history_epoch=tables.c.history_epoch + 1)
    )
    empty = (batch.seq - 1, codec.VERSION, None, batch.table)
    _write(connection, [replace(new, snapshot=new.snapshot or empty)], books)
    return Outcome.COMMITTED

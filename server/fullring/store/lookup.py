"""What admins look up: accounts, their tokens without secrets, tables that are and were, and counts."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from fullring.runtime.accounts import Account
from fullring.runtime.admin import AccountQuery, Counts, KnownTable, KnownToken
from fullring.store import codec
from fullring.store.accounts import ACCOUNT, account_of
from fullring.store.names import name_key
from fullring.store.schema import accounts, hands, seats, snapshots, table_settings, tables, tokens
from fullring.table.ids import AccountId, TableId

_TABLES: sa.Select[Any] = (
    sa.select(
        tables.c.id,
        tables.c.state,
        table_settings.c.version,
        table_settings.c.payload,
        table_settings.c.opened_by,
        table_settings.c.opened_at,
        snapshots.c.version.label("snapshot_version"),
        snapshots.c.payload.label("snapshot"),
    )
    .join(table_settings, table_settings.c.table_id == tables.c.id)
    .join(snapshots, snapshots.c.table_id == tables.c.id)
)


def found(connection: sa.Connection, query: AccountQuery) -> Sequence[Account]:
    which = ACCOUNT.order_by(accounts.c.name_key).limit(query.limit)
    if query.name is not None:
        try:
            which = which.where(accounts.c.name_key.startswith(name_key(query.name), autoescape=True))
        except ValueError:  # Nothing that could be the beginning of a name.
            return []
    if query.id is not None:
        which = which.where(accounts.c.id.startswith(query.id, autoescape=True))
    if query.role is not None:
        which = which.where(accounts.c.role == query.role)
    if query.after is not None:
        last = sa.select(accounts.c.name_key).where(accounts.c.id == query.after).scalar_subquery()
        which = which.where(accounts.c.name_key > last)
    return [account_of(row) for row in connection.execute(which)]


def tokens_of(connection: sa.Connection, account: AccountId) -> Sequence[KnownToken]:
    which = (
        sa.select(tokens.c.id, tokens.c.name, tokens.c.scopes, tokens.c.created_at)
        .where(tokens.c.account_id == account)
        .order_by(tokens.c.created_at.desc(), tokens.c.id)
    )
    return [
        KnownToken(row.id, row.name, tuple(row.scopes.split()), row.created_at) for row in connection.execute(which)
    ]


def tables_page(
    connection: sa.Connection, *, open: bool | None, after: TableId | None, limit: int
) -> Sequence[KnownTable]:
    which = _TABLES.order_by(table_settings.c.opened_at.desc(), tables.c.id.desc()).limit(limit)
    if open is not None:
        which = which.where(tables.c.state == ("open" if open else "closed"))
    if after is not None:
        last = sa.select(table_settings.c.opened_at).where(table_settings.c.table_id == after).scalar_subquery()
        opened_at = table_settings.c.opened_at
        which = which.where(sa.or_(opened_at < last, sa.and_(opened_at == last, tables.c.id < after)))
    return [_table(row) for row in connection.execute(which)]


def one_table(connection: sa.Connection, table: str) -> KnownTable | None:
    row = connection.execute(_TABLES.where(tables.c.id == table)).one_or_none()
    return None if row is None else _table(row)


def tables_opened(connection: sa.Connection, account: AccountId) -> int:
    return connection.execute(
        sa.select(sa.func.count()).select_from(table_settings).where(table_settings.c.opened_by == account)
    ).scalar_one()


def counted(connection: sa.Connection) -> Counts:
    people = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(accounts.c.chips), 0)).select_from(accounts)
    number, chips = connection.execute(people).one()
    played = connection.execute(sa.select(sa.func.count()).select_from(hands)).scalar_one()
    lying = sa.select(sa.func.coalesce(sa.func.sum(seats.c.stack + seats.c.pending), 0))
    return Counts(number, played, int(chips), int(connection.execute(lying).scalar_one()))


def _table(row: sa.Row[Any]) -> KnownTable:
    settings = codec.read_settings(row.version, row.payload)
    if row.snapshot is not None:
        settings = codec.read_snapshot(row.snapshot_version, row.snapshot).settings or settings
    return KnownTable(TableId(row.id), row.state == "open", row.opened_by, row.opened_at, settings)

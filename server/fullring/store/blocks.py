"""Addresses and names that are not to be used here, and what is kept from single accounts."""

import secrets
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from fullring.runtime.admin import Barred, Block, Restricted, Restriction
from fullring.runtime.audit import By
from fullring.store.names import name_key
from fullring.store.schema import blocklist, restrictions
from fullring.table.ids import AccountId, Millis

_ID_BYTES = 10


class NameBlocked(ValueError):
    """An admin has taken that name out of use."""


def refuse_blocked(connection: sa.Connection, key: str, at: Millis) -> None:
    """Raises NameBlocked."""
    which = sa.select(blocklist.c.id).where(blocklist.c.kind == Barred.NAME, blocklist.c.key == key)
    if connection.execute(which.where(_holds(blocklist, at))).first() is not None:
        raise NameBlocked("that name may not be used here")


def restricted(connection: sa.Connection, account: AccountId, kind: Restricted) -> Restriction | None:
    """What is written down, whether it still holds or not."""
    which = sa.select(restrictions).where(restrictions.c.account_id == account, restrictions.c.kind == kind)
    row = connection.execute(which).one_or_none()
    return None if row is None else _restriction(row)


def all_restrictions(connection: sa.Connection, at: Millis) -> Sequence[Restriction]:
    """Those that hold."""
    return [_restriction(row) for row in connection.execute(sa.select(restrictions).where(_holds(restrictions, at)))]


def set_restriction(connection: sa.Connection, new: Restriction) -> Restriction | None:
    """What it takes the place of."""
    before = lift_restriction(connection, new.account, new.kind)
    connection.execute(
        sa.insert(restrictions).values(
            account_id=new.account,
            kind=new.kind,
            reason=new.reason,
            since=new.since,
            until=new.until,
            by_account_id=new.by,
        )
    )
    return before


def lift_restriction(connection: sa.Connection, account: AccountId, kind: Restricted) -> Restriction | None:
    """What is lifted; None where there was nothing."""
    before = restricted(connection, account, kind)
    which = sa.delete(restrictions).where(restrictions.c.account_id == account, restrictions.c.kind == kind)
    connection.execute(which)
    return before


def all_blocks(connection: sa.Connection, at: Millis) -> Sequence[Block]:
    """Those that hold, newest first."""
    which = sa.select(blocklist).where(_holds(blocklist, at)).order_by(blocklist.c.since.desc(), blocklist.c.id)
    return [_block(row) for row in connection.execute(which)]


def set_block(
    connection: sa.Connection, by: By, kind: Barred, value: str, reason: str, until: Millis | None
) -> tuple[Block, Block | None]:
    """The new one, and what it takes the place of. ValueError for a name that is none."""
    key = name_key(value) if kind is Barred.NAME else value
    which = sa.select(blocklist).where(blocklist.c.kind == kind, blocklist.c.key == key)
    row = connection.execute(which).one_or_none()
    if row is not None:
        connection.execute(sa.delete(blocklist).where(blocklist.c.id == row.id))
    new = Block(f"b{secrets.token_hex(_ID_BYTES)}", kind, value, reason, by.at, until, by.account)
    connection.execute(
        sa.insert(blocklist).values(
            id=new.id,
            kind=kind,
            key=key,
            value=value,
            reason=reason,
            since=by.at,
            until=until,
            by_account_id=by.account,
        )
    )
    return new, None if row is None else _block(row)


def take_block(connection: sa.Connection, block: str) -> Block | None:
    """The one that is gone now; None where there was none."""
    row = connection.execute(sa.select(blocklist).where(blocklist.c.id == block)).one_or_none()
    if row is None:
        return None
    connection.execute(sa.delete(blocklist).where(blocklist.c.id == block))
    return _block(row)


def _holds(table: sa.Table, at: Millis) -> sa.ColumnElement[bool]:
    return sa.or_(table.c.until.is_(None), table.c.until > at)


def _restriction(row: sa.Row[Any]) -> Restriction:
    return Restriction(
        AccountId(row.account_id), Restricted(row.kind), row.reason, row.since, row.until, row.by_account_id
    )


def _block(row: sa.Row[Any]) -> Block:
    return Block(row.id, Barred(row.kind), row.value, row.reason, row.since, row.until, row.by_account_id)

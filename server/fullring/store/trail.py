"""The audit log: a line for each change, written in the transaction of the change. Lines only ever come."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from fullring.runtime.audit import AuditLine, AuditQuery, By, Facts, Repeated, Via
from fullring.store import codec
from fullring.store.database import Database, T, Work
from fullring.store.schema import accounts, audit
from fullring.table.ids import AccountId

PAGE_MAX = 1_000
MARKED_LINES = 100
"""More changes than may be under way at once."""
_LINES: sa.Select[Any] = sa.select(audit, accounts.c.name.label("by_name")).outerjoin(
    accounts, accounts.c.id == audit.c.by_account_id
)

_read_facts = msgspec.json.Decoder(dict[str, object]).decode


async def change(database: Database, by: By, work: Work[T]) -> T:
    """A transaction that writes a line. Raises Repeated where another took the same key in this very moment."""
    async with once(database, by):
        return await database.write(work)


@asynccontextmanager
async def once(database: Database, by: By) -> AsyncIterator[None]:
    """Of a line that is written in here. Raises Repeated where its key was used."""
    try:
        yield
    except IntegrityError:
        if by.account is None or by.key is None or await done(database, by.account, by.key) is None:
            raise
        raise Repeated from None


def write(
    connection: sa.Connection,
    by: By,
    action: str,
    target: str | None,
    *,
    target_name: str | None = None,
    reason: str | None = None,
    before: Facts | None = None,
    after: Facts | None = None,
) -> None:
    connection.execute(
        sa.insert(audit).values(
            at=by.at,
            by_account_id=by.account,
            via=by.via,
            address=by.address,
            action=action,
            target=target,
            target_name=target_name,
            reason=None if reason is None else reason.replace("\0", ""),
            before=_written(before),
            after=_written(after),
            key=None if by.key is None else codec.write_key(by.key),
            digest=None if by.key is None else by.digest or "",
        )
    )


async def done(database: Database, account: AccountId, key: str) -> AuditLine | None:
    which = _LINES.where(audit.c.by_account_id == account, audit.c.key == codec.write_key(key))
    row = await database.read(lambda connection: connection.execute(which).one_or_none())
    return None if row is None else _line(row)


async def lines(database: Database, query: AuditQuery) -> Sequence[AuditLine]:
    """ValueError for a limit outside 1 to 1,000."""
    if not 1 <= query.limit <= PAGE_MAX:
        raise ValueError(f"a page has 1 to {PAGE_MAX} lines")
    which = _LINES.order_by(audit.c.id.desc()).limit(query.limit)
    if query.by is not None:
        which = which.where(audit.c.by_account_id == query.by)
    if query.action is not None:
        which = which.where(audit.c.action.startswith(query.action, autoescape=True))
    if query.target is not None:
        which = which.where(audit.c.target == query.target)
    if query.since is not None:
        which = which.where(audit.c.at >= query.since)
    if query.until is not None:
        which = which.where(audit.c.at < query.until)
    if query.before is not None:
        which = which.where(audit.c.id < query.before)
    rows = await database.read(lambda connection: connection.execute(which).all())
    return [_line(row) for row in rows]


async def mark(database: Database) -> tuple[int, int]:
    """Made of more than the newest number: of two transactions, the one with the lower number may commit later."""
    last = sa.select(audit.c.id).order_by(audit.c.id.desc()).limit(MARKED_LINES).subquery()
    which = sa.select(sa.func.coalesce(sa.func.max(last.c.id), 0), sa.func.coalesce(sa.func.sum(last.c.id), 0))
    newest, total = await database.read(lambda connection: connection.execute(which).one())
    return newest, int(total)


def _written(facts: Facts | None) -> str | None:
    return None if facts is None else msgspec.json.encode(facts).decode()


def _line(row: sa.Row[Any]) -> AuditLine:
    by = By(
        account=row.by_account_id,
        at=row.at,
        via=Via(row.via),
        address=row.address,
        key=None if row.key is None else codec.read_key(row.key),
        digest=row.digest,
    )
    return AuditLine(
        id=row.id,
        by=by,
        by_name=row.by_name,
        action=row.action,
        target=row.target,
        target_name=row.target_name,
        reason=row.reason,
        before=None if row.before is None else _read_facts(row.before),
        after=None if row.after is None else _read_facts(row.after),
    )

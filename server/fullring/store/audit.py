"""Whether all chips add up: one question to the database, so that it is answered as of one instant."""

from collections.abc import Sequence

import sqlalchemy as sa

from fullring.store.cashier import escrow
from fullring.store.money import HOUSE, RAKE
from fullring.store.schema import Whole, accounts, ledger_entries, seats, tables

FOUND_MAX = 100
"""Sentences at most; whoever has more knows enough."""

_SENTENCES = {
    "transaction": "transaction {what} sums to {found}, it must sum to {wanted}",
    "account": "account {what} has {found} chips, its ledger entries sum to {wanted}",
    "table": "table {what} has {found} chips on it, its escrow holds {wanted}",
    "unknown": "{what} has ledger entries that sum to {found} and is nobody's account",
}


def discrepancies(connection: sa.Connection) -> Sequence[str]:
    rows = connection.execute(_question())
    return [_SENTENCES[row.kind].format(what=row.what, found=row.found, wanted=row.wanted) for row in rows]


def _question() -> sa.Select[str, str, int, int]:
    amount = ledger_entries.c.amount
    sums = sa.select(ledger_entries.c.account, _sum(amount).label("chips")).group_by(ledger_entries.c.account).cte()
    lying = (
        sa.select(seats.c.table_id, _sum(seats.c.stack + seats.c.pending).label("chips"))
        .group_by(seats.c.table_id)
        .cte()
    )
    # What is in escrow for a table is under its name; a prefix that `escrow` alone knows makes it.
    held = sa.literal(escrow("")) + tables.c.id
    transactions = (
        _row("transaction", sa.cast(ledger_entries.c.tx_id, sa.Text), _sum(amount), sa.literal(0))
        .group_by(ledger_entries.c.tx_id)
        .having(_sum(amount) != 0)
    )
    entered = sa.func.coalesce(sums.c.chips, 0)
    owners = (
        _row("account", accounts.c.id, accounts.c.chips, entered)
        .outerjoin_from(accounts, sums, sums.c.account == accounts.c.id)
        .where(accounts.c.chips != entered)
    )
    on_table = sa.func.coalesce(lying.c.chips, 0)
    escrows = (
        _row("table", tables.c.id, on_table, entered)
        .select_from(tables)
        .outerjoin(lying, lying.c.table_id == tables.c.id)
        .outerjoin(sums, sums.c.account == held)
        .where(on_table != entered)
    )
    strangers = (
        _row("unknown", sums.c.account, sums.c.chips, sa.literal(0))
        .where(sums.c.account.not_in([HOUSE, RAKE]))
        .where(~sa.exists().where(accounts.c.id == sums.c.account))
        .where(~sa.exists().where(held == sums.c.account))
    )
    every = sa.union_all(transactions, owners, escrows, strangers).subquery()
    return sa.select(every.c.kind, every.c.what, every.c.found, every.c.wanted).limit(FOUND_MAX)


def _row(
    kind: str, what: sa.ColumnElement[str], found: sa.ColumnElement[int], wanted: sa.ColumnElement[int]
) -> sa.Select[str, str, int, int]:
    return sa.select(
        sa.literal(kind).label("kind"),
        what.label("what"),
        sa.cast(found, Whole).label("found"),
        sa.cast(wanted, Whole).label("wanted"),
    )


def _sum(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.cast(sa.func.sum(column), Whole)  # PostgreSQL's sum of such numbers is a decimal.

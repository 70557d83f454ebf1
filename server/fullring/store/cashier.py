"""Chips that move between accounts and tables, or from the house, as double entry in the caller's transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from fullring.rules.actions import Chips
from fullring.store.money import HOUSE, RAKE, Purpose
from fullring.store.schema import accounts, ledger_entries, ledger_tx
from fullring.store.statements import Prepared, Values, among
from fullring.table.ids import Millis

_LOCK = (
    sa.select(accounts.c.id, accounts.c.chips)
    .where(among(accounts.c.id, "ids"))
    .order_by(accounts.c.id)
    .with_for_update()
)
_INSERT_TX = sa.insert(ledger_tx).returning(ledger_tx.c.id, ledger_tx.c.key)
_INSERT_ENTRY = Prepared(sa.insert(ledger_entries), "tx_id", "account", "amount", "balance")
_SET_CHIPS = Prepared(
    sa.update(accounts).values(chips=sa.bindparam("held")).where(accounts.c.id == sa.bindparam("account")),
    "held",
    "account",
)


@dataclass(frozen=True, slots=True)
class Posting:
    """``amount`` to ``account`` from ``against``, or the other way when it is negative. ``key`` is used once, ever."""

    key: str
    purpose: Purpose
    at: Millis
    account: str
    against: str
    amount: Chips
    table: str | None = None
    reason: str | None = None
    by: str | None = None


def escrow(table: str) -> str:
    """The ledger account that holds a table's chips."""
    return f"escrow:{table}"


class Cashier:
    """Some accounts, locked for one transaction, and what is to be written about them."""

    def __init__(self, connection: sa.Connection, chips: dict[str, Chips]) -> None:
        self._connection = connection
        self._chips = chips
        self._postings: list[tuple[Posting, Chips | None]] = []

    @classmethod
    def lock(cls, connection: sa.Connection, wanted: Iterable[str]) -> "Cashier":
        """With the accounts that exist among those wanted, locked in an order that all transactions keep."""
        ids = sorted(set(wanted) - {HOUSE, RAKE})
        if not ids:
            return cls(connection, {})
        rows = connection.execute(_LOCK, {"ids": ids}).all()
        return cls(connection, {row.id: row.chips for row in rows})

    def chips(self, account: str) -> Chips | None:
        """What it has, with what was taken so far; None if there is no such account."""
        return self._chips.get(account)

    def take(self, postings: Sequence[Posting]) -> bool:
        """Note these, all or none; False where an account would be short, or isn't there."""
        chips = dict(self._chips)
        noted: list[tuple[Posting, Chips | None]] = []
        for posting in postings:
            balance = None
            if posting.account not in (HOUSE, RAKE):
                held = chips.get(posting.account)
                if held is None or held + posting.amount < 0:
                    return False
                balance = chips[posting.account] = held + posting.amount
            noted.append((posting, balance))
        self._chips = chips
        self._postings += noted
        return True

    def settle(self) -> None:
        """Write what was noted: transactions, their two entries each, and what the accounts have now."""
        if not self._postings:
            return
        made = self._connection.execute(_INSERT_TX, [_transaction(posting) for posting, _ in self._postings])
        number = {key: tx_id for tx_id, key in made}
        entries: list[Values] = []
        for posting, balance in self._postings:
            tx = number[posting.key]
            entries += (
                (tx, posting.account, posting.amount, balance),
                (tx, posting.against, -posting.amount, None),
            )
        _INSERT_ENTRY.run(self._connection, entries)
        moved = {posting.account for posting, balance in self._postings if balance is not None}
        _SET_CHIPS.run(self._connection, [(self._chips[account], account) for account in sorted(moved)])


def _transaction(posting: Posting) -> dict[str, object]:
    return {
        "key": posting.key,
        "kind": posting.purpose,
        "at": posting.at,
        "table_id": posting.table,
        "reason": posting.reason,
        "by_account_id": posting.by,
    }

"""The ledger as people see it: movements of an account, chips from the house, and whether everything adds up."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from fullring.rules.actions import Chips
from fullring.runtime.accounts import LedgerEntry, NotEnough, Unauthorized
from fullring.store import codec
from fullring.store.audit import discrepancies
from fullring.store.cashier import Cashier, Posting
from fullring.store.database import Database
from fullring.store.money import HOUSE, Purpose
from fullring.store.schema import ledger_entries, ledger_tx
from fullring.table.ids import AccountId, Millis

PAGE_MAX = 1_000


class SqlLedger:
    """`fullring.runtime.ports.Ledger` in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def entries(self, account: AccountId, before: int | None, limit: int) -> Sequence[LedgerEntry]:
        """ValueError for a limit outside 1 to 1,000."""
        if not 1 <= limit <= PAGE_MAX:
            raise ValueError(f"a page has 1 to {PAGE_MAX} entries")
        statement = (
            sa.select(
                ledger_entries.c.tx_id,
                ledger_tx.c.at,
                ledger_tx.c.kind,
                ledger_entries.c.amount,
                ledger_entries.c.balance,
                ledger_tx.c.table_id,
                ledger_tx.c.reason,
            )
            .join(ledger_tx, ledger_tx.c.id == ledger_entries.c.tx_id)
            .where(ledger_entries.c.account == account)
            .order_by(ledger_entries.c.tx_id.desc())
            .limit(limit)
        )
        if before is not None:
            statement = statement.where(ledger_entries.c.tx_id < before)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [LedgerEntry(*row) for row in rows]

    async def grant(
        self, account: AccountId, amount: Chips, reason: str, key: str, by: AccountId | None, at: Millis
    ) -> Chips:
        """Raises NotEnough; Unauthorized if there is no such account."""
        once = f"grant:{codec.write_key(key)}"
        said = reason.replace("\0", "")

        def work(connection: sa.Connection) -> Chips:
            cashier = Cashier.lock(connection, [account])
            held = cashier.chips(account)
            if held is None:
                raise Unauthorized("there is no such account")
            done = connection.execute(sa.select(ledger_tx.c.id).where(ledger_tx.c.key == once))
            if amount == 0 or done.first() is not None:
                return held
            posting = Posting(once, Purpose.GRANT, at, account, HOUSE, amount, reason=said, by=by)
            if not cashier.take([posting]):
                raise NotEnough(f"the account has {held} chips, {-amount} can't be taken")
            cashier.settle()
            return held + amount

        try:
            return await self._database.write(work)
        except IntegrityError:  # The same key at the same time, for another account: that one has it now.
            return await self._database.write(work)

    async def audit(self) -> Sequence[str]:
        return await self._database.read(discrepancies)

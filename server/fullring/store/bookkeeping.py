"""The money side of a commit: seats and accounts of the tables concerned, read once, checked, written once."""

from collections.abc import Sequence

import sqlalchemy as sa

from fullring.rules.actions import SeatNo
from fullring.runtime.ports import Batch, SeatRow
from fullring.store.cashier import Cashier, Posting, escrow
from fullring.store.money import Seats, Unbalanced, settle
from fullring.store.schema import seats
from fullring.store.statements import Prepared, Values, among
from fullring.table.events import ChipsAdded, Left, Seated, ToppedUp
from fullring.table.ids import TableId

_SEATS = sa.select(
    seats.c.table_id, seats.c.seat, seats.c.account_id, seats.c.name, seats.c.kind, seats.c.stack, seats.c.pending
).where(among(seats.c.table_id, "ids"))
_AT = (seats.c.table_id == sa.bindparam("table"), seats.c.seat == sa.bindparam("number"))
_DELETE = Prepared(sa.delete(seats).where(*_AT), "table", "number")
_UPDATE = Prepared(
    sa.update(seats).values(stack=sa.bindparam("chips"), pending=sa.bindparam("waiting")).where(*_AT),
    "chips",
    "waiting",
    "table",
    "number",
)
_INSERT = Prepared(sa.insert(seats), "table_id", "seat", "account_id", "name", "kind", "stack", "pending")


class Books:
    """The seats of some tables as they are and as they will be, and the cashier for the accounts concerned."""

    def __init__(self, connection: sa.Connection, before: dict[TableId, Seats], cashier: Cashier) -> None:
        self._connection = connection
        self._before = before
        self._after: dict[TableId, Seats] = {}
        self._cashier = cashier

    @classmethod
    def open(cls, connection: sa.Connection, batches: Sequence[Batch]) -> "Books":
        """For the tables of these batches, whose rows the caller has locked."""
        before: dict[TableId, dict[SeatNo, SeatRow]] = {batch.table: {} for batch in batches}
        if not before:
            return cls(connection, {}, Cashier(connection, {}))
        for table, seat, account, name, kind, stack, pending in connection.execute(_SEATS, {"ids": list(before)}).all():
            before[table][seat] = SeatRow(seat, account, name, kind, stack, pending)
        paying = {
            event.account
            for batch in batches
            for event in batch.events
            if isinstance(event, Seated | Left | ChipsAdded | ToppedUp)
        }
        return cls(connection, dict(before), Cashier.lock(connection, paying))

    def seats(self, table: TableId) -> Seats:
        return self._before[table]

    def enter(self, batch: Batch) -> bool:
        """Note what a batch moves; False, and nothing noted, where an account is short. Raises Unbalanced."""
        try:
            after, transfers = settle(self._before[batch.table], batch.events)
        except Unbalanced as problem:
            raise Unbalanced(f"table {batch.table} row {batch.seq}: {problem}") from None
        postings = [
            Posting(
                key=f"table:{batch.table}:{batch.seq}:{number}",
                purpose=transfer.purpose,
                at=batch.at,
                account=transfer.account,
                against=escrow(batch.table),
                amount=transfer.amount,
                table=batch.table,
            )
            for number, transfer in enumerate(transfers)
        ]
        if not self._cashier.take(postings):
            return False
        self._after[batch.table] = after
        return True

    def replace(self, table: TableId, after: Seats) -> None:
        """Note other seats for a table, whose chips don't move."""
        self._after[table] = after

    def settle(self) -> None:
        """Write what was noted."""
        gone: list[Values] = []
        moved: list[Values] = []
        come: list[Values] = []
        for table, after in self._after.items():
            before = self._before[table]
            for number, row in before.items():
                new = after.get(number)
                if new is None or (new.account, new.name, new.kind) != (row.account, row.name, row.kind):
                    gone.append((table, number))
                elif new != row:
                    moved.append((new.stack, new.pending, table, number))
            come += [
                (table, number, row.account, row.name, row.kind, row.stack, row.pending)
                for number, row in after.items()
                if number not in before or (table, number) in gone
            ]
        # In this order, so that an account can change its seat and a seat its account.
        _DELETE.run(self._connection, gone)
        _UPDATE.run(self._connection, moved)
        _INSERT.run(self._connection, come)
        self._cashier.settle()

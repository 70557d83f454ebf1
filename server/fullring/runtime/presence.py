"""Who is connected, and where every account sits."""

from collections import Counter
from collections.abc import Sequence

from fullring.rules.actions import SeatNo
from fullring.table.ids import AccountId, TableId


class Presence:
    """Connections are counted, so that a new one may come before the old one has gone."""

    def __init__(self) -> None:
        self._connections: Counter[AccountId] = Counter()
        self._seats: dict[AccountId, dict[TableId, SeatNo]] = {}

    def connect(self, account: AccountId) -> bool:
        """Whether it had no connection before."""
        self._connections[account] += 1
        return self._connections[account] == 1

    def disconnect(self, account: AccountId) -> bool:
        """Whether that was its last connection."""
        assert self._connections[account] > 0, "only who has connected disconnects"
        self._connections[account] -= 1
        if self._connections[account]:
            return False
        del self._connections[account]
        return True

    def connected(self, account: AccountId) -> bool:
        return account in self._connections

    def sit(self, account: AccountId, table: TableId, seat: SeatNo) -> None:
        self._seats.setdefault(account, {})[table] = seat

    def leave(self, account: AccountId, table: TableId) -> None:
        seats = self._seats.get(account, {})
        seats.pop(table, None)
        if not seats:
            self._seats.pop(account, None)

    def seats(self, account: AccountId) -> Sequence[tuple[TableId, SeatNo]]:
        return list(self._seats.get(account, {}).items())

    def clear(self, table: TableId) -> None:
        """The table is gone, or is about to be read again."""
        for account in [account for account, seats in self._seats.items() if table in seats]:
            self.leave(account, table)

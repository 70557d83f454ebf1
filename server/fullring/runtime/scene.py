"""What there is to see of a table: its views, or that it stands still because the room can't go on with it."""

from collections.abc import Iterable

from fullring.runtime.audience import View, You
from fullring.table import views
from fullring.table.ids import AccountId
from fullring.table.state import Table


class TableScene:
    """``halted`` says why no clock runs and nothing is taken; the table itself knows nothing of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.halted: str | None = None

    def view(self) -> View:
        view = views.public_view(self.table)
        if self.halted is None:
            return view
        view |= {"status": "paused", "reason": self.halted}
        hand = view.get("hand")
        if isinstance(hand, dict):
            hand.pop("turn", None)  # As for every pause: there is no turn while no clock runs.
        return view

    def seated(self) -> Iterable[AccountId]:
        return [seat.account for seat in self.table.seats.values()]

    def you(self, account: AccountId) -> You | None:
        seat = self.table.seat_of(account)
        return None if seat is None else views.you(self.table, seat.seat)

    def row(self) -> View:
        """The table in the lobby's list."""
        row = views.lobby_row(self.table)
        if self.halted is not None:
            row["status"] = "paused"
        return row

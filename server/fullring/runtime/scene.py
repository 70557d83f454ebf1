"""What there is to see of a table: its views, or that it stands still because the room can't go on with it."""

from collections.abc import Mapping

from fullring.rules.actions import SeatNo
from fullring.runtime.audience import View, You
from fullring.runtime.faults import BROKEN
from fullring.table import views
from fullring.table.ids import AccountId
from fullring.table.state import Table
from fullring.table.table import opened


class TableScene:
    """``halted`` says why no clock runs and nothing is taken; the table itself knows nothing of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.halted: str | None = None

    def freeze(self, reason: str) -> None:
        """Stand still for good. A table that can't even be looked at is shown as an empty one."""
        self.halted = reason
        try:
            self.view()
            for seat in self.table.seats:
                self.you(seat)
        except BROKEN:
            self.table = opened(self.table.id, self.table.settings)

    def view(self) -> View:
        view = views.public_view(self.table)
        if self.halted is None:
            return view
        view |= {"status": "paused", "reason": self.halted}
        hand = view.get("hand")
        if isinstance(hand, dict):
            hand.pop("turn", None)  # As for every pause: there is no turn while no clock runs.
        return view

    def seats(self) -> Mapping[AccountId, SeatNo]:
        return {seat.account: number for number, seat in self.table.seats.items()}

    def you(self, seat: SeatNo) -> You | None:
        return views.you(self.table, seat)

    def row(self) -> View:
        """The table in the lobby's list."""
        row = views.lobby_row(self.table)
        if self.halted is not None:
            row["status"] = "paused"
        return row

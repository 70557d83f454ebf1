"""One table as others see it: its views and updates, its row in the lobby, and who sits there.

It only shows. A table that the room can't go on with is shown as paused, though the table itself knows nothing of it.
"""

from collections.abc import Callable, Mapping, Sequence

from fullring.rules import events as hands
from fullring.runtime.audience import Audience, Encoder, View, You
from fullring.runtime.faults import BROKEN
from fullring.runtime.ports import StoredTable
from fullring.runtime.presence import Presence
from fullring.table import events as happened
from fullring.table import views
from fullring.table.events import PRIVATE, Event, Left, Seated
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.picture import Picture
from fullring.table.state import Table
from fullring.table.table import opened

LISTED: frozenset[type] = frozenset({
    hands.HandStarted, hands.HandEnded, hands.HandVoided, Seated, Left, happened.SatOut, happened.SatIn,
    happened.ToppedUp, happened.HandDue, happened.ConnectionChanged, happened.Paused, happened.Resumed,
    happened.SettingsChanged, happened.ClosingStarted,
})  # fmt: skip
"""Events that may change the table's row in the lobby."""


class Stage:
    """A ``Scene``. ``changed`` hears when the row in the lobby is another."""

    def __init__(
        self, stored: StoredTable, encoder: Encoder, presence: Presence, changed: Callable[[TableId], None]
    ) -> None:
        self.look_at(opened(stored.table, stored.settings))
        self.halted: str | None = None
        """Why no clock runs and nothing is taken; None while the table plays."""
        self.closing: str | None = None
        """Why no new hand starts, though the table itself knows no reason."""
        began = stored.snapshot
        seq, at = (0, 0) if began is None else (began.seq, began.last_at)
        self.audience = Audience(stored.table, stored.history_epoch, seq, at, self, encoder)
        self.row: View = views.lobby_row(self.table)
        """The table in the lobby's list."""
        self._id = stored.table
        self._presence = presence
        self._changed = changed

    def look_at(self, table: Table) -> None:
        """Another table, or one that has gone on without being shown."""
        self.table = table
        self._picture = Picture(table)

    # --- a scene ---

    def view(self) -> View:
        view = self._picture.public()
        if self.halted is None:
            if self.closing is not None:
                view |= self._closing()
            return view
        view |= {"status": "paused", "reason": self.halted}
        hand = view.get("hand")
        if isinstance(hand, dict):
            hand.pop("turn", None)  # As for every pause: there is no turn while no clock runs.
        return view

    def yours(self) -> Mapping[AccountId, You]:
        return self._picture.yours()

    # --- what its owner shows ---

    def begin(self, table: Table, epoch: int) -> None:
        """The table as the log has it. Viewers who can't have seen how it came to this begin again."""
        self.look_at(table)
        self._presence.clear(self._id)
        for seat in table.seats.values():
            self._presence.sit(seat.account, self._id, seat.seat)
        if self.audience.seq != table.seq or self.audience.epoch != epoch:
            self.audience.jump(epoch, table.seq, table.last_at)
        self.list()

    def show(self, events: Sequence[Event], at: Millis) -> None:
        """A batch that has been applied: to everybody, or to the one seat that it concerns."""
        table = self.table
        self._picture.changed(events)
        if table.seq > self.audience.seq:
            self.audience.publish(table.seq, at, views.public_events(table, events))
        else:
            for event in events:
                assert isinstance(event, PRIVATE), "only what concerns one seat alone makes no update"
                self.audience.refresh(table.seats[event.seat].account)
        if not LISTED.isdisjoint(map(type, events)):
            self._count(events)
            self.list()

    def _count(self, events: Sequence[Event]) -> None:
        """Who sits here now."""
        for event in events:
            if isinstance(event, Seated):
                self._presence.sit(event.account, self._id, event.seat)
            elif isinstance(event, Left):
                self._presence.leave(event.account, self._id)

    def halt(self, reason: str, at: Millis) -> None:
        self.halted = reason
        self.audience.announce(at, [{"type": "table_paused", "reason": reason}])
        self.list()

    def close_soon(self, reason: str, at: Millis) -> None:
        """No new hand from now on."""
        self.closing = reason
        self.audience.announce(at)
        self.list()

    def freeze(self, reason: str, at: Millis) -> None:
        """Halted for good. A table that can't even be looked at is shown as an empty one."""
        self.look_at(self.table)  # Nothing that was seen before it broke.
        try:
            self.view()
            self.yours()
        except BROKEN:
            self.look_at(opened(self._id, self.table.settings))
        self.halt(reason, at)

    def list(self) -> None:
        """Tell the lobby, if the row there is another."""
        row = views.lobby_row(self.table)
        if self.halted is not None:
            row["status"] = "paused"
        elif self._closing():
            row["status"] = "closing"
        if row != self.row:
            self.row = row
            self._changed(self._id)

    def _closing(self) -> View:
        if self.closing is None or self.table.paused is not None:
            return {}
        return {"status": "closing", "reason": self.closing}

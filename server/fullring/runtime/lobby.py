"""The lobby, watched like a table. It hears on the bus what has changed, and shows it a few times a second at most."""

from collections.abc import Callable, Mapping, Sequence

from fullring.runtime.audience import Audience, Encoder, View, You
from fullring.runtime.clock import Alarm, Clock
from fullring.runtime.ports import Bus
from fullring.table.ids import AccountId, TableId

LOBBY = "lobby"
"""What the lobby is called where a table's id is expected."""
CHANGED = "lobby.changed"
"""The bus's subject: the table named there is new, gone, or another in the list."""
UPDATE_MS = 300
"""Updates are at least so far apart."""


class Lobby:
    """Its epoch is when it opened, as its numbers begin again with each start of the process."""

    def __init__(self, rows: Callable[[], Sequence[View]], clock: Clock, encoder: Encoder, bus: Bus) -> None:
        self._rows = rows
        self._clock = clock
        self._bus = bus
        self._alarm = Alarm(clock, self._show)
        self._shown_at = clock.now()
        self._subscription = bus.subscribe(CHANGED, self._changed)
        self.audience = Audience(LOBBY, self._shown_at, 0, self._shown_at, self, encoder)

    def tell(self, table: TableId) -> None:
        self._bus.publish(CHANGED, table.encode())

    def close(self) -> None:
        self._subscription.cancel()
        self._alarm.cancel()
        self.audience.close()

    def view(self) -> View:
        return {"tables": list(self._rows())}

    def yours(self) -> Mapping[AccountId, You]:
        return {}

    async def _changed(self, table: bytes) -> None:
        self._alarm.set(max(self._clock.now(), self._shown_at + UPDATE_MS))

    def _show(self) -> None:
        self._shown_at = self._clock.now()
        self.audience.publish(self.audience.seq + 1, self._shown_at, ())

"""When a pre-action that was held for its turn is carried out: not at once, at tables that blur that (`jitter_ms`)."""

from collections.abc import Callable

from fullring.runtime.clock import Clock
from fullring.table.ids import Millis
from fullring.table.play import armed_holds
from fullring.table.state import Table

Draw = Callable[[Millis], Millis]
"""So many milliseconds, from 0 to this, each as likely as any other."""


class Blur:
    """The moment, drawn once for each turn. Time that was lost to an outage counts."""

    __slots__ = ("_at", "_clock", "_draw", "_turn")

    def __init__(self, clock: Clock, draw: Draw) -> None:
        self._clock = clock
        self._draw = draw
        self._turn: tuple[str, int] | None = None
        self._at: Millis = 0

    def at(self, table: Table) -> Millis | None:
        """None where no pre-action waits. It leaves at least half of the turn, should the table be busy then."""
        if not table.settings.jitter_ms or table.hand is None or not armed_holds(table):
            return None
        turn = (table.hand_id, table.hand.turn)
        if self._turn != turn:
            span = min(table.settings.jitter_ms, table.settings.turn_ms // 2)
            self._turn, self._at = turn, self._clock.now() + self._draw(span)
        return self._at

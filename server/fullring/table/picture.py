"""The views of one table, made piece by piece: most of what is seen stays the same from one update to the next.

What is shown here is what ``views`` makes of the table, neither more nor less.
"""

from collections.abc import Sequence

from fullring.rules.actions import Action, SeatNo
from fullring.rules.events import Acted, TurnStarted
from fullring.table import views
from fullring.table.events import Armed, ClockStarted, Disarmed, Event
from fullring.table.shapes import Json
from fullring.table.state import Table

_PRICE_STAYS = frozenset({Action.FOLD, Action.CHECK, Action.CALL})


class Picture:
    """Pieces that were given out are never changed; a piece that is still right is given out again."""

    __slots__ = ("_own", "_seats", "_settings", "_settings_of", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._settings_of = table.settings
        self._settings = views.shown_settings(table.settings)
        self._seats: dict[SeatNo, Json] = {}
        self._own: dict[SeatNo, Json] = {}

    def changed(self, events: Sequence[Event]) -> None:
        """The table is another since these events."""
        match events:
            case [Acted(seat, action), TurnStarted(following), ClockStarted()]:
                self._seats.pop(seat, None)
                hand = self.table.hand
                if action in _PRICE_STAYS and hand is not None and hand.floor <= hand.high:
                    self._own.pop(seat, None)
                    self._own.pop(following, None)
                else:  # What a call costs is another for everybody.
                    self._own.clear()
            case [Armed(seat) | Disarmed(seat)]:
                self._own.pop(seat, None)
            case _:
                self._seats.clear()
                self._own.clear()
                if self._settings_of is not self.table.settings:
                    self._settings_of = self.table.settings
                    self._settings = views.shown_settings(self.table.settings)

    def public(self) -> Json:
        return views.composed(self.table, self._settings, [self._seat(number) for number in sorted(self.table.seats)])

    def you(self, seat: SeatNo) -> Json | None:
        """None where nobody sits."""
        own = self._own.get(seat)
        if own is None:
            own = views.you(self.table, seat)
            if own is not None:
                self._own[seat] = own
        return own

    def _seat(self, number: SeatNo) -> Json:
        seat = self._seats.get(number)
        if seat is None:
            seat = self._seats[number] = views.seat_view(self.table, number)
        return seat

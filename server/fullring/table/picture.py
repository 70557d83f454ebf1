"""The views of one table, made piece by piece: most of what is seen stays the same from one update to the next.

What is shown here is what ``views`` makes of the table, neither more nor less.
"""

from collections.abc import Mapping, Sequence

from fullring.rules.actions import Action, SeatNo
from fullring.rules.events import Acted, StreetDealt, TurnStarted
from fullring.table import views
from fullring.table.events import Armed, ClockStarted, Disarmed, Event
from fullring.table.ids import AccountId
from fullring.table.shapes import Json
from fullring.table.state import Table

_PRICE_STAYS = frozenset({Action.FOLD, Action.CHECK, Action.CALL})


class Picture:
    """Pieces that were given out are never changed; a piece that is still right is given out again."""

    __slots__ = ("_held", "_others", "_pots", "_seats", "_settings", "_settings_of", "_yours", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._settings_of = table.settings
        self._settings = views.shown_settings(table.settings)
        self._seats: dict[SeatNo, Json] = {}
        self._pots: list[Json] | None = None
        self._held: dict[SeatNo, Json] = {}
        self._yours: dict[AccountId, Json] = {}
        self._others: set[SeatNo] | None = None
        """Seats whose own parts are others now; None for all."""

    def changed(self, events: Sequence[Event]) -> None:
        """The table is another since these events."""
        match events:
            case [Acted(seat, action), TurnStarted(following), ClockStarted()]:
                self._seats.pop(seat, None)
                if action is Action.FOLD:
                    self._pots = None
                    self._held.pop(seat, None)
                hand = self.table.hand
                if action not in _PRICE_STAYS or hand is None or hand.floor > hand.high:
                    self._others = None  # What a call costs is another for everybody.
                elif self._others is not None:
                    self._others.update((seat, following))
            case [Armed(seat) | Disarmed(seat)]:
                if self._others is not None:
                    self._others.add(seat)
            case [Acted(seat), StreetDealt(), TurnStarted(), ClockStarted()]:
                for number, shown in list(self._seats.items()):
                    if number == seat or shown["bet"]:
                        del self._seats[number]
                self._held.clear()
                self._pots = self._others = None
            case _:
                self._seats.clear()
                self._held.clear()
                self._pots = self._others = None
                if self._settings_of is not self.table.settings:
                    self._settings_of = self.table.settings
                    self._settings = views.shown_settings(self.table.settings)

    def public(self) -> Json:
        table, seats = self.table, self._seats
        for number in table.seats:
            if number not in seats:
                seats[number] = views.seat_view(table, number)
        if self._pots is None:
            self._pots = views.pots_view(table)
        return views.composed(table, self._settings, [seats[number] for number in sorted(table.seats)], self._pots)

    def yours(self) -> Mapping[AccountId, Json]:
        """The own parts of all who sit here."""
        seats, others = self.table.seats, self._others
        if others is None:
            self._yours = {seat.account: self._your(number) for number, seat in seats.items()}
            self._others = set()
        elif others:
            for number in others:
                self._yours[seats[number].account] = self._your(number)
            others.clear()
        return self._yours

    def _your(self, number: SeatNo) -> Json:
        held = self._held.get(number)
        if held is None:
            held = self._held[number] = views.held(self.table, number)
        return views.completed(self.table, number, held)

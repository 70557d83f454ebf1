"""Frames as the people of a run and its witness read them: what is the same for everybody is read once."""

import re
from typing import Any

import msgspec

OWN = ',"you":{'
UPDATE = '{"type":"update"'
KEPT = 4_000
_CARDS = re.compile(rb'"((?:[2-9TJQKA][cdhs])+)"')


class Turn(msgspec.Struct):
    id: str
    seat: int
    deadline: int
    actions: dict[str, Any]


class HandSeen(msgspec.Struct):
    id: str
    board: list[str]
    turn: Turn | None = None


class SeatSeen(msgspec.Struct):
    seat: int
    account: str
    stack: int
    state: str


class View(msgspec.Struct):
    """Of the lobby it is empty."""

    status: str = ""
    hand: HandSeen | None = None
    seats: list[SeatSeen] = []
    settings: dict[str, Any] = {}


class Update(msgspec.Struct):
    """An update's public part. Its bytes are kept where they must be compared."""

    table: str
    epoch: int
    seq: int
    at: int
    events: msgspec.Raw
    view: msgspec.Raw
    lost: bool = False
    seen: View = msgspec.field(default_factory=View)


_read_update = msgspec.json.Decoder(Update).decode
_read_view = msgspec.json.Decoder(View).decode
read = msgspec.json.Decoder(dict[str, Any]).decode


class Reader:
    """Remembers the last public parts: all viewers of a table get the same."""

    def __init__(self) -> None:
        self._known: dict[str, Update] = {}

    def update(self, frame: str) -> tuple[Update, str | None]:
        """The public part, and the viewer's own."""
        at = frame.rfind(OWN)
        public, own = (frame, None) if at < 0 else (frame[:at], frame[at + len(OWN) - 1 : -1])
        known = self._known.get(public)
        if known is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            known = self._known[public] = _read_update(public if own is None else public + "}")
            known.seen = _read_view(known.view)
        return known, own


def cards(frame: bytes) -> set[str]:
    """The cards that somebody finds who searches these bytes, one by one or written together."""
    return {found[at : at + 2].decode() for found in _CARDS.findall(frame) for at in range(0, len(found), 2)}

"""All that a table knows, as plain values to be compared: live with replayed, before with after."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache

from fullring.rules.state import Hand
from fullring.table.state import Table

LAST_HAND = frozenset({
    "hand", "hand_id", "hand_log", "hand_players", "hand_started_at", "finished", "places_before",
    "armed_to_call", "dealt", "dues", "last_action",
})  # fmt: skip
"""What a table keeps of the hand before, for those who look and for a hand that is voided. A snapshot that is written
because a hand starts holds none of it.
"""

_PLAIN = frozenset({int, str, bool, type(None)})
"""Most of what there is; nothing in it can change."""


def facts(value: object) -> object:
    """The value with everything in it, sharing nothing that could change."""
    kind: type = type(value)
    if kind in _PLAIN:
        return value
    names = _names(kind)
    if names:
        return {name: facts(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: facts(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [facts(item) for item in value]
    return value


def between_hands(table: Table) -> object:
    """The facts without those of the hand before."""
    known = facts(table)
    assert isinstance(known, dict)
    seats = known["seats"].items()
    known["seats"] = {number: {k: v for k, v in seat.items() if k not in LAST_HAND} for number, seat in seats}
    return {name: fact for name, fact in known.items() if name not in LAST_HAND}


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Of what is made of named parts; ``legal`` of a hand only remembers what follows from the rest."""
    if issubclass(kind, Hand):
        return tuple([name for name in Hand.__slots__ if name != "legal"])
    return tuple([field.name for field in fields(kind)]) if is_dataclass(kind) else ()

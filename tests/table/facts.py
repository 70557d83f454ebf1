"""All that a table knows, as plain values to be compared: live with replayed, before with after."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from fullring.rules.state import Hand
from fullring.table.state import Table

LAST_HAND = frozenset({
    "hand", "hand_id", "hand_log", "hand_players", "hand_started_at", "finished", "places_before",
    "armed_to_call", "dealt", "dues", "last_action",
})  # fmt: skip
"""What a table keeps of the hand before, for those who look and for a hand that is voided: no snapshot holds it."""


def facts(value: object) -> object:
    """The value with everything in it, sharing nothing that could change."""
    if isinstance(value, Hand):  # ``legal`` only remembers what follows from the rest.
        return {name: facts(getattr(value, name)) for name in Hand.__slots__ if name != "legal"}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: facts(getattr(value, field.name)) for field in fields(value)}
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

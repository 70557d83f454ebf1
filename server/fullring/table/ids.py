"""Names for the opaque ids, so that one is not taken for another."""

from typing import NewType

TableId = NewType("TableId", str)
AccountId = NewType("AccountId", str)
HandId = NewType("HandId", str)
TurnId = NewType("TurnId", str)
Millis = int
"""An instant in Unix milliseconds, or a span of milliseconds."""


def hand_id(table: str, number: int) -> HandId:
    return HandId(f"{table}h{number}")


def turn_id(hand: HandId, turn: int) -> TurnId:
    return TurnId(f"{hand}-{turn}")

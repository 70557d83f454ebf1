"""Why something that was asked is not done. The code is the contract; the text is for people."""

from collections.abc import Mapping
from enum import StrEnum


class Refusal(StrEnum):
    """The codes of a refusal, as they go over the wire (docs/protocol.md, error codes)."""

    NOT_SEATED = "not_seated"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    ALREADY_SEATED = "already_seated"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    ILLEGAL_ACTION = "illegal_action"
    BAD_AMOUNT = "bad_amount"
    INSUFFICIENT_CHIPS = "insufficient_chips"
    TABLE_PAUSED = "table_paused"
    TABLE_CLOSED = "table_closed"
    CLOSING = "closing"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"


class Refused(Exception):
    """A message of ours, but not now. Nothing has changed.

    ``text`` says what was asked and what would do: ``raise to 300 is below the minimum of 400``.
    ``details`` carries the bounds as numbers, for programs.
    """

    def __init__(self, code: Refusal, text: str, details: Mapping[str, int | str] | None = None) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.details: Mapping[str, int | str] = details or {}

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"

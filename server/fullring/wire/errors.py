"""The codes of the protocol, which are its contract, and the one error of reading a message."""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """The ``code`` of an ``error``. Texts beside it may change, these may not."""

    BAD_MESSAGE = "bad_message"
    UNKNOWN_TYPE = "unknown_type"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
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
    RATE_LIMITED = "rate_limited"
    VERSION = "version"
    NAME_TAKEN = "name_taken"  # Over HTTP alone.
    INTERNAL = "internal"


class CloseCode(IntEnum):
    """Why the server closed a socket."""

    NO_HELLO = 4000
    BAD_CREDENTIALS = 4001
    VERSION = 4002
    REPLACED = 4003  # By a newer session of the same account; a client does not reconnect by itself.
    KICKED = 4004
    TOO_FAST = 4005
    BAD_FRAMES = 4006
    TOO_SLOW = 4007
    NO_HEARTBEAT = 4008
    GOING_AWAY = 4009  # A client reconnects, after a random wait.


class Malformed(Exception):
    """Not a message of ours. ``id`` is the message's own, where it could be read: the ``re`` of the answer.

    The text says what would be right and never repeats a token, a ticket or a password.
    """

    def __init__(self, code: ErrorCode, text: str, id: str | None = None) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.id = id

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"

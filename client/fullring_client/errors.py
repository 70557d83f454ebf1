"""What can go wrong between a client and the room."""

import json
from collections.abc import Mapping
from typing import Self

from fullring.wire.errors import CloseCode
from fullring.wire.reading import read_error

_NOTHING: Mapping[str, object] = {}


class Refused(Exception):
    """The room refused what was asked; nothing has changed. ``code`` is stable, ``message`` says what would do."""

    def __init__(self, code: str, message: str, details: Mapping[str, object] = _NOTHING) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.details = details

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @classmethod
    def read(cls, frame: bytes) -> Self:
        error = read_error(frame)
        return cls(error.code, error.message, error.details)

    @classmethod
    def over_http(cls, body: bytes | bytearray, status: int) -> Self:
        """From a problem document; what is none is told by its status."""
        try:
            problem = json.loads(body)
            return cls(problem["code"], problem.get("detail") or problem["title"], problem)
        except (ValueError, KeyError, TypeError):
            return cls("internal", f"the room answered with status {status}")


class Unreachable(Exception):
    """Nothing that speaks our protocol answers at the address, or the room there lets nobody in."""


class Closed(Exception):
    """The connection is over for good, and by itself it does not come back."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        known = {close.value: close.name.lower().replace("_", " ") for close in CloseCode}
        return self.reason or known.get(self.code, f"closed with {self.code}")


class Replaced(Closed):
    """A newer session of the same account took over (4003)."""

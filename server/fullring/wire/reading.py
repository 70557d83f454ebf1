"""How a client reads what the server sends: a glance to route a frame, the whole of it only where somebody looks."""

import json
from typing import Any

import msgspec

from fullring.wire.events import EVENT_TYPES
from fullring.wire.server import Update


class Glance(msgspec.Struct, frozen=True, gc=False):
    """What decides where a frame goes; an absent field is empty or 0."""

    type: str
    re: str = ""
    table: str = ""
    epoch: int = 0
    seq: int = 0


class ErrorSeen(msgspec.Struct, frozen=True):
    """An ``error``, with whatever code: a newer server may have one that this client doesn't know."""

    code: str
    message: str
    details: dict[str, Any] = {}


_ERROR = msgspec.json.Decoder(ErrorSeen)
_GLANCE = msgspec.json.Decoder(Glance)


def glance(frame: bytes) -> Glance:
    """Raises ValueError on a frame that no server of ours sends."""
    return _GLANCE.decode(frame)


def read_error(frame: bytes) -> ErrorSeen:
    return _ERROR.decode(frame)


def read_update(frame: bytes) -> Update:
    """The update. Events of a type that a newer server may send are left out. Raises ValueError on anything else."""
    try:
        return Update.model_validate_json(frame)
    except ValueError:
        sent = json.loads(frame)
        known = [event for event in sent["events"] if event["type"] in EVENT_TYPES]
        if len(known) == len(sent["events"]):
            raise
    return Update.model_validate_json(json.dumps(sent | {"events": known}))

"""Text to message and message to bytes. Whatever a client sends becomes a message or ``Malformed``, nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pydantic_core
from pydantic import ValidationError

from fullring.wire.client import CLIENT_MESSAGE, CLIENT_TYPES, ClientMessage
from fullring.wire.errors import ErrorCode, Malformed
from fullring.wire.explain import explain, named
from fullring.wire.fields import ID_CHARACTERS

_ENCODER = msgspec.json.Encoder()
_TEXT = 0x81
_SHORT, _TWO_BYTES, _EIGHT_BYTES = 125, 126, 127
"""The longest message whose size stands in its frame's second byte; there, else, how many bytes hold it."""
_LONG = 1 << 16
"""The shortest that needs eight."""
_MEDIUM, _LARGE = bytes((_TEXT, _TWO_BYTES)), bytes((_TEXT, _EIGHT_BYTES))
_YOU = b',"you":'


def decode(text: str | bytes) -> ClientMessage:
    """The message. Raises Malformed, and nothing else, on any text at all."""
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        malformed = _malformed(text, error)
    raise malformed  # Outside the handler: the validation error holds what was sent, tokens too.


def decode_for(table: str, text: bytes) -> ClientMessage:
    """The same for a message that came to that table's own address, and need not name it."""
    try:
        sent = pydantic_core.from_json(text)
    except ValueError:
        return decode(text)
    unnamed = isinstance(sent, dict) and "table" not in sent
    return decode(pydantic_core.to_json({"table": table} | sent) if unnamed else text)


def encode(message: Mapping[str, object]) -> bytes:
    return _ENCODER.encode(message)


def frame(message: bytes) -> bytes:
    """An encoded message as a server's WebSocket frame: unmasked, so that it is the same for everybody."""
    return _head(len(message)) + message


def joiner(public: bytes) -> Callable[[bytes], bytes]:
    """For an encoded update: makes its frame with a viewer's own part, encoded too, added. Nothing is encoded again."""
    opened = public[:-1] + _YOU
    size = len(opened) + 1

    def join(you: bytes) -> bytes:
        whole = size + len(you)
        if _SHORT < whole < _LONG:  # The common one, without a call.
            return b"".join((_MEDIUM, whole.to_bytes(2), opened, you, b"}"))
        return b"".join((_head(whole), opened, you, b"}"))

    return join


def framed(message: Mapping[str, object]) -> bytes:
    return frame(encode(message))


def unframed(frame: bytes) -> bytes:
    """The message in it."""
    length = frame[1]
    return frame[2 if length <= _SHORT else 4 if length == _TWO_BYTES else 10 :]


def _head(size: int) -> bytes:
    if size <= _SHORT:
        return bytes((_TEXT, size))
    if size < _LONG:
        return _MEDIUM + size.to_bytes(2)
    return _LARGE + size.to_bytes(8)


def _malformed(text: str | bytes, error: ValidationError) -> Malformed:
    detail = error.errors(include_url=False)[0]
    if not detail["loc"] and detail["type"] in {"json_invalid", "string_unicode"}:
        fault = detail["msg"].removeprefix("Invalid JSON: ").lower()
        return Malformed(ErrorCode.BAD_MESSAGE, f"a message must be JSON: {fault}")
    sent = pydantic_core.from_json(text)
    if not isinstance(sent, dict):
        return Malformed(ErrorCode.BAD_MESSAGE, f"a message must be a JSON object, not {named(sent)}")
    id = _id(sent)
    if not isinstance(sent.get("type"), str):
        return Malformed(ErrorCode.BAD_MESSAGE, "type must be text", id)
    if sent["type"] not in CLIENT_TYPES:
        return Malformed(ErrorCode.UNKNOWN_TYPE, f"type must be one of {', '.join(CLIENT_TYPES)}", id)
    return Malformed(ErrorCode.BAD_MESSAGE, explain(detail, detail["loc"][1:]), id)


def _id(sent: dict[str, Any]) -> str | None:
    """The message's id, to answer to, even where the rest of the message is wrong."""
    id = sent.get("id")
    return id if isinstance(id, str) and 1 <= len(id) <= ID_CHARACTERS else None

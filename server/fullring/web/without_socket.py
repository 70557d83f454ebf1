"""A bot's door without a socket: a table's updates as a stream of lines, and commands one a request.

A command is answered with the very ``ok`` or ``error`` that a socket would get; the status only repeats its code.
"""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import Response
from starlette.requests import Request

from fullring.runtime.answers import promised
from fullring.runtime.audience import Since
from fullring.table.ids import Millis
from fullring.web.asking import CARDS_TAKE, Asker, Player, shows_cards
from fullring.web.commands import Message, TableMessage, ask, error
from fullring.web.limits import FRAME_BYTES
from fullring.web.paths import IdInPath
from fullring.web.problems import Declined, forbidden
from fullring.web.routes import Routes, reference
from fullring.web.site import Here, Site, address
from fullring.web.stream import NDJSON, StreamResponse
from fullring.wire.client import COMMANDS
from fullring.wire.codec import decode_for, encode
from fullring.wire.errors import ErrorCode, Malformed
from fullring.wire.fields import SAFE_INTEGER
from fullring.wire.server import Error, Ok

STATUSES = {
    ErrorCode.BAD_MESSAGE: HTTPStatus.UNPROCESSABLE_ENTITY,
    ErrorCode.UNKNOWN_TYPE: HTTPStatus.UNPROCESSABLE_ENTITY,
    ErrorCode.BAD_AMOUNT: HTTPStatus.UNPROCESSABLE_ENTITY,
    ErrorCode.FORBIDDEN: HTTPStatus.FORBIDDEN,
    ErrorCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.RATE_LIMITED: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""What an ``error`` is sent with, by its code; every other one with 409: not now, as things stand."""

_REFUSED: dict[int | str, dict[str, Any]] = {
    status.value: {"model": Error, "description": "Not done, and why"}
    for status in sorted({*STATUSES.values(), HTTPStatus.CONFLICT} - {HTTPStatus.INTERNAL_SERVER_ERROR})
}
_BODY = {
    "required": True,
    "description": "One command, as on the socket. ``table`` may be left out.",
    "content": {
        "application/json": {
            "schema": {
                "oneOf": [reference(model) for model in COMMANDS],
                "discriminator": {"propertyName": "type"},
            }
        }
    },
}

router = Routes(tags=["bots"])

Part = Annotated[int | None, Query(ge=0, le=SAFE_INTEGER)]


@router.get(
    "/tables/{table}/stream",
    response_class=Response,
    responses={200: {"description": "An ``update`` a line, until the end", "content": {NDJSON: {}}}},
)
async def stream(here: Here, asker: Asker, table: IdInPath, epoch: Part = None, seq: Part = None) -> Response:
    """The table's updates, or the lobby's, one a line; an empty line every 7 s. A token's account counts as connected.

    ``epoch`` and ``seq`` are those of the last update that you have: the events since then come with the first line.
    """
    if (epoch is None) != (seq is None):
        text = "epoch and seq go together: those of the last update you have"
        raise Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, text)
    since = None if epoch is None or seq is None else Since(epoch, seq)
    if asker is not None and not shows_cards(asker):
        raise forbidden(CARDS_TAKE)
    here.room.audience(table)
    if len(here.connections) >= here.limits.connections_max or not here.handshakes.take(here.clock.now()):
        text = "too many connections at once: try again, after a random wait"
        raise Declined(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.RATE_LIMITED, text, {"Retry-After": "2"})
    return StreamResponse(here, asker, table, since)


@router.post("/tables/{table}/commands", responses=_REFUSED, openapi_extra={"requestBody": _BODY}, response_model=Ok)
async def command(request: Request, here: Here, asker: Player, table: IdInPath) -> Response:
    """One command, answered by its ``ok`` or ``error`` once that is permanent. The same ``id`` again acts once."""
    body = await request.body()
    wait = here.posts.take(asker.account.id, here.clock.now())
    try:
        message = _read(body, table)
    except Malformed as malformed:
        told = error(malformed.id, malformed.code, malformed.text)
        return _late(here, malformed.id, wait) if wait else _answer(here, told)
    if wait:
        return _late(here, message.id, wait)
    answered, tell = promised()
    wait = ask(here, asker, address(request), message, tell)
    return _answer(here, await answered, wait)


def _read(body: bytes, table: str) -> TableMessage:
    """Raises Malformed."""
    if len(body) > FRAME_BYTES:
        raise Malformed(ErrorCode.BAD_MESSAGE, f"a message must have at most {FRAME_BYTES} bytes")
    message = decode_for(table, body)
    if not isinstance(message, TableMessage):
        text = f"{message.type} belongs to the socket: here the stream shows the table"
        raise Malformed(ErrorCode.BAD_MESSAGE, text, message.id)
    if message.table != table:
        raise Malformed(ErrorCode.BAD_MESSAGE, "table must be the one in the address, or left out", message.id)
    return message


def _late(here: Site, id: str | None, wait: Millis) -> Response:
    return _answer(here, error(id, ErrorCode.RATE_LIMITED, f"too many commands: the next one in {wait} ms"), wait)


def _answer(here: Site, message: Message, wait: Millis = 0) -> Response:
    headers = None
    if message["type"] == "ok":
        status = HTTPStatus.OK
    else:
        here.room.meter.refusals[str(message["code"])] += 1
        status = STATUSES.get(ErrorCode(str(message["code"])), HTTPStatus.CONFLICT)
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        headers = {"Retry-After": str(max(1, -(-wait // 1000)))}
    return Response(encode(message), status, headers, media_type="application/json")

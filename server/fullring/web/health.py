"""For whoever runs the room: does it live, is it ready, its figures, and its documents."""

import secrets
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client.exposition import choose_encoder

from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.table.ids import HandId
from fullring.web.problems import problem, unauthorized
from fullring.web.routes import Routes
from fullring.web.site import Here
from fullring.wire.errors import ErrorCode
from fullring.wire.schema import asyncapi

NOBODYS = HandId("-")

router = Routes(tags=["operation"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process lives and its loop turns."""
    return {"status": "ok"}


@router.get("/readyz", responses={503: {"description": "The room does not play now"}})
async def readyz(here: Here) -> Response:
    """The room has started, it deals hands, and its log can be written and read."""
    if not here.open:
        return _not_ready("the room is starting or stopping")
    if here.draining:
        return _not_ready("the room is to stop: it deals no new hand")
    if not here.log_takes():
        return _not_ready("the room can't write its log")
    try:
        await here.hands.get(NOBODYS)
    except (LogUnavailable, OutcomeUnknown):
        return _not_ready("the room can't reach its log")
    return JSONResponse({"status": "ready"})


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(here: Here, request: Request) -> Response:
    """The room's figures, as Prometheus reads them; for whoever has the token, if the settings name one."""
    wanted = here.limits.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if wanted is not None and not secrets.compare_digest(given.encode(), wanted.encode()):
        raise unauthorized("that takes the metrics token: Authorization: Bearer …")
    encode, media_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(request.app.state.metrics), media_type=media_type)


@router.get("/asyncapi.json", include_in_schema=False)
async def socket_document() -> dict[str, Any]:
    return asyncapi()


def _not_ready(detail: str) -> JSONResponse:
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.INTERNAL, detail, {"Retry-After": "1"})

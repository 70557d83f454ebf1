"""For whoever runs the room: does it live, is it ready, a few figures, and its documents."""

from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse, PlainTextResponse, Response

from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.table.ids import HandId
from fullring.web.problems import problem
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
    """The room has started, and its log can be read."""
    if not here.open:
        return _not_ready("the room is starting or stopping")
    try:
        await here.hands.get(NOBODYS)
    except (LogUnavailable, OutcomeUnknown):
        return _not_ready("the room can't reach its log")
    return JSONResponse({"status": "ready"})


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(here: Here) -> PlainTextResponse:
    """A few figures in Prometheus's text format."""
    gauges: dict[str, tuple[str, float]] = {
        "open": ("Whether the room has started and does not stop.", int(here.open)),
        "connections": ("Sockets that are open.", len(here.connections)),
        "tables": ("Tables that are open.", len(here.room)),
        "tables_in_play": ("Tables at which a hand is played.", here.room.in_play()),
        "sweep_seconds": ("How long the last full garbage collection stopped everything.", here.sweeper.took_s),
    }
    lines = [
        line
        for name, (what, count) in gauges.items()
        for line in (f"# HELP fullring_{name} {what}", f"# TYPE fullring_{name} gauge", f"fullring_{name} {count}")
    ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@router.get("/asyncapi.json", include_in_schema=False)
async def socket_document() -> dict[str, Any]:
    return asyncapi()


def _not_ready(detail: str) -> JSONResponse:
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.INTERNAL, detail, {"Retry-After": "1"})

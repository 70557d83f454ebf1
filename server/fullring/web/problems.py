"""Errors of HTTP requests as RFC 9457 problem documents, each with a stable ``code``. None repeats what was sent."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.admin import NoAccount
from fullring.runtime.answers import Busy
from fullring.runtime.audit import Repeated
from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.table.ids import Millis
from fullring.wire.errors import ErrorCode
from fullring.wire.explain import explain
from fullring.wire.http import Problem

_FAULTS_MAX = 10
_TRIED = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_CODES = {
    HTTPStatus.UNAUTHORIZED: ErrorCode.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN: ErrorCode.FORBIDDEN,
    HTTPStatus.NOT_FOUND: ErrorCode.NOT_FOUND,
    HTTPStatus.TOO_MANY_REQUESTS: ErrorCode.RATE_LIMITED,
}
_STATUSES = {
    Refusal.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Refusal.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Refusal.BAD_AMOUNT: HTTPStatus.UNPROCESSABLE_ENTITY,
}


class Declined(Exception):
    """A request that is not done, and why: what the problem document says."""

    def __init__(
        self, status: HTTPStatus, code: ErrorCode, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code, detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers


def unauthorized(detail: str) -> Declined:
    return Declined(HTTPStatus.UNAUTHORIZED, ErrorCode.UNAUTHORIZED, detail, {"WWW-Authenticate": "Bearer"})


def forbidden(detail: str) -> Declined:
    return Declined(HTTPStatus.FORBIDDEN, ErrorCode.FORBIDDEN, detail)


def not_found(what: str) -> Declined:
    return Declined(HTTPStatus.NOT_FOUND, ErrorCode.NOT_FOUND, f"there is no such {what}")


def rate_limited(detail: str, wait_ms: Millis) -> Declined:
    seconds = -(-wait_ms // 1000)
    return Declined(
        HTTPStatus.TOO_MANY_REQUESTS,
        ErrorCode.RATE_LIMITED,
        f"{detail}: try again in {seconds} s",
        {"Retry-After": str(seconds)},
    )


def problem(
    status: HTTPStatus,
    code: ErrorCode,
    detail: str,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, object] | None = None,
) -> JSONResponse:
    body = Problem(title=status.phrase, status=status.value, detail=detail, code=code).fields() | dict(more or {})
    return JSONResponse(body, status.value, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Every way a request can fail ends here."""
    app.add_exception_handler(Declined, _declined)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _by_status)
    app.add_exception_handler(NoAccount, _no_account)
    app.add_exception_handler(Repeated, _repeated)
    app.add_exception_handler(Busy, _busy)
    app.add_exception_handler(LogUnavailable, _unavailable)
    app.add_exception_handler(OutcomeUnknown, _unavailable)
    app.add_exception_handler(Exception, _broken)


async def _declined(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Declined)
    return problem(error.status, error.code, error.detail, error.headers)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    status = _STATUSES.get(error.code, HTTPStatus.CONFLICT)
    more = {"details": dict(error.details)} if error.details else None
    return problem(status, ErrorCode(error.code), error.text, more=more)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    details = error.errors()[:_FAULTS_MAX]
    if details[0]["loc"][0] == "path":
        return problem(HTTPStatus.NOT_FOUND, ErrorCode.NOT_FOUND, "there is nothing of that name")
    faults = [_fault(detail) for detail in details]
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, faults[0], more={"errors": faults})


def _fault(detail: Any) -> str:
    where, *path = detail["loc"]
    match where, detail["type"]:
        case "body", "json_invalid":
            return "the body must be JSON"
        case "body", "model_attributes_type" if not path:
            return "the body must be a JSON object, sent as application/json"
        case "query", "string_pattern_mismatch":
            return f"{path[0]} must be as the server sent it"
        case "header", "string_pattern_mismatch":
            return f"{path[0]} must have 1 to 64 printable characters and no space"
        case "body", "value_error":  # It names its fields itself.
            return explain(detail, path)
        case _:
            told = explain(detail, path, naming=where == "body")
            return told if path else f"the {where} {told.strip()}"


async def _by_status(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status, headers = HTTPStatus(error.status_code), error.headers
    match status:
        case HTTPStatus.NOT_FOUND:
            detail = "there is nothing at this address"
        case HTTPStatus.METHOD_NOT_ALLOWED:
            taken = ", ".join(_methods(request))
            detail, headers = f"this address takes {taken}", {"Allow": taken}
        case _:
            detail = status.phrase.lower()
    return problem(status, _CODES.get(status, ErrorCode.BAD_MESSAGE), detail, headers)


def _methods(request: Request) -> list[str]:
    """What the address takes: each method has a route of its own."""
    routes, scope = request.app.routes, request.scope
    return [m for m in _TRIED if any(route.matches({**scope, "method": m})[0] is Match.FULL for route in routes)]


async def _no_account(_: Request, __: Exception) -> JSONResponse:
    return problem(HTTPStatus.NOT_FOUND, ErrorCode.NOT_FOUND, "there is no such account")


async def _repeated(_: Request, __: Exception) -> JSONResponse:
    return problem(HTTPStatus.CONFLICT, ErrorCode.BAD_MESSAGE, "that key was used already: look what became of it")


async def _busy(_: Request, __: Exception) -> JSONResponse:
    detail = "the table is busy: send it again"
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.RATE_LIMITED, detail, {"Retry-After": "1"})


async def _unavailable(_: Request, __: Exception) -> JSONResponse:
    detail = "the room can't reach its log now"
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.INTERNAL, detail, {"Retry-After": "5"})


async def _broken(_: Request, __: Exception) -> JSONResponse:
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, "the room made a mistake; it is in its log")

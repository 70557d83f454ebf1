"""The browser client as it was built: its one page, its files, and how long a browser may keep them. Knows no room."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fullring.web.problems import not_found

SCREENS = ("/", "/table/{id}", "/join/{id}", "/hand/{id}", "/admin", "/admin/{section}", "/admin/{section}/{id}")
"""Addresses that the page itself reads."""
PAGE = "index.html"
PLACES = (Path(__file__).with_name("pages"), Path(__file__).parents[3] / "client" / "web" / "dist")
"""Where the build is: in an installed package, in a working copy."""
MISSING = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>Fullring</title>"
    b"<h1>Fullring</h1><p>The room is open, but its browser client has not been built: run <code>make browser</code> "
    b"and start the room again.</p><p>Programs find the room under <code>/api/v1</code>; "
    b"<a href=/openapi.json>openapi.json</a> and <a href=/asyncapi.json>asyncapi.json</a> describe it.</p>"
)
_ASSETS = "assets/"
"""Files whose names change with what they hold."""
_HTML = "text/html; charset=utf-8"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": _HTML,
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED = frozenset({".mp3", ".ogg", ".png", ".woff2"})
_SAFE = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
}
"""What a page may do: run, show and fetch what is the room's own, and nothing that stands in the page itself."""


@dataclass(frozen=True, slots=True)
class File:
    """What is sent. ``packed`` is the body as gzip, where that is shorter."""

    body: bytes
    packed: bytes | None
    type: str
    etag: str
    keep: str


def install(app: FastAPI, files: Mapping[str, File]) -> None:
    """The page at every address that is a screen of its, and each file at its own."""
    page = files.get(PAGE)

    async def screen(request: Request) -> Response:
        if page is None:
            return Response(MISSING, HTTPStatus.SERVICE_UNAVAILABLE, _SAFE | {"cache-control": "no-store"}, _HTML)
        return answer(page, request)

    async def file(request: Request) -> Response:
        found = files.get(request.url.path.removeprefix("/"))
        if found is None:
            raise not_found("file")
        return answer(found, request)

    tops = {top if top == name else f"{top}/{{rest:path}}" for name in files for top in [name.split("/")[0]]}
    app.router.routes.extend(Route(path, screen, name="screen") for path in SCREENS)
    app.router.routes.extend(Route(f"/{path}", file, name="file") for path in sorted(tops))


@cache
def read() -> Mapping[str, File]:
    """The built client's files by their names, all of them in memory. Empty if it has not been built."""
    folder = next((place for place in PLACES if (place / PAGE).is_file()), None)
    if folder is None:
        return {}
    return {
        path.relative_to(folder).as_posix(): _file(path, path.relative_to(folder).as_posix())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in _TYPES
    }


def answer(file: File, request: Request) -> Response:
    headers = _SAFE | {"cache-control": file.keep, "etag": file.etag, "vary": "accept-encoding"}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(None, HTTPStatus.NOT_MODIFIED, headers)
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, HTTPStatus.OK, headers | {"content-encoding": "gzip"}, file.type)
    return Response(file.body, HTTPStatus.OK, headers, file.type)


def _file(path: Path, name: str) -> File:
    body = path.read_bytes()
    packed = None if path.suffix in _PACKED else gzip.compress(body, mtime=0)
    return File(
        body=body,
        packed=packed if packed is not None and len(packed) < len(body) else None,
        type=_TYPES[path.suffix],
        etag=f'"{hashlib.sha256(body).hexdigest()[:20]}"',
        keep="public, max-age=31536000, immutable" if name.startswith(_ASSETS) else "no-cache",
    )

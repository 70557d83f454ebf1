"""The application: every route in its place. ``create_app`` gives it the room; without one it has its documents."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp

from fullring import __version__
from fullring.web import accounts, admin, browser, hands, health, lobby, problems, socket, without_socket
from fullring.web.bodies import SmallBodies
from fullring.web.headers import SafeHeaders
from fullring.web.metrics import registry
from fullring.web.requests import Requests
from fullring.web.routes import openapi, operation_id
from fullring.web.site import Site

API = "/api/v1"
ROUTES = (accounts.router, lobby.router, hands.router, without_socket.router, *admin.ROUTERS)
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(site: Site, lifespan: Lifespan | None = None) -> FastAPI:
    app = bare_app(lifespan)
    app.state.site = site
    app.state.metrics = registry(site)
    browser.install(app, browser.read())
    return app


def bare_app(lifespan: Lifespan | None = None) -> FastAPI:
    """The application with nothing behind it."""
    app = _Application(
        title="Fullring",
        version=__version__,
        summary="A Texas hold'em room",
        description="docs/protocol.md says what the calls mean. Errors are RFC 9457 problem documents with a `code`.",
        license_info={"name": "MIT"},
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=operation_id,
    )
    problems.install(app)
    app.add_middleware(SmallBodies)
    for routes in ROUTES:
        app.include_router(routes, prefix=API)
    app.include_router(health.router)
    app.add_api_websocket_route(f"{API}/ws", socket.endpoint)
    return app


class _Application(FastAPI):
    def build_middleware_stack(self) -> ASGIApp:
        """Around everything, the answer to a mistake of ours too."""
        site = self.state.site
        assert isinstance(site, Site)
        return Requests(SafeHeaders(super().build_middleware_stack()), site.room.meter)

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = openapi(self)
        return self.openapi_schema

"""Who may call what: every route is walked, without a token, without the role and without the scope."""

import re

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from fullring.runtime.ports import Role
from fullring.table.ids import AccountId
from fullring.web.application import API, ROUTES
from fullring.web.asking import Needs
from tests.server import Running
from tests.web.test_accounts import code

OPEN = {
    "POST /guests",
    "POST /accounts",
    "POST /sessions",
    "GET /tables",
    "GET /tables/{table}",
    "GET /hands",
    "GET /hands/{hand}",
    "GET /hands/{hand}.phh",
    "GET /hands/{hand}.txt",
    "GET /hands/{hand}.ohh.json",
}
"""What anybody may call. Everything else says what it needs."""
CALLS = [
    (f"{method} {route.path}", route)
    for routes in ROUTES
    for route in routes.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods or ())
]
GUARDED = [(call, route) for call, route in CALLS if call not in OPEN]


def needs(dependant: Dependant) -> list[Needs]:
    found = [dependant.call] if isinstance(dependant.call, Needs) else []
    return found + [need for below in dependant.dependencies for need in needs(below)]


def path(call: str) -> str:
    return re.sub(r"\{\w+\}", "x1", call.split()[1])


def test_every_route_is_open_or_says_what_it_needs() -> None:
    assert {call for call, route in CALLS if not needs(route.dependant)} == OPEN
    assert all(route.path_format.startswith("/") for _, route in CALLS)
    assert API == "/api/v1"


@pytest.mark.parametrize(("call", "route"), GUARDED, ids=[call for call, _ in GUARDED])
async def test_without_what_it_needs_a_route_does_nothing(room: Running, call: str, route: APIRoute) -> None:
    (need,) = needs(route.dependant)
    method = call.split()[0]
    async with room.http() as client:
        assert code(await client.request(method, path(call))) == (401, "unauthorized")
    guest = await room.guest()
    if need.role is not Role.PLAYER:
        async with room.http(guest.token) as client:
            assert code(await client.request(method, path(call))) == (403, "forbidden")
    await room.site.accounts.set_role(AccountId(guest.id), need.role)
    others = [scope for scope in ("read", "play", "host") if scope != need.scope]
    async with room.http(guest.token) as client:
        limited = (await client.post("/me/tokens", json={"name": "limited", "scopes": others})).json()["token"]
    async with room.http(limited) as client:
        assert code(await client.request(method, path(call))) == (403, "forbidden")

"""Who may call what: every route is walked, without a token, without the role and without the scope."""

import re

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from fullring.runtime.accounts import Role
from fullring.web.application import API, ROUTES
from fullring.web.asking import Needs
from fullring.web.changes import Changes
from tests.server import Running
from tests.web.test_accounts import code

OPEN = {
    "POST /guests",
    "POST /accounts",
    "POST /sessions",
    "GET /tables",
    "GET /tables/{table}",
    "GET /tables/{table}/stream",
    "GET /hands",
    "GET /hands/{hand}",
    "GET /hands/{hand}.phh",
    "GET /hands/{hand}.txt",
    "GET /hands/{hand}.ohh.json",
}
"""What anybody may call. Everything else says what it needs."""
CALLS = {
    f"{method} {route.path}": route
    for routes in ROUTES
    for route in routes.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods or ())
}


def needs(dependant: Dependant) -> list[Needs]:
    call = dependant.call
    found = [call] if isinstance(call, Needs) else [call.needs] if isinstance(call, Changes) else []
    return found + [need for below in dependant.dependencies for need in needs(below)]


def path(call: str) -> str:
    return re.sub(r"\{\w+\}", "x1", call.split()[1])


def test_every_route_is_open_or_says_what_it_needs() -> None:
    assert {call for call, route in CALLS.items() if not needs(route.dependant)} == OPEN
    assert all(route.path_format.startswith("/") for route in CALLS.values())
    assert API == "/api/v1"


def test_whatever_changes_something_for_an_admin_can_be_done_once() -> None:
    changing = [call for call in CALLS if "/admin/" in call and not call.startswith("GET")]
    without = [call for call in changing if "Idempotency-Key" not in headers(CALLS[call].dependant)]
    assert len(changing) > 20
    assert without == []


def headers(dependant: Dependant) -> list[str]:
    found = [str(field.alias) for field in dependant.header_params]
    return found + [name for below in dependant.dependencies for name in headers(below)]


async def test_without_what_it_needs_a_route_does_nothing(room: Running) -> None:
    wrong = []
    async with room.http() as client:
        for call in sorted(set(CALLS) - OPEN):
            (need,) = needs(CALLS[call].dependant)
            account, _ = await room.site.accounts.create_guest(None, 0, 0)
            tried: list[tuple[str | None, tuple[int, str]]] = [(None, (401, "unauthorized"))]
            if need.role is not Role.PLAYER:
                tried.append(((await room.site.accounts.create_guest(None, 0, 0))[1], (403, "forbidden")))
            await room.site.accounts.set_role(account.id, need.role)
            others = [scope for scope in ("read", "play", "host") if scope != need.scope]
            _, limited = await room.site.accounts.create_token(account.id, "limited", others, None, 0)
            tried.append((limited, (403, "forbidden")))
            for token, right in tried:
                sent = {} if token is None else {"Authorization": f"Bearer {token}"}
                answer = code(await client.request(call.split()[0], path(call), headers=sent))
                if answer != right:
                    wrong.append(f"{call}: {answer}, not {right}")

    assert wrong == []

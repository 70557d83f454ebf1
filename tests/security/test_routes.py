"""Every route, asked by everybody: each does exactly what the role and the token's scopes allow.

A route that is not classified here fails the first test; one that answers otherwise than its class fails the others.
"""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from fullring.runtime.accounts import Role
from fullring.runtime.admin import Barred
from fullring.runtime.audit import By
from fullring.table.commands import Pause, Sit
from fullring.table.ids import AccountId
from fullring.web.application import create_app
from tests.security.askers import NOBODY, NOBODYS, Asker, members, strangers
from tests.server import Running
from tests.web.test_accounts import PASSWORD
from tests.web.test_lobby import OAK
from tests.web.test_play import game

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Open:
    """Anybody may. ``reads`` is False where a token is not even looked at.

    ``cards``: where a token shows what its account alone may see, it must be one to read or to play.
    """

    status: int = 200
    body: Body | None = None
    reads: bool = True
    cards: bool = False


@dataclass(frozen=True, slots=True)
class For:
    """A token with that scope, of an account with that role or a higher one."""

    scope: str
    role: Role = Role.PLAYER
    status: int = 200
    body: Body | None = None


API = "/api/v1"
CALLS: dict[str, Open | For] = {
    f"POST {API}/guests": Open(201, {}, reads=False),
    f"POST {API}/accounts": Open(201, {"name": "<new>", "password": PASSWORD}, reads=False),
    f"POST {API}/sessions": Open(201, {"name": "Registered", "password": PASSWORD}, reads=False),
    f"DELETE {API}/sessions/current": For("read", status=204),
    f"GET {API}/me": For("read"),
    f"GET {API}/me/ledger": For("read"),
    f"PUT {API}/me/password": For("play", status=409, body={"password": "not mine", "new": PASSWORD}),
    f"GET {API}/me/tokens": For("read"),
    f"POST {API}/me/tokens": For("play", status=201, body={"name": "bot", "scopes": ["play"]}),
    f"DELETE {API}/me/tokens/{{token}}": For("play", status=204),
    f"POST {API}/ws-tickets": For("read", status=201),
    f"GET {API}/tables": Open(reads=False),
    f"GET {API}/tables/{{table}}": Open(reads=False),
    f"POST {API}/tables": For("host", Role.HOST, 201, OAK),
    f"POST {API}/tables/{{table}}/close": For("host", Role.HOST, 204),
    f"POST {API}/tables/{{table}}/pause": For("host", Role.HOST, 204),
    f"POST {API}/tables/{{table}}/resume": For("host", Role.HOST, 204),
    f"POST {API}/tables/{{table}}/kick": For("host", Role.HOST, 204, {"account": "<seated>"}),
    f"GET {API}/tables/{{table}}/stream": Open(cards=True),
    f"POST {API}/tables/{{table}}/commands": For("play", body={"type": "chat", "id": "<new>", "text": "hello"}),
    f"GET {API}/hands": Open(),
    f"GET {API}/hands/{{hand}}": Open(),
    f"GET {API}/hands/{{hand}}.phh": Open(),
    f"GET {API}/hands/{{hand}}.txt": Open(),
    f"GET {API}/hands/{{hand}}.ohh.json": Open(),
    f"GET {API}/me/hands.phhs": For("read"),
    f"GET {API}/me/hands.txt": For("read"),
    f"GET {API}/me/tables": For("host", Role.HOST),
    "GET /healthz": Open(reads=False),
    "GET /readyz": Open(reads=False),
    "GET /metrics": Open(reads=False),
    "GET /openapi.json": Open(reads=False),
    "HEAD /openapi.json": Open(reads=False),
    "GET /asyncapi.json": Open(reads=False),
}
ACCOUNT, TABLE = f"{API}/admin/accounts/{{account}}", f"{API}/admin/tables/{{table}}"
WHY = {"reason": "as the rules say"}
ADMIN: dict[str, tuple[str, int, Body | None]] = {
    f"GET {API}/admin/accounts": ("read", 200, None),
    f"POST {API}/admin/accounts": ("players", 201, {"name": "<new>", "password": PASSWORD}),
    f"GET {ACCOUNT}": ("read", 200, None),
    f"GET {ACCOUNT}/ledger": ("read", 200, None),
    f"PUT {ACCOUNT}/name": ("players", 200, {"name": "<new>"}),
    f"POST {ACCOUNT}/chips": ("chips", 200, {"amount": 5, "key": "<new>"} | WHY),
    f"POST {ACCOUNT}/password": ("players", 200, None),
    f"DELETE {ACCOUNT}/sessions": ("players", 200, None),
    f"PUT {ACCOUNT}/mute": ("players", 200, {"until": 2**50} | WHY),
    f"DELETE {ACCOUNT}/mute": ("players", 200, None),
    f"PUT {ACCOUNT}/ban": ("players", 200, WHY),
    f"DELETE {ACCOUNT}/ban": ("players", 200, None),
    f"PUT {ACCOUNT}/disabled": ("players", 200, WHY),
    f"DELETE {ACCOUNT}/disabled": ("players", 200, None),
    f"GET {API}/admin/blocklist": ("read", 200, None),
    f"POST {API}/admin/blocklist": ("players", 201, {"name": "<new>"} | WHY),
    f"DELETE {API}/admin/blocklist/{{entry}}": ("players", 204, None),
    f"GET {API}/admin/tables": ("read", 200, None),
    f"POST {API}/admin/tables": ("tables", 201, OAK),
    f"GET {TABLE}": ("read", 200, None),
    f"PATCH {TABLE}": ("tables", 200, {"name": "<new>"}),
    f"POST {TABLE}/pause": ("tables", 204, None),
    f"POST {TABLE}/resume": ("tables", 204, None),
    f"POST {TABLE}/close": ("tables", 204, None),
    f"POST {TABLE}/kick": ("tables", 204, {"account": "<seated>"}),
    f"POST {TABLE}/message": ("tables", 200, {"text": "hello"}),
    f"GET {API}/admin/hands": ("read", 200, None),
    f"GET {API}/admin/connections": ("read", 200, None),
    f"POST {API}/admin/connections/{{connection}}/message": ("players", 204, {"text": "hello"}),
    f"DELETE {API}/admin/connections/{{connection}}": ("players", 204, None),
    f"POST {API}/admin/announcements": ("tables", 201, {"text": "hello"}),
    f"GET {API}/admin/audit": ("read", 200, None),
    f"GET {API}/admin/system": ("read", 200, None),
}
CALLS |= {call: For(f"admin:{scope}", Role.ADMIN, status, body) for call, (scope, status, body) in ADMIN.items()}
CALLS[f"PUT {ACCOUNT}/role"] = For("admin", Role.ADMIN, body={"role": "host"})
SOCKET = f"{API}/ws"
GUARDED = [call for call, needs in CALLS.items() if isinstance(needs, For)]
UNGUARDED = [call for call, needs in CALLS.items() if isinstance(needs, Open)]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


class Door:
    """The routes of a room, ready to be asked: what a call is about is made anew for each."""

    def __init__(self, room: Running, client: httpx.AsyncClient, sockets: AsyncExitStack, hand: str) -> None:
        self._room, self._client, self._sockets, self._hand = room, client, sockets, hand
        self._new = 0

    async def ask(self, call: str, asker: Asker, *, about: AccountId | None = None) -> httpx.Response:
        """``about`` is whose token, chips or table the path names; the asker's own unless it says otherwise."""
        self._new += 1
        method, path = call.split()
        owner = asker.account if about is None else about
        if "{token}" in path:
            path = path.replace("{token}", await self._token(owner))
        if "/admin/" in path:  # About somebody else, whom only those who may ever get to.
            needs = CALLS[call]
            may = isinstance(needs, For) and asker.may(needs.scope, needs.role)
            path = await self._administered(path, may=may)
        path = path.format(table=await self._table(path, owner), hand=self._hand)
        wanted = CALLS[call].body
        body = None if wanted is None else {name: self._filled(value) for name, value in wanted.items()}
        url = f"{self._room.url}{path}"
        async with self._client.stream(method, url, json=body, headers=bearer(asker)) as answer:
            if not path.endswith("/stream") or answer.is_error:  # A stream that goes has no end.
                await answer.aread()
        return answer

    async def copy(self, asker: Asker) -> Asker:
        """One who may as much, with a token that may be ended."""
        accounts = self._room.site.accounts
        _, token = await accounts.create_token(asker.account, "to end", sorted(asker.scopes), None, 0)
        return replace(asker, token=token)

    async def _token(self, owner: AccountId) -> str:
        """A new one of that account: its id."""
        if owner == NOBODYS:
            return "k0"
        info, _ = await self._room.site.accounts.create_token(owner, "to delete", ["read"], None, 0)
        return info.id

    async def _administered(self, path: str, *, may: bool) -> str:
        """With an account, a connection or a block of its own; where nobody looks, with names of none."""
        accounts = self._room.site.accounts
        if "{account}" in path:
            path = path.replace("{account}", (await accounts.create_guest(None, 0, 0))[0].id if may else "a0")
        if "{entry}" in path:
            by = By(None, 0)
            block = await self._room.site.admin.block(by, Barred.NAME, f"entry {self._new}", "a test", None)
            path = path.replace("{entry}", block.id)
        if "{connection}" in path:
            if may:
                await self._sockets.enter_async_context(self._room.socket())
            known = [id for id, session in self._room.site.connections.all() if session.caller().greeted]
            path = path.replace("{connection}", known[-1] if may else "c0")
        return path

    async def _table(self, path: str, owner: AccountId) -> str:
        """One of its own where a call may change it, with somebody to be kicked."""
        if "{table}" not in path:
            return ""
        table = await self._room.table(None if owner == NOBODYS else owner)
        if path.endswith("kick"):
            account, _ = await self._room.site.accounts.create_guest(None, 1_000, 0)
            await self._room.site.room.ask(table, Sit(account.id, account.name, account.kind, 1_000))
            self._seated = account.id
        if path.endswith("resume"):
            await self._room.site.room.ask(table, Pause("to be resumed"))
        return table

    def _filled(self, value: object) -> object:
        match value:
            case "<new>":
                return f"new {self._new}"
            case "<seated>":
                return self._seated
            case _:
                return value


@pytest.fixture
async def door(room: Running) -> AsyncIterator[Door]:
    """With one finished hand to be read."""
    async with game(room, "Anna", "Bo") as played:
        await played.next()
        hand = played.hand["id"]
        await played.act("fold")
    async with room.http() as client, AsyncExitStack() as sockets:
        yield Door(room, client, sockets, hand)


def bearer(asker: Asker) -> dict[str, str]:
    return {"Authorization": f"Bearer {asker.token}"} if asker.token else {}


def routes(app: FastAPI) -> dict[str, str]:
    """Every method and path that the application answers, and the kind of route that does."""
    found = {}
    for route in iter_route_contexts(app.routes):
        kind = type(route.original_route).__name__
        for method in route.methods or {"SOCKET"}:
            found[f"{method} {route.path}"] = kind
    return found


def telling(known: list[Asker], scope: str) -> list[Asker]:
    """At whom a call for admins shows what it needs: sessions, admins' tokens, a player's with that very scope."""
    admins = [asker for asker in known if asker.role is Role.ADMIN and len(asker.scopes) == 1]
    sessions = [asker for asker in known if "admin" in asker.scopes]
    return [*sessions, *admins, *(asker for asker in known if asker.role is Role.PLAYER and scope in asker.scopes)]


def said(answer: httpx.Response) -> str:
    """The status, and the code where it is a problem document."""
    if answer.headers.get("content-type") != "application/problem+json":
        return str(answer.status_code)
    return f"{answer.status_code} {answer.json()['code']}"


async def test_every_route_is_classified(room: Running) -> None:
    """Pages are the browser's: they are files, the same for everybody, and take nothing but GET and HEAD."""
    found = routes(create_app(room.site))
    pages = {call for call in found if found[call] == "Route" and not call.endswith("/openapi.json")}

    assert set(found) - pages == {*CALLS, f"SOCKET {SOCKET}"}
    assert {call.split()[0] for call in pages} == {"GET", "HEAD"}
    assert not any(call.split()[1].startswith(API) for call in pages)


async def test_without_a_token_that_is_good_nothing_that_is_guarded_answers(room: Running, door: Door) -> None:
    wrong = []
    askers = [NOBODY, *await strangers(room)]
    for number, call in enumerate(GUARDED):
        # Of the many calls of admins, each is asked by some: every stranger comes to several doors.
        for asker in askers if "/admin/" not in call else (NOBODY, askers[1 + number % (len(askers) - 1)]):
            answer = said(await door.ask(call, asker))
            if answer != "401 unauthorized":
                wrong.append(f"{call} to {asker.name}: {answer}")

    assert wrong == []


async def test_a_guarded_route_answers_those_with_its_role_and_its_scope_and_nobody_else(
    room: Running, door: Door
) -> None:
    wrong = []
    known = await members(room)
    for call in GUARDED:
        needs = CALLS[call]
        assert isinstance(needs, For)
        for asker in known if "/admin/" not in call else telling(known, needs.scope):
            if call.startswith("DELETE") and "/sessions/current" in call:
                asker = await door.copy(asker)
            answer = said(await door.ask(call, asker))
            done = str(needs.status) if needs.status < 400 else f"{needs.status} forbidden"
            right = done if asker.may(needs.scope, needs.role) else "403 forbidden"
            if answer != right:
                wrong.append(f"{call} to {asker.name}: {answer}, not {right}")

    assert wrong == []


async def test_an_open_route_answers_everybody_but_those_whose_token_is_not_good(room: Running, door: Door) -> None:
    known = (await members(room))[::4]
    unknown = (await strangers(room))[:3]
    wrong = []
    for call in UNGUARDED:
        needs = CALLS[call]
        assert isinstance(needs, Open)
        askers = [(NOBODY, str(needs.status))]
        for asker in known:
            shut = needs.cards and not (asker.may("read", Role.PLAYER) or asker.may("play", Role.PLAYER))
            askers.append((asker, "403 forbidden" if shut else str(needs.status)))
        refused = "401 unauthorized" if needs.reads else str(needs.status)
        askers += [(asker, refused) for asker in unknown]
        for asker, right in askers:
            if (answer := said(await door.ask(call, asker))) != right:
                wrong += [f"{call} to {asker.name}: {answer}, not {right}"]

    assert wrong == []


async def test_no_route_answers_another_method_whoever_asks(room: Running, door: Door) -> None:
    admin = next(asker for asker in await members(room) if asker.may("admin", Role.ADMIN))
    paths = {call.split()[1] for call in CALLS}
    others = [(method, path) for path in paths for method in METHODS if f"{method} {path}" not in CALLS]
    wrong = []
    async with room.http(admin.token) as client:
        for method, path in others:
            answer = await client.request(method, room.url + re.sub(r"\{\w+\}", "x1", path))
            if answer.status_code != 405:
                wrong.append(f"{method} {path}: {answer.status_code}")

    assert wrong == []


async def test_nobody_deletes_anothers_token_whatever_their_role(room: Running, door: Door) -> None:
    victim = await room.guest()
    call = f"DELETE {API}/me/tokens/{{token}}"
    for asker in await members(room):
        if asker.may("play", Role.PLAYER):
            assert said(await door.ask(call, asker, about=AccountId(victim.id))) == "404 not_found", asker.name
    kept = await room.site.accounts.tokens(AccountId(victim.id))
    assert len(kept) > 0
    assert {info.name for info in kept} == {"to delete"}


async def test_what_is_ones_own_is_only_ones_own(room: Running) -> None:
    anna, bo = await room.guest("Anna"), await room.guest("Bo")
    async with room.http(anna.token) as client:
        for query in (f"account={bo.id}", f"id={bo.id}", f"asker={bo.id}"):
            me = (await client.get(f"/me?{query}")).json()
            assert me["account"]["id"] == anna.id
            entries = (await client.get(f"/me/ledger?{query}")).json()["entries"]
            assert [entry["amount"] for entry in entries] == [10_000]
            assert (await client.get(f"/me/hands.phhs?{query}")).text == ""


async def test_no_personal_token_has_a_scope_that_is_for_sessions_alone(room: Running) -> None:
    async with room.http() as client:
        for asker in await members(room):
            for scopes in (["admin"], ["read", "admin"], ["Play"], [""], []):
                body = {"name": "more", "scopes": scopes}
                answer = await client.post("/me/tokens", json=body, headers=bearer(asker))
                assert answer.status_code in {403, 422}, (asker.name, scopes)


@pytest.mark.parametrize("header", ["Bearer  {}", "bearer {}", "BEARER {}", "Bearer\t{}"])
async def test_however_the_header_is_written_logging_out_ends_the_token_that_was_sent(
    room: Running, header: str
) -> None:
    guest = await room.guest()
    headers = {"Authorization": header.format(guest.token)}
    async with room.http() as client:
        answer = await client.delete("/sessions/current", headers=headers)
    async with room.http(guest.token) as client:
        still = (await client.get("/me")).status_code

    assert (answer.status_code, still) in {(204, 401), (401, 200)}


async def test_a_host_controls_the_tables_that_they_opened_and_an_admin_every_one(room: Running, door: Door) -> None:
    wrong, asked = [], 0
    owner, known = await room.guest(), await members(room)
    for call in GUARDED:
        needs = CALLS[call]
        assert isinstance(needs, For)
        if needs.role is not Role.HOST or "{table}" not in call:
            continue
        for asker in [asker for asker in known if asker.may(needs.scope, needs.role)]:
            asked += 1
            right = str(needs.status) if asker.role is Role.ADMIN else "403 forbidden"
            if (answer := said(await door.ask(call, asker, about=AccountId(owner.id)))) != right:
                wrong.append(f"{call} to {asker.name}: {answer}, not {right}")

    assert asked >= 8
    assert wrong == []

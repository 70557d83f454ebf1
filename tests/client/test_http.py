import json
from collections.abc import Callable

import httpx
import pytest

from fullring_client.errors import Refused, Unreachable
from fullring_client.http import bot_token, guest, http_url, login, me, register, socket_url, tables
from tests.wire.examples import TABLE

URL = "http://127.0.0.1:8000"
ACCOUNT = {"id": "a7", "name": "Anna", "kind": "guest", "chips": 10000}


def room(answer: Callable[[httpx.Request], httpx.Response]) -> httpx.MockTransport:
    return httpx.MockTransport(answer)


def accounts(path: str, body: dict[str, str]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        assert (request.method, request.url.path) == ("POST", path)
        assert json.loads(request.content) == body
        return httpx.Response(201, json={"account": ACCOUNT, "token": "secret"})

    return room(answer)


async def test_guests_register_and_log_in_and_get_a_token() -> None:
    assert (await guest(URL, transport=accounts("/api/v1/guests", {}))).token == "secret"
    named = await guest(URL, "Anna", transport=accounts("/api/v1/guests", {"name": "Anna"}))
    assert named.account.name == "Anna"
    credentials = {"name": "Anna", "password": "hunter22"}
    opened = await register(URL, "Anna", "hunter22", transport=accounts("/api/v1/accounts", credentials))
    assert "secret" not in repr(opened)
    assert (await login(URL, "Anna", "hunter22", transport=accounts("/api/v1/sessions", credentials))).token == "secret"


async def test_tables_are_listed() -> None:
    (table,) = await tables(URL, transport=room(lambda _: httpx.Response(200, json={"tables": [TABLE]})))
    assert (table.name, table.taken) == ("Magnolia", 3)


async def test_a_token_is_sent_as_a_bearer_and_never_in_the_address() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["Authorization"] == "Bearer secret"
        assert "secret" not in str(request.url)
        return httpx.Response(200, json={"account": ACCOUNT, "seats": [{"table": "t1", "seat": 4}]})

    assert (await me(URL, "secret", transport=room(answer))).seats[0].seat == 4


async def test_a_bot_gets_a_token_of_its_own() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        assert body == {"name": "bot", "scopes": ["read", "play"], "kind": "bot"}
        return httpx.Response(201, json={"id": "k1", "name": "bot", "scopes": body["scopes"], "token": "s"})

    assert (await bot_token(URL, "secret", "bot", transport=room(answer))).id == "k1"


async def test_a_problem_is_a_refusal_with_its_code() -> None:
    problem = {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "name is taken",
        "code": "forbidden",
    }
    with pytest.raises(Refused, match="forbidden: name is taken"):
        await guest(URL, "Anna", transport=room(lambda _: httpx.Response(409, json=problem)))


@pytest.mark.parametrize("body", ["<html>", "[]", "{}"])
async def test_an_error_of_something_else_is_a_refusal_too(body: str) -> None:
    with pytest.raises(Refused, match="status 502"):
        await tables(URL, transport=room(lambda _: httpx.Response(502, text=body)))


async def test_what_is_no_room_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="is not a room"):
        await tables(URL, transport=room(lambda _: httpx.Response(200, text="<html>")))

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(Unreachable, match="no room answers"):
        await tables(URL, transport=room(refuse))


@pytest.mark.parametrize(
    ("given", "http", "socket"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", "ws://127.0.0.1:8000/api/v1/ws"),
        ("127.0.0.1:8000/", "http://127.0.0.1:8000", "ws://127.0.0.1:8000/api/v1/ws"),
        ("localhost:8000", "http://localhost:8000", "ws://localhost:8000/api/v1/ws"),
        ("https://room.example/poker/", "https://room.example/poker", "wss://room.example/poker/api/v1/ws"),
        ("wss://room.example/api/v1/ws", "https://room.example", "wss://room.example/api/v1/ws"),
        ("[::1]:8000", "http://[::1]:8000", "ws://[::1]:8000/api/v1/ws"),
    ],
)
def test_a_room_has_one_address_and_both_protocols(given: str, http: str, socket: str) -> None:
    assert (http_url(given), socket_url(given)) == (http, socket)


@pytest.mark.parametrize("given", ["", "http://", "ftp://room.example"])
def test_what_is_no_address_is_said(given: str) -> None:
    with pytest.raises(ValueError, match="not the address of a room"):
        http_url(given)

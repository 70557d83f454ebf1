"""Errors over HTTP: each a problem document with a code, whatever went wrong, and nothing secret in it."""

from collections.abc import AsyncIterator

import pytest

from fullring.rules.record import HandRecord
from fullring.runtime.ports import LogUnavailable
from fullring.table.ids import HandId
from fullring.web.limits import BODY_BYTES
from tests.server import Running
from tests.web.test_accounts import code

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "status", "right"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/tables/", 404, "not_found"),
        ("PUT", "/tables", 405, "bad_message"),
        ("GET", "/hands?limit=0", 422, "bad_message"),
        ("GET", "/hands?limit=1000000", 422, "bad_message"),
        ("GET", "/hands?from=yesterday", 422, "bad_message"),
        ("GET", "/hands?cursor=%00", 422, "bad_message"),
        ("GET", "/hands?table=%00", 422, "bad_message"),
        ("GET", "/hands/%00", 404, "not_found"),
        ("GET", "/hands/h0.phh", 404, "not_found"),
    ],
)
async def test_an_address_that_leads_nowhere(room: Running, method: str, path: str, status: int, right: str) -> None:
    async with room.http() as client:
        assert code(await client.request(method, path)) == (status, right)


@pytest.mark.parametrize(
    ("method", "path", "taken"),
    [
        ("PUT", "/api/v1/tables", "GET, POST"),
        ("PUT", "/api/v1/tables/t0/commands", "POST"),
        ("POST", "/api/v1/admin/accounts/a0/ban", "DELETE, PUT"),
        ("POST", "/healthz", "GET"),
        ("POST", "/", "GET, HEAD"),
    ],
)
async def test_an_address_says_every_method_that_it_takes(room: Running, method: str, path: str, taken: str) -> None:
    async with room.http() as client:
        answer = await client.request(method, room.url + path)

    assert (answer.status_code, answer.headers["allow"]) == (405, taken)
    assert answer.json()["detail"] == f"this address takes {taken}"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b"7",
        b'{"name": 7}',
        b'{"name": ' + b"[" * 20_000,
        b'{"n":' + b"9" * 5_000 + b"}",
    ],
)
async def test_a_body_that_is_none(room: Running, body: bytes) -> None:
    async with room.http() as client:
        status, right = code(await client.post("/accounts", content=body, headers=JSON))

    assert status in {400, 422}
    assert right == "bad_message"


async def test_a_body_that_is_too_large(room: Running) -> None:
    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(BODY_BYTES // 1024 + 1):
            yield b" " * 1024

    async with room.http() as client:
        for content in (b" " * (BODY_BYTES + 1), in_pieces()):
            answer = await client.post("/accounts", content=content, headers=JSON)
            assert code(answer) == (413, "bad_message")


async def test_a_body_of_another_type(room: Running) -> None:
    async with room.http() as client:
        answer = await client.post("/accounts", content=b"name=Anna", headers={"Content-Type": "text/plain"})

    assert code(answer)[1] == "bad_message"


@pytest.mark.parametrize("header", ["Bearer nobody's", "Bearer", "Basic QW5uYTp4", "x", "Bearer " + "x" * 5_000])
async def test_a_token_that_is_not_good_is_refused_even_where_none_is_asked_for(room: Running, header: str) -> None:
    table = await room.table()
    async with room.http() as client:
        assert (await client.get("/tables", headers={"Authorization": header})).status_code == 200
        for path in ("/me", "/hands", f"/tables/{table}/stream"):
            answer = await client.get(path, headers={"Authorization": header})
            assert code(answer) == (401, "unauthorized"), path
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "nobody" not in answer.text


async def test_every_fault_of_a_body_is_told(room: Running) -> None:
    async with room.http() as client:
        answer = await client.post("/accounts", json={"name": "x" * 30, "password": "short"})

    assert answer.json()["errors"] == [
        "name must have 1 to 24 characters",
        "password must have at least 8 characters",
    ]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("limit=0", "limit must be at least 1"),
        ("limit=201", "limit must be at most 200"),
        ("limit=1.5", "limit must be a whole number"),
        ("limit=" + "9" * 5_000, "limit must be a whole number"),
        ("from=yesterday", "from must be a whole number"),
        ("cursor=%20", "cursor must be as the server sent it"),
    ],
)
async def test_a_fault_of_an_address_is_told_in_our_words(room: Running, query: str, told: str) -> None:
    async with room.http() as client:
        assert (await client.get(f"/hands?{query}")).json()["detail"] == told


async def test_a_body_of_which_only_the_whole_is_wrong(room: Running) -> None:
    wanted = "the body must be a JSON object, sent as application/json"
    async with room.http() as client:
        for content, headers in ((b"[]", JSON), (b'"Anna"', JSON), (b'{"name": "Anna"}', {}), (b"name=Anna", {})):
            answer = await client.post("/guests", content=content, headers=headers)
            assert answer.json()["detail"] == wanted, content


async def test_while_the_log_is_away_the_room_says_so(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(_: HandId) -> HandRecord | None:
        raise LogUnavailable

    async with room.http() as client:
        assert (await client.get(f"{room.url}/readyz")).status_code == 200
        monkeypatch.setattr(room.site, "hands", type("Away", (), {"get": staticmethod(away)})())
        assert code(await client.get("/hands/h1")) == (503, "internal")
        assert code(await client.get(f"{room.url}/readyz")) == (503, "internal")
        assert (await client.get(f"{room.url}/healthz")).status_code == 200


async def test_a_mistake_of_ours_is_told_without_what_it_was(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: HandId) -> HandRecord | None:
        raise AssertionError("As Kd")

    monkeypatch.setattr(room.site, "hands", type("Broken", (), {"get": staticmethod(broken)})())
    async with room.http() as client:
        answer = await client.get("/hands/h1")

    assert code(answer) == (500, "internal")
    assert "As Kd" not in answer.text


async def test_figures_and_documents_are_served(room: Running) -> None:
    async with room.socket(), room.http() as client:
        figures = (await client.get(f"{room.url}/metrics")).text
        assert "fullring_connections 1.0\n" in figures
        assert "fullring_tables_in_play 0.0\n" in figures
        assert "fullring_sweep_seconds 0.0\n" in figures
        assert (await client.get(f"{room.url}/openapi.json")).json()["openapi"].startswith("3.1")
        assert (await client.get(f"{room.url}/asyncapi.json")).json()["asyncapi"] == "3.0.0"

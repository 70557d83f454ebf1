"""Accounts over HTTP: guests, registering, logging in and out, tokens, chips and tickets; and how often."""

import logging
from pathlib import Path

import httpx
import pytest

from fullring.store import tokens
from fullring.web.limits import TOKENS_MAX
from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.sockets import dial

PASSWORD = "correct horse battery"


def code(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"]
    return answer.status_code, problem["code"]


async def test_a_guest_plays_at_once(room: Running) -> None:
    async with room.http() as client:
        answer = await client.post("/guests", json={"name": "Anna"})

    assert answer.status_code == 201
    account = answer.json()["account"]
    assert (account["name"], account["kind"], account["chips"]) == ("Anna", "guest", 10_000)
    async with room.http(answer.json()["token"]) as client:
        assert (await client.get("/me")).json() == {"account": account, "seats": []}


async def test_a_guest_without_a_name_is_given_one(room: Running) -> None:
    assert (await room.guest()).name != (await room.guest()).name


async def test_a_name_belongs_to_one_account(room: Running) -> None:
    await room.guest("Anna")
    async with room.http() as client:
        assert code(await client.post("/guests", json={"name": "anna"})) == (409, "name_taken")
        taken = await client.post("/accounts", json={"name": "ANNA", "password": PASSWORD})
        assert code(taken) == (409, "name_taken")


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 25, "a\nb", "a\u202eb", 7, None, ["Anna"], "\u200b", "\u2800", "\ud800"]
)
async def test_a_name_that_is_none_is_refused(room: Running, name: object) -> None:
    async with room.http() as client:
        body = {"name": name, "password": PASSWORD}
        answer = await client.post("/accounts", json=body) if name != "\ud800" else await _surrogate(client)

    assert code(answer) == (422, "bad_message")
    assert PASSWORD not in answer.text


async def _surrogate(client: httpx.AsyncClient) -> httpx.Response:
    body = b'{"name": "\\ud800", "password": "correct horse battery"}'
    return await client.post("/accounts", content=body, headers={"Content-Type": "application/json"})


async def test_an_account_logs_in_and_out(room: Running) -> None:
    async with room.http() as client:
        opened = await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})
        assert opened.status_code == 201
        session = await client.post("/sessions", json={"name": "anna", "password": PASSWORD})
        assert session.status_code == 201
        assert session.json()["account"] == opened.json()["account"]
    token = session.json()["token"]
    async with room.http(token) as client:
        assert (await client.get("/me")).status_code == 200
        assert (await client.delete("/sessions/current")).status_code == 204
        assert code(await client.get("/me")) == (401, "unauthorized")
    async with room.http(opened.json()["token"]) as client:
        assert (await client.get("/me")).status_code == 200


async def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(room: Running) -> None:
    async with room.http() as client:
        await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})
        wrong = await client.post("/sessions", json={"name": "Anna", "password": "correct house"})
        unknown = await client.post("/sessions", json={"name": "Bo", "password": PASSWORD})

    assert code(wrong) == code(unknown) == (401, "unauthorized")
    assert wrong.json() == unknown.json()


async def test_another_password_closes_the_sockets_of_other_sessions(room: Running) -> None:
    credentials = {"name": "Anna", "password": PASSWORD}
    async with room.http() as client:
        first = (await client.post("/accounts", json=credentials)).json()["token"]
        second = (await client.post("/sessions", json=credentials)).json()["token"]
    wanted = {"password": PASSWORD, "new": "another horse"}
    async with room.socket(first) as socket, room.http(second) as client:
        assert code(await client.put("/me/password", json=wanted | {"password": "x"})) == (409, "forbidden")
        assert (await client.put("/me/password", json=wanted)).status_code == 204
        assert await socket.closed() == CloseCode.BAD_CREDENTIALS
        assert (await client.get("/me")).status_code == 200
    guest = await room.guest()
    async with room.http(guest.token) as client:
        assert code(await client.put("/me/password", json=wanted)) == (409, "forbidden")


async def test_the_oldest_session_of_too_many_ends_with_its_socket_and_its_ticket(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "SESSIONS_MAX", 1)
    async with room.http() as client:
        first = (await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})).json()["token"]
        async with room.http(first) as hers:
            ticket = (await hers.post("/ws-tickets")).json()["ticket"]
        async with room.socket(first) as socket:
            await client.post("/sessions", json={"name": "Anna", "password": PASSWORD})
            assert await socket.closed() == CloseCode.BAD_CREDENTIALS
    async with dial(room.url) as socket:
        assert (await socket.asks("hello", protocol=1, ticket=ticket))["code"] == "unauthorized"


async def test_logging_out_closes_the_socket_of_that_token(room: Running) -> None:
    guest = await room.guest()
    async with room.socket(guest.token) as socket, room.http(guest.token) as client:
        await client.delete("/sessions/current")

        assert await socket.closed() == CloseCode.BAD_CREDENTIALS


async def test_a_bots_token_plays_as_its_account_and_is_marked(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.http(guest.token) as client:
        made = await client.post(
            "/me/tokens", json={"name": "my bot", "scopes": ["read", "play", "read"], "kind": "bot"}
        )
    assert made.status_code == 201
    assert (made.json()["name"], made.json()["scopes"]) == ("my bot", ["read", "play"])
    async with room.socket(made.json()["token"]) as bot:
        assert bot.welcome["account"]["id"] == guest.id
        await bot.asks("sit", table=table, buy_in=500)
        await bot.asks("watch", table=table)
        assert (await bot.hears("update"))["view"]["seats"][0]["kind"] == "bot"
    async with room.http(guest.token) as client:
        assert (await client.delete(f"/me/tokens/{made.json()['id']}")).status_code == 204
        assert code(await client.delete(f"/me/tokens/{made.json()['id']}")) == (404, "not_found")
    async with dial(room.url) as bot:
        await bot.says("hello", protocol=1, token=made.json()["token"])
        assert await bot.closed() == CloseCode.BAD_CREDENTIALS


async def test_an_account_sees_its_own_tokens_without_their_secrets(room: Running) -> None:
    guest, other = await room.guest(), await room.guest()
    async with room.http(guest.token) as client:
        assert (await client.get("/me/tokens")).json() == {"tokens": []}
        made = (await client.post("/me/tokens", json={"name": "a", "scopes": ["read", "play"], "kind": "bot"})).json()
        await client.post("/me/tokens", json={"name": "b", "scopes": ["read"]})
        answer = await client.get("/me/tokens")
    async with room.http(other.token) as client:
        assert (await client.get("/me/tokens")).json() == {"tokens": []}

    kept = answer.json()["tokens"]
    told = {(token["name"], tuple(sorted(token["scopes"])), token["kind"]) for token in kept}
    assert told == {("a", ("play", "read"), "bot"), ("b", ("read",), "guest")}
    assert made["id"] in {token["id"] for token in kept}
    assert all(set(token) == {"id", "name", "scopes", "kind", "created_at"} for token in kept)
    assert made["token"] not in answer.text


async def test_a_token_can_do_no_more_than_its_scopes(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.http(guest.token) as client:
        made = (await client.post("/me/tokens", json={"name": "looks", "scopes": ["read"]})).json()
    async with room.http(made["token"]) as client:
        assert (await client.get("/me")).status_code == 200
        assert code(await client.post("/me/tokens", json={"name": "x", "scopes": ["play"]})) == (403, "forbidden")
    async with room.socket(made["token"]) as socket:
        assert (await socket.asks("sit", table=table, buy_in=500))["code"] == "forbidden"


async def test_a_token_makes_none_that_can_do_more(room: Running) -> None:
    guest = await room.guest()
    async with room.http(guest.token) as client:
        made = (await client.post("/me/tokens", json={"name": "plays", "scopes": ["play"]})).json()
    async with room.http(made["token"]) as client:
        answer = await client.post("/me/tokens", json={"name": "x", "scopes": ["play", "host"]})

    assert code(answer) == (403, "forbidden")


async def test_an_account_has_only_so_many_tokens(room: Running) -> None:
    guest = await room.guest()
    async with room.http(guest.token) as client:
        body = {"name": "one more", "scopes": ["read"]}
        made = [(await client.post("/me/tokens", json=body)).status_code for _ in range(TOKENS_MAX)]
        assert set(made) == {201}
        assert code(await client.post("/me/tokens", json=body)) == (409, "forbidden")


async def test_the_ledger_says_where_the_chips_went_newest_first(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.socket(guest.token) as socket:
        for _ in range(2):
            await socket.asks("sit", table=table, buy_in=500)
            await socket.asks("leave", table=table)
    async with room.http(guest.token) as client:
        first = (await client.get("/me/ledger", params={"limit": 3})).json()
        rest = (await client.get("/me/ledger", params={"limit": 3, "cursor": first["next"]})).json()

    entries = first["entries"] + rest["entries"]
    assert [entry["amount"] for entry in entries] == [500, -500, 500, -500, 10_000]
    assert [entry["balance"] for entry in entries] == [10_000, 9_500, 10_000, 9_500, 10_000]
    assert [entry.get("table") for entry in entries] == [table] * 4 + [None]
    assert rest["next"] is None


async def test_a_page_that_is_full_is_the_last_where_nothing_comes_after_it(room: Running) -> None:
    guest = await room.guest()
    async with room.http(guest.token) as client:
        only = (await client.get("/me/ledger", params={"limit": 1})).json()

    assert len(only["entries"]) == 1
    assert only["next"] is None


async def test_new_accounts_from_one_address_are_limited_by_the_minute(still: Running, clock: FakeClock) -> None:
    async with still.http() as client:
        made = [await client.post("/guests", json={}) for _ in range(21)]
        assert [answer.status_code for answer in made] == [201] * 20 + [429]
        assert code(made[-1]) == (429, "rate_limited")
        assert made[-1].headers["retry-after"] == "3"
        await clock.advance(3_000)
        assert (await client.post("/guests", json={})).status_code == 201


async def test_tries_at_a_password_are_limited_by_address_and_by_name(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, clock=clock, logins_per_minute=3) as room, room.http() as client:
        tries = [await client.post("/sessions", json={"name": "Anna", "password": "x"}) for _ in range(4)]

    assert [answer.status_code for answer in tries] == [401] * 3 + [429]


async def test_tries_at_the_password_of_an_account_that_one_is_in_are_limited_too(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with running(tmp_path, clock=clock, logins_per_minute=3) as room, room.http() as client:
        token = (await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})).json()["token"]
        async with room.http(token) as anna:
            wanted = {"password": "x", "new": "another horse"}
            tries = [await anna.put("/me/password", json=wanted) for _ in range(4)]

    assert [answer.status_code for answer in tries] == [409] * 3 + [429]


async def test_a_room_may_take_no_guests(tmp_path: Path) -> None:
    async with running(tmp_path, guests=False) as room, room.http() as client:
        assert code(await client.post("/guests", json={})) == (403, "forbidden")


async def test_no_log_has_a_token_or_a_password(room: Running, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with room.http() as client:
        opened = await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})
        await client.post("/sessions", json={"name": "Anna", "password": PASSWORD + "x"})
        await client.post("/accounts", json={"name": 7, "password": PASSWORD})
    token = opened.json()["token"]
    async with room.socket(token) as socket:
        await socket.sends(f'{{"type":"hello","id":"1","protocol":"{token}","token":"{token}"}}')
        await socket.hears("error")

    ours = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpc", "websockets.cl"))]
    assert token not in "\n".join(ours)
    assert PASSWORD not in "\n".join(ours)

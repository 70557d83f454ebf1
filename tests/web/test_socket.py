"""The socket's life: hello, who may do what, what is no message, and why a connection is closed."""

import asyncio
import json

import pytest
from websockets.exceptions import InvalidStatus

from fullring.runtime.accounts import Credentials
from fullring.table.ids import AccountId
from fullring.web.limits import FRAME_BYTES
from fullring.wire.errors import CloseCode
from tests.server import Running
from tests.sockets import dial
from tests.web.test_closing import heard_of


async def test_hello_is_answered_by_welcome(room: Running) -> None:
    guest = await room.guest("Anna")
    async with room.socket(guest.token, client="test/1") as socket:
        welcome = socket.welcome

    assert welcome["account"] == {"id": guest.id, "name": "Anna", "kind": "guest", "chips": 10_000}
    assert (welcome["protocol"], welcome["heartbeat_seconds"], welcome["seats"]) == (1, 10, [])
    assert welcome["limits"] == {"frame_bytes": 8192, "frames_per_second": 10_000, "frames_burst": 10_000}


async def test_who_says_no_token_is_a_spectator_and_may_watch_and_ping(room: Running) -> None:
    table = await room.table()
    async with room.socket() as socket:
        assert "account" not in socket.welcome
        assert (await socket.asks("watch", table=table))["type"] == "ok"
        assert (await socket.hears("update"))["view"]["name"] == "Magnolia"
        assert (await socket.asks("ping"))["type"] == "pong"
        assert (await socket.asks("unwatch", table=table))["type"] == "ok"
        for type, fields in (("sit", {"buy_in": 500}), ("chat", {"text": "hi"}), ("leave", {})):
            answer = await socket.asks(type, table=table, **fields)
            assert (answer["type"], answer["code"]) == ("error", "unauthorized")


async def test_what_comes_before_hello_is_refused_and_closes(room: Running) -> None:
    table = await room.table()
    async with dial(room.url) as socket:
        await socket.says("sit", id="1", table=table, buy_in=500)

        assert await socket.closed() == CloseCode.NO_HELLO
        answer = await socket.heard()
        assert (answer["re"], answer["code"]) == ("1", "unauthorized")


@pytest.mark.parametrize(
    "secret", [{"token": "nobody's"}, {"ticket": "nobody's"}, {"token": "\u00e4\n"}, {"token": ""}]
)
async def test_bad_credentials_are_refused_and_close(room: Running, secret: dict[str, str]) -> None:
    async with dial(room.url) as socket:
        await socket.says("hello", id="1", protocol=1, **secret)

        assert await socket.closed() == CloseCode.BAD_CREDENTIALS
        answer = await socket.heard()
        assert (answer["re"], answer["code"]) == ("1", "unauthorized")
        assert "nobody's" not in str(answer)


async def test_another_protocol_is_refused_and_closes(room: Running) -> None:
    async with dial(room.url) as socket:
        await socket.says("hello", id="1", protocol=2)

        assert await socket.closed() == CloseCode.VERSION
        assert (await socket.heard())["code"] == "version"


async def test_what_is_sent_while_the_token_is_looked_up_waits_for_the_welcome(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with dial(room.url) as socket:
        await socket.says("hello", id="1", protocol=1, token=guest.token)
        await socket.says("watch", id="2", table=table)
        await socket.says("sit", id="3", table=table, buy_in=500)

        assert [(await socket.hears())["type"] for _ in range(2)] == ["welcome", "ok"]
        assert (await socket.answer("3"))["seat"] == 1


async def test_who_is_gone_while_the_token_is_looked_up_is_no_session(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = await room.guest()
    asked, found, authenticate = asyncio.Event(), asyncio.Event(), room.site.accounts.authenticate

    async def slowly(token: str) -> Credentials:
        asked.set()
        await found.wait()
        return await authenticate(token)

    monkeypatch.setattr(room.site.accounts, "authenticate", slowly)
    async with dial(room.url) as socket:
        await socket.says("hello", id="1", protocol=1, token=guest.token)
        await asked.wait()
    await heard_of(room, 0)
    found.set()
    async with room.http(guest.token) as client:
        assert (await client.get("/me")).status_code == 200

    assert room.site.connections.of(AccountId(guest.id)) == []


async def test_a_ticket_opens_one_socket(room: Running) -> None:
    guest = await room.guest()
    async with room.http(guest.token) as client:
        ticket = (await client.post("/ws-tickets")).json()["ticket"]
    async with room.socket(ticket=ticket) as socket:
        assert socket.welcome["account"]["id"] == guest.id
    async with dial(room.url) as socket:
        await socket.says("hello", protocol=1, ticket=ticket)
        assert await socket.closed() == CloseCode.BAD_CREDENTIALS


async def test_the_newest_session_wins(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.socket(guest.token) as first:
        await first.asks("sit", table=table, buy_in=500)
        async with room.socket(guest.token) as second:
            assert await first.closed() == CloseCode.REPLACED
            assert second.welcome["seats"] == [{"table": table, "seat": 1}]
            await second.asks("watch", table=table)
            seat = (await second.hears("update"))["view"]["seats"][0]
            assert seat["connected"]


async def test_a_second_hello_on_one_socket_is_refused(room: Running) -> None:
    async with room.socket() as socket:
        answer = await socket.asks("hello", protocol=1)

        assert (answer["type"], answer["code"]) == ("error", "bad_message")
        assert (await socket.asks("ping"))["type"] == "pong"


async def test_what_is_no_message_gets_an_error_that_says_why(room: Running) -> None:
    async with room.socket() as socket:
        for frame, code, re in (
            ('{"type":"dance","id":"7"}', "unknown_type", "7"),
            ('{"type":"watch","id":"8"}', "bad_message", "8"),
            ('{"type":"watch","id":"9","table":7}', "bad_message", "9"),
            ("not json", "bad_message", None),
            ("[]", "bad_message", None),
            (b"\x00\x01", "bad_message", None),
            (json.dumps({"type": "ping", "id": "10", "x": "y" * FRAME_BYTES}), "bad_message", None),
        ):
            await socket.sends(frame)
            answer = await socket.hears()
            assert (answer["type"], answer["code"], answer.get("re")) == ("error", code, re)
        assert (await socket.asks("ping"))["type"] == "pong"


@pytest.mark.parametrize("frame", ["not json", b"binary", json.dumps(["x" * FRAME_BYTES]), '{"type":"ping"}'])
async def test_frames_that_are_no_messages_close_when_it_goes_on(still: Running, frame: str | bytes) -> None:
    async with still.socket() as socket:
        for _ in range(11):
            await socket.sends(frame)

        assert await socket.closed() == CloseCode.BAD_FRAMES


async def test_a_frame_beyond_all_reason_is_not_read(room: Running) -> None:
    async with room.socket() as socket:
        await socket.sends("x" * 100_000)

        assert await socket.closed() == 1009


async def test_bytes_that_are_no_text_close_the_socket(room: Running) -> None:
    async with room.socket() as socket:
        await socket.socket.send(b"\xff\xfe", text=True)

        assert await socket.closed() == 1007


async def test_the_same_id_gets_the_first_answer_again_and_changes_nothing(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.socket(guest.token) as socket:
        first = await socket.asks("sit", id="s", table=table, buy_in=500)
        again = await socket.asks("sit", id="s", table=table, buy_in=900, seat=5)
        refused = await socket.asks("top_up", id="t", table=table, amount=-1)
        refused_again = await socket.asks("top_up", id="t", table=table, amount=100)
        watched = await socket.asks("watch", id="w", table=table)
        watched_again = await socket.asks("unwatch", id="w", table=table)

        assert first == again == {"type": "ok", "re": "s", "seat": 1, "seq": 1}
        assert refused == refused_again
        assert refused["code"] == "bad_amount"
        assert watched == watched_again
    async with room.socket(guest.token) as later:
        assert await later.asks("sit", id="s", table=table, buy_in=500) == first


async def test_that_there_is_no_such_table_is_a_first_answer_too(room: Running) -> None:
    guest = await room.guest()
    table = await room.table()
    async with room.socket(guest.token) as socket:
        for type, fields in (("watch", {}), ("unwatch", {}), ("sit", {"buy_in": 500})):
            refused = await socket.asks(type, id=type, table="nowhere", **fields)
            assert refused["code"] == "not_found"
            assert await socket.asks(type, id=type, table=table, **fields) == refused
        assert (await socket.asks("leave", table=table))["code"] == "not_seated"


async def test_a_table_that_is_not_there_is_not_found(room: Running) -> None:
    guest = await room.guest()
    async with room.socket(guest.token) as socket:
        for type, fields in (("watch", {}), ("unwatch", {}), ("sit", {"buy_in": 500}), ("leave", {})):
            assert (await socket.asks(type, table="t0", **fields))["code"] == "not_found"


async def test_a_page_of_another_site_may_not_open_a_socket(room: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with dial(room.url, origin="https://elsewhere.example"):
            pass

    assert caught.value.response.status_code == 403
    assert caught.value.response.body is not None
    assert json.loads(caught.value.response.body)["code"] == "forbidden"


async def test_a_page_of_the_room_itself_may_open_a_socket(room: Running) -> None:
    async with dial(room.url, origin=room.url) as socket:
        assert (await socket.asks("hello", protocol=1))["type"] == "welcome"

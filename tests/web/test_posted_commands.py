"""``POST /tables/{id}/commands``: the socket's commands, one a request, with the very same answers."""

import asyncio
from pathlib import Path

import pytest

from fullring.runtime.answers import Busy, Hear
from fullring.runtime.ports import CommandKey
from fullring.table.commands import Command
from fullring.web.limits import FRAME_BYTES
from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.web.lines import Json, command, done, post, stream
from tests.web.test_accounts import code

REFUSED: list[tuple[str, Json, int, str]] = [
    ("leave", {}, 409, "not_seated"),
    ("sit", {"buy_in": 1}, 422, "bad_amount"),
    ("sit", {"buy_in": "1"}, 422, "bad_message"),
    ("sit", {}, 422, "bad_message"),
    ("dance", {}, 422, "unknown_type"),
    ("act", {"hand": "h", "turn": "t", "action": "fold"}, 409, "not_seated"),
    ("watch", {}, 422, "bad_message"),
    ("ping", {}, 422, "bad_message"),
    ("hello", {"protocol": 1}, 422, "bad_message"),
    ("chat", {"text": "hi", "table": "t0"}, 422, "bad_message"),
]
ELSEWHERE = {"watch", "ping", "hello", "chat"}
"""What a socket answers otherwise: it is about sockets, or about two tables."""
NO_MESSAGES = [
    b"",
    b"no json",
    b"[]",
    b'{"a":' + b"[" * 4_000,
    b'{"x":"\\ud800"}',
    b'{"n":' + b"9" * 5_000 + b"}",
    b"\xff",
]


async def test_a_hand_is_played_without_a_socket(room: Running) -> None:
    table = await room.table()
    anna, bo = await room.guest("Anna"), await room.guest("Bo")
    async with (
        stream(room, table, anna.token) as lines,
        stream(room, table, bo.token),
        room.http(anna.token) as first,
        room.http(bo.token) as second,
    ):
        clients = {anna.id: first, bo.id: second}
        assert (await done(first, table, "sit", buy_in=500, seat=2))["seat"] == 2
        await done(second, table, "sit", buy_in=500)
        update = await lines.sees("hand_started")
        while not any(event["type"] == "hand_ended" for event in update["events"]):
            hand = update["view"]["hand"]
            if "turn" in hand:
                seat = next(seat for seat in update["view"]["seats"] if seat["seat"] == hand["turn"]["seat"])
                action = "check" if hand["turn"]["actions"]["check"] else "call"
                fields: Json = {"hand": hand["id"], "turn": hand["turn"]["id"], "action": action}
                told = await done(clients[seat["account"]], table, "act", **fields)
                assert told["seq"] > update["seq"]
            update = await lines.hears()
        await done(first, table, "leave")


async def test_the_same_id_acts_once_whichever_door_it_comes_through(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    sit = command("sit", buy_in=500)
    async with room.http(anna.token) as client, room.socket(anna.token) as socket:
        answers = [(await client.post(f"/tables/{table}/commands", json=sit)).json() for _ in range(2)]
        answers.append(await socket.asks(**sit, table=table))
        chips = (await client.get("/me")).json()["account"]["chips"]

    assert answers[0]["type"] == "ok"
    assert answers == [answers[0]] * 3
    assert chips == 9_500


async def test_an_error_is_the_sockets_with_a_status_of_its_own(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http(anna.token) as client, room.socket(anna.token) as socket:
        for type, fields, status, right in REFUSED:
            asked, counted = command(type, **fields), room.site.room.meter.refusals[right]
            answer = await client.post(f"/tables/{table}/commands", json=asked)
            told = answer.json()
            assert room.site.room.meter.refusals[right] == counted + 1
            assert (answer.status_code, told["type"], told["code"], told["re"]) == (status, "error", right, asked["id"])
            if type not in ELSEWHERE:
                assert told == await socket.asks(**{"table": table} | asked)


async def test_what_is_no_message_is_answered_all_the_same(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http(anna.token) as client:
        for body in NO_MESSAGES:
            answer = await client.post(f"/tables/{table}/commands", content=body)
            assert answer.status_code == 422
            assert (answer.json()["type"], answer.json()["code"]) == ("error", "bad_message")
            assert "re" not in answer.json()


async def test_a_message_is_no_larger_than_a_frame(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http(anna.token) as client:
        answer = await post(client, table, "chat", text="x" * FRAME_BYTES)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_message")
        answer = await post(client, "t0", "leave")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_who_may_not_play_is_told_so_as_everywhere(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http(anna.token) as client:
        made = (await client.post("/me/tokens", json={"name": "looks", "scopes": ["read"]})).json()
    for token, right in ((None, (401, "unauthorized")), (made["token"], (403, "forbidden"))):
        async with room.http(token) as client:
            assert code(await post(client, table, "sit", buy_in=500)) == right


async def test_commands_come_no_faster_than_frames(still: Running, clock: FakeClock) -> None:
    table, anna, bo = await still.table(), await still.guest(), await still.guest()
    async with still.http(anna.token) as client, still.http(bo.token) as other:
        answers = [await post(client, table, "chat", text="hi") for _ in range(41)]
        assert [answer.status_code for answer in answers] == [200] * 40 + [429]
        assert (answers[-1].json()["code"], answers[-1].headers["retry-after"]) == ("rate_limited", "1")
        assert (await client.post(f"/tables/{table}/commands", content=b"x")).status_code == 429
        assert (await post(other, table, "chat", text="hi")).status_code == 200
        await clock.advance(1_000)
        again = answers[-1].json()["re"]
        fields = {"type": "chat", "id": again, "text": "hi"}
        assert (await client.post(f"/tables/{table}/commands", json=fields)).status_code == 200


async def test_who_tries_join_codes_too_fast_is_told_when_to_come_back(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, clock=clock, logins_per_minute=6) as room:
        table, anna = await room.table(join_code="sesame"), await room.guest()
        async with room.http(anna.token) as client:
            tried = [await post(client, table, "sit", buy_in=500, join_code="acorn") for _ in range(7)]

    assert [answer.status_code for answer in tried] == [403] * 6 + [429]
    assert tried[-1].headers["retry-after"] == "10"
    assert tried[-1].json()["message"].endswith("try again in 10 s")


async def test_a_busy_table_is_a_matter_of_sending_it_again(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    table, anna = await room.table(), await room.guest()
    monkeypatch.setattr(room.site.room, "tell", lambda table, command, key, hear: hear(Busy()))
    async with room.http(anna.token) as client:
        answer = await post(client, table, "chat", text="hi")

    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")


async def test_the_same_command_at_once_is_answered_to_both(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    sit = command("sit", buy_in=500)
    async with room.http(anna.token) as client:
        asked = [client.post(f"/tables/{table}/commands", json=sit) for _ in range(5)]
        answers = [answer.json() for answer in await asyncio.gather(*asked)]

    assert answers == [answers[0]] * 5


async def test_who_asked_may_be_gone_when_the_table_answers(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that stops cancels requests that take too long. The table that answers later is not to fail by that."""
    table, anna = await room.table(), await room.guest()
    waiting: list[Hear] = []

    def cancelled(table: str, command: Command, key: CommandKey | None, hear: Hear) -> None:
        waiting.append(hear)
        request = asyncio.current_task()
        assert request is not None
        request.cancel()

    monkeypatch.setattr(room.site.room, "tell", cancelled)
    async with room.http(anna.token) as client:
        answer = await post(client, table, "chat", text="hi")
    assert answer.status_code == 500

    for hear in waiting:
        hear({"seq": 1})
    assert len(waiting) == 1

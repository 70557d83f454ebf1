import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from fullring.wire.server import Ok
from fullring.wire.view import TableView
from fullring_client.clock import Backoff
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused, Replaced, Unreachable
from fullring_client.link import LATER_TRIES
from fullring_client.updates import Updates
from tests.client.fakes import FakeClock, FakeRoom, Peer, fake_room
from tests.wire import examples

AT_ONCE = Backoff(first=0, most=0, going_away=0)
UPDATE: dict[str, Any] = examples.UPDATE | {"events": []}


@pytest.fixture
async def server() -> AsyncIterator[FakeRoom]:
    async with fake_room() as room:
        yield room


@asynccontextmanager
async def open_room(
    server: FakeRoom, clock: FakeClock | None = None, backoff: Backoff = AT_ONCE
) -> AsyncIterator[tuple[Room, Peer]]:
    room = Room(server.url, "secret", clock=clock, backoff=backoff)
    peer = await entered(room, server)
    try:
        yield room, peer
    finally:
        await room.__aexit__(None, None, None)


@asynccontextmanager
async def room_watching(room: Room, peer: Peer) -> AsyncIterator[Updates]:
    updates = room.watch("t1")
    await asyncio.gather(updates.__aenter__(), peer.agrees("watch"))
    yield updates


async def entered(room: Room, server: FakeRoom) -> Peer:
    """Both ends of a fresh connection; the test leaves it with ``room.__aexit__`` through ``async with``."""
    _, peer = await asyncio.gather(room.__aenter__(), server.welcomes())
    return peer


async def test_hello_carries_token_version_and_name_and_the_welcome_says_who_we_are(server: FakeRoom) -> None:
    room = Room(server.url, "secret", client="test/1")
    _, hello = await asyncio.gather(room.__aenter__(), first_hello(server))
    assert hello | {"id": ""} == {"type": "hello", "id": "", "protocol": 1, "token": "secret", "client": "test/1"}
    assert room.account is not None
    assert room.account.name == "Anna"
    assert room.connected
    await room.__aexit__(None, None, None)
    assert not room.connected


async def first_hello(server: FakeRoom) -> dict[str, object]:
    return await (await server.meets()).welcomes()


async def test_a_spectator_sends_no_token(server: FakeRoom) -> None:
    room = Room(server.url)
    _, hello = await asyncio.gather(room.__aenter__(), first_hello(server))
    assert "token" not in hello
    await room.__aexit__(None, None, None)


async def test_nothing_at_the_address_is_unreachable() -> None:
    async with fake_room() as gone:
        url = gone.url
    with pytest.raises(Unreachable, match="no room answers"):
        await Room(url).__aenter__()


async def test_a_room_that_is_full_is_asked_again_and_not_for_ever() -> None:
    async with fake_room(turns_away=LATER_TRIES) as server, open_room(server) as (room, _):
        assert room.connected
    async with fake_room(turns_away=LATER_TRIES + 1) as server:
        with pytest.raises(Unreachable, match="lets nobody in: too many connections"):
            await Room(server.url, backoff=AT_ONCE).__aenter__()


async def test_who_is_not_let_in_hears_why_and_does_not_try_again() -> None:
    def shut(connection: ServerConnection, _: Request) -> Response:
        problem = {"title": "Forbidden", "status": 403, "detail": "your address is blocked", "code": "forbidden"}
        return connection.respond(HTTPStatus.FORBIDDEN, json.dumps(problem))

    async with serve(ServerConnection.wait_closed, "127.0.0.1", 0, process_request=shut) as closed:
        port = next(iter(closed.sockets)).getsockname()[1]
        with pytest.raises(Refused, match="your address is blocked"):
            await Room(f"http://127.0.0.1:{port}", backoff=AT_ONCE).__aenter__()


async def test_a_room_that_cannot_look_up_tokens_now_is_asked_again(server: FakeRoom) -> None:
    async def refuse_and_welcome() -> None:
        await (await server.meets()).refuses("hello", "internal", "the room can't look up tokens now")
        await server.welcomes()

    room = Room(server.url, "secret", backoff=AT_ONCE)
    await asyncio.gather(room.__aenter__(), refuse_and_welcome())
    assert room.connected
    await room.__aexit__(None, None, None)


async def test_bad_credentials_are_refused_and_not_tried_again(server: FakeRoom) -> None:
    async def refuse() -> None:
        peer = await server.meets()
        await peer.refuses("hello", "unauthorized", "this token is not known")
        await peer.is_left()

    with pytest.raises(Refused, match="this token is not known") as caught:
        await asyncio.gather(Room(server.url, "bad").__aenter__(), refuse())
    assert caught.value.code == "unauthorized"


async def test_a_command_gets_its_own_answer_whatever_the_order(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        sit = asyncio.create_task(room.sit("t1", buy_in=500, seat=4))
        asked_sit = await peer.hears("sit")
        chat = asyncio.create_task(room.chat("t1", "hi"))
        asked_chat = await peer.hears("chat")
        assert asked_sit == {
            "type": "sit",
            "id": asked_sit["id"],
            "table": "t1",
            "buy_in": 500,
            "seat": 4,
            "post_now": False,
        }
        await peer.says(type="error", re=asked_chat["id"], code="rate_limited", message="slow down", details={"s": 1})
        await peer.says(type="ok", re="nobody's")
        await peer.says(type="ok", re=asked_sit["id"], seat=4, seq=9)
        assert (await sit).seat == 4
        with pytest.raises(Refused, match="rate_limited: slow down") as caught:
            await chat
        assert caught.value.details == {"s": 1}


async def test_an_error_code_of_a_newer_room_is_only_refused(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        leave = asyncio.create_task(room.leave("t1"))
        await peer.refuses("leave", "eclipse")
        with pytest.raises(Refused, match="eclipse"):
            await leave


async def test_each_command_is_sent_as_the_protocol_has_it(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        commands: list[tuple[Coroutine[None, None, Ok], dict[str, Any]]] = [
            (room.leave("t"), {"type": "leave"}),
            (room.sit_out("t"), {"type": "sit_out"}),
            (room.sit_in("t", post_now=True), {"type": "sit_in", "post_now": True}),
            (room.top_up("t", 50), {"type": "top_up", "amount": 50}),
            (room.act("t", hand="h", turn="u", action="fold"), {"type": "act", "hand": "h", "turn": "u"} | FOLD),
            (
                room.act("t", hand="h", turn="u", action="raise", to=9),
                {"type": "act", "hand": "h", "turn": "u", "action": "raise", "to": 9},
            ),
            (room.arm("t", hand="h", action="call", to_call=5), {"type": "arm", "hand": "h", "to_call": 5} | CALL),
            (room.disarm("t", hand="h"), {"type": "disarm", "hand": "h"}),
            (room.show("t", hand="h", cards=("As",)), {"type": "show", "hand": "h", "cards": ["As"]}),
            (room.chat("t", "hi"), {"type": "chat", "text": "hi"}),
        ]
        for command, sent in commands:
            _, heard = await asyncio.gather(command, peer.agrees(sent["type"]))
            assert heard == sent | {"table": "t", "id": heard["id"]}


FOLD = {"action": "fold"}
CALL = {"action": "call"}


async def test_updates_of_a_table_arrive_typed_and_in_order(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        updates = room.watch("t1")
        first = asyncio.create_task(anext(updates))
        heard = await peer.agrees("watch")
        assert "since" not in heard
        await peer.says(**UPDATE | {"seq": 1})
        await peer.says(**UPDATE | {"seq": 2, "table": "elsewhere"})
        await peer.says(**UPDATE | {"seq": 2})
        update = await first
        assert isinstance(update.view, TableView)
        assert [update.seq, (await anext(updates)).seq] == [1, 2]
        stop = asyncio.create_task(updates.aclose())
        await peer.hears("unwatch")
        await stop
        with pytest.raises(StopAsyncIteration):
            await anext(updates)


async def test_who_looks_whether_an_update_arrives_follows_the_table(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        updates = room.watch("t1")
        arrives = asyncio.create_task(updates.arrives(within=60))
        await peer.agrees("watch")
        await peer.says(**UPDATE | {"seq": 1})
        assert await arrives
        assert (await anext(updates)).seq == 1
        assert not await updates.arrives(within=0)
        await asyncio.gather(updates.aclose(), peer.hears("unwatch"))
        assert await updates.arrives(within=60), "the end has come"


async def test_a_second_reader_shares_the_watch_and_starts_with_the_newest(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        one, two = room.watch("t1"), room.watch("t1")
        task = asyncio.create_task(anext(one))
        await peer.agrees("watch")
        await peer.says(**UPDATE | {"seq": 1})
        await task
        assert (await anext(two)).seq == 1
        await one.aclose()
        await peer.says(**UPDATE | {"seq": 2})
        assert (await anext(two)).seq == 2
        await asyncio.gather(two.aclose(), peer.hears("unwatch"))


async def test_a_table_that_is_not_there_is_refused(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        task = asyncio.create_task(anext(room.watch("nowhere")))
        await peer.refuses("watch", "not_found")
        with pytest.raises(Refused, match="not_found"):
            await task


async def test_a_slow_reader_loses_the_oldest_and_is_told(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer), room_watching(room, peer) as updates:
        for seq in range(1, 301):
            await peer.says(**UPDATE | {"seq": seq})
        await asyncio.gather(room.chat("t1", "all sent"), peer.agrees("chat"))
        assert updates.waiting == 256
        first = await anext(updates)
        assert (first.seq, first.lost) == (45, True)
        second = await anext(updates)
        assert (second.seq, second.lost) == (46, False)
        assert (await updates.latest()).seq == 300
        assert updates.waiting == 0


async def test_after_a_drop_it_comes_back_watches_from_where_it_was_and_asks_again_under_the_same_id(
    server: FakeRoom,
) -> None:
    async with open_room(server) as (room, peer), room_watching(room, peer) as updates:
        await peer.says(**UPDATE | {"epoch": 2, "seq": 845})
        await anext(updates)
        raise_to = asyncio.create_task(room.act("t1", hand="h33", turn="h33-6", action="raise", to=180))
        asked = await peer.hears("act")
        peer.drops()

        peer = await server.welcomes()
        watch = await peer.agrees("watch")
        assert (watch["table"], watch["since"]) == ("t1", {"epoch": 2, "seq": 845})
        assert await peer.agrees("act", seq=846) == asked
        assert (await raise_to).seq == 846
        await peer.says(**UPDATE | {"epoch": 2, "seq": 846})
        assert (await anext(updates)).seq == 846


async def test_what_is_asked_while_away_is_sent_once_back(server: FakeRoom) -> None:
    clock = FakeClock()
    async with open_room(server, clock=clock, backoff=Backoff()) as (room, peer):
        peer.drops()
        while (wait := await clock.asked()) >= 10:
            pass  # The heartbeat of the connection that was.
        leave = asyncio.create_task(room.leave("t1"))
        clock.move(wait)
        peer = await server.welcomes()
        await peer.agrees("leave")
        await leave


async def test_each_connection_has_its_own_hello_and_watch_ids(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        task = asyncio.create_task(anext(room.watch("t1")))
        first = await peer.agrees("watch")
        peer.drops()
        peer = await server.meets()
        hello = await peer.welcomes()
        second = await peer.agrees("watch")
        assert len({first["id"], second["id"], hello["id"]}) == 3
        await peer.says(**UPDATE)
        await task


async def test_a_table_gone_when_we_come_back_ends_its_updates(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer), room_watching(room, peer) as updates:
        peer.drops()
        peer = await server.welcomes()
        await peer.refuses("watch", "table_closed")
        with pytest.raises(Refused, match="table_closed"):
            await anext(updates)


async def test_the_updates_of_a_table_end_with_the_one_in_which_it_closes(server: FakeRoom) -> None:
    closed = UPDATE | {"events": [{"type": "table_closed", "reason": "the night is over"}]}
    async with open_room(server) as (room, peer), room_watching(room, peer) as updates:
        await peer.says(**closed)

        async with asyncio.timeout(1):
            assert [event.type async for update in updates for event in update.events] == ["table_closed"]


async def test_a_newer_session_ends_this_one_for_good(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer), room_watching(room, peer) as updates:
        waiting = [asyncio.create_task(room.leave("t1")), asyncio.create_task(anext(updates))]
        await peer.hears("leave")
        await peer.closes(4003)
        for result in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(result, Replaced)
        with pytest.raises(Replaced):
            await room.sit_in("t1")
        with pytest.raises(Replaced):
            await anext(room.watch("t2"))


@pytest.mark.parametrize("code", [4001, 4002, 4004])
async def test_closed_for_good_is_not_tried_again(server: FakeRoom, code: int) -> None:
    async with open_room(server) as (room, peer):
        leave = asyncio.create_task(room.leave("t1"))
        await peer.hears("leave")
        await peer.closes(code)
        with pytest.raises(Closed) as caught:
            await leave
        assert caught.value.code == code


@pytest.mark.parametrize("code", [1000, 1001, 1011, 4000, 4005, 4006, 4007, 4008, 4009])
async def test_every_other_end_is_followed_by_a_new_start(server: FakeRoom, code: int) -> None:
    async with open_room(server) as (_, peer):
        await peer.closes(code)
        await server.welcomes()


async def test_a_room_going_away_is_tried_again_after_a_random_wait_and_then_less_and_less_often() -> None:
    clock, backoff = FakeClock(), Backoff(dice=Random(7))
    async with fake_room() as server:
        port = server.port
        room = Room(server.url, clock=clock, backoff=backoff)
        peer = await entered(room, server)
        assert await clock.asked() == 10  # The heartbeat.
        await peer.closes(4009)
    waits = []
    for _ in range(8):
        waits.append(await clock.asked())
        clock.move(waits[-1])
    assert 0 < waits[0] <= 3
    for attempt, wait in enumerate(waits[1:], start=1):
        longest = min(10, 0.25 * 2**attempt)
        assert longest / 2 <= wait <= longest
    async with fake_room(port) as server:
        clock.move(await clock.asked())
        await server.welcomes()
        await room.__aexit__(None, None, None)


async def test_a_quiet_client_pings_each_heartbeat_and_a_busy_one_does_not(server: FakeRoom) -> None:
    clock = FakeClock()
    async with open_room(server, clock=clock) as (room, peer):
        assert await clock.asked() == 10
        clock.move(6)
        await asyncio.gather(room.chat("t1", "hi"), peer.agrees("chat"))
        clock.move(4)
        assert await clock.asked() == 6
        clock.move(6)
        ping = await peer.hears("ping")
        await peer.says(type="pong", re=ping["id"], time=0)
        assert await clock.asked() == 10


async def test_a_room_that_falls_silent_is_left_and_sought_again(server: FakeRoom) -> None:
    clock = FakeClock()
    async with open_room(server, clock=clock) as (_, peer):
        for _ in range(2):
            await clock.asked()
            clock.move(10)
            await peer.hears("ping")
        await clock.asked()
        clock.move(10)
        await peer.is_left()
        await server.welcomes()


async def test_a_client_sends_no_faster_than_it_may() -> None:
    clock = FakeClock()
    limits = {"frame_bytes": 8192, "frames_per_second": 10, "frames_burst": 5}
    async with fake_room() as server:
        room = Room(server.url, clock=clock, backoff=AT_ONCE)
        _, peer = await asyncio.gather(room.__aenter__(), server.welcomes(limits=limits))
        assert await clock.asked() == 10
        chats = [asyncio.create_task(room.chat("t1", str(number))) for number in range(6)]
        for _ in range(4):
            await peer.agrees("chat")
        for text in ("4", "5"):
            wait = await clock.asked()
            assert 0.1 < wait < 0.12
            clock.move(wait)
            assert (await peer.agrees("chat"))["text"] == text
        await asyncio.gather(*chats)
        await room.__aexit__(None, None, None)


async def test_notices_and_the_connection_are_told(server: FakeRoom) -> None:
    told: list[object] = []
    arrived = asyncio.Event()

    def notice(text: object) -> None:
        told.append(text)
        arrived.set()

    room = Room(server.url, on_notice=lambda said: notice(said.text), on_connection=told.append, backoff=AT_ONCE)
    peer = await entered(room, server)
    await peer.says(type="notice", kind="restart", at=1, text="back soon")
    await arrived.wait()
    peer.drops()
    peer = await server.welcomes()
    await asyncio.gather(room.chat("t1", "back"), peer.agrees("chat"))
    await room.__aexit__(None, None, None)
    assert told == [True, "back soon", False, True, False]


async def test_what_a_listener_raises_is_reported_as_its_own_and_ends_nothing(server: FakeRoom) -> None:
    reported: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))

    def fails(news: object) -> None:
        raise ValueError(type(news).__name__)

    room = Room(server.url, on_notice=fails, on_connection=fails, backoff=AT_ONCE)
    peer = await entered(room, server)
    await peer.says(type="notice", kind="restart", at=1, text="back soon")
    await asyncio.gather(room.chat("t1", "hi"), peer.agrees("chat"))
    await room.__aexit__(None, None, None)
    assert [str(error) for error in reported] == ["bool", "Notice", "bool"]


async def test_frames_that_are_no_messages_are_passed_over(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        await peer.says(nothing="of ours")
        await peer.says(type="firework", colour="red")
        await peer.says(type="notice", kind=7)
        await asyncio.gather(room.chat("t1", "hi"), peer.agrees("chat"))


async def test_the_rooms_time_is_known(server: FakeRoom) -> None:
    clock = FakeClock()
    async with open_room(server, clock=clock) as (room, _):
        before = room.server_ms
        clock.move(1.5)
        assert room.server_ms == before + 1500
        assert before == 1795968000000


async def test_leaving_the_room_ends_what_waits(server: FakeRoom) -> None:
    async with open_room(server) as (room, peer):
        leave = asyncio.create_task(room.leave("t1"))
        await peer.hears("leave")
    with pytest.raises(Closed, match="the room was left"):
        await leave

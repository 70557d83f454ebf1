"""What WebSocket asks of a server, byte by byte: straight to the sockets and the long way, on either event loop."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from fullring.web.limits import FRAME_BYTES_READ
from tests.server import Running, running
from tests.web.raw_socket import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, RawSocket, in_parts, raw_socket, sent

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}
HELLO = '{"type":"hello","id":"h","protocol":1}'
Talk = Callable[[RawSocket, Running], Awaitable[None]]
InARoom = Callable[[Talk], None]


def ping(id: str, more: str = "") -> str:
    return json.dumps({"type": "ping", "id": id, "more": more})


async def answers(socket: RawSocket, count: int) -> list[str]:
    """The ids that the next messages answer, in order."""
    heard = [await message(socket) for _ in range(count)]
    return [answer["re"] for answer in heard]


async def message(socket: RawSocket) -> dict[str, Any]:
    frame = await socket.frame()
    assert frame.opcode == TEXT, frame
    told: dict[str, Any] = json.loads(frame.payload)
    return told


@pytest.fixture(params=[True, False], ids=["fast", "stock"])
def fast(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=LOOPS)
def in_a_room(request: pytest.FixtureRequest, fast: bool, tmp_path: Path) -> InARoom:
    """Runs a talk with a room on a socket that has been welcomed."""

    async def session(talk: Talk) -> None:
        async with running(tmp_path, fast_sockets=fast) as room, raw_socket(room.url) as socket:
            socket.send(sent(HELLO))
            assert (await message(socket))["type"] == "welcome"
            await talk(socket, room)

    def run(talk: Talk) -> None:
        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            runner.run(session(talk))

    return run


def test_many_messages_in_one_segment_are_answered_in_order(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        ids = [f"p{number}" for number in range(30)]
        socket.send(b"".join(sent(ping(id, "x" * 200 * (number % 3))) for number, id in enumerate(ids)))
        assert await answers(socket, 30) == ids

    in_a_room(talk)


def test_messages_that_come_byte_by_byte_are_heard(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        await socket.drip(sent(ping("1")) + sent(ping("2", "x" * 150)) + in_parts(ping("3"), 5))
        assert await answers(socket, 3) == ["1", "2", "3"]

    in_a_room(talk)


def test_messages_in_parts_and_whole_ones_are_heard_in_order(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        socket.send(in_parts(ping("1"), 3, 9) + sent(ping("2")) + in_parts(ping("3"), 1) + sent(ping("4")))
        assert await answers(socket, 4) == ["1", "2", "3", "4"]

    in_a_room(talk)


def test_pings_between_messages_and_between_their_parts_are_answered(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        whole = ping("2")
        socket.send(sent("one", PING) + sent(ping("1")))
        socket.send(sent(whole[:4], TEXT, final=False) + sent("two", PING) + sent(whole[4:], CONTINUATION))
        frames = [await socket.frame() for _ in range(4)]
        assert [frame.payload for frame in frames if frame.opcode == PONG] == [b"one", b"two"]
        texts = [json.loads(frame.payload)["re"] for frame in frames if frame.opcode == TEXT]
        assert texts == ["1", "2"]

    in_a_room(talk)


def test_binary_messages_are_refused_in_order_and_harm_nothing(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        socket.send(sent(b"\x00\xff", BINARY) + sent(ping("1")))
        refused = await message(socket)
        assert (refused["code"], "re" in refused) == ("bad_message", False)
        assert await answers(socket, 1) == ["1"]

    in_a_room(talk)


def test_a_client_that_closes_is_answered_and_let_go(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        socket.send(sent(ping("1")))
        assert await answers(socket, 1) == ["1"]
        socket.send(sent((1000).to_bytes(2) + b"bye", CLOSE))
        assert (await socket.frame()).code == 1000
        assert await socket.ended()

    in_a_room(talk)


def test_a_room_that_closes_says_why_and_waits_for_the_answer(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        room.server.stop()
        assert (await message(socket))["type"] == "notice"
        frame = await socket.frame()
        assert frame.code == 4009
        socket.send(sent(ping("late")) + sent(frame.payload, CLOSE))
        assert await socket.ended()

    in_a_room(talk)


def test_who_reads_nothing_is_heard_no_further_and_gets_every_answer_in_the_end(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        ids = [f"{number:060}" for number in range(4_000)]  # Their answers are more than the buffers on the way hold.
        socket.narrow()
        socket.send(b"".join(sent(ping(id)) for id in ids))
        assert await answers(socket, len(ids)) == ids

    in_a_room(talk)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        pytest.param(sent("x" * (FRAME_BYTES_READ + 1)), 1009, id="too large"),
        pytest.param(sent("x" * (FRAME_BYTES_READ + 1))[:10], 1009, id="too large, by its head alone"),
        pytest.param(sent("x" * 60_000, final=False) + sent("x" * 10_000, CONTINUATION), 1009, id="too large in parts"),
        pytest.param(sent(ping("1"), masked=False), 1002, id="not masked"),
        pytest.param(sent(ping("1"), bits=0x40), 1002, id="compressed, which nobody agreed on"),
        pytest.param(sent(ping("1"), 0x3), 1002, id="an opcode that means nothing"),
        pytest.param(sent(ping("1"), CONTINUATION), 1002, id="the rest of nothing"),
        pytest.param(sent("{", final=False) + sent(ping("1")), 1002, id="a message inside another"),
        pytest.param(sent("x" * 126, PING), 1002, id="a ping too large"),
        pytest.param(sent("x", PING, final=False), 1002, id="a ping in parts"),
        pytest.param(sent(b'{"\xff":1}'), 1007, id="no text"),
        pytest.param(sent(b'{"\xc3', final=False) + sent(b'":1}', CONTINUATION), 1007, id="no text, in parts"),
    ],
)
def test_what_is_no_websocket_is_refused_and_the_connection_ends(in_a_room: InARoom, frames: bytes, code: int) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        socket.send(sent(ping("before")))
        assert await answers(socket, 1) == ["before"]
        socket.send(frames)
        assert (await socket.frame()).code == code
        assert await socket.ended()
        assert len(await until_gone(room)) == 0

    in_a_room(talk)


def test_the_largest_message_that_is_read_is_answered_whatever_form_its_size_has(in_a_room: InARoom) -> None:
    async def talk(socket: RawSocket, room: Running) -> None:
        for size in (65_535, 65_536):
            padding = size - len(ping("1"))
            assert len(ping("1", "x" * padding)) == size <= FRAME_BYTES_READ
            socket.send(sent(ping("1", "x" * padding)))
            assert (await message(socket))["code"] == "bad_message"
        socket.send(sent(ping("2")))
        assert await answers(socket, 1) == ["2"]

    in_a_room(talk)


@pytest.mark.parametrize("loop", LOOPS)
def test_what_comes_before_the_handshake_is_answered_harms_nothing(tmp_path: Path, fast: bool, loop: str) -> None:
    """A client should wait. What it sends too early is heard, or lost whole; what comes after is heard."""

    async def session() -> None:
        async with running(tmp_path, fast_sockets=fast) as room:
            hello = sent(HELLO)
            async with raw_socket(room.url, pipelined=hello[:3]) as socket:
                socket.send(hello[3:] + sent(ping("1")))
                frame = await socket.frame()
                assert frame.opcode in (TEXT, CLOSE)
            async with raw_socket(room.url) as socket:
                socket.send(sent(HELLO) + sent(ping("1")))
                assert await answers(socket, 2) == ["h", "1"]

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        runner.run(session())


def test_fast_and_stock_sockets_say_the_same(tmp_path: Path) -> None:
    """The same talk, byte for byte, but for what differs from room to room."""

    async def talk(fast: bool) -> list[Any]:
        folder = tmp_path / str(fast)
        folder.mkdir()
        async with running(folder, fast_sockets=fast) as room, raw_socket(room.url) as socket:
            table = await room.table()
            watch = json.dumps({"type": "watch", "id": "w", "table": table})
            socket.send(sent(HELLO) + sent(watch) + sent("[]") + sent(ping("p")))
            heard = [await message(socket) for _ in range(5)]
            return [
                [answer["type"], answer.get("re"), list(answer)]
                for answer in sorted(heard, key=lambda answer: str(answer.get("re")))
            ]

    said = [asyncio.run(talk(fast)) for fast in (True, False)]
    assert said[0] == said[1]


async def until_gone(room: Running) -> Any:
    """The room's connections, when those that were closed are gone from them."""
    for _ in range(100_000):
        if not len(room.site.connections):
            break
        await asyncio.sleep(0)
    return room.site.connections

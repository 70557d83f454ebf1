"""A socket at any ASGI server: what comes, what can't be sent, or not yet, and that nothing is left behind."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from starlette.types import Message
from starlette.websockets import WebSocket

from fullring.runtime.outbox import REPLIES_MAX, STALLED_MS
from fullring.web.connection import GONE_MS
from fullring.web.connections import LOOK_EVERY_MS
from fullring.web.fast_socket import OURS
from fullring.web.socket import ANSWERS_FIRST, endpoint
from tests.fake_clock import FakeClock, settle
from tests.server import Running, running

LEFT_S = 10
HELLO = '{"type":"hello","id":"hello","protocol":1}'


def ping(number: int) -> str:
    return f'{{"type":"ping","id":"{number}"}}'


class Client:
    """What a server between us and the client does. ``takes`` is clear while nothing can be sent."""

    def __init__(self, *texts: str) -> None:
        self.coming: list[Message] = [{"type": "websocket.receive", "text": text} for text in (HELLO, *texts)]
        self.coming.insert(0, {"type": "websocket.connect"})
        self.takes = asyncio.Event()
        self.heard: list[dict[str, Any]] = []
        self.gone = asyncio.Event()

    async def receive(self) -> Message:
        await asyncio.sleep(0)
        if not self.coming:
            await self.gone.wait()
            return {"type": "websocket.disconnect", "code": 1006}
        return self.coming.pop(0)

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            await self.takes.wait()
            self.heard.append(json.loads(message["text"]))


def at(
    room: Running, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]], **ours: Any
) -> WebSocket:
    scope = {
        "type": "websocket",
        "app": SimpleNamespace(state=SimpleNamespace(site=room.site)),
        "headers": [],
        "client": ("192.0.2.1", 40_000),
        "extensions": {OURS: {"abort": lambda: None} | ours},
    }
    return WebSocket(scope, receive, send)


async def test_who_asks_much_and_is_gone_at_once_leaves_nothing_behind(room: Running) -> None:
    client = Client(*map(ping, range(3 * ANSWERS_FIRST)))
    client.gone.set()

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            raise ConnectionResetError("the client has gone")

    async with asyncio.timeout(LEFT_S):
        await endpoint(at(room, client.receive, send))

    assert not client.coming
    assert len(room.site.connections) == 0


async def test_who_takes_nothing_is_sent_away_in_time_however_few_frames_wait(still: Running, clock: FakeClock) -> None:
    client = Client(ping(1), ping(2))
    serving = asyncio.create_task(endpoint(at(still, client.receive, client.send, abort=client.gone.set)))
    while client.coming:
        await settle()
    await clock.advance(STALLED_MS - 1)
    assert not client.gone.is_set()
    await clock.advance(GONE_MS + 2 * LOOK_EVERY_MS)
    assert client.gone.is_set()

    async with asyncio.timeout(LEFT_S):
        await serving
    assert len(still.site.connections) == 0
    assert client.heard == []


async def test_who_asks_much_and_takes_it_late_is_asked_to_wait_and_has_every_answer(tmp_path: Path) -> None:
    count = 2 * REPLIES_MAX
    client = Client(*map(ping, range(count)))
    async with running(tmp_path, frames_burst=count + 1) as room:
        serving = asyncio.create_task(endpoint(at(room, client.receive, client.send)))
        before = -1
        while before != len(client.coming):
            before = len(client.coming)
            await settle()
        assert before >= count - 2 * ANSWERS_FIRST, "no more is read than can be answered"
        client.takes.set()
        async with asyncio.timeout(LEFT_S):
            while len(client.heard) <= count and not serving.done():
                await settle()
            client.gone.set()
            await serving

    assert [answer["re"] for answer in client.heard] == ["hello", *map(str, range(count))]

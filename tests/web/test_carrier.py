"""A socket at any ASGI server: what comes, what can't be sent any more, and that nothing is left behind."""

import asyncio
from types import SimpleNamespace

from starlette.types import Message
from starlette.websockets import WebSocket

from fullring.web.fast_socket import OURS
from fullring.web.socket import ANSWERS_FIRST, endpoint
from tests.server import Running

LEFT_S = 10


async def test_who_asks_much_and_is_gone_at_once_leaves_nothing_behind(room: Running) -> None:
    hello = '{"type":"hello","id":"hello","protocol":1}'
    pings = [f'{{"type":"ping","id":"{number}"}}' for number in range(3 * ANSWERS_FIRST)]
    coming: list[Message] = [{"type": "websocket.receive", "text": text} for text in (hello, *pings)]
    coming = [{"type": "websocket.connect"}, *coming, {"type": "websocket.disconnect", "code": 1006}]

    async def receive() -> Message:
        await asyncio.sleep(0)
        return coming.pop(0)

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            raise ConnectionResetError("the client has gone")

    scope = {
        "type": "websocket",
        "app": SimpleNamespace(state=SimpleNamespace(site=room.site)),
        "headers": [],
        "client": ("192.0.2.1", 40_000),
        "extensions": {OURS: {"abort": lambda: None}},
    }
    async with asyncio.timeout(LEFT_S):
        await endpoint(WebSocket(scope, receive, send))

    assert not coming
    assert len(room.site.connections) == 0

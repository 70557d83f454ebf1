"""A bot without a socket, for tests: it reads a stream line by line and posts commands."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx

from fullring.wire.server import SERVER_MESSAGE
from tests.server import Address

Json = dict[str, Any]
_IDS = count(1)


class Lines:
    """What a stream says. Every line but the empty ones is held against the protocol's models."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def line(self) -> str:
        return await anext(self._lines)

    async def hears(self) -> Json:
        """The next message."""
        while not (line := await self.line()):
            pass
        SERVER_MESSAGE.validate_json(line)
        message: Json = json.loads(line)
        return message

    async def sees(self, event: str) -> Json:
        """The next update in which that happened."""
        while True:
            update = await self.hears()
            if any(told["type"] == event for told in update.get("events", ())):
                return update

    async def rest(self) -> list[Json]:
        """All until the end."""
        return [json.loads(line) async for line in self._lines if line]


@asynccontextmanager
async def stream(room: Address, table: str, token: str | None = None, **query: Any) -> AsyncIterator[Lines]:
    async with room.http(token) as client, client.stream("GET", f"/tables/{table}/stream", params=query) as answer:
        assert answer.status_code == 200, (await answer.aread()).decode()
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield Lines(answer)


def command(type: str, **fields: Any) -> Json:
    """With an id that nothing else has."""
    return {"type": type, "id": f"p{next(_IDS)}"} | fields


async def post(client: httpx.AsyncClient, table: str, type: str, **fields: Any) -> httpx.Response:
    return await client.post(f"/tables/{table}/commands", json=command(type, **fields))


async def done(client: httpx.AsyncClient, table: str, type: str, **fields: Any) -> Json:
    answer = await post(client, table, type, **fields)
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told

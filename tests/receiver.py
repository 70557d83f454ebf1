"""A real server for webhooks: it keeps every request, checks signatures by itself, and answers as a test wants."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Told:
    """One request."""

    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def topic(self) -> str:
        return str(self.message["type"])

    def signed_by(self, secret: str) -> bool:
        """As the specification has it, and not as we wrote it."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        content = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.{self.body.decode()}"
        right = base64.b64encode(hmac.new(key, content.encode(), hashlib.sha256).digest()).decode()
        return self.headers["webhook-signature"] == f"v1,{right}"


@dataclass(slots=True)
class Receiver:
    """``answers`` are used up one a request, then 200: a status line's beginning, or None for no answer at all."""

    url: str = ""
    told: list[Told] = field(default_factory=list)
    answers: list[str | None] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    async def hears(self, many: int) -> list[Told]:
        """The first so many requests, once they have come."""
        while len(self.told) < many:
            self.came.clear()
            async with asyncio.timeout(30):
                await self.came.wait()
        return self.told[:many]

    async def hears_of(self, topic: str) -> Told:
        """The first of that kind."""
        seen = 0
        while True:
            for told in self.told[seen:]:
                if told.topic == topic:
                    return told
            seen = len(self.told)
            await self.hears(seen + 1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(headers["content-length"]))
            self.told.append(Told(headers, body))
            answer = self.answers.pop(0) if self.answers else "200 OK"
            self.came.set()
            if answer is None:
                await reader.read()
            else:
                writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    one = Receiver()
    server = await asyncio.start_server(one._serve, "127.0.0.1", 0)
    one.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    try:
        yield one
    finally:
        server.close()

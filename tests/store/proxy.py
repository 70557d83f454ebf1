"""A wire to PostgreSQL that breaks on demand, at a named moment."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from sqlalchemy.engine import make_url


class Proxy:
    """Passes bytes on until the client says ``cut_at``; then the connection is gone for the client.

    With ``deliver`` the server still gets those bytes, and has answered before the client hears that it is alone.
    While ``down`` nobody is let in.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.cut_at: bytes | None = None
        self.deliver = False
        self.down = False
        self.cuts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            if not self.down:
                up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
                answers = asyncio.ensure_future(self._pass(up_reader, writer))
                last = await self._ask(reader, up_writer)
                answers.cancel()
                await asyncio.gather(answers, return_exceptions=True)
                if last:
                    up_writer.write(last)
                    await up_reader.read(1)
                up_writer.close()
        writer.transport.abort()

    async def _ask(self, reader: asyncio.StreamReader, up: asyncio.StreamWriter) -> bytes:
        """What is to be delivered once the client is alone; nothing when it is the client that has gone."""
        while asked := await reader.read(65536):
            if self.cut_at is not None and self.cut_at in asked:
                self.cut_at = None
                self.cuts += 1
                return asked if self.deliver else b""
            up.write(asked)
            await up.drain()
        return b""

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while answered := await reader.read(65536):
            writer.write(answered)
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def proxied(url: str) -> AsyncIterator[tuple[Proxy, str]]:
    """The proxy, and the URL of the same database through it."""
    target = make_url(url)
    assert target.host is not None
    assert target.port is not None
    proxy = Proxy(target.host, target.port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield proxy, target.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
    finally:
        server.close()

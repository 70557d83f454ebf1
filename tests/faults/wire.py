"""A TCP connection with faults of its own: slow, silent, cut, or refused."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Wire:
    """Passes bytes on. Each change holds for what comes from then on.

    ``delay_s`` holds back every piece, to the server and from it. While ``silent`` nothing passes, and nobody is told
    that a peer has gone: as if the machine behind it had lost its power. While ``down`` nobody is let in.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._writers: set[asyncio.StreamWriter] = set()
        self.delay_s = 0.0
        self.silent = False
        self.down = False

    def cut(self) -> None:
        """All connections are reset, on both sides."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.down:
            writer.transport.abort()
            return
        try:
            up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, up_writer}
        await asyncio.gather(self._pass(reader, up_writer), self._pass(up_reader, writer))
        self._writers -= {writer, up_writer}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while said := await reader.read(65_536):
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                if not self.silent:
                    writer.write(said)
                    await writer.drain()
        if not self.silent:
            writer.close()


@contextlib.asynccontextmanager
async def wire(host: str, port: int) -> AsyncIterator[tuple[Wire, int]]:
    """The wire, and the port where it begins."""
    it = Wire(host, port)
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0)
    try:
        yield it, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        it.cut()

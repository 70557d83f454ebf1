"""The line between a browser and the room, for those who want to cut it. It passes bytes and understands none."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from tests.server import Address


class Line:
    """``url`` is the room, through this line."""

    def __init__(self, room: Address) -> None:
        self.url = ""
        self._port = urlsplit(room.url).port
        self._open: set[asyncio.StreamWriter] = set()
        self._whole = True
        self._flows = asyncio.Event()
        self._flows.set()

    def cut(self) -> None:
        """What is open breaks, and nothing gets through until it is mended."""
        self._whole = False
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        self._whole = True

    def hold(self) -> None:
        """What the room says stays on its way, until ``release``; what the browser says arrives."""
        self._flows.clear()

    def release(self) -> None:
        self._flows.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        from_room, to_room = await asyncio.open_connection("127.0.0.1", self._port)
        ends = {writer, to_room}
        self._open |= ends
        freely = asyncio.Event()
        freely.set()
        await asyncio.gather(_pass(reader, to_room, freely), _pass(from_room, writer, self._flows))
        self._open -= ends


@contextlib.asynccontextmanager
async def line_to(room: Address) -> AsyncIterator[Line]:
    line = Line(room)
    server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    line.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        server.close()
        line.cut()
        line.release()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionError):
        while said := await reader.read(65_536):
            await flows.wait()
            writer.write(said)
            await writer.drain()
    writer.close()

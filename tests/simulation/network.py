"""Connections of a run: frames in order, late, cut off or swallowed, between a client and the server's own endpoint.

The server's end speaks ASGI, as uvicorn does. A client's end is called back with what comes.
"""

import asyncio
import contextlib
from collections import deque
from types import SimpleNamespace
from typing import Protocol

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from fullring.table.ids import Millis
from fullring.web.fast_socket import OURS
from fullring.web.site import Site
from fullring.web.socket import endpoint
from tests.simulation.direct import Direct
from tests.simulation.weather import FAIR, Span, Weather
from tests.simulation.world import Life, World

ABNORMAL = 1006
UNSENT = 12_000
"""Characters that the server may have sent and the client has not taken, before sending waits."""
LAG = (1_000, 6_000)


class Client(Protocol):
    """A client's end of a line. Nothing is called after ``closed``."""

    def heard(self, line: "Line", frame: str) -> None: ...

    def closed(self, line: "Line", code: int) -> None: ...


class Witness(Protocol):
    """Who sees all that passes, as the server takes it and gives it."""

    def opened(self, line: "Line") -> None: ...

    def received(self, line: "Line", frame: str | bytes) -> None: ...

    def sent(self, line: "Line", frame: str) -> None: ...

    def closed(self, line: "Line", code: int) -> None: ...


class Network:
    """Reaches the process that listens, if one does."""

    def __init__(self, world: World, weather: Weather, witness: Witness, *, direct: bool) -> None:
        self.world = world
        self.direct = direct
        """Whether the server is the room's own, or any other that speaks ASGI."""
        self.weather = weather
        self.witness = witness
        self.dice = world.dice("network")
        self.listening: tuple[Life, Site] | None = None
        self.lines: dict[Line, None] = {}
        self._opened = 0

    def listen(self, life: Life, site: Site) -> None:
        self.listening = life, site
        life.died.append(lambda: self._died(life))

    def deaf(self, life: Life) -> None:
        """No new connections to that process."""
        if self.listening is not None and self.listening[0] is life:
            self.listening = None

    def connect(self, client: Client, account: str | None) -> "Line | None":
        """A line that is about to be opened; None where nobody listens."""
        if self.listening is None:
            return None
        life, site = self.listening
        self._opened += 1
        line = Line(self, client, account, life, self._opened)
        self.lines[line] = None
        scope = {
            "type": "websocket",
            "app": SimpleNamespace(state=SimpleNamespace(site=site)),
            "path": "/api/v1/ws",
            "headers": [(b"host", b"room.example")],
            "client": ("192.0.2.1", 40_000),
            "extensions": {OURS: line.ours(), "websocket.http.response": {}},
        }
        self.witness.opened(line)
        line.task = self.world.spawn(life, _serve(WebSocket(scope, line.receive, line.send)))
        return line

    def fair(self) -> None:
        """Nothing is cut, nothing lags from now on; what is dead stays so until its ends notice."""
        self.weather = FAIR

    def some(self, span: Span) -> Millis:
        least, most = span
        return least + int(self.dice.random() * (most - least + 1))

    def _died(self, life: Life) -> None:
        self.deaf(life)
        for line in [line for line in self.lines if line.life is life]:
            line.server_gone()


async def _serve(socket: WebSocket) -> None:
    """As uvicorn does it: whatever the endpoint does when its client has gone is no fault."""
    with contextlib.suppress(ConnectionResetError, WebSocketDisconnect):
        await endpoint(socket)


class Line:
    """One connection. One that is dead lets nothing through any more."""

    def __init__(self, network: Network, client: Client, account: str | None, life: Life, number: int) -> None:
        self.account = account
        self.life = life
        self.number = number
        self.reading = True
        self.task: asyncio.Task[object] | None = None
        """The server's end of it."""
        self._network = network
        self._world = network.world
        self._client: Client | None = client
        self._open = True  # As far as the server knows.
        self._dead = False
        self._inbox: deque[Message] = deque([{"type": "websocket.connect"}])
        self._receiver: asyncio.Future[None] | None = None
        self._going: deque[tuple[Millis, Message]] = deque()
        self._coming: deque[tuple[Millis, str | int]] = deque()
        self._unsent = 0
        self._room: asyncio.Future[None] | None = None
        self._delivery: asyncio.TimerHandle | None = None
        self._last_out = self._last_in = 0
        self._direct = Direct(self._world, life, self) if network.direct else None

    def __repr__(self) -> str:
        return f"line {self.number} of {self.account} to {self.life}"

    # --- the client's end ---

    def say(self, frame: str | bytes, at: Millis = 0) -> None:
        """Send a frame, to arrive at that instant or as soon as it can."""
        if self._client is None or self._disturbed():
            return
        message: Message = {"type": "websocket.receive", "text" if isinstance(frame, str) else "bytes": frame}
        self._arrive_later(message, at)

    def read(self, reading: bool) -> None:
        """Whether the client takes what comes."""
        self.reading = reading
        if reading:
            self._deliver_later()

    def hang_up(self) -> None:
        """The client is gone, without a word."""
        if self._client is not None:
            self._client = None
            self._stop_delivery()
            self._arrive_later({"type": "websocket.disconnect", "code": ABNORMAL})

    # --- the server's end ---

    def ours(self) -> dict[str, object]:
        """What the room's own server adds to ASGI."""
        return {"abort": self.abort} | ({} if self._direct is None else {"line": self._direct})

    async def receive(self) -> Message:
        while not self._inbox:
            self._receiver = self._world.create_future()
            await self._receiver
        message = self._inbox.popleft()
        if message["type"] == "websocket.receive":
            self.took(_frame(message))
        return message

    def took(self, frame: str | bytes) -> None:
        """The server has it."""
        self._network.witness.received(self, frame)

    def write(self, frame: str) -> None:
        """The server sends it. It never waits."""
        if self._open:
            self._network.witness.sent(self, frame)
            self._unsent += len(frame)
            self._come(frame)
            if self._direct is not None:
                self._direct.fill(full=self._unsent > UNSENT)

    async def send(self, message: Message) -> None:
        if not self._open:
            raise ConnectionResetError("the client has gone")
        match message["type"]:
            case "websocket.send":
                self.write(message["text"])
                while self._unsent > UNSENT and self._open:
                    self._room = self._world.create_future()
                    await self._room
            case "websocket.close":
                self._close(message.get("code", 1000))
            case "websocket.http.response.body":  # It was not let in.
                self._close(ABNORMAL)
            case _:
                pass

    def abort(self) -> None:
        """The server drops the line as it is."""
        if self._open:
            self._stop_delivery()
            self._close(ABNORMAL)

    def server_gone(self) -> None:
        """The server's process has died; what it had sent may have come through, or some of it."""
        self._open = False
        self._network.lines.pop(self, None)
        self._network.witness.closed(self, ABNORMAL)
        kept = int(self._network.dice.random() * (len(self._coming) + 1))
        while len(self._coming) > kept:
            self._coming.pop()
        self._come(ABNORMAL)  # What it has not taken yet comes first.

    # --- in between ---

    def _disturbed(self) -> bool:
        """Whether this frame is the one that does not get through, nor any after it."""
        network, weather = self._network, self._network.weather
        if self._dead:
            return True
        if weather.silence and network.dice.random() < weather.silence:
            self._dead = True  # And nobody is told.
        elif weather.cut and network.dice.random() < weather.cut:
            self._cut()
        return self._dead

    def _cut(self) -> None:
        """Both ends are told, sooner or later."""
        self._stop_delivery()
        self._come(ABNORMAL)
        self._arrive_later({"type": "websocket.disconnect", "code": ABNORMAL})
        self._dead = True

    def _delay(self) -> Millis:
        network, weather = self._network, self._network.weather
        return network.some(LAG if weather.lag and network.dice.random() < weather.lag else weather.network)

    def _arrive_later(self, message: Message, at: Millis = 0) -> None:
        now = self._world.now()
        self._last_in = max(self._last_in, at, now + self._delay())
        self._going.append((self._last_in, message))
        self._world.later(self._last_in - now, self._arrive)

    def _arrive(self) -> None:
        """All that is due, in order."""
        now = self._world.now()
        while self._going and self._going[0][0] <= now and self._open:
            _, message = self._going.popleft()
            if message["type"] == "websocket.disconnect":
                self._lose()
            self._put(message)

    def _put(self, message: Message) -> None:
        if self._direct is not None and message["type"] == "websocket.receive":
            self._direct.arrive(_frame(message))
            return
        self._inbox.append(message)
        if self._receiver is not None and not self._receiver.done():
            self._receiver.set_result(None)

    def _lose(self) -> None:
        """The server can't send any more."""
        self._open = False
        self._network.lines.pop(self, None)
        self._network.witness.closed(self, ABNORMAL)
        self._make_room()
        if self._direct is not None:
            self._direct.lose()

    def _close(self, code: int) -> None:
        self._network.witness.closed(self, code)
        self._open = False
        self._network.lines.pop(self, None)
        self._make_room()
        if self._direct is not None:
            self._direct.lose()
        self._come(code)
        self._put({"type": "websocket.disconnect", "code": code})

    def _come(self, what: str | int) -> None:
        """A frame for the client, or the code it is closed with."""
        if self._client is None or self._dead or (isinstance(what, str) and self._disturbed()):
            return
        self._last_out = max(self._last_out, self._world.now() + self._delay())
        self._coming.append((self._last_out, what))
        self._deliver_later()

    def _deliver_later(self) -> None:
        if self._delivery is None and self._coming and (self.reading or isinstance(self._coming[0][1], int)):
            at = self._coming[0][0]
            self._delivery = self._world.later(max(0, at - self._world.now()), self._deliver)

    def _deliver(self) -> None:
        self._delivery = None
        now = self._world.now()
        while self._coming and self._coming[0][0] <= now:
            client, (_, what) = self._client, self._coming[0]
            if client is None or (isinstance(what, str) and not self.reading):
                break
            self._coming.popleft()
            if isinstance(what, int):
                self._client = None
                self._coming.clear()
                client.closed(self, what)
                return
            self._unsent -= len(what)
            client.heard(self, what)
        if self._unsent <= UNSENT:
            self._make_room()
            if self._direct is not None and self._open:
                self._direct.fill(full=False)
        self._deliver_later()

    def _make_room(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)

    def _stop_delivery(self) -> None:
        self._coming.clear()
        if self._delivery is not None:
            self._delivery.cancel()
            self._delivery = None


def _frame(message: Message) -> str | bytes:
    frame: str | bytes = message["text"] if "text" in message else message["bytes"]
    return frame

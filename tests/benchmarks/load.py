"""A load generator without a framework: raw sockets on epoll, one action under way at each table.

An action counts when everybody at its table has heard of it. What is said and heard is a ``Play``'s business.
"""

import base64
import gc
import os
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

PATIENCE_S = 10
"""What doesn't come by then is not coming."""
READ_BYTES = 262_144
MASK = os.urandom(4)
KEY = base64.b64encode(os.urandom(16)).decode()
TEXT, PING, PONG, CLOSE = 0x81, 0x89, 0x8A, 0x88
SHORT, LONG = 126, 127

_masks: dict[int, int] = {}


def masked(message: bytes, head: int = TEXT) -> bytes:
    """A frame as a client sends it."""
    size = len(message)
    mask = _masks.get(size)
    if mask is None:
        mask = _masks[size] = int.from_bytes((MASK * (size // 4 + 1))[:size])
    length = bytes((head, 0x80 | size)) if size < SHORT else bytes((head, 0x80 | SHORT)) + size.to_bytes(2)
    return length + MASK + (int.from_bytes(message) ^ mask).to_bytes(size)


def prefixed(message: bytes) -> bytes:
    """A message as the floor has it: four bytes of length before it."""
    return len(message).to_bytes(4) + message


class Client:
    """One connection: what came of a frame that is not all there, and where it sits."""

    def __init__(self, address: tuple[str, int], table: int, seat: int) -> None:
        self.table, self.seat = table, seat
        self.socket = socket.create_connection(address, PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.receive = self.socket.recv
        self.frames: Callable[[bytes], Iterator[tuple[bytes, int, int]]] = self._prefixed
        self._frame = prefixed

    def upgrade(self, path: str) -> None:
        """Make it a WebSocket."""
        host, port = self.socket.getpeername()[:2]
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._more()
        head, self.rest = answer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(f"no socket: {head[:200]!r}")
        self.frames, self._frame = self._framed, masked

    def say(self, message: bytes) -> None:
        self.socket.send(self._frame(message))

    def hear(self) -> list[bytes]:
        """Whole messages, waiting for the first."""
        heard: list[bytes] = []
        while not heard:
            heard = [data[start:end] for data, start, end in self.frames(self._more())]
        return heard

    def _more(self) -> bytes:
        data = self.receive(READ_BYTES)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data

    def _prefixed(self, data: bytes) -> Iterator[tuple[bytes, int, int]]:
        data, at, size = self.rest + data, 0, len(self.rest) + len(data)
        while size - at >= 4 and (end := at + 4 + int.from_bytes(data[at : at + 4])) <= size:
            yield data, at + 4, end
            at = end
        self.rest = data[at:]

    def _framed(self, data: bytes) -> Iterator[tuple[bytes, int, int]]:
        if self.rest:
            data = self.rest + data
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == SHORT:
                length, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif length == LONG:
                length, start = int.from_bytes(data[at + 2 : at + 10]), at + 10
            end = start + length
            if end > size:
                break
            if data[at] == TEXT:
                yield data, start, end
            elif data[at] == PING:
                self.socket.send(masked(data[start:end], PONG))
            else:
                raise ConnectionError(f"the server closes: {data[start:end]!r}")
            at = end
        self.rest = data[at:]


class Play(Protocol):
    """What the clients do. ``begin`` gets things going, ``heard`` goes on, for as long as ``load.going``."""

    @property
    def clients(self) -> Sequence[Client]: ...

    def begin(self, load: "Load") -> None: ...

    def heard(self, load: "Load", client: Client, data: bytes, start: int, end: int) -> None: ...


@dataclass(slots=True)
class Figures:
    """``took`` are seconds from saying to the last of the table having heard, ``busy`` is what the server took."""

    seconds: float = 0.0
    actions: int = 0
    cpu_ns: int = 0
    own_cpu_s: float = 0.0
    took: list[float] = field(default_factory=list)

    @property
    def us(self) -> float:
        """The server's CPU an action, in microseconds."""
        return self.cpu_ns / 1e3 / self.actions

    @property
    def busy(self) -> float:
        return self.cpu_ns / 1e9 / self.seconds


class Load:
    """Drives a ``Play``, one slice of time after the other. ``cpu_ns`` reads the server's clock."""

    def __init__(self, play: Play, cpu_ns: Callable[[], int]) -> None:
        self.going = False
        self.under_way = 0
        """Actions that not everybody has heard of yet."""
        self._play = play
        self._cpu_ns = cpu_ns
        self._figures = Figures()
        self._epoll = select.epoll()
        self._clients = {client.socket.fileno(): client for client in play.clients}
        for number, client in self._clients.items():
            client.socket.setblocking(False)
            self._epoll.register(number, select.EPOLLIN)

    def done(self, began: float) -> None:
        """An action that began then has been heard by all."""
        self.under_way -= 1
        self._figures.actions += 1
        self._figures.took.append(time.perf_counter() - began)

    def slice(self, seconds: float, warm: float = 0.15) -> Figures:
        """So long, after a little time that does not count. Everything under way is over when it returns."""
        gc.collect()
        gc.disable()
        try:
            self.going = True
            self._play.begin(self)
            self._until(time.perf_counter() + warm)
            figures = self._figures = Figures()
            cpu, own, at = self._cpu_ns(), time.process_time(), time.perf_counter()
            self._until(at + seconds)
            figures.seconds = time.perf_counter() - at
            figures.cpu_ns, figures.own_cpu_s = self._cpu_ns() - cpu, time.process_time() - own
            self._figures = Figures()
            self.going = False
            self._drain()
        finally:
            self.going = False
            gc.enable()
        return figures

    def close(self) -> None:
        for client in self._clients.values():
            client.socket.close()
        self._epoll.close()

    def _until(self, end: float) -> None:
        heard = now = time.perf_counter()
        while now < end:
            if self._turn(end - now):
                heard = time.perf_counter()
            now = time.perf_counter()
            if now - heard > PATIENCE_S:
                raise TimeoutError(f"{self.under_way} actions are stuck")

    def _drain(self) -> None:
        end = time.perf_counter() + PATIENCE_S
        while self.under_way:
            self._turn(0.1)
            if time.perf_counter() > end:
                raise TimeoutError(f"{self.under_way} actions are stuck")

    def _turn(self, patience: float) -> bool:
        ready = self._epoll.poll(min(patience, 0.1), 512)
        heard, clients = self._play.heard, self._clients
        for number, _ in ready:
            client = clients[number]
            data = client.receive(READ_BYTES)
            if not data:
                raise ConnectionError("the server closed a connection")
            for message, start, end in client.frames(data):
                heard(self, client, message, start, end)
        return bool(ready)

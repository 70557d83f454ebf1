"""Many connections that do nothing, and readers that do not read: what they cost the room and the others.

    python -m tests.benchmarks.bench_crowd [--connections 10000] [--seconds 30] [--tables 20]

Memory is the server's resident memory for each connection that has said hello and watches the lobby. The longest stop
of the event loop is measured inside the server, by a callback every 10 ms; its CPU time tells a stop of our own from
one by other processes. Stuck readers are spectators, one a table, whose sockets fill up.
"""

import argparse
import contextlib
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.benchmarks.load import Client, Load
from tests.benchmarks.plays import RoomPlay
from tests.benchmarks.rooms import CHIPS, WITH_A_HEART, prepare, room
from tests.benchmarks.servers import LOAD_CORE, Server, more_files

SEATS = 6
SLICE_S = 1.0
PAIRS = 3
GONE_WITHIN_S = 15
NARROW_BYTES = 4_096
ESTABLISHED = 1
"""The state of a TCP connection that nobody has closed."""
HELLO = b'{"type":"hello","id":"h","protocol":1}'
WATCH = b'{"type":"watch","id":"w","table":"%b"}'
PING = b'{"type":"ping","id":"%d"}'


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--connections", type=int, default=10_000)
    given.add_argument("--seconds", type=float, default=30)
    given.add_argument("--tables", type=int, default=20)
    chosen = given.parse_args()
    more_files()
    os.sched_setaffinity(0, {LOAD_CORE})
    with opened(tables=0) as (server, _):
        idle(server, chosen.connections, chosen.seconds)
    with opened(tables=chosen.tables) as (server, play):
        assert play is not None
        stuck(server, play, chosen.tables)


@contextlib.contextmanager
def opened(tables: int) -> Iterator[tuple[Server, RoomPlay | None]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'room.db'}"
        seating = prepare(url, folder, tables, SEATS)
        with room(url, folder, WITH_A_HEART) as server:
            yield server, RoomPlay(server.address, seating, CHIPS) if tables else None


def visitor(server: Server, table: str, narrow: bool = False) -> Client:
    """A spectator who watches."""
    client = Client(server.address, 0, 0)
    if narrow:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW_BYTES)
    client.upgrade("/api/v1/ws")
    for said in (HELLO, WATCH % table.encode()):
        client.say(said)
        client.hear()
    return client


def idle(server: Server, connections: int, seconds: float) -> None:
    before, cpu, began = server.rss_kib(), server.cpu_ns(), time.perf_counter()
    server.longest_stop()
    clients = [visitor(server, "lobby") for _ in range(connections)]
    took = time.perf_counter() - began
    each, grown = (server.cpu_ns() - cpu) / 1e3 / connections, (server.rss_kib() - before) / connections
    print(f"{connections} connections, each with hello and watch: {each:.0f} CPU us and {grown:.1f} KiB each,")
    print(f"  {connections / took:.0f} a second, one after the other")
    print(f"  longest stop while they came: {stop(server)}")
    cpu, pings, began, pace = server.cpu_ns(), 0, time.perf_counter(), threading.Event()
    while time.perf_counter() - began < seconds:
        for client in clients[pings % connections :][:100]:
            client.say(PING % pings)
            client.hear()
            pings += 1
        pace.wait(0.1)
    print(f"  {pings} pings in {seconds:g} s: {(server.cpu_ns() - cpu) / 1e3 / pings:.0f} CPU us each, with all else")
    print(f"  longest stop with all of them there: {stop(server)}; {server.rss_kib() / 1024:.0f} MiB in all")
    for client in clients:
        client.socket.close()


def stop(server: Server) -> str:
    told = server.longest_stop()
    return f"{told['cpu_ms']:.1f} ms of our own, {told['wall_ms']:.1f} ms by the clock"


def stuck(server: Server, play: RoomPlay, tables: int) -> None:
    """Slices without and with a stuck reader at every table, in turns."""
    load = Load(play, server.cpu_ns)
    for _ in range(2):
        load.slice(SLICE_S)
    names = play.tables()
    server.longest_stop()
    rates, costs, gone, memory = [], [], [], server.rss_kib()
    for _ in range(PAIRS):
        without = load.slice(SLICE_S)
        readers = [visitor(server, name, narrow=True) for name in names]
        began = time.perf_counter()
        with_them = load.slice(SLICE_S)
        rates.append((with_them.actions / with_them.seconds) / (without.actions / without.seconds))
        costs.append(with_them.us / without.us)
        while readers and time.perf_counter() - began < GONE_WITHIN_S:
            load.slice(SLICE_S / 2)
            readers = [reader for reader in readers if not is_gone(reader)]
        gone.append(time.perf_counter() - began)
        assert not readers, f"{len(readers)} stuck readers are still there after {GONE_WITHIN_S} s"
    print(
        f"{tables} tables with a stuck reader each, in {PAIRS} rounds: the others' rate {median(rates):.2f} of before,"
    )
    print(
        f"  CPU an action {median(costs):.2f} of before, the last of the stuck was gone after {max(gone):.1f} s,"
        f" memory grew by {(server.rss_kib() - memory) / 1024:.1f} MiB; longest stop {stop(server)}"
    )
    load.close()


def is_gone(reader: Client) -> bool:
    """Whether the server has dropped it. A peek: a stuck reader takes nothing."""
    return reader.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED


if __name__ == "__main__":
    main()

"""The room, put together from its settings, served and stopped. The only place that knows all of the parts."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import TYPE_CHECKING

import uvicorn

from fullring import pidfile, store, telling
from fullring.bots.house import HouseBots
from fullring.history import ohh_write, phh_write, text_write
from fullring.rules.record import HandRecord
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime import sweeper
from fullring.runtime.audience import Encoder
from fullring.runtime.chance import Shuffle, shuffled
from fullring.runtime.clock import Clock, WallClock
from fullring.runtime.local import LocalBus
from fullring.runtime.meter import Meter
from fullring.runtime.ports import AlreadyOwned, Deposed, LogUnavailable
from fullring.runtime.pulse import Pulse
from fullring.runtime.tables import Room
from fullring.settings import Settings
from fullring.stopping import Stopping
from fullring.store import migrate, prune, seal
from fullring.table.ids import TableId
from fullring.web.application import create_app
from fullring.web.fast_socket import FastConfig, FastSocket, RoomSocket
from fullring.web.intake import RoomHttp
from fullring.web.limits import FRAME_BYTES_READ, Limits
from fullring.web.site import Site
from fullring.web.warden import Warden
from fullring.wire.codec import encode, frame, framed, joiner
from fullring.wire.errors import CloseCode

if TYPE_CHECKING:
    from fullring.traces import Traces

TABLE_NAMES = "Magnolia Juniper Hawthorn Sycamore Cypress Laurel Rowan Tamarind Willow Aspen Linden Mulberry".split()
"""What the room's own tables are called, in order; then with a number."""
BACKLOG = 4_096
UNSENT_BYTES = 32_768
"""What the kernel takes for a connection beyond what is on its way: a reader that lags is noticed early."""
FAREWELL_S = 0.4
"""How long clients have to take the news that the room stops."""
AGAIN_S = 1.0
"""After so long a room that waits tries again where it could not begin."""

_log = logging.getLogger(__name__)


async def serve(settings: Settings, ready: Callable[[str], None], *, wait: bool = False) -> None:
    """Serves until SIGTERM or SIGINT. ``ready`` gets the address once the room takes connections.

    With ``wait`` it begins when nobody else runs the room any more. Raises OSError where the address can't be had,
    AlreadyOwned, Deposed, WrongSchema, LogUnavailable, ValueError.
    """
    while True:
        if wait:
            await store.vacancy(settings.database, lambda sentence: _log.warning("waiting: %s", sentence))
        try:
            return await _serve(settings, ready)
        except Deposed:
            raise
        except (AlreadyOwned, LogUnavailable) as error:
            if not wait:
                raise
            _log.warning("waiting again: %s", error)
            await asyncio.sleep(AGAIN_S)


async def _serve(settings: Settings, ready: Callable[[str], None]) -> None:
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        async with open_house(settings) as house, pidfile.held(settings.data):
            server = RoomServer(house, settings, lambda: ready(address(listener)))
            loop = asyncio.get_running_loop()
            Stopping(house.drain, server.stop, settings.drain_seconds).listen(loop)
            sweeper.tune()
            watching = loop.create_task(_until_lost(house, server))
            await server.serve([listener])
            watching.cancel()
            if house.lost.is_set():
                raise Deposed("another process has taken over the room")


async def _until_lost(house: "House", server: "RoomServer") -> None:
    await house.lost.wait()
    server.stop()


class House:
    """A room that is open, with its bots, and what the web needs of it."""

    def __init__(self, site: Site, bots: HouseBots, lost: asyncio.Event) -> None:
        self.site = site
        self.bots = bots
        self.lost = lost
        """Set when another process has taken over the room."""

    async def drain(self, within_s: float | None) -> None:
        """Deal no new hand, and tell everybody. Returns when none is played any more, or after so long."""
        site = self.site
        site.draining = True
        text = "the room restarts: no new hand until it is back"
        if within_s is not None:
            text += f"; those in play have {within_s:.0f} s, and then go on where they were"
        notice = {"type": "notice", "kind": "restart", "at": site.clock.now(), "text": text}
        site.connections.notify(framed(notice))
        _log.info("draining: hands are played at %d tables", site.room.in_play())
        await site.room.drain(within_s)

    async def stop(self) -> None:
        """Take nothing more, finish what is being written, and tell everybody. Doing it twice is no fault."""
        site = self.site
        if site.open:
            site.open = False
            text = "the room restarts: come back in a moment"
            notice = {"type": "notice", "kind": "restart", "at": site.clock.now(), "text": text}
            site.connections.notify(framed(notice))
        site.sweeper.stop()
        await self.bots.stop()
        await site.room.stop()
        await site.connections.part(CloseCode.GOING_AWAY, "the room restarts", FAREWELL_S)


@contextlib.asynccontextmanager
async def open_house(
    settings: Settings, *, clock: Clock | None = None, shuffle: Shuffle = shuffled
) -> AsyncIterator[House]:
    """The room on its database, going on where it was, with tables and bots as the settings say. Stopped at the end."""
    clock = clock or WallClock()
    url = settings.database
    settings.data.mkdir(parents=True, exist_ok=True)
    keys = seal.key_file(settings.seal_key_path)
    await migrate.upgrade(url)
    opened = await store.open(url, seal_keys=keys, lease_ms=round(settings.lease_seconds * 1000))
    traces = start_traces() if settings.traces else None
    try:
        meter = Meter(None if traces is None else traces.hear)
        room = Room(opened.log, opened.ownership, clock, shuffle, Encoder(encode, frame, joiner), LocalBus(), meter)
        site = Site(
            room=room,
            accounts=opened.accounts,
            ledger=opened.ledger,
            hands=opened.hands,
            admin=opened.admin,
            settings=settings.model_dump(mode="json"),
            database="sqlite" if opened.database.is_sqlite else "postgresql",
            clock=clock,
            sweeper=sweeper.Sweeper(clock, room.in_play),
            limits=limits(settings),
            write_phh=_phh,
            write_phhs=phh_write.write_many,
            write_text=text_write.write_many,
            write_ohh=ohh_write.write,
            leased=opened.leased,
        )
        if traces is not None:
            site.around = traces.around
        think_ms = settings.bot_think_min_ms, settings.bot_think_max_ms
        outcast = site.standing.outcast
        bots = HouseBots(room, opened.accounts, outcast, clock=clock, dice=Random(), think_ms=think_ms)
        house = House(site, bots, opened.ownership.lost)
        warden = Warden(site)
        courier = telling.courier(settings, opened, clock, meter)
        await courier.listen()
        await room.start()
        try:
            courier.start()
            await warden.start()  # Before the bots, who are let in by what it knows.
            await bots.seat(await _own_tables(room, settings), settings.house_bots)
            site.sweeper.start()
            site.open = True
            keep, archive = settings.journal_keep_days, settings.journal_archive
            async with prune.regularly(opened.database, clock.now, keep, archive):
                yield house
        finally:
            await warden.stop()
            await house.stop()
            await courier.stop()
    finally:
        await opened.close()
        if traces is not None:
            traces.stop()


def start_traces() -> "Traces":
    from fullring import traces  # Only a room that traces loads it, and what it takes.

    return traces.start()


def limits(settings: Settings) -> Limits:
    return Limits(
        table_defaults=settings.table_defaults(),
        guests=settings.guests,
        guest_chips=settings.guest_chips,
        account_chips=settings.account_chips,
        guests_per_minute=settings.guests_per_minute,
        logins_per_minute=settings.logins_per_minute,
        frames_per_second=settings.frames_per_second,
        frames_burst=settings.frames_burst,
        heartbeat_seconds=settings.heartbeat_seconds,
        silent_seconds=settings.silent_seconds,
        handshakes_per_second=settings.handshakes_per_second,
        connections_max=settings.connections_max,
        origins=frozenset(settings.origins),
        metrics_token=None if settings.metrics_token is None else settings.metrics_token.get_secret_value(),
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket at that address, for the server to take connections from. Raises OSError."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)  # Its connections inherit it.
    return listener


def address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class RoomServer(uvicorn.Server):
    """uvicorn, which tells clients why they are sent away, and leaves signals to whoever runs it."""

    def __init__(self, house: House, settings: Settings, ready: Callable[[], None]) -> None:
        super().__init__(
            FastConfig(
                create_app(house.site),
                loop="none",
                http=RoomHttp,
                ws=FastSocket if settings.fast_sockets else RoomSocket,
                lifespan="off",
                interface="asgi3",
                ws_per_message_deflate=False,
                ws_max_size=FRAME_BYTES_READ,
                ws_ping_interval=None,  # Clients send pings of their own, which prove that the client lives too.
                ws_ping_timeout=None,
                access_log=False,
                log_config=None,
                log_level="warning",
                backlog=BACKLOG,
                server_header=False,
                proxy_headers=bool(settings.proxies),
                forwarded_allow_ips=list(settings.proxies),
                timeout_graceful_shutdown=1,
            )
        )
        self._house = house
        self._pulse = Pulse(house.site.room.meter.lag)
        self._ready = ready

    def stop(self) -> None:
        """Begin to stop; the second time, don't wait for anybody."""
        self.force_exit = self.should_exit
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._pulse.start()
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._pulse.stop()
        await self._house.stop()
        await super().shutdown(sockets)


async def _own_tables(room: Room, settings: Settings) -> list[TableId]:
    """The room's own tables: without a host. More are opened until there are as many public ones as settings say."""
    taken = {row["name"] for row in room.summaries()}
    free = (name for name in _own_names() if name not in taken)
    for _ in range(settings.tables - len(room.summaries())):
        await room.open_table(replace(settings.table_defaults(), name=next(free)), None)
    own = set(islice(_own_names(), settings.tables))
    hosted = {known.id for known in room.all_known() if known.owner is not None}
    return [row["id"] for row in room.summaries() if row["name"] in own and row["id"] not in hosted]


def _own_names() -> Iterator[str]:
    yield from TABLE_NAMES
    for number in count(2):
        yield from (f"{name} {number}" for name in TABLE_NAMES)


def _phh(record: HandRecord) -> str:
    try:
        return phh_write.write(record)
    except phh_write.NotExpressible as error:
        raise Refused(Refusal.NOT_FOUND, error.text) from None

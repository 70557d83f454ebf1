"""What the routes and the socket work with: the ports, the limits, and what is remembered about who comes in."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Accounts, Ledger
from fullring.runtime.admin import Admin
from fullring.runtime.clock import Clock
from fullring.runtime.ports import Hands
from fullring.runtime.sweeper import Sweeper
from fullring.runtime.tables import Room
from fullring.table.ids import AccountId, Millis
from fullring.web.connections import Connections
from fullring.web.limits import (
    ADDRESSES_MAX,
    EXPORTS_MAX,
    EXPORTS_WAITING,
    SEARCHES_MAX,
    SEARCHES_WAITING,
    Limits,
)
from fullring.web.rates import Bucket, Buckets
from fullring.web.standing import SUBSCRIBER_BITS, Standing
from fullring.web.tickets import Tickets
from fullring.web.turns import Turns

Received = Callable[[str | bytes], None]


def _as_it_is(received: Received) -> Received:
    return received


@dataclass(slots=True)
class Site:
    """Made once, by ``create_app``."""

    room: Room
    accounts: Accounts
    ledger: Ledger
    hands: Hands
    admin: Admin
    clock: Clock
    sweeper: Sweeper
    limits: Limits
    write_phh: Callable[[HandRecord], str]
    """Raises Refused for a hand that PHH has no words for."""
    write_phhs: Callable[[Iterable[HandRecord]], str]
    write_text: Callable[[Iterable[HandRecord], str | None], str]
    """Of whole records: it cuts them for that account, as the next one does."""
    write_ohh: Callable[[HandRecord, str | None], str]
    open: bool = False
    """Whether the room has started and does not stop."""
    leased: Callable[[], bool] = lambda: True
    """Whether the room's lease was renewed in time, which is a write like any other."""
    around: Callable[[Received], Received] = _as_it_is
    """What sees every message of a socket on its way; nothing unless the room is traced."""
    draining: bool = False
    """Whether no new hand starts, as the room is to stop."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Those in force, as an admin may see them."""
    database: str = "sqlite"
    started_at: Millis = field(init=False)
    standing: Standing = field(init=False)
    in_hand: set[tuple[AccountId, str]] = field(default_factory=set)
    """Keys of changes that are being made: each is made once."""
    connections: Connections = field(init=False)
    tickets: Tickets = field(init=False)
    openings: Buckets = field(init=False)
    logins: Buckets = field(init=False)
    handshakes: Bucket = field(init=False)
    exports: Turns = field(init=False)
    searches: Turns = field(init=False)
    posts: Buckets = field(init=False)
    """Commands that come without a socket, by account."""

    def log_takes(self) -> bool:
        """Whether what must last can be written: the last row was, and the lease is."""
        meter = self.room.meter
        return meter.written_at >= meter.failed_at and self.leased()

    def __post_init__(self) -> None:
        limits = self.limits
        self.connections = Connections(self.clock)
        self.tickets = Tickets()
        self.started_at = self.clock.now()
        self.standing = Standing(self.admin)
        self.openings = Buckets(per_minute=limits.guests_per_minute, keys_max=ADDRESSES_MAX)
        self.logins = Buckets(per_minute=limits.logins_per_minute, keys_max=ADDRESSES_MAX)
        self.exports = Turns(at_once=EXPORTS_MAX, waiting=EXPORTS_WAITING)
        self.searches = Turns(at_once=SEARCHES_MAX, waiting=SEARCHES_WAITING)
        per_minute = 60 * limits.frames_per_second
        self.posts = Buckets(per_minute=per_minute, burst=limits.frames_burst, keys_max=ADDRESSES_MAX)
        rate = limits.handshakes_per_second
        self.handshakes = Bucket(burst=rate, per_second=rate, now=self.clock.now())


def _here(connection: HTTPConnection) -> Site:
    site = connection.app.state.site
    assert isinstance(site, Site)
    return site


Here = Annotated[Site, Depends(_here)]


def address(connection: HTTPConnection) -> str:
    """Who connects, as far as rates go: an IPv4 address, or the network of an IPv6 one."""
    host = connection.client.host if connection.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:  # As a proxy that listens to both on one socket writes it.
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> SUBSCRIBER_BITS << SUBSCRIBER_BITS))
    return host

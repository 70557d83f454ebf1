"""What the room lets in from outside, and how much of it. ``app`` makes this from the settings."""

from dataclasses import dataclass, field

from fullring.rules.actions import Chips
from fullring.table.settings import TableSettings

FRAME_BYTES = 8_192
"""A larger frame from a client is refused; see UNREADABLE_MAX in connection.py for those who go on."""
FRAME_BYTES_READ = 65_536
"""A frame larger than this is not even read: the socket is closed with 1009."""
BODY_BYTES = 65_536
"""The largest body of an HTTP request; a larger one is refused with 413."""
PAGE_MAX = 200
"""Entries on a page of a list. Who asks for more gets a 422."""
EXPORTS_MAX, EXPORTS_WAITING = 2, 20
"""Exports of all of somebody's hands that are written at the same time, and that wait. One more gets a 429."""
SEARCHES_MAX, SEARCHES_WAITING = 4, 60
"""The same for searches among the finished hands."""
TOKENS_MAX = 50
"""Personal access tokens an account may have."""
TICKET_SECONDS = 30
TICKETS_EACH = 8
"""Tickets of one account that wait for their socket. One more takes the place of its oldest."""
TICKETS_MAX = 10_000
"""Tickets that wait for their socket. When they are more, the oldest is forgotten."""
ADDRESSES_MAX = 20_000
"""Addresses and names whose rate is remembered; see rates.py for what happens beyond."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The choices of ``fullring.settings`` that concern the outside; they are explained there."""

    table_defaults: TableSettings
    guests: bool
    guest_chips: Chips
    account_chips: Chips
    guests_per_minute: int
    logins_per_minute: int
    frames_per_second: int
    frames_burst: int
    heartbeat_seconds: int
    silent_seconds: int
    handshakes_per_second: int
    connections_max: int
    origins: frozenset[str]
    metrics_token: str | None = field(default=None, repr=False)

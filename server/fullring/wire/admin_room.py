"""The bodies of HTTP requests and answers under ``/api/v1/admin`` about tables, connections, and the room itself.

None has a place for a hidden card or a token.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from fullring.wire.fields import (
    ChatText,
    Chips,
    Count,
    GameCode,
    Id,
    Name,
    Shape,
    Time,
)
from fullring.wire.view import Settings, TableView


class AdminTable(Shape):
    """A table of the room, open or closed, with or without a join code. What only an open one has is absent else.

    ``next_settings`` hold from the next hand on.
    """

    id: Id
    name: str
    game: GameCode
    state: Literal["open", "closed"]
    owner: Id | None = None
    opened_at: Time
    settings: Settings
    next_settings: Settings | None = None
    status: Literal["waiting", "playing", "paused", "closing"] | None = None
    taken: Count | None = None
    waiting: Count | None = None
    watching: Count | None = None
    hands: Count | None = None
    """Hands dealt so far."""


class AdminTableList(Shape):
    """Newest first; ``next`` is the cursor of the page after this one."""

    tables: list[AdminTable]
    next: str | None = None


class AdminTableDetail(AdminTable):
    """With the public view of an open table."""

    view: TableView | None = None


class TableEdit(Shape):
    """What is to be another way. What is left out stays; a ``join_code`` of null makes the table public."""

    name: Name | None = None
    game: GameCode | None = None
    small_blind: Annotated[Chips, Field(ge=1)] | None = None
    big_blind: Annotated[Chips, Field(ge=1)] | None = None
    ante: Chips | None = None
    big_blind_ante: Chips | None = None
    buy_in_min: Annotated[Chips, Field(ge=1)] | None = None
    buy_in_max: Annotated[Chips, Field(ge=1)] | None = None
    turn_seconds: Annotated[float, Field(ge=0.1, le=600)] | None = None
    time_bank_seconds: Annotated[float, Field(ge=0, le=600)] | None = None
    hand_pause_ms: Annotated[int, Field(ge=0, le=60_000)] | None = None
    show_all: bool | None = None
    dead_button: bool | None = None
    jitter_ms: Annotated[int, Field(ge=0, le=5_000)] | None = None
    ratholing_minutes: Annotated[int, Field(ge=0, le=10_080)] | None = None
    rake_bps: Annotated[int, Field(ge=0, le=1_000)] | None = None
    rake_cap: Chips | None = None
    join_code: Annotated[str | None, Field(min_length=1, max_length=64, repr=False)] = None
    reason: ChatText | None = None


class Message(Shape):
    text: ChatText


class Announcement(Shape):
    """``at`` is when that which is announced happens, where it has an hour."""

    text: ChatText
    at: Time | None = None


class Reached(Shape):
    """How many connections it went to."""

    connections: Count


class ConnectionRow(Shape):
    """A socket. Without ``account`` it is a spectator's; ``greeted`` is False before its hello was answered.

    ``queued`` are answers that wait to be sent; ``lag_ms`` is for how long something has waited.
    """

    id: Id
    account: Id | None = None
    name: str | None = None
    address: str
    client: str | None = None
    since: Time
    heard_at: Time
    greeted: bool
    tables: list[Id]
    queued: Count
    lag_ms: Count


class ConnectionList(Shape):
    """Oldest first; ``next`` is the cursor of the page after this one, ``total`` counts all that are open."""

    connections: list[ConnectionRow]
    total: Count
    next: str | None = None


class RunningHand(Shape):
    """A hand in play as every spectator sees it."""

    table: Id
    hand: Id
    started_at: Time
    view: TableView


class RunningHands(Shape):
    """``next`` is the cursor of the page after this one."""

    hands: list[RunningHand]
    next: str | None = None


class AuditEntry(Shape):
    """Who did what to whom, and what that changed. ``by`` is absent for the operator at the command line."""

    id: Id
    at: Time
    by: Id | None = None
    by_name: str | None = None
    via: Literal["http", "cli"]
    address: str | None = None
    action: str
    target: Id | None = None
    target_name: str | None = None
    reason: str | None = None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


class Audit(Shape):
    """Newest first; ``next`` is the cursor of the page after this one."""

    entries: list[AuditEntry]
    next: str | None = None


class Counts(Shape):
    accounts: Count
    tables: Count
    hands_in_play: Count
    hands_played: Count
    seats_taken: Count
    connections: Count
    chips_with_accounts: Count
    chips_on_tables: Count


class System(Shape):
    """``settings`` are those in force, by their names; of a secret one only whether it is set."""

    version: str
    time: Time
    started_at: Time
    uptime_ms: Count
    database: Literal["sqlite", "postgresql"]
    counts: Counts
    settings: dict[str, Any]

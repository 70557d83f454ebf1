"""The bodies of HTTP requests and answers under ``/api/v1/admin``.

None has a place for a hidden card or a token. A password stands in two answers, once: the one that was just made.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from fullring.wire.fields import (
    AccountKind,
    AskedChips,
    ChatText,
    Chips,
    Count,
    GameCode,
    Id,
    MessageId,
    Name,
    Shape,
    Time,
)
from fullring.wire.server import SeatHeld
from fullring.wire.view import Settings, TableView

RoleName = Literal["player", "host", "admin"]
Address = Annotated[str, Field(min_length=2, max_length=64, description="an IP address, or a network as in 10.0.0.0/8")]


class Restriction(Shape):
    """What an account may not do, or an address or a name. Without ``until`` it holds until it is lifted."""

    reason: str
    since: Time
    until: Time | None = None
    by: Id | None = None
    """The admin's account; absent where the operator did it at the command line."""


class AccountRow(Shape):
    """An account in a list. ``chips`` are those with the cashier, not those on tables."""

    id: Id
    name: str
    kind: AccountKind
    role: RoleName
    chips: Chips
    created_at: Time
    connected: bool
    seats: list[SeatHeld]
    muted: Restriction | None = None
    banned: Restriction | None = None
    disabled: Restriction | None = None


class AccountList(Shape):
    """By name; ``next`` is the cursor of the page after this one."""

    accounts: list[AccountRow]
    next: str | None = None


class TokenRow(Shape):
    """What the account may log in with, without its secret. A session has no name."""

    id: Id
    name: str | None = None
    scopes: list[str]
    created_at: Time
    connected: bool
    """Whether the account's socket was opened with it."""


class AccountDetail(AccountRow):
    tokens: list[TokenRow]
    tables_opened: Count


class AccountToOpen(Shape):
    """Without a password the room makes one. ``chips`` left out are as for everybody who registers."""

    name: Name
    password: Annotated[str | None, Field(min_length=8, max_length=200, repr=False)] = None
    role: RoleName = "player"
    chips: Chips | None = None
    reason: ChatText | None = None


class AccountMade(Shape):
    """``password`` is there where the room made it, and is shown this once."""

    account: AccountRow
    password: Annotated[str | None, Field(repr=False)] = None


class Rename(Shape):
    name: Name
    reason: ChatText | None = None


class RoleWanted(Shape):
    role: RoleName
    reason: ChatText | None = None


class Mute(Shape):
    until: Time
    reason: ChatText


class Ban(Shape):
    """Without ``until``: for good."""

    until: Time | None = None
    reason: ChatText


class Disabling(Shape):
    reason: ChatText


class ChipsMoved(Shape):
    """Chips from the house; below zero they go back. ``key`` may stand in the header ``Idempotency-Key`` instead."""

    amount: AskedChips
    reason: ChatText
    key: MessageId | None = None


class PasswordReset(Shape):
    reason: ChatText | None = None


class Ended(Shape):
    """So many tokens are good no longer."""

    account: Id
    ended: Count


class Blocked(Shape):
    """An address, a network, or a name that may not be used here."""

    id: Id
    kind: Literal["address", "name"]
    value: str
    reason: str
    since: Time
    until: Time | None = None
    by: Id | None = None


class Blocklist(Shape):
    """Newest first."""

    entries: list[Blocked]


class BlockWanted(Shape):
    """One of ``address`` and ``name``."""

    address: Address | None = None
    name: Name | None = None
    reason: ChatText
    until: Time | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.address is None) == (self.name is None):
            raise ValueError("either address or name must be set")
        return self


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

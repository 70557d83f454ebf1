"""The bodies of HTTP requests and answers under ``/api/v1``."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from fullring.wire.errors import ErrorCode
from fullring.wire.events import Event
from fullring.wire.fields import (
    SAFE_INTEGER,
    AccountKind,
    Card,
    ChatText,
    Chips,
    Count,
    GameCode,
    Id,
    Name,
    SeatNo,
    Shape,
    Time,
)
from fullring.wire.server import Account, SeatHeld
from fullring.wire.view import Settings, TableInfo, TableView

Password = Annotated[str, Field(min_length=8, max_length=200, repr=False)]
Secret = Annotated[str, Field(repr=False)]
Scope = Literal["read", "play", "host", "admin:read", "admin:chips", "admin:players", "admin:tables"]


class Problem(Shape):
    """RFC 9457, sent as ``application/problem+json``. ``code`` is stable; ``detail`` is for people."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: Annotated[ErrorCode, Field(strict=False)]


class GuestWanted(Shape):
    """Without a name the room picks one."""

    name: Name | None = None


class AccountWanted(Shape):
    name: Name
    password: Password


class PasswordChange(Shape):
    """``password`` is the one so far."""

    password: Annotated[str, Field(min_length=1, max_length=200, repr=False)]
    new: Password


class Credentials(Shape):
    name: Name
    password: Annotated[str, Field(min_length=1, max_length=200, repr=False)]


class AccountOpened(Shape):
    """``token`` is shown this once."""

    account: Account
    token: Secret


class Me(Shape):
    account: Account
    seats: list[SeatHeld]


class LedgerEntry(Shape):
    """One movement of an account's chips; ``amount`` is negative where they went to a table."""

    id: Id
    at: Time
    reason: str
    amount: Annotated[int, Field(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]
    balance: Chips
    table: Id | None = None


class Ledger(Shape):
    """Newest first; ``next`` is the cursor of the page after this one."""

    entries: list[LedgerEntry]
    next: str | None = None


class TokenWanted(Shape):
    name: Name
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=7)]
    kind: Literal["bot"] | None = None


class TokenMade(Shape):
    """``token`` is shown this once; ``id`` is what deletes it."""

    id: Id
    name: str
    scopes: list[Scope]
    token: Secret


class TokenKept(Shape):
    """A personal access token without its secret. ``kind`` is what plays with it."""

    id: Id
    name: str
    scopes: list[str]
    kind: AccountKind
    created_at: Time


class TokenList(Shape):
    """Oldest first, without those of sessions."""

    tokens: list[TokenKept]


class Ticket(Shape):
    """Good for one ``hello`` within 30 s."""

    ticket: Secret


class TableList(Shape):
    tables: list[TableInfo]


class TableDetail(TableInfo):
    """One table with its settings and the public view as it is now."""

    settings: Settings
    view: TableView


class TableWanted(Shape):
    """A table to open. What is left out takes the room's defaults."""

    name: Name
    game: GameCode
    seats: Annotated[int, Field(ge=2, le=10)]
    small_blind: Annotated[Chips, Field(ge=1)]
    big_blind: Annotated[Chips, Field(ge=1)]
    ante: Chips = 0
    big_blind_ante: Chips = 0
    buy_in_min: Annotated[Chips, Field(ge=1)]
    buy_in_max: Annotated[Chips, Field(ge=1)]
    turn_seconds: Annotated[float, Field(ge=0.1, le=600)] | None = None
    time_bank_seconds: Annotated[float, Field(ge=0, le=600)] | None = None
    hand_pause_ms: Annotated[int, Field(ge=0, le=60_000)] | None = None
    jitter_ms: Annotated[int, Field(ge=0, le=5_000)] | None = None
    show_all: bool = False
    dead_button: bool = False
    ratholing_minutes: Annotated[int, Field(ge=0, le=10_080)] | None = None
    rake_bps: Annotated[int, Field(ge=0, le=1_000)] = 0
    rake_cap: Chips = 0
    join_code: Annotated[str | None, Field(min_length=1, max_length=64, repr=False)] = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.small_blind > self.big_blind:
            raise ValueError(f"small_blind must be at most the big blind of {self.big_blind}")
        if self.buy_in_min > self.buy_in_max:
            raise ValueError(f"buy_in_min must be at most buy_in_max, {self.buy_in_max}")
        if self.ante and self.big_blind_ante:
            raise ValueError("ante and big_blind_ante must not both be set")
        if self.rake_bps and not self.rake_cap:
            raise ValueError("rake_bps needs rake_cap, the most that is taken of a hand")
        return self


class Reason(Shape):
    """Why a table is closed or paused; told to everybody there."""

    reason: ChatText | None = None


class Kick(Shape):
    account: Id
    reason: ChatText | None = None


class Granted(Shape):
    """``chips`` is what the account has now."""

    account: Id
    chips: Chips


class HandPlayer(Shape):
    """A seat dealt in. ``cards`` are there where the asking viewer may see them."""

    seat: SeatNo
    account: Id
    name: str
    stack_start: Chips
    stack_end: Chips
    cards: list[Card] | None = None


class HandSummary(Shape):
    """A finished hand in a list. ``pot`` is all that was awarded."""

    id: Id
    table: Id
    number: Count
    game: GameCode
    started_at: Time
    ended_at: Time
    small_blind: Chips
    big_blind: Chips
    button: SeatNo
    board: list[Card]
    pot: Chips
    players: list[HandPlayer]


class HandRecord(HandSummary):
    """A finished hand with all that happened in it, as the asking viewer may see it."""

    events: list[Event]


class HandList(Shape):
    """Newest first; ``next`` is the cursor of the page after this one."""

    hands: list[HandSummary]
    next: str | None = None

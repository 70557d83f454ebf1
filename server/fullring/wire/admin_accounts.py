"""The bodies of HTTP requests and answers under ``/api/v1/admin`` about accounts, addresses and names.

None has a place for a hidden card or a token. A password stands in two answers, once: the one that was just made.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fullring.wire.fields import (
    AccountKind,
    AskedChips,
    ChatText,
    Chips,
    Count,
    Id,
    MessageId,
    Name,
    Shape,
    Time,
)
from fullring.wire.server import SeatHeld

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

"""What admins, and the operator at the command line, need of the store: every change with a line in the audit log.

A change and its line are one transaction. What is not kept in the database is noted by itself, with ``record``.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from fullring.rules.actions import Chips
from fullring.rules.value import value
from fullring.runtime.accounts import Account
from fullring.runtime.audit import AuditLine, AuditQuery, By, Facts
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.settings import TableSettings


class Restricted(StrEnum):
    """What is kept from an account: to chat, to come in for a while or for good, to exist."""

    MUTED = "muted"
    BANNED = "banned"
    DISABLED = "disabled"


@value
class Restriction:
    """Without ``until`` it holds until it is lifted, as a block does."""

    account: AccountId
    kind: Restricted
    reason: str
    since: Millis
    until: Millis | None = None
    by: AccountId | None = None


class Barred(StrEnum):
    """What a block is of: an address or a network, or a name."""

    ADDRESS = "address"
    NAME = "name"


@value
class Block:
    id: str
    kind: Barred
    value: str
    reason: str
    since: Millis
    until: Millis | None = None
    by: AccountId | None = None


def holds(one: Restriction | Block, now: Millis) -> bool:
    return one.until is None or now < one.until


@value
class AccountQuery:
    """By name. ``name`` and ``id`` are beginnings; ``after`` is the account to page from."""

    name: str | None = None
    id: str | None = None
    role: str | None = None
    after: AccountId | None = None
    limit: int = 50


@value
class KnownToken:
    """A token without its secret; a session's has no name."""

    id: str
    name: str | None
    scopes: tuple[str, ...]
    created_at: Millis


@value
class KnownTable:
    """A table that is or was. ``settings`` are the newest that the database knows."""

    id: TableId
    open: bool
    owner: AccountId | None
    opened_at: Millis
    settings: TableSettings


@value
class Counts:
    accounts: int
    hands: int
    chips: Chips
    """With the cashier."""
    chips_on_tables: Chips


class NoAccount(Exception):
    """There is no such account."""


class Admin(Protocol):
    """Changes raise NoAccount where there is none, and Repeated for a key that was used; then nothing was done."""

    async def create(
        self, by: By, *, name: str, password: str | None, role: str, chips: Chips, reason: str | None
    ) -> tuple[Account, str]:
        """A registered account and its password, made where none is given.

        Raises NameTaken, TooMuch; ValueError for a name.
        """

    async def rename(self, by: By, account: AccountId, name: str, reason: str | None) -> None:
        """Raises NameTaken; ValueError for a name that is none."""

    async def set_role(self, by: By, account: AccountId, role: str, reason: str | None) -> None: ...

    async def restrict(
        self, by: By, account: AccountId, kind: Restricted, reason: str, until: Millis | None = None
    ) -> None:
        """In place of what held before. Who is disabled has no token left."""

    async def lift(self, by: By, account: AccountId, kind: Restricted) -> bool:
        """Whether there was something to lift."""

    async def grant(self, by: By, account: AccountId, amount: Chips, reason: str) -> Chips:
        """House chips to the account, below zero back; what it has then. ``by`` must have a key.

        Raises NotEnough, TooMuch.
        """

    async def new_password(self, by: By, account: AccountId, reason: str | None) -> str:
        """In place of the old one, and with all tokens gone. ValueError for a house bot, which has none."""

    async def end_sessions(self, by: By, account: AccountId) -> int:
        """All tokens of the account are gone: how many."""

    async def block(self, by: By, kind: Barred, value: str, reason: str, until: Millis | None) -> Block:
        """In place of a block of the same. ValueError for a name that is none."""

    async def unblock(self, by: By, block: str) -> bool: ...

    async def record(
        self,
        by: By,
        action: str,
        target: str | None = None,
        *,
        target_name: str | None = None,
        reason: str | None = None,
        before: Facts | None = None,
        after: Facts | None = None,
    ) -> None:
        """A line for what was done elsewhere."""

    async def done(self, account: AccountId, key: str) -> AuditLine | None:
        """What that admin did under that key."""

    async def audit(self, query: AuditQuery) -> Sequence[AuditLine]: ...

    async def mark(self) -> tuple[int, int]:
        """Of the log as it is: while it stays the same, nothing was changed."""

    async def restrictions(self, at: Millis) -> Sequence[Restriction]:
        """Those that hold."""

    async def blocks(self, at: Millis) -> Sequence[Block]:
        """Those that hold, newest first."""

    async def find(self, query: AccountQuery) -> Sequence[Account]: ...

    async def tokens(self, account: AccountId) -> Sequence[KnownToken]:
        """Sessions and personal ones, newest first."""

    async def tables(self, *, open: bool | None, after: TableId | None, limit: int) -> Sequence[KnownTable]:
        """Newest first; ``after`` is the table to page from."""

    async def table(self, table: str) -> KnownTable | None: ...

    async def tables_opened(self, account: AccountId) -> int: ...

    async def counts(self) -> Counts: ...

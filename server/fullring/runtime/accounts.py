"""Accounts, what proves whose they are, and the ledger of their chips, as the runtime and the web need them.

Like the other ports these hand out no token in clear but the one that was just made.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from fullring.rules.actions import Chips
from fullring.rules.value import value
from fullring.table.ids import AccountId, Millis


class Kind(StrEnum):
    GUEST = "guest"
    PLAYER = "player"
    BOT = "bot"


class Role(StrEnum):
    """What an account may do beside playing."""

    PLAYER = "player"
    HOST = "host"
    ADMIN = "admin"


@value
class Account:
    id: AccountId
    name: str
    kind: str
    role: str
    chips: Chips
    created_at: Millis


@value
class Credentials:
    """Who a token stands for. ``scopes`` limit it: "play", "read", "host", "admin"."""

    account: Account
    token: str
    scopes: frozenset[str]


@value
class TokenInfo:
    """A personal access token without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    kind: str
    created_at: Millis


class NameTaken(Exception):
    """Another account has that name; names differ by more than case."""


class Unauthorized(Exception):
    """No such account, wrong password, or a token that is unknown, revoked or used up."""


class NotEnough(Exception):
    """The account hasn't the chips."""


class TooMuch(Exception):
    """The account would have more chips than the house gives one. The text says how many that is."""


class TooManyTokens(Exception):
    """The account has as many personal access tokens as it may."""


class Accounts(Protocol):
    """Accounts and their tokens. Secrets come in clear once and are kept hashed."""

    async def create_guest(self, name: str | None, chips: Chips, at: Millis) -> tuple[Account, str]:
        """The account and its token, shown once. Without a name it gets one. Raises NameTaken."""

    async def register(self, name: str, password: str, chips: Chips, at: Millis) -> tuple[Account, str]: ...

    async def log_in(self, name: str, password: str, at: Millis) -> tuple[Account, str, Sequence[str]]:
        """With the ids of the sessions that end with it, as there are too many. Raises Unauthorized."""

    async def authenticate(self, token: str) -> Credentials:
        """Raises Unauthorized."""

    async def log_out(self, token: str) -> None: ...

    async def change_password(self, account: AccountId, password: str, new: str, kept: str) -> Sequence[str]:
        """The ids of the sessions that end with it: all but ``kept``. Raises Unauthorized for a wrong password."""

    async def account(self, account: AccountId) -> Account | None: ...

    async def find(self, name: str) -> Account | None: ...

    async def create_token(
        self,
        account: AccountId,
        name: str,
        scopes: Sequence[str],
        kind: str | None,
        at: Millis,
        asked_with: str | None = None,
        most: int | None = None,
    ) -> tuple[TokenInfo, str]:
        """A personal access token; ``kind`` "bot" makes a bot's token: it plays as this account, marked as a bot.

        ``asked_with`` is the id of the token that it is asked for with. Raises Unauthorized where that has ended, and
        TooManyTokens where the account has ``most`` personal ones.
        """

    async def tokens(self, account: AccountId) -> Sequence[TokenInfo]: ...

    async def revoke_token(self, account: AccountId, token_id: str) -> bool: ...

    async def set_role(self, account: AccountId, role: str) -> None: ...

    async def ensure_bot(self, name: str, chips: Chips, at: Millis) -> Account:
        """The house bot of that name, made if it isn't there, topped up from the house to at least ``chips``."""


@value
class LedgerEntry:
    """One movement on an account: positive came in. ``balance`` is what it left."""

    id: int
    at: Millis
    kind: str
    amount: Chips
    balance: Chips
    table: str | None
    reason: str | None


class Ledger(Protocol):
    """Double entry: every transaction's lines sum to zero."""

    async def entries(self, account: AccountId, before: int | None, limit: int) -> Sequence[LedgerEntry]:
        """Newest first; ``before`` is the id to page from."""

    async def grant(
        self, account: AccountId, amount: Chips, reason: str, key: str, by: AccountId | None, at: Millis
    ) -> Chips:
        """House chips to an account (negative takes them back); the new balance. The same key acts once.

        Raises NotEnough.
        """

    async def audit(self) -> Sequence[str]:
        """What does not add up, in sentences; empty when all does."""

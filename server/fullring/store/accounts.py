"""Accounts and what proves who somebody is. Passwords and tokens are kept hashed; in clear they are seen once."""

import hmac
import secrets
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from fullring.rules.actions import Chips
from fullring.runtime.accounts import (
    Account,
    Credentials,
    Kind,
    NameTaken,
    Role,
    TokenInfo,
    TooManyTokens,
    Unauthorized,
)
from fullring.store.blocks import refuse_blocked
from fullring.store.cashier import Cashier, Posting
from fullring.store.database import Database
from fullring.store.money import HOUSE, Purpose
from fullring.store.names import name_key, shown_name
from fullring.store.notes import account_created, note
from fullring.store.passwords import Passwords
from fullring.store.schema import accounts, tokens
from fullring.store.tokens import SCOPES, digest, hold, issue, session
from fullring.table.ids import AccountId, Millis

_GUEST_DIGITS = (4, 4, 4, 5, 5, 6, 8, 10, 12)
_ID_BYTES = 10

ACCOUNT: sa.Select[Any] = sa.select(
    accounts.c.id, accounts.c.name, accounts.c.kind, accounts.c.role, accounts.c.chips, accounts.c.created_at
)
_CREDENTIALS = (
    ACCOUNT.add_columns(tokens.c.id.label("token"), tokens.c.hash, tokens.c.scopes, tokens.c.kind.label("token_kind"))
    .join(tokens, tokens.c.account_id == accounts.c.id)
    .where(tokens.c.hash == sa.bindparam("wanted"))
)


class SqlAccounts:
    """`fullring.runtime.ports.Accounts` in SQL."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    async def create_guest(self, name: str | None, chips: Chips, at: Millis) -> tuple[Account, str]:
        """ValueError for a name with control characters or nothing to see."""
        if name is not None:
            return await self._open(name, Kind.GUEST, None, chips, at)
        for digits in _GUEST_DIGITS[:-1]:
            try:
                return await self._open(_guest_name(digits), Kind.GUEST, None, chips, at)
            except NameTaken:
                pass
        return await self._open(_guest_name(_GUEST_DIGITS[-1]), Kind.GUEST, None, chips, at)

    async def register(self, name: str, password: str, chips: Chips, at: Millis) -> tuple[Account, str]:
        """Raises NameTaken; ValueError as `create_guest` does."""
        if await self.find(name) is not None:  # Before the work of hashing.
            raise NameTaken(shown_name(name))
        return await self._open(name, Kind.PLAYER, await self._passwords.hashed(password), chips, at)

    async def log_in(self, name: str, password: str, at: Millis) -> tuple[Account, str, Sequence[str]]:
        account_id, known = await self._password(name)
        # A name that isn't there takes as long as a wrong password.
        right = await self._passwords.is_right(known or await self._passwords.nobodys(), password)
        if account_id is None or known is None or not right:
            raise Unauthorized("wrong name or password")
        better = await self._passwords.hashed(password) if self._passwords.is_weak(known) else None

        def work(connection: sa.Connection) -> tuple[Account, str, Sequence[str]]:
            _unchanged(connection, account_id, known)
            if better is not None:
                connection.execute(sa.update(accounts).where(accounts.c.id == account_id).values(password=better))
            token, ended = session(connection, account_id, at)
            return _one(connection, account_id), token, ended

        return await self._database.write(work)

    async def authenticate(self, token: str) -> Credentials:
        wanted = digest(token)
        row = await self._database.read(
            lambda connection: connection.execute(_CREDENTIALS, {"wanted": wanted}).one_or_none()
        )
        if row is None or not hmac.compare_digest(row.hash, wanted):
            raise Unauthorized("that token is not known here")
        account = account_of(row, kind=row.token_kind)
        return Credentials(account, row.token, frozenset(row.scopes.split()))

    async def log_out(self, token: str) -> None:
        ended = sa.delete(tokens).where(tokens.c.hash == digest(token))
        await self._database.write(lambda connection: connection.execute(ended).rowcount)

    async def change_password(self, account: AccountId, password: str, new: str, kept: str) -> Sequence[str]:
        which = sa.select(accounts.c.password).where(accounts.c.id == account)
        known = await self._database.read(lambda connection: connection.execute(which).scalar_one_or_none())
        if not await self._passwords.is_right(known or await self._passwords.nobodys(), password) or known is None:
            raise Unauthorized("wrong password")
        hashed = await self._passwords.hashed(new)
        sessions = (tokens.c.account_id == account, tokens.c.name.is_(None), tokens.c.id != kept)

        def work(connection: sa.Connection) -> Sequence[str]:
            _unchanged(connection, account, known)
            connection.execute(sa.update(accounts).where(accounts.c.id == account).values(password=hashed))
            ended = connection.execute(sa.select(tokens.c.id).where(*sessions)).scalars().all()
            connection.execute(sa.delete(tokens).where(*sessions))
            return ended

        return await self._database.write(work)

    async def account(self, account: AccountId) -> Account | None:
        return await self._database.read(lambda connection: first_account(connection, accounts.c.id == account))

    async def find(self, name: str) -> Account | None:
        try:
            key = name_key(name)
        except ValueError:
            return None
        return await self._database.read(lambda connection: first_account(connection, accounts.c.name_key == key))

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
        """Raises Unauthorized if there is no such account, ValueError for a scope or a kind that isn't one."""
        if not scopes or not set(scopes) <= set(SCOPES):
            raise ValueError(f"scopes are {', '.join(SCOPES)}")
        if kind not in (None, Kind.BOT):
            raise ValueError(f"the kind of a token is {Kind.BOT} or none")
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        personal = sa.select(sa.func.count()).where(tokens.c.account_id == account, tokens.c.name.is_not(None))

        def work(connection: sa.Connection) -> tuple[TokenInfo, str]:
            owner = _one(connection, account)
            hold(connection, account)
            with_it = sa.select(tokens.c.id).where(tokens.c.id == asked_with)
            if asked_with is not None and connection.execute(with_it).first() is None:
                raise Unauthorized("that token is not known here")
            if most is not None and connection.execute(personal).scalar_one() >= most:
                raise TooManyTokens
            token_id, token = issue(connection, account, at, name=name, scopes=kept, kind=kind)
            return TokenInfo(token_id, name, kept, kind or owner.kind, at), token

        return await self._database.write(work)

    async def tokens(self, account: AccountId) -> Sequence[TokenInfo]:
        """The personal ones, oldest first, without the sessions'."""
        statement = (
            sa.select(
                tokens.c.id,
                tokens.c.name,
                tokens.c.scopes,
                sa.func.coalesce(tokens.c.kind, accounts.c.kind).label("kind"),
                tokens.c.created_at,
            )
            .join(accounts, accounts.c.id == tokens.c.account_id)
            .where(tokens.c.account_id == account, tokens.c.name.is_not(None))
            .order_by(tokens.c.created_at, tokens.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [TokenInfo(row.id, row.name, tuple(row.scopes.split()), row.kind, row.created_at) for row in rows]

    async def revoke_token(self, account: AccountId, token_id: str) -> bool:
        statement = sa.delete(tokens).where(
            tokens.c.account_id == account, tokens.c.id == token_id, tokens.c.name.is_not(None)
        )
        return await self._database.write(lambda connection: connection.execute(statement).rowcount) == 1

    async def set_role(self, account: AccountId, role: str) -> None:
        """Raises Unauthorized if there is no such account, ValueError for a role that isn't one."""
        statement = sa.update(accounts).where(accounts.c.id == account).values(role=Role(role))
        if await self._database.write(lambda connection: connection.execute(statement).rowcount) != 1:
            raise Unauthorized("there is no such account")

    async def ensure_bot(self, name: str, chips: Chips, at: Millis) -> Account:
        """Raises NameTaken if somebody who is no bot has the name."""
        key, shown = name_key(name), shown_name(name)

        def work(connection: sa.Connection) -> Account:
            bot = first_account(connection, accounts.c.name_key == key)
            if bot is None:
                bot = _insert(connection, shown, key, Kind.BOT, None, at)
            elif bot.kind != Kind.BOT:
                raise NameTaken(shown)
            _fill(connection, bot.id, chips, at)
            return _one(connection, bot.id)

        try:
            return await self._database.write(work)
        except IntegrityError:  # Made by another process in between: it is there now.
            return await self._database.write(work)

    async def _open(self, name: str, kind: Kind, password: str | None, chips: Chips, at: Millis) -> tuple[Account, str]:
        key, shown = name_key(name), shown_name(name)

        def work(connection: sa.Connection) -> tuple[Account, str]:
            refuse_blocked(connection, key, at)
            account = opened(connection, shown, kind, password, chips, at)
            token, _ = session(connection, account.id, at)
            return _one(connection, account.id), token

        try:
            return await self._database.write(work)
        except IntegrityError:
            raise NameTaken(shown) from None

    async def _password(self, name: str) -> tuple[AccountId | None, str | None]:
        try:
            key = name_key(name)
        except ValueError:
            return None, None
        statement = sa.select(accounts.c.id, accounts.c.password).where(accounts.c.name_key == key)
        row = await self._database.read(lambda connection: connection.execute(statement).one_or_none())
        return (None, None) if row is None else (AccountId(row.id), row.password)


def opened(connection: sa.Connection, name: str, kind: Kind, password: str | None, chips: Chips, at: Millis) -> Account:
    """A new account with those chips from the house. Raises NameTaken."""
    key = name_key(name)
    if first_account(connection, accounts.c.name_key == key) is not None:
        raise NameTaken(name)
    account = _insert(connection, name, key, kind, password, at)
    if chips:
        cashier = Cashier.lock(connection, [account.id])
        cashier.take([Posting(f"welcome:{account.id}", Purpose.WELCOME, at, account.id, HOUSE, chips)])
        cashier.settle()
    return account


def first_account(connection: sa.Connection, which: sa.ColumnElement[bool]) -> Account | None:
    row = connection.execute(ACCOUNT.where(which)).one_or_none()
    return None if row is None else account_of(row)


def account_of(row: sa.Row[Any], *, kind: str | None = None) -> Account:
    return Account(AccountId(row.id), row.name, kind or row.kind, row.role, row.chips, row.created_at)


def _guest_name(digits: int) -> str:
    least = 10 ** (digits - 1)
    return f"Guest {least + secrets.randbelow(9 * least)}"


def _one(connection: sa.Connection, account: AccountId) -> Account:
    """Raises Unauthorized if there is no such account."""
    found = first_account(connection, accounts.c.id == account)
    if found is None:
        raise Unauthorized("there is no such account")
    return found


def _unchanged(connection: sa.Connection, account: AccountId, known: str) -> None:
    """Raises Unauthorized if the hash that a password was compared with is another by now: comparing takes a while."""
    held = sa.select(accounts.c.password).where(accounts.c.id == account).with_for_update()
    if connection.execute(held).scalar_one_or_none() != known:
        raise Unauthorized("another password meanwhile")


def _insert(connection: sa.Connection, name: str, key: str, kind: Kind, password: str | None, at: Millis) -> Account:
    account = Account(AccountId(f"a{secrets.token_hex(_ID_BYTES)}"), name, kind, Role.PLAYER, 0, at)
    connection.execute(
        sa.insert(accounts).values(
            id=account.id,
            name=name,
            name_key=key,
            kind=kind,
            role=Role.PLAYER,
            chips=0,
            password=password,
            created_at=at,
        )
    )
    note(connection, [account_created(account)])
    return account


def _fill(connection: sa.Connection, bot: AccountId, chips: Chips, at: Millis) -> None:
    """House chips for a bot that has fewer than these."""
    cashier = Cashier.lock(connection, [bot])
    missing = chips - (cashier.chips(bot) or 0)
    if missing > 0:
        key = f"bot:{bot}:{secrets.token_hex(_ID_BYTES)}"
        cashier.take([Posting(key, Purpose.GRANT, at, bot, HOUSE, missing, reason="house bot")])
        cashier.settle()

"""What admins change and look up, in SQL. Each change has its line in the audit log, in the same transaction."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from fullring.rules.actions import Chips
from fullring.runtime.accounts import Account, Kind, NameTaken, NotEnough, Role, TooMuch
from fullring.runtime.admin import (
    AccountQuery,
    Barred,
    Block,
    Counts,
    KnownTable,
    KnownToken,
    NoAccount,
    Restricted,
    Restriction,
)
from fullring.runtime.audit import AuditLine, AuditQuery, By, Facts, Repeated
from fullring.store import blocks, codec, lookup, passwords, tokens, trail
from fullring.store.accounts import first_account, opened
from fullring.store.cashier import Cashier, Posting
from fullring.store.database import Database
from fullring.store.money import HOUSE, Purpose
from fullring.store.names import name_key, shown_name
from fullring.store.passwords import Passwords
from fullring.store.schema import accounts, ledger_tx
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.settings import CHIPS_MAX

_DONE = {Restricted.MUTED: "mute", Restricted.BANNED: "ban", Restricted.DISABLED: "disable"}
_UNDONE = {Restricted.MUTED: "unmute", Restricted.BANNED: "unban", Restricted.DISABLED: "enable"}


class SqlAdmin:
    """`fullring.runtime.admin.Admin` in SQL."""

    def __init__(self, database: Database, hashing: Passwords) -> None:
        self._database = database
        self._passwords = hashing

    # --- accounts ---

    async def create(
        self, by: By, *, name: str, password: str | None, role: str, chips: Chips, reason: str | None
    ) -> tuple[Account, str]:
        _check(chips)
        shown, given = shown_name(name), password or passwords.made()
        kept = await self._passwords.hashed(given)

        def work(connection: sa.Connection) -> Account:
            account = opened(connection, shown, Kind.PLAYER, kept, chips, by.at)
            connection.execute(sa.update(accounts).where(accounts.c.id == account.id).values(role=Role(role)))
            after = {"name": shown, "role": Role(role), "chips": chips}
            trail.write(connection, by, "account.create", account.id, target_name=shown, reason=reason, after=after)
            return _account(connection, account.id)

        try:
            return await trail.change(self._database, by, work), given
        except IntegrityError:
            raise NameTaken(shown) from None

    async def rename(self, by: By, account: AccountId, name: str, reason: str | None) -> None:
        key, shown = name_key(name), shown_name(name)

        def work(connection: sa.Connection) -> None:
            known = _account(connection, account)
            other = first_account(connection, accounts.c.name_key == key)
            if other is not None and other.id != account:
                raise NameTaken(shown)
            connection.execute(sa.update(accounts).where(accounts.c.id == account).values(name=shown, name_key=key))
            before, after = {"name": known.name}, {"name": shown}
            trail.write(
                connection,
                by,
                "account.rename",
                account,
                target_name=known.name,
                reason=reason,
                before=before,
                after=after,
            )

        try:
            await trail.change(self._database, by, work)
        except IntegrityError:
            raise NameTaken(shown) from None

    async def set_role(self, by: By, account: AccountId, role: str, reason: str | None) -> None:
        wanted = Role(role)

        def work(connection: sa.Connection) -> None:
            known = _account(connection, account)
            connection.execute(sa.update(accounts).where(accounts.c.id == account).values(role=wanted))
            before, after = {"role": known.role}, {"role": wanted}
            trail.write(
                connection,
                by,
                "account.role",
                account,
                target_name=known.name,
                reason=reason,
                before=before,
                after=after,
            )

        await trail.change(self._database, by, work)

    async def restrict(
        self, by: By, account: AccountId, kind: Restricted, reason: str, until: Millis | None = None
    ) -> None:
        new = Restriction(account, kind, reason, by.at, until, by.account)

        def work(connection: sa.Connection) -> None:
            known = _account(connection, account)
            before = blocks.set_restriction(connection, new)
            if kind is Restricted.DISABLED:
                tokens.end_all(connection, account)
            trail.write(
                connection,
                by,
                f"account.{_DONE[kind]}",
                account,
                target_name=known.name,
                reason=reason,
                before=None if before is None else _told(before),
                after=_told(new),
            )

        await trail.change(self._database, by, work)

    async def lift(self, by: By, account: AccountId, kind: Restricted) -> bool:
        def work(connection: sa.Connection) -> bool:
            known = _account(connection, account)
            before = blocks.lift_restriction(connection, account, kind)
            if before is not None:
                action = f"account.{_UNDONE[kind]}"
                trail.write(connection, by, action, account, target_name=known.name, before=_told(before))
            return before is not None

        return await trail.change(self._database, by, work)

    async def grant(self, by: By, account: AccountId, amount: Chips, reason: str) -> Chips:
        assert by.key is not None, "chips are given once"
        once, said = f"grant:{codec.write_key(by.key)}", reason.replace("\0", "")

        def work(connection: sa.Connection) -> Chips:
            known = _account(connection, account)
            cashier = Cashier.lock(connection, [account])
            held = cashier.chips(account) or 0
            if connection.execute(sa.select(ledger_tx.c.id).where(ledger_tx.c.key == once)).first() is not None:
                raise Repeated
            if amount > 0:
                _check(held + amount)
            if amount:
                posting = Posting(once, Purpose.GRANT, by.at, account, HOUSE, amount, reason=said, by=by.account)
                if not cashier.take([posting]):
                    raise NotEnough(f"the account has {held} chips, {-amount} can't be taken")
                cashier.settle()
            before, after = {"chips": held}, {"chips": held + amount, "amount": amount}
            trail.write(
                connection,
                by,
                "account.chips",
                account,
                target_name=known.name,
                reason=said,
                before=before,
                after=after,
            )
            return held + amount

        try:
            return await trail.change(self._database, by, work)
        except IntegrityError:  # The same key at the same time, by another admin: that one has it now.
            raise Repeated from None

    async def new_password(self, by: By, account: AccountId, reason: str | None) -> str:
        password = passwords.made()
        kept = await self._passwords.hashed(password)

        def work(connection: sa.Connection) -> None:
            known = _account(connection, account)
            if known.kind == Kind.BOT:
                raise ValueError("a house bot has no password")
            connection.execute(sa.update(accounts).where(accounts.c.id == account).values(password=kept))
            after = {"ended": tokens.end_all(connection, account)}
            trail.write(connection, by, "account.password", account, target_name=known.name, reason=reason, after=after)

        await trail.change(self._database, by, work)
        return password

    async def end_sessions(self, by: By, account: AccountId) -> int:
        def work(connection: sa.Connection) -> int:
            known = _account(connection, account)
            ended = tokens.end_all(connection, account)
            trail.write(connection, by, "account.sessions", account, target_name=known.name, after={"ended": ended})
            return ended

        return await trail.change(self._database, by, work)

    # --- addresses and names ---

    async def block(self, by: By, kind: Barred, value: str, reason: str, until: Millis | None) -> Block:
        def work(connection: sa.Connection) -> Block:
            new, before = blocks.set_block(connection, by, kind, value, reason, until)
            trail.write(
                connection,
                by,
                "block.add",
                new.id,
                target_name=value,
                reason=reason,
                before=None if before is None else _shown(before),
                after=_shown(new),
            )
            return new

        return await trail.change(self._database, by, work)

    async def unblock(self, by: By, block: str) -> bool:
        def work(connection: sa.Connection) -> bool:
            before = blocks.take_block(connection, block)
            if before is not None:
                trail.write(connection, by, "block.remove", block, target_name=before.value, before=_shown(before))
            return before is not None

        return await trail.change(self._database, by, work)

    async def restrictions(self, at: Millis) -> Sequence[Restriction]:
        return await self._database.read(lambda connection: blocks.all_restrictions(connection, at))

    async def blocks(self, at: Millis) -> Sequence[Block]:
        return await self._database.read(lambda connection: blocks.all_blocks(connection, at))

    # --- the audit log ---

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
        def work(connection: sa.Connection) -> None:
            trail.write(
                connection, by, action, target, target_name=target_name, reason=reason, before=before, after=after
            )

        await trail.change(self._database, by, work)

    async def done(self, account: AccountId, key: str) -> AuditLine | None:
        return await trail.done(self._database, account, key)

    async def audit(self, query: AuditQuery) -> Sequence[AuditLine]:
        return await trail.lines(self._database, query)

    async def mark(self) -> tuple[int, int]:
        return await trail.mark(self._database)

    # --- looking ---

    async def find(self, query: AccountQuery) -> Sequence[Account]:
        return await self._database.read(lambda connection: lookup.found(connection, query))

    async def tokens(self, account: AccountId) -> Sequence[KnownToken]:
        return await self._database.read(lambda connection: lookup.tokens_of(connection, account))

    async def tables(self, *, open: bool | None, after: TableId | None, limit: int) -> Sequence[KnownTable]:
        return await self._database.read(
            lambda connection: lookup.tables_page(connection, open=open, after=after, limit=limit)
        )

    async def table(self, table: str) -> KnownTable | None:
        return await self._database.read(lambda connection: lookup.one_table(connection, table))

    async def tables_opened(self, account: AccountId) -> int:
        return await self._database.read(lambda connection: lookup.tables_opened(connection, account))

    async def counts(self) -> Counts:
        return await self._database.read(lookup.counted)


def _account(connection: sa.Connection, account: AccountId) -> Account:
    """Raises NoAccount."""
    found = first_account(connection, accounts.c.id == account)
    if found is None:
        raise NoAccount
    return found


def _check(chips: Chips) -> None:
    """Raises TooMuch. There is room above it for what is won, and browsers still hold that exactly."""
    if chips > CHIPS_MAX:
        raise TooMuch(f"an account is given {CHIPS_MAX:,} chips at most")


def _told(restriction: Restriction) -> Facts:
    return {"reason": restriction.reason, "since": restriction.since, "until": restriction.until}


def _shown(block: Block) -> Facts:
    return {"kind": block.kind, "value": block.value, "reason": block.reason, "until": block.until}

"""The ports in memory: as honest as the real ones, small, and able to fail on demand.

``FakeStore`` has the same parts as the store; what they share is one `Books`.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fullring.rules.actions import Chips
from fullring.rules.record import HandRecord
from fullring.runtime.accounts import (
    Account,
    Credentials,
    LedgerEntry,
    NameTaken,
    NotEnough,
    TokenInfo,
    TooManyTokens,
    Unauthorized,
)
from fullring.runtime.ports import HandQuery
from fullring.store.money import HOUSE, Purpose
from fullring.store.names import name_key, shown_name
from fullring.table.ids import AccountId, HandId, Millis
from tests.fake_log import Books, FakeLog

SCOPES = frozenset({"play", "read", "host", "admin"})


class FakeAccounts:
    """Accounts in memory; their secrets are countable, not secret."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._passwords: dict[AccountId, str] = {}
        self._tokens: dict[str, tuple[AccountId, TokenInfo | None, str]] = {}
        self._numbers = itertools.count(1)

    async def create_guest(self, name: str | None, chips: Chips, at: Millis) -> tuple[Account, str]:
        given = f"Guest {next(self._numbers):04}" if name is None else name
        return self._opened(given, "guest", chips, at)

    async def register(self, name: str, password: str, chips: Chips, at: Millis) -> tuple[Account, str]:
        account, token = self._opened(name, "player", chips, at)
        self._passwords[account.id] = password
        return account, token

    async def log_in(self, name: str, password: str, at: Millis) -> tuple[Account, str, Sequence[str]]:
        account = await self.find(name)
        if account is None or account.id not in self._passwords or self._passwords[account.id] != password:
            raise Unauthorized("wrong name or password")
        return account, self._token(account.id), ()

    async def authenticate(self, token: str) -> Credentials:
        if token not in self._tokens:
            raise Unauthorized("unknown token")
        owner, info, number = self._tokens[token]
        account = self._books.accounts[owner]
        if info is None:
            return Credentials(account, number, SCOPES)
        return Credentials(replace(account, kind=info.kind), info.id, frozenset(info.scopes))

    async def log_out(self, token: str) -> None:
        self._tokens.pop(token, None)

    async def change_password(self, account: AccountId, password: str, new: str, kept: str) -> Sequence[str]:
        if self._passwords.get(account) != password:
            raise Unauthorized("wrong password")
        self._passwords[account] = new
        ended = {
            token: id
            for token, (owner, info, id) in self._tokens.items()
            if owner == account and info is None and id != kept
        }
        for token in ended:
            del self._tokens[token]
        return list(ended.values())

    async def account(self, account: AccountId) -> Account | None:
        return self._books.accounts.get(account)

    async def find(self, name: str) -> Account | None:
        try:
            key = name_key(name)
        except ValueError:
            return None
        return next((account for account in self._books.accounts.values() if name_key(account.name) == key), None)

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
        if asked_with is not None and all(number != asked_with for _, _, number in self._tokens.values()):
            raise Unauthorized("unknown token")
        if most is not None and len(await self.tokens(account)) >= most:
            raise TooManyTokens
        number = f"token{next(self._numbers)}"
        info = TokenInfo(number, name, tuple(sorted(scopes)), kind or self._books.accounts[account].kind, at)
        self._tokens[f"secret-{number}"] = (account, info, number)
        return info, f"secret-{number}"

    async def tokens(self, account: AccountId) -> Sequence[TokenInfo]:
        return [info for owner, info, _ in self._tokens.values() if owner == account and info is not None]

    async def revoke_token(self, account: AccountId, token_id: str) -> bool:
        for secret, (owner, info, number) in self._tokens.items():
            if owner == account and info is not None and number == token_id:
                del self._tokens[secret]
                return True
        return False

    async def set_role(self, account: AccountId, role: str) -> None:
        if account not in self._books.accounts:
            raise Unauthorized("there is no such account")
        self._books.accounts[account] = replace(self._books.accounts[account], role=role)

    async def ensure_bot(self, name: str, chips: Chips, at: Millis) -> Account:
        account = await self.find(name)
        if account is None:
            account, _ = self._opened(name, "bot", 0, at)
        elif account.kind != "bot":
            raise NameTaken(name)
        if account.chips < chips:
            missing = chips - account.chips
            self._books.move({account.id: missing, HOUSE: -missing}, Purpose.GRANT, at, None, "house bot")
        return self._books.accounts[account.id]

    def _opened(self, name: str, kind: str, chips: Chips, at: Millis) -> tuple[Account, str]:
        key = name_key(name)
        if any(name_key(account.name) == key for account in self._books.accounts.values()):
            raise NameTaken(name)
        account = Account(AccountId(f"a{next(self._numbers)}"), shown_name(name), kind, "player", 0, at)
        self._books.accounts[account.id] = account
        if chips:
            self._books.move({account.id: chips, HOUSE: -chips}, Purpose.WELCOME, at, None, None)
        return self._books.accounts[account.id], self._token(account.id)

    def _token(self, account: AccountId) -> str:
        number = f"session{next(self._numbers)}"
        self._tokens[f"secret-{number}"] = (account, None, number)
        return f"secret-{number}"


class FakeLedger:
    """The ledger in memory."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def entries(self, account: AccountId, before: int | None, limit: int) -> Sequence[LedgerEntry]:
        own = [entry for owner, entry in reversed(self._books.entries) if owner == account]
        return [entry for entry in own if before is None or entry.id < before][:limit]

    async def grant(
        self, account: AccountId, amount: Chips, reason: str, key: str, by: AccountId | None, at: Millis
    ) -> Chips:
        if account not in self._books.accounts:
            raise Unauthorized("there is no such account")
        held = self._books.accounts[account].chips
        if amount and key not in self._books.keys:
            if held + amount < 0:
                raise NotEnough(f"the account has {held}")
            self._books.keys.add(key)
            self._books.move({account: amount, HOUSE: -amount}, Purpose.GRANT, at, None, reason)
        return self._books.accounts[account].chips

    async def audit(self) -> Sequence[str]:
        found = []
        sums: Counter[str] = Counter()
        for owner, entry in self._books.entries:
            sums[owner] += entry.amount
        if sum(sums.values()):
            found.append(f"all entries sum to {sum(sums.values())}")
        held = {str(account.id): account.chips for account in self._books.accounts.values()}
        for table, stored in self._books.tables.items():
            held[f"escrow:{table}"] = sum(row.stack + row.pending for row in stored.seats.values())
        found += [
            f"{name} has {chips}, its entries sum to {sums[name]}"
            for name, chips in held.items()
            if chips != sums[name]
        ]
        return found


class FakeHands:
    """Finished hands in memory."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def find(self, query: HandQuery) -> tuple[Sequence[HandRecord], str | None]:
        found = [record for record in self._books.hands.values() if _matches(record, query)]
        found.sort(key=_place, reverse=True)
        if query.cursor is not None:
            ended = self._books.hands.get(HandId(query.cursor))
            found = [record for record in found if ended is not None and _place(record) < _place(ended)]
        page = found[: query.limit]
        return page, page[-1].hand if len(found) > len(page) else None

    async def get(self, hand: HandId) -> HandRecord | None:
        return self._books.hands.get(hand)


class FakeStore:
    """A room's ports in memory."""

    def __init__(self) -> None:
        self.books = Books()
        self.log = FakeLog(self.books)
        self.accounts = FakeAccounts(self.books)
        self.ledger = FakeLedger(self.books)
        self.hands = FakeHands(self.books)

    async def close(self) -> None:
        """Nothing to let go of; the store has it."""


def _place(record: HandRecord) -> tuple[int, str]:
    return record.ended_at, record.hand


def _matches(record: HandRecord, query: HandQuery) -> bool:
    return (
        (query.table is None or record.table == query.table)
        and (query.account is None or any(player.account == query.account for player in record.players))
        and (query.since is None or record.ended_at >= query.since)
        and (query.until is None or record.ended_at < query.until)
    )

"""Accounts in SQL keep the contract; what is kept of secrets is a hash."""

import hashlib

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import get_default_parameters

from fullring.runtime.accounts import Unauthorized
from fullring.store import Store, passwords
from fullring.store.tokens import SESSIONS_MAX
from tests.contracts.accounts import AccountsContract
from tests.contracts.playing import START
from tests.contracts.room import guest
from tests.store.sql import rows


class TestSqlAccounts(AccountsContract):
    """On the fixture ``room``."""


async def test_a_token_is_256_random_bits_and_kept_as_its_hash(room: Store, database_url: str) -> None:
    _, token = await room.accounts.create_guest("Anna", 0, START)

    assert len(token) == 43
    assert await rows(database_url, "SELECT hash FROM tokens") == [(hashlib.sha256(token.encode()).digest(),)]


async def test_a_password_is_hashed_at_the_price_that_argon2_recommends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "PasswordHasher", PasswordHasher)

    assert extract_parameters(await passwords.Passwords().hashed("correct horse")) == get_default_parameters()


async def test_a_password_is_kept_as_argon2(room: Store, database_url: str) -> None:
    await room.accounts.register("Anna", "correct horse", 0, START)

    ((kept,),) = await rows(database_url, "SELECT password FROM accounts")

    assert kept.startswith("$argon2id$")


async def test_a_hash_of_weaker_settings_is_made_anew_at_the_next_log_in(room: Store, database_url: str) -> None:
    await room.accounts.register("Anna", "x", 0, START)
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("correct horse")
    await rows(database_url, "UPDATE accounts SET password = :weak", weak=weak)

    await room.accounts.log_in("Anna", "correct horse", START)

    ((kept,),) = await rows(database_url, "SELECT password FROM accounts")
    assert kept != weak
    await room.accounts.log_in("Anna", "correct horse", START)


@pytest.mark.parametrize("weak", [False, True])
async def test_who_tries_a_password_while_it_is_changed_is_not_let_in_and_does_not_bring_it_back(
    room: Store, monkeypatch: pytest.MonkeyPatch, weak: bool
) -> None:
    account, token = await room.accounts.register("Anna", "correct horse", 0, START)
    kept = (await room.accounts.authenticate(token)).token
    compare = passwords.Passwords.is_right
    changes = [("correct horse", "battery staple")]

    async def slowly(self: passwords.Passwords, known: str, password: str) -> bool:
        right = await compare(self, known, password)
        if changes:
            await room.accounts.change_password(account.id, *changes.pop(), kept)
        return right

    monkeypatch.setattr(passwords.Passwords, "is_right", slowly)
    monkeypatch.setattr(passwords.Passwords, "is_weak", lambda self, known: weak)

    with pytest.raises(Unauthorized):
        await room.accounts.log_in("Anna", "correct horse", START)
    changes.append(("battery staple", "third horse"))
    with pytest.raises(Unauthorized):
        await room.accounts.change_password(account.id, "battery staple", "fourth horse", kept)
    await room.accounts.log_in("Anna", "third horse", START)


async def test_one_session_too_many_ends_the_oldest_and_no_personal_token(room: Store) -> None:
    _, anothers = await room.accounts.register("Bo", "correct horse", 0, START - 1)
    account, first = await room.accounts.register("Anna", "correct horse", 0, START)
    _, personal = await room.accounts.create_token(account.id, "mine", ["play"], None, START)
    for number in range(1, SESSIONS_MAX):
        _, last, _ = await room.accounts.log_in("Anna", "correct horse", START + number)
    oldest = (await room.accounts.authenticate(first)).token

    *_, ended = await room.accounts.log_in("Anna", "correct horse", START + SESSIONS_MAX)

    assert list(ended) == [oldest]
    with pytest.raises(Unauthorized):
        await room.accounts.authenticate(first)
    for token in (last, personal, anothers):
        await room.accounts.authenticate(token)


@pytest.mark.parametrize(("scopes", "kind"), [([], None), (["fly"], None), (["play"], "king"), (["play"], "guest")])
async def test_a_token_has_scopes_and_a_kind_that_exist(room: Store, scopes: list[str], kind: str | None) -> None:
    account = await guest(room, "Anna")

    with pytest.raises(ValueError, match=r"scopes are|kind of a token"):
        await room.accounts.create_token(account.id, "mine", scopes, kind, START)
    with pytest.raises(ValueError, match="king"):
        await room.accounts.set_role(account.id, "king")

"""What admins change: each change has its line in the audit log, and neither is there without the other."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from fullring.runtime.accounts import Account, NameTaken, NotEnough, TooMuch, Unauthorized
from fullring.runtime.admin import AccountQuery, Barred, NoAccount, Restricted
from fullring.runtime.audit import AuditLine, AuditQuery, By, Repeated, Via
from fullring.store import Store
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import CHIPS_MAX, TableSettings
from tests.contracts.playing import START
from tests.contracts.room import guest
from tests.store.sql import rows

CLI = By(None, START)
NOBODY = AccountId("a0")


async def admin(room: Store, name: str = "Root") -> Account:
    account = await guest(room, name)
    await room.accounts.set_role(account.id, "admin")
    return account


def over_http(account: Account, key: str | None = None) -> By:
    return By(account.id, START, Via.HTTP, "192.0.2.7", key, None if key is None else "what was asked")


async def lines(room: Store, **query: Any) -> list[AuditLine]:
    return list(await room.admin.audit(replace(AuditQuery(), **query)))


async def test_an_account_that_is_made_can_log_in_with_the_password_that_is_shown_once(room: Store) -> None:
    made, password = await room.admin.create(CLI, name="Anna", password=None, role="host", chips=500, reason="a friend")

    account, _, _ = await room.accounts.log_in("Anna", password, START)
    assert (account.id, account.role, account.chips) == (made.id, "host", 500)
    (line,) = await lines(room)
    assert (line.action, line.target, line.target_name, line.reason) == ("account.create", made.id, "Anna", "a friend")
    assert (line.by, line.before, line.after) == (CLI, None, {"name": "Anna", "role": "host", "chips": 500})
    with pytest.raises(NameTaken):
        await room.admin.create(CLI, name="anna", password="twelve letters", role="player", chips=0, reason=None)
    assert password not in repr(await lines(room))


async def test_a_name_and_a_role_change_with_what_they_were_before(room: Store) -> None:
    root, anna, bo = await admin(room), await guest(room, "Anna"), await guest(room, "Bo")
    await room.admin.rename(over_http(root), anna.id, "ANNA", None)
    await room.admin.set_role(over_http(root), anna.id, "host", "hosts on Fridays")

    found = await room.accounts.find("anna")
    assert found is not None
    assert (found.name, found.role) == ("ANNA", "host")
    role, name = await lines(room, target=anna.id)
    assert (name.before, name.after) == ({"name": "Anna"}, {"name": "ANNA"})
    assert (role.before, role.after) == ({"role": "player"}, {"role": "host"})
    assert (role.by.account, role.by_name, role.by.via, role.by.address) == (root.id, "Root", Via.HTTP, "192.0.2.7")
    with pytest.raises(NameTaken):
        await room.admin.rename(CLI, bo.id, "Anna", None)
    assert await lines(room, target=bo.id) == []


async def test_what_is_kept_from_an_account_holds_until_its_hour_or_until_it_is_lifted(room: Store) -> None:
    anna = await guest(room, "Anna")
    await room.admin.restrict(CLI, anna.id, Restricted.BANNED, "collusion", START + 10)
    await room.admin.restrict(CLI, anna.id, Restricted.BANNED, "collusion, again", START + 20)
    await room.admin.restrict(CLI, anna.id, Restricted.MUTED, "loud")

    held = {one.kind: one for one in await room.admin.restrictions(START + 19)}
    assert (held[Restricted.BANNED].reason, held[Restricted.BANNED].until) == ("collusion, again", START + 20)
    assert [one.kind for one in await room.admin.restrictions(START + 20)] == [Restricted.MUTED]
    assert await room.admin.lift(CLI, anna.id, Restricted.MUTED)
    assert not await room.admin.lift(CLI, anna.id, Restricted.MUTED)
    assert [line.action for line in await lines(room)] == [
        "account.unmute",
        "account.mute",
        "account.ban",
        "account.ban",
    ]
    assert (await lines(room, action="account.ban"))[0].before == {
        "reason": "collusion",
        "since": START,
        "until": START + 10,
    }


async def test_who_is_banned_keeps_the_tokens_for_afterwards(room: Store) -> None:
    anna, token = await room.accounts.create_guest("Anna", 0, START)
    await room.admin.restrict(CLI, anna.id, Restricted.BANNED, "a break", START + 10)

    assert (await room.accounts.authenticate(token)).account.id == anna.id


async def test_who_is_disabled_has_no_token_left(room: Store) -> None:
    anna, token = await room.accounts.create_guest("Anna", 0, START)
    await room.admin.restrict(CLI, anna.id, Restricted.DISABLED, "asked for it")

    with pytest.raises(Unauthorized):
        await room.accounts.authenticate(token)


async def test_no_token_is_made_while_all_end_that_is_not_ended_too(room: Store) -> None:
    for number in range(20):
        anna, session = await room.accounts.create_guest(f"Anna {number}", 0, START)
        own = (await room.accounts.authenticate(session)).token
        making = room.accounts.create_token(anna.id, "mine", ["play"], None, START, own)
        await asyncio.gather(making, room.admin.end_sessions(CLI, anna.id), return_exceptions=True)

        assert await room.admin.tokens(anna.id) == []


async def test_a_new_password_ends_every_session_and_is_the_only_one(room: Store) -> None:
    anna, token = await room.accounts.register("Anna", "correct horse", 0, START)
    await room.accounts.create_token(anna.id, "mine", ["admin:read"], None, START)
    known = {token.name: token.scopes for token in await room.admin.tokens(anna.id)}
    assert known == {None: ("play", "read", "host", "admin"), "mine": ("admin:read",)}
    password = await room.admin.new_password(CLI, anna.id, None)

    with pytest.raises(Unauthorized):
        await room.accounts.authenticate(token)
    with pytest.raises(Unauthorized):
        await room.accounts.log_in("Anna", "correct horse", START)
    await room.accounts.log_in("Anna", password, START)
    assert await room.admin.end_sessions(CLI, anna.id) == 1
    assert [line.after for line in await lines(room)] == [{"ended": 1}, {"ended": 2}]
    bot = await room.accounts.ensure_bot("Robby", 0, START)
    with pytest.raises(ValueError, match="no password"):
        await room.admin.new_password(CLI, bot.id, None)


async def test_chips_are_moved_once_a_key_and_with_their_line(room: Store) -> None:
    root, other, anna = await admin(room), await admin(room, "Other"), await guest(room, "Anna")
    held = anna.chips

    assert await room.admin.grant(over_http(root, "k1"), anna.id, 50, "a present") == held + 50
    for by in (over_http(root, "k1"), over_http(other, "k1")):
        with pytest.raises(Repeated):
            await room.admin.grant(by, anna.id, 50, "a present")
    with pytest.raises(NotEnough):
        await room.admin.grant(over_http(root, "k2"), anna.id, -(held + 51), "too much")

    (line,) = await lines(room)
    assert (line.before, line.after) == ({"chips": held}, {"chips": held + 50, "amount": 50})
    done = await room.admin.done(root.id, "k1")
    assert done == line
    assert (done.by.key, done.by.digest) == ("k1", "what was asked")
    assert await room.admin.done(root.id, "k2") is None
    entry = (await room.ledger.entries(anna.id, None, 1))[0]
    assert (entry.kind, entry.amount, entry.reason) == ("grant", 50, "a present")


async def test_from_who_has_won_more_than_is_given_chips_can_be_taken(room: Store) -> None:
    root, anna = await admin(room), await guest(room, "Anna")
    held = await room.ledger.grant(anna.id, CHIPS_MAX, "luck", "k0", None, START)

    assert held > CHIPS_MAX
    assert await room.admin.grant(over_http(root, "k1"), anna.id, -1, "tax") == held - 1
    with pytest.raises(TooMuch):
        await room.admin.grant(over_http(root, "k2"), anna.id, 1, "more")


async def test_a_key_is_one_changes_own_whatever_it_changes(room: Store) -> None:
    root, anna = await admin(room), await guest(room, "Anna")
    await room.admin.restrict(over_http(root, "k\0"), anna.id, Restricted.MUTED, "loud")

    with pytest.raises(Repeated):
        await room.admin.set_role(over_http(root, "k\0"), anna.id, "admin", None)
    found = await room.accounts.account(anna.id)
    assert found is not None
    assert found.role == "player"


async def test_nothing_is_changed_for_an_account_that_is_not_there(room: Store) -> None:
    for doing in (
        room.admin.rename(CLI, NOBODY, "Anna", None),
        room.admin.set_role(CLI, NOBODY, "host", None),
        room.admin.restrict(CLI, NOBODY, Restricted.MUTED, "loud"),
        room.admin.lift(CLI, NOBODY, Restricted.MUTED),
        room.admin.grant(replace(CLI, key="k"), NOBODY, 5, "a present"),
        room.admin.new_password(CLI, NOBODY, None),
        room.admin.end_sessions(CLI, NOBODY),
    ):
        with pytest.raises(NoAccount):
            await doing
    assert await lines(room) == []


async def test_a_name_that_is_blocked_is_nobodys_new_one(room: Store) -> None:
    block = await room.admin.block(CLI, Barred.NAME, "Owner", "not the owner", None)
    for name in ("owner", "0WNER"):
        with pytest.raises(ValueError, match="may not be used"):
            await room.accounts.create_guest(name, 0, START)
    network = await room.admin.block(CLI, Barred.ADDRESS, "192.0.2.0/24", "floods", START + 5)

    assert {one.id for one in await room.admin.blocks(START)} == {block.id, network.id}
    assert [one.id for one in await room.admin.blocks(START + 5)] == [block.id]
    assert await room.admin.unblock(CLI, block.id)
    assert not await room.admin.unblock(CLI, block.id)
    await room.accounts.create_guest("owner", 0, START)
    assert [line.action for line in await lines(room)] == ["block.remove", "block.add", "block.add"]


async def test_a_name_is_blocked_until_its_hour_and_the_newest_word_on_it_holds(room: Store) -> None:
    await room.admin.block(CLI, Barred.NAME, "Owner", "not the owner", START + 5)
    newest = await room.admin.block(CLI, Barred.NAME, "0WNER", "not now", START + 9)

    assert [one.id for one in await room.admin.blocks(START)] == [newest.id]
    with pytest.raises(ValueError, match="may not be used"):
        await room.accounts.create_guest("owner", 0, START + 8)
    await room.accounts.create_guest("owner", 0, START + 9)


async def test_accounts_are_found_by_the_beginning_of_a_name_or_an_id_page_by_page(room: Store) -> None:
    names = ["Anna", "anne", "Bo", "An%na"]
    made = {name: await guest(room, name) for name in names}

    async def found(**query: Any) -> list[str]:
        return [account.name for account in await room.admin.find(replace(AccountQuery(), **query))]

    assert set(await found(name="AN")) == {"Anna", "anne", "An%na"}
    assert await found(name="an%") == ["An%na"]
    assert await found(id=made["Bo"].id[:12]) == ["Bo"]
    assert await found(name="\u200b") == []
    everybody = await found()
    first = await found(limit=2)
    assert first == everybody[:2]
    assert await found(after=made[first[-1]].id) == everybody[2:]
    await room.admin.set_role(CLI, made["Bo"].id, "host", None)
    assert await found(role="host") == ["Bo"]


async def test_tables_are_listed_newest_first_also_those_that_are_closed(room: Store, database_url: str) -> None:
    anna = await guest(room, "Anna")
    for number, name in enumerate(("Oak", "Elm", "Ash")):
        await room.log.create(TableId(f"t{number}"), TableSettings(name=name), anna.id, START + number // 2)
    await rows(database_url, "UPDATE tables SET state = 'closed' WHERE id = 't1'")

    tables = await room.admin.tables(open=None, after=None, limit=10)
    assert [(one.settings.name, one.open, one.owner) for one in tables] == [
        ("Ash", True, anna.id),
        ("Elm", False, anna.id),
        ("Oak", True, anna.id),
    ]
    assert [one.id for one in await room.admin.tables(open=True, after=TableId("t2"), limit=10)] == ["t0"]
    assert await room.admin.table("t9") is None
    assert await room.admin.tables_opened(anna.id) == 3
    counts = await room.admin.counts()
    assert (counts.accounts, counts.hands, counts.chips, counts.chips_on_tables) == (1, 0, anna.chips, 0)


async def test_the_log_is_read_page_by_page_and_by_what_it_is_about(room: Store) -> None:
    root = await admin(room)
    for number in range(5):
        await room.admin.record(replace(over_http(root), at=START + number), f"table.{number % 2}", f"t{number}")

    first = await lines(room, limit=2)
    assert [line.target for line in first] == ["t4", "t3"]
    assert [line.target for line in await lines(room, before=first[-1].id)] == ["t2", "t1", "t0"]
    assert [line.target for line in await lines(room, action="table.1")] == ["t3", "t1"]
    assert len(await lines(room, action="table.")) == 5
    assert [line.target for line in await lines(room, since=START + 1, until=START + 3)] == ["t2", "t1"]
    assert await lines(room, by=NOBODY) == []


async def test_the_mark_of_the_log_is_another_after_each_change_and_also_after_one_that_commits_late(
    room: Store, database_url: str
) -> None:
    marks = [await room.admin.mark()]
    for number in range(3):
        await room.admin.record(CLI, "announcement", f"t{number}")
        marks.append(await room.admin.mark())
    await rows(database_url, "INSERT INTO audit (id, at, via, action) VALUES (-1, 0, 'cli', 'late')")
    marks.append(await room.admin.mark())

    assert len(set(marks)) == len(marks)

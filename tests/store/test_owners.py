"""Two processes at one database: whoever claimed last writes, chips are spent once, names are taken once."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from fullring import store
from fullring.runtime.accounts import NameTaken
from fullring.runtime.ports import Outcome
from fullring.store import Store
from fullring.table.events import Paused
from tests.contracts.room import T1, T2, batch, chips, guest, open_table, sits
from tests.store.conftest import KEY

COMMITTED, FENCED, SHORT = Outcome.COMMITTED, Outcome.FENCED, Outcome.SHORT


@pytest.fixture
async def other(room: Store, database_url: str) -> AsyncIterator[Store]:
    """Another process at the same database."""
    opened = await store.open(database_url, seal_keys=[KEY])
    yield opened
    await opened.close()


async def test_the_second_owner_fences_off_the_first(room: Store, other: Store) -> None:
    await open_table(room)
    await room.log.commit([batch(T1, 1, Paused("mine"))])

    (taken,) = await other.log.claim()

    assert await room.log.commit([batch(T1, 2, Paused("stale"))]) == {T1: FENCED}
    assert await other.log.commit([batch(T1, 2, Paused("new"), owner_epoch=taken.owner_epoch)]) == {T1: COMMITTED}
    assert [row.events for row in (await other.log.read(T1)).rows] == [(Paused("mine"),), (Paused("new"),)]


async def test_of_two_claims_at_once_one_owns(room: Store, other: Store) -> None:
    await open_table(room)
    await open_table(room, T2)

    first, second = await asyncio.gather(room.log.claim(), other.log.claim())

    for table in (T1, T2):
        epochs = sorted(stored.owner_epoch for stored in (*first, *second) if stored.table == table)
        assert epochs == [2, 3]
        outcomes = [
            (await one.log.commit([batch(table, 1, Paused("x"), owner_epoch=epoch)]))[table]
            for one, epoch in ((room, 2), (other, 3))
        ]
        assert outcomes == [FENCED, COMMITTED]


async def test_commits_of_two_owners_at_once_leave_no_gap(room: Store, other: Store) -> None:
    await open_table(room)

    for seq in range(1, 6):
        outcomes = await asyncio.gather(
            room.log.commit([batch(T1, seq, Paused("one"))]), other.log.commit([batch(T1, seq, Paused("two"))])
        )
        assert sorted(outcome[T1] for outcome in outcomes) == [COMMITTED, FENCED]

    assert [row.seq for row in (await room.log.read(T1)).rows] == [1, 2, 3, 4, 5]


async def test_chips_are_spent_once_at_two_tables_of_two_processes(room: Store, other: Store) -> None:
    await open_table(room)
    await open_table(room, T2)
    anna = await guest(room, "Anna", 500)

    outcomes = await asyncio.gather(
        room.log.commit([batch(T1, 1, sits(anna, 1, 400))]), other.log.commit([batch(T2, 1, sits(anna, 1, 400))])
    )

    assert sorted(value for outcome in outcomes for value in outcome.values()) == [COMMITTED, SHORT]
    assert await chips(room, anna) == 100


async def test_transactions_that_meet_at_the_same_accounts_never_block_each_other(room: Store, other: Store) -> None:
    people = [await guest(room, f"P{number}", 10_000) for number in range(6)]
    for table in (T1, T2):
        await open_table(room, table)

    forwards = [sits(one, at, 100) for at, one in enumerate(people, start=1)]
    backwards = [sits(one, at, 100) for at, one in enumerate(reversed(people), start=1)]
    grants = [room.ledger.grant(one.id, 1, "x", one.id, None, 0) for one in reversed(people)]
    results = await asyncio.gather(
        room.log.commit([batch(T1, 1, *forwards)]), other.log.commit([batch(T2, 1, *backwards)]), *grants
    )

    assert results[:2] == [{T1: COMMITTED}, {T2: COMMITTED}]
    assert [await chips(room, one) for one in people] == [9_801] * 6


async def test_one_of_two_who_want_a_name_at_once_gets_it(room: Store, other: Store) -> None:
    results = await asyncio.gather(
        room.accounts.create_guest("Anna", 100, 0),
        other.accounts.create_guest("ANNA", 100, 0),
        return_exceptions=True,
    )

    assert sorted(isinstance(result, NameTaken) for result in results) == [False, True]


async def test_a_grant_acts_once_however_often_it_is_sent_at_once(room: Store, other: Store) -> None:
    anna = await guest(room, "Anna", 100)

    found = await asyncio.gather(
        *(one.ledger.grant(anna.id, 50, "gift", "k", None, 0) for one in (room, other, room, other))
    )

    assert list(found) == [150] * 4


async def test_one_key_for_two_accounts_at_once_acts_for_one(room: Store, other: Store) -> None:
    anna, bo = await guest(room, "Anna", 100), await guest(room, "Bo", 100)

    await asyncio.gather(
        room.ledger.grant(anna.id, 50, "gift", "k", None, 0), other.ledger.grant(bo.id, 50, "gift", "k", None, 0)
    )

    assert sorted([await chips(room, anna), await chips(room, bo)]) == [100, 150]


async def test_a_house_bot_is_made_once_by_two_processes_at_once(room: Store, other: Store) -> None:
    first, second = await asyncio.gather(
        room.accounts.ensure_bot("Robo", 500, 0), other.accounts.ensure_bot("Robo", 500, 0)
    )

    assert first == second

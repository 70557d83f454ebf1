"""What every `Ledger` does. The fixture ``room`` gives a new one."""

import pytest

from fullring.rules.events import HandEnded, Stake
from fullring.runtime.accounts import NotEnough, Unauthorized
from fullring.table.events import ChipsAdded, ToppedUp
from fullring.table.ids import AccountId
from tests.contracts.playing import START
from tests.contracts.room import T1, Room, batch, chips, guest, guests, leaves, open_table, sits


class LedgerContract:
    async def test_movements_are_listed_newest_first_with_what_was_left(self, room: Room) -> None:
        await open_table(room)
        anna, bo = await guests(room, "Anna Bo", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 300), sits(bo, 2, 300))])
        await room.log.commit([batch(T1, 2, ChipsAdded(1, anna.id, 200), ToppedUp(1, anna.id, 150, 450, 50))])
        await room.log.commit([batch(T1, 3, HandEnded((Stake(1, 540), Stake(2, 200)), 10))])
        await room.log.commit([batch(T1, 4, leaves(anna, 1, 540))])

        entries = await room.ledger.entries(anna.id, None, 10)

        assert [(entry.kind, entry.amount, entry.balance) for entry in entries] == [
            ("cash_out", 540, 1_090),
            ("returned", 50, 550),
            ("top_up", -200, 500),
            ("buy_in", -300, 700),
            ("welcome", 1_000, 1_000),
        ]
        assert [entry.table for entry in entries] == [T1, T1, T1, T1, None]
        assert entries[0].at == START + 4
        assert [entry.amount for entry in await room.ledger.entries(AccountId("rake"), None, 10)] == [10]

    async def test_a_page_begins_where_the_one_before_ended(self, room: Room) -> None:
        anna = await guest(room, "Anna", 100)
        for number in range(5):
            await room.ledger.grant(anna.id, 1 + number, "gift", f"k{number}", None, START)

        first = await room.ledger.entries(anna.id, None, 2)
        second = await room.ledger.entries(anna.id, first[-1].id, 2)

        assert [entry.amount for entry in (*first, *second)] == [5, 4, 3, 2]
        assert list(await room.ledger.entries(anna.id, 0, 2)) == []

    async def test_a_grant_acts_once_for_its_key(self, room: Room) -> None:
        anna, bo = await guests(room, "Anna Bo", 100)

        for _ in range(2):
            assert await room.ledger.grant(anna.id, 50, "sorry \0", "key \0 1", bo.id, START) == 150
        assert await room.ledger.grant(bo.id, 50, "another's", "key \0 1", None, START) == 100

        assert (await chips(room, anna), await chips(room, bo)) == (150, 100)

    async def test_house_chips_can_be_taken_back_but_no_more_than_there_are(self, room: Room) -> None:
        anna = await guest(room, "Anna", 100)

        assert await room.ledger.grant(anna.id, -60, "a mistake", "k1", None, START) == 40
        with pytest.raises(NotEnough):
            await room.ledger.grant(anna.id, -41, "too much", "k2", None, START)
        assert await room.ledger.grant(anna.id, 1, "the same key is free again", "k2", None, START) == 41

    async def test_nobody_is_granted_nothing(self, room: Room) -> None:
        anna = await guest(room, "Anna", 100)

        assert await room.ledger.grant(anna.id, 0, "nothing", "k", None, START) == 100
        assert len(await room.ledger.entries(anna.id, None, 10)) == 1
        with pytest.raises(Unauthorized):
            await room.ledger.grant(AccountId("?"), 1, "who?", "k", None, START)

    async def test_chips_that_lie_on_tables_add_up(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 300), ChipsAdded(1, anna.id, 200))])

        assert list(await room.ledger.audit()) == []

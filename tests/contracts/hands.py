"""What every `Hands` does. The fixture ``room`` gives a new one."""

from dataclasses import replace

import pytest

from fullring.rules.events import CardsShown, HandStarted
from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Account
from fullring.runtime.ports import HandQuery, Outcome
from fullring.table.events import Paused, ShownLate
from fullring.table.ids import AccountId, HandId, Millis, TableId
from tests.contracts.playing import START, Playing
from tests.contracts.room import T1, T2, Room, batch, guests, open_table


async def played(
    room: Room, table: TableId, people: list[Account], hands: int, *, ended_at: Millis | None = None
) -> list[HandRecord]:
    """The records of hands played at a new table, oldest first; all ended at that instant, if one is given."""
    playing = Playing.open(table, await open_table(room, table), people, seed=2)
    records: list[HandRecord] = []
    while len(records) < hands:
        going = playing.next()
        if going.record is not None and ended_at is not None:
            going = replace(going, record=replace(going.record, ended_at=ended_at))
        if (await room.log.commit([going]))[table] is Outcome.COMMITTED:
            playing.done(going)
            if going.record is not None:
                records.append(going.record)
    return records


class HandsContract:
    async def test_a_record_comes_back_as_it_was_without_the_deck(self, room: Room) -> None:
        people = await guests(room, "Anna Bo Cora", 9_000)
        records = await played(room, T1, list(people), 3)

        for record in records:
            assert await room.hands.get(HandId(record.hand)) == record
            assert record.started.deck == ()
            assert isinstance(record.events[0], HandStarted)
        assert await room.hands.get(HandId("?")) is None

    async def test_cards_shown_after_the_end_are_in_the_record(self, room: Room) -> None:
        people = await guests(room, "Anna Bo", 9_000)
        (record,) = await played(room, T1, list(people), 1)
        last = (await room.log.read(T1)).last_seq
        show = ShownLate(HandId(record.hand), record.holes[0].seat, record.holes[0].cards)

        await room.log.commit([batch(T1, last + 1, show, owner_epoch=2)])

        shown = (CardsShown(record.holes[0].seat, record.holes[0].cards),)
        assert await room.hands.get(HandId(record.hand)) == replace(record, shown_late=shown)
        assert (await room.hands.find(HandQuery()))[0][0].shown_late == shown

    async def test_hands_are_found_newest_first_page_by_page(self, room: Room) -> None:
        people = await guests(room, "Anna Bo Cora", 9_000)
        records = await played(room, T1, list(people), 7)

        found: list[HandRecord] = []
        cursor = None
        pages = 0
        while pages == 0 or cursor is not None:
            page, cursor = await room.hands.find(HandQuery(cursor=cursor, limit=3))
            found += page
            pages += 1

        assert found == sorted(records, key=lambda record: record.ended_at, reverse=True)
        assert pages == 3

    async def test_hands_that_end_in_one_instant_are_found_once_each(self, room: Room) -> None:
        here = await played(room, T1, list(await guests(room, "Anna Bo", 9_000)), 3, ended_at=START)
        there = await played(room, T2, list(await guests(room, "Cora Dan", 9_000)), 3, ended_at=START)

        page, cursor = await room.hands.find(HandQuery(limit=1))
        found = [record.hand for record in page]
        while cursor is not None:
            page, cursor = await room.hands.find(HandQuery(cursor=cursor, limit=1))
            found += [record.hand for record in page]

        assert sorted(found) == sorted(record.hand for record in (*here, *there))

    async def test_a_page_that_takes_all_has_no_next(self, room: Room) -> None:
        people = await guests(room, "Anna Bo", 9_000)
        await played(room, T1, list(people), 2)

        page, cursor = await room.hands.find(HandQuery(limit=2))

        assert (len(page), cursor) == (2, None)

    async def test_hands_are_found_by_table_account_and_time(self, room: Room) -> None:
        anna, bo, cora, dan = await guests(room, "Anna Bo Cora Dan", 20_000)
        first = await played(room, T1, [anna, bo, cora], 5)
        second = await played(room, T2, [bo, dan], 5)
        every = sorted(first + second, key=lambda record: (record.ended_at, record.hand), reverse=True)
        middle = every[4].ended_at

        async def ids(query: HandQuery) -> list[str]:
            return [record.hand for record in (await room.hands.find(query))[0]]

        def expected(account: Account | None = None, table: TableId | None = None) -> list[str]:
            return [
                record.hand
                for record in every
                if (table is None or record.table == table)
                and (account is None or any(player.account == account.id for player in record.players))
            ]

        assert await ids(HandQuery()) == expected()
        assert await ids(HandQuery(table=T2)) == expected(table=T2)
        for account in (anna, bo, dan):
            assert await ids(HandQuery(account=account.id)) == expected(account)
        assert await ids(HandQuery(account=bo.id, table=T1)) == expected(bo, T1)
        assert await ids(HandQuery(since=middle)) == [r.hand for r in every if r.ended_at >= middle]
        assert await ids(HandQuery(until=middle)) == [r.hand for r in every if r.ended_at < middle]
        assert await ids(HandQuery(account=AccountId("?"))) == []

    @pytest.mark.parametrize("cursor", ["", "x", ".", "1.", ".t1h1", "-1.t1h1", "9" * 30 + ".t1h1", "1.\0", "\u0661.x"])
    async def test_there_is_nothing_behind_what_is_no_cursor(self, room: Room, cursor: str) -> None:
        people = await guests(room, "Anna Bo", 9_000)
        await played(room, T1, list(people), 1)

        assert [list(part or ()) for part in await room.hands.find(HandQuery(cursor=cursor))] == [[], []]

    async def test_a_hand_and_its_row_are_written_together_or_not_at_all(self, room: Room) -> None:
        people = await guests(room, "Anna Bo", 9_000)
        playing = Playing.open(T1, await open_table(room), people, seed=2)
        while (going := playing.next()).record is None:
            await room.log.commit([going])
            playing.done(going)
        await room.log.read(T1)

        assert await room.log.commit([going]) == {T1: Outcome.FENCED}
        assert await room.hands.get(HandId(going.record.hand)) is None

        assert await room.log.commit([replace(going, owner_epoch=2)]) == {T1: Outcome.COMMITTED}
        assert await room.hands.get(HandId(going.record.hand)) == going.record

    async def test_a_batch_without_a_hand_adds_none(self, room: Room) -> None:
        await open_table(room)
        await room.log.commit([batch(T1, 1, Paused("a break"))])

        assert await room.hands.find(HandQuery()) == ([], None)

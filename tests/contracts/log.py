"""What every `Log` does. The fixture ``room`` gives a new one; who uses the contract audits it afterwards."""

from dataclasses import replace

import pytest

from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import HandEnded, HandStarted, HandVoided, Stake
from fullring.runtime.audit import By, Opening, Repeated, Via
from fullring.runtime.ports import CommandKey, Outcome, Row, SeatRow
from fullring.store.money import Unbalanced
from fullring.table.events import Chatted, ChipsAdded, Closed, Paused, Resumed, ToppedUp
from fullring.table.ids import AccountId
from fullring.table.kept import snapshot
from fullring.table.settings import TableSettings
from fullring.table.table import evolve, opened
from tests.contracts.playing import START, Playing, position, replayed
from tests.contracts.room import T1, T2, T3, Room, batch, chips, guest, guests, leaves, open_table, sits

COMMITTED, FENCED = Outcome.COMMITTED, Outcome.FENCED
SHORT, REPEATED = Outcome.SHORT, Outcome.REPEATED


def started(*stakes: Stake, hand: str = "t1h1") -> HandStarted:
    return HandStarted(hand, 1, "nlhe", 1, stakes, (), 10, 10, Deck(FULL_DECK))


class LogContract:
    async def test_a_new_table_is_claimed_with_nothing_in_it(self, room: Room) -> None:
        settings = await open_table(room)

        (stored,) = await room.log.claim()

        assert (stored.table, stored.settings) == (T1, settings)
        assert (stored.owner_epoch, stored.history_epoch, stored.last_seq) == (2, 1, 0)
        assert (stored.snapshot, stored.rows, stored.seats, stored.unreadable) == (None, (), (), None)

    async def test_a_table_knows_who_opened_it(self, room: Room) -> None:
        anna = await guest(room, "Anna")
        await room.log.create(T1, TableSettings(name="Oak"), anna.id, START)
        await room.log.create(T2, TableSettings(name="Elm"), None, START)

        assert {stored.table: stored.owner for stored in await room.log.claim()} == {T1: anna.id, T2: None}
        assert (await room.log.read(T1)).owner == anna.id

    async def test_a_key_opens_one_table(self, room: Room) -> None:
        anna = await guest(room, "Anna")
        opening = Opening(By(anna.id, START, Via.HTTP, key="oak", digest="d"), {"name": "Oak"})
        await room.log.create(T1, TableSettings(name="Oak"), anna.id, START, opening)
        with pytest.raises(Repeated):
            await room.log.create(T2, TableSettings(name="Oak"), anna.id, START, opening)

        assert [stored.table for stored in await room.log.claim()] == [T1]

    async def test_rows_come_back_as_they_were_committed(self, room: Room) -> None:
        await open_table(room)
        key = CommandKey(AccountId("a1"), "one\0")
        chat = Chatted(AccountId("a1"), "Anna", 'all "in"?\n\u2660')
        await room.log.commit([batch(T1, 1, Paused("a break"))])
        await room.log.commit([batch(T1, 2, Resumed("it is over"), chat, key=key)])

        stored = await room.log.read(T1)

        assert stored.rows == (
            Row(1, batch(T1, 1).at, (Paused("a break"),)),
            Row(2, batch(T1, 2).at, (Resumed("it is over"), chat), key, {"seq": 2}),
        )
        assert stored.last_seq == 2

    async def test_the_deck_comes_back_with_the_hand(self, room: Room) -> None:
        await open_table(room)
        (anna, bo) = await guests(room, "Anna Bo")
        hand = started(Stake(1, 200), Stake(2, 300))
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200), sits(bo, 2, 300))])
        await room.log.commit([batch(T1, 2, hand)])

        assert (await room.log.read(T1)).rows[1].events == (hand,)

    async def test_a_row_that_does_not_follow_the_last_is_fenced_off(self, room: Room) -> None:
        await open_table(room)
        await room.log.commit([batch(T1, 1, Paused("first"))])

        for seq in (1, 3):
            assert await room.log.commit([batch(T1, seq, Paused("late"))]) == {T1: FENCED}

        assert [row.events for row in (await room.log.read(T1)).rows] == [(Paused("first"),)]

    async def test_an_owner_of_before_is_fenced_off(self, room: Room) -> None:
        await open_table(room)
        await open_table(room, T2)
        await room.log.claim()

        outcomes = await room.log.commit(
            [batch(T1, 1, Paused("stale"), owner_epoch=1), batch(T2, 1, Paused("mine"), owner_epoch=2)]
        )

        assert outcomes == {T1: FENCED, T2: COMMITTED}
        assert (await room.log.read(T1)).rows == ()

    async def test_reading_a_table_again_fences_off_what_was_under_way(self, room: Room) -> None:
        await open_table(room)

        stored = await room.log.read(T1)

        assert stored.owner_epoch == 2
        assert await room.log.commit([batch(T1, 1, Paused("too late"))]) == {T1: FENCED}

    async def test_a_table_that_is_not_there_is_fenced_off(self, room: Room) -> None:
        assert await room.log.commit([batch(T3, 1, Paused("where?"))]) == {T3: FENCED}

    async def test_a_command_acts_once_and_keeps_its_answer(self, room: Room) -> None:
        for table in (T1, T2, T3):
            await open_table(room, table)
        key = CommandKey(AccountId("a1"), "7")
        await room.log.commit([batch(T1, 1, Paused("once"), key=key)])

        outcomes = await room.log.commit(
            [
                batch(T1, 2, Paused("twice"), key=key),
                batch(T2, 1, Paused("another"), key=CommandKey(AccountId("a1"), "8")),
                batch(T3, 1, Paused("nobody's")),
            ]
        )

        assert outcomes == {T1: REPEATED, T2: COMMITTED, T3: COMMITTED}
        assert (await room.log.read(T1)).last_seq == 1
        assert await room.log.answer(T1, key) == {"seq": 1}

    async def test_ids_of_different_accounts_are_different_commands(self, room: Room) -> None:
        await open_table(room)

        for seq, account in enumerate(("a1", "a2"), start=1):
            key = CommandKey(AccountId(account), "7")
            assert await room.log.commit([batch(T1, seq, Paused("x"), key=key)]) == {T1: COMMITTED}

    async def test_a_command_that_was_not_committed_has_no_answer(self, room: Room) -> None:
        await open_table(room)
        await room.log.commit([replace(batch(T1, 1, Paused("x"), key=CommandKey(AccountId("a1"), "7")), answer=None)])

        assert await room.log.answer(T1, CommandKey(AccountId("a1"), "7")) == {}
        assert await room.log.answer(T1, CommandKey(AccountId("a1"), "8")) is None

    async def test_sitting_and_leaving_moves_chips(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 1_000)

        await room.log.commit([batch(T1, 1, sits(anna, 3, 400))])
        assert await chips(room, anna) == 600
        assert (await room.log.read(T1)).seats == (SeatRow(3, anna.id, "Anna", "guest", 400, 0),)

        await room.log.commit([batch(T1, 2, leaves(anna, 3, 400), owner_epoch=2)])
        assert await chips(room, anna) == 1_000
        assert (await room.log.read(T1)).seats == ()

    async def test_who_has_too_little_is_short_and_nothing_happens(self, room: Room) -> None:
        await open_table(room)
        await open_table(room, T2)
        anna, bo = await guests(room, "Anna Bo", 300)

        outcomes = await room.log.commit([batch(T1, 1, sits(anna, 1, 301)), batch(T2, 1, sits(bo, 1, 300))])

        assert outcomes == {T1: SHORT, T2: COMMITTED}
        assert (await chips(room, anna), await chips(room, bo)) == (300, 0)
        stored = await room.log.read(T1)
        assert (stored.last_seq, stored.seats) == (0, ())

    async def test_an_account_that_is_not_there_is_short(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna")

        assert await room.log.commit([batch(T1, 1, sits(replace(anna, id=AccountId("?")), 1, 200))]) == {T1: SHORT}

    async def test_the_same_chips_are_spent_once_in_one_commit(self, room: Room) -> None:
        await open_table(room)
        await open_table(room, T2)
        anna = await guest(room, "Anna", 500)

        outcomes = await room.log.commit([batch(T1, 1, sits(anna, 1, 400)), batch(T2, 1, sits(anna, 1, 400))])

        assert sorted(outcomes.values()) == [COMMITTED, SHORT]
        assert await chips(room, anna) == 100

    async def test_chips_that_leave_one_table_may_pay_for_another_in_the_same_commit(self, room: Room) -> None:
        await open_table(room)
        await open_table(room, T2)
        anna = await guest(room, "Anna", 500)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 500))])

        outcomes = await room.log.commit([batch(T1, 2, leaves(anna, 1, 500)), batch(T2, 1, sits(anna, 2, 450))])

        assert set(outcomes.values()) == {COMMITTED}
        assert await chips(room, anna) == 50

    async def test_a_seat_changes_hands_in_one_batch(self, room: Room) -> None:
        await open_table(room)
        anna, bo = await guests(room, "Anna Bo", 500)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 300))])

        await room.log.commit([batch(T1, 2, leaves(anna, 1, 300), sits(bo, 1, 200), sits(anna, 2, 400))])

        assert [(row.seat, row.account, row.stack) for row in (await room.log.read(T1)).seats] == [
            (1, bo.id, 200),
            (2, anna.id, 400),
        ]

    async def test_chips_wait_and_join_the_stack_and_what_is_too_much_goes_back(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200))])

        await room.log.commit([batch(T1, 2, ChipsAdded(1, anna.id, 300))])
        (seat,) = (await room.log.read(T1)).seats
        assert (seat.stack, seat.pending, await chips(room, anna)) == (200, 300, 500)

        await room.log.commit([batch(T1, 3, ToppedUp(1, anna.id, 250, 450, 50), owner_epoch=2)])
        (seat,) = (await room.log.read(T1)).seats
        assert (seat.stack, seat.pending, await chips(room, anna)) == (450, 0, 550)

    async def test_waiting_chips_leave_with_the_player(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200), ChipsAdded(1, anna.id, 300))])

        await room.log.commit([batch(T1, 2, leaves(anna, 1, 500))])

        assert await chips(room, anna) == 1_000

    async def test_a_hand_moves_chips_between_the_seats_and_the_rake(self, room: Room) -> None:
        await open_table(room)
        anna, bo = await guests(room, "Anna Bo", 500)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200), sits(bo, 2, 300))])

        await room.log.commit([batch(T1, 2, HandEnded((Stake(1, 295), Stake(2, 200)), 5))])

        assert [row.stack for row in (await room.log.read(T1)).seats] == [295, 200]

    async def test_a_void_hand_moves_nothing(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 500)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200))])

        await room.log.commit([batch(T1, 2, HandVoided("why not", (Stake(1, 200),)))])

        assert [row.stack for row in (await room.log.read(T1)).seats] == [200]

    @pytest.mark.parametrize(
        "event",
        [
            HandEnded((Stake(1, 201),)),
            HandEnded((Stake(1, 200),), 1),
            HandEnded((Stake(2, 200),)),
            HandVoided("made up", (Stake(1, 300),)),
            ToppedUp(1, AccountId("?"), 1, 201),
        ],
    )
    async def test_chips_out_of_nowhere_fail_the_whole_commit(self, room: Room, event: HandEnded) -> None:
        await open_table(room)
        await open_table(room, T2)
        anna = await guest(room, "Anna", 500)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200))])

        with pytest.raises(Unbalanced):
            await room.log.commit([batch(T2, 1, Paused("innocent")), batch(T1, 2, event)])

        assert (await room.log.read(T1)).last_seq == 1
        assert (await room.log.read(T2)).last_seq == 0

    async def test_a_replay_begins_with_the_snapshot_and_its_row(self, room: Room) -> None:
        settings = await open_table(room)
        table = opened(T1, settings)
        anna = await guest(room, "Anna")
        first, second, third = batch(T1, 1, sits(anna, 1, 200)), batch(T1, 2, Paused("a")), batch(T1, 3, Resumed("b"))
        await room.log.commit([first])
        evolve(table, first.events, first.at)
        taken = snapshot(table)
        await room.log.commit([replace(second, snapshot=taken)])
        await room.log.commit([third])

        stored = await room.log.read(T1)

        assert stored.snapshot == taken
        assert [row.seq for row in stored.rows] == [2, 3]
        assert stored.last_seq == 3

    async def test_a_closed_table_is_over(self, room: Room) -> None:
        await open_table(room)
        await open_table(room, T2)
        await room.log.commit([batch(T1, 1, Closed("enough"))])

        assert [stored.table for stored in await room.log.claim()] == [T2]
        assert await room.log.commit([batch(T1, 2, Paused("more"))]) == {T1: FENCED}
        assert (await room.log.read(T1)).rows[-1].events == (Closed("enough"),)

    async def test_a_new_history_seats_everybody_with_what_they_had(self, room: Room) -> None:
        settings = await open_table(room)
        anna, bo = await guests(room, "Anna Bo", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200), sits(bo, 2, 300), ChipsAdded(2, bo.id, 100))])
        await room.log.commit([batch(T1, 2, started(Stake(1, 200), Stake(2, 300)))])
        stored = await room.log.read(T1)
        blank = replace(snapshot(opened(T1, settings)), hands=7)
        new = replace(
            batch(T1, 3, sits(anna, 1, 200), sits(bo, 2, 400), owner_epoch=stored.owner_epoch), snapshot=blank
        )

        assert await room.log.restart_history(T1, new) is COMMITTED

        (again,) = await room.log.claim()
        assert (again.history_epoch, again.last_seq, again.snapshot) == (2, 3, blank)
        assert [row.seq for row in again.rows] == [3]
        assert [(row.stack, row.pending) for row in again.seats] == [(200, 0), (400, 0)]
        assert (await chips(room, anna), await chips(room, bo)) == (800, 600)

    async def test_a_hand_that_was_lost_with_its_history_has_had_its_number(self, room: Room) -> None:
        await open_table(room)
        anna, bo = await guests(room, "Anna Bo", 1_000)
        seated = sits(anna, 1, 200), sits(bo, 2, 300)
        await room.log.commit([batch(T1, 1, *seated)])
        for lost in (1, 2, 3):
            stored = await room.log.read(T1)
            assert stored.hands == lost, "no more than that can have begun"
            hand = started(Stake(1, 200), Stake(2, 300), hand=f"t1h{lost}")
            await room.log.commit([batch(T1, 2 * lost, hand, owner_epoch=stored.owner_epoch)])
            again = batch(T1, 2 * lost + 1, *seated, owner_epoch=stored.owner_epoch)
            assert await room.log.restart_history(T1, again) is COMMITTED

    async def test_a_new_history_that_gives_or_takes_chips_is_refused(self, room: Room) -> None:
        await open_table(room)
        anna = await guest(room, "Anna", 1_000)
        await room.log.commit([batch(T1, 1, sits(anna, 1, 200))])

        with pytest.raises(Unbalanced):
            await room.log.restart_history(T1, batch(T1, 2, sits(anna, 1, 201)))
        with pytest.raises(Unbalanced):
            await room.log.restart_history(T1, batch(T1, 2))

        assert (await room.log.read(T1)).history_epoch == 1

    async def test_an_owner_of_before_begins_no_new_history(self, room: Room) -> None:
        await open_table(room)
        await room.log.claim()

        assert await room.log.restart_history(T1, batch(T1, 1)) is FENCED

    async def test_a_table_of_before_is_played_on_from_what_was_read(self, room: Room) -> None:
        settings = await open_table(room)
        people = await guests(room, "Anna Bo Cora Dan Eve", 5_000)
        playing = Playing.open(T1, settings, people, seed=1)
        for count in range(300):
            going = playing.next()
            outcome = (await room.log.commit([going]))[T1]
            assert outcome in (COMMITTED, SHORT)
            if outcome is COMMITTED:
                playing.done(going)
            if count % 50 == 49:
                (stored,) = await room.log.claim()
                table = replayed(stored)
                assert position(table) == position(playing.table)
                assert [(row.seat, row.account, row.stack, row.pending) for row in stored.seats] == sorted(
                    (seat.seat, seat.account, seat.stack, seat.pending) for seat in table.seats.values()
                )
                assert stored.hands >= table.hands
                playing.owner_epoch = stored.owner_epoch
        assert playing.table.hands > 3

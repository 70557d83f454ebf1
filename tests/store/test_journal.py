"""The log in SQL keeps the contract; and what it does with rows that nobody can read."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import HandStarted, Stake
from fullring.runtime.ports import Outcome
from fullring.store import Store
from fullring.store.recovery import UnreadableSettings
from fullring.table.events import ChipsAdded, Event, Paused, Resumed
from fullring.table.ids import TableId
from fullring.table.kept import snapshot
from fullring.table.table import opened
from tests.contracts.log import LogContract
from tests.contracts.playing import Playing
from tests.contracts.room import T1, T2, T3, batch, chips, guest, guests, open_table, sits
from tests.store.sql import rows


class TestSqlLog(LogContract):
    """On the fixture ``room``."""


async def add_row(url: str, seq: int, payload: str, version: int = 1) -> None:
    await rows(
        url,
        "INSERT INTO journal (table_id, seq, owner_epoch, at, version, payload)"
        " VALUES ('t1', :seq, 1, 0, :version, :payload)",
        seq=seq,
        version=version,
        payload=payload,
    )
    await rows(url, "UPDATE tables SET last_seq = :seq WHERE id = 't1'", seq=seq)


@pytest.mark.parametrize(
    ("payload", "version", "said"),
    [
        ("nonsense", 1, "row 2: the events can't be read"),
        ('[["no_such_event",{}]]', 1, "row 2: the events can't be read"),
        ("[]", 2, "row 2: it is written in version 2, this program reads version 1"),
    ],
)
async def test_rows_end_before_one_that_cannot_be_read(
    room: Store, database_url: str, payload: str, version: int, said: str
) -> None:
    await open_table(room)
    await open_table(room, T2)
    await room.log.commit([batch(T1, 1, Paused("x"))])
    await add_row(database_url, 2, payload, version)
    await add_row(database_url, 3, "[]")

    broken, whole = await room.log.claim()

    assert broken.unreadable == said
    assert [row.seq for row in broken.rows] == [1]
    assert broken.last_seq == 3
    assert whole.unreadable is None


async def test_a_row_that_is_missing_is_noticed(room: Store, database_url: str) -> None:
    await open_table(room)
    await room.log.commit([batch(T1, 1, Paused("x"))])
    await add_row(database_url, 3, "[]")
    assert (await room.log.read(T1)).unreadable == "row 2: it is missing"

    await rows(database_url, "UPDATE tables SET last_seq = 7")
    stored = await room.log.read(T1)
    assert [row.seq for row in stored.rows] == [1]


async def test_a_last_row_that_is_missing_is_noticed(room: Store, database_url: str) -> None:
    await open_table(room)
    await rows(database_url, "UPDATE tables SET last_seq = 1")

    assert (await room.log.read(T1)).unreadable == "row 1: it is missing"


async def test_a_snapshot_that_cannot_be_read_leaves_no_rows(room: Store, database_url: str) -> None:
    settings = await open_table(room)
    taken = snapshot(opened(T1, settings))
    await room.log.commit([replace(batch(T1, 1, Paused("x")), snapshot=taken)])
    await rows(database_url, "UPDATE snapshots SET payload = '{}'")

    stored = await room.log.read(T1)

    assert stored.unreadable == "row 1: the snapshot can't be read"
    assert (stored.snapshot, stored.rows, stored.last_seq) == (None, (), 1)


async def test_settings_that_cannot_be_read_stop_everything(room: Store, database_url: str) -> None:
    await open_table(room)
    await rows(database_url, "UPDATE table_settings SET payload = '{}'")

    with pytest.raises(UnreadableSettings, match="table t1: the settings can't be read"):
        await room.log.claim()


async def test_a_new_history_goes_on_behind_rows_that_nobody_can_read(room: Store, database_url: str) -> None:
    settings = await open_table(room)
    anna = await guest(room, "Anna")
    await room.log.commit([batch(T1, 1, sits(anna, 2, 300), ChipsAdded(2, anna.id, 50))])
    await add_row(database_url, 2, "nonsense")
    stored = await room.log.read(T1)
    blank = replace(snapshot(opened(T1, settings)), hands=stored.hands)
    new = replace(batch(T1, 3, sits(anna, 2, 350), owner_epoch=stored.owner_epoch), snapshot=blank)

    assert await room.log.restart_history(T1, new) is Outcome.COMMITTED
    assert await room.log.commit([batch(T1, 4, Paused("on"), owner_epoch=stored.owner_epoch)]) == {
        T1: Outcome.COMMITTED
    }

    again = await room.log.read(T1)
    assert (again.unreadable, again.history_epoch, again.snapshot) == (None, 2, blank)
    assert [row.seq for row in again.rows] == [3, 4]
    assert await chips(room, anna) == 650
    assert await rows(database_url, "SELECT count(*) FROM journal") == [(4,)]


async def test_hands_of_a_new_history_have_numbers_of_their_own(room: Store) -> None:
    people = await guests(room, "Anna Bo", 10**6)
    playing = Playing.open(T1, await open_table(room), people, seed=5)
    assert (await room.log.read(T1)).hands == 1
    playing.owner_epoch = 2
    while playing.table.hands < 4:
        going = playing.next()
        await room.log.commit([going])
        playing.done(going)

    assert (await room.log.read(T1)).hands == playing.table.hands


@pytest.mark.parametrize("bad", ["two hands", "a lone half of a character", "a card that is none"])
async def test_a_batch_that_cannot_be_written_fails_its_group_and_nothing_is_written(room: Store, bad: str) -> None:
    for table in (T1, T2):
        await open_table(room, table)
    hand = HandStarted("t1h1", 1, "nlhe", 1, (Stake(1, 5),), (), 10, 10, Deck(FULL_DECK))
    events: dict[str, tuple[Event, ...]] = {
        "two hands": (hand, hand),
        "a lone half of a character": (Paused("\ud83c"),),
        "a card that is none": (replace(hand, deck=Deck([999])),),
    }

    with pytest.raises((ValueError, TypeError)):
        await room.log.commit([batch(T2, 1, Paused("innocent")), batch(T1, 1, *events[bad])])

    assert [stored.last_seq for stored in await room.log.claim()] == [0, 0]


async def test_a_row_that_breaks_a_rule_of_the_database_fails_its_group(room: Store) -> None:
    for table in (T1, T2):
        await open_table(room, table)
    anna = await guest(room, "Anna")

    with pytest.raises(IntegrityError, match="ck_seats_seat"):
        await room.log.commit([batch(T2, 1, Paused("innocent")), batch(T1, 1, sits(anna, 0, 300))])

    assert [stored.last_seq for stored in await room.log.claim()] == [0, 0]
    assert await chips(room, anna) == 1_000


async def test_a_table_that_is_not_there_cannot_be_read(room: Store) -> None:
    with pytest.raises(LookupError, match="t3"):
        await room.log.read(T3)


async def test_many_tables_are_committed_and_claimed_at_once(room: Store) -> None:
    tables = [TableId(f"t{number}") for number in range(100)]
    for table in tables:
        await open_table(room, table)

    outcomes = await room.log.commit([batch(table, 1, Resumed("x")) for table in tables])

    assert set(outcomes.values()) == {Outcome.COMMITTED}
    assert [len(stored.rows) for stored in await room.log.claim()] == [1] * 100

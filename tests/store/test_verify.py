"""A whole database is looked through: what agrees passes, and every damage is found and named, with no card in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from fullring import store
from fullring.runtime.ports import Batch, LogUnavailable
from fullring.store.migrate import WrongSchema
from fullring.store.schema import journal
from fullring.store.verify import Finding, verify
from fullring.table.events import Chatted
from fullring.table.ids import TableId
from fullring.table.kept import snapshot
from tests.conftest import BOTH
from tests.databases import PostgresDatabases, SqliteDatabases
from tests.store.conftest import KEY
from tests.store.played import damaged, fill, found, go_on, played, totals
from tests.store.sql import rows

ROWS = 70
OTHER_KEY = bytes(32)


@pytest.fixture(scope="module", params=BOTH)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with two tables that were played; no test leaves anything in it."""
    if request.param == "sqlite":
        sqlite: SqliteDatabases = request.getfixturevalue("sqlite")
        url = sqlite.migrated(tmp_path_factory.mktemp("kept"))
        fill(url, ROWS)
        yield url
    else:
        postgresql: PostgresDatabases = request.getfixturevalue("postgresql")
        with postgresql.migrated() as url:
            fill(url, ROWS)
            yield url


async def test_a_database_that_a_room_left_agrees_with_itself(kept: str) -> None:
    looked_at = await totals(kept)

    assert looked_at.tables == 2
    assert looked_at.rows >= 2 * ROWS
    assert looked_at.hands == looked_at.decks > 5
    assert looked_at.older_hands == 0
    assert looked_at.transactions > 8


def rewritten(table: str, like: str, old: str, new: str) -> str:
    """The first row of that table whose events look so has something else in them."""
    first = f"SELECT min(seq) FROM journal WHERE table_id = '{table}' AND payload LIKE '{like}'"
    change = f"payload = replace(payload, '{old}', '{new}')"
    return f"UPDATE journal SET {change} WHERE table_id = '{table}' AND seq = ({first})"


HAND = "(SELECT min(id) FROM hands WHERE table_id = 't1')"
DAMAGES = {
    "an account has other chips": (
        ["UPDATE accounts SET chips = chips + 1 WHERE id = (SELECT min(account_id) FROM seats)"],
        r"account \w+ has \d+ chips, its ledger entries sum to \d+",
    ),
    "a seat has other chips": (
        ["UPDATE seats SET stack = stack + 1 WHERE table_id = 't1'"],
        r"table t1: seat \d is account \w+'s with \d+ chips and 0 waiting, and by its journal account \w+'s with \d+",
    ),
    "a seat is another's": (
        ["UPDATE seats SET name = 'Mallory' WHERE table_id = 't2'"],
        r"table t2: seat \d is account",
    ),
    "a ledger entry has another amount": (
        ["UPDATE ledger_entries SET amount = amount + 1 WHERE tx_id = 8 AND account LIKE 'escrow:%'"],
        r"transaction 8 sums to 1, it must sum to 0",
    ),
    "a ledger transaction is gone": (
        [
            "DELETE FROM ledger_entries WHERE tx_id = 8",
            "DELETE FROM ledger_tx WHERE id = 8",
        ],
        r"table t1: ledger transaction table:t1:\d+:0 is missing: a \w+ of \d+",
    ),
    "a balance is wrong": (
        ["UPDATE ledger_entries SET balance = balance + 1 WHERE tx_id = 8 AND balance IS NOT NULL"],
        r"transaction 8 leaves account \w+ with \d+ chips, its entries add up to \d+",
    ),
    "a row is missing": (
        ["DELETE FROM journal WHERE table_id = 't1' AND seq = 40"],
        r"table t1 row 41: a row before it is missing",
    ),
    "the last row is missing": (
        ["DELETE FROM journal WHERE table_id = 't2' AND seq = (SELECT last_seq FROM tables WHERE id = 't2')"],
        r"table t2: the journal ends at row \d+, the table's last row is \d+",
    ),
    "a row can't be read": (
        ["UPDATE journal SET payload = '[[\"seated\",{}]]' WHERE table_id = 't1' AND seq = 50"],
        r"table t1 row 50: the events can't be read",
    ),
    "a row has other chips": (
        [
            rewritten("t1", "%action%raise%", '"to":', '"to":1'),
        ],
        r"hand t1h\d+ differs from its journal in its events|table t1 row \d+: it does not follow",
    ),
    "a row seats somebody with other chips": (
        [
            rewritten("t1", "%seated%", '"stack":', '"stack":1'),
        ],
        r"table t1: ledger transaction table:t1:\d+:0 is not the buy_in of \d+ that the journal has",
    ),
    "the board is another": (
        [
            rewritten("t2", "%street%flop%", '"cards":[', '"cards":[51,50,49'),
        ],
        r"table t2 row \d+: (the events can't be read|it does not follow)",
    ),
    "a hand's record is another": (
        [f'UPDATE hands SET payload = replace(payload, \'"name":"Player 1"\', \'"name":"Eve"\') WHERE id = {HAND}'],
        r"table t1: hand t1h1 differs from its journal in its players",
    ),
    "a hand's record can't be read": (
        [f"UPDATE hands SET payload = '{{}}' WHERE id = {HAND}"],
        r"table t1: hand t1h1: the record of the hand can't be read",
    ),
    "a hand ended at another time": (
        [f"UPDATE hands SET ended_at = ended_at + 1 WHERE id = {HAND}"],
        r"table t1: hand t1h1 is listed with another table, number or time than its journal has",
    ),
    "a hand is missing": (
        [
            f"DELETE FROM hand_players WHERE hand_id = {HAND}",
            f"DELETE FROM hands WHERE id = {HAND}",
        ],
        r"table t1: hand t1h1 is in the journal and not among the finished hands",
    ),
    "a hand was invented": (
        [
            (
                "INSERT INTO hands (id, table_id, number, started_at, ended_at, version, payload)"
                " SELECT 't1h9999', table_id, 9999, started_at, ended_at, version, payload FROM hands"
                f" WHERE id = {HAND}"
            )
        ],
        r"table t1: hand t1h9999 is among the finished hands and not in the journal",
    ),
    "somebody is no longer listed for a hand": (
        [f"DELETE FROM hand_players WHERE hand_id = {HAND}"],
        r"table t1: hand t1h1 is not listed for exactly those who played it",
    ),
    "cards shown afterwards are others": (
        ["UPDATE hand_shows SET cards = '[1]'"],
        r"hand \w+: what seat \d showed after it is not kept as the journal has it",
    ),
    "a deck was changed": (
        [
            (
                "UPDATE journal SET sealed = (SELECT sealed FROM journal AS other WHERE other.table_id = 't2'"
                " AND other.sealed IS NOT NULL LIMIT 1) WHERE table_id = 't1' AND sealed IS NOT NULL"
            )
        ],
        r"table t1: the deck of hand t1h1 has been changed, or belongs to another hand",
    ),
    "a deck is gone": (
        ["UPDATE journal SET sealed = NULL WHERE table_id = 't1' AND sealed IS NOT NULL"],
        r"table t1: hand t1h1 has no deck",
    ),
    "the snapshot is another": (
        ["UPDATE snapshots SET payload = replace(payload, '\"hands\":', '\"hands\":1') WHERE table_id = 't1'"],
        r"table t1: the snapshot at row \d+ is not the table that the journal makes",
    ),
    "the settings can't be read": (
        ["UPDATE table_settings SET payload = '{}' WHERE table_id = 't1'"],
        r"table t1: the settings can't be read",
    ),
    "the snapshot is gone": (
        ["DELETE FROM snapshots WHERE table_id = 't1'"],
        r"table t1: it has no snapshot, not even an empty one: a start would not find it",
    ),
    "the settings are gone": (
        ["DELETE FROM table_settings WHERE table_id = 't1'"],
        r"table t1: it has no settings",
    ),
    "a table is gone": (
        ["DELETE FROM tables WHERE id = 't1'"],
        r"journal rows are there of a table t1, and no such table is",
    ),
    "a table is said to be closed": (
        ["UPDATE tables SET state = 'closed' WHERE id = 't2'"],
        r"table t2: it is closed, and by its journal it is open",
    ),
}


async def test_every_damage_is_found_and_named(kept: str) -> None:
    for what, (statements, expected) in DAMAGES.items():
        sentences = await damaged(kept, *statements)

        assert any(re.search(expected, sentence) for sentence in sentences), (what, sentences)
        assert len(sentences) < 40, what
        assert not any(re.search(r"\b[2-9TJQKA][cdhs]\b", sentence) for sentence in sentences)


async def test_nothing_of_the_damage_was_left_behind(kept: str) -> None:
    assert await found(kept) == []


async def test_with_another_key_the_decks_are_named_and_all_else_is_looked_at(kept: str) -> None:
    first, second = await found(kept, OTHER_KEY)

    locked = "is sealed with a key that is not there, and those of"
    assert first.startswith(f"table t1: the deck of hand t1h1 {locked}")
    assert second.startswith(f"table t2: the deck of hand t2h1 {locked}")


async def test_decks_of_a_key_that_was_taken_out_when_nothing_needed_it_are_a_note(
    room: store.Store, database_url: str
) -> None:
    (game,) = await played(room, 20, tables=["t1"])
    renewed = await store.open(database_url, seal_keys=[OTHER_KEY, KEY])
    try:
        await go_on(renewed, game, 20)
    finally:
        await renewed.close()
    findings: list[Finding] = []

    looked_at = await verify(database_url, [OTHER_KEY], findings.append)

    assert [finding.note for finding in findings] == [True]
    assert "is sealed with a key that is not there" in findings[0].sentence
    assert 0 < looked_at.decks < looked_at.hands


async def test_a_last_hand_that_was_written_down_is_the_one_of_the_journal(
    room: store.Store, database_url: str
) -> None:
    (game,) = await played(room, 20, tables=["t1"])
    said = Chatted(game.accounts[0].id, "x", "well played")
    kept = snapshot(game.table, shown=True)
    await room.log.commit([Batch(TableId("t1"), game.owner_epoch, game.seq + 1, game.now, (said,), snapshot=kept)])

    assert kept.last is not None
    assert await found(database_url) == []
    other = "UPDATE snapshots SET payload = replace(payload, '\"started_at\":', '\"started_at\":1')"
    (sentence,) = await damaged(database_url, other)
    assert "is not the table that the journal makes" in sentence


async def test_of_no_deck_is_said_anything_without_keys(kept: str) -> None:
    findings: list[Finding] = []
    assert (await verify(kept, [], findings.append)).decks == 0
    assert findings == []


async def test_a_database_with_another_schema_is_not_looked_at(empty_database_url: str, tmp_path: Path) -> None:
    if empty_database_url.startswith("sqlite"):
        (tmp_path / "room.db").touch()
    with pytest.raises(WrongSchema, match="migrate it first"):
        await found(empty_database_url)


async def test_what_is_written_meanwhile_is_of_another_instant(room: store.Store, database_url: str) -> None:
    assert (await totals(database_url)).tables == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_bytes_that_are_no_text_are_found_in_their_row_and_repeated_nowhere(
    room: store.Store, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    await played(room, ROWS)
    for statement in (
        "DROP TRIGGER journal_no_update",
        "UPDATE journal SET payload = CAST(x'5b5b22417320ff4b6822' AS TEXT) WHERE table_id = 't1' AND seq = 40",
    ):
        await rows(database_url, statement)

    assert (await found(database_url))[0] == "table t1 row 40: the events can't be read"
    with pytest.raises(LogUnavailable, match="Could not decode") as told:
        await room.database.read(lambda connection: connection.execute(sa.select(journal.c.payload)).all())
    assert "Kh" not in str(told.value) + caplog.text

"""Finished hands in SQL keep the contract, and are found without looking through all of them."""

import threading

import pytest
import sqlalchemy as sa

from fullring.rules.record import HandRecord
from fullring.runtime.ports import HandQuery
from fullring.store import Store, codec
from fullring.store.hands import _found, _place
from fullring.table.ids import AccountId
from tests.contracts.hands import HandsContract
from tests.contracts.room import T1
from tests.store.played import played


class TestSqlHands(HandsContract):
    """On the fixture ``room``."""


@pytest.mark.parametrize("limit", [0, 1_001])
async def test_a_page_of_hands_has_a_size(room: Store, limit: int) -> None:
    with pytest.raises(ValueError, match="1 to 1000"):
        await room.hands.find(HandQuery(limit=limit))


async def test_a_page_is_read_beside_the_tables_and_holds_none_of_them_up(
    room: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(room, 60)
    readers, read = [], codec.read_record

    def noted(version: int, payload: str) -> HandRecord:
        readers.append(threading.current_thread())
        return read(version, payload)

    monkeypatch.setattr(codec, "read_record", noted)

    found, _ = await room.hands.find(HandQuery(limit=1_000))

    assert len(readers) == len(found) > 1
    assert threading.main_thread() not in readers


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("query", "index"),
    [
        (HandQuery(), "ix_hands_ended_at_id"),
        (HandQuery(since=5, until=9), "ix_hands_ended_at_id"),
        (HandQuery(table=T1), "ix_hands_table_id_ended_at_id"),
        (HandQuery(table=T1, cursor="5.h1"), "ix_hands_table_id_ended_at_id"),
        (HandQuery(account=AccountId("a")), "PRIMARY KEY"),
        (HandQuery(account=AccountId("a"), since=5, cursor="9.h1"), "PRIMARY KEY"),
        (HandQuery(account=AccountId("a"), table=T1), "PRIMARY KEY"),
    ],
    ids=str,
)
async def test_every_question_has_an_index_with_its_order(room: Store, query: HandQuery, index: str) -> None:
    statement = _found(query, None if query.cursor is None else _place(query.cursor))

    def plan(connection: sa.Connection) -> list[str]:
        text = statement.compile(connection, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")]

    steps = await room.database.read(plan)

    assert index in steps[0]
    assert not any("TEMP B-TREE" in step for step in steps)

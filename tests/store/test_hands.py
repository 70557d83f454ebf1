"""Finished hands in SQL keep the contract, and are found without looking through all of them."""

import pytest
import sqlalchemy as sa

from fullring.runtime.ports import HandQuery
from fullring.store import Store
from fullring.store.hands import _found, _place
from fullring.table.ids import AccountId
from tests.contracts.hands import HandsContract
from tests.contracts.room import T1


class TestSqlHands(HandsContract):
    """On the fixture ``room``."""


@pytest.mark.parametrize("limit", [0, 1_001])
async def test_a_page_of_hands_has_a_size(room: Store, limit: int) -> None:
    with pytest.raises(ValueError, match="1 to 1000"):
        await room.hands.find(HandQuery(limit=limit))


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

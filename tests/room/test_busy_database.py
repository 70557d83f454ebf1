"""PR-H4: somebody else holds the database while hands end. Nothing is lost, everybody is told, and play goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from fullring.runtime.ports import HandQuery
from fullring.store import lanes
from fullring.table.ids import TableId
from tests.fake_clock import FakeClock
from tests.room.seats import party
from tests.server import Running, running
from tests.sockets import Json, Socket
from tests.store.sql import another_process_writes

TABLES = 50
HELD_S = 3
IMPATIENT_MS = 200
"""The room's patience with a lock, where a test is about what follows."""
PINGS = 20


@asynccontextmanager
async def held(url: str) -> AsyncIterator[Callable[[], None]]:
    """Somebody else has the database, until the function that this gives is called."""
    async with another_process_writes(url) if url.startswith("sqlite") else _session(url) as let_go:
        yield let_go


@asynccontextmanager
async def _session(url: str) -> AsyncIterator[Callable[[], None]]:
    engine = create_async_engine(url)
    taken, released = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with engine.begin() as connection:
            await connection.execute(sa.text("LOCK TABLE tables IN ACCESS EXCLUSIVE MODE"))
            taken.set()
            await released.wait()

    holding = asyncio.create_task(hold())
    await taken.wait()
    try:
        yield released.set
    finally:
        released.set()
        await holding
        await engine.dispose()


async def test_fifty_hands_that_end_while_the_database_is_held_are_all_kept(
    still: Running, clock: FakeClock, database_url: str
) -> None:
    """Two people at fifty tables; the database is somebody else's for three seconds."""
    tables = [await still.table(name=f"{number}", seats=2) for number in range(TABLES)]
    async with AsyncExitStack() as stack:
        people: dict[str, Socket] = {}
        for _ in range(2):
            guest = await still.guest()  # Who has 10,000 chips: enough for fifty tables.
            people[guest.id] = await stack.enter_async_context(still.socket(guest.token))
        for person in people.values():
            for table in tables:
                assert (await person.asks("watch", table=table))["type"] == "ok"
                assert (await person.asks("sit", table=table, buy_in=200))["type"] == "ok"
        await clock.advance(1)
        turns = await _turns(next(iter(people.values())), tables)
        async with held(database_url) as let_go:
            asyncio.get_running_loop().call_later(HELD_S, let_go)
            asked = []
            for name, (account, turn) in turns.items():
                person = people[account]
                asked.append((person, await person.says("act", table=name, action="fold", **turn)))
            for person in people.values():
                for _ in range(PINGS):
                    assert (await person.asks("ping"))["type"] == "pong"
            before = {frame for person in people.values() for frame in person.frames if b"hand_ended" in frame}
            assert not before, "nothing is told before it is kept"
            answers = [await person.answer(id) for person, id in asked]
        assert [answer["type"] for answer in answers] == ["ok"] * TABLES
        await clock.advance(1)
        again = await _turns(next(iter(people.values())), tables, number=2)
        assert len(again) == TABLES, "play goes on at every table"
    for played in tables:
        records, _ = await still.site.hands.find(HandQuery(table=played))
        assert [record.number for record in records] == [1]
    assert await still.site.ledger.audit() == []


async def _turns(person: Socket, tables: list[TableId], number: int = 1) -> dict[str, tuple[str, Json]]:
    """Who is to act at each table in that hand, and what the answer must name."""
    turns: dict[str, tuple[str, Json]] = {}
    while len(turns) < len(tables):
        update = await person.hears("update")
        hand = update["view"].get("hand", {})
        if hand.get("number") == number and "turn" in hand:
            seats = {seat["seat"]: seat["account"] for seat in update["view"]["seats"]}
            turn = {"hand": hand["id"], "turn": hand["turn"]["id"]}
            turns[update["table"]] = seats[hand["turn"]["seat"]], turn
    return turns


async def test_while_the_database_stays_away_everybody_is_told_and_no_hand_begins(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was asked meanwhile is done by half: sent again under its id, it is done once."""
    monkeypatch.setattr(lanes, "LOCK_WAIT_MS", IMPATIENT_MS)
    async with running(tmp_path, database_url=database_url) as room, party(room, 1, 2, turn_ms=600_000) as there:
        while "turn" not in there.latest["view"].get("hand", {}):
            await there.hears()
        place = there[there.hand["turn"]["seat"]]
        command = {"id": "fold", **place.answer("fold")}
        number = there.hand["number"]
        async with held(database_url) as let_go:
            refused = await place.asks("act", **command)
            assert (refused["type"], refused["code"]) == ("error", "table_paused")
            paused = await there.hears()
            assert [event["type"] for event in paused["events"]] == ["table_paused"]
            assert paused["view"]["status"] == "paused"
            assert (paused["view"]["hand"]["number"], "turn" in paused["view"]["hand"]) == (number, False)
            assert (await place.asks("act", **command))["code"] == "table_paused"
            await there.quiet()
            let_go()
            await there.until("table_resumed")
        assert there.hand["number"] == number
        assert (await place.asks("act", **command))["type"] == "ok"
        await there.until("hand_ended")
        await there.until("hand_started")
        records, _ = await room.site.hands.find(HandQuery(table=TableId(there.table)))
        assert [record.number for record in records] == list(range(len(records), 0, -1))
        assert number in {record.number for record in records}
        assert await room.site.ledger.audit() == []

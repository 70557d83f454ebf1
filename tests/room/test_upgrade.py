"""A new version takes over in the middle of a hand, and changes the schema before it goes on: nobody loses a card."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from fullring.store import migrate
from fullring.store.migrate import WrongSchema
from fullring.wire.errors import CloseCode
from tests.room import newer
from tests.room.ports import free_port
from tests.server import Address, Guest, process
from tests.sockets import Json, Socket

BUY_IN = 1_000
CHIPS = 10_000
CHIPS_OF_ALL = "SELECT (SELECT sum(chips) FROM accounts) + (SELECT sum(stack + pending) FROM seats)"


class Seat:
    """A guest at the table. ``seen`` is the last update it heard."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest, self.table = guest, table
        self.seen: Json = {}
        self.socket: Socket

    async def connect(self, room: Address, stack: AsyncExitStack) -> None:
        self.socket = await stack.enter_async_context(room.socket(self.guest.token))
        await self.socket.asks("watch", table=self.table)
        self.seen = await self.socket.hears("update")

    async def until_turn(self, other: "Seat") -> "Seat":
        """Which of the two is to act, once one is, and has heard so."""
        await self.hears(other.seen["seq"])
        while not self.seen["view"].get("hand", {}).get("turn"):
            self.seen = await self.socket.hears("update")
        turn = self.seen["view"]["hand"]["turn"]
        mover = self if turn["seat"] == self.seen["you"]["seat"] else other
        await mover.hears(self.seen["seq"])
        return mover

    async def hears(self, seq: int) -> None:
        """Everything up to that update."""
        while self.seen["seq"] < seq:
            self.seen = await self.socket.hears("update")

    async def acts(self, action: str) -> None:
        hand = self.seen["view"]["hand"]
        answer = await self.socket.asks(
            "act", table=self.table, hand=hand["id"], turn=hand["turn"]["id"], action=action
        )
        assert answer["type"] == "ok", answer
        await self.hears(answer["seq"])


async def test_a_hand_goes_on_in_the_next_version_after_its_migration(tmp_path: Path, database_url: str) -> None:
    migrations = newer.write(tmp_path / "migrations")
    settings: Json = {"tables": 1, "guest_chips": CHIPS, "database_url": database_url, "port": free_port()}
    next_version = ("tests.room.newer", str(migrations), "serve", "--wait")
    async with AsyncExitStack() as rooms, AsyncExitStack() as sockets:
        old = await rooms.enter_async_context(process(tmp_path, **settings))
        async with old.http() as client:
            (row,) = (await client.get("/tables")).json()["tables"]
        anna, bo = Seat(await old.guest("Anna"), row["id"]), Seat(await old.guest("Bo"), row["id"])
        for seat in (anna, bo):
            await seat.connect(old, sockets)
            assert (await seat.socket.asks("sit", table=row["id"], buy_in=BUY_IN))["type"] == "ok"
        await (await anna.until_turn(bo)).acts("call")
        await (await anna.until_turn(bo)).acts("check")
        await anna.until_turn(bo)
        before = [
            (seat.seen["view"]["hand"]["id"], seat.seen["view"]["hand"]["board"], seat.seen["you"]["cards"])
            for seat in (anna, bo)
        ]

        starting = asyncio.create_task(rooms.enter_async_context(process(tmp_path, next_version, **settings)))
        assert await old.terminate() == 0
        assert [await seat.socket.closed() for seat in (anna, bo)] == [CloseCode.GOING_AWAY] * 2
        new = await starting

        for seat in (anna, bo):
            await seat.connect(new, sockets)
        assert [
            (seat.seen["view"]["hand"]["id"], seat.seen["view"]["hand"]["board"], seat.seen["you"]["cards"])
            for seat in (anna, bo)
        ] == before
        assert len(anna.seen["view"]["hand"]["board"]) == 3
        await (await anna.until_turn(bo)).acts("fold")
        await anna.socket.sees("hand_started")
        assert await new.terminate() == 0

    assert await migrate.alone(database_url, look) == (newer.REVISION, "green", 2 * CHIPS)
    with pytest.raises(WrongSchema, match="which this program does not know"):
        await migrate.upgrade(database_url)


def look(connection: sa.Connection) -> tuple[str, str, int]:
    """Which schema, what it brought, and all chips there are."""
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one()
    colour = connection.execute(sa.text("SELECT colour FROM tables")).scalar_one()
    return version, colour, int(connection.execute(sa.text(CHIPS_OF_ALL)).scalar_one())

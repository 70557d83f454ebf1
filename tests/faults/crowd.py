"""Players who keep a room busy through its faults, and notice when play goes on."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection

from fullring.runtime.ports import Row
from tests.room.judging import judge_answers, judge_hands
from tests.room.kept import Books
from tests.room.players import Evening, Player
from tests.server import Address, Guest

Json = dict[str, Any]
CHIPS = 1_000_000
PATIENCE_S = 60


class Crowd:
    """Everybody plays at all of the room's tables, until ``over``."""

    def __init__(self, tables: Sequence[str], guests: Sequence[Guest], seed: int) -> None:
        self.evening = Evening(enough=10**9)
        self.tables = tables
        self.players = [Busy(self, guest, Random(seed + number)) for number, guest in enumerate(guests)]
        self._waiting: list[tuple[float, asyncio.Future[float]]] = []

    @classmethod
    async def gather(cls, address: Address, players: int, seed: int) -> "Crowd":
        async with address.http() as client:
            tables = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
        return cls(tables, [await address.guest() for _ in range(players)], seed)

    def stay(self, address: Address) -> "asyncio.Future[list[None]]":
        """One connection for each; done when none is left."""
        return asyncio.gather(*[player.stay(address.url) for player in self.players])

    async def all_present(self) -> None:
        for player in self.players:
            await player.present.wait()

    async def plays_on(self, since: float) -> float:
        """How long after ``since`` an action was done that had been asked for after that; the loop's time."""
        done: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((since, done))
        async with asyncio.timeout(PATIENCE_S):
            return await done - since

    def expect(self, event: str) -> Awaitable[None]:
        """Wait for this until everybody has heard of that, from now on, at every table."""
        return _all([player.expect(event, table) for player in self.players for table in self.tables])

    def acted(self, asked: float) -> None:
        """An action that was asked for then is done."""
        now = asyncio.get_running_loop().time()
        for since, done in self._waiting:
            if since < asked and not done.done():
                done.set_result(now)
        self._waiting = [waiting for waiting in self._waiting if not waiting[1].done()]

    async def judge(self, kept: Books) -> None:
        """When all have gone: chips are where they belong, hands are kept once, what was done was done once."""
        assert await kept.discrepancies() == []
        assert await kept.chips() == len(self.players) * CHIPS
        by_key: dict[tuple[str, str], list[Row]] = {}
        for table in self.tables:
            rows = await kept.rows(table)
            for row in rows:
                if row.key is not None:
                    by_key.setdefault((row.key.account, row.key.id), []).append(row)
            await judge_hands(kept, table, rows)
        for player in self.players:
            judge_answers(player, by_key)
            assert player.gaps == []


async def _all(heard: Sequence["asyncio.Future[None]"]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*heard)


class Busy(Player):
    """Tells the crowd of what it did, and looks for updates that are missing."""

    def __init__(self, crowd: Crowd, guest: Guest, dice: Random) -> None:
        super().__init__(crowd.evening, crowd.tables, guest, dice)
        self.gaps: list[Json] = []
        self._crowd = crowd
        self._asked: dict[str, float] = {}
        self._expected: list[tuple[str, str, asyncio.Future[None]]] = []
        self._last: dict[str, int] = {}

    def expect(self, event: str, table: str) -> "asyncio.Future[None]":
        """Done with the next update of the table that tells of that."""
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._expected.append((event, table, heard))
        return heard

    async def stay(self, url: str) -> None:
        self._last.clear()
        with suppress(TimeoutError):  # A room that stands still takes no connection: that is one drop more.
            await super().stay(url)

    async def _hear(self, socket: ClientConnection, message: Json, frame: bytes) -> None:
        if message["type"] == "update":
            self._notice(message)
        asked = self.unanswered.get(message.get("re", ""))
        await super()._hear(socket, message, frame)
        if asked is not None and message.get("code") == "table_paused":
            await self._ask_again(socket, msgspec.json.decode(asked))

    async def _ask_again(self, socket: ClientConnection, asked: Json) -> None:
        """Nothing was decided: what is to be done now? It may be that the table is up again by the time one hears."""
        place = self._places[asked["table"]]
        place.leaving = place.leaving and asked["type"] != "leave"
        again = self._reaction(self.seen[asked["table"]], place)
        if again is not None and again["type"] in {"act", "leave"}:
            await self._ask(socket, {"table": asked["table"], **again})

    def _notice(self, update: Json) -> None:
        table, told = update["table"], {event["type"] for event in update["events"]}
        for event, where, heard in self._expected:
            if where == table and event in told and not heard.done():
                heard.set_result(None)
        self._expected = [expected for expected in self._expected if not expected[2].done()]
        last = self._last.get(table)
        if last is not None and update["seq"] not in (last, last + 1) and not update.get("lost"):
            self.gaps.append({"table": table, "after": last, "seq": update["seq"]})
        self._last[table] = update["seq"]

    async def _ask(self, socket: ClientConnection, message: Json) -> None:
        now = asyncio.get_running_loop().time()
        await super()._ask(socket, message)
        if message["type"] == "act":
            self._asked[next(reversed(self.unanswered))] = now

    def _note_answer(self, id: str, message: Json, frame: bytes) -> None:
        super()._note_answer(id, message, frame)
        asked = self._asked.pop(id, None)
        if asked is not None and message["type"] == "ok":
            self._crowd.acted(asked)

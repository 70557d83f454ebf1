"""People at a table, each with a socket that a test speaks through, and a spectator who hears everything."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.fake_clock import FakeClock
from tests.server import Guest, Running
from tests.sockets import Json, Socket

BUY_IN = 1_000


class Place:
    """A guest with a seat. ``seen`` is the last update it heard of the table, on whatever connection."""

    def __init__(self, room: Running, table: str, guest: Guest) -> None:
        self.room, self.table, self.guest = room, table, guest
        self.seat = 0
        self.seen: Json = {"seq": -1}
        self._stack = AsyncExitStack()
        self._socket: Socket | None = None

    @property
    def here(self) -> bool:
        return self._socket is not None

    @property
    def socket(self) -> Socket:
        assert self._socket is not None, "it has no connection now"
        return self._socket

    async def connect(self, *, since: bool = False) -> Json:
        """A new connection that watches the table; its first update. With ``since`` it asks for what it has missed."""
        self._socket = await self._stack.enter_async_context(self.room.socket(self.guest.token))
        asked = {"since": {"epoch": self.seen["epoch"], "seq": self.seen["seq"]}} if since else {}
        assert (await self.asks("watch", **asked))["type"] == "ok"
        self.seen = await self.socket.hears("update")
        return self.seen

    async def drop(self) -> None:
        """As if a cable had been pulled."""
        self.socket.socket.transport.abort()
        await self.close()

    async def close(self) -> None:
        self._socket = None
        await self._stack.aclose()

    async def sit(self, seat: int, **fields: Any) -> None:
        answer = await self.asks("sit", **{"seat": seat, "buy_in": BUY_IN, **fields})
        assert answer["type"] == "ok", answer
        self.seat = answer["seat"]

    async def asks(self, type: str, **fields: Any) -> Json:
        return await self.socket.asks(type, table=self.table, **fields)

    def answer(self, action: str, **fields: Any) -> Json:
        """The fields that answer the turn it has seen last."""
        hand = self.seen["view"]["hand"]
        return {"hand": hand["id"], "turn": hand["turn"]["id"], "action": action, **fields}

    async def acts(self, action: str, **fields: Any) -> Json:
        """Answers that turn; what it is told."""
        return await self.asks("act", **self.answer(action, **fields))

    async def sees(self, seq: int) -> Json:
        """The table as it is after that update."""
        while self.seen["seq"] < seq:
            self.seen = await self.socket.hears("update")
        return self.seen


class Party:
    """Everybody at one table. What the spectator has heard is what there is to know."""

    def __init__(self, room: Running, table: str, spectator: Socket, latest: Json) -> None:
        self.room, self.table, self.spectator = room, table, spectator
        self.latest = latest
        self.told: dict[int, Json] = {latest["seq"]: latest}
        """Every update that was heard, by its number."""
        self.places: dict[int, Place] = {}

    @property
    def hand(self) -> Json:
        hand: Json = self.latest["view"]["hand"]
        return hand

    def __getitem__(self, seat: int) -> Place:
        return self.places[seat]

    def seat(self, number: int) -> Json:
        """How that seat stands."""
        seats: list[Json] = self.latest["view"]["seats"]
        return next(seat for seat in seats if seat["seat"] == number)

    async def join(self, seat: int, **fields: Any) -> Place:
        """Somebody new sits down there."""
        place = Place(self.room, self.table, await self.room.guest())
        await place.connect()
        await place.sit(seat, **fields)
        self.places[seat] = place
        await self.until("seated", seat=seat)
        return place

    async def deal(self, clock: FakeClock) -> None:
        """The next hand, which is due now."""
        await clock.advance(1)
        await self.until("hand_started")

    async def hears(self) -> Json:
        """The next update, which all who are connected see too."""
        update = self.latest = await self.spectator.hears("update")
        self.told[update["seq"]] = update
        for place in self.places.values():
            if place.here:
                await place.sees(update["seq"])
        return update

    async def until(self, *types: str, **fields: Any) -> Json:
        """The next event of one of those types, with these fields."""
        while True:
            events: list[Json] = (await self.hears())["events"]
            for event in events:
                if event["type"] in types and all(event.get(name) == found for name, found in fields.items()):
                    return event

    async def act(self, action: str, **fields: Any) -> Place:
        """Whoever is to act does that, and everybody sees it."""
        place = self.places[self.hand["turn"]["seat"]]
        answer = await place.acts(action, **fields)
        assert answer["type"] == "ok", answer
        while self.latest["seq"] < answer["seq"]:
            await self.hears()
        return place

    async def quiet(self) -> None:
        """Nothing has happened since: it would have been told before this is answered."""
        before = len(self.spectator.frames)
        assert (await self.spectator.asks("ping"))["type"] == "pong"
        assert len(self.spectator.frames) == before + 1


@asynccontextmanager
async def party(room: Running, *seats: int, **settings: Any) -> AsyncIterator[Party]:
    """A table with people in these seats. No hand is dealt yet where the clock stands."""
    table = await room.table(**{"seats": 6, **settings})
    async with room.socket() as spectator, AsyncExitStack() as places:
        await spectator.asks("watch", table=table)
        there = Party(room, table, spectator, await spectator.hears("update"))
        places.push_async_callback(_go, there)
        for seat in seats:
            await there.join(seat)
        yield there


async def _go(there: Party) -> None:
    for place in there.places.values():
        await place.close()

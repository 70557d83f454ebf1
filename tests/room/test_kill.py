"""kill -9 while bots play, again and again: nothing that anybody was told is lost, and the hand goes on.

The seed is printed when a test fails; the instants are the machine's own.
"""

import asyncio
import contextlib
import json
import logging
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random, SystemRandom
from statistics import median
from typing import Any, Protocol

import pytest

from fullring.runtime.ports import HandQuery
from fullring.table.ids import TableId
from tests.room.judging import judge
from tests.room.kept import books
from tests.room.players import ABNORMAL, NORMAL, Evening, Player
from tests.room.ports import free_port
from tests.room.warm import warm
from tests.server import Address, Process, command
from tests.sockets import Socket

Json = dict[str, Any]
PLAYERS = 6
CHIPS = 1_000_000
KILLS, KILLS_OF_THE_COMMAND = 50, 6
LIFE_S, LIFE_OF_THE_COMMAND_S = 0.25, 1.0
"""A room lives at most so long after everybody is back."""
STILLBORN = 0.1
"""So many more rooms are killed before they are up."""

_log = logging.getLogger(__name__)


class Rooms(Protocol):
    """One room after another, each in a process of its own, on the same data."""

    async def begin(self) -> None:
        """Start another. It is not up yet."""

    async def opened(self) -> Address:
        """The room, once it takes connections. ConnectionError if it was killed before."""

    def kill(self) -> None: ...

    async def ended(self) -> None:
        """Until the process is no more."""


class Commands:
    """Rooms by the command ``fullring serve``."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._folder = folder
        self._settings = settings
        self._stack = AsyncExitStack()
        self._process: Process | None = None

    async def begin(self) -> None: ...

    async def opened(self) -> Address:
        self._process = await self._stack.enter_async_context(command(self._folder, **self._settings))
        return self._process

    def kill(self) -> None:
        assert self._process is not None
        self._process.process.kill()

    async def ended(self) -> None:
        assert self._process is not None
        await self._process.process.wait()
        await self._stack.aclose()


async def test_a_room_on_sqlite_that_is_killed_fifty_times_loses_nothing(tmp_path: Path) -> None:
    async with warm(tmp_path, free_port(), tables=2, guest_chips=CHIPS) as program:
        await _kill(program, f"sqlite:///{tmp_path / 'room.db'}", tmp_path, KILLS, LIFE_S, stillborn=STILLBORN)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_room_on_postgresql_that_is_killed_loses_nothing(tmp_path: Path, database_url: str) -> None:
    rooms = Commands(tmp_path, tables=2, guest_chips=CHIPS, database_url=database_url, port=free_port())
    await _kill(rooms, database_url, tmp_path, KILLS_OF_THE_COMMAND, LIFE_OF_THE_COMMAND_S, stillborn=0)


async def _kill(rooms: Rooms, url: str, folder: Path, kills: int, life_s: float, stillborn: float) -> None:
    seed = SystemRandom().randrange(2**32)
    _log.warning("seed %d", seed)
    dice = Random(seed)
    loop = asyncio.get_running_loop()
    evening = Evening(enough=kills * 1_000)
    took: list[float] = []
    address = await _up(rooms, took)
    async with address.http() as client:
        tables = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
    guests = [await address.guest() for _ in range(PLAYERS)]
    players = [Player(evening, tables, guest, Random(seed + n)) for n, guest in enumerate(guests)]
    async with books(url, folder) as kept:
        for _ in range(kills):
            staying = [asyncio.create_task(player.stay(address.url)) for player in players]
            for player in players:
                await player.present.wait()
            loop.call_later(dice.uniform(0, life_s), rooms.kill)
            await asyncio.gather(*staying)
            await rooms.ended()
            if dice.random() < stillborn:
                await _begin_in_vain(rooms, dice.uniform(0, median(took)))
            address = await _up(rooms, took)
            assert await kept.discrepancies() == []
            assert await kept.chips() == PLAYERS * CHIPS
        evening.over = True
        await asyncio.gather(*[player.stay(address.url) for player in players])
        rooms.kill()
        await rooms.ended()
        _log.warning("%d hands; a restart takes %.2f s (median)", len(evening.hands), median(took))
        assert all(player.closed_with == [ABNORMAL] * kills + [NORMAL] for player in players)
        await judge(kept, tables, players, kills)


async def _up(rooms: Rooms, took: list[float]) -> Address:
    began = asyncio.get_running_loop().time()
    await rooms.begin()
    address = await rooms.opened()
    took.append(asyncio.get_running_loop().time() - began)
    return address


async def _begin_in_vain(rooms: Rooms, lives_s: float) -> None:
    """A room that is killed about when it comes up."""
    await rooms.begin()
    asyncio.get_running_loop().call_later(lives_s, rooms.kill)
    with contextlib.suppress(ConnectionError):
        await rooms.opened()
    await rooms.ended()


async def test_a_kill_in_the_middle_of_a_hand_and_during_its_award_loses_no_chips(tmp_path: Path) -> None:
    """PR-H3: three players, a pot of 300 on the turn. The hand goes on from its last action, and is kept once."""
    async with warm(tmp_path, free_port(), tables=1, guest_chips=CHIPS) as program:
        address = await _up(program, [])
        async with address.http() as client:
            table = (await client.get("/tables")).json()["tables"][0]["id"]
        guests = [await address.guest() for _ in range(3)]
        async with AsyncExitStack() as stack:
            sockets = {guest.id: await stack.enter_async_context(address.socket(guest.token)) for guest in guests}
            for guest in guests:
                await sockets[guest.id].asks("sit", table=table, buy_in=1_000)
            hand = await _to_the_turn(sockets, table, players=3)
            before = {id: await _seen(socket, table) for id, socket in sockets.items()}
            program.kill()
            await program.ended()
        address = await _up(program, [])
        async with AsyncExitStack() as stack:
            sockets = {guest.id: await stack.enter_async_context(address.socket(guest.token)) for guest in guests}
            after = {id: await _seen(socket, table) for id, socket in sockets.items()}
            for id, seen in after.items():
                assert seen["you"]["cards"] == before[id]["you"]["cards"]
                assert seen["view"]["hand"]["id"] == hand
                assert seen["view"]["hand"]["board"] == before[id]["view"]["hand"]["board"]
                assert [pot["amount"] for pot in seen["view"]["hand"]["pots"]] == [300]
                assert max(seat["bet"] for seat in seen["view"]["seats"]) == 50
            last = await _to_the_last_answer(sockets, table, hand)
            await sockets[last[0]].says("act", id="last", **last[1])
            program.kill()
            await program.ended()
        address = await _up(program, [])
        async with books(f"sqlite:///{tmp_path / 'room.db'}", tmp_path) as kept:
            token = next(guest.token for guest in guests if guest.id == last[0])
            async with address.socket(token) as socket:
                assert (await socket.asks("act", id="last", **last[1]))["type"] == "ok"
            records, _ = await kept.store.hands.find(HandQuery(table=TableId(table)))
            assert [record.hand for record in records].count(hand) == 1
            assert await kept.discrepancies() == []
            assert await kept.chips() == 3 * CHIPS


async def _seen(socket: Socket, table: str) -> Json:
    """How the table stands for that client: the newest of what it was told."""
    await socket.asks("watch", table=table)
    assert (await socket.asks("ping"))["type"] == "pong"
    newest: Json = json.loads(next(frame for frame in reversed(socket.frames) if b'"type":"update"' in frame))
    return newest


async def _to_act(sockets: dict[str, Socket], table: str) -> tuple[str, Json]:
    """Whose turn it is, and how the table stands."""
    while True:
        for id, socket in sockets.items():
            seen = await _seen(socket, table)
            turn = seen["view"].get("hand", {}).get("turn")
            if turn is not None and turn["seat"] == seen.get("you", {}).get("seat"):
                return id, seen


def _answer(table: str, seen: Json, action: str, **fields: Any) -> Json:
    hand = seen["view"]["hand"]
    return {"table": table, "hand": hand["id"], "turn": hand["turn"]["id"], "action": action, **fields}


async def _to_the_turn(sockets: dict[str, Socket], table: str, players: int) -> str:
    """A hand in which each of them has put in 100, and the first has bet 50 on the turn; its id."""
    while True:
        id, seen = await _to_act(sockets, table)
        hand, actions = seen["view"]["hand"], seen["view"]["hand"]["turn"]["actions"]
        dealt = sum(seat["holds"] > 0 for seat in seen["view"]["seats"])
        high = max(seat["bet"] for seat in seen["view"]["seats"])
        if dealt < players:
            choice = _answer(table, seen, "check" if actions["check"] else "fold")
        elif hand["street"] == "preflop" and high < 100:
            choice = _answer(table, seen, "raise", to=100)
        elif hand["street"] == "turn":
            choice = _answer(table, seen, "bet", to=50)
        else:
            choice = _answer(table, seen, "check" if actions["check"] else "call")
        assert (await sockets[id].asks("act", **choice))["type"] == "ok"
        if choice["action"] == "bet":
            return str(hand["id"])


async def _to_the_last_answer(sockets: dict[str, Socket], table: str, hand: str) -> tuple[str, Json]:
    """They call and check, until one answer is left that ends the hand; whose it is, and the answer."""
    answers = 0
    while True:
        id, seen = await _to_act(sockets, table)
        assert seen["view"]["hand"]["id"] == hand
        on_river = seen["view"]["hand"]["street"] == "river"
        answers += on_river
        actions = seen["view"]["hand"]["turn"]["actions"]
        choice = _answer(table, seen, "check" if actions["check"] else "call")
        if answers == len(sockets):
            return id, choice
        assert (await sockets[id].asks("act", **choice))["type"] == "ok"

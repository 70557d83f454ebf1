"""SIGTERM while bots play: everybody is told and sent away, the process ends with 0, and the hand goes on later."""

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest

from fullring.wire.errors import CloseCode
from tests.room.judging import judge
from tests.room.kept import books
from tests.room.players import NORMAL, Evening, Player, Watcher
from tests.room.ports import free_port
from tests.server import process
from tests.sockets import dial

PLAYERS = 4
HANDS = 12
CHIPS = 100_000
STOPPED_WITHIN_S = 5


async def test_a_room_that_is_told_to_stop_tells_everybody_and_goes_on_where_it_was(
    tmp_path: Path, database_url: str
) -> None:
    settings = {"tables": 1, "guest_chips": CHIPS, "database_url": database_url, "port": free_port()}
    evening = Evening(enough=10_000)
    async with process(tmp_path, **settings) as room:
        async with room.http() as client:
            tables = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
        players = [Player(evening, tables, await room.guest(), Random(n)) for n in range(PLAYERS)]
        spectator = Watcher(evening, [*tables, "lobby"])
        staying = [asyncio.create_task(one.stay(room.url)) for one in [*players, spectator]]
        await evening.reached(HANDS)
        async with asyncio.timeout(STOPPED_WITHIN_S):
            assert await room.terminate() == 0
        await asyncio.gather(*staying)

        for one in [*players, spectator]:
            assert one.closed_with == [CloseCode.GOING_AWAY]
            messages = [msgspec.json.decode(frame.public) for frame in one.heard[-1]]
            told = next(n for n, message in enumerate(messages) if message["type"] == "notice")
            assert messages[told]["kind"] == "restart"
            later = [message for message in messages[told:] if message.get("at", 0) > messages[told]["at"]]
            assert "hand_started" not in [event["type"] for message in later for event in message.get("events", [])]
        with pytest.raises(OSError, match="Connect"):
            async with dial(room.url):
                pass
    async with process(tmp_path, **settings) as room, books(database_url, tmp_path) as kept:
        staying = [asyncio.create_task(player.stay(room.url)) for player in players]
        await evening.reached(len(evening.hands) + 2)
        evening.over = True
        await asyncio.gather(*staying)

        assert await kept.chips() == PLAYERS * CHIPS
        assert all(player.closed_with == [CloseCode.GOING_AWAY, NORMAL] for player in players)
        await judge(kept, tables, players, restarts=1)

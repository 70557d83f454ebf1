"""``fullring drain``: the hands in play are played to their ends, everybody is told, and both programs end with 0."""

import asyncio
from pathlib import Path

from typer.testing import CliRunner

from fullring.cli import main
from fullring.wire.errors import CloseCode
from tests.server import Process, process
from tests.sockets import Json


async def drain(folder: Path, *words: str) -> str:
    """What the command says. It waits for the room to be gone."""
    done = await asyncio.to_thread(CliRunner().invoke, main, ["drain", "--data", str(folder), *words])
    assert done.exit_code == 0, done.output
    return done.output


async def told_until_the_end(room: Process, *, before: asyncio.Event) -> list[Json]:
    """What a spectator of the only table hears, until it is sent away. ``before``: a hand is played."""
    async with room.http() as client:
        (row,) = (await client.get("/tables")).json()["tables"]
    async with room.socket() as socket:
        await socket.asks("watch", table=row["id"])
        await socket.sees("acted")
        before.set()
        assert await socket.closed() == CloseCode.GOING_AWAY
        messages = []
        while True:
            try:
                messages.append(await socket.heard())
            except IndexError:
                return messages


async def test_a_room_that_drains_ends_when_no_hand_is_played(tmp_path: Path) -> None:
    playing = asyncio.Event()
    async with process(tmp_path, tables=1, house_bots=3) as room:
        hearing = asyncio.create_task(told_until_the_end(room, before=playing))
        await playing.wait()
        said = await drain(tmp_path)
        messages = await hearing
        assert await room.process.wait() == 0

    assert said == "no new hands: the room stops when those in play are over\nthe room has stopped\n"
    notices = [message for message in messages if message["type"] == "notice"]
    assert [notice["kind"] for notice in notices] == ["restart", "restart"]
    updates = messages[messages.index(notices[0]) :]
    updates = [message for message in updates if message["type"] == "update"]
    begun = [update for update in updates if any(event["type"] == "hand_started" for event in update["events"])]
    assert all(update["at"] <= notices[0]["at"] for update in begun), "one that was being written then is none"
    assert updates[-1]["view"]["status"] == "closing"
    assert "hand" not in updates[-1]["view"] or "turn" not in updates[-1]["view"]["hand"]


async def test_a_hand_that_takes_too_long_is_left_where_it_is(tmp_path: Path) -> None:
    playing = asyncio.Event()
    slow: Json = {"bot_think_min_ms": 300, "bot_think_max_ms": 300}
    async with process(tmp_path, tables=1, house_bots=6, **slow) as room:
        hearing = asyncio.create_task(told_until_the_end(room, before=playing))
        await playing.wait()
        said = await drain(tmp_path, "--seconds", "0")
        assert await room.process.wait() == 0
        await hearing

    assert said.splitlines()[1] == "hands are still played after 0 s: they go on after the next start"
    assert said.splitlines()[2] == "the room has stopped"

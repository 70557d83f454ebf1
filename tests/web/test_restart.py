"""The room as a process: told to stop, and killed."""

import time
from pathlib import Path

from fullring.wire.errors import CloseCode
from tests.server import process


async def test_told_to_stop_it_tells_everybody_and_is_gone_with_status_0_within_5_seconds(tmp_path: Path) -> None:
    async with process(tmp_path, tables=1) as room:
        guest = await room.guest("Anna")
        async with room.http() as client:
            table = (await client.get("/tables")).json()["tables"][0]["id"]
        async with room.socket(guest.token) as socket:
            await socket.asks("sit", table=table, buy_in=500)
            began = time.monotonic()
            assert await room.terminate() == 0
            assert time.monotonic() - began < 5

            assert await socket.closed() == CloseCode.GOING_AWAY
            notice = await socket.heard()
            assert (notice["type"], notice["kind"]) == ("notice", "restart")


async def test_after_a_kill_the_seat_and_the_answers_are_still_there(tmp_path: Path) -> None:
    async with process(tmp_path, tables=1) as room:
        guest = await room.guest("Anna")
        async with room.http() as client:
            table = (await client.get("/tables")).json()["tables"][0]["id"]
        async with room.socket(guest.token) as socket:
            sat = await socket.asks("sit", id="s", table=table, buy_in=500)
            await room.kill()
            assert await socket.closed() == 1006
    async with process(tmp_path, tables=1) as room, room.socket(guest.token) as socket:
        assert socket.welcome["seats"] == [{"table": table, "seat": sat["seat"]}]
        assert socket.welcome["account"]["chips"] == 9_500
        assert await socket.asks("sit", id="s", table=table, buy_in=500) == sat
        await socket.asks("watch", table=table)
        while not (seat := (await socket.hears("update"))["view"]["seats"][0])["connected"]:
            pass
        assert (seat["seat"], seat["stack"]) == (sat["seat"], 500)

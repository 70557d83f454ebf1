"""Who gets a socket: handshakes a second, connections in all, pages of other sites; and that nothing is left behind."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.sockets import dial
from tests.web.test_closing import TURNS_MAX, heard_of


async def turned_away(room: Running, **options: str) -> tuple[int, str, str | None]:
    """The status, the code and when to try again, of a handshake that is answered with no."""
    with pytest.raises(InvalidStatus) as caught:
        async with dial(room.url, **options):
            pass
    response = caught.value.response
    assert response.body is not None
    return response.status_code, json.loads(response.body)["code"], response.headers.get("Retry-After")


async def test_handshakes_beyond_the_rate_are_put_off(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, clock=clock, handshakes_per_second=3) as room:
        for _ in range(3):
            async with room.socket():
                pass
        assert await turned_away(room) == (503, "rate_limited", "2")
        await clock.advance(1_000)
        async with room.socket():
            pass


async def test_a_full_room_takes_no_more_connections(tmp_path: Path) -> None:
    async with running(tmp_path, connections_max=2) as room:
        async with room.socket(), room.socket():
            assert await turned_away(room) == (503, "rate_limited", "2")
        await heard_of(room, 0)
        async with room.socket():
            pass


async def test_a_page_of_a_site_that_the_operator_named_may_open_a_socket(tmp_path: Path) -> None:
    async with running(tmp_path, origins=("https://cards.example",)) as room:
        async with dial(room.url, origin="https://cards.example"):
            pass
        assert await turned_away(room, origin="https://elsewhere.example") == (403, "forbidden", None)
        assert await turned_away(room, origin="null") == (403, "forbidden", None)


async def test_spectators_who_come_and_go_leave_nothing_behind(still: Running, clock: FakeClock) -> None:
    """PR-H1, for connections."""
    table = await still.table()
    audience = still.site.room.audience(table)
    timers = clock.timers
    for _ in range(100):
        async with still.socket() as one, still.socket() as other:
            for socket in (one, other):
                await socket.asks("watch", table=table)
                await socket.asks("watch", table="lobby")
            other.socket.transport.abort()
        await heard_of(still, 0)
        await clock.advance(1_000)

    for _ in range(TURNS_MAX):
        if clock.timers >= timers:  # Whoever looks into the database just now sleeps again when it has its answer.
            break
        await asyncio.sleep(0)
    assert (len(audience), len(still.site.room.audience("lobby")), clock.timers) == (0, 0, timers)


async def test_behind_a_proxy_that_is_known_the_rate_is_that_of_the_client(tmp_path: Path, clock: FakeClock) -> None:
    async with (
        running(tmp_path, clock=clock, guests_per_minute=1, proxies=("127.0.0.1",)) as room,
        room.http() as client,
    ):
        for address, status in (("10.0.0.1", 201), ("10.0.0.1", 429), ("10.0.0.2", 201)):
            assert (await client.post("/guests", json={}, headers={"X-Forwarded-For": address})).status_code == status


async def test_without_a_proxy_nobody_may_say_that_they_are_somebody_else(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, clock=clock, guests_per_minute=1) as room, room.http() as client:
        for address, status in (("10.0.0.1", 201), ("10.0.0.2", 429)):
            assert (await client.post("/guests", json={}, headers={"X-Forwarded-For": address})).status_code == status

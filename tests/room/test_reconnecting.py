"""PR-E5: reconnecting while the next hand is being dealt, at every point around the deal."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from tests.fake_clock import FakeClock
from tests.room.seats import Party, Place, party
from tests.server import running
from tests.sockets import Json

DEALS = {"sqlite": 100, "postgresql": 25}
AWAY = 4
"""So many come back around each deal: five hundred in all."""
TURNS_MAX = 120
"""They come within so many turns of the event loop before the deal, or after it."""
PAUSE_MS = 50
WHOLE = {"id", "number", "street", "board", "pots"}


@pytest.mark.parametrize("database_url", DEALS, indirect=True)
async def test_who_comes_back_around_the_deal_gets_one_whole_moment(
    tmp_path: Path, database_url: str, clock: FakeClock
) -> None:
    count = DEALS[database_url.partition("+")[0]]
    dice = Random(count)
    after_the_deal: set[bool] = set()
    async with (
        running(tmp_path, database_url=database_url, clock=clock, silent_seconds=900) as room,
        party(room, 1, 2, 3, 4, 5, 6, hand_pause_ms=PAUSE_MS) as there,
    ):
        await clock.advance(PAUSE_MS + 1)
        await there.until("hand_started")
        for _ in range(count):
            away = await dropped_on_the_river(there)
            ended, before = there.hand["number"], {place.seat: place.seen for place in away}
            dealing = asyncio.create_task(deals(clock, dice.randrange(TURNS_MAX)))
            firsts = await asyncio.gather(*[comes_back(place, dice.randrange(TURNS_MAX)) for place in away])
            await dealing
            while there.hand["number"] == ended or not all(there.seat(place.seat)["connected"] for place in away):
                await there.hears()
            for place, first in zip(away, firsts, strict=True):
                check_first(there, place, first, before[place.seat])
                after_the_deal.add(first["view"]["hand"]["number"] > ended)
                again = await place.connect()
                assert (again["view"], again["you"]) == (there.latest["view"], place.seen["you"])
                assert len(again["you"]["cards"]) == 2
    assert after_the_deal == {False, True}, "some came back before the deal, and some after it"


async def dropped_on_the_river(there: Party) -> list[Place]:
    """All but the blinds fold, the blinds check to the river; the first of them drops there, and so do some others."""
    folded = [await there.act("fold") for _ in range(4)]
    await there.act("call")
    for _ in range(5):
        await there.act("check")
    away = [await there.act("check"), *folded[: AWAY - 1]]
    for place in away:
        await place.drop()
        await there.until("connection_changed", seat=place.seat, connected=False)
    await there.act("check")
    assert "turn" not in there.hand
    return away


async def deals(clock: FakeClock, later: int) -> None:
    for _ in range(later):
        await asyncio.sleep(0)
    await clock.advance(3 * PAUSE_MS + 1)


async def comes_back(place: Place, later: int) -> Json:
    for _ in range(later):
        await asyncio.sleep(0)
    return await place.connect(since=True)


def check_first(there: Party, place: Place, first: Json, before: Json) -> None:
    """What came first is a whole and is what everybody was told; what came then is numbered on from there."""
    types = [json.loads(frame)["type"] for frame in place.socket.frames[:3]]
    assert types == ["welcome", "ok", "update"]
    numbers = [seq for frame in place.socket.frames[2:] if (seq := json.loads(frame).get("seq")) is not None]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert first["view"] == there.told[first["seq"]]["view"]
    missed = [there.told[seq]["events"] for seq in range(before["seq"] + 1, first["seq"] + 1)]
    assert first["events"] == [event for events in missed for event in events]
    hand = first["view"]["hand"]
    assert hand.keys() >= WHOLE
    assert len(first["you"]["cards"]) == 2
    assert ("turn" in hand) == (not hand["board"])
    if "turn" in hand:
        assert hand["turn"].keys() >= {"id", "seat", "deadline", "actions"}
        assert sum(seat["bet"] for seat in first["view"]["seats"]) == 15, "the blinds are posted"

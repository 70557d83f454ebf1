"""A connection is lost in every state that a player can be in: who comes back finds table, cards and news."""

import pytest

from tests.fake_clock import FakeClock
from tests.room.seats import Party, Place, party
from tests.server import Running

STATES = ("to act", "not to act", "folded", "all-in", "between hands", "waiting for the big blind")


async def in_state(there: Party, clock: FakeClock, state: str) -> Place:
    """Somebody who is in that state: three players, the button on seat 1, who is first to act."""
    if state == "waiting for the big blind":
        await there.deal(clock)
        return await there.join(5)
    await there.deal(clock)
    assert there.hand["turn"]["seat"] == 1
    match state:
        case "to act":
            return there[1]
        case "not to act":
            return there[2]
        case "folded":
            return await there.act("fold")
        case "all-in":
            return await there.act("all_in")
        case _:
            await there.act("fold")
            await there.act("fold")
            return there[3]


@pytest.mark.parametrize("state", STATES)
async def test_who_comes_back_finds_everything_as_it_is(still: Running, clock: FakeClock, state: str) -> None:
    async with party(still, 1, 2, 3) as there:
        place = await in_state(there, clock, state)
        seat, before = place.seat, place.seen
        await place.drop()
        await there.until("connection_changed", seat=seat, connected=False)
        assert not there.seat(seat)["connected"]
        other = next(one for one in there.places.values() if one.here)
        for number in range(3):
            await other.asks("chat", text=f"{number}")
        if "turn" in there.latest["view"].get("hand", {}) and there.hand["turn"]["seat"] != seat:
            await there.act("fold")

        after = await place.connect(since=True)
        assert place.socket.welcome["seats"] == [{"table": there.table, "seat": seat}]
        while there.latest["seq"] < after["seq"]:
            await there.hears()
        told = there.told
        assert after["view"] == told[after["seq"]]["view"]
        missed = [told[seq] for seq in range(before["seq"] + 1, after["seq"] + 1)]
        assert after["events"] == [event for update in missed for event in update["events"]]
        assert [event["text"] for event in after["events"] if event["type"] == "chatted"] == ["0", "1", "2"]
        assert "lost" not in after
        assert after["you"]["cards"] == before["you"]["cards"]
        assert (len(after["you"]["cards"]) == 2) == (state != "waiting for the big blind")
        if not there.seat(seat)["connected"]:
            await there.until("connection_changed", seat=seat, connected=True)
        assert place.seen["view"] == there.latest["view"]
        assert there.seat(seat)["stack"] + there.seat(seat)["bet"] == sum(
            own["stack"] + own["bet"] for own in before["view"]["seats"] if own["seat"] == seat
        )


async def test_who_comes_back_on_the_turn_answers_it(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        turn = there.hand["turn"]
        await there[1].drop()
        await there.until("connection_changed", connected=False)
        await there[1].connect(since=True)
        await there.until("connection_changed", connected=True)

        assert there.hand["turn"] == turn, "the deadline is what it was"
        await there.act("raise", to=30)
        assert there.seat(1)["bet"] == 30


async def test_who_has_missed_too_much_is_told_so(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        before = there[1].seen
        await there[1].drop()
        await there.until("connection_changed", connected=False)
        for number in range(260):
            await there[2].asks("chat", text=f"{number}")
            await there.hears()

        after = await there[1].connect(since=True)
        told = there.told[there.latest["seq"]] if after["seq"] == there.latest["seq"] else await there.hears()
        assert after["lost"] is True
        assert after["view"] == told["view"]
        assert after["you"]["cards"] == before["you"]["cards"]
        said = [event["text"] for event in after["events"] if event["type"] == "chatted"]
        assert len(said) >= 255
        assert said == [f"{number}" for number in range(260 - len(said), 260)], "what is held is told in order"


@pytest.mark.parametrize("since", [{"epoch": 2, "seq": 1}, {"epoch": 0, "seq": 3}, {"epoch": 1, "seq": 10_000}])
async def test_who_comes_back_with_another_history_begins_again(
    still: Running, clock: FakeClock, since: dict[str, int]
) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await there[1].asks("watch", since=since)
        update = await there[1].socket.hears("update")

        assert (update["lost"], update["events"]) == (True, [])
        assert (update["epoch"], update["view"]) == (1, there.latest["view"])


async def test_nothing_that_went_on_meanwhile_is_told_twice(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await there[1].asks("watch", since={"epoch": 1, "seq": there.latest["seq"]})
        update = await there[1].socket.hears("update")

        assert (update["seq"], update["events"], "lost" in update) == (there.latest["seq"], [], False)

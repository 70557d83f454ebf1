"""The clock, over real sockets: 30 s for every turn, connected or not, and what happens when they are over."""

from pathlib import Path
from typing import Any

from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.room.seats import Party, party
from tests.server import Running, running

TURN_MS = 30_000
BANK_MS = 30_000


async def gone(there: Party, *seats: int) -> None:
    for seat in seats:
        await there[seat].drop()
        await there.until("connection_changed", seat=seat, connected=False)


async def run_out(there: Party, clock: FakeClock) -> dict[str, Any]:
    """The time of the turn passes, and the table acts; nothing happens before."""
    await clock.advance(there.hand["turn"]["deadline"] - clock.now())
    await there.quiet()
    await clock.advance(1)
    return await there.until("acted")


async def test_who_is_away_is_folded_after_30_s_and_sits_out(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await gone(there, 1)
        assert there.hand["turn"]["deadline"] == clock.now() + TURN_MS

        acted = await run_out(there, clock)
        assert (acted["seat"], acted["action"], acted["auto"]) == (1, "fold", "away")
        assert there.hand["turn"]["deadline"] == clock.now() + TURN_MS, "the next has all of its time"
        await there.act("fold")
        assert there.seat(1)["state"] == "sitting_out"
        assert {"type": "sat_out", "seat": 1, "reason": "away"}.items() <= next(
            event for event in there.latest["events"] if event["type"] == "sat_out"
        ).items()


async def test_a_turn_that_begins_while_its_player_is_away_has_30_s_and_no_more(
    still: Running, clock: FakeClock
) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await gone(there, 2)
        await clock.advance(10_000)
        await there.act("call")

        assert there.hand["turn"] == there.hand["turn"] | {"seat": 2, "deadline": clock.now() + TURN_MS}
        acted = await run_out(there, clock)
        assert (acted["seat"], acted["action"], acted["auto"]) == (2, "fold", "away")


async def test_who_comes_back_acts_in_what_remains(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        deadline = there.hand["turn"]["deadline"]
        await gone(there, 1)
        await clock.advance(TURN_MS - 100)
        await there[1].connect(since=True)
        await there.until("connection_changed", seat=1, connected=True)

        assert there.hand["turn"]["deadline"] == deadline
        await clock.advance(50)
        await there.act("call")
        assert there.seat(1)["last_action"] == "call"
        assert there.seat(1)["time_bank_ms"] == BANK_MS


async def test_at_the_deadline_the_player_is_preferred(still: Running, clock: FakeClock) -> None:
    """PR-E4: at 29.9 s and at 30.0 s the answer counts, and the turn after it has all of its time."""
    async with party(still, 1, 2, time_bank_ms=0) as there:
        await there.deal(clock)
        for after in (TURN_MS - 100, TURN_MS):
            seat = there.hand["turn"]["seat"]
            await clock.advance(after)
            place = await there.act("call" if "call" in there.hand["turn"]["actions"] else "check")
            assert place.seat == seat
            assert there.hand["turn"]["deadline"] == clock.now() + TURN_MS


async def test_after_the_deadline_the_answer_is_too_late(still: Running, clock: FakeClock) -> None:
    """PR-E4, at 30.1 s: an error, and nothing changes but what the clock has done already."""
    async with party(still, 1, 2, 3, time_bank_ms=0) as there:
        await there.deal(clock)
        place = there[1]
        answer = place.answer("call")
        await clock.advance(TURN_MS + 100)
        late = await place.asks("act", **answer)
        acted = await there.until("acted")

        assert (late["type"], late["code"]) == ("error", "stale_turn")
        assert (acted["action"], acted["auto"]) == ("fold", "timeout")
        await there.quiet()


async def test_the_time_bank_begins_by_itself_for_who_is_there(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await clock.advance(TURN_MS + 1)
        began = await there.until("time_bank_started")
        assert (began["seat"], began["deadline"]) == (1, clock.now() + BANK_MS)
        await clock.advance(10_000)
        await there.act("call")
        assert there.seat(1)["time_bank_ms"] == BANK_MS - 10_000


async def test_when_the_bank_is_empty_the_table_acts_and_twice_running_is_sitting_out(
    still: Running, clock: FakeClock
) -> None:
    async with party(still, 1, 2) as there:
        reasons = []
        for _ in range(2):
            await there.deal(clock)
            while there.hand["turn"]["seat"] != 1:
                await there.act("call")
            if there.seat(1)["time_bank_ms"]:
                await clock.advance(TURN_MS + 1)
                await there.until("time_bank_started", seat=1)
            acted = await run_out(there, clock)
            reasons.append((acted["seat"], acted["auto"]))
            while "turn" in there.hand:
                if there.hand["turn"]["seat"] == 1:
                    await run_out(there, clock)
                else:
                    await there.act("bet", to=10)
            if there.seat(1)["state"] == "sitting_out":
                break
        assert set(reasons) == {(1, "timeout")}
        assert there.seat(1)["state"] == "sitting_out"


async def test_the_time_bank_never_begins_for_who_is_away(still: Running, clock: FakeClock) -> None:
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await gone(there, 1)
        await clock.advance(TURN_MS + 1)
        event = await there.until("acted", "time_bank_started")
        assert (event["type"], event["auto"]) == ("acted", "away")
        assert there.seat(1)["time_bank_ms"] == BANK_MS


async def test_a_player_who_is_all_in_needs_no_connection(still: Running, clock: FakeClock) -> None:
    """PR-E2: no clock runs for it, and its cards are shown with the others."""
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await there.act("all_in")
        await gone(there, 1)
        await there.act("fold")
        await there.act("call")

        ended = there.told[there.latest["seq"]]["events"]
        assert {event["seat"] for event in ended if event["type"] == "cards_shown"} == {1, 3}
        assert [event for event in ended if event["type"] == "hand_ended"]


async def test_when_everybody_is_away_the_last_hand_wins_and_no_other_begins(still: Running, clock: FakeClock) -> None:
    """PR-E6: and the table plays again when two are back."""
    async with party(still, 1, 2, 3) as there:
        await there.deal(clock)
        await gone(there, 1, 2, 3)
        for seat in (1, 2):
            acted = await run_out(there, clock)
            assert (acted["seat"], acted["action"]) == (seat, "fold")
        awarded = [event for event in there.latest["events"] if event["type"] == "pot_awarded"]
        assert [award["winners"] for award in awarded] == [[{"seat": 3, "amount": 10}]]
        await clock.advance(60_000)
        await there.quiet()
        assert there.latest["view"]["status"] == "waiting"

        await there[1].connect(since=True)
        await there.until("connection_changed", seat=1, connected=True)
        await there[1].asks("sit_in")
        await clock.advance(1_000)
        assert "hand_started" not in {event["type"] for event in (await there.hears())["events"]}
        await there[3].connect(since=True)
        await there.deal(clock)
        assert {seat["seat"] for seat in there.latest["view"]["seats"] if seat["holds"]} == {1, 3}


async def test_who_is_silent_for_25_s_is_away_from_then(tmp_path: Path, database_url: str, clock: FakeClock) -> None:
    """4008; the clock of the turn goes on as it was, and no time bank begins."""
    async with running(tmp_path, database_url=database_url, clock=clock) as room, party(room, 1, 2, 3) as there:
        await there.deal(clock)
        for _ in range(24):
            await clock.advance(1_000)
            for other in (there[2].socket, there[3].socket, there.spectator):
                await other.asks("ping")
        await there.quiet()
        await clock.advance(1_000)
        assert await there[1].socket.closed() == CloseCode.NO_HEARTBEAT
        await there[1].close()
        await there.until("connection_changed", seat=1, connected=False)

        acted = await run_out(there, clock)
        assert (acted["seat"], acted["auto"]) == (1, "away")

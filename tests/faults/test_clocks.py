"""Somebody sets the machine's clock: a turn lasts as long as ever, and no instant comes before one that was told."""

import time
from pathlib import Path

import pytest

from tests.room.seats import party
from tests.server import running

TURN_MS = 1_500
HOUR_S = 3_600
LATE_S = 5.0


def set_clock(monkeypatch: pytest.MonkeyPatch, by_s: int) -> None:
    """The time of day, as this process reads it; the monotonic clock is nobody's to set."""
    seconds, nanoseconds = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: seconds() + by_s)
    monkeypatch.setattr(time, "time_ns", lambda: nanoseconds() + by_s * 1_000_000_000)


@pytest.mark.parametrize("by_s", [HOUR_S, -HOUR_S])
async def test_a_turn_lasts_as_long_as_ever_when_the_clock_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_s: int
) -> None:
    async with running(tmp_path) as room, party(room, 1, 2, turn_ms=TURN_MS, time_bank_ms=0) as there:
        await there.until("turn_started")
        began, at = time.monotonic(), there.latest["at"]
        assert there.hand["turn"]["deadline"] == at + TURN_MS
        set_clock(monkeypatch, by_s)

        await there.until("acted", "hand_ended")

        assert TURN_MS / 1000 - 0.5 < time.monotonic() - began < TURN_MS / 1000 + LATE_S
        assert TURN_MS <= there.latest["at"] - at < TURN_MS + 1000 * LATE_S


async def test_after_a_restart_with_the_clock_set_back_time_goes_on_from_what_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        set_clock(ahead, HOUR_S)
        async with running(tmp_path) as room, party(room, 1, 2, turn_ms=600_000) as there:
            await there.until("turn_started")
            table, told = there.table, there.latest["at"]
    async with running(tmp_path) as room, room.socket() as spectator:
        await spectator.asks("watch", table=table)
        update = await spectator.hears("update")

        assert told <= update["at"] < told + 1000 * HOUR_S
        assert update["view"]["hand"]["turn"]["deadline"] == update["at"] + 600_000

"""Instants, timers, and the one alarm of a table."""

import asyncio
import time

import pytest

from fullring.runtime.clock import Alarm, WallClock, sleep
from tests.fake_clock import START, FakeClock, settle


def test_the_wall_clock_shows_unix_milliseconds() -> None:
    assert abs(WallClock().now() - time.time_ns() // 1_000_000) < 5_000


def test_setting_the_machines_clock_moves_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = WallClock()
    before = clock.now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)

    assert 0 <= clock.now() - before < 5_000


def test_the_wall_clock_can_be_made_to_start_later_and_never_earlier() -> None:
    clock = WallClock()
    later = clock.now() + 3_600_000
    clock.start_from(later)
    assert later <= clock.now() < later + 5_000
    clock.start_from(0)

    assert later <= clock.now() < later + 5_000


async def test_the_wall_clock_calls_back() -> None:
    clock, called = WallClock(), asyncio.Event()
    clock.call_at(clock.now() + 1, called.set)
    assert not called.is_set()

    await asyncio.wait_for(called.wait(), 5)


async def test_sleeping_is_by_the_given_clock() -> None:
    clock = FakeClock()
    sleeping = asyncio.ensure_future(sleep(clock, 1_000))

    await clock.advance(999)
    assert not sleeping.done()
    await clock.advance(1)
    assert sleeping.done()


async def test_a_sleeper_that_is_cancelled_leaves_no_timer() -> None:
    clock = FakeClock()
    sleeping = asyncio.ensure_future(sleep(clock, 1_000))
    await settle()
    sleeping.cancel()
    await settle()

    assert clock.timers == 0


def alarm() -> tuple[FakeClock, Alarm, list[int]]:
    clock, rung = FakeClock(), list[int]()
    return clock, Alarm(clock, lambda: rung.append(clock.now() - START)), rung


async def test_an_alarm_rings_once_at_its_deadline() -> None:
    clock, it, rung = alarm()
    it.set(START + 500)

    await clock.advance(2_000)

    assert rung == [500]
    assert clock.timers == 0


async def test_a_later_deadline_keeps_the_timer_and_rings_late() -> None:
    clock, it, rung = alarm()
    it.set(START + 500)
    for later in range(600, 1_000, 100):
        it.set(START + later)
        assert clock.timers == 1

    await clock.advance(2_000)

    assert rung == [900]


async def test_an_earlier_deadline_rings_early() -> None:
    clock, it, rung = alarm()
    it.set(START + 500)
    it.set(START + 100)

    await clock.advance(2_000)

    assert rung == [100]


async def test_an_alarm_without_a_deadline_or_cancelled_never_rings() -> None:
    clock, it, rung = alarm()
    it.set(START + 500)
    it.set(None)
    await clock.advance(1_000)
    it.set(clock.now() + 500)
    it.cancel()
    await clock.advance(1_000)

    assert rung == []
    assert clock.timers == 0


async def test_an_alarm_may_be_set_again_from_its_own_callback() -> None:
    clock = FakeClock()
    rung: list[int] = []

    def ring() -> None:
        rung.append(clock.now() - START)
        if len(rung) < 3:
            again.set(clock.now() + 10)

    again = Alarm(clock, ring)
    again.set(START + 10)
    await clock.advance(100)

    assert rung == [10, 20, 30]

"""When all garbage is collected, and when it is left for later."""

import pytest

from fullring.runtime.sweeper import FEW_IN_PLAY, LOOK_EVERY_MS, SWEEP_EVERY_MS, Sweeper
from tests.fake_clock import FakeClock


class Yard:
    """A room with so many hands in play; ``swept`` are the instants of its sweeps."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.in_play = 0
        self.swept: list[int] = []
        self.sweeper = Sweeper(self.clock, lambda: self.in_play, lambda: self.swept.append(self.clock.now()))
        self.sweeper.start()


async def test_a_quiet_room_is_swept_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "fullring.runtime")
    yard = Yard()
    began = yard.clock.now()
    await yard.clock.advance(SWEEP_EVERY_MS - LOOK_EVERY_MS)
    assert yard.swept == []
    await yard.clock.advance(2 * SWEEP_EVERY_MS + LOOK_EVERY_MS)

    assert yard.swept == [began + number * SWEEP_EVERY_MS for number in (1, 2, 3)]
    assert yard.sweeper.took_s > 0
    assert caplog.text.count("garbage swept") == 3


async def test_a_busy_room_is_swept_as_soon_as_few_hands_are_in_play() -> None:
    yard = Yard()
    yard.in_play = FEW_IN_PLAY + 1
    await yard.clock.advance(5 * SWEEP_EVERY_MS)
    assert yard.swept == []
    assert yard.sweeper.took_s == 0

    yard.in_play = FEW_IN_PLAY
    await yard.clock.advance(LOOK_EVERY_MS)
    assert len(yard.swept) == 1


async def test_a_sweeper_that_was_stopped_sweeps_no_more() -> None:
    yard = Yard()
    yard.sweeper.stop()
    await yard.clock.advance(2 * SWEEP_EVERY_MS)

    assert yard.swept == []
    assert yard.clock.timers == 0

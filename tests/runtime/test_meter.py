"""Counting: spreads by their bounds, how late the loop is, and connections that are too slow."""

import asyncio

from fullring.runtime.meter import SECONDS, Meter, Spread
from fullring.runtime.outbox import Outbox
from fullring.runtime.pulse import EVERY_S, Pulse
from fullring.table.ids import AccountId
from tests.runtime.house import House, Listener, housed
from tests.virtual_loop import run


def test_a_value_is_counted_at_the_first_bound_that_it_does_not_pass() -> None:
    spread = Spread((1, 2, 4))
    for amount in (0, 1, 1.5, 2, 4, 5, 100):
        spread.add(amount)

    assert spread.counts == [2, 2, 1, 2]
    assert spread.total == 113.5


def test_the_bounds_rise() -> None:
    assert list(SECONDS) == sorted(set(SECONDS))


def test_the_loop_is_looked_at_a_few_times_a_second_until_it_stops() -> None:
    async def beats() -> None:
        lag = Spread()
        pulse = Pulse(lag)
        pulse.start()
        await asyncio.sleep(4.5 * EVERY_S)
        assert sum(lag.counts) == 4
        assert lag.total < EVERY_S
        pulse.stop()
        pulse.stop()
        await asyncio.sleep(4 * EVERY_S)
        assert sum(lag.counts) == 4

    run(beats, seed=0)


@housed()
async def test_who_reads_too_slowly_is_counted_until_the_line_takes_something_again(house: House) -> None:
    meter, slow = Meter(), Listener(house.clock)
    slow.outbox = Outbox(AccountId("a1"), house.clock.now, slow, meter)
    audience = house.room.audience(await house.open())
    audience.watch(slow.outbox)
    slow.full = True
    for _ in range(3):
        audience.announce(house.clock.now())
    assert (meter.lagging, meter.dropped) == (1, 3)

    slow.full = False
    slow.outbox.flush()
    assert (meter.lagging, meter.dropped) == (0, 3)

    slow.full = True
    slow.outbox.reply(b"{}")
    assert meter.lagging == 1
    slow.outbox.close()
    slow.outbox.close()
    assert meter.lagging == 0

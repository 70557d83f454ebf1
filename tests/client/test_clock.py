from random import Random

from fullring.wire.server import Limits
from fullring_client.clock import Backoff, Pace


def test_waits_grow_to_the_longest_and_are_never_all_alike() -> None:
    waits = [
        Backoff(dice=Random(seed)).wait(attempt, restarting=False) for attempt in (0, 5, 500) for seed in range(20)
    ]
    assert all(0.125 <= wait <= 0.25 for wait in waits[:20])
    assert all(4 <= wait <= 8 for wait in waits[20:40])
    assert all(5 <= wait <= 10 for wait in waits[40:])
    assert len(set(waits)) == len(waits)


def test_a_room_that_restarts_meets_its_clients_one_by_one() -> None:
    waits = [Backoff(dice=Random(seed)).wait(0, restarting=True) for seed in range(50)]
    assert min(waits) < 0.5
    assert 2.5 < max(waits) <= 3


def test_a_burst_goes_at_once_and_the_rest_at_the_rate_and_a_rest_fills_up_again() -> None:
    pace = Pace(Limits(frame_bytes=8192, frames_per_second=10, frames_burst=40))
    assert [pace.wait(1000.0) for _ in range(32)] == [0.0] * 32
    waits = [pace.wait(1000.0) for _ in range(9)]
    assert waits == sorted(waits)
    assert 0.99 < waits[-1] < 1.01
    assert [pace.wait(1010.0) for _ in range(32)] == [0.0] * 32


def test_a_room_with_the_smallest_limits_is_still_spoken_to() -> None:
    pace = Pace(Limits(frame_bytes=8192, frames_per_second=0, frames_burst=0))
    assert [pace.wait(0.0), pace.wait(0.0)] == [0.0, 1.0]

"""Whole evenings in one seeded world: faults while the storm lasts, then three more hands at every table."""

import pytest

from tests.simulation.evening import spend

SEEDS = range(1, 13)
HANDS = 120


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_weather_the_room_keeps_its_promises(seed: int) -> None:
    assert spend(seed, HANDS).hands > 0


def test_the_same_seed_is_the_same_evening_to_the_byte() -> None:
    assert spend(7, 40).digest == spend(7, 40).digest

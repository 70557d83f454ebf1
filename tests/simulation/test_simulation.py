"""The whole room in one seeded world: nothing that goes wrong breaks a promise, and a seed is one run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import PROJECT
from tests.simulation.batch import Failed, batch, one
from tests.simulation.evening import HANDS, Result, spend
from tests.simulation.mutants import DYING, FAILING, LAST_MINUTE, RESTLESS, SLY, TWO_OWNERS
from tests.simulation.weather import FAIR, Weather

PARTS = 8
CORPUS = [int(line.split()[0]) for line in Path(__file__).with_name("corpus.txt").read_text("utf-8").splitlines()[1:]]
WEATHERS = [FAIR, DYING, FAILING, RESTLESS, LAST_MINUTE, SLY, TWO_OWNERS]
WEATHER_HANDS = 80
IN_ALL = int(os.environ.get("SIMULATED_HANDS", "20000"))
"""Hands in the runs of this file together."""
PART_HANDS = (IN_ALL - len(WEATHERS) * WEATHER_HANDS - len(CORPUS) * HANDS) // PARTS


# In parts, so that they can be shared among cores.
@pytest.mark.parametrize("part", range(PARTS))
def test_many_hands_in_any_weather_keep_every_promise(part: int) -> None:
    hands = 0
    for result in batch(1 + 1_000 * part, PART_HANDS, jobs=1):
        assert isinstance(result, Result), str(result)
        hands += result.hands
    assert hands >= PART_HANDS


@pytest.mark.parametrize("seed", CORPUS)
def test_what_failed_once_does_not_fail_again(seed: int) -> None:
    assert not isinstance(result := one(seed), Failed), str(result)


@pytest.mark.parametrize("weather", WEATHERS)
def test_the_weather_in_which_planted_faults_are_found_breaks_nothing_by_itself(weather: Weather) -> None:
    assert spend(1, hands=WEATHER_HANDS, weather=weather).hands >= WEATHER_HANDS


def test_the_same_seed_is_the_same_run_to_the_byte_in_every_process() -> None:
    program = "from tests.simulation.evening import spend; print(spend(5, hands=60).digest)"
    digests = {spend(5, hands=60).digest}
    for hash_seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=PROJECT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        digests.add(done.stdout.strip())

    assert len(digests) == 1
    assert digests != {spend(6, hands=60).digest}


def test_a_failure_says_how_to_see_it_again() -> None:
    said = str(Failed(7, "fair", "a promise"))

    assert "seed 7" in said
    assert said.endswith("make simulate SEED=7")

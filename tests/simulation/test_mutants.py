"""A simulation that finds nothing proves nothing: each fault that is planted in the server is found, and soon."""

import pytest

from tests.simulation.evening import spend
from tests.simulation.mutants import MUTANTS, Mutant

SEEDS = 12
HANDS = 80


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    with mutant.planted():
        for seed in range(1, SEEDS + 1):
            try:
                spend(seed, hands=HANDS, weather=mutant.weather)
            except AssertionError:
                return
    pytest.fail(f"{mutant.name}: not found in {SEEDS} runs")

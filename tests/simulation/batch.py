"""Many runs, one seed after another, on several cores. What comes out is the same however fast each of them is."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from random import Random

from tests.simulation.evening import Result, spend
from tests.simulation.weather import drawn
from tests.virtual_loop import Deadlock

AHEAD = 2
"""Runs that each core has begun or waits to begin."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A run that broke a promise, and how to see it again."""

    seed: int
    weather: str
    said: str

    def __str__(self) -> str:
        again = f"again: make simulate SEED={self.seed}"
        return f"seed {self.seed} breaks a promise: {self.said}\nweather: {self.weather}\n{again}"


def one(seed: int) -> Result | Failed:
    """The run of that seed."""
    try:
        return spend(seed)
    except (AssertionError, Deadlock) as error:
        return Failed(seed, str(drawn(Random(f"{seed} weather"))), f"{error}" or repr(error))
    except BaseException as error:
        error.add_note(f"again: make simulate SEED={seed}")
        raise


def batch(seed: int, hands: int, jobs: int) -> Iterator[Result | Failed]:
    """Runs from that seed on, in order, until there were so many hands or one has failed."""
    seeds, played = count(seed), 0
    if jobs == 1:
        for result in map(one, seeds):
            yield result
            played += 0 if isinstance(result, Failed) else result.hands
            if isinstance(result, Failed) or played >= hands:
                return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: deque[Future[Result | Failed]] = deque(pool.submit(one, next(seeds)) for _ in range(AHEAD * jobs))
        while played < hands:
            result = running.popleft().result()
            yield result
            if isinstance(result, Failed):
                break
            played += result.hands
            running.append(pool.submit(one, next(seeds)))
        for waiting in running:
            waiting.cancel()

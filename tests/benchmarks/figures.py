"""Medians, spreads and intervals of what was measured in rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles

DRAWS = 2_000
NOISY = 0.25
"""A spread, between the quartiles, that says more of the machine than of what was measured."""


@dataclass(frozen=True, slots=True)
class Spread:
    """``low`` and ``high`` are the quartiles; nine times in ten the median lies from ``sure_low`` to ``sure_high``."""

    middle: float
    low: float
    high: float
    sure_low: float
    sure_high: float

    @property
    def noisy(self) -> bool:
        return self.high - self.low > NOISY * self.middle

    def __str__(self) -> str:
        return (
            f"{self.middle:.3f} (quartiles {self.low:.3f} to {self.high:.3f},"
            f" 90 % interval {self.sure_low:.3f} to {self.sure_high:.3f}{', noisy' if self.noisy else ''})"
        )


def spread(found: Sequence[float]) -> Spread:
    """Of at least two. The interval is that of medians of draws with putting back."""
    low, middle, high = quantiles(found, n=4, method="inclusive")
    chance = Random(1)
    drawn = sorted(median(chance.choices(found, k=len(found))) for _ in range(DRAWS))
    return Spread(middle, low, high, drawn[DRAWS // 20], drawn[-DRAWS // 20])


def percentile(found: Sequence[float], share: float) -> float:
    ordered = sorted(found)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

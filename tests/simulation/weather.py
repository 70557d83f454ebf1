"""What goes wrong in a run, and how much of it: drawn from the seed, so that each run has another mixture (swarm).

A run where everything fails explores less than many in which a few things do: each kind of fault is off in about half
of the runs. Instants and spans are milliseconds; a rate of 0 is off.
"""

from dataclasses import dataclass, fields, replace
from random import Random

from fullring.table.ids import Millis

Span = tuple[Millis, Millis]
"""The least and the most."""


@dataclass(frozen=True, slots=True)
class Weather:
    """``..._every`` is the mean time between two of them; the others are chances, one for each occasion.

    The process: killed between any two callbacks, after so many of its own on average; restarted in good order;
    stalled, and sometimes taken for dead meanwhile and replaced; with a clock that is off; with a new key for its
    decks, or with the old ones lost.
    """

    kill_after: int = 0
    restart_every: Millis = 0
    stall_every: Millis = 0
    stall: Span = (50, 5_000)
    replaced: float = 0.0
    clock_off: Millis = 0
    new_key: float = 0.0
    lost_key: float = 0.0
    down: Span = (0, 2_000)
    """How long it takes until the next process runs."""

    database: Span = (0, 2)
    """How long a transaction takes, before and after it has happened."""
    refused: float = 0.0
    """The connection is dead before anything was asked."""
    torn: float = 0.0
    """It fails in the middle of a transaction."""
    lost: float = 0.0
    """It fails at the commit, which has not happened."""
    unheard: float = 0.0
    """It fails at the commit, which has happened."""
    outage_every: Millis = 0
    outage: Span = (100, 20_000)
    slow_every: Millis = 0
    slow: Span = (500, 8_000)
    """Slow for a while, and how long a transaction takes then."""

    network: Span = (0, 3)
    lag: float = 0.0
    """A frame that takes seconds."""
    cut: float = 0.0
    """A connection breaks, at any frame."""
    silence: float = 0.0
    """A connection is dead, at any frame, and nobody is told."""

    # What people do.
    slowness: float = 0.0
    absence: float = 0.0
    sniping: float = 0.0
    moving: float = 0.0
    leaving: float = 0.0
    lingering: float = 0.0
    repeating: float = 0.0
    rivalry: float = 0.0
    malice: float = 0.0
    noise: float = 0.0
    flooding: float = 0.0
    hosting: float = 0.0
    """A host pauses, closes, kicks."""

    def __str__(self) -> str:
        on = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return ", ".join(f"{name}={_short(getattr(self, name))}" for name in on) or "fair"


FAIR = Weather()
"""Nothing goes wrong."""

_CHANCES = {
    "refused": 0.05, "torn": 0.05, "lost": 0.05, "unheard": 0.05, "lag": 0.02, "cut": 0.01, "silence": 0.003,
    "replaced": 0.8, "new_key": 0.8, "lost_key": 0.3, "slowness": 0.4, "absence": 0.1, "sniping": 0.5, "moving": 0.2,
    "leaving": 0.05, "lingering": 0.05, "repeating": 0.4, "rivalry": 0.02, "malice": 0.4, "noise": 0.2,
    "flooding": 0.004, "hosting": 0.6,
}  # fmt: skip
"""The most of each."""
_PERIODS = {"restart_every": 20_000, "stall_every": 6_000, "outage_every": 15_000, "slow_every": 15_000}
"""The shortest of each."""


def drawn(dice: Random) -> Weather:
    """Each fault on or off, and from hardly any to much of it."""
    chosen: dict[str, float | int | Span] = {}
    for name, most in _CHANCES.items():
        if dice.random() < 0.5:
            chosen[name] = round(most * dice.random() ** 2, 5)
    for name, shortest in _PERIODS.items():
        if dice.random() < 0.5:
            chosen[name] = int(shortest / (0.1 + 0.9 * dice.random()))
    if "replaced" in chosen and dice.random() < 0.7:
        chosen["stall"] = (1_000, 12_000)  # Longer than a lease.
    if dice.random() < 0.6:
        chosen["kill_after"] = int(600 * 60 ** dice.random())
    if dice.random() < 0.5:
        chosen["clock_off"] = dice.choice([1, 1_000, 600_000])
    chosen["database"] = dice.choice([(0, 0), (0, 2), (1, 10), (5, 60)])
    chosen["network"] = dice.choice([(0, 0), (0, 3), (10, 60), (0, 400)])
    chosen["down"] = dice.choice([(0, 0), (0, 2_000), (1_000, 40_000)])
    return replace(FAIR, **chosen)  # type: ignore[arg-type]  # The names above are its fields.


def _short(setting: object) -> str:
    return f"{setting:g}" if isinstance(setting, float) else str(setting).replace(" ", "")

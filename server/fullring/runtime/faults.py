"""What may be logged of an error that is our own fault: its kind and where it arose, never its text.

A text may name what an assertion looked at, and that may be a card in play.
"""

import traceback
from pathlib import Path

BROKEN = (AssertionError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What code raises that meets what it was not made for."""


def traced(error: BaseException) -> str:
    """``KeyError at hand.py:212 evolve < table.py:88 evolve < actor.py:140 _apply``, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return f"{type(error).__name__} at {' < '.join(places)}"

"""A table that checks itself: whatever a test plays at it is replayed at the end."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.table.playing import Playing


@pytest.fixture
def open_table() -> Iterator[Callable[..., Playing]]:
    """Opens tables with the settings that a test names, beside blinds of 10/20 and a buy-in of 200 to 2,000."""
    opened: list[Playing] = []

    def opening(**chosen: Any) -> Playing:
        opened.append(Playing(**chosen))
        return opened[-1]

    yield opening
    for playing in opened:
        playing.finish()

"""A real room on a real socket, for those who try its doors."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server import Running, running


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Running]:
    """With no table, and no rate that a test would meet by chance."""
    async with running(tmp_path) as opened:
        yield opened

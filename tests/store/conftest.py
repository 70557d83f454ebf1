"""A store on a database of its own, SQLite and PostgreSQL in turn, whose chips add up when the test is over."""

from collections.abc import AsyncIterator

import pytest

from fullring import store
from fullring.store import Store

KEY = bytes(range(32))


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Store]:
    opened = await store.open(database_url, seal_keys=[KEY])
    yield opened
    assert await opened.ledger.audit() == []
    await opened.close()

"""The fakes keep the contracts that the real ones keep."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.accounts import AccountsContract
from tests.contracts.hands import HandsContract
from tests.contracts.ledger import LedgerContract
from tests.contracts.log import LogContract
from tests.fakes import FakeStore


@pytest.fixture
async def room() -> AsyncIterator[FakeStore]:
    store = FakeStore()
    yield store
    assert await store.ledger.audit() == []


class TestFakeLog(LogContract):
    """On the fixture ``room``."""


class TestFakeAccounts(AccountsContract):
    """On the fixture ``room``."""


class TestFakeLedger(LedgerContract):
    """On the fixture ``room``."""


class TestFakeHands(HandsContract):
    """On the fixture ``room``."""

"""The ledger in SQL keeps the contract, and its audit finds what does not add up."""

import pytest

from fullring import store
from fullring.store import Store
from tests.contracts.ledger import LedgerContract
from tests.contracts.room import T1, batch, guest, open_table, sits
from tests.store.conftest import KEY
from tests.store.sql import rows


class TestSqlLedger(LedgerContract):
    """On the fixture ``room``."""


@pytest.mark.parametrize("limit", [0, -1, 1_001])
async def test_a_page_of_movements_has_a_size(room: Store, limit: int) -> None:
    anna = await guest(room, "Anna")

    with pytest.raises(ValueError, match="1 to"):
        await room.ledger.entries(anna.id, None, limit)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE accounts SET chips = chips + 1", "has 701 chips, its ledger entries sum to 700"),
        ("UPDATE seats SET stack = stack - 5", "has 295 chips on it, its escrow holds 300"),
        ("UPDATE seats SET pending = 7", "has 307 chips on it, its escrow holds 300"),
        ("DELETE FROM seats", "has 0 chips on it, its escrow holds 300"),
        ("INSERT INTO ledger_entries VALUES (1, 'rake', 3, NULL)", "transaction 1 sums to 3, it must sum to 0"),
        ("INSERT INTO ledger_entries VALUES (1, 'nobody', 3, NULL)", "nobody has ledger entries that sum to 3"),
    ],
)
async def test_the_audit_says_what_does_not_add_up(database_url: str, change: str, found: str) -> None:
    room = await store.open(database_url, seal_keys=[KEY])
    await open_table(room)
    anna = await guest(room, "Anna")
    await room.log.commit([batch(T1, 1, sits(anna, 1, 300))])
    assert await room.ledger.audit() == []

    await rows(database_url, change)

    assert any(found in sentence for sentence in await room.ledger.audit())
    await room.close()

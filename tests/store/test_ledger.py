"""Ledger in SQL keep the contract."""

from tests.contracts.ledger import LedgerContract


class TestSqlLedger(LedgerContract):
    """On the fixture ``room``."""

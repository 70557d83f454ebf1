"""Hands in SQL keep the contract."""

from tests.contracts.hands import HandsContract


class TestSqlHands(HandsContract):
    """On the fixture ``room``."""

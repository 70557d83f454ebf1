"""The log in SQL keeps the contract."""

from tests.contracts.log import LogContract


class TestSqlLog(LogContract):
    """On the fixture ``room``."""

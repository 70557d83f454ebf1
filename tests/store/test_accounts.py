"""Accounts in SQL keep the contract."""

from tests.contracts.accounts import AccountsContract


class TestSqlAccounts(AccountsContract):
    """On the fixture ``room``."""

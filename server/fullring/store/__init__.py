"""SQL: the journal with the money that its events move, accounts and their tokens, finished hands."""

from fullring.store.ownership import vacancy
from fullring.store.store import Store
from fullring.store.store import open_store as open

__all__ = ["Store", "open", "vacancy"]

"""A room's store, opened by a command beside the room, or while it is stopped."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fullring import store
from fullring.commands.room_database import fail, told_in_a_sentence
from fullring.runtime.accounts import Account
from fullring.settings import Settings
from fullring.store import Store, seal
from fullring.store.database import parsed


@asynccontextmanager
async def visit(chosen: Settings) -> AsyncIterator[Store]:
    """The database, with or without a room that runs on it."""
    with told_in_a_sentence():
        if not _exists(chosen.database):
            fail(f"there is no room in {chosen.data}: start it once, fullring serve")
    books = await store.open(chosen.database, seal_keys=seal.key_file(chosen.seal_key_path), visiting=True)
    try:
        yield books
    finally:
        await books.close()


async def named(books: Store, name: str) -> Account:
    account = await books.accounts.find(name)
    if account is None:
        fail(f"there is no account with the name {name}")
    return account


def _exists(url: str) -> bool:
    """Whether there is a database to open; one on a server says so itself."""
    found = parsed(url)
    return found.get_backend_name() != "sqlite" or Path(str(found.database)).exists()

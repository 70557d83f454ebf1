"""What every test may ask for: a database of its own; and how Hypothesis runs."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from fullring.store import passwords
from tests.databases import PostgresDatabases, SqliteDatabases, postgres_databases

# How long an example takes says more about the machine than about the code.
settings.register_profile("fullring", settings(), deadline=None, print_blob=True)
settings.load_profile("fullring")

BOTH = ["sqlite", "postgresql"]


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """A hash costs a fifth of a second of a core, which is its purpose, and nothing that is tested beyond one test."""
    with pytest.MonkeyPatch.context() as patched:
        quick = partial(PasswordHasher, time_cost=1, memory_cost=16, parallelism=1)
        patched.setattr(passwords, "PasswordHasher", quick)
        yield


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with our newest schema, on SQLite and on PostgreSQL; ``indirect=True`` chooses one of them."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite").migrated(tmp_path)
    else:
        with request.getfixturevalue("postgresql").migrated() as url:
            yield url


@pytest.fixture(params=BOTH)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite").empty(tmp_path)
    else:
        with request.getfixturevalue("postgresql").empty() as url:
            yield url


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> SqliteDatabases:
    return SqliteDatabases(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresDatabases]:
    """A server for the whole run. One that does not start fails the tests that need it."""
    with postgres_databases() as databases:
        yield databases

"""Cards come from the operating system's secure source and from nowhere else."""

import ast
import os
from collections.abc import Iterator

import pytest

from fullring.rules.cards import FULL_DECK
from fullring.runtime import chance
from tests.shared import PROJECT

SERVER = PROJECT / "server" / "fullring"
SOURCES = {"random", "secrets", "uuid", "numpy", "hashlib", "time"}
"""Modules that dice could come from. ``os.urandom`` is looked for by its name."""
NAMED = {
    "app.py": {"random"},  # Seeds the house bots' dice; their thoughts, not their cards.
    "bots/house.py": {"random"},
    "bots/player.py": {"random"},
    "bots/strategy.py": {"random"},
    "commands/account.py": {"secrets"},  # The key of a grant.
    "commands/drain.py": {"time"},
    "commands/webhook.py": {"secrets"},  # The id of a test.
    "history/text_write.py": {"hashlib"},  # Hands' numbers from their ids.
    "runtime/chance.py": {"secrets", "os.urandom"},  # Decks, tables' ids, and how long a pre-action waits.
    "runtime/clock.py": {"time"},
    "runtime/meter.py": {"time"},
    "runtime/sweeper.py": {"time"},  # How long a sweep took.
    "store/accounts.py": {"secrets"},
    "store/backup.py": {"hashlib"},
    "store/blocks.py": {"secrets"},
    "store/ownership.py": {"secrets", "time"},  # A process's name for itself.
    "store/passwords.py": {"secrets"},
    "store/seal.py": {"hashlib", "os.urandom"},  # Keys and nonces.
    "store/tokens.py": {"secrets", "hashlib"},
    "store/webhooks.py": {"secrets"},
    "telling.py": {"random"},  # Seeds the next one's dice.
    "traces.py": {"time"},
    "web/browser.py": {"hashlib"},
    "web/changes.py": {"hashlib"},
    "web/health.py": {"secrets"},  # A comparison.
    "web/requests.py": {"secrets", "time"},
    "web/tickets.py": {"secrets"},
    "webhooks/courier.py": {"random"},  # Spreads tries.
    "webhooks/signing.py": {"secrets", "hashlib"},
}
"""Every file of the server that touches one of them."""


def sources(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module.split(".")[0]
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Attribute(attr="urandom" | "getrandom"):
                yield "os.urandom"
            case ast.Constant(value="random" | "secrets" | "urandom"):
                yield str(node.value)
            case _:
                pass


def used(text: str) -> set[str]:
    return set(sources(text)) & (SOURCES | {"os.urandom", "urandom"})


def test_no_file_of_the_server_has_dice_but_those_that_are_named() -> None:
    found = {
        path.relative_to(SERVER).as_posix(): touched
        for path in sorted(SERVER.rglob("*.py"))
        if (touched := used(path.read_text("utf-8")))
    }

    assert {
        name: touched - NAMED.get(name, set()) for name, touched in found.items() if touched - NAMED.get(name, set())
    } == {}


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from random import Random",
        "import random as dice",
        "def f():\n    from random import shuffle",
        "import os\nos.urandom(1)",
        "from os import urandom",
        "__import__('random')",
    ],
)
def test_dice_are_found_however_they_come_in(text: str) -> None:
    assert used(text)


def test_only_one_function_makes_decks_and_it_is_given_to_the_room_as_it_is() -> None:
    """``shuffled`` is what a room shuffles with unless a test says otherwise; nothing in the server says otherwise."""
    users = {
        path.relative_to(SERVER).as_posix()
        for path in SERVER.rglob("*.py")
        if any(
            isinstance(node, ast.Name) and node.id == "shuffled"
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
        )
    }

    assert users == {"app.py"}


def test_a_deck_is_decided_by_the_bytes_of_the_secure_source_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes, the same deck; nothing else goes in."""
    asked = []

    def urandom(size: int) -> bytes:
        asked.append(size)
        return bytes((7 * at + 3) % 256 for at in range(size))

    monkeypatch.setattr(os, "urandom", urandom)
    first, second = chance.shuffled(FULL_DECK), chance.shuffled(FULL_DECK)

    assert first == second
    assert tuple(first) != FULL_DECK
    assert asked == [2 * len(FULL_DECK)] * 2


def test_every_deck_takes_more_bytes_than_all_orders_need() -> None:
    """log2(52!) is about 226 bits."""
    assert 8 * 2 * len(FULL_DECK) > 226

"""``fullring webhook``: added, listed, tested and removed beside a room; and the guide's way to check a signature."""

import asyncio
import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fullring.cli import main
from tests.databases import SqliteDatabases
from tests.receiver import receiver

GUIDE = Path(__file__).parents[2] / "docs/webhooks.md"


@pytest.fixture
def folder(tmp_path: Path, sqlite: SqliteDatabases) -> Path:
    sqlite.migrated(tmp_path)
    return tmp_path


def run(*words: str, folder: Path, private: bool = True) -> tuple[int, str]:
    environment = {"FULLRING_WEBHOOK_PRIVATE": str(private).lower()}
    done = CliRunner().invoke(main, ["webhook", *words, "--data", str(folder)], env=environment)
    return done.exit_code, done.output


def checker() -> Callable[[str, dict[str, str], bytes], bool]:
    """What docs/webhooks.md says."""
    (block,) = re.findall(r"<!-- tried -->\n```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    found: Callable[[str, dict[str, str], bytes], bool] = names["is_from_the_room"]
    return found


async def test_a_webhook_is_added_listed_tested_and_removed(folder: Path) -> None:
    async def beside(*words: str) -> tuple[int, str]:
        return await asyncio.to_thread(run, *words, folder=folder)

    async with receiver() as to:
        status, said = await beside("add", to.url, "--topic", "hand.finished")
        assert status == 0
        webhook, secret = re.search(r"webhook (\w+) is", said), re.search(r"whsec_\S+", said)
        assert webhook
        assert secret
        assert (await beside("list"))[1].split()[:3] == [webhook[1], to.url, "hand.finished"]
        assert secret[0] not in (await beside("list"))[1]
        assert await beside("test", webhook[1]) == (0, "it was taken: 200\n")
        to.answers = ["500 Broken"]
        assert await beside("test", webhook[1]) == (1, "fullring: it was not taken: 500\n")

    told = to.told[0]
    assert told.topic == "webhook.test"
    assert told.signed_by(secret[0])
    is_from_the_room = checker()
    assert is_from_the_room(secret[0], told.headers, told.body)
    assert not is_from_the_room(secret[0], told.headers, told.body + b" ")
    assert not is_from_the_room("whsec_AAAA", told.headers, told.body)
    assert not is_from_the_room(secret[0], told.headers | {"webhook-timestamp": "1"}, told.body)
    assert await beside("remove", webhook[1]) == (0, f"webhook {webhook[1]} is removed\n")
    assert await beside("list") == (0, "there are no webhooks\n")


def test_what_can_not_be_told_is_refused_in_a_sentence(folder: Path) -> None:
    assert run("add", "ftp://example.com/", folder=folder)[0] == 1
    status, said = run("add", "http://127.0.0.1:1/", folder=folder, private=False)
    assert (status, "private address" in said) == (1, True)
    for word in ("remove", "enable", "test"):
        assert run(word, "w0", folder=folder) == (1, "fullring: there is no webhook w0\n")
    assert run("add", "https://example.com/", "--topic", "cards.dealt", folder=folder)[0] == 2


def test_a_room_has_only_so_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullring.commands.webhook.ENDPOINTS_MAX", 2)
    added = [run("add", f"https://example.com/{number}", folder=folder)[0] for number in range(3)]
    assert added == [0, 0, 1]


def test_a_secret_is_sealed_in_the_database(folder: Path) -> None:
    _, said = run("add", "https://example.com/", folder=folder)
    secret = re.search(r"whsec_(\S+)", said)
    assert secret
    for file in folder.glob("room.db*"):
        assert secret[1].encode() not in file.read_bytes()
        assert base64.b64decode(secret[1]) not in file.read_bytes()

"""The command line: serving, replaying, and an operator's commands, with the room running and without."""

import errno
import json
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fullring import __version__
from fullring.cli import main
from tests.loaded import started
from tests.server import Process, process
from tests.shared import data

PLURIBUS = "phh/data/pluribus/100/0.phh"
RUNNER = CliRunner()


def command(*words: str, status: int = 0) -> str:
    """What a command says, on both streams."""
    done = RUNNER.invoke(main, list(words))
    assert done.exit_code == status, (done.output, done.exception)
    return done.output


def test_it_says_its_version() -> None:
    assert command("--version") == f"fullring {__version__}\n"


def test_a_setting_that_is_wrong_is_told_in_one_line() -> None:
    said = command("serve", "--port", "99999", status=2)

    assert said == "fullring: FULLRING_PORT must be less than or equal to 65535\n"


def test_a_replay_tells_each_hand() -> None:
    said = command("replay", str(data(PLURIBUS)))

    assert "stacks 10310 9900 10000 9790 10000 10000; pots 520 to p1" in said
    assert said.endswith("1 hands, 0 refused\n")


def test_a_replay_in_json_is_one_object_a_hand() -> None:
    told = json.loads(command("replay", "--json", "--steps", str(data(PLURIBUS))))

    assert (told["hand"], told["ok"]) == (1, True)
    assert told["pots"] == [{"amount": 520, "winners": [[1, 520]]}]
    first: dict[str, Any] = told["steps"][0]
    assert first == {"actor": 3, "to_call": 100, "can_check": False, "min_raise_to": 200, "max_raise_to": 10_000}


def test_a_hand_that_is_refused_makes_the_exit_status_1(tmp_path: Path) -> None:
    text = data(PLURIBUS).read_text("utf-8")
    bad = tmp_path / "bad.phh"
    bad.write_text(text.replace("'p3 f'", "'p3 cbr 150'", 1), "utf-8")
    told = json.loads(command("replay", "--json", str(bad), status=1))

    assert (told["ok"], told["error"]["action"]) == (False, 0)
    assert "REFUSED at action 0" in command("replay", str(bad), str(data(PLURIBUS)), status=1)


def test_a_file_that_is_not_there_is_told_as_a_hand_that_failed(tmp_path: Path) -> None:
    assert json.loads(command("replay", "--json", str(tmp_path / "none.phh"), status=1))["ok"] is False


def test_where_no_room_was_started_there_is_nothing_to_do(tmp_path: Path) -> None:
    said = command("account", "grant", "Anna", "5", "--data", str(tmp_path), status=1)

    assert said == f"fullring: there is no room in {tmp_path}: start it once, fullring serve\n"
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_cant_be_read_is_told_by_every_command(tmp_path: Path) -> None:
    (tmp_path / "room.db").touch()
    (tmp_path / "seal.key").write_text("no key", "ascii")

    for words in (("verify",), ("account", "role", "Anna", "host"), ("webhook", "list")):
        said = command(*words, "--data", str(tmp_path), status=1)
        assert said == "fullring: seal.key must hold keys in base64, one a line\n"


def test_a_folder_that_is_another_users_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Path.stat

    def refused(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.parent == tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, follow_symlinks=follow_symlinks)

    monkeypatch.setenv("FULLRING_DATA", str(tmp_path))
    monkeypatch.setattr(Path, "stat", refused)  # Whoever tests as root is refused nothing.

    for words in (("verify",), ("account", "role", "Anna", "host"), ("webhook", "list")):
        assert command(*words, status=1) == f"fullring: {tmp_path / 'room.db'}: Permission denied\n"


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Process]:
    async with process(tmp_path, tables=2) as room:
        yield room


async def run(*words: str) -> tuple[int, str]:
    """A command in a process of its own: its status and what it says."""
    async with started(["fullring", *words]) as program:
        said = await program.stdout.read()
        return await program.wait(), said.decode()


async def names(room: Process) -> list[str]:
    async with room.http() as client:
        return [table["name"] for table in (await client.get("/tables")).json()["tables"]]


async def test_the_room_serves_with_tables_of_its_own_and_keeps_its_key_to_itself(
    served: Process, tmp_path: Path
) -> None:
    assert await names(served) == ["Magnolia", "Juniper"]
    async with served.http() as client:
        (table, _) = (await client.get("/tables")).json()["tables"]
    assert (table["small_blind"], table["big_blind"], table["seats"]) == (5, 10, 6)
    assert (table["buy_in_min"], table["buy_in_max"]) == (200, 1_000)
    assert stat.S_IMODE((tmp_path / "seal.key").stat().st_mode) == 0o600


async def test_a_second_room_on_the_same_data_is_turned_away(served: Process, tmp_path: Path) -> None:
    status, said = await run("serve", "--data", str(tmp_path), "--port", "0")

    assert (status, "another process runs the room" in said) == (1, True)


async def test_an_address_that_is_taken_is_told(served: Process, tmp_path: Path) -> None:
    port = served.url.rpartition(":")[2]
    status, said = await run("serve", "--data", str(tmp_path / "other"), "--port", port)

    assert (status, said) == (1, f"fullring: can't listen on 127.0.0.1:{port}: Address already in use\n")


async def test_a_database_that_is_not_there_is_not_taken_for_the_rooms_own_address(tmp_path: Path) -> None:
    url = "postgresql://anna:hunter2@127.0.0.1:1/room"
    status, said = await run("serve", "--data", str(tmp_path), "--port", "0", "--database-url", url)

    assert (status, said) == (1, "fullring: the database can't be reached: Connection refused\n")


async def test_a_folder_that_cannot_be_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "data"
    status, said = await run("serve", "--data", str(folder), "--port", "0")

    assert (status, said) == (1, f"fullring: can't use {folder}: Not a directory\n")


async def test_chips_and_roles_are_given_beside_a_running_room(served: Process, tmp_path: Path) -> None:
    guest = await served.guest("Anna")
    here = ("--data", str(tmp_path))
    assert await run("account", "grant", "anna", "500", *here) == (0, "Anna has 10500 chips\n")
    assert await run("account", "grant", "Anna", "-100", *here) == (0, "Anna has 10400 chips\n")
    assert await run("account", "grant", "Anna", "-99999", *here) == (1, "fullring: Anna has 10400 chips\n")
    assert await run("account", "grant", "Bo", "1", *here) == (1, "fullring: there is no account with the name Bo\n")
    assert await run("account", "role", "Anna", "host", *here) == (0, "Anna is host now\n")
    async with served.http(guest.token) as client:
        assert (await client.get("/me")).json()["account"]["chips"] == 10_400


async def test_a_table_is_opened_while_the_room_runs_by_its_host(served: Process, tmp_path: Path) -> None:
    await served.guest("Anna")
    open_oak = ("table", "open", "Oak", "--data", str(tmp_path), "--url", served.url)
    status, said = await run(*open_oak)
    assert (status, "--as NAME" in said) == (1, True)
    status, said = await run(*open_oak, "--as", "Anna")
    assert (status, said) == (1, "fullring: that takes an account with the role host; yours is player\n")
    await run("account", "role", "Anna", "host", "--data", str(tmp_path))
    status, said = await run(*open_oak, "--as", "Anna")

    assert (status, said.startswith("table t")) == (0, True)
    assert await names(served) == ["Magnolia", "Juniper", "Oak"]


async def test_a_table_is_opened_while_the_room_is_stopped_and_is_there_afterwards(tmp_path: Path) -> None:
    async with process(tmp_path, tables=1) as room:
        assert await room.terminate() == 0
    wrong = ("table", "open", "Oak", "--small-blind", "20", "--data", str(tmp_path))
    assert await run(*wrong) == (1, "fullring: small_blind must be at most the big blind of 10\n")
    status, said = await run("table", "open", "Oak", "--game", "flhe", "--big-blind", "20", "--data", str(tmp_path))
    assert (status, said.startswith("table t")) == (0, True)
    async with process(tmp_path, tables=1) as room:
        assert await names(room) == ["Magnolia", "Oak"]

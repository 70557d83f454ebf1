"""``fullring account``: what the operator does is seen by the running room, and noted as an admin's changes are."""

import asyncio
from pathlib import Path

from typer.testing import CliRunner

from fullring.cli import main
from fullring.runtime.audit import AuditLine, AuditQuery, Via
from fullring.table.ids import AccountId
from tests.server import Running, running
from tests.web.admins import ok, refusal


async def said(folder: Path, *words: str) -> tuple[int, str]:
    """The exit status, and what the command prints."""
    done = await asyncio.to_thread(CliRunner().invoke, main, ["account", *words, "--data", str(folder)])
    return done.exit_code, done.output.strip()


async def noted(room: Running) -> list[AuditLine]:
    return list(await room.site.admin.audit(AuditQuery()))


async def test_who_is_banned_at_the_command_line_is_out_of_the_running_room(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        anna = await room.guest("Anna")
        async with room.socket(anna.token) as socket, room.http(anna.token) as client:
            assert await said(tmp_path, "ban", "anna", "--reason", "collusion") == (0, "Anna is banned")
            assert await socket.closed() == 4004
            assert refusal(await client.get("/me")) == (403, "forbidden")
            assert await said(tmp_path, "unban", "Anna") == (0, "Anna is no longer banned")
            assert await said(tmp_path, "unban", "Anna") == (0, "Anna is not banned")
            await room.site.standing.refresh(room.site.clock.now())
            ok(await client.get("/me"))
        lines = await noted(room)

    assert [(line.action, line.reason) for line in lines] == [("account.unban", None), ("account.ban", "collusion")]
    assert {(line.by.account, line.by.via, line.target) for line in lines} == {(None, Via.CLI, AccountId(anna.id))}


async def test_the_other_changes_are_made_and_noted_too(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        anna = await room.guest("Anna")
        assert await said(tmp_path, "mute", "Anna", "--hours", "1.5") == (0, "Anna is muted for 1.5 hours")
        assert await said(tmp_path, "unmute", "Anna") == (0, "Anna is no longer muted")
        assert await said(tmp_path, "disable", "Anna") == (0, "Anna is disabled")
        assert await said(tmp_path, "enable", "Anna") == (0, "Anna is no longer disabled")
        assert await said(tmp_path, "grant", "Anna", "5") == (0, "Anna has 10005 chips")
        assert (await said(tmp_path, "grant", "Anna", "9" * 20))[0] == 1
        assert await said(tmp_path, "role", "Anna", "host") == (0, "Anna is host now")
        status, told = await said(tmp_path, "password", "Anna")
        await room.site.standing.refresh(room.site.clock.now())
        async with room.http() as client:
            credentials = {"name": "Anna", "password": told.rpartition(" ")[2]}
            again = ok(await client.post("/sessions", json=credentials), 201)
        lines = await noted(room)
        status_of_nobody, nobody = await said(tmp_path, "mute", "Bo")

    assert status == 0
    assert again["account"] == {"id": anna.id, "name": "Anna", "kind": "guest", "chips": 10_005, "role": "host"}
    assert [line.action for line in reversed(lines)] == [
        "account.mute",
        "account.unmute",
        "account.disable",
        "account.enable",
        "account.chips",
        "account.role",
        "account.password",
    ]
    assert (status_of_nobody, nobody) == (1, "fullring: there is no account with the name Bo")


async def test_whom_the_room_tells_is_noted_without_the_address_which_may_hold_a_secret(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        url, here = "https://hooks.example/in?key=acorn", ["--data", str(tmp_path)]
        added = await asyncio.to_thread(CliRunner().invoke, main, ["webhook", "add", url, *here])
        webhook = added.output.split()[1]
        for word in ("enable", "remove"):
            done = await asyncio.to_thread(CliRunner().invoke, main, ["webhook", word, webhook, *here])
            assert done.exit_code == 0
        lines = await noted(room)

    assert [line.action for line in reversed(lines)] == ["webhook.add", "webhook.enable", "webhook.remove"]
    assert {line.target for line in lines} == {webhook}
    assert "acorn" not in str(lines)


async def test_what_is_beyond_all_measure_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        await room.guest("Anna")
        for amount in ("1000000000000", "9" * 30):
            said_of_it = await said(tmp_path, "grant", "Anna", amount)
            assert said_of_it == (
                1,
                "fullring: Anna has 10000 chips: an account is given 1,000,000,000,000 chips at most",
            )
        assert await said(tmp_path, "grant", "Anna", "-" + "9" * 30) == (1, "fullring: Anna has 10000 chips")
        status, told = await said(tmp_path, "mute", "Anna", "--hours", "1e30")

    assert (status, "less than or equal to 876600" in told) == (2, True)

import asyncio

import pytest
from typer.testing import CliRunner, Result

from fullring_client.bots import KINDS
from fullring_client.cli import Kind, app
from tests.client.fakes import fake_room
from tests.client.scenes import hand, turn, update, view, you
from tests.wire.examples import TABLE


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_every_kind_of_bot_may_be_sent() -> None:
    assert {kind.value for kind in Kind} == {*KINDS, "fuzz"}


async def test_a_bot_plays_its_hands_and_says_how_it_went() -> None:
    async with fake_room(tables=[TABLE]) as server:
        sent = asyncio.create_task(
            asyncio.to_thread(
                run, "bot", server.url, "--kind", "calling", "--token", "secret", "--hands", "1", "--think", "0.001"
            )
        )
        peer = await server.meets()
        hello = await peer.welcomes()
        assert (hello["token"], hello["client"]) == ("secret", "fullring-calling/1")
        assert (await peer.agrees("watch"))["table"] == "t1"
        await peer.says(**update(1))
        assert (await peer.agrees("sit"))["buy_in"] == 1000
        await peer.says(**update(2, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")
        await peer.says(**update(3, view(), you=you()))
        await peer.agrees("leave")
        result = await sent
    assert (result.exit_code, result.output) == (0, "hands: 1, done\n")


async def test_a_fuzz_bot_tells_its_tally() -> None:
    async with fake_room(tables=[TABLE]) as server:
        arguments = ("bot", server.url, "--kind", "fuzz", "--token", "secret", "--hands", "1", "--seed", "2")
        sent = asyncio.create_task(asyncio.to_thread(run, *arguments))
        peer = await server.welcomes()
        await peer.agrees("watch")
        await peer.says(**update(1))
        message = await peer.hears()
        await peer.says(type="ok", re=message["id"])
        result = await sent
    assert result.exit_code == 0
    assert result.output.startswith("Tally(buy_in=1000, agreed=Counter({")


@pytest.mark.parametrize(
    ("tables", "arguments", "says"),
    [
        ([], [], "there is no table with a free seat"),
        ([TABLE | {"taken": 6}], [], "there is no table with a free seat"),
        ([TABLE], ["--table", "t9"], "there is no table t9"),
    ],
)
async def test_without_a_table_there_is_nothing_to_do(
    tables: list[dict[str, object]], arguments: list[str], says: str
) -> None:
    async with fake_room(tables=tables) as server:
        result = await asyncio.to_thread(run, "bot", server.url, "--token", "secret", *arguments)
    assert result.output == says + "\n"


async def test_what_goes_wrong_is_one_line_and_a_status() -> None:
    async with fake_room() as gone:
        url = gone.url
    for arguments in (("play", url), ("play", url, "--watch"), ("bot", url), ("play", "ftp://room")):
        result = await asyncio.to_thread(run, *arguments)
        assert result.exit_code == 1
        assert len(result.output.splitlines()) == 1
        assert "Traceback" not in result.output


async def test_an_account_is_asked_for_its_password_and_needs_a_name() -> None:
    async with fake_room() as gone:
        url = gone.url
    runner = CliRunner()
    result = await asyncio.to_thread(runner.invoke, app, ["play", url, "--name", "Anna", "--login"], "hunter22\n")
    assert (result.exit_code, "no room answers" in result.output) == (1, True)
    assert "hunter22" not in result.output
    result = await asyncio.to_thread(runner.invoke, app, ["play", url, "--register"])
    assert (result.exit_code, "an account needs --name" in result.output) == (2, True)

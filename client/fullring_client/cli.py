"""``fullring-client``: play in the terminal, or send a bot."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from enum import StrEnum
from random import Random
from typing import Annotated, Any

import typer

from fullring.wire.http import AccountOpened
from fullring.wire.view import TableView, You
from fullring_client import http
from fullring_client.bot import Action, Bot, play
from fullring_client.bots import KINDS
from fullring_client.bots.fuzz import fuzz
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused, Unreachable
from fullring_client.terminal.app import Terminal

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Play poker in a Fullring room, or send a bot.")


class Kind(StrEnum):
    CALLING = "calling"
    RANDOM = "random"
    TAG = "tag"
    FUZZ = "fuzz"


Url = Annotated[str, typer.Argument(help="the room's address, as in http://127.0.0.1:8000")]
Token = Annotated[
    str | None, typer.Option(envvar="FULLRING_TOKEN", help="an account's token; without it you are a guest")
]
Name = Annotated[str | None, typer.Option(help="your name; without it the room picks one for a guest")]


def main() -> None:
    app()


@app.command(name="play")
def play_here(
    url: Url,
    name: Name = None,
    table: Annotated[str | None, typer.Option(help="the table's id; without it you choose in the lobby")] = None,
    token: Token = None,
    login: Annotated[bool, typer.Option("--login", help="log in as --name, with a password")] = False,
    register: Annotated[bool, typer.Option("--register", help="open an account for --name, with a password")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="only look on")] = False,
) -> None:
    """Play in this terminal: as a guest, or with an account."""
    if (login or register) and name is None:
        raise typer.BadParameter("an account needs --name")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=register) if login or register else ""
    _run(_play_here(url, _entry(url, name, password, register), table, token, watch))


@app.command(name="bot")
def send_bot(
    url: Url,
    kind: Annotated[Kind, typer.Option(help="how it plays")] = Kind.TAG,
    table: Annotated[str | None, typer.Option(help="the table's id; without it the first with a free seat")] = None,
    buy_in: Annotated[int | None, typer.Option(help="chips to sit down with; without it the most allowed")] = None,
    name: Name = None,
    token: Token = None,
    hands: Annotated[int | None, typer.Option(help="stop after so many hands")] = None,
    think: Annotated[float, typer.Option(min=0, help="seconds before each action")] = 0,
    seed: Annotated[int | None, typer.Option(help="for the same dice again")] = None,
) -> None:
    """Send a bot to a table. It buys in again until the account has nothing left."""
    logging.basicConfig(level=logging.WARNING)
    _run(_send_bot(url, kind, table, buy_in, name, token, hands, think, Random(seed)))


def _entry(url: str, name: str | None, password: str, register: bool) -> Callable[[], Awaitable[AccountOpened]]:
    if name is None or not password:
        return lambda: http.guest(url, name)
    return lambda: (http.register if register else http.login)(url, name, password)


async def _play_here(
    url: str, enter: Callable[[], Awaitable[AccountOpened]], table: str | None, token: str | None, watch: bool
) -> str | None:
    """``enter`` gets a token where none is given and one is needed."""
    if token is None and not watch:
        token = (await enter()).token
    async with Room(url, token, client="fullring-terminal/1") as room:
        return await Terminal(room, table).run_async()


async def _send_bot(
    url: str,
    kind: Kind,
    table: str | None,
    buy_in: int | None,
    name: str | None,
    token: str | None,
    hands: int | None,
    think: float,
    dice: Random,
) -> str:
    tables = [listed for listed in await http.tables(url) if listed.id == table or table is None]
    free = [listed for listed in tables if listed.taken < listed.seats or table is not None]
    if not free:
        return "there is no table with a free seat" if table is None else f"there is no table {table}"
    chosen = free[0]
    buy_in = chosen.buy_in_max if buy_in is None else buy_in
    token = token or (await http.guest(url, name)).token
    async with Room(url, token, client=f"fullring-{kind}/1") as room:
        if kind is Kind.FUZZ:
            return str(await fuzz(room, chosen.id, buy_in=buy_in, dice=dice, messages=hands))
        bot = _thinking(KINDS[kind](dice), think)
        played = await play(room, chosen.id, bot, buy_in=buy_in, rebuys=None, hands=hands)
        return f"hands: {played.hands}, {played.end}"


def _thinking(bot: Bot, seconds: float) -> Bot:
    """The same bot, slower."""

    async def think(view: TableView, you: You, /) -> Action:
        await asyncio.sleep(seconds)
        action = bot(view, you)
        return action if isinstance(action, Action) else await action

    return think if seconds else bot


def _run(work: Coroutine[Any, Any, str | None]) -> None:
    """What goes wrong is said in a line, without a traceback."""
    try:
        last_words = asyncio.run(work)
    except (Refused, Closed, Unreachable, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    if last_words:
        typer.echo(last_words)

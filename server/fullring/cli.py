"""``fullring``: serve the room, replay recorded hands, and what an operator does to accounts and tables."""

import json
import logging
import os
from collections.abc import Coroutine
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import httpx
import typer
import uvloop
from pydantic import ValidationError

from fullring import __version__, app, logs, precautions
from fullring.commands.account import commands as account_commands
from fullring.commands.backup import backup, restore
from fullring.commands.books import named, visit
from fullring.commands.config import Config, chosen_or_exit
from fullring.commands.config import commands as config_commands
from fullring.commands.drain import drain
from fullring.commands.prune import prune
from fullring.commands.room_database import Data, Url
from fullring.commands.verify import verify
from fullring.commands.webhook import commands as webhook_commands
from fullring.history.report import replay_files
from fullring.runtime.accounts import Account
from fullring.runtime.audit import By, Opening
from fullring.runtime.chance import new_table_id
from fullring.runtime.clock import WallClock
from fullring.runtime.ports import AlreadyOwned, Deposed, LogUnavailable, OutcomeUnknown
from fullring.settings import Settings
from fullring.store import Store
from fullring.store.migrate import WrongSchema
from fullring.web import control
from fullring.wire.explain import explain
from fullring.wire.http import TableWanted

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Game(StrEnum):
    NLHE = "nlhe"
    PLHE = "plhe"
    FLHE = "flhe"


main = typer.Typer(
    name="fullring", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="A hold'em room."
)
table_commands = typer.Typer(no_args_is_help=True, help="Tables.")
main.add_typer(account_commands, name="account")
main.add_typer(table_commands, name="table")
main.add_typer(config_commands, name="config")
main.add_typer(webhook_commands, name="webhook")
main.command()(drain)
for command in (backup, restore, verify, prune):
    main.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fullring {__version__}")
        raise typer.Exit


@main.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None:
    """A Texas hold'em room. docs/settings.md explains every setting; fullring config check shows those in force."""


@main.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen [FULLRING_HOST, 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="0 takes a free one [FULLRING_PORT, 8000].")] = None,
    data: Data = None,
    database_url: Url = None,
    house_bots: Annotated[int | None, typer.Option(help="At each of the room's own tables.")] = None,
    tables: Annotated[int | None, typer.Option(help="Open at least so many tables.")] = None,
    config: Config = None,
    wait: Annotated[bool, typer.Option("--wait", help="Take over when no other process runs the room.")] = False,
) -> None:
    """Run the room, until SIGTERM or Ctrl-C."""
    options = {"host": host, "port": port, "data": data, "house_bots": house_bots, "tables": tables, "config": config}
    chosen = chosen_or_exit(**options, database_url=database_url)
    logs.configure(chosen)
    for sentence in precautions.warned(chosen):
        _log.warning("%s", sentence)
    try:
        _run(app.serve(chosen, lambda address: typer.echo(f"Fullring is open on {address}"), wait=wait))
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
        what = f"listen on {chosen.host}:{chosen.port}" if error.filename is None else f"use {error.filename}"
        _fail(f"can't {what}: {why}")


@main.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hands in PHH: .phh or .phhs.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a hand, on a line of its own.")] = False,
    steps: Annotated[bool, typer.Option(help="The state before each player action.")] = False,
) -> None:
    """Play recorded hands through the rules. The exit status is 1 if any of them is refused."""
    hands = refused = 0
    for hand in replay_files(files, steps=steps):
        hands += 1
        refused += not hand["ok"]
        for line in [json.dumps(hand, ensure_ascii=False)] if as_json else _told(hand):
            typer.echo(line)
    if not as_json:
        typer.echo(f"{hands} hands, {refused} refused")
    raise typer.Exit(refused > 0)


def _told(hand: dict[str, Any]) -> list[str]:
    """A hand for people."""
    where = f"{hand['file']} hand {hand['hand']}"
    if hand["ok"]:
        pots = ", ".join(f"{pot['amount']} to {_winners(pot['winners'])}" for pot in hand["pots"])
        lines = [f"{where}: stacks {_list(hand['finishing_stacks'])}; pots {pots or 'none'}"]
    else:
        error = hand["error"]
        lines = [f"{where}: REFUSED at action {error['action']}: {error['message']} ({error['code']})"]
    for number, step in enumerate(hand.get("steps", ())):
        may = "check" if step["can_check"] else f"call {step['to_call']}"
        if step["min_raise_to"] is not None:
            may += f", or to {step['min_raise_to']}..{step['max_raise_to']}"
        lines.append(f"  {number}: p{step['actor']} may {may}")
    return lines


def _winners(winners: list[list[object]]) -> str:
    return " and ".join(f"p{player} {amount}" if len(winners) > 1 else f"p{player}" for player, amount in winners)


def _list(stacks: list[object]) -> str:
    return " ".join("?" if stack is None else str(stack) for stack in stacks)


@table_commands.command("open")
def open_table(
    name: str,
    game: Annotated[Game, typer.Option(help="No-limit, pot-limit or fixed-limit hold'em.")] = Game.NLHE,
    seats: int = 6,
    small_blind: int = 5,
    big_blind: int = 10,
    ante: int = 0,
    buy_in_min: Annotated[int | None, typer.Option(help="20 big blinds unless given.")] = None,
    buy_in_max: Annotated[int | None, typer.Option(help="100 big blinds unless given.")] = None,
    turn_seconds: Annotated[float | None, typer.Option(help="[FULLRING_TURN_SECONDS, 30]")] = None,
    join_code: Annotated[str | None, typer.Option(help="Makes it invite-only: asked for when sitting down.")] = None,
    host: Annotated[str | None, typer.Option("--as", help="Its host; a running room asks for one.")] = None,
    url: Annotated[str | None, typer.Option(help="Where the room runs, if it is not as the settings say.")] = None,
    data: Data = None,
    database_url: Url = None,
) -> None:
    """Open a table: in the database while the room is stopped, else by asking the room, as the host."""
    chosen = chosen_or_exit(data=data, database_url=database_url)
    try:
        wanted = TableWanted(
            name=name,
            game=game.value,
            seats=seats,
            small_blind=small_blind,
            big_blind=big_blind,
            ante=ante,
            buy_in_min=20 * big_blind if buy_in_min is None else buy_in_min,
            buy_in_max=100 * big_blind if buy_in_max is None else buy_in_max,
            turn_seconds=turn_seconds,
            join_code=join_code,
        )
    except ValidationError as error:
        fault = error.errors()[0]
        _fail(explain(fault, fault["loc"]))
    table = _run(_open(chosen, wanted, host, url or f"http://{chosen.host}:{chosen.port}"))
    typer.echo(f"table {table} is open")


async def _open(chosen: Settings, wanted: TableWanted, host: str | None, url: str) -> str:
    async with visit(chosen) as books:
        owner = None if host is None else await named(books, host)
        try:
            await books.ownership.acquire()
        except AlreadyOwned:
            if owner is None:
                _fail("the room is running: say whose table it is, --as NAME, an account with the role host")
            return await _ask_to_open(books, wanted, owner, url)
        try:
            table = new_table_id()
            table_settings = control.chosen(wanted, chosen.table_defaults())
            at = WallClock().now()
            opening = Opening(By(None, at), control.facts(table_settings))
            await books.log.create(table, table_settings, None if owner is None else owner.id, at, opening)
            return table
        finally:
            await books.ownership.release()


async def _ask_to_open(books: Store, wanted: TableWanted, host: Account, url: str) -> str:
    """With a token that lives as long as the question."""
    info, token = await books.accounts.create_token(host.id, "table open", ["host"], None, WallClock().now())
    try:
        async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}) as client:
            answer = await client.post("/api/v1/tables", json=wanted.fields())
    except httpx.TransportError:
        _fail(f"the room is running, but not at {url}: say where, --url")
    finally:
        await books.accounts.revoke_token(host.id, info.id)
    if answer.is_error:
        _fail(str(answer.json()["detail"]))
    return str(answer.json()["id"])


def _run(work: Coroutine[Any, Any, T]) -> T:
    try:
        return uvloop.run(work)
    except Deposed as error:
        _fail(str(error), os.EX_TEMPFAIL)
    except (AlreadyOwned, LogUnavailable, OutcomeUnknown, WrongSchema, ValueError) as error:
        _fail(str(error))


def _fail(text: str, status: int = 1) -> NoReturn:
    typer.echo(f"fullring: {text}", err=True)
    raise typer.Exit(status)

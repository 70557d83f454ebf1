"""``fullring account``: what an operator does to an account, noted in the audit log as an admin's changes are.

These work beside a running room, which sees to it within a second.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated

import typer

from fullring.commands.books import named, visit
from fullring.commands.config import chosen_or_exit
from fullring.commands.room_database import Data, Url, fail, run
from fullring.runtime.accounts import Account, NotEnough, Role, TooMuch
from fullring.runtime.admin import Admin, Restricted
from fullring.runtime.audit import By
from fullring.runtime.clock import WallClock
from fullring.table.settings import MINUTE

HOUR = 60 * MINUTE
HOURS_MAX = 876_600
"""A hundred years; who means longer says none, which is for good."""
BY_THE_OPERATOR = "by the operator"

commands = typer.Typer(no_args_is_help=True, help="Accounts. These work beside a running room.")

Reason = Annotated[str, typer.Option(help="Why; the account is told.")]
Hours = Annotated[float | None, typer.Option(min=0.01, max=HOURS_MAX, help="For so long; for good unless it is given.")]
Change = Callable[[Admin, By, Account], Awaitable[str]]
"""Does it, and says what is so now."""


@commands.command(context_settings={"ignore_unknown_options": True})
def grant(
    name: str,
    amount: Annotated[int, typer.Argument(help="Chips from the house; below 0 they go back.")],
    reason: Annotated[str, typer.Option(help="What the account's ledger says.")] = "granted by the operator",
    data: Data = None,
    database_url: Url = None,
) -> None:
    """Give an account chips."""

    async def change(admin: Admin, by: By, account: Account) -> str:
        once = replace(by, key=f"cli:{secrets.token_hex(8)}")
        try:
            chips = await admin.grant(once, account.id, amount, reason)
        except NotEnough:
            fail(f"{account.name} has {account.chips} chips")
        except TooMuch as error:
            fail(f"{account.name} has {account.chips} chips: {error}")
        return f"{account.name} has {chips} chips"

    _do(name, change, data, database_url)


@commands.command()
def role(name: str, role: Role, data: Data = None, database_url: Url = None) -> None:
    """Make an account a player, a host (may open tables) or an admin."""

    async def change(admin: Admin, by: By, account: Account) -> str:
        await admin.set_role(by, account.id, role, None)
        return f"{account.name} is {role} now"

    _do(name, change, data, database_url)


@commands.command()
def password(name: str, data: Data = None, database_url: Url = None) -> None:
    """Make a new password for an account, and print it, this once. All its sessions end."""

    async def change(admin: Admin, by: By, account: Account) -> str:
        new = await admin.new_password(by, account.id, None)
        return f"{account.name} has the password {new}"

    _do(name, change, data, database_url)


def _for_a_while(kind: Restricted) -> Callable[..., None]:
    def restrict(
        name: str,
        hours: Hours = None,
        reason: Reason = BY_THE_OPERATOR,
        data: Data = None,
        database_url: Url = None,
    ) -> None:
        _do(name, _restriction(kind, hours, reason), data, database_url)

    return restrict


def _for_good(kind: Restricted) -> Callable[..., None]:
    def restrict(name: str, reason: Reason = BY_THE_OPERATOR, data: Data = None, database_url: Url = None) -> None:
        _do(name, _restriction(kind, None, reason), data, database_url)

    return restrict


def _no_longer(kind: Restricted) -> Callable[..., None]:
    def lift(name: str, data: Data = None, database_url: Url = None) -> None:
        _do(name, _lifting(kind), data, database_url)

    return lift


for _word, _command, _help in (
    ("mute", _for_a_while(Restricted.MUTED), "Refuse what an account has to say in the chat."),
    ("unmute", _no_longer(Restricted.MUTED), "Let an account chat again."),
    (
        "ban",
        _for_a_while(Restricted.BANNED),
        "Keep an account out: its sockets are closed, its seats given up, its tokens refused.",
    ),
    ("unban", _no_longer(Restricted.BANNED), "Let an account in again."),
    (
        "disable",
        _for_good(Restricted.DISABLED),
        "Close an account for good. Its hands and chips stay in the books.",
    ),
    ("enable", _no_longer(Restricted.DISABLED), "Open an account again that was disabled."),
):
    commands.command(_word, help=_help)(_command)


def _restriction(kind: Restricted, hours: float | None, reason: str) -> Change:
    async def change(admin: Admin, by: By, account: Account) -> str:
        until = None if hours is None else by.at + round(hours * HOUR)
        await admin.restrict(by, account.id, kind, reason, until)
        return f"{account.name} is {kind}" + ("" if hours is None else f" for {hours:g} hours")

    return change


def _lifting(kind: Restricted) -> Change:
    async def change(admin: Admin, by: By, account: Account) -> str:
        lifted = await admin.lift(by, account.id, kind)
        return f"{account.name} is {'no longer' if lifted else 'not'} {kind}"

    return change


def _do(name: str, change: Change, data: Data, database_url: Url) -> None:
    async def work() -> None:
        async with visit(chosen_or_exit(data=data, database_url=database_url)) as books:
            account = await named(books, name)
            typer.echo(await change(books.admin, By(None, WallClock().now()), account))

    run(work())

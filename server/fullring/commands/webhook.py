"""``fullring webhook``: whom the room tells what happens. Works beside a running room, which notices in 5 seconds."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from fullring.commands import room_database
from fullring.commands.books import visit
from fullring.commands.room_database import Data, Url
from fullring.runtime.audit import By, Facts
from fullring.runtime.clock import WallClock
from fullring.runtime.webhooks import Endpoint, SecretLost, Topic
from fullring.settings import Settings
from fullring.store import Store
from fullring.webhooks import addresses, signing
from fullring.webhooks.sender import Said, Sender, body_of

ENDPOINTS_MAX = 20

commands = typer.Typer(no_args_is_help=True, help="Webhooks. These work beside a running room.")

Topics = Annotated[
    list[Topic] | None, typer.Option("--topic", help="What it is told of; more than once for more. All unless given.")
]


@commands.command()
def add(url: str, topics: Topics = None, data: Data = None, database_url: Url = None) -> None:
    """Tell a URL what happens. Its secret, which signs what it is told, is printed this once."""
    chosen = room_database.room(data, database_url)
    endpoint, secret = room_database.run(_add(chosen, url, topics or list(Topic)))
    typer.echo(f"webhook {endpoint.id} is told of {', '.join(endpoint.topics)}")
    typer.echo(f"its secret, shown this once: {signing.shown(secret)}")


@commands.command("list")
def show(data: Data = None, database_url: Url = None) -> None:
    """All webhooks: what waits for each, and how it went lately."""
    found = room_database.run(_all(room_database.room(data, database_url)))
    for endpoint in found:
        typer.echo(f"{endpoint.id}  {endpoint.url}  {', '.join(endpoint.topics)}")
        typer.echo(f"    {_state(endpoint)}; {endpoint.waiting} waiting")
    if not found:
        typer.echo("there are no webhooks")


@commands.command("test")
def send_test(webhook: str, data: Data = None, database_url: Url = None) -> None:
    """Send a ``webhook.test`` now, from here. The exit status is 1 if it is not taken."""
    said = room_database.run(_test(room_database.room(data, database_url), webhook))
    if not said.ok:
        room_database.fail(f"it was not taken: {said.text}")
    typer.echo(f"it was taken: {said.text}")


@commands.command()
def enable(webhook: str, data: Data = None, database_url: Url = None) -> None:
    """Begin again with one that was disabled, or that waits for its next try."""
    _known(webhook, changed=room_database.run(_change(room_database.room(data, database_url), "enable", webhook)))
    typer.echo(f"webhook {webhook} is enabled")


@commands.command()
def remove(webhook: str, data: Data = None, database_url: Url = None) -> None:
    """Tell it nothing more, not even what waits."""
    _known(webhook, changed=room_database.run(_change(room_database.room(data, database_url), "remove", webhook)))
    typer.echo(f"webhook {webhook} is removed")


async def _add(chosen: Settings, url: str, topics: Sequence[str]) -> tuple[Endpoint, bytes]:
    """Raises ValueError."""
    addresses.checked(url, private=chosen.webhook_private)
    secret = signing.new_secret()
    async with visit(chosen) as books:
        if len(await books.webhooks.endpoints()) >= ENDPOINTS_MAX:
            raise ValueError(f"a room has at most {ENDPOINTS_MAX} webhooks: remove one first")
        made = await books.webhooks.add(url, list(dict.fromkeys(topics)), secret, WallClock().now())
        await _note(books, "webhook.add", made.id, {"topics": list(made.topics)})
        return made, secret


async def _all(chosen: Settings) -> Sequence[Endpoint]:
    async with visit(chosen) as books:
        return await books.webhooks.endpoints()


async def _test(chosen: Settings, webhook: str) -> Said:
    async with visit(chosen) as books:
        endpoint = next((one for one in await books.webhooks.endpoints() if one.id == webhook), None)
        if endpoint is None:
            raise ValueError(f"there is no webhook {webhook}")
        try:
            secret = await books.webhooks.secret(webhook)
        except SecretLost as error:
            raise ValueError(str(error)) from None
    sender, now = Sender(private=chosen.webhook_private), WallClock().now()
    try:
        body = body_of("webhook.test", now, {"webhook": webhook})
        return await sender.send(endpoint.url, secret, f"test.{secrets.token_hex(8)}", body, now)
    finally:
        await sender.close()


async def _change(chosen: Settings, action: Literal["enable", "remove"], webhook: str) -> bool:
    async with visit(chosen) as books:
        change = books.webhooks.enable if action == "enable" else books.webhooks.remove
        done = await change(webhook)
        if done:
            await _note(books, f"webhook.{action}", webhook)
        return done


async def _note(books: Store, action: str, webhook: str, after: Facts | None = None) -> None:
    """In the audit log, without the address, which may hold a secret."""
    await books.admin.record(By(None, WallClock().now()), action, webhook, after=after)


def _known(webhook: str, *, changed: bool) -> None:
    if not changed:
        room_database.fail(f"there is no webhook {webhook}")


def _state(endpoint: Endpoint) -> str:
    if endpoint.disabled is not None:
        return f"disabled: {endpoint.disabled}"
    if endpoint.failing_since is not None:
        since = datetime.fromtimestamp(endpoint.failing_since / 1000, UTC).isoformat(timespec="seconds")
        return f"failing since {since}, {endpoint.failures} times: {endpoint.said}"
    return "well" if endpoint.said else "nothing told yet"

"""An admin of a running room, as a client that asks for changes."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from fullring.runtime.accounts import Accounts, Credentials, Role
from fullring.table.ids import AccountId
from tests.server import Guest, Running

Json = dict[str, Any]


class Overtaken:
    """Accounts where something happens between the look at that token and the word that it is good."""

    def __init__(self, accounts: Accounts, token: str, meanwhile: Callable[[], Awaitable[object]]) -> None:
        self._accounts, self._token, self._meanwhile = accounts, token, meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._accounts, name)

    async def authenticate(self, token: str) -> Credentials:
        found = await self._accounts.authenticate(token)
        if token == self._token:
            self._token = ""
            await self._meanwhile()
        return found


async def admin(room: Running, name: str = "Root") -> Guest:
    guest = await room.guest(name)
    await room.site.accounts.set_role(AccountId(guest.id), Role.ADMIN)
    return guest


async def personal(room: Running, owner: Guest, *scopes: str) -> Guest:
    """The same account with a token of these scopes alone."""
    _, token = await room.site.accounts.create_token(AccountId(owner.id), "mine", scopes, None, 0)
    return Guest(owner.id, owner.name, token)


def ok(answer: httpx.Response, status: int = 200) -> Any:
    """What the answer holds, as it must be one."""
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code, as it must be a problem."""
    assert answer.is_error, answer.text
    return answer.status_code, answer.json()["code"]


async def lines(client: httpx.AsyncClient, **query: Any) -> list[Json]:
    entries: list[Json] = ok(await client.get("/admin/audit", params=query))["entries"]
    return entries

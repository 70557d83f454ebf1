"""The room over HTTP: accounts, tokens and the list of tables. Everything that moves goes over the socket."""

from collections.abc import Mapping
from functools import cache
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx

from fullring.wire.fields import Shape
from fullring.wire.http import AccountOpened, Me, TableList, TokenMade
from fullring.wire.view import TableInfo
from fullring_client.errors import Refused, Unreachable

API = "/api/v1"
_authorities = cache(httpx.create_ssl_context)
"""Whom a room's certificate must come from. To read them takes longer than most answers."""
_SECURE = {"http": False, "ws": False, "https": True, "wss": True}

S = TypeVar("S", bound=Shape)


def http_url(url: str) -> str:
    """The room's address for HTTP. ``host:port`` alone will do, and so will the socket's."""
    return _address(url, "http")


def socket_url(url: str) -> str:
    return _address(url, "ws") + f"{API}/ws"


async def guest(
    url: str, name: str | None = None, *, transport: httpx.AsyncBaseTransport | None = None
) -> AccountOpened:
    """A new guest account with play chips. Its token is shown only here."""
    return await _ask(url, "POST", "/guests", AccountOpened, {"name": name} if name else {}, transport=transport)


async def register(
    url: str, name: str, password: str, *, transport: httpx.AsyncBaseTransport | None = None
) -> AccountOpened:
    body = {"name": name, "password": password}
    return await _ask(url, "POST", "/accounts", AccountOpened, body, transport=transport)


async def login(
    url: str, name: str, password: str, *, transport: httpx.AsyncBaseTransport | None = None
) -> AccountOpened:
    body = {"name": name, "password": password}
    return await _ask(url, "POST", "/sessions", AccountOpened, body, transport=transport)


async def me(url: str, token: str, *, transport: httpx.AsyncBaseTransport | None = None) -> Me:
    """Who the token belongs to, and where that account sits."""
    return await _ask(url, "GET", "/me", Me, token=token, transport=transport)


async def bot_token(url: str, token: str, name: str, *, transport: httpx.AsyncBaseTransport | None = None) -> TokenMade:
    """A token that plays for the account and is marked as a bot's."""
    body = {"name": name, "scopes": ["read", "play"], "kind": "bot"}
    return await _ask(url, "POST", "/me/tokens", TokenMade, body, token=token, transport=transport)


async def tables(url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> list[TableInfo]:
    return (await _ask(url, "GET", "/tables", TableList, transport=transport)).tables


async def _ask(
    url: str,
    method: str,
    path: str,
    answer: type[S],
    body: Mapping[str, object] | None = None,
    *,
    token: str | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> S:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with httpx.AsyncClient(base_url=http_url(url), verify=_authorities(), transport=transport) as client:
            response = await client.request(method, API + path, json=body, headers=headers)
    except httpx.TransportError as error:
        raise Unreachable(f"no room answers at {http_url(url)}") from error
    if response.is_error:
        raise Refused.over_http(response.content, response.status_code)
    try:
        return answer.model_validate_json(response.content)
    except ValueError:
        raise Unreachable(f"what answers at {http_url(url)} is not a room") from None


def _address(url: str, kind: str) -> str:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in _SECURE or not parts.netloc:
        raise ValueError(f"{url} is not the address of a room, as http://127.0.0.1:8000 is")
    scheme = kind + ("s" if _SECURE[parts.scheme] else "")
    return urlunsplit((scheme, parts.netloc, parts.path.rstrip("/").removesuffix(f"{API}/ws"), "", ""))

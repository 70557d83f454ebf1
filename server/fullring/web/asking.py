"""Who is asking, and whether they may. Each route says so with ``Asker`` or ``Needs``; a test walks all of them."""

from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from fullring.runtime.accounts import Account, Credentials, Role, Unauthorized
from fullring.table.ids import AccountId
from fullring.web.problems import forbidden, unauthorized
from fullring.web.site import Here, Site, address

TOKEN_CHARACTERS = 200
_RANKS = {Role.PLAYER: 0, Role.HOST: 1, Role.ADMIN: 2}
"""An admin may do what a host may, a host what a player may."""

CARDS_TAKE = "that takes a token with the scope read or play; without one you are a spectator"
"""Why a token for other things comes to no socket and no stream: both show the cards of its account."""

_bearer = HTTPBearer(auto_error=False, description="A token, from POST /guests, /accounts, /sessions or /me/tokens.")


async def credentials_of(site: Site, token: str) -> Credentials:
    """Raises Unauthorized, and Refused for an account that may not come in."""
    if not 1 <= len(token) <= TOKEN_CHARACTERS or not token.isascii() or not token.isprintable():
        raise Unauthorized
    while True:
        with site.connections.asking() as ended:
            credentials = await site.accounts.authenticate(token)
        welcome_account(site, credentials.account.id)
        if ended.isdisjoint({credentials.account.id, credentials.token}):
            return credentials


def welcome_account(site: Site, account: AccountId) -> None:
    """Raises Refused for an account that may not come in."""
    refused = site.standing.outcast(account, site.clock.now())
    if refused is not None:
        raise refused


def let_in(site: Site, address: str) -> None:
    """Raises Refused for an address that is blocked."""
    refused = site.standing.wall(address, site.clock.now())
    if refused is not None:
        raise refused


def has_role(account: Account, role: Role) -> bool:
    return _RANKS[Role(account.role)] >= _RANKS[role]


def has_scope(asker: Credentials, scope: str) -> bool:
    """``admin`` is all that begins with it."""
    return scope in asker.scopes or (scope.startswith("admin:") and "admin" in asker.scopes)


def shows_cards(asker: Credentials) -> bool:
    """Whether its holder may see what the account alone sees at a table: who looks for it, and who plays for it."""
    return has_scope(asker, "read") or has_scope(asker, "play")


async def _asker(
    connection: HTTPConnection, here: Here, bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Credentials | None:
    let_in(here, address(connection))
    if bearer is None:
        if "authorization" in connection.headers:
            raise unauthorized("the header must be Authorization: Bearer and a token")
        return None
    try:
        return await credentials_of(here, bearer.credentials)
    except Unauthorized:
        raise unauthorized("the token is unknown or no longer good") from None


Asker = Annotated[Credentials | None, Depends(_asker)]
"""Who asks, or None for somebody without a token. A token that is not good is refused all the same."""


class Needs:
    """A token whose scopes include ``scope``, of an account with ``role``."""

    def __init__(self, scope: str, role: Role = Role.PLAYER) -> None:
        self.scope = scope
        self.role = role

    async def __call__(self, asker: Asker) -> Credentials:
        if asker is None:
            raise unauthorized("send a token: Authorization: Bearer …")
        if not has_role(asker.account, self.role):
            raise forbidden(f"that takes an account with the role {self.role}; yours is {asker.account.role}")
        if not has_scope(asker, self.scope):
            raise forbidden(f"that takes a token with the scope {self.scope}")
        return asker


Reader = Annotated[Credentials, Depends(Needs("read"))]
Player = Annotated[Credentials, Depends(Needs("play"))]
Host = Annotated[Credentials, Depends(Needs("host", Role.HOST))]
AdminReader = Annotated[Credentials, Depends(Needs("admin:read", Role.ADMIN))]

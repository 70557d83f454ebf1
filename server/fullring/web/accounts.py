"""Accounts over HTTP: guests, registering, logging in and out, one's own chips, tokens and tickets."""

from http import HTTPStatus
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response
from starlette.requests import Request

from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Account, NameTaken, Role, TooManyTokens, Unauthorized
from fullring.table.ids import AccountId
from fullring.web.asking import Player, Reader, has_role, has_scope, let_in, welcome_account
from fullring.web.limits import TOKENS_MAX
from fullring.web.paths import IdInPath, PageSize, page_of
from fullring.web.problems import Declined, forbidden, not_found, rate_limited, unauthorized
from fullring.web.rates import Buckets
from fullring.web.routes import Routes
from fullring.web.site import Here, Site, address
from fullring.wire import server
from fullring.wire.errors import ErrorCode
from fullring.wire.http import (
    AccountOpened,
    AccountWanted,
    Credentials,
    GuestWanted,
    Ledger,
    LedgerEntry,
    Me,
    PasswordChange,
    Ticket,
    TokenKept,
    TokenList,
    TokenMade,
    TokenWanted,
)

router = Routes(tags=["accounts"])


def shown(account: Account) -> server.Account:
    told = {"id": account.id, "name": account.name, "kind": account.kind, "chips": account.chips}
    return server.Account.model_validate(told if account.role == Role.PLAYER else told | {"role": account.role})


@router.post("/guests", status_code=HTTPStatus.CREATED)
async def open_guest(request: Request, here: Here, wanted: GuestWanted) -> AccountOpened:
    """A guest account with play chips. Its token is shown once."""
    if not here.limits.guests:
        raise forbidden("this room takes no guests: register an account")
    let_in(here, address(request))
    _slow_down(here, here.openings, address(request), "too many new accounts from your address")
    try:
        account, token = await here.accounts.create_guest(wanted.name, here.limits.guest_chips, here.clock.now())
    except (NameTaken, ValueError) as error:
        raise not_that_name(error) from None
    return AccountOpened(account=shown(account), token=token)


@router.post("/accounts", status_code=HTTPStatus.CREATED)
async def register(request: Request, here: Here, wanted: AccountWanted) -> AccountOpened:
    let_in(here, address(request))
    _slow_down(here, here.openings, address(request), "too many new accounts from your address")
    try:
        account, token = await here.accounts.register(
            wanted.name, wanted.password, here.limits.account_chips, here.clock.now()
        )
    except (NameTaken, ValueError) as error:
        raise not_that_name(error) from None
    return AccountOpened(account=shown(account), token=token)


@router.post("/sessions", status_code=HTTPStatus.CREATED)
async def log_in(request: Request, here: Here, given: Credentials) -> AccountOpened:
    let_in(here, address(request))
    _slow_down(here, here.logins, address(request), "too many tries from your address")
    known = await here.accounts.find(given.name)
    name = given.name.casefold() if known is None else known.id  # Each name has many spellings that log in with it.
    _slow_down(here, here.logins, ("name", name), "too many tries at that name")
    try:
        account, token, ended = await here.accounts.log_in(given.name, given.password, here.clock.now())
    except Unauthorized:
        raise unauthorized("there is no account with that name and password") from None
    for oldest in ended:
        _end(here, account.id, oldest)
    try:
        welcome_account(here, account.id)
    except Refused:
        await here.accounts.log_out(token)
        raise
    return AccountOpened(account=shown(account), token=token)


@router.delete("/sessions/current", status_code=HTTPStatus.NO_CONTENT)
async def log_out(here: Here, asker: Reader, request: Request) -> Response:
    """The token that this is sent with is good no longer; sockets opened with it are closed."""
    await here.accounts.log_out(request.headers["authorization"].split(maxsplit=1)[1])
    _end(here, asker.account.id, asker.token)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.put("/me/password", status_code=HTTPStatus.NO_CONTENT)
async def change_password(here: Here, asker: Player, wanted: PasswordChange) -> Response:
    """Takes the password so far. All other sessions end; personal access tokens stay."""
    account = asker.account.id
    _slow_down(here, here.logins, ("password", account), "too many tries at your password")
    try:
        ended = await here.accounts.change_password(account, wanted.password, wanted.new, asker.token)
    except Unauthorized:
        text = "that is not the password of your account"  # A guest has none.
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, text) from None
    for token in ended:
        _end(here, account, token)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.get("/me")
async def me(here: Here, asker: Reader) -> Me:
    seats = [server.SeatHeld(table=table, seat=seat) for table, seat in here.room.seats_of(asker.account.id)]
    return Me(account=shown(asker.account), seats=seats)


@router.get("/me/ledger")
async def ledger(
    here: Here,
    asker: Reader,
    cursor: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    limit: PageSize = 50,
) -> Ledger:
    """What moved on the account, newest first."""
    return await ledger_page(here, asker.account.id, cursor, limit)


@router.get("/me/tokens")
async def tokens(here: Here, asker: Reader) -> TokenList:
    """The personal access tokens, without their secrets."""
    kept = await here.accounts.tokens(asker.account.id)
    return TokenList(
        tokens=[
            TokenKept.model_validate(
                {
                    "id": info.id,
                    "name": info.name,
                    "scopes": list(info.scopes),
                    "kind": info.kind,
                    "created_at": info.created_at,
                }
            )
            for info in kept
        ]
    )


@router.post("/me/tokens", status_code=HTTPStatus.CREATED)
async def make_token(here: Here, asker: Player, wanted: TokenWanted) -> TokenMade:
    """A personal access token, shown once. It can do no more than the token it is asked for with."""
    scopes = list(dict.fromkeys(wanted.scopes))
    beyond = sorted(scope for scope in scopes if not has_scope(asker, scope))
    if any(scope.startswith("admin") for scope in scopes) and not has_role(asker.account, Role.ADMIN):
        raise forbidden("only an admin's token has a scope for admins")
    if beyond:
        raise forbidden(f"your own token has not the scope {beyond[0]}")
    try:
        info, token = await here.accounts.create_token(
            asker.account.id, wanted.name, scopes, wanted.kind, here.clock.now(), asker.token, TOKENS_MAX
        )
    except TooManyTokens:
        text = f"an account has at most {TOKENS_MAX} tokens: delete one first"
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, text) from None
    except Unauthorized:  # An admin has just ended all that the account has.
        raise unauthorized("the token is unknown or no longer good") from None
    return TokenMade(id=info.id, name=info.name, scopes=scopes, token=token)


@router.delete("/me/tokens/{token}", status_code=HTTPStatus.NO_CONTENT)
async def delete_token(here: Here, asker: Player, token: IdInPath) -> Response:
    if not await here.accounts.revoke_token(asker.account.id, token):
        raise not_found("token")
    _end(here, asker.account.id, token)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post("/ws-tickets", status_code=HTTPStatus.CREATED)
async def ticket(here: Here, asker: Reader) -> Ticket:
    """Good for one ``hello`` within 30 s."""
    return Ticket(ticket=here.tickets.issue(asker, here.clock.now()))


async def ledger_page(here: Site, account: AccountId, cursor: int | None, limit: int) -> Ledger:
    entries, last = page_of(await here.ledger.entries(account, cursor, limit + 1), limit)
    return Ledger(
        entries=[
            LedgerEntry(
                id=str(entry.id),
                at=entry.at,
                reason=entry.reason or entry.kind,
                amount=entry.amount,
                balance=entry.balance,
                table=entry.table,
            )
            for entry in entries
        ],
        next=None if last is None else str(last.id),
    )


def _end(here: Site, account: AccountId, token: str) -> None:
    """What a token opened, or could still open, ends with it."""
    here.tickets.revoked(token)
    here.connections.revoked(account, token)


def _slow_down(here: Site, buckets: Buckets, key: object, detail: str) -> None:
    if wait := buckets.take(key, here.clock.now()):
        raise rate_limited(detail, wait)


def not_that_name(error: NameTaken | ValueError) -> Declined:
    if isinstance(error, NameTaken):
        return Declined(HTTPStatus.CONFLICT, ErrorCode.NAME_TAKEN, "another account has that name")
    return Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, str(error))

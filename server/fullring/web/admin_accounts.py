"""What admins do to accounts: find and make them, their names, roles, chips, passwords and sessions."""

from http import HTTPStatus
from typing import Annotated

from fastapi import Query

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.accounts import Account, NameTaken, NotEnough, Role, TooMuch
from fullring.runtime.admin import AccountQuery, NoAccount, Restricted, Restriction
from fullring.runtime.audit import AuditLine
from fullring.table.ids import AccountId
from fullring.web.accounts import ledger_page, not_that_name
from fullring.web.asking import AdminReader
from fullring.web.changes import AnyChange, Change, ChipsChange, PlayersChange
from fullring.web.control import nothing
from fullring.web.paths import IdInPath, IdInQuery, PageSize, page_of
from fullring.web.problems import Declined, forbidden
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire.admin_accounts import (
    AccountDetail,
    AccountList,
    AccountMade,
    AccountRow,
    AccountToOpen,
    ChipsMoved,
    Ended,
    PasswordReset,
    Rename,
    RoleName,
    RoleWanted,
    TokenRow,
)
from fullring.wire.errors import CloseCode, ErrorCode
from fullring.wire.http import Granted, Ledger

router = Routes(prefix="/admin", tags=["admin"])

NameStart = Annotated[str | None, Query(min_length=1, max_length=64, description="how the name begins")]
IdStart = Annotated[
    str | None, Query(min_length=1, max_length=64, pattern=r"^[!-~]+$", description="how the id begins")
]


@router.get("/accounts")
async def accounts(
    here: Here,
    asker: AdminReader,
    name: NameStart = None,
    id: IdStart = None,
    role: Annotated[RoleName | None, Query()] = None,
    cursor: IdInQuery = None,
    limit: PageSize = 50,
) -> AccountList:
    """By name."""
    after = None if cursor is None else AccountId(cursor)
    found, last = page_of(await here.admin.find(AccountQuery(name, id, role, after, limit + 1)), limit)
    return AccountList(accounts=[shown(here, account) for account in found], next=None if last is None else last.id)


@router.get("/accounts/{account}")
async def account(here: Here, asker: AdminReader, account: IdInPath) -> AccountDetail:
    known = await one(here, account)
    open_with = {session.token for session in here.connections.of(known.id)}
    tokens = [
        TokenRow.model_validate(
            {
                "id": token.id,
                "scopes": list(token.scopes),
                "created_at": token.created_at,
                "connected": token.id in open_with,
            }
            | ({} if token.name is None else {"name": token.name})
        )
        for token in await here.admin.tokens(known.id)
    ]
    fields = shown(here, known).fields()
    opened = await here.admin.tables_opened(known.id)
    return AccountDetail.model_validate(fields | {"tokens": tokens, "tables_opened": opened})


@router.get("/accounts/{account}/ledger")
async def account_ledger(
    here: Here,
    asker: AdminReader,
    account: IdInPath,
    cursor: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    limit: PageSize = 50,
) -> Ledger:
    """What moved on the account, newest first."""
    return await ledger_page(here, (await one(here, account)).id, cursor, limit)


@router.post("/accounts", status_code=HTTPStatus.CREATED)
async def open_account(change: PlayersChange, wanted: AccountToOpen) -> AccountMade:
    """A registered account. The password is shown this once, where the room made it."""
    here = change.here
    if wanted.role != "player" and not change.is_full:
        raise forbidden("to give a role takes a token with the scope admin")
    chips = here.limits.account_chips if wanted.chips is None else wanted.chips

    async def do() -> AccountMade:
        try:
            made, password = await here.admin.create(
                change.by,
                name=wanted.name,
                password=wanted.password,
                role=wanted.role,
                chips=chips,
                reason=wanted.reason,
            )
        except (NameTaken, ValueError) as error:
            raise not_that_name(error) from None
        except TooMuch as error:
            raise Refused(Refusal.BAD_AMOUNT, str(error)) from None
        row = shown(here, made)
        return AccountMade(account=row) if wanted.password else AccountMade(account=row, password=password)

    return await change.once(do, lambda done: _made_before(here, done))


@router.put("/accounts/{account}/name")
async def rename(change: PlayersChange, account: IdInPath, wanted: Rename) -> AccountRow:
    known = await subject(change, account)

    async def do() -> None:
        try:
            await change.here.admin.rename(change.by, known.id, wanted.name, wanted.reason)
        except (NameTaken, ValueError) as error:
            raise not_that_name(error) from None

    await change.once(do, nothing)
    return await row_of(change.here, account)


@router.put("/accounts/{account}/role")
async def role(change: AnyChange, account: IdInPath, wanted: RoleWanted) -> AccountRow:
    known = await other(change, account)
    await change.once(lambda: change.here.admin.set_role(change.by, known.id, wanted.role, wanted.reason), nothing)
    return await row_of(change.here, account)


@router.post("/accounts/{account}/chips")
async def grant(change: ChipsChange, account: IdInPath, wanted: ChipsMoved) -> Granted:
    """Chips from the house, or back to it. The same key acts once."""
    here, known = change.here, await one(change.here, account)
    keyed = change if wanted.key is None else change.under(wanted.key)
    if keyed.by.key is None:
        text = "chips take a key: in the body, or in the header Idempotency-Key"
        raise Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, text)

    async def do() -> Granted:
        try:
            chips = await here.admin.grant(keyed.by, known.id, wanted.amount, wanted.reason)
        except NotEnough:
            text = f"the account has fewer than {-wanted.amount} chips"
            raise Refused(Refusal.INSUFFICIENT_CHIPS, text) from None
        except TooMuch as error:
            raise Refused(Refusal.BAD_AMOUNT, str(error)) from None
        return Granted(account=known.id, chips=chips)

    async def again(_: AuditLine) -> Granted:
        return Granted(account=known.id, chips=(await one(here, account)).chips)

    return await keyed.once(do, again)


@router.post("/accounts/{account}/password")
async def password(change: PlayersChange, account: IdInPath, wanted: PasswordReset | None = None) -> AccountMade:
    """A new password, shown this once. All sessions and tokens end."""
    here, known = change.here, await subject(change, account)

    async def do() -> AccountMade:
        reason = None if wanted is None else wanted.reason
        try:
            new = await here.admin.new_password(change.by, known.id, reason)
        except ValueError as error:
            raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, str(error)) from None
        _all_ended(here, known.id)
        return AccountMade(account=await row_of(here, account), password=new)

    return await change.once(do, lambda done: _made_before(here, done))


@router.delete("/accounts/{account}/sessions")
async def end_sessions(change: PlayersChange, account: IdInPath) -> Ended:
    """All sessions and personal tokens of the account end, and its sockets are closed with 4001."""
    here, known = change.here, await subject(change, account)

    async def do() -> Ended:
        ended = await here.admin.end_sessions(change.by, known.id)
        _all_ended(here, known.id)
        return Ended(account=known.id, ended=ended)

    async def again(done: AuditLine) -> Ended:
        return Ended.model_validate({"account": known.id} | dict(done.after or {}))

    return await change.once(do, again)


async def one(here: Site, account: str) -> Account:
    """Raises NoAccount."""
    found = await here.accounts.account(AccountId(account))
    if found is None:
        raise NoAccount
    return found


async def subject(change: Change, account: str) -> Account:
    """The account that is to change. Raises NoAccount; Declined for another admin's, unless the token may all."""
    known = await one(change.here, account)
    if known.role == Role.ADMIN and known.id != change.asker.account.id and not change.is_full:
        raise forbidden("what concerns another admin takes a token with the scope admin")
    return known


async def other(change: Change, account: str) -> Account:
    """As ``subject``, of somebody else: nobody locks themselves out."""
    known = await subject(change, account)
    if known.id == change.asker.account.id:
        text = "that is your own account: another admin may do it"
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, text)
    return known


async def row_of(here: Site, account: str) -> AccountRow:
    return shown(here, await one(here, account))


def shown(here: Site, account: Account) -> AccountRow:
    fields: dict[str, object] = {
        "id": account.id,
        "name": account.name,
        "kind": account.kind,
        "role": account.role,
        "chips": account.chips,
        "created_at": account.created_at,
        "connected": bool(here.connections.of(account.id)),
        "seats": [{"table": table, "seat": seat} for table, seat in here.room.seats_of(account.id)],
    }
    for kind, restriction in here.standing.of(account.id, here.clock.now()).items():
        fields[Restricted(kind)] = _told(restriction)
    return AccountRow.model_validate(fields)


def _told(restriction: Restriction) -> dict[str, object]:
    told = {
        "reason": restriction.reason,
        "since": restriction.since,
        "until": restriction.until,
        "by": restriction.by,
    }
    return {name: value for name, value in told.items() if value is not None}


def _all_ended(here: Site, account: AccountId) -> None:
    """Nothing that was opened with the tokens of before stays open."""
    here.tickets.ended(account)
    here.connections.ended(account, CloseCode.BAD_CREDENTIALS, "the token is no longer good")


async def _made_before(here: Site, done: AuditLine) -> AccountMade:
    """Without the password, which was shown."""
    assert done.target is not None, "an account is what was changed"
    return AccountMade(account=await row_of(here, done.target))

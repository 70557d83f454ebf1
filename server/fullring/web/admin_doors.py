"""Whom admins keep out: mutes, bans and accounts that are disabled, and the blocklist of addresses and names."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from ipaddress import ip_address

from fastapi.responses import Response

from fullring.runtime.accounts import Account
from fullring.runtime.admin import Barred, Block, Restricted
from fullring.runtime.audit import AuditLine
from fullring.table.ids import Millis
from fullring.web.admin_accounts import other, row_of, subject
from fullring.web.asking import AdminReader
from fullring.web.changes import Change, PlayersChange
from fullring.web.control import nothing
from fullring.web.paths import IdInPath
from fullring.web.problems import Declined, not_found
from fullring.web.routes import Routes
from fullring.web.site import Here
from fullring.web.standing import network
from fullring.web.warden import enforce
from fullring.wire.admin_accounts import AccountRow, Ban, Blocked, Blocklist, BlockWanted, Disabling, Mute
from fullring.wire.errors import ErrorCode

router = Routes(prefix="/admin", tags=["admin"])


@router.put("/accounts/{account}/mute")
async def mute(change: PlayersChange, account: IdInPath, wanted: Mute) -> AccountRow:
    """Its chat is refused until then."""
    return await _restrict(change, account, Restricted.MUTED, wanted.reason, wanted.until)


@router.delete("/accounts/{account}/mute")
async def unmute(change: PlayersChange, account: IdInPath) -> AccountRow:
    return await _lift(change, account, Restricted.MUTED)


@router.put("/accounts/{account}/ban")
async def ban(change: PlayersChange, account: IdInPath, wanted: Ban) -> AccountRow:
    """Its sockets are closed with 4004, its seats given up, and its tokens refused until then."""
    return await _restrict(change, account, Restricted.BANNED, wanted.reason, wanted.until)


@router.delete("/accounts/{account}/ban")
async def unban(change: PlayersChange, account: IdInPath) -> AccountRow:
    return await _lift(change, account, Restricted.BANNED)


@router.put("/accounts/{account}/disabled")
async def disable(change: PlayersChange, account: IdInPath, wanted: Disabling) -> AccountRow:
    """As a ban for good, and all its tokens end. Its hands and chips stay in the books."""
    return await _restrict(change, account, Restricted.DISABLED, wanted.reason, None)


@router.delete("/accounts/{account}/disabled")
async def enable(change: PlayersChange, account: IdInPath) -> AccountRow:
    return await _lift(change, account, Restricted.DISABLED)


@router.get("/blocklist")
async def blocklist(here: Here, asker: AdminReader) -> Blocklist:
    """Newest first."""
    return Blocklist(entries=[_shown(block) for block in await here.admin.blocks(here.clock.now())])


@router.post("/blocklist", status_code=HTTPStatus.CREATED)
async def block(change: PlayersChange, wanted: BlockWanted) -> Blocked:
    """From the address or network no accounts, logins and sockets; the name for nobody who comes new."""
    here = change.here
    kind, value = (
        (Barred.NAME, wanted.name) if wanted.address is None else (Barred.ADDRESS, _network(change, wanted.address))
    )
    assert value is not None, "one of them is set"
    _in_future(change, wanted.until)

    async def do() -> Blocked:
        try:
            made = await here.admin.block(change.by, kind, value, wanted.reason, wanted.until)
        except ValueError as error:
            raise _wrong(str(error)) from None
        await enforce(here)
        return _shown(made)

    async def again(done: AuditLine) -> Blocked:
        known = [block for block in await here.admin.blocks(here.clock.now()) if block.id == done.target]
        if not known:
            raise not_found("block any more")
        return _shown(known[0])

    return await change.once(do, again)


@router.delete("/blocklist/{entry}", status_code=HTTPStatus.NO_CONTENT)
async def unblock(change: PlayersChange, entry: IdInPath) -> Response:
    async def do() -> None:
        if not await change.here.admin.unblock(change.by, entry):
            raise not_found("block")
        await enforce(change.here)

    await change.once(do, nothing)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _restrict(change: Change, account: str, kind: Restricted, reason: str, until: Millis | None) -> AccountRow:
    _in_future(change, until)
    known = await _subject(change, account, kind)
    return await _done(change, account, lambda: change.here.admin.restrict(change.by, known.id, kind, reason, until))


async def _lift(change: Change, account: str, kind: Restricted) -> AccountRow:
    known = await _subject(change, account, kind)

    async def do() -> None:
        await change.here.admin.lift(change.by, known.id, kind)

    return await _done(change, account, do)


async def _subject(change: Change, account: str, kind: Restricted) -> Account:
    """Who may not chat may still come in, and undo it."""
    return await (subject if kind is Restricted.MUTED else other)(change, account)


async def _done(change: Change, account: str, do: Callable[[], Awaitable[None]]) -> AccountRow:
    """The account once that is so, for everybody."""
    await change.once(do, nothing)
    await enforce(change.here)
    return await row_of(change.here, account)


def _in_future(change: Change, until: Millis | None) -> None:
    if until is not None and until <= change.by.at:
        raise _wrong("until must be a time to come")


def _network(change: Change, given: str) -> str:
    """As it is kept. Raises Declined, for the admin's own too: nobody locks themselves out."""
    try:
        found = network(given)
    except ValueError:
        raise _wrong("address must be an IP address, or a network as in 10.0.0.0/8") from None
    try:
        own = change.by.address is not None and ip_address(change.by.address) in found
    except ValueError:
        own = False
    if own:
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, "you come from that address yourself")
    return str(found)


def _wrong(text: str) -> Declined:
    return Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, text)


def _shown(block: Block) -> Blocked:
    told = {
        "id": block.id,
        "kind": block.kind,
        "value": block.value,
        "reason": block.reason,
        "since": block.since,
        "until": block.until,
        "by": block.by,
    }
    return Blocked.model_validate({name: value for name, value in told.items() if value is not None})

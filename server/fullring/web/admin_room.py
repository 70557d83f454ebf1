"""What admins see of the whole room, and say to it: connections, announcements, the audit log, how it runs."""

from http import HTTPStatus
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response

from fullring import __version__
from fullring.runtime.audit import AuditLine, AuditQuery
from fullring.table.ids import AccountId
from fullring.web.admin_tables import reached_before
from fullring.web.asking import AdminReader
from fullring.web.changes import PlayersChange, TablesChange
from fullring.web.connections import Session
from fullring.web.control import nothing
from fullring.web.paths import IdInPath, IdInQuery, InstantInQuery, PageSize, page_of
from fullring.web.problems import not_found
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire.admin_room import (
    Announcement,
    Audit,
    AuditEntry,
    ConnectionList,
    ConnectionRow,
    Counts,
    Message,
    Reached,
    System,
)
from fullring.wire.codec import framed
from fullring.wire.errors import CloseCode

router = Routes(prefix="/admin", tags=["admin"])

Action = Annotated[str | None, Query(pattern=r"^[a-z.]{1,64}$", description="an action, or the beginning of some")]
Why = Annotated[str | None, Query(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$")]
AuditCursor = Annotated[int | None, Query(ge=1, le=2**63 - 1)]


@router.get("/connections")
async def connections(
    here: Here,
    asker: AdminReader,
    account: IdInQuery = None,
    address: IdInQuery = None,
    cursor: Annotated[str | None, Query(pattern=r"^c[0-9]{1,18}$")] = None,
    limit: PageSize = 50,
) -> ConnectionList:
    """Sockets and streams, the oldest first."""
    after = 0 if cursor is None else int(cursor[1:])
    everybody = here.connections.all()
    found = [
        (id, session)
        for id, session in everybody
        if int(id[1:]) > after
        and (account is None or session.outbox.account == account)
        and (address is None or session.caller().address == address)
    ]
    page = found[:limit]
    rows = [await _connection(here, id, session) for id, session in page]
    more = page[-1][0] if len(found) > limit else None
    return ConnectionList(connections=rows, total=len(everybody), next=more)


@router.post("/connections/{connection}/message", status_code=HTTPStatus.NO_CONTENT)
async def message_one(change: PlayersChange, connection: IdInPath, wanted: Message) -> Response:
    """A ``notice`` to that connection alone."""

    async def do() -> None:
        session = _session(change.here, connection)
        told = {"text": wanted.text} | _whose(session)
        await change.here.admin.record(change.by, "connection.message", connection, after=told)
        session.notify(framed({"type": "notice", "kind": "message", "text": wanted.text}))

    await change.once(do, nothing)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.delete("/connections/{connection}", status_code=HTTPStatus.NO_CONTENT)
async def close_one(change: PlayersChange, connection: IdInPath, reason: Why = None) -> Response:
    """Closed with 4004. Its seats are kept as for any connection that is lost."""

    async def do() -> None:
        session = _session(change.here, connection)
        await change.here.admin.record(change.by, "connection.close", connection, reason=reason, before=_whose(session))
        session.close(CloseCode.KICKED, reason or "closed by an admin")

    await change.once(do, nothing)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post("/announcements", status_code=HTTPStatus.CREATED)
async def announce(change: TablesChange, wanted: Announcement) -> Reached:
    """A ``notice`` to everybody who is connected."""
    here = change.here

    async def do() -> Reached:
        hearing = sum(session.caller().greeted for _, session in here.connections.all())
        said = wanted.fields()
        await here.admin.record(change.by, "announcement", after=said | {"connections": hearing})
        here.connections.notify(framed({"type": "notice", "kind": "announcement"} | said))
        return Reached(connections=hearing)

    return await change.once(do, reached_before)


@router.get("/audit")
async def audit(
    here: Here,
    asker: AdminReader,
    by: IdInQuery = None,
    action: Action = None,
    target: IdInQuery = None,
    since: Annotated[InstantInQuery, Query(alias="from")] = None,
    until: Annotated[InstantInQuery, Query(alias="to")] = None,
    cursor: AuditCursor = None,
    limit: PageSize = 50,
) -> Audit:
    """Newest first."""
    admin = None if by is None else AccountId(by)
    found = await here.admin.audit(AuditQuery(admin, action, target, since, until, cursor, limit + 1))
    lines, last = page_of(found, limit)
    return Audit(entries=[_entry(line) for line in lines], next=None if last is None else str(last.id))


@router.get("/system")
async def system(here: Here, asker: AdminReader) -> System:
    now, kept = here.clock.now(), await here.admin.counts()
    counts = Counts(
        accounts=kept.accounts,
        tables=len(here.room),
        hands_in_play=here.room.in_play(),
        hands_played=kept.hands,
        seats_taken=sum(row["taken"] for row in here.room.rows()),
        connections=len(here.connections),
        chips_with_accounts=kept.chips,
        chips_on_tables=kept.chips_on_tables,
    )
    return System.model_validate(
        {
            "version": __version__,
            "time": now,
            "started_at": here.started_at,
            "uptime_ms": now - here.started_at,
            "database": here.database,
            "counts": counts,
            "settings": dict(here.settings),
        }
    )


def _session(here: Site, connection: str) -> Session:
    """Raises Declined."""
    found = next((session for id, session in here.connections.all() if id == connection), None)
    if found is None:
        raise not_found("connection")
    return found


def _whose(session: Session) -> dict[str, object]:
    account = session.outbox.account
    told: dict[str, object] = {"address": session.caller().address}
    return told if account is None else told | {"account": account}


async def _connection(here: Site, id: str, session: Session) -> ConnectionRow:
    caller, outbox = session.caller(), session.outbox
    stalled = outbox.stalled_since
    row: dict[str, object] = {
        "id": id,
        "address": caller.address,
        "since": caller.since,
        "heard_at": caller.heard_at,
        "greeted": caller.greeted,
        "tables": sorted(audience.subject for audience in outbox.watching),
        "queued": len(outbox),
        "lag_ms": 0 if stalled is None else here.clock.now() - stalled,
    }
    if caller.client is not None:
        row["client"] = caller.client
    if outbox.account is not None:
        known = await here.accounts.account(outbox.account)
        row |= {"account": outbox.account} | ({} if known is None else {"name": known.name})
    return ConnectionRow.model_validate(row)


def _entry(line: AuditLine) -> AuditEntry:
    told = {
        "id": str(line.id),
        "at": line.by.at,
        "by": line.by.account,
        "by_name": line.by_name,
        "via": line.by.via,
        "address": line.by.address,
        "action": line.action,
        "target": line.target,
        "target_name": line.target_name,
        "reason": line.reason,
        "before": line.before,
        "after": line.after,
    }
    return AuditEntry.model_validate({name: value for name, value in told.items() if value is not None})

"""What admins do to tables: see all of them, open, edit, pause, resume and close them, kick, and say something."""

from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Query
from fastapi.responses import Response

from fullring.rules.refusals import Refused
from fullring.runtime.admin import KnownTable
from fullring.runtime.audit import AuditLine
from fullring.runtime.tables import OpenTable
from fullring.table import commands, views
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import MINUTE, SECOND, TableSettings
from fullring.web import control
from fullring.web.asking import AdminReader
from fullring.web.changes import TablesChange
from fullring.web.control import facts, nothing, said
from fullring.web.paths import IdInPath, IdInQuery, PageSize, page_of
from fullring.web.problems import Declined, not_found
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire.admin_room import (
    AdminTable,
    AdminTableDetail,
    AdminTableList,
    Message,
    Reached,
    RunningHand,
    RunningHands,
    TableEdit,
)
from fullring.wire.codec import framed
from fullring.wire.errors import ErrorCode
from fullring.wire.http import Kick, Reason, TableWanted

router = Routes(prefix="/admin", tags=["admin"])


@router.get("/tables")
async def tables(
    here: Here,
    asker: AdminReader,
    state: Annotated[Literal["open", "closed"] | None, Query()] = None,
    cursor: IdInQuery = None,
    limit: PageSize = 50,
) -> AdminTableList:
    """All of them, those that are closed or invite-only too; newest first."""
    after = None if cursor is None else TableId(cursor)
    open = None if state is None else state == "open"
    found, last = page_of(await here.admin.tables(open=open, after=after, limit=limit + 1), limit)
    more = None if last is None else last.id
    return AdminTableList(tables=[AdminTable.model_validate(_row(here, known)) for known in found], next=more)


@router.get("/tables/{table}")
async def table(here: Here, asker: AdminReader, table: IdInPath) -> AdminTableDetail:
    return await _detail(here, table)


@router.post("/tables", status_code=HTTPStatus.CREATED)
async def open_table(change: TablesChange, wanted: TableWanted) -> AdminTableDetail:
    return await _detail(change.here, await control.open_table(change, wanted))


@router.patch("/tables/{table}")
async def edit(change: TablesChange, table: IdInPath, wanted: TableEdit) -> AdminTableDetail:
    """From the next hand on; at once where none is in play."""
    here = change.here

    async def do() -> None:
        known = here.room.known(table)
        before = known.next_settings or known.settings
        try:
            after = edited(before, wanted)
        except ValueError as error:
            raise Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, str(error)) from None
        await here.room.ask(table, commands.Edit(after), change.key)
        old, new = facts(before), facts(after)
        changed = [name for name in new if new[name] != old[name]]
        await here.admin.record(
            change.by,
            "table.edit",
            table,
            target_name=before.name,
            reason=wanted.reason,
            before={name: old[name] for name in changed},
            after={name: new[name] for name in changed},
        )

    await change.once(do, nothing)
    return await _detail(here, table)


@router.post("/tables/{table}/pause", status_code=HTTPStatus.NO_CONTENT)
async def pause(change: TablesChange, table: IdInPath, why: Reason | None = None) -> Response:
    """No clock runs and nobody acts, until ``resume``."""
    reason = said(why, "paused by an admin")
    return await control.control(change, table, "table.pause", commands.Pause(reason), reason)


@router.post("/tables/{table}/resume", status_code=HTTPStatus.NO_CONTENT)
async def resume(change: TablesChange, table: IdInPath, why: Reason | None = None) -> Response:
    """The game goes on; the player to act has a full clock."""
    reason = said(why, "resumed by an admin")
    return await control.control(change, table, "table.resume", commands.Resume(reason, by_host=True), reason)


@router.post("/tables/{table}/close", status_code=HTTPStatus.NO_CONTENT)
async def close(change: TablesChange, table: IdInPath, why: Reason | None = None) -> Response:
    """When the hand in play is over, everybody gets their chips and the table is gone."""
    reason = said(why, "closed by an admin")
    return await control.control(change, table, "table.close", commands.Close(reason), reason)


@router.post("/tables/{table}/kick", status_code=HTTPStatus.NO_CONTENT)
async def kick(change: TablesChange, table: IdInPath, whom: Kick) -> Response:
    """The account's seat is given up, and its socket closed with 4004."""
    return await control.kick(change, table, AccountId(whom.account), whom.reason or "kicked by an admin")


@router.post("/tables/{table}/message")
async def message(change: TablesChange, table: IdInPath, wanted: Message) -> Reached:
    """A ``notice`` to everybody who watches the table."""
    here = change.here
    audience = here.room.audience(here.room.known(table).id)

    async def do() -> Reached:
        watching = [session for _, session in here.connections.all() if audience in session.outbox.watching]
        told = {"text": wanted.text, "connections": len(watching)}
        await here.admin.record(change.by, "table.message", table, after=told)
        frame = framed({"type": "notice", "kind": "message", "table": table, "text": wanted.text})
        for session in watching:
            session.notify(frame)
        return Reached(connections=len(watching))

    return await change.once(do, reached_before)


@router.get("/hands")
async def hands(here: Here, asker: AdminReader, cursor: IdInQuery = None, limit: PageSize = 50) -> RunningHands:
    """Hands in play as every spectator sees them, in the order in which their tables were opened."""
    playing = [known for known in here.room.all_known() if known.hand is not None]
    known, more = _page(playing, cursor, limit)
    return RunningHands(hands=[_hand(here, one) for one in known], next=more)


def edited(settings: TableSettings, wanted: TableEdit) -> TableSettings:
    """Raises ValueError where they do not fit together."""
    given: dict[str, Any] = {
        name: getattr(wanted, name) for name in wanted.model_fields_set if getattr(wanted, name) is not None
    }
    given.pop("reason", None)
    if "turn_seconds" in given:
        given["turn_ms"] = round(given.pop("turn_seconds") * SECOND)
    if "time_bank_seconds" in given:
        given["time_bank_ms"] = round(given.pop("time_bank_seconds") * SECOND)
        given["time_bank_max_ms"] = max(given["time_bank_ms"], settings.time_bank_max_ms)
    if "ratholing_minutes" in given:
        given["ratholing_ms"] = given.pop("ratholing_minutes") * MINUTE
    if "rake_cap" in given or "rake_bps" in given:
        cap = given.pop("rake_cap", max(settings.rake_caps, default=0))
        bps = given.get("rake_bps", settings.rake_bps)
        if bps and not cap:
            raise ValueError("rake_bps needs rake_cap, the most that is taken of a hand")
        given["rake_caps"] = (cap,) if bps else ()
    if "join_code" in wanted.model_fields_set:
        given["join_code"] = wanted.join_code
    return replace(settings, **given)


async def reached_before(done: AuditLine) -> Reached:
    return Reached.model_validate({"connections": (done.after or {}).get("connections", 0)})


async def _detail(here: Site, table: str) -> AdminTableDetail:
    known = await here.admin.table(table)
    if known is None:
        raise not_found("table")
    row = _row(here, known)
    if row["state"] == "open":
        row["view"] = here.room.audience(table).view()
    return AdminTableDetail.model_validate(row)


def _row(here: Site, known: KnownTable) -> dict[str, object]:
    try:
        live = here.room.known(known.id)
    except Refused:
        live = None
    settings = known.settings if live is None else live.settings
    row: dict[str, object] = {
        "id": known.id,
        "name": settings.name,
        "game": settings.game,
        "state": "closed" if live is None else "open",
        "opened_at": known.opened_at,
        "settings": views.shown_settings(settings),
    }
    if known.owner is not None:
        row["owner"] = known.owner
    return row if live is None else row | _live(here, live)


def _live(here: Site, table: OpenTable) -> dict[str, object]:
    """What only a table that is open has."""
    listed = here.room.summary(table.id)
    more: dict[str, object] = {name: listed[name] for name in ("status", "taken", "waiting")}
    more |= {"watching": len(here.room.audience(table.id)), "hands": table.hands}
    if table.next_settings is not None:
        more["next_settings"] = views.shown_settings(table.next_settings)
    return more


def _page(tables: Sequence[OpenTable], cursor: str | None, limit: int) -> tuple[Sequence[OpenTable], str | None]:
    ids = [known.id for known in tables]
    start = ids.index(TableId(cursor)) + 1 if cursor in ids else 0
    page = tables[start : start + limit]
    return page, page[-1].id if start + limit < len(tables) else None


def _hand(here: Site, table: OpenTable) -> RunningHand:
    assert table.hand is not None, "a hand is in play there"
    hand, started_at = table.hand
    view = here.room.audience(table.id).view()
    return RunningHand.model_validate({"table": table.id, "hand": hand, "started_at": started_at, "view": view})

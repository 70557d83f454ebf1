"""What hosts and admins do to a table alike: each with a line in the audit log before it is answered."""

from dataclasses import replace
from http import HTTPStatus

from fastapi.responses import Response

from fullring.runtime.audit import AuditLine, Opening
from fullring.table import commands, views
from fullring.table.commands import Command
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import MINUTE, SECOND, TableSettings
from fullring.web.changes import Change
from fullring.web.problems import Declined
from fullring.wire import http
from fullring.wire.errors import CloseCode, ErrorCode

TABLES_MAX = 1_000
"""Open tables in one room."""


async def open_table(change: Change, wanted: http.TableWanted) -> TableId:
    """A table that is open at once. Raises Declined."""
    here = change.here
    if len(here.room) >= TABLES_MAX:
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, f"the room has {TABLES_MAX} tables: close one first")
    try:
        settings = chosen(wanted, here.limits.table_defaults)
    except ValueError as error:
        raise Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, str(error)) from None

    async def do() -> TableId:
        return await here.room.open_table(settings, change.asker.account.id, Opening(change.by, facts(settings)))

    async def again(done: AuditLine) -> TableId:
        assert done.target is not None, "a table is what was opened"
        table = TableId(done.target)
        known = await here.admin.table(table)
        if known is not None and known.open:
            await here.room.take_up(table)
        return table

    return await change.once(do, again)


async def control(change: Change, table: str, action: str, command: Command, reason: str) -> Response:
    """Ask the table, as ``action`` in the audit log. Raises Refused."""

    async def do() -> None:
        name = change.here.room.settings(table).name
        await change.here.room.ask(table, command, change.key)
        await change.here.admin.record(change.by, action, table, target_name=name, reason=reason)

    await change.once(do, nothing)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def kick(change: Change, table: str, account: AccountId, reason: str) -> Response:
    """The account's seat is given up, its socket closed with 4004, and its streams ended. Raises Refused."""
    here = change.here

    async def do() -> None:
        name = here.room.settings(table).name
        await here.room.ask(table, commands.Kick(account, reason), change.key)
        here.connections.ended(account, CloseCode.KICKED, reason)
        await here.admin.record(
            change.by, "table.kick", table, target_name=name, reason=reason, after={"account": account}
        )

    await change.once(do, nothing)
    return Response(status_code=HTTPStatus.NO_CONTENT)


def said(why: http.Reason | None, otherwise: str) -> str:
    return otherwise if why is None or why.reason is None else why.reason


def chosen(wanted: http.TableWanted, defaults: TableSettings) -> TableSettings:
    """Raises ValueError where the settings do not fit together."""
    own: dict[str, int] = {}
    if wanted.turn_seconds is not None:
        own["turn_ms"] = round(wanted.turn_seconds * SECOND)
    if wanted.time_bank_seconds is not None:
        own["time_bank_ms"] = round(wanted.time_bank_seconds * SECOND)
        own["time_bank_max_ms"] = max(own["time_bank_ms"], defaults.time_bank_max_ms)
    if wanted.hand_pause_ms is not None:
        own["hand_pause_ms"] = wanted.hand_pause_ms
    if wanted.jitter_ms is not None:
        own["jitter_ms"] = wanted.jitter_ms
    if wanted.ratholing_minutes is not None:
        own["ratholing_ms"] = wanted.ratholing_minutes * MINUTE
    return replace(
        defaults,
        name=wanted.name,
        game=wanted.game,
        seats=wanted.seats,
        small_blind=wanted.small_blind,
        big_blind=wanted.big_blind,
        ante=wanted.ante,
        big_blind_ante=wanted.big_blind_ante,
        buy_in_min=wanted.buy_in_min,
        buy_in_max=wanted.buy_in_max,
        show_all=wanted.show_all,
        dead_button=wanted.dead_button,
        rake_bps=wanted.rake_bps,
        rake_caps=(wanted.rake_cap,) if wanted.rake_bps else (),
        join_code=wanted.join_code,
        **own,
    )


def facts(settings: TableSettings) -> dict[str, object]:
    """What an audit line says of settings: whether there is a join code, and not which."""
    return {"name": settings.name, "game": settings.game} | views.shown_settings(settings)


async def nothing(_: AuditLine) -> None:
    """It was done before, and how things stand now is the answer."""

"""The lobby over HTTP: the tables, opening one, and their hosts' control of them.

An invite-only table is in no list. Who knows its id may look at it; to sit down takes its join code.
"""

from dataclasses import replace
from http import HTTPStatus

from fastapi.responses import Response

from fullring.table import commands, views
from fullring.table.commands import Command
from fullring.table.ids import AccountId
from fullring.table.settings import MINUTE, SECOND, TableSettings
from fullring.web.asking import Host
from fullring.web.paths import IdInPath
from fullring.web.problems import Declined
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire import http
from fullring.wire.client import LOBBY
from fullring.wire.errors import CloseCode, ErrorCode

TABLES_MAX = 1_000
"""Open tables in one room."""

router = Routes(tags=["lobby"])


@router.get("/tables")
async def tables(here: Here) -> http.TableList:
    return http.TableList.model_validate(here.room.audience(LOBBY).view())


@router.get("/tables/{table}")
async def one(here: Here, table: IdInPath) -> http.TableDetail:
    return _detail(here, table)


@router.post("/tables", status_code=HTTPStatus.CREATED)
async def open_table(here: Here, asker: Host, wanted: http.TableWanted) -> http.TableDetail:
    """A table that is open at once. With a join code it is in no list: its id is what you hand on."""
    if len(here.room) >= TABLES_MAX:
        raise Declined(HTTPStatus.CONFLICT, ErrorCode.FORBIDDEN, f"the room has {TABLES_MAX} tables: close one first")
    try:
        settings = chosen(wanted, here.limits.table_defaults)
    except ValueError as error:
        raise Declined(HTTPStatus.UNPROCESSABLE_ENTITY, ErrorCode.BAD_MESSAGE, str(error)) from None
    return _detail(here, await here.room.open_table(settings, asker.account.id))


@router.post("/tables/{table}/close", status_code=HTTPStatus.NO_CONTENT)
async def close(here: Here, asker: Host, table: IdInPath, why: http.Reason | None = None) -> Response:
    """No more hands: when the one in play is over, everybody gets their chips and the table is gone."""
    return await _control(here, table, commands.Close(_reason(why, "closed by its host")))


@router.post("/tables/{table}/pause", status_code=HTTPStatus.NO_CONTENT)
async def pause(here: Here, asker: Host, table: IdInPath, why: http.Reason | None = None) -> Response:
    """No clock runs and nobody acts, until ``resume``."""
    return await _control(here, table, commands.Pause(_reason(why, "paused by its host")))


@router.post("/tables/{table}/resume", status_code=HTTPStatus.NO_CONTENT)
async def resume(here: Here, asker: Host, table: IdInPath, why: http.Reason | None = None) -> Response:
    """The game goes on; the player to act has a full clock."""
    return await _control(here, table, commands.Resume(_reason(why, "resumed by its host"), by_host=True))


@router.post("/tables/{table}/kick", status_code=HTTPStatus.NO_CONTENT)
async def kick(here: Here, asker: Host, table: IdInPath, whom: http.Kick) -> Response:
    """The account's seat is given up, its socket closed with 4004, and its streams ended."""
    account = AccountId(whom.account)
    done = await _control(here, table, commands.Kick(account, whom.reason or "kicked by the host"))
    for session in here.connections.of(account):
        session.close(CloseCode.KICKED, whom.reason or "kicked by the host")
    return done


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


def _detail(here: Site, table: str) -> http.TableDetail:
    """Raises Refused where there is no such table."""
    settings = here.room.settings(table)
    row = here.room.summary(table)
    return http.TableDetail.model_validate(
        row | {"settings": views.shown_settings(settings), "view": here.room.audience(table).view()}
    )


def _reason(why: http.Reason | None, otherwise: str) -> str:
    return otherwise if why is None or why.reason is None else why.reason


async def _control(here: Site, table: str, command: Command) -> Response:
    await here.room.ask(table, command)
    return Response(status_code=HTTPStatus.NO_CONTENT)

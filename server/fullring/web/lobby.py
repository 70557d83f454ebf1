"""The lobby over HTTP: the tables, opening one, and their hosts' control of them.

An invite-only table is in no list but its host's. Who knows its id may look at it; to sit down takes its join code.
"""

from http import HTTPStatus

from fastapi.responses import Response

from fullring.table import commands, views
from fullring.table.ids import AccountId
from fullring.web import control
from fullring.web.asking import Host
from fullring.web.changes import HostsChange, OwnTablesChange
from fullring.web.control import said
from fullring.web.paths import IdInPath
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire import http
from fullring.wire.client import LOBBY

router = Routes(tags=["lobby"])


@router.get("/tables")
async def tables(here: Here) -> http.TableList:
    return http.TableList.model_validate(here.room.audience(LOBBY).view())


@router.get("/me/tables")
async def own_tables(here: Here, asker: Host) -> http.TableList:
    """The open tables that the asker has opened, those with a join code too."""
    own = [known.id for known in here.room.all_known() if known.owner == asker.account.id]
    return http.TableList.model_validate({"tables": [here.room.summary(table) for table in own]})


@router.get("/tables/{table}")
async def one(here: Here, table: IdInPath) -> http.TableDetail:
    return _detail(here, table)


@router.post("/tables", status_code=HTTPStatus.CREATED)
async def open_table(change: HostsChange, wanted: http.TableWanted) -> http.TableDetail:
    """A table that is open at once. With a join code it is in no list: its id is what you hand on."""
    return _detail(change.here, await control.open_table(change, wanted))


@router.post("/tables/{table}/close", status_code=HTTPStatus.NO_CONTENT)
async def close(change: OwnTablesChange, table: IdInPath, why: http.Reason | None = None) -> Response:
    """No more hands: when the one in play is over, everybody gets their chips and the table is gone."""
    reason = said(why, "closed by its host")
    return await control.control(change, table, "table.close", commands.Close(reason), reason)


@router.post("/tables/{table}/pause", status_code=HTTPStatus.NO_CONTENT)
async def pause(change: OwnTablesChange, table: IdInPath, why: http.Reason | None = None) -> Response:
    """No clock runs and nobody acts, until ``resume``."""
    reason = said(why, "paused by its host")
    return await control.control(change, table, "table.pause", commands.Pause(reason), reason)


@router.post("/tables/{table}/resume", status_code=HTTPStatus.NO_CONTENT)
async def resume(change: OwnTablesChange, table: IdInPath, why: http.Reason | None = None) -> Response:
    """The game goes on; the player to act has a full clock."""
    reason = said(why, "resumed by its host")
    return await control.control(change, table, "table.resume", commands.Resume(reason, by_host=True), reason)


@router.post("/tables/{table}/kick", status_code=HTTPStatus.NO_CONTENT)
async def kick(change: OwnTablesChange, table: IdInPath, whom: http.Kick) -> Response:
    """The account's seat is given up, its socket closed with 4004, and its streams ended."""
    return await control.kick(change, table, AccountId(whom.account), whom.reason or "kicked by the host")


def _detail(here: Site, table: str) -> http.TableDetail:
    """Raises Refused where there is no such table."""
    settings = here.room.settings(table)
    row = here.room.summary(table)
    return http.TableDetail.model_validate(
        row | {"settings": views.shown_settings(settings), "view": here.room.audience(table).view()}
    )

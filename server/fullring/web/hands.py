"""Finished hands over HTTP, each cut for whoever asks: their own cards, and what was shown.

An invite-only table is known by its id alone, and so are its hands: a list that names no table leaves them out, but for
those that the asker played.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response

from fullring.rules.cards import text
from fullring.rules.events import PotAwarded, StreetDealt
from fullring.rules.record import HandRecord, seen_by
from fullring.runtime.accounts import Credentials
from fullring.runtime.ports import HandQuery
from fullring.table import views
from fullring.table.ids import AccountId, HandId, TableId
from fullring.table.settings import TableSettings
from fullring.table.state import Table
from fullring.web.asking import Asker, Reader
from fullring.web.paths import CursorInQuery, IdInPath, IdInQuery, InstantInQuery, PageSize
from fullring.web.problems import not_found
from fullring.web.routes import Routes
from fullring.web.site import Here, Site
from fullring.wire import http

PHH = "application/toml"
TEXT = "text/plain"
OHH = "application/json"
EXPORT_MAX = 1_000
"""Hands in one export, the newest; older ones by ``to``, an instant."""

router = Routes(tags=["hands"])


@router.get("/hands")
async def find(
    here: Here,
    asker: Asker,
    table: IdInQuery = None,
    account: IdInQuery = None,
    since: Annotated[InstantInQuery, Query(alias="from")] = None,
    until: Annotated[InstantInQuery, Query(alias="to")] = None,
    cursor: CursorInQuery = None,
    limit: PageSize = 50,
) -> http.HandList:
    """Newest first. ``from`` and ``to`` bound when a hand ended. A page may be short and still have a ``next``."""
    query = HandQuery(
        None if table is None else TableId(table),
        None if account is None else AccountId(account),
        since,
        until,
        cursor,
        limit,
    )
    async with here.searches.one("many look for hands now"):
        records, after = await here.hands.find(query)
    viewer = _viewer(asker)
    told = [record for record in records if table is not None or _told(here, record, viewer)]
    return http.HandList(
        hands=[http.HandSummary.model_validate(_summary(seen_by(record, viewer))) for record in told], next=after
    )


@router.get("/hands/{hand}.phh", response_class=Response, responses={200: {"content": {PHH: {}}}})
async def as_phh(here: Here, asker: Asker, hand: IdInPath) -> Response:
    """The hand in the Poker Hand History format. Cards that the asker may not know are ``????``."""
    record = await _get(here, hand, _viewer(asker))
    return Response(here.write_phh(record), media_type=PHH)


@router.get("/hands/{hand}.txt", response_class=Response, responses={200: {"content": {TEXT: {}}}})
async def as_text(here: Here, asker: Asker, hand: IdInPath) -> Response:
    """The hand as text in the layout of PokerStars' hand histories, as the asker may see it."""
    return Response(here.write_text([await _whole(here, hand)], _viewer(asker)), media_type=TEXT)


@router.get("/hands/{hand}.ohh.json", response_class=Response, responses={200: {"content": {OHH: {}}}})
async def as_ohh(here: Here, asker: Asker, hand: IdInPath) -> Response:
    """The hand in the Open Hand History format, as the asker may see it."""
    return Response(here.write_ohh(await _whole(here, hand), _viewer(asker)), media_type=OHH)


@router.get("/hands/{hand}")
async def one(here: Here, asker: Asker, hand: IdInPath) -> http.HandRecord:
    record = await _get(here, hand, _viewer(asker))
    return http.HandRecord.model_validate(described(record))


@router.get("/me/hands.phhs", response_class=Response, responses={200: {"content": {PHH: {}}}})
async def all_as_phhs(
    here: Here, asker: Reader, until: Annotated[InstantInQuery, Query(alias="to")] = None
) -> Response:
    """The asker's newest hands, 1,000 at most, oldest first. Those before an instant: ``to``."""
    viewer = asker.account.id

    def write(records: list[HandRecord]) -> str:
        return here.write_phhs([seen_by(record, viewer) for record in records])

    return Response(await _own(here, viewer, until, write), media_type=PHH)


@router.get("/me/hands.txt", response_class=Response, responses={200: {"content": {TEXT: {}}}})
async def all_as_text(
    here: Here, asker: Reader, until: Annotated[InstantInQuery, Query(alias="to")] = None
) -> Response:
    """The same hands as text in the layout of PokerStars' hand histories."""
    viewer = asker.account.id
    return Response(await _own(here, viewer, until, lambda records: here.write_text(records, viewer)), media_type=TEXT)


async def _own(here: Site, viewer: AccountId, until: int | None, write: Callable[[list[HandRecord]], str]) -> str:
    """What ``write`` makes of whole records, oldest first: in a thread, as a thousand take it a while."""
    async with here.exports.one("many take all of their hands now"):
        records, _ = await here.hands.find(HandQuery(account=viewer, until=until, limit=EXPORT_MAX))
        return await asyncio.to_thread(write, list(reversed(records)))


def _viewer(asker: Credentials | None) -> AccountId | None:
    return asker.account.id if asker is not None and "read" in asker.scopes else None


def _told(here: Site, record: HandRecord, viewer: AccountId | None) -> bool:
    return here.room.is_public(TableId(record.table)) or any(player.account == viewer for player in record.players)


async def _get(here: Site, hand: str, viewer: AccountId | None) -> HandRecord:
    return seen_by(await _whole(here, hand), viewer)


async def _whole(here: Site, hand: str) -> HandRecord:
    """For those alone who cut it for the viewer."""
    record = await here.hands.get(HandId(hand))
    if record is None:
        raise not_found("hand")
    return record


def described(record: HandRecord) -> dict[str, object]:
    """All that happened, in a record that was cut for its viewer already."""
    return _summary(record) | {"events": _events(record)}


def _summary(record: HandRecord) -> dict[str, object]:
    """A record that was cut for its viewer already."""
    ends = {stake.seat: stake.stack for stake in record.ended.stacks}
    starts = {stake.seat: stake.stack for stake in record.started.seats}
    holes = {hole.seat: hole.cards for hole in record.holes}
    players = []
    for player in record.players:
        shown: dict[str, object] = {
            "seat": player.seat,
            "account": player.account,
            "name": player.name,
            "stack_start": starts[player.seat],
            "stack_end": ends[player.seat],
        }
        if holes[player.seat]:
            shown["cards"] = [text(card) for card in holes[player.seat]]
        players.append(shown)
    return {
        "id": record.hand,
        "table": record.table,
        "number": record.number,
        "game": record.started.game,
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "small_blind": record.small_blind,
        "big_blind": record.big_blind,
        "button": record.started.button,
        "board": [text(card) for event in record.events if isinstance(event, StreetDealt) for card in event.cards],
        "pot": sum(event.amount for event in record.events if isinstance(event, PotAwarded)),
        "players": players,
    }


def _events(record: HandRecord) -> list[views.Json]:
    """What everybody was told, by the same code that told it."""
    settings = TableSettings(
        name=record.table_name,
        game=record.started.game,
        seats=record.seats,
        small_blind=record.small_blind,
        big_blind=record.big_blind,
        ante=record.ante,
        buy_in_min=record.big_blind,
        buy_in_max=record.big_blind,
    )
    table = Table(record.table, settings, hand_id=HandId(record.hand), hand_players=record.players)
    return views.public_events(table, (*record.events, *record.shown_late))

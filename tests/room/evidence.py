"""An evening at a real server, and everything that is left of it when it is over: what was heard, kept and told."""

import asyncio
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx

from tests.room.decks import Decks
from tests.room.kept import Books, Moment, books, moments
from tests.room.players import Evening, Player, Watcher
from tests.server import Guest, Running, running

Json = dict[str, Any]
PLAYERS = 6
TABLES = 2
HANDS = 1_000
CHIPS = 1_000_000
LOOKS = 10
"""How often somebody looks at the books, and at the room's pages, while the others play."""
WRITTEN = 500
"""Hands that are fetched as PHH, by everybody who played and by a stranger."""
HAND_IN_FILE = re.compile(r"^\[\d+\]\n", re.MULTILINE)
PAGE = 200


@dataclass(slots=True)
class Evidence:
    """``pages`` are views of a table that were fetched over HTTP; ``totals`` all chips there are, at several instants.

    ``phh`` are texts by hand and reader, the stranger's under None; ``alone`` those that a player fetched one by one.
    """

    seed: int
    tables: Sequence[str]
    players: Sequence[Player]
    watchers: Sequence[Watcher]
    decks: Decks
    totals: list[int] = field(default_factory=list)
    discrepancies: list[str] = field(default_factory=list)
    pages: list[tuple[str, bytes]] = field(default_factory=list)
    purses: dict[str, int] = field(default_factory=dict)
    hands: list[Json] = field(default_factory=list)
    phh: dict[str, dict[str | None, str]] = field(default_factory=dict)
    alone: dict[tuple[str, str], str] = field(default_factory=dict)
    moments: dict[str, list[Moment]] = field(default_factory=dict)

    @property
    def evening(self) -> Evening:
        return self.players[0].evening

    @property
    def everybody(self) -> Sequence[Watcher]:
        return [*self.players, *self.watchers]


async def spend_an_evening(url: str, folder: Path, seed: int) -> Evidence:
    """Six players at two tables, a spectator who stays, and one who comes and goes."""
    decks = Decks(seed)
    async with running(folder, database_url=url, shuffle=decks, guest_chips=CHIPS) as room, books(url, folder) as kept:
        tables = [await room.table(name=name) for name in ("Magnolia", "Juniper")]
        evening = Evening(HANDS)
        guests = [await room.guest() for _ in range(PLAYERS)]
        players = [Player(evening, tables, guest, Random(seed + n)) for n, guest in enumerate(guests)]
        watchers = [Watcher(evening, [*tables, "lobby"]), Watcher(evening, tables)]
        evidence = Evidence(seed, tables, players, watchers, decks)
        async with asyncio.TaskGroup() as tasks:
            for one in [*players, watchers[0]]:
                tasks.create_task(one.stay(room.url))
            tasks.create_task(_comes_and_goes(room, watchers[1]))
            tasks.create_task(_looks(room, kept, evidence))
        await _ask_for_all(room, evidence, guests)
        evidence.totals.append(await kept.chips())
        evidence.discrepancies += await kept.discrepancies()
    async with books(url, folder) as kept:
        for table in tables:
            evidence.moments[table] = list(moments(table, await kept.settings(table), await kept.rows(table)))
    return evidence


async def _comes_and_goes(room: Running, watcher: Watcher) -> None:
    for comes, goes in ((HANDS // 10, HANDS // 5), (HANDS // 5 + 5, HANDS // 2), (HANDS * 3 // 4, HANDS)):
        await watcher.evening.reached(comes)
        watcher.until = goes
        await watcher.stay(room.url)


async def _looks(room: Running, kept: Books, evidence: Evidence) -> None:
    """At all chips there are, and at what a stranger may see over HTTP while hands are played."""
    async with room.http() as stranger:
        for look in range(1, LOOKS):
            await evidence.evening.reached(look * HANDS // LOOKS)
            evidence.totals.append(await kept.chips())
            evidence.discrepancies += await kept.discrepancies()
            for table in evidence.tables:
                page = (await stranger.get(f"/tables/{table}")).raise_for_status()
                evidence.pages.append((table, page.content))


async def _ask_for_all(room: Running, evidence: Evidence, guests: Sequence[Guest]) -> None:
    """The list of hands; the newest as PHH, one by one for a stranger and one of the players, in one file for each."""
    async with room.http() as stranger:
        evidence.hands = await _all_hands(stranger)
        newest = evidence.hands[:WRITTEN]
        for hand in newest:
            evidence.phh[hand["id"]] = {None: await _phh(stranger, hand["id"])}
    for place, guest in enumerate(guests):
        async with room.http(guest.token) as reader:
            me = (await reader.get("/me")).raise_for_status().json()
            evidence.purses[guest.id] = me["account"]["chips"]
            file = (await reader.get("/me/hands.phhs")).raise_for_status().text
            for text in HAND_IN_FILE.split(file)[1:]:
                hand_id = str(tomllib.loads(text)["hand"])
                if hand_id in evidence.phh:
                    evidence.phh[hand_id][guest.id] = text
            for hand in newest[place :: len(guests)]:
                if any(player["account"] == guest.id for player in hand["players"]):
                    evidence.alone[hand["id"], guest.id] = await _phh(reader, hand["id"])


async def _all_hands(client: httpx.AsyncClient) -> list[Json]:
    hands: list[Json] = []
    after: Json = {}
    while True:
        page: Json = (await client.get("/hands", params={"limit": PAGE, **after})).raise_for_status().json()
        hands += page["hands"]
        if page.get("next") is None:
            return hands
        after = {"cursor": page["next"]}


async def _phh(client: httpx.AsyncClient, hand: str) -> str:
    return (await client.get(f"/hands/{hand}.phh")).raise_for_status().text

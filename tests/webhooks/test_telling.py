"""A whole room that tells a real receiver: what, in which order, signed, until it is taken, and over its own end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from fullring import store
from fullring.runtime.webhooks import Endpoint, Topic
from fullring.store import seal
from fullring.table.commands import Close
from fullring.webhooks import signing
from tests.receiver import Receiver, Told, receiver
from tests.server import Address, Running, process, running

EVERYTHING = tuple(Topic)
QUICK: dict[str, Any] = {"webhook_private": True, "webhook_retry_seconds": 0.05}
HANDS = 3

sqlite_alone = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Where the database has no part in it."""


async def add(folder: Path, url: str, to: Receiver, topics: tuple[str, ...] = EVERYTHING) -> str:
    """What the command does beside a room; the secret as it is shown."""
    keys = seal.key_file(folder / "seal.key")
    books = await store.open(url, seal_keys=keys, visiting=True)
    secret = signing.new_secret()
    await books.webhooks.add(to.url, topics, secret, 0)
    await books.close()
    return signing.shown(secret)


@asynccontextmanager
async def told_room(folder: Path, url: str, to: Receiver, **chosen: Any) -> AsyncIterator[tuple[Running, str]]:
    """A room that tells this receiver everything, and the secret."""
    secret = await add(folder, url, to)
    async with running(folder, database_url=url, **QUICK, **chosen) as room:
        yield room, secret


async def play(room: Address, table: str, hands: int = 1) -> None:
    """Two guests, so many hands, and one of them leaves."""
    anna, bo = await room.guest("Anna"), await room.guest("Bo")
    async with room.socket(anna.token) as first, room.socket(bo.token) as second:
        sockets = {anna.id: first, bo.id: second}
        await first.asks("watch", table=table)
        for socket in sockets.values():
            assert (await socket.asks("sit", table=table, buy_in=500))["type"] == "ok"
        over, asked, gone = 0, False, False
        while not gone:
            update = await first.hears("update")
            kinds = [event["type"] for event in update["events"]]
            over += kinds.count("hand_ended")
            gone = "left" in kinds
            if over >= hands and not asked:
                asked = (await second.asks("leave", table=table))["type"] == "ok"
            hand = update["view"].get("hand", {})
            if turn := hand.get("turn"):
                account = next(one["account"] for one in update["view"]["seats"] if one["seat"] == turn["seat"])
                action = "check" if turn["actions"]["check"] else "call"
                await sockets[account].asks("act", table=table, hand=hand["id"], turn=turn["id"], action=action)


async def test_everything_that_is_wanted_is_told_once_signed_and_in_order(tmp_path: Path, database_url: str) -> None:
    async with receiver() as to, told_room(tmp_path, database_url, to) as (room, secret):
        await room.table(join_code="secret code")
        table = await room.table()
        await play(room, table)
        left = await to.hears_of(Topic.PLAYER_LEFT)
        await room.site.room.ask(table, Close("enough"))
        closed = await to.hears_of(Topic.TABLE_CLOSED)
        hand = (await to.hears_of(Topic.HAND_FINISHED)).message
        async with room.http() as client:
            public = (await client.get(f"/hands/{hand['data']['id']}")).json()

    assert all(told.signed_by(secret) for told in to.told)
    assert len({told.id for told in to.told}) == len(to.told)
    kinds = [told.topic for told in to.told]
    assert kinds[:6] == [Topic.TABLE_OPENED] * 2 + [Topic.ACCOUNT_CREATED] * 2 + [Topic.PLAYER_SEATED] * 2
    assert kinds.index(Topic.HAND_FINISHED) < kinds.index(Topic.PLAYER_LEFT) < kinds.index(Topic.TABLE_CLOSED)
    assert hand["data"] == public
    assert set(left.message["data"]) == {"table", "seat", "account", "name", "stack", "reason"}
    assert closed.message["data"] == {"table": table, "reason": "enough"}
    assert b"secret code" not in b"".join(told.body for told in to.told)


@sqlite_alone
async def test_no_hand_is_told_with_a_card_that_was_not_shown(tmp_path: Path, database_url: str) -> None:
    async with receiver() as to, told_room(tmp_path, database_url, to) as (room, _):
        table = await room.table()
        await play(room, table, HANDS)
        await to.hears_of(Topic.PLAYER_LEFT)
        for told in to.told:
            if told.topic == Topic.HAND_FINISHED:
                data = told.message["data"]
                shown = {event["seat"] for event in data["events"] if event["type"] == "cards_shown"}
                assert {player["seat"] for player in data["players"] if "cards" in player} <= shown


@sqlite_alone
async def test_what_is_not_taken_is_told_again_before_anything_else(tmp_path: Path, database_url: str) -> None:
    async with receiver() as to:
        to.answers = ["500 Broken", "302 Found\r\nLocation: /elsewhere", "404 Not Found", "503 Busy"]
        async with told_room(tmp_path, database_url, to) as (room, secret):
            await room.table()
            await room.guest()
            told = await to.hears(6)

    assert len({one.id for one in told[:5]}) == 1
    assert told[5].topic == Topic.ACCOUNT_CREATED
    assert all(one.signed_by(secret) for one in told)


async def test_a_room_that_is_killed_tells_what_it_had_not_told(tmp_path: Path, database_url: str) -> None:
    async with receiver() as to:
        to.answers = ["503 Busy"] * 3
        secret = await add(tmp_path, database_url, to)
        chosen = {"database_url": database_url, "tables": 1, **QUICK}
        async with process(tmp_path, **chosen) as room:
            async with room.http() as client:
                (table,) = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
            await play(room, table, HANDS)
            async with room.http() as client:
                ended = (await client.get("/hands")).json()["hands"]
            await room.kill()
        async with process(tmp_path, **chosen):
            while {one.message["data"]["id"] for one in told(to, Topic.HAND_FINISHED)} < {hand["id"] for hand in ended}:
                await to.hears(len(to.told) + 1)
            await to.hears_of(Topic.PLAYER_LEFT)

    assert len(ended) >= HANDS
    assert len({one.id for one in told(to, Topic.ACCOUNT_CREATED)}) == 2
    assert len({one.id for one in told(to, Topic.PLAYER_SEATED)}) == 2
    assert all(one.signed_by(secret) for one in to.told)
    seen = list(dict.fromkeys(one.message["data"]["id"] for one in told(to, Topic.HAND_FINISHED)))
    assert seen == [hand["id"] for hand in reversed(ended)], "in the order in which they were played"


def told(to: Receiver, topic: Topic) -> list[Told]:
    return [one for one in to.told if one.topic == topic]


@sqlite_alone
async def test_an_endpoint_hears_only_what_it_wants_and_one_that_fails_holds_up_no_other(
    tmp_path: Path, database_url: str
) -> None:
    async with receiver() as to, receiver() as stuck:
        stuck.answers = [None] * 100
        await add(tmp_path, database_url, stuck)
        await add(tmp_path, database_url, to, (Topic.TABLE_OPENED,))
        async with running(tmp_path, database_url=database_url, **QUICK) as room:
            await room.guest()
            await room.table()
            await to.hears(1)
            await stuck.hears(1)
            await room.table()
            await to.hears(2)

    assert {one.topic for one in to.told} == {Topic.TABLE_OPENED}


async def test_a_webhook_that_is_added_beside_the_room_hears_what_follows(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'room.db'}"
    async with receiver() as to, running(tmp_path, **QUICK) as room:
        await add(tmp_path, url, to)
        while not [one for one in await _endpoints(room) if one.waiting]:
            await room.guest()
        assert (await to.hears(1))[0].topic == Topic.ACCOUNT_CREATED


async def _endpoints(room: Running) -> list[Endpoint]:
    await asyncio.sleep(0)
    keys = seal.key_file(room.settings.seal_key_path)
    books = await store.open(room.settings.database, seal_keys=keys, visiting=True)
    try:
        return list(await books.webhooks.endpoints())
    finally:
        await books.close()

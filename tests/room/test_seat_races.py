"""PR-D4: one seat per player and one player per seat, however they hurry; each race is run two hundred times."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fullring.table.ids import AccountId
from fullring.wire.errors import CloseCode
from tests.room.kept import books
from tests.server import Guest, Running
from tests.sockets import Socket

RACES = 200
BUY_IN = 500
CHIPS = 10_000


@pytest.fixture
async def guest(room: Running) -> Guest:
    return await room.guest()


@pytest.fixture
async def socket(room: Running, guest: Guest) -> AsyncIterator[Socket]:
    async with room.socket(guest.token) as opened:
        yield opened


async def chips(room: Running, guest: Guest) -> int:
    async with room.http(guest.token) as client:
        me = (await client.get("/me")).json()
    assert me["seats"] == []
    return int(me["account"]["chips"])


async def buy_ins(room: Running, guest: Guest) -> int:
    entries = await room.site.ledger.entries(AccountId(guest.id), None, 1_000)
    return sum(entry.kind == "buy_in" for entry in entries)


async def test_one_who_asks_for_two_seats_gets_one_and_pays_once(room: Running, guest: Guest, socket: Socket) -> None:
    table = await room.table()
    for _ in range(RACES):
        asked = [await socket.says("sit", table=table, seat=seat, buy_in=BUY_IN) for seat in (2, 4)]
        answers = [await socket.answer(id) for id in asked]
        assert sorted(answer.get("code", "ok") for answer in answers) == ["already_seated", "ok"]
        assert (await socket.asks("leave", table=table))["type"] == "ok"
    assert await chips(room, guest) == CHIPS
    assert await buy_ins(room, guest) == RACES
    assert await room.site.ledger.audit() == []


async def test_one_who_asks_from_two_connections_gets_one_seat(room: Running, guest: Guest) -> None:
    """The second connection closes the first, whose command was on its way."""
    table = await room.table()
    seated = 0
    for _ in range(RACES):
        async with room.socket(guest.token) as first:
            await first.says("sit", table=table, seat=2, buy_in=BUY_IN)
            async with room.socket(guest.token) as second:
                answer = await second.asks("sit", table=table, seat=4, buy_in=BUY_IN)
                assert answer.get("code", "ok") in {"ok", "already_seated"}
                assert await first.closed() == CloseCode.REPLACED
                view = room.site.room.audience(table).view()
                assert [seat["account"] for seat in view["seats"]] == [guest.id]
                seated += answer["type"] == "error"
                assert (await second.asks("leave", table=table))["type"] == "ok"
    assert seated > 0, "the first was quicker now and then"
    assert await chips(room, guest) == CHIPS
    assert await buy_ins(room, guest) == RACES


async def test_two_who_ask_for_one_seat_are_answered_at_once_and_one_has_it(
    room: Running, guest: Guest, socket: Socket
) -> None:
    table, other = await room.table(), await room.guest()
    async with room.socket(other.token) as rival:
        for race in range(RACES):
            pair = [socket, rival] if race % 2 else [rival, socket]
            asked = [await one.says("sit", table=table, seat=3, buy_in=BUY_IN) for one in pair]
            answers = await asyncio.gather(*[one.answer(id) for one, id in zip(pair, asked, strict=True)])
            assert sorted(answer.get("code", "ok") for answer in answers) == ["ok", "seat_taken"]
            winner = pair[[answer["type"] for answer in answers].index("ok")]
            assert (await winner.asks("leave", table=table))["type"] == "ok"
        assert [await chips(room, one) for one in (guest, other)] == [CHIPS, CHIPS]
        assert await buy_ins(room, guest) + await buy_ins(room, other) == RACES


async def test_who_leaves_and_sits_down_in_one_moment_has_one_seat(room: Running, guest: Guest, socket: Socket) -> None:
    table = await room.table()
    await socket.asks("sit", table=table, buy_in=BUY_IN)
    for race in range(RACES):
        orders = ("leave", "sit") if race % 2 else ("sit", "leave")
        asked = [
            await socket.says(what, table=table, **({"buy_in": BUY_IN} if what == "sit" else {})) for what in orders
        ]
        answers = [(await socket.answer(id)).get("code", "ok") for id in asked]
        assert answers == (["ok", "ok"] if race % 2 else ["already_seated", "ok"])
        seats = [seat["account"] for seat in room.site.room.audience(table).view()["seats"]]
        assert seats == ([guest.id] if race % 2 else [])
        if not seats:
            await socket.asks("sit", table=table, buy_in=BUY_IN)
    await socket.asks("leave", table=table)
    assert await chips(room, guest) == CHIPS


async def test_whose_chips_are_enough_for_some_seats_gets_so_many_and_no_more(
    tmp_path: Path, database_url: str, room: Running
) -> None:
    """Asked for at twelve tables in one moment: the account is never below zero."""
    tables = [await room.table(name=f"{number}") for number in range(12)]
    async with books(database_url, tmp_path) as kept:
        for _ in range(RACES // 10):
            poor = await room.guest()
            async with room.socket(poor.token) as socket:
                asked = [await socket.says("sit", table=table, buy_in=1_000) for table in tables]
                answers = [(await socket.answer(id)).get("code", "ok") for id in asked]
                assert sorted(answers) == ["insufficient_chips"] * 2 + ["ok"] * 10
                for table in tables:
                    await socket.asks("leave", table=table)
            assert await chips(room, poor) == CHIPS
        assert await kept.discrepancies() == []

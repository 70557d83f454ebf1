"""Two sessions of one account, commands that are stale or sent twice, and a connection that is lost in between."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.room.kept import books
from tests.room.seats import Party, party
from tests.server import Running, running


@pytest.fixture
async def there(still: Running, clock: FakeClock) -> AsyncIterator[Party]:
    """A hand of three; seat 1 is to act."""
    async with party(still, 1, 2, 3) as opened:
        await opened.deal(clock)
        yield opened


async def test_a_newer_session_takes_the_seat_over_and_nobody_else_notices(there: Party) -> None:
    place = there[1]
    old, turn = place.socket, there.hand["turn"]
    await place.connect()

    assert await old.closed() == CloseCode.REPLACED
    assert place.socket.welcome["seats"] == [{"table": there.table, "seat": 1}]
    await there.quiet()
    assert there.hand["turn"] == turn
    await there.act("raise", to=30)
    assert there.seat(1)["connected"]


async def test_when_both_sessions_are_gone_the_player_is(there: Party) -> None:
    place = there[1]
    old = place.socket
    await place.connect()
    assert await old.closed() == CloseCode.REPLACED
    await place.drop()
    await there.until("connection_changed", seat=1, connected=False)


async def test_a_turn_that_is_over_is_not_answered_again(there: Party) -> None:
    """Also where the same player is to act next, and where the hand is another."""
    place = there[1]
    before = place.answer("fold")
    await there.act("call")
    assert (await place.asks("act", **before))["code"] == "stale_turn"
    for _ in range(2):
        await there.act("raise", to=there.hand["turn"]["actions"]["raise"]["min"])
    assert there.hand["turn"]["seat"] == 1
    assert (await place.asks("act", **before))["code"] == "stale_turn"
    assert (await place.asks("act", **place.answer("fold") | {"hand": "h0"}))["code"] == "stale_turn"
    await there.quiet()


async def test_the_same_command_twice_at_once_is_done_once(there: Party) -> None:
    place = there[1]
    fields = {"table": there.table, **place.answer("raise", to=30)}
    ids = [await place.socket.says("act", id="same", **fields) for _ in range(3)]
    answers = [await place.socket.answer(id) for id in ids]

    assert answers[0]["type"] == "ok"
    assert answers == [answers[0]] * 3
    acted = await there.until("acted")
    assert (acted["seat"], acted["to"], there.hand["turn"]["seat"]) == (1, 30, 2)
    await there.quiet()


async def test_the_same_id_means_the_same_command_whatever_else_it_says(there: Party) -> None:
    place = there[1]
    first = await place.acts("raise", to=30)
    id = first["re"]
    for type, fields in (("act", place.answer("fold")), ("chat", {"text": "hi"}), ("leave", {})):
        assert await place.asks(type, id=id, **fields) == first
    await there.until("acted")
    await there.quiet()


async def test_an_id_is_one_accounts_own(there: Party) -> None:
    for seat in (1, 2):
        assert (await there[seat].asks("chat", id="mine", text=f"{seat}"))["type"] == "ok"
        assert (await there.until("chatted"))["text"] == f"{seat}"


async def test_a_command_sent_again_after_a_drop_gets_its_first_answer(there: Party) -> None:
    place = there[1]
    command = {"id": "raise", **place.answer("raise", to=30)}
    first = await place.asks("act", **command)
    await place.drop()
    await there.until("connection_changed", connected=False)
    await place.connect(since=True)

    assert await place.asks("act", **command) == first
    refused = await place.asks("act", id="late", **place.answer("raise", to=30) | {"turn": "none"})
    assert await place.asks("act", id="late", **place.answer("fold")) == refused


async def test_a_command_whose_answer_was_lost_is_sent_again_and_done_once(there: Party) -> None:
    """The connection breaks between the command and its answer."""
    place = there[1]
    command = {"table": there.table, "id": "raise", **place.answer("raise", to=30)}
    await place.socket.says("act", **command)
    await place.drop()
    await place.connect(since=True)

    assert (await place.socket.asks("act", **command))["type"] == "ok"
    events = [event for update in there.told.values() for event in update["events"]]
    while not any(event["type"] == "acted" for event in events):
        events += (await there.hears())["events"]
    assert [event["to"] for event in events if event["type"] == "acted"] == [30]


async def test_after_a_restart_the_journal_still_has_the_answer(tmp_path: Path, database_url: str) -> None:
    async with running(tmp_path, database_url=database_url) as room:
        guest = await room.guest()
        table = await room.table()
        async with room.socket(guest.token) as socket:
            first = await socket.asks("sit", id="s", table=table, buy_in=500, seat=3)
            said = await socket.asks("chat", id="c", table=table, text="hello")
    async with running(tmp_path, database_url=database_url) as room, room.socket(guest.token) as socket:
        assert await socket.asks("chat", id="c", table=table, text="hello again") == said
        assert await socket.asks("sit", id="s", table=table, buy_in=500, seat=3) == first
        assert (await socket.asks("sit", id="other", table=table, buy_in=500, seat=3))["code"] == "already_seated"
    async with books(database_url, tmp_path) as kept:
        keys = [row.key.id for row in await kept.rows(table) if row.key is not None]
        assert keys == ["s", "c"]


async def test_who_watches_may_not_act(there: Party) -> None:
    """A spectator, a stranger with an account, and a token that may only read."""
    command = {"table": there.table, **there[1].answer("fold")}
    stranger = await there.room.guest()
    async with there.room.http(there[1].guest.token) as client:
        reading = (await client.post("/me/tokens", json={"name": "reads", "scopes": ["read"]})).json()["token"]
    assert (await there.spectator.asks("act", **command))["code"] == "unauthorized"
    async with there.room.socket(stranger.token) as socket:
        assert (await socket.asks("act", **command))["code"] == "not_seated"
    async with there.room.socket(reading) as socket:
        assert (await socket.asks("act", **command))["code"] == "forbidden"
    assert there.hand["turn"]["seat"] == 1


async def test_a_message_that_names_another_seat_or_account_is_its_senders_own(there: Party) -> None:
    """PR-I2."""
    forged = {"seat": 1, "account": there[1].guest.id, "name": there[1].guest.name, "kind": "bot", "stack": 10**6}
    for other in (there[2], there[3]):
        refused = await other.asks("act", **there[1].answer("fold"), **forged)
        assert (refused["type"], refused["code"]) == ("error", "not_your_turn")
        refused = await other.asks("act", **other.answer("fold") | {"seat": other.seat})
        assert refused["code"] == "not_your_turn"
    await there.quiet()
    assert (await there[2].asks("chat", text="me", **forged))["type"] == "ok"
    assert (await there.until("chatted"))["account"] == there[2].guest.id


async def test_a_command_refused_for_its_rate_leaves_the_turn_open(
    tmp_path: Path, database_url: str, clock: FakeClock
) -> None:
    async with (
        running(tmp_path, database_url=database_url, clock=clock, frames_per_second=10, frames_burst=40) as room,
        party(room, 1, 2) as there,
    ):
        await there.deal(clock)
        place = there[there.hand["turn"]["seat"]]
        while (await place.asks("ping"))["type"] == "pong":
            pass
        refused = await place.acts("call")
        assert (refused["type"], refused["code"]) == ("error", "rate_limited")
        await clock.advance(1_000)
        await there.act("call")

"""Frames that are no messages: each is answered or ends its own connection, and nobody else notices."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from fullring.web.limits import FRAME_BYTES
from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.room.seats import Party, party
from tests.server import Running


def message(type: str, **fields: Any) -> str:
    return json.dumps({"type": type, "id": "x", "table": "t", **fields}, ensure_ascii=False)


def raised(**changes: Any) -> str:
    return message("act", **{"hand": "h", "turn": "t", "action": "raise", "to": 40, **changes})


NO_MESSAGES: dict[str, str | bytes] = {
    "nothing": "",
    "spaces": "   ",
    "no JSON": "fold",
    "half a message": '{"type":"act","id":"x"',
    "a list": "[]",
    "a number": "7",
    "null": "null",
    "text": '"hello"',
    "a message in a list": f"[{raised()}]",
    "two messages": '{"type":"ping","id":"x"}{"type":"ping","id":"y"}',
    "no id": '{"type":"ping"}',
    "a number as id": '{"type":"ping","id":7}',
    "an empty id": '{"type":"ping","id":""}',
    "a long id": json.dumps({"type": "ping", "id": "x" * 65}),
    "null as id": '{"type":"ping","id":null}',
    "binary": b'{"type":"ping","id":"x"}',
    "too large": json.dumps({"type": "chat", "id": "x", "table": "t", "text": "y" * FRAME_BYTES}),
    "too large in bytes": json.dumps(
        {"type": "chat", "id": "x", "text": "é" * (FRAME_BYTES - 100)}, ensure_ascii=False
    ),
    "deep lists": "[" * 4_000,
    "deep and closed": "[" * 4_000 + "]" * 4_000,
    "deep objects": '{"a":' * 1_000 + "1" + "}" * 1_000,
    "half a character": '{"type":"ping","id":"\\ud800"}',
}
BAD_MESSAGES = {
    "no type": '{"id":"x"}',
    "a number as type": '{"type":7,"id":"x"}',
    "a list as type": '{"type":["act"],"id":"x"}',
    "no table": '{"type":"leave","id":"x"}',
    "a table that is a number": message("leave", table=7),
    "a table that is null": message("leave", table=None),
    "a table that is a list": message("leave", table=["t"]),
    "a table with a long name": message("leave", table="t" * 65),
    "an action that is none": raised(action="check_raise"),
    "an amount in text": raised(to="40"),
    "half a chip": raised(to=40.5),
    "chips with a point": message("top_up", amount=40.0),
    "an amount that is true": raised(to=True),
    "an amount that is no number": raised(to=float("nan")),
    "an amount that is infinite": raised(to=float("inf")),
    "a huge amount": raised(to=2**63),
    "an amount of a thousand digits": message("top_up", amount=0).replace(": 0}", ": " + "9" * 1_000 + "}"),
    "an exponent": message("top_up", amount=0).replace(": 0}", ": 1e400}"),
    "a deep amount": raised(to=[[[[[[[[]]]]]]]]),
    "a raise to null": raised(to=None),
    "a raise to nothing": message("act", hand="h", turn="t", action="raise"),
    "a chat without text": message("chat", text=""),
    "a chat of control characters": json.dumps({"type": "chat", "id": "x", "table": "t", "text": "a\u0000b"}),
    "a chat that turns around": message("chat", text="a\u202eb"),
    "a long chat": message("chat", text="y" * 301),
    "since before it began": message("watch", since={"epoch": -1, "seq": 0}),
    "since a text": message("watch", since="1.5"),
    "cards that are none": message("show", hand="h", cards=["1s"]),
    "no cards": message("show", hand="h", cards=[]),
    "a seat that is none": message("sit", buy_in=500, seat=11),
    "hello again": '{"type":"hello","id":"x","protocol":1}',
}
UNKNOWN_TYPES = {
    "an unknown type": message("deal"),
    "a type in capitals": message("PING"),
    "a type with a space": message("ping "),
    "a private name": message("__init__"),
    "no type at all": message(""),
}
NOT_FOUND = {
    "a table somewhere else": message("watch", table="../t1"),
    "a table for the database": message("watch", table="t' OR 1=1"),
    "a table with a zero character": json.dumps({"type": "leave", "id": "x", "table": "t\u0000"}),
}


@pytest.fixture
async def there(still: Running, clock: FakeClock) -> AsyncIterator[Party]:
    """A hand of three; seat 1 is to act."""
    async with party(still, 1, 2, 3) as opened:
        await opened.deal(clock)
        yield opened


async def test_what_is_no_message_is_answered_and_changes_nothing(there: Party) -> None:
    """Without an id there is none to answer to; each such frame is counted, and the eleventh ends the connection."""
    for what, frame in NO_MESSAGES.items():
        async with there.room.socket() as socket:
            await socket.sends(frame)
            answer = await socket.hears()
            assert (answer["type"], answer["code"]) == ("error", "bad_message"), what
            assert "re" not in answer, what
            assert (await socket.asks("ping"))["type"] == "pong", what
    await there.quiet()
    await there.act("raise", to=30)


@pytest.mark.parametrize(
    ("frames", "code"),
    [(BAD_MESSAGES, "bad_message"), (UNKNOWN_TYPES, "unknown_type"), (NOT_FOUND, "not_found")],
    ids=["bad messages", "unknown types", "unknown tables"],
)
async def test_a_message_that_is_wrong_is_refused_by_its_id_and_changes_nothing(
    there: Party, frames: dict[str, str], code: str
) -> None:
    place = there[1]
    for number, (what, frame) in enumerate(frames.items()):
        await place.socket.sends(
            frame.replace('"x"', f'"x{number}"').replace('"table": "t"', f'"table": "{there.table}"')
        )
        answer = await place.socket.answer(f"x{number}")
        assert (answer["type"], answer["code"]) == ("error", code), what
        assert answer["message"], what
    await there.quiet()
    await there.act("raise", to=30)


@pytest.mark.parametrize("frame", ["x" * 100_000, b"\xff" * 100_000])
async def test_a_frame_beyond_all_reason_ends_its_connection_alone(there: Party, frame: str | bytes) -> None:
    async with there.room.socket() as socket:
        await socket.sends(frame)
        assert await socket.closed() == 1009
    await there.quiet()


async def test_who_sends_nothing_but_rubbish_is_sent_away_and_the_others_play_on(there: Party) -> None:
    async with there.room.socket() as socket:
        for _ in range(11):
            await socket.sends("rubbish")
        assert await socket.closed() == CloseCode.BAD_FRAMES
    await there.quiet()
    await there.act("fold")

"""Frames that no good client sends, and some that it does: made from the protocol's own models, from a seed.

Most are nearly right, since what is plainly wrong is refused at the first door.
"""

import json
from random import Random
from typing import Any

from pydantic_core import from_json

from tests.security.floods import BINARY, CLOSE, CONTINUED, PING, PONG, TEXT, frame
from tests.wire.examples import FROM_CLIENTS

NUMBERS: tuple[Any, ...] = (0, -0.0, 1, -1, 2**31, 2**53 - 1, 2**53, 2**63, -(2**63), 10**40, 0.5, 1e308, True)
TEXTS = ("", " ", "x", "As", "fold", "lobby", "\x00", "\u202e", "\U0001f0a1", "e\u0301\u0301\u0301\u0301\u0301", "<b>")
ODD: tuple[Any, ...] = (None, [], [[]], {}, {"a": 1}, ["As"], ["As", "As"], [None] * 50, *NUMBERS, *TEXTS)
RAW = (
    '{"type":"ping","id":"%s","id":"%s"}',
    '{"type":"ping","id":"%s","x":' + "[" * 100 + "]" * 100 + "}",
    '{"type":"ping","id":"%s","x":' + "[" * 3_000 + "]" * 3_000 + "}",
    '{"type":"act","id":"%s","table":"t","to":' + "9" * 4_400 + "}",
    '{"type":"sit","id":"%s","table":"t","buy_in":1e400}',
    '{"type":"sit","id":"%s","table":"t","buy_in":NaN}',
    '{"type":"chat","id":"%s","table":"t","text":"\\ud800"}',
    '{"type":"ping","id":"%s"} {"type":"ping"}',
    '\ufeff{"type":"ping","id":"%s"}',
    ' \n\t{"type":"ping","id":"%s"}\n',
)
BROKEN = ("", "{", "[]", "null", '"ping"', "{}", '{"type":"ping"}', '{"id":"x"}', '{"type":"ping","id":""}', "\x00")


class World:
    """What the fuzzer has seen, so that it can speak of it: the table, the hand, the turn, its own cards."""

    def __init__(self, tables: list[str]) -> None:
        self.tables = tables
        self.hand, self.turn, self.cards = "h0", "h0-0", ["As"]
        self.seq = 0

    def saw(self, update: dict[str, Any]) -> None:
        self.seq = update["seq"]
        hand = update["view"].get("hand")
        if hand:
            self.hand = hand["id"]
            self.turn = hand.get("turn", {}).get("id", self.turn)
        self.cards = update.get("you", {}).get("cards") or self.cards


def has_id(text: str, id: str) -> bool:
    """Whether an answer to it must name that id: it is JSON, not too deep, and no number in it too long."""
    try:
        return bool(from_json(text)["id"] == id)
    except ValueError:
        return False


def message(chance: Random, id: str, world: World) -> str:
    """A message with that id, unless it can't be read at all; as text."""
    if chance.random() < 0.03:
        raw = chance.choice(RAW)
        return raw.replace("%s", id)
    said = {**chance.choice(FROM_CLIENTS), "id": id}
    said |= {name: value for name, value in _current(chance, world).items() if name in said}
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        _spoil(chance, said)
    return json.dumps(said, ensure_ascii=chance.random() < 0.5)


def unreadable(chance: Random) -> str | bytes:
    """Nothing that could be answered by its id."""
    match chance.randrange(3):
        case 0:
            return chance.choice(BROKEN)
        case 1:
            return chance.randbytes(chance.randrange(300))
        case _:
            text = json.dumps(chance.choice(FROM_CLIENTS))
            return text[: chance.randrange(1, len(text))]


def bare(chance: Random) -> bytes:
    """Bytes below the messages: frames in parts, control frames, wrong bits, wrong sizes, no frames at all."""
    payload = json.dumps(chance.choice(FROM_CLIENTS)).encode()
    half = len(payload) // 2
    good = [
        frame(TEXT, payload[:half], last=False) + frame(CONTINUED, payload[half:]),
        frame(TEXT, payload[:half], last=False) + frame(PING, b"x") + frame(CONTINUED, payload[half:]),
        frame(BINARY, payload),
        frame(PING, chance.randbytes(chance.randrange(126))),
        frame(PONG, chance.randbytes(chance.randrange(126))),
        frame(TEXT, b""),
    ]
    bad = [
        frame(CONTINUED, payload),
        frame(TEXT, payload, last=False) + frame(TEXT, payload),
        frame(TEXT, b"\xff\xfe" + payload),
        frame(PING, bytes(126)),
        frame(PING, b"", last=False),
        frame(CLOSE, b"\x03"),
        frame(CLOSE, chance.randbytes(chance.randrange(2, 20))),
        frame(chance.choice((3, 7, 11, 15)), payload),
        bytes([frame(TEXT, payload)[0] | chance.choice((0x10, 0x20, 0x40)), *frame(TEXT, payload)[1:]]),
        bytes([0x81, len(payload) & 0x7F]) + payload,
        b"\x81\xff" + chance.choice((b"\xff" * 8, b"\x7f" + b"\xff" * 7, bytes(6) + b"\xff\xff")),
        chance.randbytes(chance.randrange(1, 100)),
        b"GET / HTTP/1.1\r\n\r\n",
    ]
    return b"".join(chance.choices(good, k=chance.randrange(4))) + chance.choice(bad)


def _current(chance: Random, world: World) -> dict[str, Any]:
    """What would be right just now, most of the time."""
    right = {
        "table": chance.choice(world.tables) if chance.random() < 0.9 else "lobby",
        "hand": world.hand,
        "turn": world.turn,
        "cards": world.cards,
        "buy_in": chance.choice((200, 1_000, 1)),
        "to": chance.choice((20, 40, 100, 1_000)),
        "since": {"epoch": 1, "seq": max(0, world.seq - chance.randrange(-2, 300))},
    }
    return {name: value for name, value in right.items() if chance.random() < 0.9}


def _spoil(chance: Random, said: dict[str, Any]) -> None:
    """One thing in it is wrong; never the id."""
    name = chance.choice([*said, "odd"])
    if name == "id":
        return
    match chance.randrange(4):
        case 0 if name != "type":
            said.pop(name, None)
        case 1:
            said[name] = chance.choice(said[name]) if isinstance(said.get(name), list) and said[name] else "x" * 500
        case _:
            said[name] = chance.choice(ODD)

"""Whatever a client sends: each message with an id gets one answer, and the room goes on without a complaint."""

import asyncio
import json
import logging
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from fullring.wire.errors import CloseCode
from tests.server import running
from tests.sockets import Socket
from tests.wire.examples import FROM_CLIENTS

MESSAGES = 1_000
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**40, 1.5, "", "x", "\x00", "As", "\u202e", [], [[]], {}, {"a": 1}, ["As"], "lobby"
)  # fmt: skip


def spoiled(chance: Random, id: str, table: str) -> str:
    """A message with an id, and with something that does not belong there."""
    message = dict(chance.choice(FROM_CLIENTS)) | {"id": id}
    if "table" in message:
        message["table"] = table
    for _ in range(chance.randrange(3)):
        field = chance.choice([*message, "odd"])
        if field != "id":
            message[field] = chance.choice(ODD)
    return json.dumps(message)


async def answered(socket: Socket, ids: set[str]) -> Counter[str]:
    """How often each was answered."""
    answers: Counter[str] = Counter()
    while len(answers) < len(ids):
        message = await socket.hears()
        if (re := message.get("re")) in ids:
            answers[re] += 1
    return answers


@pytest.mark.parametrize("seed", range(3))
async def test_every_message_is_answered_once_and_nothing_breaks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    chance = Random(seed)
    async with running(tmp_path) as room:
        table = await room.table()
        guest = await room.guest()
        async with room.socket(guest.token) as socket:
            ids = {f"n{number}" for number in range(MESSAGES)}
            hearing = asyncio.ensure_future(answered(socket, ids))
            for id in ids:
                await socket.sends(spoiled(chance, id, table))
            assert set((await hearing).values()) == {1}, f"seed {seed}"
            assert (await socket.asks("ping"))["type"] == "pong"
        assert await room.site.ledger.audit() == []

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_bytes_without_sense_close_the_socket_at_last_and_nothing_breaks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chance = Random(7)
    async with running(tmp_path) as room:
        for _ in range(5):
            async with room.socket() as socket:
                for _ in range(100):
                    try:
                        await socket.sends(chance.randbytes(chance.randrange(200)))
                    except ConnectionClosed:
                        break
                assert await socket.closed() == CloseCode.BAD_FRAMES

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []

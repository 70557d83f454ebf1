"""The seal's key is replaced while hands are in play, as docs/security.md says, and the hand goes on with its cards."""

import base64
import os
import stat
from pathlib import Path

from fullring.store.seal import KEY_BYTES
from tests.server import running
from tests.sockets import Socket


def put_in_front(path: Path) -> None:
    """What the document tells an operator to do."""
    path.write_bytes(base64.b64encode(os.urandom(KEY_BYTES)) + b"\n" + path.read_bytes())


async def own_cards(socket: Socket, table: str) -> list[str]:
    """Of the hand that is in play."""
    await socket.asks("watch", table=table)
    while not (update := await socket.hears("update")).get("you", {}).get("cards"):
        pass
    cards: list[str] = update["you"]["cards"]
    return cards


async def test_a_hand_in_play_goes_on_when_a_new_key_is_put_in_front(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        table = await room.table()
        anna, bo = await room.guest("Anna"), await room.guest("Bo")
        async with room.socket(anna.token) as socket, room.socket(bo.token) as other:
            await socket.asks("sit", table=table, buy_in=1_000)
            await other.asks("sit", table=table, buy_in=1_000)
            before = await own_cards(socket, table)

    put_in_front(tmp_path / "seal.key")
    async with running(tmp_path) as room, room.socket(anna.token) as socket:
        assert await own_cards(socket, table) == before


async def test_without_the_old_key_the_hand_is_void_and_the_chips_go_back(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        table = await room.table()
        anna, bo = await room.guest("Anna"), await room.guest("Bo")
        async with room.socket(anna.token) as socket, room.socket(bo.token) as other:
            await socket.asks("sit", table=table, buy_in=1_000)
            await other.asks("sit", table=table, buy_in=1_000)
            await own_cards(socket, table)

    (tmp_path / "seal.key").unlink()
    async with running(tmp_path) as room:
        async with room.http() as client:
            view = (await client.get(f"/tables/{table}")).json()["view"]
        assert sorted(seat["stack"] + seat["bet"] for seat in view["seats"]) == [1_000, 1_000]
        assert await room.site.ledger.audit() == []


async def test_the_key_file_and_the_database_are_their_owners_alone(tmp_path: Path) -> None:
    async with running(tmp_path):
        for name in ("seal.key", "room.db"):
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600

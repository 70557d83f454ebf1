"""A room at its most talkative: its log and its problem documents hold no secret and no card that is hidden."""

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fullring import store
from fullring.rules.cards import Deck, text
from fullring.rules.events import HandStarted
from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Role
from fullring.runtime.clock import WallClock
from fullring.runtime.ports import HandQuery
from fullring.runtime.webhooks import Topic
from fullring.store import migrate, seal
from fullring.webhooks import signing
from tests.security.floods import TEXT, bare_socket, frame
from tests.server import Process, process
from tests.sockets import Json, Socket, dial
from tests.store.test_secrets import spellings
from tests.web.test_lobby import OAK

PASSWORD = "correct horse battery"
JOIN_CODE = "open-sesame-4711"
HANDS = 8
PLACES = ("/accounts", "/sessions", "/tables", "/me/tokens")
"""Where bodies may hold a secret."""


class Secrets:
    """What must not be found, under the name of what it is."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {"password": PASSWORD, "join code": JOIN_CODE}
        self.problems: list[str] = []

    def found_in(self, text: str) -> list[str]:
        return [name for name, secret in self.texts.items() if secret in text]


async def do_everything_wrong(room: Process, secrets: Secrets) -> None:
    """With each secret in each place where it may stand, and in some where it may not."""
    async with room.http() as client:
        answers = [await client.post("/accounts", json={"name": "Anna", "password": PASSWORD})]
        token = secrets.texts["session"] = answers[0].json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        wanted = {"name": "bot", "scopes": ["read", "play"]}
        secrets.texts["bot's token"] = (await client.post("/me/tokens", json=wanted, headers=mine)).json()["token"]
        secrets.texts["ticket"] = (await client.post("/ws-tickets", headers=mine)).json()["ticket"]
        secrets.texts["used ticket"] = (await client.post("/ws-tickets", headers=mine)).json()["ticket"]
        for secret in list(secrets.texts.values()):
            answers += await wrong_requests(client, secret, mine)
    for secret in list(secrets.texts.values()):
        await wrong_frames(room, secret)
    async with room.socket(ticket=secrets.texts["used ticket"]):
        pass
    async with dial(room.url) as again:
        await again.says("hello", protocol=1, ticket=secrets.texts["used ticket"])
        await again.closed()
    secrets.problems += [answer.text for answer in answers if answer.status_code >= 400]


async def wrong_requests(client: httpx.AsyncClient, secret: str, mine: dict[str, str]) -> list[httpx.Response]:
    bodies: list[Any] = [
        {"name": secret, "password": secret},
        {"name": 7, "password": secret},
        {"password": secret},
        {"name": "x" * 30, "password": [secret]},
        {secret: secret},
        [secret],
        secret,
        OAK | {"join_code": [secret]},
        OAK | {"join_code": secret, "seats": 99},
    ]
    json_type = {"Content-Type": "application/json"}
    half = json.dumps({"password": secret})[:-2].encode()
    headers = [{"Authorization": text.format(secret)} for text in ("{}", "Basic {}", "Bearer {}x")]
    paths = [text.format(secret) for text in ("/hands/{}", "/tables/{}", "/hands?cursor={}", "/me/tokens/{}", "/{}")]
    return [
        *[await client.post(path, json=body, headers=mine) for body in bodies for path in PLACES],
        *[await client.get("/me", headers=wrong) for wrong in headers],
        *[await client.get(path) for path in paths],
        await client.post("/accounts", content=half, headers=json_type),
    ]


async def wrong_frames(room: Process, secret: str) -> None:
    messages: list[Any] = [
        {"type": "hello", "id": "1", "protocol": secret, "token": secret},
        {"type": "hello", "id": "1", "protocol": 1, "token": [secret]},
        {"type": "hello", "id": "1", "protocol": 1, "token": secret, "ticket": {"a": secret}},
        {"type": secret, "id": "1"},
        {"type": "sit", "id": "1", "table": 7, "join_code": secret},
        {"type": "hello", "id": "1", "protocol": 1, "token": secret[:-1] + "?"},
    ]
    for message in (json.dumps(messages), json.dumps(messages[0])[:-3], *map(json.dumps, messages)):
        async with bare_socket(room.url) as (reader, writer):
            writer.write(frame(TEXT, message.encode()))
            answer = await reader.readuntil(b"}")
            assert secret.encode() not in answer


async def furnish(folder: Path, secrets: Secrets) -> None:
    """A host, and a webhook to which nobody listens."""
    url, now = f"sqlite+aiosqlite:///{folder / 'room.db'}", WallClock().now()
    await migrate.upgrade(url)
    books = await store.open(url, seal_keys=seal.key_file(folder / "seal.key"))
    try:
        cora, secrets.texts["host's token"] = await books.accounts.register("Cora", PASSWORD, 10_000, now)
        await books.accounts.set_role(cora.id, Role.HOST)
        secret = signing.new_secret()
        await books.webhooks.add("http://127.0.0.1:9/hook", tuple(Topic), secret, now)
    finally:
        await books.close()
    secrets.texts["webhook secret"] = base64.b64encode(secret).decode()
    secrets.texts["webhook secret in hex"] = secret.hex()


async def invite(room: Process, secrets: Secrets) -> None:
    """A table with a join code, at which the host sits down, is told a wrong one and closes it again."""
    token = secrets.texts["host's token"]
    async with room.http(token) as client, room.socket(token) as socket:
        made = (await client.post("/tables", json=OAK | {"join_code": JOIN_CODE})).json()["id"]
        for code, answer in (JOIN_CODE[:-1], "error"), (JOIN_CODE, "ok"):
            assert (await socket.asks("sit", table=made, buy_in=4_000, join_code=code))["type"] == answer
        secrets.problems.append((await client.post(f"/tables/{made}/kick", json={"account": JOIN_CODE})).text)
        await client.post(f"/tables/{made}/close")


async def play(room: Process, secrets: Secrets) -> None:
    """A watcher sees bots play; a guest sits with them, is dealt in, says and shows things."""
    async with room.http() as client:
        table = (await client.get("/tables")).json()["tables"][0]["id"]
    guest = await room.guest("Bo")
    secrets.texts["guest's token"] = guest.token
    async with room.socket(guest.token) as socket:
        await socket.asks("watch", table=table)
        await socket.asks("sit", table=table, buy_in=1_000, post_now=True, join_code=JOIN_CODE)
        await socket.asks("chat", table=table, text="hello")
        ended = 0
        while ended < HANDS:
            update = await socket.hears("update")
            ended += sum(event["type"] == "hand_ended" for event in update["events"])
            await fold_if_asked(socket, update)


async def fold_if_asked(socket: Socket, update: Json) -> None:
    hand = update["view"].get("hand", {})
    turn, you = hand.get("turn"), update.get("you")
    if turn and you and turn["seat"] == you["seat"]:
        await socket.asks("act", table=update["table"], hand=hand["id"], turn=turn["id"], action="fold")


async def decks(folder: Path) -> tuple[list[Deck], list[HandRecord]]:
    """The decks of the hands in play, unsealed; and the hands that are over, with every hole card."""
    keys = seal.key_file(folder / "seal.key")
    books = await store.open(f"sqlite+aiosqlite:///{folder / 'room.db'}", seal_keys=keys, visiting=True)
    try:
        claimed = await books.log.claim()
        played, _ = await books.hands.find(HandQuery())
    finally:
        await books.close()
    in_play = [
        event.deck
        for stored in claimed
        for row in stored.rows
        for event in row.events
        if isinstance(event, HandStarted)
    ]
    return in_play, list(played)


def pairs(record: HandRecord) -> Iterator[str]:
    """The hole cards of everybody, in every form in which two cards are no two numbers of something else."""
    for hole in record.holes:
        for cards in (hole.cards, hole.cards[::-1]):
            texts = [text(card) for card in cards]
            yield from (" ".join(texts), ",".join(texts), '","'.join(texts), '", "'.join(texts), "', '".join(texts))
            yield from (str(tuple(cards)), str(list(cards)), ",".join(map(str, cards)).join("[]"))


def read(log: str, log_format: str) -> str:
    """What is said in a log, each line of which is of the kind that was asked for."""
    if log_format == "console":
        assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ [\w.]+: ", line) for line in log.splitlines())
        return log
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line for line in lines if line["level"] == "error" or "exception" in line] == []
    return "\n".join(str(said) for line in lines for said in line.values())


@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_no_log_line_and_no_problem_holds_a_secret_or_a_hidden_card(tmp_path: Path, log_format: str) -> None:
    secrets = Secrets()
    await furnish(tmp_path, secrets)
    chosen = {"tables": 1, "house_bots": 4, "time_bank_seconds": 0, "webhook_private": True}
    async with process(tmp_path, **chosen, log_level="debug", log_format=log_format) as room:
        async with asyncio.timeout(100):
            await do_everything_wrong(room, secrets)
            await invite(room, secrets)
            await play(room, secrets)
        await room.kill()
    raw = (tmp_path / "room.log").read_text("utf-8")
    log = read(raw, log_format)
    dealt, played = await decks(tmp_path)

    assert dealt, "a hand was in play"
    assert len(played) >= HANDS
    assert "4001" in log, "the room said something"
    assert "webhook w" in log, "and was not heard"
    assert len(secrets.problems) > 100
    secrets.texts |= {"seal key": (tmp_path / "seal.key").read_text("ascii").strip()}
    secrets.texts |= {"seal key in hex": base64.b64decode(secrets.texts["seal key"]).hex()}
    for said in (raw, log, *secrets.problems):
        assert secrets.found_in(said) == []
    assert [line for line in raw.splitlines() if " ERROR " in line or "Traceback" in line] == []
    assert [spelling for deck in dealt for spelling in spellings(deck) if spelling in log.encode()] == []
    assert [pair for record in played for pair in pairs(record) if pair in log] == []

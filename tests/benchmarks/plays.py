"""What the load generator's clients do: an echo's actions, and poker that never stops."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from tests.benchmarks.load import Client, Load

RAISE_EVERY = 7
FIRST_ID = 100_000_000
ACTION = b'{"t":"act","id":%d,"hand":91234,"seat":%d,"a":"raise","amt":1200,"v":17}'
ID = b'"id":'
ID_DIGITS = 9
SEQ = b'"seq":'
SEQ_WITHIN = 120
"""An update's number stands so near its beginning."""
TURN = re.compile(
    rb'"hand":\{"id":"(?P<hand>[^"]+)".*"turn":\{"id":"(?P<turn>[^"]+)","seat":(?P<seat>\d+).*"actions":\{"fold":true,'
    rb'"check":(?P<check>true|false)(?:,"call":(?P<call>\d+))?(?:,"(?P<raise>bet|raise)":\{"min":(?P<low>\d+))?'
)


class EchoPlay:
    """Each table's players act in turns, as soon as all have heard of the action before."""

    def __init__(self, address: tuple[str, int], tables: int, seats: int, *, sockets: bool) -> None:
        self.clients: list[Client] = []
        self._tables: list[list[Client]] = []
        self._seats = seats
        self._began: dict[int, float] = {}
        self._left: dict[int, int] = {}
        self._ids = count(FIRST_ID)
        for table in range(tables):
            here = [Client(address, table, seat) for seat in range(seats)]
            for client in here:
                if sockets:
                    client.upgrade(f"/ws/{table}/{client.seat}")
                else:
                    client.say(b"%d" % table)
            self._tables.append(here)
            self.clients += here

    def begin(self, load: Load) -> None:
        for table in range(len(self._tables)):
            self._act(load, table)

    def heard(self, load: Load, client: Client, data: bytes, start: int, end: int) -> None:
        at = data.index(ID, start, end) + len(ID)
        action = int(data[at : at + ID_DIGITS])
        left = self._left[action] = self._left[action] - 1
        if left == 0:
            del self._left[action]
            load.done(self._began.pop(action))
            if load.going:
                self._act(load, client.table)

    def _act(self, load: Load, table: int) -> None:
        action = next(self._ids)
        self._left[action] = self._seats
        self._began[action] = time.perf_counter()
        load.under_way += 1
        seat = action % self._seats
        self._tables[table][seat].say(ACTION % (action, seat))


@dataclass(slots=True)
class Game:
    """A table as its players follow it: the newest update, the turn it shows, and how many still wait for which."""

    id: str
    clients: list[Client]
    seq: int = 0
    turn: re.Match[bytes] | None = None
    left: dict[int, int] = field(default_factory=dict)
    began: float = 0
    shown_by: int = 0
    """When the last action was said, and the update that shows it."""


class RoomPlay:
    """Full tables in a room: whoever's turn it is checks or calls, now and then raises the least, and never folds."""

    def __init__(
        self, address: tuple[str, int], tables: Mapping[str, Sequence[str]], buy_in: int, seed: int = 1
    ) -> None:
        """``tables`` are the room's, with the tokens of those who sit down there."""
        self.clients: list[Client] = []
        self._address = address
        self._chance = Random(seed)
        self._ids = count(FIRST_ID)
        self._games = [
            Game(table, [self._enter(address, number, seat, token) for seat, token in enumerate(tokens, 1)])
            for number, (table, tokens) in enumerate(tables.items())
        ]
        for game in self._games:
            for client in game.clients:
                self._ask(client, "sit", table=game.id, seat=client.seat, buy_in=buy_in, post_now=True)
        for game in self._games:
            self._look(game)

    def visit(self) -> None:
        """One more spectator at the first table, for whom its actions wait like for the players."""
        game = self._games[0]
        client = Client(self._address, 0, 0)
        client.upgrade("/api/v1/ws")
        self.clients.append(client)
        game.clients.append(client)
        self._ask(client, "hello", protocol=1)
        assert self._watch(game, client) == game.seq

    def tables(self) -> list[str]:
        return [game.id for game in self._games]

    def begin(self, load: Load) -> None:
        for game in self._games:
            self._act(load, game)

    def heard(self, load: Load, client: Client, data: bytes, start: int, end: int) -> None:
        at = data.find(SEQ, start, start + SEQ_WITHIN)
        if data[start + 9] != ord("u"):  # {"type":"ok" and others
            return
        game = self._games[client.table]
        at += len(SEQ)
        seq = int(data[at : data.index(b",", at)])
        if seq > game.seq:
            game.seq, game.left[seq] = seq, len(game.clients)
            game.turn = TURN.search(data, start, end)
        if seq not in game.left:  # One that all have heard, again: for a reader that lagged.
            return
        game.left[seq] -= 1
        if game.left[seq] == 0:
            del game.left[seq]
            if seq == game.shown_by:
                load.done(game.began)
            if load.going:
                self._act(load, game)

    def _act(self, load: Load, game: Game) -> None:
        """Answer the turn, if all have seen it. Where a hand is over, a later update brings the next."""
        turn = game.turn
        if turn is None or game.left:
            return
        game.turn = None
        action, to = (b"check" if turn["check"] == b"true" else b"call"), b""
        if turn["low"] is not None and self._chance.randrange(RAISE_EVERY) == 0:
            action, to = turn["raise"], b',"to":' + turn["low"]
        load.under_way += 1
        game.began, game.shown_by = time.perf_counter(), game.seq + 1
        game.clients[int(turn["seat"]) - 1].say(
            b'{"type":"act","id":"%d","table":"%b","hand":"%b","turn":"%b","action":"%b"%b}'
            % (next(self._ids), game.id.encode(), turn["hand"], turn["turn"], action, to)
        )

    # --- coming in, one after the other ---

    def _enter(self, address: tuple[str, int], table: int, seat: int, token: str) -> Client:
        client = Client(address, table, seat)
        client.upgrade("/api/v1/ws")
        self.clients.append(client)
        self._ask(client, "hello", protocol=1, token=token)
        return client

    def _ask(self, client: Client, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """The answer, and what came behind it at once."""
        id = str(next(self._ids))
        client.say(json.dumps({"type": kind, "id": id} | fields).encode())
        while True:
            heard = [json.loads(message) for message in client.hear()]
            for at, message in enumerate(heard):
                if message.get("re") == id:
                    assert message["type"] != "error", message
                    return heard[at:]

    def _look(self, game: Game) -> None:
        """Watch, until all have seen the same turn: then nothing happens any more until somebody acts."""
        shown: set[int] = set()
        while len(shown) != 1 or game.turn is None:
            shown = {self._watch(game, client) for client in game.clients}
        game.seq = shown.pop()

    def _watch(self, game: Game, client: Client) -> int:
        heard = self._ask(client, "watch", table=game.id)
        while len(heard) < len(("ok", "update")):
            heard += [json.loads(message) for message in client.hear()]
        game.turn = TURN.search(json.dumps(heard[-1], separators=(",", ":")).encode())
        seq: int = heard[-1]["seq"]
        return seq

"""Clients that play by dice over real sockets, keep every byte they hear, and come back after a drop."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fullring.wire.client import PROTOCOL
from fullring.wire.codec import encode
from tests.server import Guest

Json = dict[str, Any]
BUY_IN = 1_000
OWN = b',"you":{'
NORMAL, ABNORMAL = 1000, 1006
REMEMBERED = 5
"""So many commands that were done are asked again after a drop."""
SILENT_S = 8
"""Who has said nothing for so long sends a ping."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame as it came. An update's ``public`` bytes and its reader's ``own`` part are kept apart."""

    public: bytes
    own: bytes | None = None


@dataclass(slots=True)
class Evening:
    """What those who are there share: equal bytes kept once, the hands that have ended, and when it is enough."""

    enough: int
    hands: dict[str, None] = field(default_factory=dict)
    over: bool = False
    _kept: dict[bytes, bytes] = field(default_factory=dict)
    _waiting: list[tuple[int, asyncio.Event]] = field(default_factory=list)

    def keep(self, frame: bytes) -> Frame:
        at = frame.rfind(OWN)
        if at < 0:
            return Frame(self._kept.setdefault(frame, frame))
        public = frame[:at] + b"}"
        return Frame(self._kept.setdefault(public, public), frame[at + len(OWN) - 1 : -1])

    def ended(self, hand: str) -> None:
        self.hands[hand] = None
        self.over = self.over or len(self.hands) >= self.enough
        for enough, reached in self._waiting:
            if len(self.hands) >= enough:
                reached.set()

    async def reached(self, hands: int) -> None:
        """Until so many have ended."""
        event = asyncio.Event()
        self._waiting.append((hands, event))
        if len(self.hands) < hands:
            await event.wait()


class Watcher:
    """Watches its tables; without an account it is a spectator. ``heard`` are the frames of each connection.

    It goes when the evening is over, or when ``until`` hands have ended.
    """

    def __init__(self, evening: Evening, tables: Sequence[str], guest: Guest | None = None) -> None:
        self.evening = evening
        self.tables = tables
        self.guest = guest
        self.heard: list[list[Frame]] = []
        self.seen: dict[str, Json] = {}
        self.closed_with: list[int] = []
        self.until: int | None = None
        self.present = asyncio.Event()
        """Set while there is a connection that has heard of a table."""
        self._ids = count(1)
        self._spoke_at = 0.0

    @property
    def account(self) -> str | None:
        return None if self.guest is None else self.guest.id

    async def stay(self, url: str) -> None:
        """One connection, until the room or the evening ends it."""
        address = url.replace("http", "ws", 1) + "/api/v1/ws"
        frames: list[Frame] = []
        self.heard.append(frames)
        try:
            async with connect(address, compression=None, ping_interval=None, close_timeout=1) as socket:
                await self._greet(socket)
                while not self.done:
                    frame = await socket.recv(decode=False)
                    frames.append(self.evening.keep(frame))
                    await self._hear(socket, msgspec.json.decode(frame), frame)
                    await self._ping(socket)
            self.closed_with.append(NORMAL)
        except (ConnectionClosed, OSError) as error:
            closed = error.rcvd if isinstance(error, ConnectionClosed) else None
            self.closed_with.append(closed.code if closed else ABNORMAL)
        finally:
            self.present.clear()

    @property
    def done(self) -> bool:
        return self.evening.over or (self.until is not None and len(self.evening.hands) >= self.until)

    def new_id(self) -> str:
        return f"{self.account or id(self)}-{next(self._ids)}"

    async def _say(self, socket: ClientConnection, text: bytes) -> None:
        self._spoke_at = asyncio.get_running_loop().time()
        await socket.send(text, text=True)

    async def _ping(self, socket: ClientConnection) -> None:
        if asyncio.get_running_loop().time() - self._spoke_at > SILENT_S:
            await self._say(socket, encode({"type": "ping", "id": self.new_id()}))

    async def _greet(self, socket: ClientConnection) -> None:
        token = {} if self.guest is None else {"token": self.guest.token}
        await self._say(socket, encode({"type": "hello", "id": self.new_id(), "protocol": PROTOCOL, **token}))
        for table in self.tables:
            watch: Json = {"type": "watch", "id": self.new_id(), "table": table}
            seen = self.seen.get(table)
            if seen is not None:
                watch["since"] = {"epoch": seen["epoch"], "seq": seen["seq"]}
            await self._say(socket, encode(watch))

    async def _hear(self, socket: ClientConnection, message: Json, frame: bytes) -> None:
        if message["type"] == "update":
            self.present.set()
            self.seen[message["table"]] = message
            for event in message["events"]:
                if event["type"] in {"hand_ended", "hand_voided"}:
                    self.evening.ended(event["hand"])


@dataclass(slots=True)
class _Place:
    """A player at one table: the last turn that was answered, and the one other command that waits for its answer.

    Who is ``leaving`` answers no turns: the table does.
    """

    buy_in: int = BUY_IN
    turn: str | None = None
    waits: str | None = None
    leaving: bool = False


class Player(Watcher):
    """Takes a seat at each of its tables, and leaves them all when it is enough. Habits are chances of odd moves."""

    def __init__(
        self, evening: Evening, tables: Sequence[str], guest: Guest, dice: Random, habits: float = 1.0
    ) -> None:
        super().__init__(evening, tables, guest)
        self.answers: dict[str, bytes] = {}
        self.unanswered: dict[str, bytes] = {}
        self.refused: Counter[tuple[str, str]] = Counter()
        self.repeated = 0
        self._dice = dice
        self._habits = habits
        self._places = {table: _Place() for table in tables}
        self._done: dict[str, bytes] = {}

    @property
    def done(self) -> bool:
        gone = all("you" not in seen for seen in self.seen.values())
        return self.evening.over and gone and not self.unanswered

    async def _greet(self, socket: ClientConnection) -> None:
        """What has no answer is asked again under its id, and so is the last that was done."""
        await super()._greet(socket)
        for text in [*self._done.values(), *self.unanswered.values()]:
            await self._say(socket, text)

    async def _hear(self, socket: ClientConnection, message: Json, frame: bytes) -> None:
        await super()._hear(socket, message, frame)
        if message["type"] == "update" and message["table"] in self._places:
            asked = self._reaction(message, self._places[message["table"]])
            if asked is not None:
                await self._ask(socket, {"table": message["table"], **asked})
        elif message["type"] in {"ok", "error"} and (id := message["re"]) in self.answers.keys() | self.unanswered:
            self._note_answer(id, message, frame)

    async def _ask(self, socket: ClientConnection, message: Json) -> None:
        id = self.new_id()
        place = self._places[message["table"]]
        if message["type"] == "act":
            place.turn = message["turn"]
        else:
            place.waits = id
            place.leaving = message["type"] == "leave"
        self.unanswered[id] = encode({**message, "id": id})
        await self._say(socket, self.unanswered[id])

    def _note_answer(self, id: str, message: Json, frame: bytes) -> None:
        if id in self.answers:
            assert self.answers[id] == frame, "the same id gets the first answer"
            self.repeated += 1
            return
        text = self.unanswered.pop(id)
        asked: Json = msgspec.json.decode(text)
        place = self._places[asked["table"]]
        if place.waits == id:
            place.waits = None
        if message["type"] == "error":
            if not self.evening.over:  # Who gets up may still be asked for an answer.
                self.refused[asked["type"], message["code"]] += 1
            if message["code"] in {"table_paused", "rate_limited", "closing"}:  # Nothing was decided.
                place.turn = None
                return
            if asked["type"] == "sit":
                place.buy_in = message.get("details", {}).get("min", BUY_IN)
        else:
            self._done[id] = text
            if len(self._done) > REMEMBERED:
                del self._done[next(iter(self._done))]
        self.answers[id] = frame

    # --- what to do about an update ---

    def _reaction(self, update: Json, place: _Place) -> Json | None:
        view, you = update["view"], update.get("you")
        hand = view.get("hand", {})
        turn = hand.get("turn")
        if you is not None and turn is not None and turn["seat"] == you["seat"]:
            if place.leaving or turn["id"] == place.turn:
                return None
            return {"type": "act", "hand": hand["id"], "turn": turn["id"], **self._choice(turn["actions"])}
        if place.waits is not None:
            return None
        if you is None:
            sit = {"type": "sit", "buy_in": place.buy_in, "post_now": self._now_and_then(0.5)}
            return None if self.evening.over else sit
        if self.evening.over:
            return {"type": "leave"} if you.get("waiting") != "leaving" else None
        waiting = you.get("waiting")
        if waiting == "chips":
            return {"type": "top_up", "amount": BUY_IN}
        if waiting == "sitting_out":
            return {"type": "sit_in", "post_now": self._now_and_then(0.7)}
        return None if waiting == "leaving" else self._whim(update, hand)

    def _whim(self, update: Json, hand: Json) -> Json | None:
        """What players do beside playing. Some of it comes too late, and is refused."""
        you = update["you"]
        if any(event["type"] == "hand_ended" for event in update["events"]) and you["cards"]:
            if self._now_and_then(0.15 * self._habits):
                return {"type": "show", "hand": hand["id"], "cards": self._dice.sample(you["cards"], 1)}
            if self._now_and_then(0.02 * self._habits):
                return {"type": self._dice.choice(["leave", "sit_out"])}
        if "to_call" in you and self._now_and_then(0.02 * self._habits):
            action = self._dice.choice(["fold", "check_fold", "call_any"])
            return {"type": "arm", "hand": hand["id"], "action": action, "to_call": you["to_call"]}
        if self._now_and_then(0.004 * self._habits):
            return {"type": "chat", "text": "well played"}
        return None

    def _choice(self, actions: Json) -> Json:
        names = [name for name in ("check", "call") if actions.get(name)] * 4
        names += [name for name in ("bet", "raise") if name in actions] * 2
        names += [] if actions["check"] else ["fold"] * 4
        names += ["all_in"] if "all_in" in actions and self._now_and_then(0.15) else []
        action = self._dice.choice(names)
        if action not in {"bet", "raise"}:
            return {"action": action}
        bounds = actions[action]
        to = self._dice.choice([bounds["min"], self._dice.randint(bounds["min"], bounds["max"]), bounds["min"]])
        return {"action": action, "to": to}

    def _now_and_then(self, chance: float) -> bool:
        return self._dice.random() < chance

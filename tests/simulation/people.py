"""The people of a run: they play well or badly, come and go, ask twice, cheat, and send what is no message.

They know what clients know: the frames they hear. Everything they do is drawn from dice of their own.
"""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from fullring.table.ids import Millis
from tests.simulation.mischief import NOISE, flood, forged, large
from tests.simulation.network import Line, Network
from tests.simulation.reading import UPDATE, Reader, Turn, Update, read
from tests.simulation.weather import FAIR

Json = dict[str, Any]

LOOK_MS = 4_000
"""How often a client looks whether its connection still lives."""
QUIET_MS, DEAD_MS = 8_000, 25_000
"""After so long without a word it sends a ping; after so long without hearing one it takes the line for dead."""
REMEMBERED = 30
PLAYS = ("fold", "check", "call", "bet", "raise", "all_in")


class Client:
    """A connection that is kept up. ``token`` None makes a spectator of it."""

    def __init__(
        self, network: Network, reader: Reader, name: str, tables: Sequence[str], dice: Random, *, token: str | None
    ) -> None:
        self.account: str | None = None
        self.name = name
        self.tables = list(tables)
        self.weather = FAIR
        self.line: Line | None = None
        self.seen: dict[str, tuple[Update, Json | None]] = {}
        """The last update of each table, and our own part of it."""
        self.dice = dice
        self.world = network.world
        self._network = network
        self._reader = reader
        self._token = token
        self._number = 0
        self._said_at = self._heard_at = 0
        self._away = False
        self.world.later(int(dice.random() * LOOK_MS), self._look)

    # --- the connection ---

    def connect(self) -> None:
        self._away = False
        if self.line is not None:
            return
        wrong = self._token is not None and self.dice.random() < self.weather.malice / 20
        self.line = self._network.connect(self, None if wrong else self.account)
        if self.line is None:
            self.come_back(200 + int(self.dice.random() * 2_000))
            return
        self._heard_at = self.world.now()
        token = "nobody's" if wrong else self._token
        self.say({"type": "hello", "protocol": 1} | ({} if token is None else {"token": token}))
        for table in [*self.tables, *(["lobby"] if self.dice.random() < 0.2 else [])]:
            self.watch(table)

    def watch(self, table: str) -> None:
        since: Json = {}
        seen = self.seen.get(table)
        if seen is not None and self.dice.random() < 0.9:
            epoch, seq = seen[0].epoch, seen[0].seq
            if self.dice.random() < self.weather.malice / 4:
                epoch, seq = epoch + self.dice.randint(0, 1), max(0, seq + self.dice.randint(-300, 3))
            since = {"since": {"epoch": epoch, "seq": seq}}
        self.say({"type": "watch", "table": table} | since)

    def come_back(self, span: Millis) -> None:
        if not self._away:
            self._away = True
            self.world.later(span, self.connect)

    def leave_the_line(self) -> None:
        if self.line is not None:
            self.line.hang_up()
            self.line = None

    def closed(self, line: Line, code: int) -> None:
        if line is self.line:
            self.line = None
            self.come_back(int(self.dice.random() * (500 if self.weather is FAIR else 3_000)))

    def become_good(self) -> None:
        """Read, and be there."""
        if self.line is None:
            self._away = False
            self.come_back(int(self.dice.random() * 1_000))
        else:
            self.line.read(True)

    def say(self, message: Json, at: Millis = 0) -> str:
        """Sends it under an id of its own; what was sent."""
        self._number += 1
        text = msgspec.json.encode({"id": f"{self.name}-{self._number}"} | message).decode()
        self.send(text, at)
        return text

    def send(self, text: str | bytes, at: Millis = 0) -> None:
        if self.line is not None:
            self._said_at = self.world.now()
            self.line.say(text, at)

    def heard(self, line: Line, frame: str) -> None:
        if line is not self.line:
            return
        self._heard_at = self.world.now()
        if frame.startswith(UPDATE):
            update, own = self._reader.update(frame)
            you = None if own is None else read(own)
            self.seen[update.table] = update, you
            self.news(update, you)
        else:
            self.answered(read(frame))

    def news(self, update: Update, you: Json | None) -> None:
        """For players."""

    def answered(self, message: Json) -> None:
        """For players."""

    def _look(self) -> None:
        now = self.world.now()
        if self.line is None:
            self.come_back(int(self.dice.random() * 1_000))
        elif now - self._heard_at >= DEAD_MS:
            self.leave_the_line()
        elif now - self._said_at >= QUIET_MS:
            self.say({"type": "ping"})
        self.passes()
        self.world.later(LOOK_MS, self._look)

    def passes(self) -> None:
        """Time has passed."""
        if self.dice.random() < self.weather.absence:
            self.leave_the_line()
            self.come_back(int(10 ** (2 + 2.7 * self.dice.random())))
        elif self.dice.random() < self.weather.lingering and self.line is not None:
            self.line.read(False)
            self.world.later(int(10 ** (2.5 + 1.8 * self.dice.random())), self.line.read, True)


class Player(Client):
    """Sits at the first of its tables, or tries to. ``boldness`` is how readily it puts chips in, ``haste`` how often
    it wants the hand to be over.
    """

    def __init__(
        self,
        network: Network,
        reader: Reader,
        name: str,
        tables: Sequence[str],
        dice: Random,
        *,
        token: str,
        account: str,
    ) -> None:
        super().__init__(network, reader, name, tables, dice, token=token)
        self.account = account
        self.boldness = dice.random()
        self.haste = dice.choice([0.0, 0.3, 0.7])
        self.pending: dict[str, tuple[str, str]] = {}
        """What has no answer yet, by id: its text, and what it asked for."""
        self._sent: deque[str] = deque(maxlen=REMEMBERED)
        self._buy_in = 0
        self._thinking: set[str] = set()
        self._asked: dict[str, Millis] = {}

    def connect(self) -> None:
        before = self.line
        super().connect()
        if self.line is not None and before is None:
            for text, _ in list(self.pending.values()):
                if self.weather is FAIR or self.dice.random() < 0.8:
                    self.send(text)

    def ask(self, type: str, table: str, at: Millis = 0, **fields: Any) -> None:
        """A command, which is asked again after a drop until it has its answer."""
        if self.line is None:
            return
        text = self.say({"type": type, "table": table} | fields, at)
        self.pending[f"{self.name}-{self._number}"] = text, type
        self._sent.append(text)
        dice, weather = self.dice, self.weather
        if dice.random() < weather.repeating:
            self.world.later(int(dice.choice([0, 0, 500, 5_000, 40_000]) * dice.random()), self.send, text)
        if dice.random() < weather.repeating / 4:
            self.send(dice.choice(self._sent))

    def answered(self, message: Json) -> None:
        id = message.get("re")
        asked = self.pending.get(id or "")
        if asked is None:
            return
        code = message.get("code")
        if code in {"table_paused", "rate_limited"} and self.dice.random() < 0.9:
            self.world.later(300 + int(self.dice.random() * 2_000), self._again, id)
            return
        del self.pending[id or ""]
        if asked[1] == "sit" and code == "bad_amount":
            self._buy_in = message.get("details", {}).get("min", 0)

    def _again(self, id: str) -> None:
        if id in self.pending:
            self.send(self.pending[id][0])

    # --- at the table ---

    def news(self, update: Update, you: Json | None) -> None:
        if update.table == "lobby":
            return
        turn = None if update.seen.hand is None else update.seen.hand.turn
        if you is not None and turn is not None and turn.seat == you["seat"] and turn.id not in self._thinking:
            self._thinking = {turn.id}
            if self.dice.random() >= self.weather.slowness / 4:  # Else it forgets.
                self.world.later(self._thinks(), self._act, update.table, turn.id)
        elif self.dice.random() < 0.2:
            self._settle_in(update.table)
        self._misbehave(update, you)

    def passes(self) -> None:
        super().passes()
        for table in self.tables:
            self._settle_in(table)

    def _thinks(self) -> Millis:
        if self.weather.slowness and self.dice.random() < self.weather.slowness:
            return int(10 ** (2 + 2.7 * self.dice.random()))
        return 10 + int(self.dice.random() * 200)

    def _act(self, table: str, turn_id: str) -> None:
        update, you = self.seen.get(table, (None, None))
        if update is None or you is None or update.seen.hand is None:
            return
        hand, turn = update.seen.hand, update.seen.hand.turn
        if turn is None or turn.id != turn_id or turn.seat != you["seat"]:
            return
        action, to = self._choose(turn)
        at = 0
        if self.dice.random() < self.weather.sniping:
            at = self._last_moment(turn)
        self.ask("act", table, at, hand=hand.id, turn=turn.id, action=action, **({} if to is None else {"to": to}))

    def _last_moment(self, turn: Turn) -> Millis:
        """To arrive at the very end of the turn, by the server's clock, or a little off it."""
        line = self.line
        if line is None or line.life.clock is None:
            return 0
        off = self.dice.choice([-1, 0, 0, 0, 1, 2])
        return turn.deadline - line.life.clock.now() + self.world.now() + off

    def _choose(self, turn: Turn) -> tuple[str, int | None]:
        actions, dice = turn.actions, self.dice
        if dice.random() < self.haste:
            return "all_in" if "all_in" in actions and dice.random() < self.boldness else "fold", None
        offered = [name for name in ("bet", "raise") if name in actions]
        if offered and dice.random() < 0.1 + 0.3 * self.boldness:
            least, most = actions[offered[0]]["min"], actions[offered[0]]["max"]
            to = least if dice.random() < 0.6 else min(most, least + int((most - least) * dice.random() ** 3))
            return offered[0], to
        if "all_in" in actions and dice.random() < 0.03:
            return "all_in", None
        if actions.get("check"):
            return "check", None
        if "call" in actions and dice.random() < 0.25 + 0.5 * self.boldness:
            return "call", None
        return "fold", None

    def _settle_in(self, table: str) -> None:
        """A seat at the first table; chips; in play. In the end no seat at another."""
        update, you = self.seen.get(table, (None, None))
        at_home = table == self.tables[0]
        if update is None or self.line is None or update.seen.status == "paused":
            return
        if not at_home and (you is None or you.get("waiting") == "leaving" or self.weather is not FAIR):
            return
        now = self.world.now()
        if now - self._asked.get(table, -LOOK_MS) < LOOK_MS / 2:
            return
        self._asked[table] = now
        if not at_home:
            self.ask("leave", table)
            return
        if you is None:
            settings = update.seen.settings
            if len(update.seen.seats) < settings.get("seats", 0):
                least, most = settings["buy_in_min"], settings["buy_in_max"]
                buy_in = max(self._buy_in, self.dice.choice([least, most, self.dice.randint(least, most)]))
                self.ask("sit", table, buy_in=buy_in, post_now=self.dice.random() < 0.8)
            return
        waiting = you.get("waiting")
        if waiting == "chips":
            self.ask("top_up", table, amount=update.seen.settings["buy_in_max"])
        elif waiting == "sitting_out" and (self.weather is FAIR or self.dice.random() < 0.5):
            self.ask("sit_in", table, post_now=self.dice.random() < 0.8)

    # --- what they had better not do ---

    def _misbehave(self, update: Update, you: Json | None) -> None:
        weather, chance = self.weather, self.dice.random
        if weather is FAIR or self.line is None:
            return
        if you is not None and weather.moving and chance() < weather.moving:
            self._move(update, you)
        if you is not None and weather.leaving and chance() < weather.leaving / 4:
            self.ask("leave", update.table)
        if weather.malice and chance() < weather.malice / 4:
            self.ask(**forged(self.dice, update, you, self.tables))
        if weather.noise and chance() < weather.noise / 4:
            self.send(large(self.dice) if chance() < 0.1 else self.dice.choice(NOISE))
        if weather.flooding and chance() < weather.flooding:
            for text in flood(self.dice, self.name):
                self.send(text)
        if weather.rivalry and chance() < weather.rivalry / 4:
            self.line = None  # The old connection stays, until the newer one takes its place.
            self.connect()

    def _move(self, update: Update, you: Json) -> None:
        table, hand, dice = update.table, update.seen.hand, self.dice
        match dice.randrange(8):
            case 0:
                self.ask("sit_out", table)
            case 1:
                self.ask("sit_in", table, post_now=dice.random() < 0.5)
            case 2:
                self.ask("top_up", table, amount=dice.randint(1, 2_000))
            case 3:
                self.ask("chat", table, text=dice.choice(["hello", "well played", "?", "\u2660 \u2665"]))
            case 4 | 5 if hand is not None:
                action = dice.choice(["fold", "check", "check_fold", "call", "call_any"])
                price = {"to_call": you["to_call"]} if "to_call" in you and dice.random() < 0.7 else {}
                self.ask("arm", table, hand=hand.id, action=action, **price)
            case 6 if hand is not None:
                self.ask("disarm", table, hand=hand.id)
            case 7 if hand is not None and you["cards"]:
                self.ask("show", table, hand=hand.id, cards=you["cards"][: dice.randint(1, 2)])
            case _:
                pass

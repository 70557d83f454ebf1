"""Hands over real sockets: what players hear, what they may not know, and what they may not do."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tests.server import Guest, Running
from tests.sockets import Json, Socket


class Player:
    """A guest at a table, who watches it. ``seen`` is the last update."""

    def __init__(self, guest: Guest, socket: Socket, table: str) -> None:
        self.guest, self.socket, self.table = guest, socket, table
        self.seat = 0
        self.seen: Json = {"seq": -1}

    async def sit(self, join_code: str | None) -> None:
        code = {} if join_code is None else {"join_code": join_code}
        self.seat = (await self.socket.asks("sit", table=self.table, buy_in=1_000, **code))["seat"]

    async def sees(self, seq: int) -> Json:
        """The table as it is after that update."""
        while self.seen["seq"] < seq:
            self.seen = await self.socket.hears("update")
        return self.seen

    async def asks(self, type: str, **fields: Any) -> Json:
        return await self.socket.asks(type, table=self.table, **fields)


class Game:
    """Players at one table, who all have seen the same."""

    def __init__(self, room: Running, table: str, players: list[Player]) -> None:
        self.room, self.table, self.players = room, table, players

    @property
    def hand(self) -> Json:
        hand: Json = self.players[0].seen["view"]["hand"]
        return hand

    async def next(self) -> Player:
        """Who is to act. Everybody has seen that."""
        first = self.players[0]
        while "turn" not in first.seen.get("view", {}).get("hand", {}):
            first.seen = await first.socket.hears("update")
        for player in self.players:
            await player.sees(first.seen["seq"])
        return next(player for player in self.players if player.seat == self.hand["turn"]["seat"])

    def action(self, action: str, **fields: Any) -> Json:
        """The fields that answer the turn."""
        return {"hand": self.hand["id"], "turn": self.hand["turn"]["id"], "action": action} | fields

    async def act(self, action: str, **fields: Any) -> Player:
        """Whoever is to act does that, and everybody sees it."""
        player = await self.next()
        answer = await player.asks("act", **self.action(action, **fields))
        assert answer["type"] == "ok", answer
        for other in self.players:
            await other.sees(answer["seq"])
        return player


@asynccontextmanager
async def game(room: Running, *names: str, **settings: Any) -> AsyncIterator[Game]:
    """Guests of these names at a table of their own; the first hand is dealt when it is asked for."""
    table = await room.table(**{"seats": max(2, len(names)), **settings})
    async with AsyncExitStack() as stack:
        players = []
        for name in names:
            guest = await room.guest(name)
            socket = await stack.enter_async_context(room.socket(guest.token))
            await socket.asks("watch", table=table)
            players.append(Player(guest, socket, table))
            await players[-1].sit(settings.get("join_code"))
        yield Game(room, table, players)


async def test_two_play_a_hand_to_the_showdown(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        await table.act("call")
        for _ in range(7):
            await table.act("check")
        events = [event for frame in table.players[0].socket.frames for event in json.loads(frame).get("events", [])]

    types = [event["type"] for event in events]
    assert types.count("street_dealt") == 3
    assert "cards_shown" in types
    ended = next(event for event in events if event["type"] == "hand_ended")
    assert sum(stack["stack"] for stack in ended["stacks"]) == 2_000


async def test_updates_are_numbered_without_gaps_and_the_same_for_everybody(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table, room.socket() as watcher:
        await watcher.asks("watch", table=table.table)
        for _ in range(3):
            await table.act("fold")
        await watcher.asks("ping")
        public = [json.loads(frame) for frame in watcher.frames if b'"update"' in frame]
        own = [json.loads(frame) for frame in table.players[1].socket.frames if b'"update"' in frame]

    numbers = [update["seq"] for update in public]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    by_number = {update["seq"]: update for update in own}
    for update in public[1:]:
        mine = by_number.get(update["seq"])
        assert mine is None or {key: mine[key] for key in mine if key != "you"} == update


async def test_nobody_hears_of_cards_that_are_not_theirs(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table, room.socket() as watcher:
        await watcher.asks("watch", table=table.table)
        await table.next()
        await watcher.asks("ping")
        anna, bo = table.players
        cards = {player.seat: player.seen["you"]["cards"] for player in (anna, bo)}

        assert [len(own) for own in cards.values()] == [2, 2]
        for reader, hidden in (
            (anna.socket, cards[bo.seat]),
            (bo.socket, cards[anna.seat]),
            (watcher, cards[anna.seat] + cards[bo.seat]),
        ):
            heard = b"".join(reader.frames)
            assert not [card for card in hidden if f'"{card}"'.encode() in heard]
        assert all(b'"you"' not in frame for frame in watcher.frames)


async def test_the_second_of_two_quick_messages_belongs_to_the_turn_before(room: Running) -> None:
    """PR-E3: a check that ends the street and a bet sent at once, where the same player is first on the next."""
    async with game(room, "Anna", "Bo") as table:
        button = await table.act("call")
        blind = await table.next()
        assert blind is not button
        check = await blind.socket.says("act", table=table.table, **table.action("check"))
        bet = await blind.socket.says("act", table=table.table, **table.action("bet", to=60))

        assert (await blind.socket.answer(check))["type"] == "ok"
        refused = await blind.socket.answer(bet)
        assert (refused["type"], refused["code"]) == ("error", "stale_turn")


async def test_a_fold_sent_three_times_folds_once(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        player = await table.next()
        fold = table.action("fold")
        ids = [await player.socket.says("act", table=table.table, **fold) for _ in range(3)]
        answers = [await player.socket.answer(id) for id in ids]

        assert [answer.get("code", "ok") for answer in answers] == ["ok", "stale_turn", "stale_turn"]


@pytest.mark.parametrize(
    ("to", "code"),
    [
        (-50, "bad_amount"),
        (0, "bad_amount"),
        (10, "bad_amount"),
        (19, "bad_amount"),
        (1_001, "bad_amount"),
        (2**63, "bad_message"),
        (40.5, "bad_message"),
        ("40", "bad_message"),
        ("NaN", "bad_message"),
        (None, "bad_message"),
        (True, "bad_message"),
        ([40], "bad_message"),
    ],
)
async def test_an_amount_that_is_none_is_refused_and_the_turn_stays_open(room: Running, to: object, code: str) -> None:
    """PR-I1, over the socket."""
    async with game(room, "Anna", "Bo") as table:
        player = await table.next()
        before = table.hand
        refused = await player.asks("act", **table.action("raise", to=to))
        assert (refused["type"], refused["code"]) == ("error", code)
        for amount in (-1, 0, 10**18):
            assert (await player.asks("top_up", amount=amount))["type"] == "error"

        assert table.hand == before
        await table.act("raise", to=20)


async def test_who_speaks_is_looked_up_and_never_read_from_the_message(room: Running) -> None:
    """PR-I2: names, seats and accounts in a message change nothing."""
    async with game(room, "Anna", "Bo") as table:
        player = await table.next()
        other = next(one for one in table.players if one is not player)
        forged = {"seat": player.seat, "account": player.guest.id, "name": "Anna", "stack": 10**6}
        refused = await other.asks("act", **table.action("fold"), **forged)

        assert (refused["type"], refused["code"]) == ("error", "not_your_turn")
        assert table.hand["turn"]["seat"] == player.seat


async def test_a_seat_taken_under_another_name_is_still_ones_own(room: Running) -> None:
    guest = await room.guest("Anna")
    table = await room.table()
    async with room.socket(guest.token) as socket:
        await socket.asks("watch", table=table)
        await socket.asks("sit", table=table, buy_in=500, name="Bo", stack=10**6, account="a0", kind="bot")
        while not (update := await socket.hears("update"))["view"]["seats"]:
            pass

    seat = update["view"]["seats"][0]
    assert (seat["name"], seat["account"], seat["stack"], seat["kind"]) == ("Anna", guest.id, 500, "guest")


async def test_who_comes_back_gets_what_was_missed_and_the_same_cards(room: Running) -> None:
    """PR-E5: the first update after a reconnection is one whole moment, and the numbers go on from there."""
    async with game(room, "Anna", "Bo") as table:
        player = await table.next()
        before = player.seen
        async with room.socket(player.guest.token) as again:
            since = {"epoch": before["epoch"], "seq": before["seq"]}
            assert again.welcome["seats"] == [{"table": table.table, "seat": player.seat}]
            await again.asks("watch", table=table.table, since=since)
            update = await again.hears("update")

            assert update["you"]["cards"] == before["you"]["cards"]
            assert update["view"]["hand"]["turn"] == before["view"]["hand"]["turn"]
            assert "lost" not in update
            act = {"table": table.table, **table.action("fold")}
            assert (await again.asks("act", **act))["type"] == "ok"
            assert (await again.hears("update"))["seq"] > update["seq"]


async def test_one_socket_that_closes_leaves_the_others_whole(room: Running) -> None:
    """PR-H2: it may be the first, one in the middle or the last of those who watch."""
    table = await room.table()
    talker = await room.guest()
    for closing in (0, 1, 2):
        async with AsyncExitStack() as stack:
            watchers = [await stack.enter_async_context(room.socket()) for _ in range(3)]
            speaker = await stack.enter_async_context(room.socket(talker.token))
            await speaker.asks("sit", table=table, buy_in=500)
            for watcher in watchers:
                await watcher.asks("watch", table=table)
                await watcher.hears("update")
            watchers[closing].socket.transport.abort()
            for number in range(20):
                await speaker.asks("chat", table=table, text=f"{number}")
            for watcher in watchers[:closing] + watchers[closing + 1 :]:
                said: list[str] = []
                while len(said) < 20:
                    update = await watcher.hears("update")
                    said += [event["text"] for event in update["events"] if event["type"] == "chatted"]
                assert said == [f"{number}" for number in range(20)]


async def test_a_join_code_is_asked_for_and_shown_to_nobody(room: Running) -> None:
    table = await room.table(name="Private", join_code="sesame")
    guest = await room.guest()
    async with room.socket(guest.token) as socket:
        await socket.asks("watch", table="lobby")
        assert (await socket.hears("update"))["view"] == {"tables": []}
        await socket.asks("watch", table=table)
        while (seen := await socket.hears("update"))["table"] != table:
            assert seen["view"] == {"tables": []}
        assert seen["view"]["name"] == "Private"
        assert (await socket.asks("sit", table=table, buy_in=500))["code"] == "forbidden"
        assert (await socket.asks("sit", table=table, buy_in=500, join_code="Sesame"))["code"] == "forbidden"
        assert (await socket.asks("sit", table=table, buy_in=500, join_code="sesame"))["seat"] == 1
        heard = b"".join(socket.frames)

    assert b"sesame" not in heard


async def test_markup_is_text(room: Running) -> None:
    """PR-I4: a name and a chat message arrive as they were written."""
    name, said = "<img src=x onerror=1>", "<script>alert(1)</script>"
    async with game(room, name, "Bo") as table:
        await table.players[0].asks("chat", text=said)
        while not (told := [event for event in table.players[1].seen.get("events", []) if event["type"] == "chatted"]):
            table.players[1].seen = await table.players[1].socket.hears("update")

    assert (told[0]["name"], told[0]["text"]) == (name, said)

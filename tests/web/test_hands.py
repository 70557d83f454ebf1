"""Finished hands over HTTP: lists, pages, one hand, and PHH, each as whoever asks may see it."""

import asyncio
import tomllib
from collections.abc import Sequence

import pytest

from fullring.rules.record import HandRecord as Record
from fullring.runtime.accounts import Role
from fullring.runtime.ports import HandQuery, Hands
from fullring.table.ids import AccountId, HandId
from fullring.web.turns import Turns
from fullring.wire.http import HandRecord
from tests.server import Running
from tests.web.test_accounts import code
from tests.web.test_play import Game, game


async def show_down(table: Game) -> None:
    """A hand that is called and checked to the end."""
    await table.act("call")
    for _ in range(7):
        await table.act("check")


def without_ids(table: Game, document: str) -> str:
    """Its table's and its players' ids may read like cards."""
    for id in (table.table, *[player.guest.id for player in table.players]):
        document = document.replace(id, "")
    return document


async def test_a_hand_shows_its_viewer_their_own_cards_and_what_was_shown(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        await table.next()
        own = {player.guest.id: player.seen["you"]["cards"] for player in table.players}
        folder = await table.act("fold")
        tokens = [(player.guest.id, player.guest.token) for player in table.players]
        _, plays = await room.site.accounts.create_token(AccountId(folder.guest.id), "plays", ["play"], None, 0)
        for viewer, token in [*tokens, ("", ""), ("", plays)]:
            async with room.http(token or None) as client:
                listed = (await client.get("/hands", params={"table": table.table})).json()["hands"]
                hand = (await client.get(f"/hands/{listed[0]['id']}")).json()
                phh = without_ids(table, (await client.get(f"/hands/{listed[0]['id']}.phh")).text)
            HandRecord.model_validate(hand)
            assert {key: hand[key] for key in listed[0]} == listed[0]
            cards = {player["account"]: player.get("cards") for player in hand["players"]}
            assert cards == {account: own[account] if account == viewer else None for account in own}
            known = [card for account, two in own.items() if account == viewer for card in two]
            hidden = [card for account, two in own.items() if account != viewer for card in two]
            assert all(card in phh for card in known)
            assert not [card for card in hidden if card in phh]

    assert hand["events"][0]["type"] == "hand_started"
    assert hand["events"][-1]["type"] == "hand_ended"
    acted = [event for event in hand["events"] if event["type"] == "acted"]
    assert [(event["seat"], event["action"], event["turn"]) for event in acted] == [
        (folder.seat, "fold", f"{hand['id']}-1")
    ]
    ends = {player["seat"]: player["stack_end"] for player in hand["players"]}
    assert sorted(ends.values()) == [995, 1005]
    assert hand["pot"] == 10


async def test_a_hand_in_phh_can_be_read_back(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        await show_down(table)
        async with room.http(table.players[0].guest.token) as client:
            (hand,) = (await client.get("/hands", params={"table": table.table})).json()["hands"]
            answer = await client.get(f"/hands/{hand['id']}.phh")
            many = await client.get("/me/hands.phhs")
    assert answer.headers["content-type"].startswith("application/toml")
    read = tomllib.loads(answer.text)
    assert (read["variant"], read["starting_stacks"]) == ("NT", [1_000, 1_000])
    assert tomllib.loads(many.text)["1"]["actions"] == read["actions"]
    assert len(hand["board"]) == 5


async def test_hands_come_in_pages_newest_first(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        for _ in range(5):
            await table.act("fold")
        async with room.http(table.players[0].guest.token) as client:
            numbers, cursor = [], None
            while True:
                params = {"limit": 2} | ({"cursor": cursor} if cursor else {})
                page = (await client.get("/hands", params=params)).json()
                numbers += [hand["number"] for hand in page["hands"]]
                assert len(page["hands"]) <= 2
                if (cursor := page["next"]) is None:
                    break
            everything = (await client.get("/hands")).json()["hands"]
            until = {"to": everything[1]["ended_at"]}
            older = (await client.get("/hands", params=until)).json()["hands"]
            nobodys = (await client.get("/hands", params={"account": "a0"})).json()
            behind = (await client.get("/hands", params={"cursor": "nobody's"})).json()

    assert numbers == [5, 4, 3, 2, 1]
    assert [hand["number"] for hand in everything] == numbers
    assert all(hand["ended_at"] < until["to"] for hand in older)
    assert nobodys == behind == {"hands": [], "next": None}


async def test_hands_of_an_invite_only_table_are_listed_for_those_who_played(room: Running) -> None:
    async with game(room, "Anna", "Bo") as public, game(room, "Cy", "Di", join_code="sesame") as private:
        await public.act("fold")
        await private.act("fold")
        own = private.players[0].guest.token

        assert await tables_listed(room, None) == {public.table}
        assert await tables_listed(room, public.players[0].guest.token) == {public.table}
        assert await tables_listed(room, own) == {public.table, private.table}
        async with room.http() as client:
            named = (await client.get("/hands", params={"table": private.table})).json()["hands"]
        assert [hand["table"] for hand in named] == [private.table]


async def tables_listed(room: Running, token: str | None) -> set[str]:
    async with room.http(token) as client:
        return {hand["table"] for hand in (await client.get("/hands")).json()["hands"]}


async def test_a_pot_limit_hand_has_no_phh(room: Running) -> None:
    async with game(room, "Anna", "Bo", game="plhe") as table:
        await table.act("fold")
        async with room.http() as client:
            (hand,) = (await client.get("/hands")).json()["hands"]
            assert code(await client.get(f"/hands/{hand['id']}.phh")) == (404, "not_found")
            assert (await client.get(f"/hands/{hand['id']}")).json()["game"] == "plhe"


async def test_hands_of_a_closed_table_are_listed_for_those_who_played(room: Running) -> None:
    guest = await room.guest()
    await room.site.accounts.set_role(AccountId(guest.id), Role.HOST)
    async with game(room, "Anna", "Bo", owner=guest.id) as table:
        await table.act("fold")
        async with room.http(guest.token) as client:
            await client.post(f"/tables/{table.table}/close")
        await table.act("fold")
        if "table_closed" not in {event["type"] for event in table.players[0].seen["events"]}:
            await table.players[0].socket.sees("table_closed")
        token = table.players[0].guest.token
        assert await tables_listed(room, token) == {table.table}
        async with room.http() as client:
            named = (await client.get("/hands", params={"table": table.table})).json()["hands"]

    assert {hand["table"] for hand in named} == {table.table}


class Held:
    """Hands that are found once the test says so."""

    def __init__(self, hands: Hands) -> None:
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        self._hands = hands

    async def find(self, query: HandQuery) -> tuple[Sequence[Record], str | None]:
        self.asked.set()
        await self.go_on.wait()
        return await self._hands.find(query)

    async def get(self, hand: HandId) -> Record | None:
        return await self._hands.get(hand)


@pytest.mark.parametrize("path", ["/hands", "/me/hands.phhs"])
async def test_who_looks_for_hands_when_many_wait_is_told_to_come_again(room: Running, path: str) -> None:
    site, guest = room.site, await room.guest()
    site.hands = held = Held(site.hands)
    site.searches = site.exports = Turns(at_once=1, waiting=0)
    async with room.http(guest.token) as client:
        first = asyncio.create_task(client.get(path))
        await held.asked.wait()
        refused = await client.get(path)
        held.go_on.set()
        answers = [await first, await client.get(path)]

    assert (code(refused), refused.headers["Retry-After"]) == ((429, "rate_limited"), "2")
    assert [answer.status_code for answer in answers] == [200, 200]

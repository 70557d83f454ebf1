"""Finished hands over HTTP as text and as Open Hand History, each as whoever asks may see it."""

import threading
from collections.abc import Iterable

from fullring.rules.record import HandRecord
from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from tests.history.tracker import Reading, read_ohh, read_text
from tests.server import Running
from tests.web.test_accounts import code
from tests.web.test_hands import show_down, without_ids
from tests.web.test_play import Game, game


async def exported(room: Running, table: Game, token: str | None) -> list[tuple[dict[str, object], Reading, str]]:
    """Each hand of the table as JSON and as read from both exports, and all text of these."""
    told = []
    async with room.http(token) as client:
        hands = (await client.get("/hands", params={"table": table.table})).json()["hands"]
        for hand in hands:
            text = await client.get(f"/hands/{hand['id']}.txt")
            ohh = await client.get(f"/hands/{hand['id']}.ohh.json")
            assert text.headers["content-type"] == "text/plain; charset=utf-8"
            assert ohh.headers["content-type"] == "application/json"
            reading = read_text(text.text)
            assert reading.stacks == read_ohh(ohh.text).stacks
            assert reading.own == read_ohh(ohh.text).own
            # The table's name for itself is hexadecimal, in which a card may seem to stand.
            told.append((hand, reading, (text.text + ohh.text).replace(table.table, "")))
    return told


async def test_a_hand_is_exported_for_each_viewer_with_the_chips_that_the_room_paid(room: Running) -> None:
    for rules in ("plhe", "flhe"):
        async with game(room, *[f"{name} {rules}" for name in ("Anna", "Bo", "Cy")], game=rules, ante=1) as table:
            await table.act("fold")
            await show_down(table)
            viewers = {player.guest.token: player.guest.id for player in table.players}
            for token in (None, *viewers):
                told = await exported(room, table, token)
                assert len(told) >= 1
                for hand, reading, _ in told:
                    players = hand["players"]
                    assert isinstance(players, list)
                    assert reading.stacks == {player["seat"]: player["stack_end"] for player in players}
                    assert reading.total == hand["pot"]
                    assert reading.board == hand["board"]
                    seats = {player["account"]: player["seat"] for player in players}
                    mine = {seats[account] for key, account in viewers.items() if key == token and account in seats}
                    assert reading.own.keys() == mine


async def test_an_export_holds_no_card_that_the_list_does_not_show(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        await table.next()
        own = {player.guest.token: player.seen["you"]["cards"] for player in table.players}
        await table.act("fold")
        for token, cards in own.items():
            ((_, _, own_text),) = await exported(room, table, token)
            ((_, _, their_text),) = await exported(room, table, None)
            text, strangers = without_ids(table, own_text), without_ids(table, their_text)
            hidden = [card for other, two in own.items() if other != token for card in two]
            assert all(card in text for card in cards)
            assert not [card for card in hidden if card in text]
            assert not [card for card in cards + hidden if card in strangers]


async def test_all_own_hands_come_as_one_text_oldest_first(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        for _ in range(3):
            await table.act("fold")
        async with room.http(table.players[0].guest.token) as client:
            text = (await client.get("/me/hands.txt")).text
            hands = (await client.get("/hands")).json()["hands"]
            earlier = await client.get("/me/hands.txt", params={"to": hands[0]["ended_at"]})
        async with room.http() as client:
            assert code(await client.get("/me/hands.txt")) == (401, "unauthorized")
            assert code(await client.get("/hands/h0.txt")) == (404, "not_found")
            assert code(await client.get("/hands/h0.ohh.json")) == (404, "not_found")
    readings = [read_text(part) for part in text.split("\n\n\n\n")]
    ends = [{player["seat"]: player["stack_end"] for player in hand["players"]} for hand in reversed(hands)]
    assert [reading.stacks for reading in readings] == ends
    assert all(reading.own for reading in readings)
    assert earlier.text.count("PokerStars Hand") == sum(hand["ended_at"] < hands[0]["ended_at"] for hand in hands)


async def test_all_own_hands_are_written_beside_the_tables_and_hold_none_of_them_up(room: Running) -> None:
    written = []

    def write(records: Iterable[HandRecord], account: str | None = None) -> str:
        written.append(threading.current_thread())
        return ""

    room.site.write_text = room.site.write_phhs = write
    guest = await room.guest()
    async with room.http(guest.token) as client:
        for export in ("/me/hands.txt", "/me/hands.phhs"):
            assert (await client.get(export)).status_code == 200

    assert len(written) == 2
    assert threading.main_thread() not in written


async def test_a_hosts_token_exports_no_more_than_a_strangers(room: Running) -> None:
    host = await room.guest()
    await room.site.accounts.set_role(AccountId(host.id), Role.HOST)
    async with game(room, "Anna", "Bo") as table:
        await table.act("fold")
        ((_, _, text),) = await exported(room, table, host.token)
        ((_, _, strangers),) = await exported(room, table, None)
    assert text == strangers

"""What is kept of a hand when everybody has gone, and names and chat that look like something else."""

import json
import tomllib
from pathlib import Path

import pytest

from fullring.history.phh import read
from tests.fake_clock import FakeClock
from tests.room.seats import Party, Place, party
from tests.server import Running, running
from tests.sockets import Json

NAMES = ("<img src=x onerror=a(1)>", "Owner (host)", "A. B.", "$5 in chips", "Seat 3: x", "folds", "Zoë 🂡", 'a "b" \\c')
SAID = "<script>alert(1)</script> \" \\ ' {0} %s ${x}"


async def hand_of(room: Running, hand: str, token: str | None = None) -> Json:
    async with room.http(token) as client:
        answer: Json = (await client.get(f"/hands/{hand}")).raise_for_status().json()
    return answer


async def test_a_hand_is_whole_after_its_players_have_left_and_after_a_restart(
    tmp_path: Path, database_url: str, clock: FakeClock
) -> None:
    """PR-G4: five players; one raises, all fold, and two of them get up before anybody looks."""
    async with (
        running(tmp_path, database_url=database_url, clock=clock, silent_seconds=900) as room,
        party(room, 1, 2, 3, 4, 5) as there,
    ):
        await there.deal(clock)
        hand, stacks = there.hand["id"], dict.fromkeys(range(1, 6), 1000)
        names = {seat: place.guest.name for seat, place in there.places.items()}
        raiser = there.hand["turn"]["seat"]
        await there.act("raise", to=30)
        for _ in range(4):
            await there.act("fold")
        for seat in (2, 3):
            await there[seat].asks("sit_out")
            await there[seat].asks("leave")
        first = await hand_of(room, hand)
        await clock.advance(60_000)
        assert await hand_of(room, hand) == first
    async with running(tmp_path, database_url=database_url) as room:
        assert await hand_of(room, hand) == first
    assert {player["seat"]: player["name"] for player in first["players"]} == names
    assert {player["seat"]: player["stack_start"] for player in first["players"]} == stacks
    events = [event for event in first["events"] if event["type"] != "turn_started"]
    assert [(event["kind"], event["amount"]) for event in events if event["type"] == "posted"] == [
        ("small_blind", 5),
        ("big_blind", 10),
    ]
    acted = [(event["seat"], event["action"]) for event in events if event["type"] == "acted"]
    assert acted[0] == (raiser, "raise")
    assert sorted(acted[1:]) == sorted((seat, "fold") for seat in names if seat != raiser)
    assert [event["amount"] for event in events if event["type"] == "uncalled_returned"] == [20]
    assert not [event for event in events if event["type"] in {"street_dealt", "cards_shown"}]
    assert first["board"] == []


async def test_names_and_chat_are_text_wherever_they_are_shown(still: Running, clock: FakeClock) -> None:
    """PR-I4 and PR-G2: in updates, lists, histories and exports they are the characters that were written."""
    async with party(still) as there:
        for seat, name in enumerate(NAMES[:6], start=1):
            await named(there, seat, name)
        await there.deal(clock)
        hand = there.hand["id"]
        assert (await there[1].asks("chat", text=SAID))["type"] == "ok"
        said = await there.until("chatted")
        assert (said["name"], said["text"]) == (NAMES[0], SAID)
        while "turn" in there.hand:
            await there.act("fold")
        shown = {seat["name"] for seat in there.latest["view"]["seats"]}
        assert shown == set(NAMES[:6])
    async with still.http() as stranger:
        pages = [await stranger.get(path) for path in ("/tables", f"/tables/{there.table}", "/hands", f"/hands/{hand}")]
        text = (await stranger.get(f"/hands/{hand}.phh")).raise_for_status()
    for page in pages:
        assert page.headers["content-type"] == "application/json"
        json.loads(page.content)
    assert {player["name"] for player in pages[3].json()["players"]} == set(NAMES[:6])
    assert text.headers["content-type"].startswith("application/toml")
    assert set(tomllib.loads(text.text)["players"]) == set(NAMES[:6])
    assert read(text.text, name="hand.phh")[0].fields["players"] == tomllib.loads(text.text)["players"]


@pytest.mark.parametrize("name", NAMES[6:])
async def test_a_name_with_marks_and_symbols_comes_back_as_it_was(still: Running, name: str) -> None:
    async with party(still) as there:
        place = await named(there, 1, name)
        assert place.socket.welcome["account"]["name"] == name
        assert there.seat(1)["name"] == name


@pytest.mark.parametrize("name", ["a\nb", "a\u0000b", "a\u202eb", "\u200b", "x" * 25])
async def test_a_name_that_could_not_be_shown_is_refused(still: Running, name: str) -> None:
    async with still.http() as client:
        assert (await client.post("/guests", json={"name": name})).status_code == 422


async def named(there: Party, seat: int, name: str) -> Place:
    place = Place(there.room, there.table, await there.room.guest(name))
    await place.connect()
    await place.sit(seat)
    there.places[seat] = place
    await there.until("seated", seat=seat)
    return place

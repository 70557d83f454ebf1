"""The line between page and room: slow, broken, refused, taken over, and gone with the room itself."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import WebSocketRoute, expect

from fullring_client import CALL, raise_to
from tests.browser.company import Puppet, company
from tests.browser.line import line_to
from tests.browser.person import Person
from tests.browser.scenes import PAUSE_MS, Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running, process

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOST = "The connection is lost. Trying again …"


async def drawn(person: Person) -> str:
    """The table in words, without the seconds that run."""
    return re.sub(r"\d+ s\b", "", await person.felt.inner_text())


async def test_after_a_broken_line_the_page_goes_on_by_itself_where_the_hand_is(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room)
    bo = Puppet()
    async with line_to(room) as line, room.socket() as watcher:
        await watcher.asks("watch", table=table)
        (anna,) = await seated(opens, line.url, table, "Anna")
        async with company(room, table, "Bo", bot=bo):
            await deal(clock)
            await anna.acts("Call 5")
            await expect(anna.log.get_by_text("You call 5")).to_be_visible()
            mine = await anna.cards("Anna")
            line.cut()
            await expect(anna.page.get_by_text(LOST)).to_be_visible()
            bo.does(raise_to(30))
            while (await watcher.sees("acted"))["events"][0]["action"] != "raise":
                pass

            line.mend()
            await expect(anna.page.get_by_text(LOST)).to_be_hidden()
            await expect(anna.controls.get_by_role("button", name="Call 20")).to_be_enabled()
            await expect(anna.log.get_by_text("Bo raises to 30")).to_have_count(1)
            await expect(anna.log.get_by_text("missed")).to_have_count(0)
            assert await anna.cards("Anna") == mine
            resumed = await drawn(anna)
            await anna.page.reload()
            await expect(anna.controls.get_by_role("button", name="Call 20")).to_be_enabled()
            assert await drawn(anna) == resumed
            await anna.acts("Call 20")
            await expect(anna.board).to_have_count(3)


async def test_a_room_that_is_killed_in_a_hand_and_comes_back_goes_on_with_that_hand(
    opens: Opens, folder: Path
) -> None:
    settings = {"tables": 1, "house_bots": 2, "bot_think_max_ms": 20, "hand_pause_ms": 500, "turn_seconds": 120}
    async with process(folder, **settings) as room:
        anna = await opens(room.url)
        await anna.button("Play now").click()
        await expect(anna.controls).to_be_visible()
        name = (await anna.hears(lambda message: "account" in message))["account"]["name"]
        mine, board = await anna.cards(name), await anna.board.count()
        hand = anna.page.get_by_text(re.compile("· Hand"))
        number = await hand.inner_text()
        await room.kill()
        await expect(anna.page.get_by_text(LOST)).to_be_visible()
    async with process(folder, port=urlsplit(room.url).port, **settings):
        await expect(anna.page.get_by_text(LOST)).to_be_hidden()
        await expect(anna.controls).to_be_visible()
        assert await anna.cards(name) == mine
        assert await anna.board.count() == board
        assert await hand.inner_text() == number
        await anna.plays_until(anna.log.get_by_text(re.compile("wins? ")).first)


async def test_a_browser_without_a_network_says_so_and_comes_back_with_it(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    anna = await opens(room.url)
    await expect(anna.page.get_by_text("No table is open")).to_be_visible()
    await anna.context.set_offline(True)
    await expect(anna.page.get_by_text("You are offline. Waiting for the network …")).to_be_visible()
    await room.table(name="Rowan")
    await anna.context.set_offline(False)
    await expect(anna.page.get_by_text("You are offline")).to_be_hidden()
    await clock.advance(PAUSE_MS)
    await expect(anna.page.get_by_role("link", name=re.compile("Rowan"))).to_be_visible()


async def test_an_action_on_its_way_looks_so_and_can_not_be_given_twice(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room)
    async with line_to(room) as line:
        (anna,) = await seated(opens, line.url, table, "Anna")
        async with company(room, table, "Bo", bot=Puppet()):
            await deal(clock)
            call = anna.controls.get_by_role("button", name="Call 5")
            await expect(call).to_be_enabled()
            line.hold()
            await call.click()
            await expect(call).to_have_attribute("aria-busy", "true")
            for button in await anna.controls.get_by_role("button").all():
                await expect(button).to_be_disabled()
            await anna.page.keyboard.press("c")
            line.release()
            await expect(anna.controls).to_be_hidden()
            await expect(anna.log.get_by_text("You call 5")).to_have_count(1)

    assert [act["action"] for act in anna.asked("act")] == ["call"]


async def test_a_refused_action_says_why_beside_the_buttons_and_leaves_the_turn_open(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    def spoils(route: WebSocketRoute) -> None:
        """A page offers nothing that is refused: so the line changes what it asks."""
        server = route.connect_to_server()

        def says(frame: str | bytes) -> None:
            message = json.loads(frame)
            server.send(json.dumps(message | {"to": 1}) if "to" in message else str(frame))

        route.on_message(says)

    table = await table_for(room)
    anna = await opens()
    await anna.page.route_web_socket(re.compile("/api/v1/ws"), spoils)
    await anna.page.goto(f"{room.url}/table/{table}")
    await anna.sits("Anna")
    async with company(room, table, "Bo", bot=(bo := Puppet())):
        await deal(clock)
        await anna.acts(re.compile("^Raise"))
        why = anna.page.get_by_role("status").get_by_text("Raise to 1 is below the minimum of 20")
        await expect(why).to_be_in_viewport()
        said, buttons = await why.bounding_box(), await anna.controls.bounding_box()
        assert said
        assert buttons
        assert abs(buttons["y"] - (said["y"] + said["height"])) < 60

        bo.does(CALL)
        await anna.acts("Call 5")
        await expect(why).to_be_hidden()
        await expect(anna.log.get_by_text("You call 5")).to_be_visible()


async def test_of_two_tabs_the_newer_has_the_line_and_the_older_may_take_it_back(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    (first,) = await seated(opens, room.url, table, "Anna")
    second = await first.second_tab()
    taken = "This account is open in another tab or device."
    await expect(second.button("Sit out")).to_be_visible()
    await expect(first.page.get_by_text(taken)).to_be_visible()
    await expect(first.page.locator(".foot")).to_have_js_property("inert", True)

    await first.button("Use it here").click()
    await expect(first.page.get_by_text(taken)).to_be_hidden()
    await expect(first.page.locator(".foot")).to_have_js_property("inert", False)
    await expect(second.page.get_by_text(taken)).to_be_visible()
    await first.button("Sit out").click()
    await expect(first.page.get_by_text("You are sitting out.")).to_be_visible()

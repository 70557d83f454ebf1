"""Every screen, for everybody: axe finds no violation, in the dark and in the light, on a desk and on a phone."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser import build
from tests.browser.company import company
from tests.browser.conftest import PHONE
from tests.browser.person import Person
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")

SYSTEM = {"theme": "system"}
FIND = """
async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => [id, help, node.html, node.failureSummary]));
}
"""


async def is_for_everybody(person: Person, screen: str) -> None:
    for scheme in ("dark", "light"):
        await person.page.emulate_media(color_scheme=scheme)
        await person.page.wait_for_function("scheme => document.documentElement.dataset.theme === scheme", arg=scheme)
        if not await person.page.evaluate("'axe' in window"):
            await person.page.evaluate(build.axe())
        found: list[Any] = await person.page.evaluate(FIND)
        assert found == [], f"{screen}, {scheme}"
    assert await person.overflows() == 0, screen


async def in_a_dialog(person: Person, opener: str) -> None:
    await person.press(person.button(opener))
    await expect(person.page.get_by_role("dialog")).to_be_visible()
    await is_for_everybody(person, opener)
    await person.page.keyboard.press("Escape")
    await expect(person.page.get_by_role("dialog")).to_have_count(0)


async def test_the_lobby_and_its_dialogs(room: Running, opens: Opens, clock: FakeClock) -> None:
    guest = await opens(room.url, settings=SYSTEM)
    await expect(guest.page.get_by_text("No table is open")).to_be_visible()
    await is_for_everybody(guest, "an empty lobby")
    await table_for(room, name="Rowan", seats=10)
    await table_for(room, name="Aspen")
    await clock.advance(1_000)
    await expect(guest.page.get_by_role("link", name=re.compile("Rowan")).first).to_be_visible()
    await is_for_everybody(guest, "the lobby")
    for opener in ("Come in", "Settings", "Keys"):
        await in_a_dialog(guest, opener)
    await guest.button("Play now").click()
    await expect(guest.button("Sit out")).to_be_visible()
    await guest.page.get_by_role("link", name="Fullring, to the lobby").click()
    await guest.page.get_by_role("searchbox").fill("nothing like this")
    await is_for_everybody(guest, "a lobby where nothing fits")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
async def test_a_table_and_its_dialogs(
    room: Running, opens: Opens, clock: FakeClock, options: Mapping[str, Any]
) -> None:
    table = await table_for(room, seats=6)
    async with company(room, table, "Bo", "Cleo", "Dai") as (bo, *_):
        anna = await opens(f"{room.url}/table/{table}", settings=SYSTEM, **options)
        await expect(anna.button("Take a seat")).to_be_visible()
        await is_for_everybody(anna, "a table that is watched")
        await in_a_dialog(anna, "Take a seat")
        await anna.sits("Anna")
        await is_for_everybody(anna, "a seat before the hand")
        await bo.chat(table, "good luck")
        await deal(clock)
        await expect(anna.controls.get_by_role("button", name="Fold")).to_be_enabled()
        await is_for_everybody(anna, "a turn")
        if options:
            await is_for_everybody_in_the_menu(anna)
        else:
            await in_a_dialog(anna, "Top up")
            await in_a_dialog(anna, "Leave")
            await anna.page.get_by_role("tab", name=re.compile("Chat")).click()
            await is_for_everybody(anna, "the chat")
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
        await is_for_everybody(anna, "a showdown")


async def is_for_everybody_in_the_menu(person: Person) -> None:
    await person.press(person.button("This table"))
    await expect(person.button("Leave")).to_be_visible()
    await is_for_everybody(person, "the menu")
    await person.page.keyboard.press("Escape")
    await person.press(person.page.get_by_role("button", name=re.compile("Log and chat|unread")))
    await expect(person.log).to_be_visible()
    await is_for_everybody(person, "the log")
    await person.press(person.page.get_by_role("button", name=re.compile("Log and chat")).first)
    await expect(person.log).to_be_hidden()


async def test_screens_off_the_table(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna", settings=SYSTEM)
        await deal(clock)
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
    hand = anna.updates()[-1]["view"]["hand"]["id"]
    for path, shown in (
        (f"/hand/{hand}", "Hand 1"),
        ("/hand/none", "To the lobby"),
        ("/table/none", "This table is gone"),
        ("/hand/a/b", "There is nothing here"),
    ):
        await anna.page.goto(room.url + "/")
        await anna.page.evaluate(
            "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path
        )
        await expect(anna.page.get_by_text(shown).first).to_be_visible()
        await is_for_everybody(anna, path)

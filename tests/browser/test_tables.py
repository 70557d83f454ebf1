"""Several tables on one page."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from fullring.table.commands import Close
from fullring_client import CALL
from tests.browser.company import Puppet, company
from tests.browser.conftest import PHONE
from tests.browser.person import Person
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")


PRESS_AGAIN = """() => {
  const front = () => document.querySelector('article.front')?.getAttribute('aria-label');
  const first = front();
  new MutationObserver((_, all) => {
    if (front() === first) return;
    all.disconnect();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }));
    document.documentElement.dataset.again = 'pressed';
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
}"""
"""The key C, at the moment when another table comes to the front."""


def screen(person: Person, name: str) -> Locator:
    """That table, as it stands on the page."""
    return person.page.get_by_role("article", name=f"Table {name}", exact=True)


async def at_two_tables(room: Running, opens: Opens, **options: Any) -> tuple[Person, str, str]:
    """Anna sits at Rowan, where it will be her turn first, and at Aspen, where Bo begins."""
    rowan, aspen = await table_for(room, name="Rowan"), await table_for(room, name="Aspen")
    (anna,) = await seated(opens, room.url, rowan, "Anna", **options)
    return anna, rowan, aspen


async def test_the_table_that_waits_for_you_comes_forward(room: Running, opens: Opens, clock: FakeClock) -> None:
    anna, rowan, aspen = await at_two_tables(room, opens, viewport={"width": 1024, "height": 768})
    bo = Puppet()
    async with company(room, aspen, "Bo", bot=bo), company(room, rowan, "Cleo", bot=Puppet()):
        await anna.page.get_by_role("link", name="Fullring, to the lobby").click()
        await anna.page.get_by_role("link", name=re.compile("Aspen")).first.click()
        await anna.sits()
        await expect(screen(anna, "Aspen")).to_be_visible()
        await deal(clock)

        await expect(screen(anna, "Rowan")).to_be_visible()
        await expect(screen(anna, "Aspen")).to_have_count(0)
        await expect(anna.page).to_have_title("Your turn · Rowan")
        bo.does(CALL)
        tabs = anna.page.get_by_role("navigation", name="Your tables")
        await expect(tabs.get_by_role("link", name=re.compile("Aspen.*your turn"))).to_be_visible()
        await expect(screen(anna, "Rowan")).to_be_visible()
        await anna.acts("Call 5")
        await expect(screen(anna, "Aspen")).to_be_visible()
        await expect(anna.page).to_have_title("Your turn · Aspen")
        await anna.acts(re.compile("^Raise"))
        await expect(anna.page).to_have_title(re.compile("Fullring$"))


async def test_no_table_comes_forward_while_somebody_writes_whose_letters_would_be_keys_there(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    anna, rowan, aspen = await at_two_tables(room, opens, viewport={"width": 1024, "height": 768})
    async with company(room, aspen, "Bo", bot=Puppet()), company(room, rowan, "Cleo", bot=Puppet()):
        await anna.page.get_by_role("link", name="Fullring, to the lobby").click()
        await anna.page.get_by_role("link", name=re.compile("Aspen")).first.click()
        await anna.sits()
        await anna.button("Log and chat").click()
        chat = anna.page.get_by_role("textbox", name="Say something")
        await chat.press_sequentially("good ")
        await deal(clock)

        tabs = anna.page.get_by_role("navigation", name="Your tables")
        await expect(tabs.get_by_role("link", name=re.compile("Rowan.*your turn"))).to_be_visible()
        await anna.page.keyboard.type("luck, friend", delay=50)
        await expect(chat).to_have_value("good luck, friend")
        await chat.press("Enter")
        await expect(screen(anna, "Rowan")).to_be_visible()

    assert [said["text"] for said in anna.asked("chat")] == ["good luck, friend"]
    assert anna.asked("act") == []


async def test_tables_stand_side_by_side_where_there_is_room_and_the_keys_go_to_the_one_that_waits(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    anna, rowan, aspen = await at_two_tables(room, opens)
    bo = Puppet()
    async with company(room, aspen, "Bo", bot=bo), company(room, rowan, "Cleo", bot=Puppet()):
        await anna.page.get_by_role("link", name="Fullring, to the lobby").click()
        await anna.page.get_by_role("link", name=re.compile("Aspen")).first.click()
        await anna.sits(at=screen(anna, "Aspen"))
        await deal(clock)
        for name in ("Rowan", "Aspen"):
            await expect(screen(anna, name)).to_be_visible()

        for name, key in (("Rowan", "c"), ("Aspen", "r")):
            controls = screen(anna, name).get_by_role("group", name="Your turn")
            await expect(controls.get_by_role("button", name=re.compile("^Raise"))).to_be_enabled()
            while await controls.is_visible():  # Not heard in the moment in which the keys come to a table.
                await anna.page.keyboard.press(key)
            bo.does(CALL)

    acts = [(act["table"], act["action"]) for act in anna.asked("act")]
    assert acts == [(rowan, "call"), (aspen, "raise")]


async def test_a_key_does_nothing_at_a_table_that_got_the_keys_just_then(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    anna, rowan, aspen = await at_two_tables(room, opens)
    bo = Puppet()
    bo.does(CALL)
    async with company(room, aspen, "Bo", bot=bo), company(room, rowan, "Cleo", bot=Puppet()):
        await anna.page.get_by_role("link", name="Fullring, to the lobby").click()
        await anna.page.get_by_role("link", name=re.compile("Aspen")).first.click()
        await anna.sits(at=screen(anna, "Aspen"))
        await deal(clock)
        for name in ("Rowan", "Aspen"):
            controls = screen(anna, name).get_by_role("group", name="Your turn")
            await expect(controls.get_by_role("button", name=re.compile("^Raise"))).to_be_enabled()

        await anna.page.evaluate(PRESS_AGAIN)
        first = await anna.page.get_attribute("article.front", "aria-label")
        await anna.page.keyboard.press("r")
        await expect(anna.page.locator("article.front")).not_to_have_attribute("aria-label", first or "")
        await expect(anna.page.locator("html")).to_have_attribute("data-again", "pressed")
        await anna.acts(re.compile("^Raise"))
        await expect(anna.controls).to_have_count(0)

    assert [act["action"] for act in anna.asked("act")] == ["raise", "raise"]


async def test_on_a_phone_the_tables_are_tabs(room: Running, opens: Opens) -> None:
    anna, _, aspen = await at_two_tables(room, opens, **PHONE)
    await anna.page.goto(f"{room.url}/table/{aspen}")
    await anna.sits()
    await expect(screen(anna, "Aspen")).to_be_visible()
    await anna.press(anna.page.get_by_role("link", name=re.compile("Rowan")))
    await expect(screen(anna, "Rowan")).to_be_visible()
    await expect(screen(anna, "Aspen")).to_have_count(0)
    assert await anna.overflows() == 0


async def test_a_table_that_is_closed_offers_no_seat_and_leads_to_the_lobby(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room, name="Rowan", seats=6)
    (anna,) = await seated(opens, room.url, table, "Anna")
    watcher = await opens(f"{room.url}/table/{table}", **PHONE)
    async with company(room, table, "Bo"):
        await deal(clock)
        await room.site.room.ask(table, Close("good night"))
        await expect(anna.page.get_by_text("Closing after this hand: good night")).to_be_visible()
        await anna.acts("Fold")
        for person in (anna, watcher):
            await expect(person.page.get_by_text("The table is closed", exact=True)).to_be_visible()
            await expect(person.page.get_by_text("Closing after this hand")).to_have_count(0)
            await expect(
                person.page.get_by_role("button", name=re.compile("Take a seat|^Sit|Leave|Invite"))
            ).to_have_count(0)
        await expect(anna.log).to_contain_text("Bo wins 10")
    for person in (anna, watcher):
        await person.press(person.button("To the lobby"))
        await expect(person.page.get_by_role("heading", name="Tables")).to_be_visible()

"""An admin at the operators' pages, and what players see of it."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from tests.browser.conftest import PHONE
from tests.browser.person import Person
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.browser.test_access import SYSTEM, is_for_everybody
from tests.fake_clock import FakeClock
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSWORD = "correct horse battery"
SECTIONS = ("Overview", "Tables", "Players", "Hands in play", "Connections", "Blocklist", "Audit log")


async def comes(room: Running, opens: Opens, **options: Any) -> Person:
    """Ada logs in as an admin, and goes to the operators' pages."""
    async with room.http() as client:
        made = (await client.post("/accounts", json={"name": "Ada", "password": PASSWORD})).json()
    await room.site.accounts.set_role(AccountId(made["account"]["id"]), Role.ADMIN)
    ada = await opens(room.url, **options)
    await ada.press(ada.button("Log in"))
    dialog = ada.page.get_by_role("dialog", name="Come in")
    await dialog.get_by_label("Name", exact=True).fill("Ada")
    await dialog.get_by_label("Password").fill(PASSWORD)
    await ada.page.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    await ada.press(ada.page.get_by_role("link", name="Administration"))
    await expect(ada.page.get_by_role("heading", name="Overview")).to_be_visible()
    return ada


async def goes_to(ada: Person, section: str) -> None:
    await ada.press(ada.page.get_by_role("navigation", name="Administration").get_by_role("link", name=section))
    await expect(ada.page.get_by_role("heading", name=section).first).to_be_visible()


async def confirms(ada: Person, opener: Locator, reason: str) -> None:
    """Presses the button of that name again in the dialog that it opens, with a reason."""
    name = await opener.inner_text()
    await ada.press(opener)
    dialog = ada.page.get_by_role("dialog")
    await dialog.get_by_label(re.compile("^Reason")).fill(reason)
    await ada.press(dialog.get_by_role("button", name=name, exact=True))
    await expect(dialog).to_be_hidden()


async def test_an_admin_moves_chips_mutes_pauses_and_bans_and_all_of_it_is_in_the_audit_log(
    room: Running, opens: Opens
) -> None:
    table = await table_for(room, name="Rowan")
    (bo,) = await seated(opens, room.url, table, "Bo")
    ada = await comes(room, opens)
    page = ada.page

    await goes_to(ada, "Players")
    await page.get_by_role("searchbox").fill("bo")
    await page.get_by_role("link", name="Bo").click()
    await page.get_by_label("Amount").fill("2500")
    await page.get_by_label("Reason").fill("won the raffle")
    await ada.button("Give").click()
    await expect(page.get_by_text("Bo has 11,500 chips now.")).to_be_visible()
    await page.get_by_label("Amount").fill("99999")
    await page.get_by_label("Reason").fill("too much")
    await ada.button("Take back").click()
    dialog = page.get_by_role("dialog", name="Take 99,999 chips from Bo?")
    await dialog.get_by_role("button", name="Take back").click()
    await expect(dialog.get_by_role("alert")).to_have_text(re.compile("has fewer than 99999 chips"))
    await page.keyboard.press("Escape")
    await confirms(ada, ada.button("Mute"), "spam")
    await expect(page.get_by_text(re.compile("^muted until .*: spam$"))).to_be_visible()

    await bo.page.get_by_role("tab", name=re.compile("Chat")).click()
    await bo.page.get_by_placeholder("Say").fill("buy my book")
    await bo.page.keyboard.press("Enter")
    await expect(bo.page.get_by_text(re.compile("spam"))).to_be_visible()

    await goes_to(ada, "Tables")
    await page.get_by_role("link", name="Rowan").click()
    await confirms(ada, ada.button("Pause"), "the cleaner is in the room")
    await expect(page.get_by_text("paused", exact=True)).to_be_visible()
    await expect(bo.page.get_by_text(re.compile("the cleaner is in the room")).first).to_be_visible()
    await page.get_by_label("Big blind", exact=True).fill("20")
    await page.get_by_label("Small blind").fill("10")
    await ada.button("Save").click()
    await expect(page.get_by_role("status").filter(has_text="It is saved.")).to_be_focused()
    await expect(bo.page.get_by_text("No limit 10/20").first).to_be_visible()

    await page.get_by_role("link", name="Bo").click()
    await confirms(ada, ada.button("Ban"), "two accounts at one table")
    await bo.button("Connect again").click()
    await expect(bo.page.get_by_text("This account is banned: two accounts at one table")).to_be_visible()

    await goes_to(ada, "Audit log")
    log = page.get_by_role("table", name="Audit log")
    for line in (
        "Banned.*Bo.*two accounts",
        "Table changed.*Rowan",
        "Table paused.*Rowan",
        "Muted.*Bo.*spam",
        "Chips moved.*Bo.*won the raffle",
    ):
        await expect(log.get_by_role("row", name=re.compile(f"{line}.*Ada"))).to_be_visible()
    assert "99999" not in await log.inner_text()


async def test_a_table_that_was_paused_in_a_hand_can_go_on_and_close(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room, name="Rowan")
    bo, cleo = await seated(opens, room.url, table, "Bo", "Cleo")
    await deal(clock)
    await expect(bo.controls.get_by_role("button", name="Fold")).to_be_enabled()
    ada = await comes(room, opens)
    await goes_to(ada, "Tables")
    await ada.page.get_by_role("link", name="Rowan").click()
    await confirms(ada, ada.button("Pause"), "the cleaner is in the room")
    await confirms(ada, ada.button("Close table"), "it is late")
    await expect(ada.button("Close table")).to_have_count(0)
    await confirms(ada, ada.button("Go on"), "one last hand")

    await bo.acts("Fold")
    for player in (bo, cleo):
        await expect(player.page.get_by_text(re.compile("The table is closed")).first).to_be_visible()


async def test_what_is_announced_is_shown_to_everybody_until_it_is_put_away(room: Running, opens: Opens) -> None:
    guest = await opens(room.url)
    ada = await comes(room, opens)
    await ada.page.get_by_label("To everybody who is connected").fill("A new version tonight")
    await ada.button("Announce").click()

    await expect(ada.page.get_by_text("It went to 2 connections.")).to_be_visible()
    news = guest.page.get_by_text("A new version tonight")
    await expect(news).to_be_visible()
    await guest.button("Put away").click()
    await expect(news).to_have_count(0)


@pytest.mark.parametrize(
    ("options", "sections"), [({}, SECTIONS), (PHONE, ("Overview", "Connections"))], ids=["desk", "phone"]
)
async def test_the_operators_pages_are_for_everybody(
    room: Running, opens: Opens, options: Mapping[str, Any], sections: tuple[str, ...]
) -> None:
    table = await table_for(room, name="Rowan")
    await seated(opens, room.url, table, "Bo")
    ada = await comes(room, opens, settings=SYSTEM, **options)
    for section in sections:
        await goes_to(ada, section)
        await expect(ada.page.get_by_text("Loading …")).to_have_count(0)
        await is_for_everybody(ada, section)
    await goes_to(ada, "Tables")
    await ada.press(ada.page.get_by_role("link", name="Rowan"))
    await expect(ada.button("Save")).to_be_visible()
    await is_for_everybody(ada, "a table")
    await ada.press(ada.page.get_by_role("link", name="Bo"))
    await expect(ada.button("Give")).to_be_visible()
    await is_for_everybody(ada, "a player")
    await ada.press(ada.button("Ban"))
    await expect(ada.page.get_by_role("dialog")).to_be_visible()
    await is_for_everybody(ada, "a ban")


async def test_who_is_no_admin_is_told_so(room: Running, opens: Opens) -> None:
    guest = await opens(f"{room.url}/admin/players")
    await expect(guest.page.get_by_role("heading", name="This page is for admins.")).to_be_visible()
    await expect(guest.page.get_by_role("link", name="Administration")).to_have_count(0)


async def test_nobody_is_told_so_before_it_is_known_who_they_are(room: Running, opens: Opens) -> None:
    ada = await comes(room, opens)
    await ada.page.route_web_socket("**/ws", lambda line: line.close())
    await ada.page.reload()
    await expect(ada.page.get_by_text("The connection is lost.")).to_be_visible()
    await expect(ada.page.get_by_text("Loading …")).to_be_visible()
    await expect(ada.page.get_by_role("heading", name="This page is for admins.")).to_have_count(0)

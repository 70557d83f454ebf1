"""Who somebody is: a guest, an account, a host; and by whose invitation."""

import re

import pytest
from playwright.async_api import expect

from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from tests.browser.company import company
from tests.browser.dealer import Dealer
from tests.browser.person import Person
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSWORD = "correct horse battery"


async def registers(person: Person, name: str) -> None:
    await person.button("Come in").click()
    dialog = person.page.get_by_role("dialog", name="Come in")
    await dialog.get_by_role("button", name="New account").first.click()
    await dialog.get_by_label("Name", exact=True).fill(name)
    await dialog.get_by_label("Password").fill(PASSWORD)
    await person.page.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()


async def test_an_account_is_made_left_and_entered_again(room: Running, opens: Opens) -> None:
    anna = await opens(room.url)
    head = anna.page.get_by_role("banner").first
    await registers(anna, "Anna")
    await expect(head).to_contain_text("Anna")
    await expect(head).to_contain_text("10,000")
    await anna.page.reload()
    await expect(head).to_contain_text("Anna")

    await anna.button("Log out").click()
    await expect(head).not_to_contain_text("Anna")
    await anna.button("Come in").click()
    dialog = anna.page.get_by_role("dialog", name="Come in")
    await dialog.get_by_role("button", name="Log in").first.click()
    await dialog.get_by_label("Name", exact=True).fill("Anna")
    await dialog.get_by_label("Password").fill("not " + PASSWORD)
    await anna.page.keyboard.press("Enter")
    await expect(dialog.get_by_role("alert")).to_have_text(re.compile("password"))
    await dialog.get_by_label("Password").fill(PASSWORD)
    await anna.page.keyboard.press("Enter")
    await expect(head).to_contain_text("Anna")


async def test_a_name_that_is_taken_is_refused_in_words(room: Running, opens: Opens) -> None:
    await room.guest("Anna")
    anna = await opens(room.url)
    await anna.button("Come in").click()
    dialog = anna.page.get_by_role("dialog", name="Come in")
    await dialog.get_by_role("textbox").fill("Anna")
    await dialog.get_by_role("button", name="Play now").click()
    await expect(dialog.get_by_role("alert")).to_have_text(re.compile("name"))


async def test_a_host_opens_a_table_and_whoever_has_the_link_may_sit(room: Running, opens: Opens) -> None:
    host = await opens(room.url)
    await registers(host, "Hanna")
    account = (await host.hears(lambda message: "account" in message))["account"]
    await expect(host.button("Open a table")).to_have_count(0)
    await room.site.accounts.set_role(AccountId(account["id"]), Role.HOST)
    await host.page.reload()
    await host.button("Open a table").click()
    dialog = host.page.get_by_role("dialog", name="Open a table")
    await dialog.get_by_label("Name", exact=True).fill("Kitchen")
    await dialog.get_by_label(re.compile("Join code")).fill("soup")
    for field, fits_no_other in (
        ("Small blind", "11"),
        ("Smallest buy-in", "9"),
        ("Largest buy-in", "199"),
        ("Seats", ""),
    ):
        at_first = await dialog.get_by_label(field).input_value()
        await dialog.get_by_label(field).fill(fits_no_other)
        await dialog.get_by_role("button", name="Open it").click()
        await expect(dialog.get_by_label(field)).to_be_focused()  # The browser says there what would do.
        await dialog.get_by_label(field).fill(at_first)
    await dialog.get_by_label("Largest buy-in").fill(str(10**13))
    await dialog.get_by_role("button", name="Open it").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await dialog.get_by_label("Largest buy-in").fill("1000")
    await dialog.get_by_role("button", name="Open it").click()
    await expect(host.page.get_by_role("heading", name="Kitchen")).to_be_visible()

    await host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await host.button("Invite").click()
    await expect(host.page.get_by_text("Link copied")).to_be_visible()
    link = await host.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#soup")
    stranger = await opens(room.url)
    await stranger.page.get_by_label(re.compile("Paste the link")).fill(re.sub("#.*", "", link))
    await stranger.page.keyboard.press("Enter")
    await stranger.button("Take a seat").click()
    await stranger.page.get_by_role("dialog", name="Come in").get_by_role("button", name="Play now").click()
    sitting = stranger.page.get_by_role("dialog", name=re.compile("Kitchen"))
    await sitting.get_by_role("button", name="Sit down").click()
    await expect(sitting.get_by_role("alert")).to_be_visible()
    await sitting.get_by_label("Join code").fill("soup")
    await sitting.get_by_role("button", name="Sit down").click()
    await expect(stranger.button("Sit out")).to_be_visible()

    await stranger.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await stranger.button("Invite").click()
    await expect(stranger.page.get_by_text("Link copied")).to_be_visible()
    assert await stranger.page.evaluate("navigator.clipboard.readText()") == link, "who typed the code has it too"
    friend = await opens(link)
    await friend.sits("Finn")
    await expect(friend.place("Finn")).to_be_visible()

    await host.page.evaluate("navigator.clipboard.writeText('')")
    await friend.page.evaluate("delete Navigator.prototype.clipboard")  # As on a page that did not come over TLS.
    await friend.button("Invite").click()
    await expect(friend.page.get_by_text("Link copied")).to_be_visible()
    assert await host.page.evaluate("navigator.clipboard.readText()") == link


async def test_a_guest_is_asked_before_logging_out_as_there_is_no_way_back(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    (anna,) = await seated(opens, room.url, table, "Anna")
    await anna.button("Log out").click()
    asked = anna.page.get_by_role("dialog", name="Log out for good?")
    await asked.get_by_role("button", name="Cancel").click()
    await expect(anna.button("Sit out")).to_be_visible()
    await anna.button("Log out").click()
    await asked.get_by_role("button", name="Log out").click()
    await expect(anna.button("Come in")).to_be_visible()


async def test_chips_go_to_the_table_and_come_back(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    anna = await opens(f"{room.url}/table/{table}")
    await anna.sits("Anna")
    head = anna.page.get_by_role("banner").first
    await expect(head).to_contain_text("9,000")
    await anna.button("Leave").click()
    await anna.page.get_by_role("dialog", name="Leave the table?").get_by_role("button", name="Leave").click()
    await expect(anna.button("Take a seat")).to_be_visible()
    await expect(head).to_contain_text("10,000")


async def test_nobody_sits_down_with_an_amount_they_did_not_see(room: Running, opens: Opens) -> None:
    anna = await opens(f"{room.url}/table/{await table_for(room)}")
    await anna.button("Take a seat").click()
    await anna.button("Play now").click()
    sitting = anna.page.get_by_role("dialog", name=re.compile("Take a seat"))
    await sitting.get_by_role("spinbutton", name="Chips to bring").fill("")
    await sitting.get_by_role("button", name="Sit down").click()
    await sitting.get_by_role("spinbutton", name="Chips to bring").fill("400")
    await sitting.get_by_role("button", name="Sit down").click()
    await expect(sitting).to_be_hidden()

    assert [sit["buy_in"] for sit in anna.asked("sit")] == [400]


async def test_who_left_with_more_than_a_buy_in_comes_back_with_just_that(
    room: Running, opens: Opens, dealer: Dealer, clock: FakeClock
) -> None:
    dealer.begins_with("2cAs 3dAh 5h8s9c Jd Kc")
    table = await table_for(room, seats=3)
    (anna,) = await seated(opens, room.url, table, "Anna")
    async with company(room, table, "Bo", buy_in=500):
        await deal(clock)
        await anna.controls.get_by_role("button", name="All-in", exact=True).click()
        await anna.acts("All-in 1,000")
        await expect(anna.place("Anna")).to_contain_text("1,500")
        await leaves(anna)
        await anna.button("Take a seat").click()
        sitting = anna.page.get_by_role("dialog", name=re.compile("Take a seat"))
        await sitting.get_by_role("button", name="Sit down").click()
        await expect(sitting.get_by_role("alert")).to_contain_text("You left with 1500 not long ago")
        await expect(sitting.get_by_label("Chips to bring").first).to_have_value("1500")
        await sitting.get_by_role("button", name="Sit down").click()
        await expect(anna.place("Anna")).to_contain_text("1,500")

        await leaves(anna)
        await anna.page.get_by_role("link", name="Fullring, to the lobby").click()
        await anna.button("Play now").click()
        await expect(anna.place("Anna")).to_contain_text("1,500")


async def leaves(person: Person) -> None:
    await person.button("Leave").click()
    await person.page.get_by_role("dialog", name="Leave the table?").get_by_role("button", name="Leave").click()
    await expect(person.button("Take a seat")).to_be_visible()
    await expect(person.page.get_by_role("banner").first).to_contain_text("10,500")

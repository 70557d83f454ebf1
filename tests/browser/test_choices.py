"""What a reader chooses: it shows at once, and is still there after the page is loaded again."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.company import company
from tests.browser.conftest import PHONE
from tests.browser.dealer import Dealer
from tests.browser.person import Person
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")

DARK, LIGHT = (0, 200), (600, 765)
NO_NOTIFYING = """
class Notification {
  static permission = 'granted';
  constructor() { throw new TypeError("Failed to construct 'Notification': Illegal constructor."); }
}
window.Notification = Notification;
Object.defineProperty(document, 'hidden', { get: () => true });
"""
"""As Chrome on Android: only a worker may; and the page is not seen."""
SUITS = ("spades", "hearts", "diamonds", "clubs")


async def colours(board: Locator) -> list[str]:
    """Of the aces of spades, hearts, diamonds and clubs."""
    aces = [board.and_(board.page.get_by_role("img", name=f"ace of {suit}")) for suit in SUITS]
    return [await ace.evaluate("card => getComputedStyle(card).color") for ace in aces]


async def test_suits_have_two_colours_or_four(room: Running, opens: Opens, dealer: Dealer, clock: FakeClock) -> None:
    dealer.begins_with("2c3c4c5cAsAhAdAc9c")
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await deal(clock)
        await anna.plays_until(anna.board.nth(3))
        assert len(set(await colours(anna.board))) == 4

        await anna.chooses("Four-colour deck")
        spades, hearts, diamonds, clubs = await colours(anna.board)
        assert spades == clubs
        assert hearts == diamonds
        assert spades != hearts
        await anna.page.reload()
        await expect(anna.board).to_have_count(4)
        assert len(set(await colours(anna.board))) == 2


async def test_amounts_are_chips_or_big_blinds(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await deal(clock)
        await expect(anna.place("Anna")).to_contain_text("990")
        await anna.chooses("Amounts in big blinds")
        await expect(anna.place("Anna")).to_contain_text("99 BB")
        await expect(anna.controls.get_by_role("button", name="Raise to 2 BB")).to_be_visible()
        await anna.page.reload()
        await expect(anna.place("Anna")).to_contain_text("99 BB")


async def test_the_page_is_dark_or_light_or_as_the_system_is(room: Running, opens: Opens) -> None:
    anna = await opens(room.url, color_scheme="light")
    await shows_ground(anna, DARK)
    await anna.chooses("As the system")
    await shows_ground(anna, LIGHT)
    await anna.page.emulate_media(color_scheme="dark")
    await shows_ground(anna, DARK)
    await anna.chooses("Light")
    await shows_ground(anna, LIGHT)
    await anna.page.reload()
    await shows_ground(anna, LIGHT)


async def shows_ground(person: Person, bright: tuple[int, int]) -> None:
    """The page's ground is that bright."""
    sum_of_rgb = (
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => +a + +b, 0)"
    )
    await person.page.wait_for_function(
        f"([least, most]) => {{ const sum = {sum_of_rgb}; return sum >= least && sum <= most }}", arg=bright
    )


async def test_the_page_speaks_german(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await deal(clock)
        await expect(anna.controls).to_be_visible()
        await anna.chooses("Deutsch")
        root = anna.page.locator("html")
        await expect(root).to_have_attribute("lang", "de")
        await expect(anna.button("Passen")).to_be_visible()
        await expect(anna.page.get_by_text("Bo setzt den Small Blind von 5", exact=True)).to_be_visible()
        await anna.page.reload()
        await expect(anna.button("Passen")).to_be_visible()


async def test_a_german_browser_is_spoken_to_in_german(room: Running, opens: Opens) -> None:
    anna = await opens(room.url, locale="de-AT")
    await expect(anna.page.locator("html")).to_have_attribute("lang", "de")


async def test_a_phone_that_lets_no_page_notify_is_played_on_as_any_other(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room)
    anna = await opens(settings={"notify": True}, **PHONE)
    await anna.page.add_init_script(NO_NOTIFYING)
    await anna.page.goto(f"{room.url}/table/{table}")
    await anna.sits("Anna")
    async with company(room, table, "Bo"):
        await deal(clock)
        await expect(anna.page).to_have_title(re.compile("^Your turn"))
        await anna.acts("Call 5")
        await expect(anna.board).to_have_count(3)


async def test_notifications_that_the_browser_refuses_are_not_shown_as_chosen(room: Running, opens: Opens) -> None:
    anna = await opens(room.url)
    await anna.page.evaluate("Notification.requestPermission = async () => 'denied'")
    await anna.button("Settings").click()
    choice = anna.page.get_by_role("checkbox", name="Notify me when it is my turn")
    await choice.click()
    await expect(choice).not_to_be_checked()

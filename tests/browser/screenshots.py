"""Pictures of the screens, on a desk and on a phone: ``python -m tests.browser.screenshots docs/pictures``.

Names, cards, chips and clocks are always the same, so that a picture changes only where the client does.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright, expect

from fullring.wire.view import TableView, You
from fullring_client import CALL, CHECK, FOLD, Action, bet, raise_to
from tests.browser import build
from tests.browser.company import company
from tests.browser.conftest import DESKTOP, FLAGS, PHONE
from tests.browser.dealer import Dealer
from tests.browser.person import PATIENCE_S, Person
from tests.browser.scenes import PAUSE_MS, table_for
from tests.fake_clock import FakeClock
from tests.server import Running, running

QUALITY = 88
SIZES: Mapping[str, Mapping[str, Any]] = {"desk": {"viewport": DESKTOP}, "phone": PHONE}
CARDS = "2c7cAcJdAs3d 8d6cKdTdQh4s Ah9s4h Qc 2d"
"""Hole cards one by one from the small blind on, and the board."""
PLAYS: Mapping[str, Mapping[str, Action]] = {
    "Bo": {"preflop": CALL},
    "Cleo": {},
    "Dai": {"preflop": CALL},
    "Ewa": {"preflop": raise_to(30), "flop": bet(70), "river": bet(180)},
    "Finn": {},
}
"""What they do on a street; where nothing stands here, they check, or fold what is not free."""
ELSEWHERE: Mapping[str, Mapping[str, Any]] = {
    "Juniper": {"seats": 9, "small_blind": 25, "big_blind": 50, "buy_in_min": 1_000, "buy_in_max": 5_000},
    "Hawthorn": {"seats": 6, "game": "plhe", "buy_in_min": 500},
    "Sycamore": {"seats": 4, "game": "flhe", "small_blind": 10, "big_blind": 20, "buy_in_min": 400},
}
GUESTS = {
    "Juniper": ("Gus", "Hana", "Ivo", "Jun", "Kim"),
    "Hawthorn": ("Lea", "Max", "Ned"),
    "Sycamore": ("Noa", "Ole", "Pia"),
}
CLOCK = "window.passed = 0; performance.now = () => passed"
"""The page's clock runs with the room's: when it is told to."""
SETTLE = """
async () => {
  await document.fonts.ready;
  for (const animation of document.getAnimations()) {
    const { duration, iterations } = animation.effect.getComputedTiming();
    if (iterations === Infinity || duration > 2000) {
      animation.pause();
      animation.currentTime = 0.3 * duration;
    } else animation.finish();
  }
}
"""
"""What moves has arrived, and what runs on stands at a third of its way."""


class Script:
    """Plays one hand as it is written."""

    def __init__(self, plays: Mapping[str, Action]) -> None:
        self._plays = plays

    def __call__(self, view: TableView, you: You) -> Action:
        assert view.hand
        assert view.hand.turn
        otherwise = CHECK if view.hand.turn.actions.check else FOLD
        return self._plays.get(view.hand.street, otherwise)


class Pictures:
    """Of one page, as JPEG: the felt makes a PNG five times as large."""

    def __init__(self, page: Page, folder: Path, size: str) -> None:
        self._page, self._folder, self._size = page, folder, size

    async def take(self, screen: str) -> None:
        await self._page.evaluate(SETTLE)
        path = self._folder / f"{screen}-{self._size}.jpg"
        await self._page.screenshot(path=path, type="jpeg", quality=QUALITY)


class Evening:
    """One evening, as Anna sees it, with its pictures."""

    def __init__(self, room: Running, clock: FakeClock, dealer: Dealer, anna: Person, pictures: Pictures) -> None:
        self._room, self._clock, self._dealer = room, clock, dealer
        self._anna, self._page, self._pictures = anna, anna.page, pictures
        self._tables: dict[str, str] = {}

    async def passes(self) -> None:
        async with AsyncExitStack() as stack:
            for name, settings in ELSEWHERE.items():
                self._tables[name] = await table_for(self._room, name=name, **settings)
                guests = company(self._room, self._tables[name], *GUESTS[name], buy_in=settings["buy_in_min"])
                await stack.enter_async_context(guests)
            await self._hands_elsewhere(3)
            table = self._tables["Magnolia"] = await table_for(self._room, name="Magnolia", seats=6)
            for name, plays in PLAYS.items():
                (talker,) = await stack.enter_async_context(company(self._room, table, name, bot=Script(plays)))
            await self._time(PAUSE_MS // 2)
            await self._lobby()
            await self._sits_down()
            await talker.chat(table, "good luck, everybody")
            await self._plays()
            await self._looks_back()
            await self._sits_down_elsewhere()
            await self._chooses()

    async def _time(self, ms: int) -> None:
        await self._page.evaluate("ms => (window.passed += ms)", ms)
        await self._clock.advance(ms)

    async def _hands_elsewhere(self, hands: int) -> None:
        async with self._room.socket() as socket:
            for table in self._tables.values():
                await socket.asks("watch", table=table)
            for _ in range(hands):
                await self._clock.advance(5 * PAUSE_MS)
                for _ in self._tables:
                    await socket.sees("hand_ended")

    async def _lobby(self) -> None:
        await self._page.goto(self._room.url)
        await expect(self._page.get_by_role("link", name=re.compile("Magnolia"))).to_be_visible()
        await self._pictures.take("lobby")

    async def _sits_down(self) -> None:
        page, anna = self._page, self._anna
        await page.goto(f"{self._room.url}/table/{self._tables['Magnolia']}")
        await anna.press(anna.button("Take a seat"))
        entering = page.get_by_role("dialog", name="Come in")
        await entering.get_by_role("textbox").fill("Anna")
        await anna.press(entering.get_by_role("button", name="Play now"))
        await expect(page.get_by_role("dialog", name=re.compile("Take a seat"))).to_be_visible()
        await expect(page.get_by_text("Out of date")).to_have_count(0)
        await self._pictures.take("sit")
        await page.keyboard.press("Escape")
        await anna.sits()

    async def _plays(self) -> None:
        anna = self._anna
        self._dealer.begins_with(CARDS)
        await self._time(2 * PAUSE_MS)
        await anna.acts("Call 30")
        await expect(anna.controls.get_by_role("button", name="Call 70")).to_be_enabled()
        await self._pictures.take("turn")
        await self._page.evaluate("document.documentElement.dataset.theme = 'light'")
        await self._pictures.take("light")
        await self._page.evaluate("document.documentElement.dataset.theme = 'dark'")
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
        await self._pictures.take("showdown")
        self._dealer.begins_with("")

    async def _looks_back(self) -> None:
        hand = self._anna.updates()[-1]["view"]["hand"]["id"]
        await self._page.goto(f"{self._room.url}/hand/{hand}")
        await expect(self._page.get_by_role("heading", name="Hand 1")).to_be_visible()
        await self._pictures.take("hand")

    async def _sits_down_elsewhere(self) -> None:
        for name in ELSEWHERE:
            await self._page.goto(self._room.url)
            await self._anna.press(self._page.get_by_role("link", name=re.compile(name)).first)
            await self._anna.sits(at=self._page.get_by_role("article", name=f"Table {name}"))
        await self._time(10 * PAUSE_MS)
        await expect(self._page.get_by_role("link", name=re.compile("your turn"))).to_have_count(len(self._tables))
        await self._pictures.take("tables")

    async def _chooses(self) -> None:
        await self._page.goto(self._room.url)
        await self._anna.press(self._anna.button("Settings"))
        await expect(self._page.get_by_role("dialog", name="Settings")).to_be_visible()
        await self._pictures.take("settings")


async def photograph(browser: Browser, folder: Path, size: str) -> None:
    clock, dealer = FakeClock(), Dealer(3)
    context = await browser.new_context(locale="en-GB", **SIZES[size])
    context.set_default_timeout(PATIENCE_S * 1_000)
    await context.add_init_script(CLOCK)
    with tempfile.TemporaryDirectory(prefix="fullring-pictures-") as data:
        async with running(Path(data), clock=clock, shuffle=dealer) as room:
            person = Person(context, await context.new_page(), touches=SIZES[size].get("has_touch", False))
            await Evening(room, clock, dealer, person, Pictures(person.page, folder, size)).passes()
            await context.close()


async def main(folder: Path) -> None:
    expect.set_options(timeout=PATIENCE_S * 1_000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=build.chromium(), args=list(FLAGS))
        for size in SIZES:
            await photograph(browser, folder, size)
        await browser.close()


if __name__ == "__main__":
    build.build()
    asyncio.run(main(Path(sys.argv[1])))

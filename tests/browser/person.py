"""Somebody at a browser: the page, what its sockets heard and said, and the controls by the names that people hear."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, Locator, Page, WebSocket, expect

PATIENCE_S = 30
"""What does not show within this fails the test."""
RANKS = dict(
    zip("23456789TJQKA", "two three four five six seven eight nine ten jack queen king ace".split(), strict=True)
)
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
QUIET = ("Failed to load resource", "WebSocket connection to")
"""What Chromium itself says of a line that is down, and of answers that refuse."""
Json = dict[str, Any]


def card_name(card: str) -> str:
    """As a page says it: ``ace of spades``."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


class Person:
    """``heard`` and ``said`` are frames in order; ``errors`` is what the page did not catch."""

    def __init__(self, context: BrowserContext, page: Page, *, touches: bool = False) -> None:
        self.context = context
        self.page = page
        self.touches = touches
        self.heard: list[str] = []
        self.said: list[str] = []
        self.errors: list[str] = []
        self._news = asyncio.Event()
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self._complained(line.type, line.text))

    async def second_tab(self) -> "Person":
        """The same browser, at the same address."""
        other = Person(self.context, await self.context.new_page(), touches=self.touches)
        await other.page.goto(self.page.url)
        return other

    # --- what came over the line ---

    async def hears(self, wanted: Callable[[Json], bool]) -> Json:
        """The first message like that, also if it came already."""
        async with asyncio.timeout(PATIENCE_S):
            looked = 0
            while True:
                for frame in self.heard[looked:]:
                    message: Json = json.loads(frame)
                    if wanted(message):
                        return message
                looked = len(self.heard)
                self._news.clear()
                await self._news.wait()

    def updates(self) -> list[Json]:
        """Of tables, oldest first."""
        messages = [json.loads(frame) for frame in self.heard]
        return [message for message in messages if message["type"] == "update" and message["table"] != "lobby"]

    def events(self, *types: str) -> list[Json]:
        return [event for update in self.updates() for event in update["events"] if event["type"] in types]

    def asked(self, type: str) -> list[Json]:
        """The messages of that type that the page sent."""
        return [message for message in map(json.loads, self.said) if message["type"] == type]

    # --- what is on the page ---

    @property
    def felt(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("^Table( |$)"))

    @property
    def controls(self) -> Locator:
        return self.page.get_by_role("group", name="Your turn")

    @property
    def board(self) -> Locator:
        return self.felt.get_by_role("group", name="Board").get_by_role("img")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("tabpanel", name="Hand")

    @property
    def happenings(self) -> Locator:
        """The polite live region."""
        return self.page.get_by_role("log", name="What happens")

    @property
    def alarm(self) -> Locator:
        """The assertive one."""
        return self.page.locator("[aria-live=assertive]")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def place(self, name: str) -> Locator:
        """Where that player sits."""
        return self.felt.get_by_role("listitem").filter(has_text=re.compile(rf"(^|\W){re.escape(name)}"))

    async def cards(self, name: str) -> list[str]:
        """What lies before that player, in words."""
        cards = self.place(name).get_by_role("img", name=re.compile(" of |hidden"))
        return [await card.get_attribute("aria-label") or "" for card in await cards.all()]

    # --- what a person does ---

    async def press(self, locator: Locator) -> None:
        await (locator.tap() if self.touches else locator.click())

    async def sits(self, name: str | None = None, *, at: Locator | None = None) -> None:
        """At the table that is open, to play the next hand; as a guest of that name, where nobody is logged in."""
        await self.press((at or self.page).get_by_role("button", name="Take a seat", exact=True))
        if name is not None:
            entering = self.page.get_by_role("dialog", name="Come in")
            await entering.get_by_role("textbox").fill(name)
            await self.press(entering.get_by_role("button", name="Play now"))
        sitting = self.page.get_by_role("dialog", name=re.compile("Take a seat"))
        await sitting.get_by_role("checkbox").check()
        await self.press(sitting.get_by_role("button", name="Sit down"))
        await expect(sitting).to_be_hidden()

    async def acts(self, name: str | re.Pattern[str]) -> None:
        """Presses one of the buttons of our turn, as soon as it answers."""
        await self.press(self.controls.get_by_role("button", name=name))

    async def plays_until(self, done: Locator) -> None:
        """Checks and calls until that shows."""
        ready = self.controls.get_by_role("button", name=re.compile("^(Check|Call)"), disabled=False)
        while True:
            await expect(ready.or_(done).first).to_be_visible()
            if await done.count():
                return
            await self.press(ready)

    async def chooses(self, *names: str) -> None:
        """These switches and buttons among the settings."""
        await self.button("Settings").click()
        dialog = self.page.get_by_role("dialog")
        for name in names:
            choice = dialog.get_by_role("checkbox", name=name, exact=True)
            await choice.or_(dialog.get_by_role("button", name=name, exact=True)).click()
        await self.page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()

    async def tabs_to(self, wanted: Locator) -> None:
        """With the Tab key alone."""
        await expect(wanted).to_be_enabled()
        while not await wanted.evaluate("element => element === document.activeElement"):
            await self.page.keyboard.press("Tab")

    async def overflows(self) -> int:
        """How many pixels of the page are to the right of the window."""
        found = await self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return max(0, int(found))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)
        socket.on("framesent", lambda frame: self.said.append(str(frame)))

    def _heard(self, frame: str | bytes) -> None:
        self.heard.append(str(frame))
        self._news.set()

    def _complained(self, type: str, text: str) -> None:
        if type == "error" and not text.startswith(QUIET):
            self.errors.append(text)

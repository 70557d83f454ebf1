"""A real room, Debian's Chromium, and people at it. All of it lives on one loop: a browser is started once."""

import json
import sys
from collections.abc import AsyncIterator, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ViewportSize, async_playwright, expect

from tests.browser import build
from tests.browser.dealer import Dealer
from tests.browser.person import PATIENCE_S, Person
from tests.browser.scenes import Opens
from tests.databases import SqliteDatabases
from tests.fake_clock import FakeClock
from tests.server import Running, running

FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--mute-audio")
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: Mapping[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

FAILED = pytest.StashKey[bool]()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    build.build()
    expect.set_options(timeout=PATIENCE_S * 1_000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=build.chromium(), args=list(FLAGS))
        yield browser
        await browser.close()


@pytest.fixture
def dealer() -> Dealer:
    return Dealer(7)


@pytest.fixture
def folder(tmp_path: Path, sqlite: SqliteDatabases) -> Path:
    """Where a room may open that has not to migrate first."""
    sqlite.migrated(tmp_path)
    return tmp_path


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest_asyncio.fixture(loop_scope="session")
async def room(folder: Path, dealer: Dealer, clock: FakeClock) -> AsyncIterator[Running]:
    """A room with no table, where ``dealer`` shuffles. Nobody runs out of time: hands begin with ``clock.advance``."""
    async with running(folder, shuffle=dealer, clock=clock) as opened:
        yield opened


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fixtures may ask whether their test has failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest_asyncio.fixture(loop_scope="session")
async def opens(chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opens]:
    """Opens an address as somebody new, with a browser of their own. At the end no page may have failed.

    Where the test has failed, what the pages say is printed, and there is a picture of each.
    """
    people: list[Person] = []

    async def come(address: str | None = None, *, settings: dict[str, Any] | None = None, **options: Any) -> Person:
        """``settings`` are those that the reader has chosen before; ``options`` are the browser's."""
        options = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce"} | options
        context = await chromium.new_context(**options)
        context.set_default_timeout(PATIENCE_S * 1_000)
        if settings is not None:
            await context.add_init_script(
                f"localStorage['fullring.settings'] ??= JSON.stringify({json.dumps(settings)})"
            )
        person = Person(context, await context.new_page(), touches=options.get("has_touch", False))
        people.append(person)
        if address is not None:
            await person.page.goto(address)
        return person

    yield come
    if request.node.stash.get(FAILED, False):
        for number, person in enumerate(people):
            await person.page.screenshot(path=tmp_path / f"page-{number}.png")
            sys.stdout.write(f"--- {tmp_path}/page-{number}.png\n{await person.page.inner_text('body')}\n")
    for context in {person.context for person in people}:
        await context.close()
    assert [error for person in people for error in person.errors] == []

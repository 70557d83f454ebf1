"""Six tables side by side in Chromium, with a hundred updates a second between them, for a minute.

House bots play at the tables as fast as makes that rate; one page watches all of them. Frames come from the browser's
own trace; memory is what the page's heap holds once garbage is collected, measured when its logs are full, and again.
"""

import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, async_playwright, expect

from tests.browser import build
from tests.browser.conftest import DESKTOP, FLAGS
from tests.browser.person import PATIENCE_S, Person
from tests.server import running

TABLES = 6
THINK_MS = 65
"""What makes a hundred updates a second at six tables, with what each costs the room."""
WARM_S = 25
"""Until every log is as long as it gets."""
SECONDS = 60
WANTED = "at least 100 updates and more than 50 frames a second, and a heap that does not grow"
TRACED = "disabled-by-default-devtools.timeline.frame"
COUNT = """
() => {
  window.gaps = [];
  let before = performance.now();
  requestAnimationFrame(function frame(at) {
    gaps.push(at - before);
    before = at;
    requestAnimationFrame(frame);
  });
}
"""


@dataclass(frozen=True, slots=True)
class Page:
    """What the page holds, once garbage is collected, and the processor time of its main thread so far."""

    heap: float
    nodes: int
    busy_s: float

    def __str__(self) -> str:
        return f"{self.heap / 1e6:.1f} MB, {self.nodes:,} nodes"


async def look(devtools: CDPSession) -> Page:
    """Collects twice: what the first time frees may hold on to more."""
    for _ in range(2):
        await devtools.send("HeapProfiler.collectGarbage")
    found = {metric["name"]: metric["value"] for metric in (await devtools.send("Performance.getMetrics"))["metrics"]}
    return Page(found["JSHeapUsedSize"], int(found["Nodes"]), found["TaskDuration"])


@asynccontextmanager
async def traced(browser: Browser) -> AsyncIterator[Counter[str]]:
    """How many frames were drawn and dropped meanwhile; known afterwards."""
    frames: Counter[str] = Counter()
    done = asyncio.Event()

    def keep(chunk: dict[str, Any]) -> None:
        frames.update(event["name"] for event in chunk["value"])

    devtools = await browser.new_browser_cdp_session()
    devtools.on("Tracing.dataCollected", keep)
    devtools.on("Tracing.tracingComplete", lambda _: done.set())
    config = {"includedCategories": [TRACED], "excludedCategories": ["*"]}
    await devtools.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
    yield frames
    await devtools.send("Tracing.end")
    await done.wait()
    await devtools.detach()


async def six_tables(person: Person, url: str) -> None:
    """All of them open, and on the screen."""
    page = person.page
    await page.goto(url)
    lobby = page.get_by_role("link", name="Fullring, to the lobby")
    rows = page.get_by_role("main").get_by_role("link", name=re.compile("seats"))
    await expect(rows).to_have_count(TABLES)
    for number in range(TABLES):
        await rows.nth(number).click()
        await expect(page.get_by_role("article").first).to_be_visible()
        if number + 1 < TABLES:
            await lobby.click()
    await expect(person.felt).to_have_count(TABLES)


async def measure(browser: Browser, url: str, warm_s: float, seconds: float) -> None:
    context = await browser.new_context(viewport=DESKTOP)
    person = Person(context, await context.new_page())
    page = person.page
    await six_tables(person, url)
    await asyncio.sleep(warm_s)
    devtools = await context.new_cdp_session(page)
    await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = await look(devtools)
    heard = len(person.heard)
    await page.evaluate(COUNT)
    async with traced(browser) as frames:
        await asyncio.sleep(seconds)
    gaps = sorted(await page.evaluate("gaps"))
    heard = len(person.heard) - heard
    after = await look(devtools)
    await context.close()

    print(f"{WANTED}: {seconds:g} s on {TABLES} tables")
    print(f"  updates  {heard / seconds:6.1f} a second")
    print(f"  changed  {frames['DrawFrame'] / seconds:6.1f} frames a second, {frames['DroppedFrame']:,} dropped in all")
    print(
        f"  frames   {len(gaps) / seconds:6.1f} frames a second, 99 of 100 within {gaps[len(gaps) * 99 // 100]:.0f} ms"
    )
    print(f"  page     {(after.busy_s - before.busy_s) / seconds:6.1%} of a processor; {before}, then {after}")
    assert person.errors == [], person.errors


async def main(warm_s: float, seconds: float) -> None:
    expect.set_options(timeout=PATIENCE_S * 1_000)
    bots: dict[str, Any] = {"house_bots": 6, "bot_think_min_ms": THINK_MS, "bot_think_max_ms": THINK_MS}
    with tempfile.TemporaryDirectory(prefix="fullring-bench-") as folder:
        async with running(Path(folder), tables=TABLES, **bots) as room, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=build.chromium(), args=list(FLAGS))
            await measure(browser, room.url, warm_s, seconds)
            await browser.close()


if __name__ == "__main__":
    build.build()
    asyncio.run(main(*(map(float, sys.argv[1:3]) if sys.argv[1:] else (WARM_S, SECONDS))))

"""How much a browser must load before the first hand can be dealt."""

import pytest
from playwright.async_api import Response, expect

from tests.browser.scenes import Opens
from tests.server import Running

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIRST_LOAD_BYTES = 120_000
"""As they travel, packed."""


async def test_the_first_load_is_small(room: Running, opens: Opens) -> None:
    loaded: list[Response] = []

    def keep(answer: Response) -> None:
        loaded.append(answer)

    guest = await opens()
    guest.page.on("response", keep)
    await guest.page.goto(room.url)
    await expect(guest.button("Play now")).to_be_enabled()

    files = {answer.url: int(answer.headers["content-length"]) for answer in loaded if answer.status == 200}
    assert len(files) >= 3
    assert all(url.startswith(room.url) for url in files)
    assert sum(files.values()) < FIRST_LOAD_BYTES, files

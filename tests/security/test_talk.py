"""What players write is text: it can't pose as another, reorder, hide, pile up, or run in anybody's browser."""

import re

import pytest

from tests.security.askers import members
from tests.server import Running
from tests.shared import PROJECT

BROWSER = PROJECT / "client" / "web" / "src"
RUNS_TEXT = re.compile(
    r"\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:"
)
SCRIPT = "<img src=x onerror=alert(1)><script>alert(1)</script>"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("\u0410nna", 422),  # A Cyrillic letter among Latin ones.
        ("Anna\u200b", 422),
        ("An\u202ena", 422),
        ("A" + "\u0301" * 6, 422),
        ("ANNA", 409),
        ("\uff21nna", 409),
        ("Anna\u00a0", 409),
        ("\u0410\u043d\u043d\u0430", 201),  # All Cyrillic, and different to the eye.
        ("<b>Anna</b>", 201),
    ],
)
async def test_nobody_poses_as_anna(room: Running, name: str, status: int) -> None:
    await room.guest("Anna")
    async with room.http() as client:
        assert (await client.post("/guests", json={"name": name})).status_code == status


@pytest.mark.parametrize(
    "text", ["", " ", "x" * 301, "a\nb", "a\u202eb", "a\u2066b", "\x1b[31m", "e" + "\u0301" * 9, "\u200b"]
)
async def test_chat_that_does_more_than_show_is_refused(room: Running, text: str) -> None:
    table = await room.table()
    asker = (await members(room))[0]
    async with room.socket(asker.token) as socket:
        assert (await socket.asks("chat", table=table, text=text))["code"] == "bad_message"


async def test_markup_is_passed_on_as_the_text_that_it_is(room: Running) -> None:
    table = await room.table()
    guest = await room.guest("<b>Bo</b>")
    async with room.socket(guest.token) as socket:
        await socket.asks("watch", table=table)
        await socket.asks("sit", table=table, buy_in=1_000)
        assert (await socket.asks("chat", table=table, text=SCRIPT))["type"] == "ok"
        (said,) = (await socket.sees("chatted"))["events"]
    assert (said["name"], said["text"]) == ("<b>Bo</b>", SCRIPT)


def test_nothing_in_the_browser_takes_text_for_more_than_text() -> None:
    sources = [path for path in BROWSER.rglob("*") if path.suffix in {".svelte", ".ts", ".html"}]

    assert len(sources) > 30
    assert [path.name for path in sources if RUNS_TEXT.search(path.read_text("utf-8"))] == []

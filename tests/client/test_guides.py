"""Every block of docs/bots.md and README.md that says it was tried: run as it stands, in a process of its own, until it
has played a hand in a real room. Only the room's address is another.
"""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from fullring.bots.house import NAMES
from tests.server import Running, running

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000"
TRIED = re.compile(r"<!-- tried -->\n```python\n(.*?)```", re.DOTALL)
PLAYED_S = 60


def blocks(page: str) -> list[str]:
    return TRIED.findall((ROOT / page).read_text("utf-8"))


GUIDES = [
    pytest.param(block, id=f"{page} {number}")
    for page in ("README.md", "docs/bots.md")
    for number, block in enumerate(blocks(page), 1)
]


def test_every_python_block_says_that_it_was_tried() -> None:
    for page in ("README.md", "docs/bots.md"):
        assert len(blocks(page)) == (ROOT / page).read_text("utf-8").count("```python") > 0


def test_no_guide_gives_a_guest_a_name_as_its_second_run_would_be_refused_that() -> None:
    assert [block for page in ("README.md", "docs/bots.md") for block in blocks(page) if "guest(URL, " in block] == []


async def hand_played(room: Running, table: str) -> None:
    """Until a hand is over in which somebody who is no house bot has acted, and not by their clock."""
    async with room.socket() as socket:
        await socket.asks("watch", table=table)
        dealt: set[int] = set()
        acted: set[int] = set()
        while True:
            for event in (await socket.hears("update"))["events"]:
                match event["type"]:
                    case "hand_started":
                        dealt = {seat["seat"] for seat in event["seats"] if seat["name"] not in NAMES}
                        acted = set()
                    case "acted" if "auto" not in event:
                        acted.add(event["seat"])
                    case "hand_ended" if dealt & acted:
                        return


@pytest.mark.parametrize("block", GUIDES)
async def test_a_guide_plays_a_hand_as_it_is_written(tmp_path: Path, block: str) -> None:
    async with running(tmp_path, tables=1, house_bots=2) as room:
        assert ADDRESS in block
        script = tmp_path / "bot.py"
        script.write_text(block.replace(ADDRESS, room.url), "utf-8")
        (table,) = [row["id"] for row in room.site.room.summaries()]
        played = asyncio.create_task(hand_played(room, table))
        command = (sys.executable, "-I", "-W", "error", str(script))
        bot = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, stderr=asyncio.subprocess.PIPE)
        try:
            async with asyncio.timeout(PLAYED_S):
                await played
        finally:
            played.cancel()
            if bot.returncode is None:
                bot.kill()
            _, said = await bot.communicate()

    assert said.decode() == ""

"""Playing a hand, as people do."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import FloatRect, Locator, Route, expect

from fullring.table.commands import Pause
from fullring_client import CALL, CHECK
from tests.browser.company import Puppet, company
from tests.browser.conftest import PHONE
from tests.browser.dealer import Dealer
from tests.browser.person import Person, card_name
from tests.browser.scenes import Opens, deal, seated, table_for
from tests.fake_clock import FakeClock
from tests.server import Running, running

pytestmark = pytest.mark.asyncio(loop_scope="session")

ZOOMED = {"width": 720, "height": 450}
"""A window of 1440x900 at 200%."""
LINES_APART = """() => [170, 190, 210, 230, 250].flatMap((width) => {
  const side = document.querySelector('aside');
  side.style.width = `${width}px`;
  const top = (card) => Math.round(card.getBoundingClientRect().top);
  const heights = (line) => [...line.querySelectorAll('.card')].map(top);
  return [...side.querySelectorAll('li')].filter((line) => new Set(heights(line)).size > 1);
}).length"""
"""Lines of the log, at some widths, whose cards stand on two lines."""
LISTEN = """
window.told = [];
new MutationObserver(() => {
  for (const region of document.querySelectorAll('[aria-live]')) {
    if (region.textContent && told.at(-1) !== region.textContent) told.push(region.textContent);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""What a screen reader would have said."""


async def test_a_guest_is_in_a_hand_after_one_click_and_plays_on_to_a_showdown(opens: Opens, folder: Path) -> None:
    async with running(folder, tables=2, house_bots=4, bot_think_max_ms=50, hand_pause_ms=200) as room:
        guest = await opens(room.url)
        await guest.button("Play now").click()

        await expect(guest.felt.get_by_role("img", name=re.compile(" of ")).first).to_be_visible()
        await guest.plays_until(guest.log.get_by_text(re.compile("You (show|muck)")).first)

        assert re.search(r"(You win|\w+ wins) [\d,]+", await guest.log.inner_text())


async def test_two_browsers_play_each_other_and_see_only_their_own_cards(
    room: Running, opens: Opens, dealer: Dealer, clock: FakeClock
) -> None:
    table = await table_for(room)
    watcher = await opens(f"{room.url}/table/{table}")
    anna, bo = people = await seated(opens, room.url, table, "Anna", "Bo")
    await deal(clock)
    await anna.acts("Call 5")
    for street in (3, 4, 5):
        await bo.acts("Check")
        if street > 3:
            await anna.acts("Check")
        await expect(bo.board).to_have_count(street)
    await bo.acts(re.compile("^Bet"))
    await anna.acts("Fold")
    for person in (*people, watcher):
        await expect(person.log.get_by_text(re.compile("wins? 20"))).to_be_visible()

    holes = [person.updates()[-1]["you"]["cards"] for person in people]
    for person, name, mine in zip(people, ("Anna", "Bo"), holes, strict=True):
        assert await person.cards(name) == [card_name(card) for card in mine]
        others = dealer.others(mine, 2)
        assert len(others) == 2
        await sees_none(person, others)
    await sees_none(watcher, {card for mine in holes for card in mine})

    await anna.log.get_by_role("link", name="Hand 1, you have the button").click()
    await expect(anna.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    await expect(anna.page.get_by_text("Bo wins 20")).to_be_visible()


async def sees_none(person: Person, cards: set[str]) -> None:
    """Neither the page nor anything it has heard says one of these cards."""
    page = (await person.page.content()).lower()
    heard = "".join(person.heard)
    for card in cards:
        assert card_name(card) not in page
        assert f'"{card}"' not in heard


async def test_a_hand_on_a_phone(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room, seats=6)
    async with company(room, table, "Bo", "Cleo", "Dai", "Ewa", "Finn"):
        (anna,) = await seated(opens, room.url, table, "Anna", **PHONE)
        await deal(clock)
        for name in ("Fold", re.compile("^(Check|Call)"), re.compile("^(Bet|Raise)")):
            await expect(anna.controls.get_by_role("button", name=name)).to_be_in_viewport(ratio=0.99)
        for name in ("Anna", "Bo", "Cleo", "Dai", "Ewa", "Finn"):
            await expect(anna.place(name)).to_be_in_viewport(ratio=0.99)
        assert await anna.overflows() == 0

        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
        await expect(anna.board).to_have_count(5)
        await expect(anna.board.last).to_be_in_viewport(ratio=0.99)
        await anna.press(anna.button("Log and chat"))
        await expect(anna.log.get_by_text(re.compile("wins? "))).to_be_in_viewport()
        assert await anna.overflows() == 0


@pytest.mark.parametrize("size", ["320x568", "280x653", "640x360", "844x390"])
async def test_on_a_small_phone_all_that_a_turn_offers_is_in_sight(
    room: Running, opens: Opens, clock: FakeClock, size: str
) -> None:
    width, height = map(int, size.split("x"))
    anna = await opens(room.url, **{**PHONE, "viewport": {"width": width, "height": height}})
    table = await table_for(room, seats=6)
    await clock.advance(1_000)
    await expect(anna.page.get_by_role("link", name=re.compile("Magnolia"))).to_be_visible()
    assert await anna.overflows() == 0
    async with company(room, table, "Bo", "Cleo", "Dai"):
        await anna.page.goto(f"{room.url}/table/{table}")
        await anna.sits("Anna")
        await deal(clock)
        await expect(anna.controls.get_by_role("button", name="Fold")).to_be_enabled()
        amount = anna.controls.get_by_role("textbox", name="Amount in chips")
        offered = [*await anna.controls.get_by_role("button").all(), anna.controls.get_by_role("slider"), amount]
        assert len(offered) == 12
        for one in offered:
            await expect(one).to_be_in_viewport(ratio=0.99)
        assert overlapping([await box(one) for one in (*offered, anna.place("Anna"))]) == []

        await room.site.room.ask(table, Pause("the cleaner is in the room"))
        why = anna.page.get_by_text("Paused: the cleaner is in the room", exact=True)
        await expect(why).to_be_in_viewport(ratio=0.99)
        assert await why.evaluate("pill => pill.scrollWidth <= pill.clientWidth")
        assert await anna.overflows() == 0


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
async def test_many_digits_and_names_in_any_script_have_room(
    opens: Opens, folder: Path, dealer: Dealer, clock: FakeClock, options: Mapping[str, Any]
) -> None:
    stack, long = 987_654_321_098, "אברהם בן שלמה הכהן גדול"
    async with running(folder, shuffle=dealer, clock=clock, guest_chips=stack) as room:
        table = await table_for(
            room, seats=6, small_blind=5_000_000_000, big_blind=10_000_000_000, buy_in_min=stack, buy_in_max=stack
        )
        async with company(room, table, "Bo", long, "🦊 Fox", "Dai", "Ewa", buy_in=stack):
            (anna,) = await seated(opens, room.url, table, "Anna", **options)
            await deal(clock)
            amount = anna.controls.get_by_role("textbox", name="Amount in chips")
            await expect(amount).to_have_value("20000000000")
            assert await amount.evaluate("field => field.scrollWidth <= field.clientWidth")
            assert overlapping([await box(chips) for chips in await anna.felt.locator(".bet").all()]) == []
            for held in await anna.felt.locator(".stack").all():
                assert await held.evaluate("held => held.scrollWidth <= held.clientWidth")
            await expect(anna.place("Anna").get_by_title("987,654,321,098")).to_contain_text("987.7B")
            assert "\ufffd" not in await anna.felt.inner_text()
            begins = await anna.place(long).get_by_title(long).evaluate("name => getComputedStyle(name).direction")
            assert begins == "rtl"


async def box(locator: Locator) -> FloatRect:
    found = await locator.bounding_box()
    assert found
    return found


def overlapping(boxes: Sequence[FloatRect]) -> list[tuple[FloatRect, FloatRect]]:
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"]) > 1
        and min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"]) > 1
    ]


async def test_a_hand_at_200_percent_zoom(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room, seats=6)
    async with company(room, table, "Bo", "Cleo", "Dai"):
        (anna,) = await seated(opens, room.url, table, "Anna", viewport=ZOOMED)
        await deal(clock)
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
        await expect(anna.board).to_have_count(5)
        assert await anna.overflows() == 0


async def test_a_whole_hand_by_keyboard_and_ear(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    bo = Puppet()
    async with company(room, table, "Bo", bot=bo):
        anna = await opens()
        await anna.page.add_init_script(LISTEN)
        await anna.page.goto(room.url)
        await anna.tabs_to(anna.button("Play now"))
        await anna.page.keyboard.press("Enter")
        await expect(anna.button("Sit out")).to_be_visible()
        bo.does(*[CALL] * 2, *[CHECK] * 3)
        await deal(clock)

        raising = anna.controls.get_by_role("button", name=re.compile("^(Bet|Raise to) "))
        await expect(anna.alarm).to_have_text("Your turn. You can check.")
        await expect(raising).to_be_enabled()
        await anna.page.keyboard.press("s")
        mine = [card_name(card) for card in anna.updates()[-1]["you"]["cards"]]
        await expect(anna.happenings).to_contain_text(f"You hold {', '.join(mine)}. ")
        await expect(anna.happenings).to_contain_text("Bo: 990, 10 in front.")
        await expect(anna.happenings).to_contain_text(re.compile(r"\d+ seconds left"))
        for key in ("3", "ArrowUp", "r"):
            await anna.page.keyboard.press(key)
        for street in (3, 4, 5):
            await expect(anna.board).to_have_count(street)
            await expect(raising).to_be_enabled()
            await anna.page.keyboard.press("c")
        await expect(anna.happenings).to_contain_text("win")
        assert await anna.page.evaluate(LINES_APART) == 0

    acts = [(act["action"], act.get("to")) for act in anna.asked("act")]
    assert acts == [("raise", 40), ("check", None), ("check", None), ("check", None)]
    told = " ".join(await anna.page.evaluate("told"))
    board = [card_name(card) for card in anna.updates()[-1]["view"]["hand"]["board"]]
    assert f"Flop {', '.join(board[:3])}" in told
    assert f"Turn {board[3]}" in told
    assert f"River {board[4]}" in told
    assert "Bo calls 30" in told
    assert "You raise to 40" in told
    assert re.search("(Bo shows|You show) \\w+ of ", told)
    assert re.search("(Bo wins|You win) 80|win 40", told)


async def test_what_is_asked_for_again_is_said_again(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    (anna,) = await seated(opens, room.url, table, "Anna")
    await anna.page.keyboard.press("s")
    await expect(anna.happenings).to_contain_text("No hand is being played.")
    await anna.happenings.evaluate("""region => new MutationObserver(() => (region.dataset.said = 'again'))
        .observe(region, { subtree: true, childList: true, characterData: true })""")
    await anna.page.keyboard.press("s")
    await expect(anna.happenings).to_have_attribute("data-said", "again")


async def test_enter_held_down_acts_once(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    (anna,) = await seated(opens, room.url, table, "Anna")
    bo = Puppet()
    async with company(room, table, "Bo", bot=bo):
        await deal(clock)
        ready = anna.controls.get_by_role("button", name=re.compile("^(Call|Check)"), disabled=False)
        await anna.tabs_to(ready)
        await anna.page.keyboard.down("Enter")
        await expect(anna.page.get_by_role("group", name="In advance")).to_be_visible()
        await holds_on(anna)

        bo.does(CHECK, CHECK)
        await expect(anna.board).to_have_count(3)
        await expect(ready).to_be_focused()
        await holds_on(anna)
        await anna.page.get_by_role("textbox", name="Amount in chips").focus()
        await holds_on(anna)
        await anna.page.keyboard.up("Enter")
        await anna.acts("Check")
        await expect(anna.controls).to_have_count(0)

    assert [asked["action"] for type in ("act", "arm") for asked in anna.asked(type)] == ["call", "check"]


async def holds_on(person: Person) -> None:
    """The key that is down repeats itself."""
    for _ in range(3):
        await person.page.keyboard.down("Enter")


async def test_what_somebody_says_is_text_and_nothing_else(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    said = "<img src=x onerror=\"document.body.textContent='broken'\"><b>bold</b> &amp; [link](javascript:1)"
    async with company(room, table, "Bo") as (bo,):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await bo.chat(table, said)
        await anna.page.get_by_role("tab", name=re.compile("Chat")).click()
        chat = anna.page.get_by_role("tabpanel", name="Chat")
        await expect(chat).to_contain_text(said)
        assert await chat.locator("img, b b, a").count() == 0
        await anna.page.get_by_role("textbox", name="Say something").fill("<script>1</script>")
        await anna.page.keyboard.press("Enter")
        await expect(chat).to_contain_text("<script>1</script>")


async def test_what_was_read_is_not_counted_as_unread_again(room: Running, opens: Opens) -> None:
    table = await table_for(room)
    (anna,) = await seated(opens, room.url, table, "Anna")
    chat, hand = (anna.page.get_by_role("tab", name=re.compile(name)) for name in ("Chat", "Hand"))
    async with company(room, table, "Bo") as (bo,):
        await bo.chat(table, "good evening")
        await expect(chat).to_have_text("Chat1")
        await chat.click()
        await expect(anna.page.get_by_role("tabpanel", name="Chat")).to_contain_text("good evening")
        await expect(chat).to_have_text("Chat")
        await hand.click()
        await expect(chat).to_have_text("Chat")
        await bo.chat(table, "nobody there?")
        await expect(chat).to_have_text("Chat1")


async def test_a_hand_that_can_not_be_saved_says_why(room: Running, opens: Opens, clock: FakeClock) -> None:
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await deal(clock)
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
    hand = anna.updates()[-1]["view"]["hand"]["id"]
    await anna.page.goto(f"{room.url}/hand/{hand}")
    await anna.page.route("**/*.phh", lambda asked: asked.abort())
    await anna.button("Save as PHH").click()
    await expect(anna.page.get_by_role("alert")).to_have_text("The room cannot be reached")


async def test_a_hand_that_comes_late_does_not_stand_under_the_address_of_another(
    room: Running, opens: Opens, clock: FakeClock
) -> None:
    table = await table_for(room)
    async with company(room, table, "Bo"):
        (anna,) = await seated(opens, room.url, table, "Anna")
        await deal(clock)
        await anna.plays_until(anna.felt.get_by_text(re.compile(r"^\+\d")).first)
    hand = anna.updates()[-1]["view"]["hand"]["id"]
    asked: asyncio.Queue[Route] = asyncio.Queue()
    await anna.page.route(f"**/hands/{hand}", asked.put)
    await anna.page.goto(f"{room.url}/hand/{hand}")
    late = await asked.get()
    nothing = anna.page.get_by_role("heading", name="There is nothing here")
    await anna.page.evaluate("history.pushState(null, '', '/hand/none'); dispatchEvent(new PopStateEvent('popstate'))")
    await expect(nothing).to_be_visible()
    async with anna.page.expect_response(f"**/hands/{hand}") as answered:
        await late.continue_()
    await (await answered.value).finished()
    await anna.page.evaluate("new Promise(done => setTimeout(done))")
    await expect(nothing).to_be_visible()

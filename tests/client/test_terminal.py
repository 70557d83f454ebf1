import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import DataTable, RichLog, Static

from fullring_client.connection import Room
from fullring_client.terminal.app import Terminal
from fullring_client.terminal.entry import Entry
from fullring_client.terminal.lobby import LobbyScreen
from fullring_client.terminal.table import TableScreen
from tests.client.fakes import FakeClock, FakeRoom, Peer, fake_room
from tests.client.scenes import CALL_OR_RAISE, CHECK_OR_BET, hand, seat, turn, update, view, you
from tests.client.test_connection import AT_ONCE
from tests.wire.examples import TABLE, WELCOME

MY_TURN = view(seat(1, bet=20), seat(4), hand=hand(turn=turn(4)))
FREE_TURN = view(seat(1), seat(4), hand=hand(turn=turn(4, actions=CHECK_OR_BET)))
THEIR_TURN = view(seat(1), seat(4), hand=hand(turn=turn(1)))
BETWEEN = view(seat(1, holds=0, bet=0), seat(4, holds=0, bet=0))


class Player:
    """Somebody at the keyboard, and the room they play in."""

    def __init__(self, pilot: Pilot[str], app: Terminal, peer: Peer, clock: FakeClock, server: FakeRoom) -> None:
        self.pilot, self.app, self.peer, self.clock, self.server = pilot, app, peer, clock, server
        self._seq = 0

    @property
    def screen(self) -> TableScreen:
        screen = self.app.screen
        assert isinstance(screen, TableScreen)
        return screen

    async def sees(self, shown: dict[str, Any], **changes: Any) -> None:
        """The room sends an update, and it is on the screen."""
        before = self.screen.spot
        self._seq += 1
        await self.peer.says(**update(self._seq, shown, **changes))
        await self.until(lambda: self.screen.spot is not before)

    async def until(self, so: Callable[[], bool]) -> None:
        while not so():
            await self.pilot.pause()

    async def presses(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def line(self, id: str) -> str:
        return str(self.screen.query_one(f"#{id}", Static).render())

    def log(self) -> str:
        return "\n".join(strip.text for strip in self.screen.query_one(RichLog).lines)


@asynccontextmanager
async def at_the_table(**welcome: Any) -> AsyncIterator[Player]:
    async with at_the_keyboard("t1", **welcome) as player:
        await player.peer.agrees("watch")  # The lobby's.
        await player.peer.agrees("watch")
        await player.sees(BETWEEN)
        yield player


@asynccontextmanager
async def at_the_keyboard(table: str | None, **welcome: Any) -> AsyncIterator[Player]:
    clock = FakeClock()
    async with fake_room() as server:
        room = Room(server.url, "secret", clock=clock, backoff=AT_ONCE)
        _, peer = await asyncio.gather(room.__aenter__(), server.welcomes(**welcome))
        app = Terminal(room, table)
        async with app.run_test(size=(80, 24)) as pilot:
            yield Player(pilot, app, peer, clock, server)
        await room.__aexit__(None, None, None)


async def test_the_table_shows_everything_a_player_needs_in_80_by_24() -> None:
    async with at_the_table() as player:
        shown = view(
            seat(1, name="Zoë 🂡", bet=60, last_action="raise", kind="bot"),
            seat(4, name="[b]Anna[/b]"),
            seat(5, state="folded", bet=0, holds=0),
            seat(6, state="all_in", stack=0, cards=["2c", "2d"], holds=0, connected=False),
            hand=hand(
                street="flop", board=["2h", "7c", "Td"], turn=turn(4), pots=[{"amount": 1200, "eligible": [1, 4]}]
            ),
        )
        rank = {"category": "high_card", "cards": ["As"], "text": "ace high"}
        await player.sees(shown, you=you("As", "Kd", rank=rank))
        picture = player.line("table")
        for part in ("Zoë 🂡 (bot) Ⓓ", "▸ [b]Anna[/b]", "990", "● 60", "raise", "folded", "offline", "A♠ K♦", "2♣ 2♦"):
            assert part in picture, part
        for part in ("2♥  7♣  10♦", "pot 1,200", "ace high", "seat 2: free"):
            assert part in picture, part
        assert "Magnolia · no-limit hold'em 5/10 · hand 1" in player.line("head")
        assert player.line("head").endswith(" Anna")
        assert player.line("keys") == "f fold · c call 10 · r raise to 20 to 1,000 · a all-in 1,000"
        assert "Your turn" in player.line("clock")
        assert player.app.screen.size.height == 24
        assert player.screen.query_one("#keys").region.bottom == 24
        assert player.screen.query_one(RichLog).size.height >= 4


async def test_the_clock_counts_down_on_the_rooms_time() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        assert "30 s" in player.line("clock")
        assert "█" * 20 in player.line("clock")
        player.clock.move(7.5)
        player.screen.tick()
        assert " 23 s · time bank 30 s" in player.line("clock")
        late = turn(4) | {"deadline": player.app.room.server_ms - 1}
        await player.sees(view(hand=hand(turn=late)), you=you("As", "Kd"))
        assert " 0 s" in player.line("clock")
        await player.sees(THEIR_TURN, you=you("As", "Kd"))
        assert player.line("clock").startswith("Player 1 to act")


async def test_a_key_answers_the_turn() -> None:
    answers: list[tuple[list[str], dict[str, Any], dict[str, Any]]] = [
        (["f"], CALL_OR_RAISE, {"action": "fold"}),
        (["c"], CALL_OR_RAISE, {"action": "call"}),
        (["c"], CHECK_OR_BET, {"action": "check"}),
        (["f", "f"], CHECK_OR_BET, {"action": "fold"}),
        (["a", "a"], CALL_OR_RAISE, {"action": "all_in"}),
        (["r", *"60", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 60}),
        (["b", *"60", "enter"], CHECK_OR_BET, {"action": "bet", "to": 60}),
        (["r", *"pot", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 60}),
        (["r", *"min", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 20}),
        (["r", *"max", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 1000}),
        (["r", *"1/2", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 40}),
        (["r", *"5bb", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 50}),
        (["r", "up", "up", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 40}),
        (["r", "up", "up", "up", "down", "enter"], CALL_OR_RAISE, {"action": "raise", "to": 40}),
    ]
    async with at_the_table() as player:
        for number, (keys, actions, sent) in enumerate(answers):
            asked = turn(4, f"h1-{number}", actions)
            await player.sees(view(seat(1, bet=20), seat(4), hand=hand(turn=asked)), you=you("As", "Kd"))
            await player.presses(*keys)
            heard = await player.peer.agrees("act")
            assert heard == {"type": "act", "id": heard["id"], "table": "t1", "hand": "h1", "turn": asked["id"]} | sent


async def test_a_limit_raise_needs_no_amount() -> None:
    async with at_the_table() as player:
        limit = turn(4, actions={"fold": True, "check": False, "call": 10, "raise": {"min": 20, "max": 20}})
        await player.sees(view(hand=hand(turn=limit)), you=you("As", "Kd"))
        await player.presses("r")
        assert (await player.peer.agrees("act"))["to"] == 20


async def test_what_cannot_be_taken_back_is_asked_twice() -> None:
    async with at_the_table() as player:
        await player.sees(FREE_TURN, you=you("As", "Kd"))
        await player.presses("f")
        assert player.line("told") == "checking is free: f again folds all the same"
        await player.presses("a")
        assert player.line("told") == "a again goes all-in for 990"
        await player.sees(view(hand=hand(turn=turn(4, "h1-2", CHECK_OR_BET))), you=you("As", "Kd"))
        await player.presses("a", "c")
        assert (await player.peer.agrees("act"))["action"] == "check"


async def test_an_amount_that_is_not_allowed_is_not_sent() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        for typed, told in [
            ("5", "5 is not between 20 and 1,000"),
            ("1001", "1,001 is not between 20 and 1,000"),
            ("lots", "lots is not an amount: type a number, or min, 1/2, 2/3, pot, max, 3bb"),
            ("-5", "-5 is not an amount: type a number, or min, 1/2, 2/3, pot, max, 3bb"),
        ]:
            await player.presses("r", *typed, "enter")
            assert player.line("told") == told
        await player.presses("c")
        assert (await player.peer.agrees("act"))["action"] == "call"


async def test_an_amount_begun_is_dropped_when_the_turn_is_over() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        await player.presses("r", "6")
        assert player.screen.query_one(Entry).display
        await player.sees(THEIR_TURN, you=you("As", "Kd"))
        assert not player.screen.query_one(Entry).display


async def test_an_action_looks_pending_until_the_room_agrees_and_a_refusal_is_shown() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        await player.presses("c")
        assert player.line("told") == "call …"
        await player.peer.refuses("act", "stale_turn", "that turn is over")
        await player.until(lambda: player.line("told") == "that turn is over")
        await player.presses("f")
        await player.peer.agrees("act")
        await player.until(lambda: player.line("told") == "")


async def test_before_the_turn_keys_decide_ahead_and_take_it_back() -> None:
    async with at_the_table() as player:
        await player.sees(THEIR_TURN, you=you("As", "Kd"))
        await player.presses("f")
        heard = await player.peer.agrees("arm")
        assert (heard["hand"], heard["action"], "to_call" in heard) == ("h1", "check_fold", False)
        await player.sees(THEIR_TURN, you=you("As", "Kd", armed={"action": "check_fold", "to_call": 40}))
        assert player.line("keys") == "armed: check or fold · the same key takes it back"
        await player.presses("f")
        assert (await player.peer.agrees("disarm"))["hand"] == "h1"
        await player.sees(view(seat(1, bet=50), seat(4), hand=hand(turn=turn(1))), you=you("As", "Kd", to_call=40))
        await player.presses("c")
        heard = await player.peer.agrees("arm")
        assert (heard["action"], heard["to_call"]) == ("call", 40)
        await player.sees(THEIR_TURN, you=you("As", "Kd"))
        await player.presses("c")
        assert (await player.peer.agrees("arm"))["action"] == "check"


async def test_behind_a_short_big_blind_the_price_is_the_rooms() -> None:
    seats = seat(1, bet=0), seat(4, stack=995, bet=5), seat(5, stack=0, bet=3, state="all_in")
    async with at_the_table() as player:
        await player.sees(view(*seats, hand=hand(turn=turn(1))), you=you("As", "Kd", to_call=5))
        await player.presses("c")
        heard = await player.peer.agrees("arm")
        assert (heard["action"], heard["to_call"]) == ("call", 5)
        mine = turn(4, "h1-2", CALL_OR_RAISE | {"call": 5})
        await player.sees(view(*seats, hand=hand(turn=mine)), you=you("As", "Kd"))
        await player.presses("r", *"pot", "enter")
        assert (await player.peer.agrees("act"))["to"] == 10 + 13


async def test_keys_that_mean_nothing_now_say_so() -> None:
    async with at_the_table() as player:
        await player.presses("f")
        assert player.line("told") == "it is not your turn"
        await player.presses("r")
        assert player.line("told") == "there is nothing to bet or raise now"
        await player.presses("a")
        assert player.line("told") == "you can't go all-in now"
        await player.presses("t", "l", "v")


async def test_sitting_down_offers_the_largest_buy_in() -> None:
    async with at_the_table() as player:
        await player.presses("s")
        assert player.screen.query_one(Entry).placeholder == "buy in for 200 to 1,000"
        await player.presses("enter")
        assert (await player.peer.agrees("sit"))["buy_in"] == 1000
        await player.presses("s", "x", "enter")
        assert player.line("told") == "x is not a number of chips"
        await player.presses("s", "escape")
        assert not player.screen.query_one(Entry).display


async def test_a_seats_life_has_its_keys() -> None:
    async with at_the_table() as player:
        await player.sees(BETWEEN, you=you(waiting="big_blind"))
        assert player.line("keys").startswith("p post now · s sit out")
        await player.presses("p")
        assert (await player.peer.agrees("sit_in"))["post_now"]
        await player.presses("s")
        await player.peer.agrees("sit_out")
        await player.sees(view(seat(4, state="sitting_out", stack=300, holds=0, bet=0)), you=you())
        await player.presses("s")
        assert not (await player.peer.agrees("sit_in"))["post_now"]
        await player.presses("t", "enter")
        assert (await player.peer.agrees("top_up"))["amount"] == 700
        await player.presses("l")
        assert player.line("told") == "l again gets up from the table"
        await player.presses("l")
        await player.peer.agrees("leave")


async def test_cards_may_be_shown_after_the_hand() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        await player.sees(BETWEEN, you=you())
        await player.presses("v")
        heard = await player.peer.agrees("show")
        assert (heard["hand"], heard["cards"]) == ("h1", ["As", "Kd"])


async def test_chat_is_typed_and_read_as_text() -> None:
    async with at_the_table() as player:
        await player.presses("slash", *"nice [b]", "enter")
        assert (await player.peer.agrees("chat"))["text"] == "nice [b]"
        said = {"type": "chatted", "account": "a1", "name": "[red]Bo", "text": "[b]hi[/b] <script>"}
        await player.sees(BETWEEN, events=[said])
        assert "[red]Bo: [b]hi[/b] <script>" in player.log()


async def test_a_spectator_is_told_how_to_play() -> None:
    async with at_the_keyboard("t1") as player:
        player.app.room.welcome = None
        await player.peer.agrees("watch")
        await player.peer.agrees("watch")
        await player.sees(BETWEEN)
        assert player.line("head").endswith("looking on")
        await player.presses("s")
        assert player.line("told") == "you are looking on: start with --name to play"


async def test_a_lost_connection_is_said_and_play_goes_on_after_it() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN, you=you("As", "Kd"))
        player.peer.drops()
        peer = await player.server.meets()
        await player.until(lambda: not player.app.room.connected)
        player.screen.tick()
        assert "The connection is lost" in player.line("clock")
        await peer.welcomes()
        for _ in range(2):
            await peer.agrees("watch")
        player.peer = peer
        await player.sees(MY_TURN, you=you("As", "Kd"), lost=True)
        assert "Your turn" in player.line("clock")
        assert "some of what happened was missed" in player.log()
        await player.presses("c")
        await peer.agrees("act")


async def test_a_paused_table_shows_why_and_no_clock_and_what_the_room_announces_is_in_the_log() -> None:
    async with at_the_table() as player:
        await player.sees(MY_TURN | {"status": "paused", "reason": "the log can't be written"}, you=you("As", "Kd"))
        assert player.line("clock") == "the log can't be written"
        await player.peer.says(type="notice", kind="restart", at=1, text="back in a minute")
        await player.sees(MY_TURN, you=you("As", "Kd"))
        assert "back in a minute" in player.log()


async def test_another_session_ends_this_one_and_says_so() -> None:
    async with at_the_table() as player:
        await player.peer.closes(4003)
        await player.until(lambda: player.app.return_value is not None)
        assert player.app.return_value == "replaced"


async def test_help_is_in_the_log() -> None:
    async with at_the_table() as player:
        await player.presses("question_mark")
        assert "v shows your cards after a hand" in player.log()


async def test_the_lobby_lists_tables_live_and_opens_one() -> None:
    async with at_the_keyboard(None) as player:
        assert (await player.peer.agrees("watch"))["table"] == "lobby"
        lobby = player.app.screen
        assert isinstance(lobby, LobbyScreen)
        rows = lobby.query_one(DataTable)
        other = TABLE | {"id": "t2", "name": "[b]Oak[/b]", "taken": 6, "waiting": 2, "game": "flhe"}
        await player.peer.says(**update(1, {"tables": [TABLE, other]}, table="lobby"))
        await player.until(lambda: rows.row_count == 2)
        cells = [str(cell) for cell in rows.get_row("t2")]
        assert cells == ["[b]Oak[/b]", "fixed-limit hold'em", "5/10", "200 to 1,000", "6/6 +2", "playing"]
        await player.presses("down")
        await player.peer.says(**update(2, {"tables": [TABLE, other | {"taken": 5}]}, table="lobby"))
        await player.until(lambda: str(rows.get_row("t2")[4]) == "5/6 +2")
        await player.presses("enter")
        assert (await player.peer.agrees("watch"))["table"] == "t2"
        await player.presses("L")
        await player.until(lambda: player.app.screen is lobby)
        assert (await player.peer.hears())["type"] == "unwatch"


async def test_the_cursor_stays_on_its_table_when_another_goes() -> None:
    async with at_the_keyboard(None) as player:
        await player.peer.agrees("watch")
        rows = player.app.screen.query_one(DataTable)
        tables = [TABLE | {"id": id} for id in ("t1", "t2", "t3")]
        await player.peer.says(**update(1, {"tables": tables}, table="lobby"))
        await player.until(lambda: rows.row_count == 3)
        await player.presses("down")
        await player.peer.says(**update(2, {"tables": tables[1:]}, table="lobby"))
        await player.until(lambda: rows.row_count == 2)
        await player.presses("enter")
        assert (await player.peer.agrees("watch"))["table"] == "t2"


async def test_a_table_that_is_gone_leads_back_to_the_lobby() -> None:
    async with at_the_keyboard("gone") as player:
        await player.peer.agrees("watch")
        await player.peer.refuses("watch", "not_found", "there is no table [gone]")
        await player.until(lambda: isinstance(player.app.screen, LobbyScreen))


async def test_quitting_leaves_quietly() -> None:
    async with at_the_table() as player:
        await player.presses("q")
        await player.until(lambda: not player.app.is_running)
        assert player.app.return_value is None


def test_the_welcome_of_these_tests_has_the_clock_the_scenes_count_on() -> None:
    assert WELCOME["time"] == 1795968000000

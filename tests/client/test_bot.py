import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from fullring.wire.server import Update
from fullring.wire.view import TableView, You
from fullring_client.bot import CALL, Action, Bot, Played, play, raise_to
from fullring_client.bots.calling import calling_station
from fullring_client.connection import Room
from fullring_client.errors import Refused
from tests.client.fakes import FakeRoom, Peer, fake_room
from tests.client.scenes import hand, seat, turn, update, view, you
from tests.client.test_connection import AT_ONCE

NO_CHIPS = view(seat(1), seat(4, stack=0, bet=0, state="waiting", holds=0))


@asynccontextmanager
async def playing(
    bot: Bot = calling_station, *, rebuys: int | None = 0, hands: int | None = None
) -> AsyncIterator[tuple[Peer, "asyncio.Task[Played]", FakeRoom]]:
    async with fake_room() as server:
        room = Room(server.url, "secret", backoff=AT_ONCE)
        _, peer = await asyncio.gather(room.__aenter__(), server.welcomes())
        task = asyncio.create_task(play(room, "t1", bot, buy_in=500, rebuys=rebuys, hands=hands))
        await peer.agrees("watch")
        yield peer, task, server
        task.cancel()
        await asyncio.wait([task])
        await room.__aexit__(None, None, None)


async def test_a_bot_sits_down_and_answers_its_turns_and_no_others() -> None:
    async with playing() as (peer, task, _):
        await peer.says(**update(1))
        sit = await peer.agrees("sit", seat=4)
        assert (sit["buy_in"], sit["post_now"]) == (500, True)
        await peer.says(**update(2, view(hand=hand(turn=turn(1))), you=you("As", "Kd")))
        await peer.says(**update(3, view(hand=hand(turn=turn(4, "h1-2"))), you=you("As", "Kd")))
        act = await peer.agrees("act", seq=4)
        assert (act["hand"], act["turn"], act["action"]) == ("h1", "h1-2", "call")
        assert "to" not in act
        assert not task.done()


async def test_an_account_that_sits_there_already_plays_on() -> None:
    async with playing() as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")


async def test_a_turn_is_answered_once_however_often_it_is_seen() -> None:
    async with playing() as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")
        await peer.says(**update(2, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.says(**update(3, view(hand=hand(turn=turn(4, "h1-3"))), you=you("As", "Kd")))
        assert (await peer.agrees("act"))["turn"] == "h1-3"


async def test_a_bot_may_take_its_time() -> None:
    asked = asyncio.Event()
    decided = asyncio.Event()

    async def thinker(view: TableView, you: You) -> Action:
        asked.set()
        await decided.wait()
        return raise_to(60)

    async with playing(thinker) as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await asked.wait()
        decided.set()
        act = await peer.agrees("act")
        assert (act["action"], act["to"]) == ("raise", 60)


async def test_a_mistaken_bot_checks_or_folds_instead() -> None:
    async with playing(lambda view, you: raise_to(1)) as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.refuses("act", "bad_amount")
        assert (await peer.agrees("act"))["action"] == "fold"
        free = turn(4, "h1-2", {"fold": True, "check": True})
        await peer.says(**update(2, view(hand=hand(turn=free)), you=you("As", "Kd")))
        await peer.refuses("act", "illegal_action")
        assert (await peer.agrees("act"))["action"] == "check"


async def test_a_turn_that_was_refused_for_no_fault_of_the_bots_is_answered_again() -> None:
    async with playing() as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.refuses("act", "table_paused")
        await peer.says(**update(2, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")


async def test_a_turn_that_is_over_is_let_go() -> None:
    async with playing() as (peer, _, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.refuses("act", "stale_turn")
        await peer.says(**update(2, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.says(**update(3, view(hand=hand(turn=turn(4, "h1-9"))), you=you("As", "Kd")))
        assert (await peer.agrees("act"))["turn"] == "h1-9"


async def test_after_so_many_hands_a_bot_gets_up_once_its_hand_is_over() -> None:
    async with playing(hands=2) as (peer, task, _):
        for number in (1, 2):
            await peer.says(
                **update(number, view(hand=hand(f"h{number}", turn=turn(4, f"t{number}"))), you=you("As", "Kd"))
            )
            await peer.agrees("act")
        await peer.says(**update(3, view(), you=you()))
        await peer.agrees("leave")
        await peer.agrees("unwatch")
        assert await task == Played(2, "done")


async def test_a_hand_is_over_when_it_ends_though_it_stays_on_the_table() -> None:
    async with playing(hands=1) as (peer, task, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")
        ended = {"type": "hand_ended", "hand": "h1", "stacks": [], "rake": 0}
        await peer.says(**update(2, view(hand=hand()), you=you("As", "Kd"), events=[ended]))
        await peer.agrees("leave")
        assert await task == Played(1, "done")


async def test_a_bot_dealt_into_one_hand_too_many_gets_up_from_it() -> None:
    async with playing(hands=1) as (peer, task, _):
        await peer.says(**update(1, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")
        await peer.says(**update(2, view(hand=hand("h2", turn=turn(4, "h2-1"))), you=you("2c", "7d")))
        await peer.agrees("leave")
        assert (await task).end == "done"


async def test_a_bot_without_chips_gets_up() -> None:
    async with playing() as (peer, task, _):
        await peer.says(**update(1, NO_CHIPS, you=you()))
        await peer.agrees("leave")
        assert await task == Played(0, "busted")


async def test_a_bot_all_in_is_not_without_chips() -> None:
    async with playing() as (peer, _, _):
        all_in = view(seat(1), seat(4, stack=0, bet=0, state="all_in"), hand=hand(street="river"))
        await peer.says(**update(1, all_in, you=you("As", "Kd")))
        await peer.says(**update(2, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")


async def test_a_bot_buys_in_again_as_often_as_it_may() -> None:
    async with playing(rebuys=1) as (peer, task, _):
        await peer.says(**update(1, NO_CHIPS, you=you()))
        assert (await peer.agrees("top_up"))["amount"] == 500
        await peer.says(**update(2, NO_CHIPS, you=you()))
        await peer.says(**update(3, view(), you=you()))
        await peer.says(**update(4, NO_CHIPS, you=you()))
        await peer.agrees("leave")
        assert await task == Played(0, "busted")


async def test_a_bot_that_cannot_pay_another_buy_in_gets_up() -> None:
    async with playing(rebuys=None) as (peer, task, _):
        await peer.says(**update(1, NO_CHIPS, you=you()))
        await peer.refuses("top_up", "insufficient_chips")
        await peer.agrees("leave")
        assert (await task).end == "busted"


@pytest.mark.parametrize("code", ["table_paused", "closing", "rate_limited"])
async def test_a_bot_whose_buy_in_was_not_even_considered_asks_again(code: str) -> None:
    async with playing(rebuys=1) as (peer, task, _):
        await peer.says(**update(1, NO_CHIPS, you=you()))
        await peer.refuses("top_up", code)
        await peer.says(**update(2, NO_CHIPS, you=you()))
        await peer.agrees("top_up")
        await peer.says(**update(3, view(), you=you()))
        await peer.says(**update(4, NO_CHIPS, you=you()))
        await peer.agrees("leave")
        assert await task == Played(0, "busted")


async def test_a_bot_that_was_put_out_sits_in_again_and_asks_no_more_than_now_and_then() -> None:
    out = view(seat(1), seat(4, state="sitting_out", holds=0, bet=0))
    async with playing() as (peer, _, _):
        for seq in range(1, 21):
            await peer.says(**update(seq, out, you=you()))
            if seq == 1:
                await peer.agrees("sit_in")
        await peer.says(**update(21, out, you=you()))
        await peer.agrees("sit_in")


async def test_a_bot_whose_sit_in_was_refused_asks_again_where_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullring_client.bot.SIT_IN_AGAIN_S", 0.01)
    async with playing() as (peer, _, _):
        await peer.says(**update(1, view(seat(1), seat(4, state="sitting_out", holds=0, bet=0)), you=you()))
        await peer.refuses("sit_in", "rate_limited")
        await peer.refuses("sit_in", "table_paused")
        await peer.agrees("sit_in")


async def test_a_bot_whose_buy_in_was_put_off_asks_again_where_nothing_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fullring_client.bot.SIT_IN_AGAIN_S", 0.01)
    async with playing(rebuys=1) as (peer, _, _):
        await peer.says(**update(1, NO_CHIPS, you=you()))
        await peer.refuses("top_up", "rate_limited")
        await peer.refuses("top_up", "table_paused")
        await peer.agrees("top_up")


async def test_a_bot_that_lost_its_seat_takes_another_if_it_may() -> None:
    async with playing(rebuys=1) as (peer, task, _):
        await peer.says(**update(1, view(), you=you()))
        await peer.says(**update(2, view()))
        await peer.agrees("sit", seat=5)
        await peer.says(**update(3, view()))
        await peer.says(**update(4, view(), you=you(seat=5)))
        await peer.says(**update(5, view()))
        assert await task == Played(0, "seat lost")


async def test_without_a_free_seat_there_is_nothing_to_play() -> None:
    async with playing() as (peer, task, _):
        await peer.says(**update(1))
        await peer.refuses("sit", "table_full")
        with pytest.raises(Refused, match="table_full"):
            await task


async def test_a_closed_table_ends_the_bots_day() -> None:
    async with playing() as (peer, task, _):
        await peer.says(**update(1, events=[{"type": "table_closed", "reason": "closing time"}]))
        assert await task == Played(0, "table closed")


async def test_a_table_closed_while_the_bot_was_away_ends_its_day_too() -> None:
    async with playing() as (peer, task, server):
        await peer.says(**update(7, view(), you=you()))
        peer.drops()
        peer = await server.welcomes()
        await peer.refuses("watch", "not_found", "there is no such table")
        assert await task == Played(0, "table closed")


async def test_a_bot_resumes_by_itself_after_a_drop_in_its_own_turn() -> None:
    async with playing() as (peer, _, server):
        mine = view(hand=hand(turn=turn(4)))
        await peer.says(**update(7, mine, you=you("As", "Kd")))
        asked = await peer.hears("act")
        peer.drops()
        peer = await server.welcomes()
        assert (await peer.agrees("watch"))["since"] == {"epoch": 1, "seq": 7}
        await peer.says(**update(7, mine, you=you("As", "Kd")))
        assert await peer.agrees("act") == asked
        await peer.says(**update(9, view(hand=hand(turn=turn(4, "h1-2"))), you=you("As", "Kd")))
        assert (await peer.agrees("act"))["turn"] == "h1-2"


async def test_an_observing_bot_sees_every_update_and_acts_on_the_newest() -> None:
    class Observing:
        def __init__(self) -> None:
            self.seen: list[int] = []

        def observe(self, update: Update) -> None:
            self.seen.append(update.seq)

        def __call__(self, view: TableView, you: You) -> Action:
            return CALL

    bot = Observing()
    async with playing(bot) as (peer, _, _):
        for seq in range(1, 6):
            await peer.says(**update(seq, you=you("As", "Kd")))
        await peer.says(**update(6, view(hand=hand(turn=turn(4))), you=you("As", "Kd")))
        await peer.agrees("act")
    assert bot.seen == [1, 2, 3, 4, 5, 6]


async def test_the_lobby_is_no_table() -> None:
    async with playing() as (peer, task, _):
        await peer.says(**update(1, {"tables": []}))
        with pytest.raises(ValueError, match="lobby"):
            await task

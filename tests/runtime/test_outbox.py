"""What waits for a connection, and what becomes of a reader that is too slow."""

from typing import Any

import pytest

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.audience import RING_UPDATES, WATCHED_MAX, Audience, Encoder, Since, View, You
from fullring.runtime.meter import Meter
from fullring.runtime.outbox import REPLIES_MAX, STALLED_MS, Outbox
from fullring.table.ids import AccountId
from fullring.wire.codec import frame
from tests.fake_clock import START, FakeClock
from tests.runtime.house import ENCODER, Listener

ANNA, BO = AccountId("anna"), AccountId("bo")
ANSWER = frame(b'{"type":"ok","re":"1"}')


class Play:
    """Something to see: a counter, and what each of the seated has of its own."""

    def __init__(self) -> None:
        self.count = 0
        self.looks = 0
        self.own: dict[AccountId, int] = {}

    def view(self) -> View:
        self.looks += 1
        return {"count": self.count}

    def yours(self) -> dict[AccountId, You]:
        return {account: {"own": own} for account, own in self.own.items()}


class Theatre:
    """An audience of a play that goes on when it is told to."""

    def __init__(self, name: str = "t1", epoch: int = 1) -> None:
        self.clock = FakeClock()
        self.play = Play()
        self.audience = Audience(name, epoch, 0, START, self.play, ENCODER)

    def go_on(self, times: int = 1) -> None:
        for _ in range(times):
            self.play.count += 1
            self.audience.publish(self.play.count, START + self.play.count, [{"type": "went", "to": self.play.count}])

    def visitor(self, account: AccountId | None = None, since: Since | None = None) -> Listener:
        visitor = Listener(self.clock, account)
        self.audience.watch(visitor.outbox, since)
        return visitor


def seqs(visitor: Listener) -> list[int]:
    return [update["seq"] for update in visitor.heard]


def test_a_watcher_gets_what_was_accepted_then_the_view_then_every_update_in_order() -> None:
    theatre = Theatre()
    theatre.go_on(2)
    visitor = Listener(theatre.clock)

    theatre.audience.watch(visitor.outbox, accepted=ANSWER)
    theatre.go_on(3)

    assert visitor.heard[0] == {"type": "ok", "re": "1"}
    assert visitor.heard[1] == {
        "type": "update", "table": "t1", "epoch": 1, "seq": 2, "at": START + 2, "events": [], "view": {"count": 2},
    }  # fmt: skip
    assert [update["seq"] for update in visitor.heard[2:]] == [3, 4, 5]
    assert [update["events"][0]["to"] for update in visitor.heard[2:]] == [3, 4, 5]


def test_the_public_part_is_encoded_once_for_everybody_and_not_at_all_for_nobody() -> None:
    theatre, encoded = Theatre(), list[Any]()

    def encode(message: Any) -> bytes:
        if "view" in message:
            encoded.append(message)
        return ENCODER.encode(message)

    counting = Encoder(encode, ENCODER.frame, ENCODER.joiner)
    theatre.audience = Audience("t1", 1, 0, START, theatre.play, counting)
    theatre.go_on()
    assert (encoded, theatre.play.looks) == ([], 0)

    theatre.play.own = {ANNA: 1}
    for account in (None, None, ANNA, BO):
        theatre.visitor(account)
    encoded.clear()
    theatre.play.looks = 0
    theatre.go_on()

    assert len(encoded) == 1
    assert theatre.play.looks == 1


def test_only_the_seated_account_gets_its_own_part_and_the_rest_get_the_same_bytes() -> None:
    theatre = Theatre()
    theatre.play.own = {ANNA: 7}
    anna, bo, nobody = theatre.visitor(ANNA), theatre.visitor(BO), theatre.visitor()
    theatre.go_on()

    assert [update["you"] for update in anna.heard] == [{"own": 7}] * 2
    assert all("you" not in update for update in bo.heard + nobody.heard)
    assert bo.frames[-1] is nobody.frames[-1]


def test_an_own_part_that_stays_the_same_is_not_encoded_again() -> None:
    theatre, encoded = Theatre(), list[Any]()

    def encode(message: Any) -> bytes:
        if "own" in message:
            encoded.append(message)
        return ENCODER.encode(message)

    mine = {"own": 1}
    theatre.play.yours = lambda: {ANNA: mine}  # type: ignore[method-assign]  # The scene shows the same object again.
    theatre.audience = Audience("t1", 1, 0, START, theatre.play, Encoder(encode, ENCODER.frame, ENCODER.joiner))
    anna = theatre.visitor(ANNA)
    theatre.go_on(3)
    mine = {"own": 2}
    theatre.go_on(3)

    assert encoded == [{"own": 1}, {"own": 2}]
    assert [update["you"]["own"] for update in anna.heard] == [1, 1, 1, 1, 2, 2, 2]


def test_a_refresh_reaches_that_account_alone_with_the_same_number_and_no_events() -> None:
    theatre = Theatre()
    theatre.play.own = {ANNA: 1, BO: 2}
    anna, bo = theatre.visitor(ANNA), theatre.visitor(BO)
    theatre.play.own[ANNA] = 3

    theatre.audience.refresh(ANNA)

    assert anna.heard[-1]["you"] == {"own": 3}
    assert (anna.heard[-1]["seq"], anna.heard[-1]["events"]) == (0, [])
    assert len(anna.heard) == 2
    assert len(bo.heard) == 1


def test_who_comes_back_gets_the_events_missed_in_one_update() -> None:
    theatre = Theatre()
    theatre.go_on(5)

    back = theatre.visitor(since=Since(1, 2))

    assert [event["to"] for event in back.heard[0]["events"]] == [3, 4, 5]
    assert "lost" not in back.heard[0]
    assert theatre.visitor(since=Since(1, 5)).heard[0]["events"] == []


def test_who_comes_back_too_late_is_told_that_events_are_lost_and_gets_those_still_held() -> None:
    theatre = Theatre()
    theatre.go_on(RING_UPDATES + 10)

    back = theatre.visitor(since=Since(1, 5))

    assert back.heard[0]["lost"] is True
    assert [event["to"] for event in back.heard[0]["events"]] == list(range(11, RING_UPDATES + 11))


@pytest.mark.parametrize("since", [Since(0, 1), Since(2, 1), Since(1, 99)])
def test_who_comes_from_another_history_is_told_that_events_are_lost(since: Since) -> None:
    theatre = Theatre()
    theatre.go_on(3)

    update = theatre.visitor(since=since).heard[0]

    assert (update["events"], update["lost"], update["view"]) == ([], True, {"count": 3})


def test_a_new_history_tells_everybody_at_once() -> None:
    theatre = Theatre()
    theatre.go_on(3)
    visitor = theatre.visitor()

    theatre.audience.jump(2, 1, START)

    assert (visitor.heard[-1]["epoch"], visitor.heard[-1]["seq"], visitor.heard[-1]["lost"]) == (2, 1, True)


def test_who_comes_back_from_before_a_jump_gets_no_event_of_then() -> None:
    theatre = Theatre()
    theatre.go_on(3)
    theatre.audience.jump(1, 5, START)

    back = theatre.visitor(since=Since(1, 2))

    assert (back.heard[-1]["events"], back.heard[-1]["lost"]) == ([], True)


def test_who_leaves_hears_nothing_more_and_may_leave_twice() -> None:
    theatre = Theatre()
    visitor = theatre.visitor()
    theatre.audience.leave(visitor.outbox)
    theatre.audience.leave(visitor.outbox)
    theatre.go_on()

    assert len(visitor.heard) == 1
    assert visitor.outbox.watching == set()
    assert len(theatre.audience) == 0


def test_one_connection_watches_so_many_tables_and_no_more() -> None:
    clock = FakeClock()
    visitor = Listener(clock)
    theatres = [Theatre(f"t{number}") for number in range(WATCHED_MAX + 1)]
    for theatre in theatres[:-1]:
        theatre.audience.watch(visitor.outbox)

    with pytest.raises(Refused) as refused:
        theatres[-1].audience.watch(visitor.outbox, accepted=ANSWER)
    theatres[0].audience.watch(visitor.outbox)

    assert refused.value.code is Refusal.FORBIDDEN
    assert len(visitor.heard) == WATCHED_MAX + 1


def test_a_slow_reader_loses_its_updates_and_gets_one_fresh_update_a_table_when_it_reads_again() -> None:
    one, two = Theatre("t1"), Theatre("t2")
    slow = one.visitor()
    two.audience.watch(slow.outbox)
    slow.heard.clear()
    slow.full = True

    for _ in range(100):
        one.go_on()
        two.go_on()
    assert slow.heard == []
    slow.empty()
    one.go_on()
    two.go_on()

    assert [(update["table"], update["seq"], update.get("lost", False)) for update in slow.heard] == [
        ("t1", 100, True), ("t2", 100, True), ("t1", 101, False), ("t2", 101, False),
    ]  # fmt: skip
    assert [update["view"]["count"] for update in slow.heard] == [100, 100, 101, 101]


def test_a_line_that_is_full_again_before_all_is_said_gets_the_rest_later() -> None:
    one, two = Theatre("t1"), Theatre("t2")
    slow = one.visitor()
    two.audience.watch(slow.outbox)
    slow.heard.clear()
    slow.full = True
    one.go_on()
    two.go_on()
    slow.outbox.reply(ANSWER)
    slow.full = False

    def write_one(sent: bytes) -> None:
        slow.hear(sent)
        slow.full = True

    slow.write = write_one  # A line that takes one frame, then is full.
    for _ in range(3):
        slow.empty()

    assert [(heard.get("re"), heard.get("table")) for heard in slow.heard] == [("1", None), (None, "t1"), (None, "t2")]


def test_an_update_does_not_overtake_the_fresh_one_that_is_owed() -> None:
    theatre = Theatre()
    slow = theatre.visitor()
    slow.full = True
    theatre.go_on()
    slow.full = False  # Nobody has flushed yet.
    theatre.go_on()
    slow.empty()

    assert [(update["seq"], update.get("lost", False)) for update in slow.heard] == [(0, False), (2, True)]


def test_a_slow_reader_slows_nobody_and_nothing_is_kept_for_it() -> None:
    theatre = Theatre()
    slow, quick = theatre.visitor(), theatre.visitor()
    slow.full = True
    theatre.go_on(1_000)

    assert seqs(quick) == list(range(1_001))
    assert len(slow.outbox) == 0


def test_answers_are_kept_when_updates_are_dropped_and_come_in_order() -> None:
    theatre = Theatre()
    slow = theatre.visitor()
    slow.heard.clear()
    slow.full = True
    for number in range(3):
        slow.outbox.reply(frame(b'{"type":"ok","re":"%d"}' % number))
        theatre.go_on()
    slow.empty()

    assert [heard.get("re") for heard in slow.heard] == ["0", "1", "2", None]
    assert slow.heard[-1]["lost"] is True


async def test_a_line_that_stays_full_for_five_seconds_while_something_waits_is_too_slow() -> None:
    clock = FakeClock()
    visitor = Listener(clock)
    outbox = visitor.outbox
    visitor.full = True
    await clock.advance(60_000)
    assert not outbox.too_slow(clock.now()), "nothing waits"
    outbox.reply(ANSWER)
    await clock.advance(1_000)
    outbox.reply(ANSWER)

    assert not outbox.too_slow(clock.now() + STALLED_MS - 1_001)
    assert outbox.too_slow(clock.now() + STALLED_MS - 1_000)

    visitor.empty()
    assert not outbox.too_slow(clock.now() + 100 * STALLED_MS)
    assert len(visitor.heard) == 2


async def test_a_reader_that_takes_something_has_five_seconds_again() -> None:
    clock = FakeClock()
    visitor = Listener(clock)
    outbox = visitor.outbox
    visitor.full = True
    for _ in range(2):
        outbox.reply(ANSWER)
    await clock.advance(STALLED_MS - 1)

    def write_one(sent: bytes) -> None:
        visitor.hear(sent)
        visitor.full = True

    visitor.write = write_one
    visitor.empty()

    assert len(outbox) == 1
    assert not outbox.too_slow(clock.now() + STALLED_MS - 1)
    assert outbox.too_slow(clock.now() + STALLED_MS)


def test_a_reader_with_too_many_answers_waiting_is_too_slow_at_once() -> None:
    visitor = Listener(FakeClock())
    visitor.full = True
    for _ in range(2 * REPLIES_MAX):
        visitor.outbox.reply(ANSWER)

    assert visitor.outbox.too_slow(START)
    assert len(visitor.outbox) == REPLIES_MAX


def test_a_reader_that_lost_an_answer_stays_too_slow_when_it_has_read_the_others() -> None:
    visitor = Listener(FakeClock())
    visitor.full = True
    for _ in range(REPLIES_MAX):
        visitor.outbox.reply(ANSWER)
    assert not visitor.outbox.too_slow(START)
    visitor.outbox.reply(ANSWER)
    visitor.empty()

    assert len(visitor.heard) == REPLIES_MAX
    assert visitor.outbox.too_slow(START)


def test_the_last_answers_are_said_even_where_the_line_is_full() -> None:
    theatre = Theatre()
    visitor = theatre.visitor()
    visitor.heard.clear()
    visitor.full = True
    theatre.go_on()
    visitor.outbox.reply(ANSWER)
    visitor.outbox.finish()

    assert [heard["type"] for heard in visitor.heard] == ["ok"]


@pytest.mark.parametrize("place", [0, 3, 5])
@pytest.mark.parametrize("failure", [ConnectionResetError, RuntimeError, KeyError])
def test_a_connection_that_fails_while_it_is_written_to_fails_alone(place: int, failure: type[Exception]) -> None:
    """PR-H2: first, in the middle and last in the list."""
    theatre = Theatre()
    visitors = []
    for number in range(6):
        if number == place:
            broken = theatre.visitor()
            broken.write = _raising(failure)  # As a transport that is gone may do.
        else:
            visitors.append(theatre.visitor())

    theatre.go_on(3)

    assert all(seqs(visitor) == [0, 1, 2, 3] for visitor in visitors)
    assert seqs(broken) == [0]
    assert len(theatre.audience) == 5


def test_a_connection_that_closes_another_while_an_update_goes_round_harms_nobody() -> None:
    theatre = Theatre()
    first, last = Listener(theatre.clock), Listener(theatre.clock)
    middle = Listener(theatre.clock)
    for visitor in (first, middle, last):
        theatre.audience.watch(visitor.outbox)
    first.write = lambda sent: last.outbox.close()  # As if that had closed the other.
    theatre.go_on(2)

    assert seqs(middle) == [0, 1, 2]
    assert seqs(last) == [0]
    assert len(theatre.audience) == 2


def test_a_closed_outbox_that_is_made_to_watch_leaves_again() -> None:
    theatre = Theatre()
    visitor = Listener(theatre.clock)
    visitor.outbox.close()
    theatre.audience.watch(visitor.outbox)

    assert len(theatre.audience) == 0
    assert visitor.heard == []


def test_a_closed_outbox_takes_and_gives_nothing_and_has_left() -> None:
    theatre = Theatre()
    visitor = theatre.visitor()
    visitor.full = True
    theatre.go_on()
    visitor.outbox.reply(ANSWER)
    visitor.outbox.close()
    visitor.outbox.close()
    visitor.outbox.reply(ANSWER)
    theatre.go_on()
    visitor.empty()
    visitor.outbox.finish()

    assert seqs(visitor) == [0]
    assert len(theatre.audience) == 0
    assert not visitor.outbox.too_slow(START + 10 * STALLED_MS)


def test_a_slow_reader_that_is_gone_is_counted_no_more() -> None:
    meter, line = Meter(), Listener(FakeClock())
    outbox = Outbox(None, FakeClock().now, line, meter)
    line.full = True
    for _ in range(2):
        outbox.reply(ANSWER)
    assert meter.lagging == 1

    for _ in range(2):
        outbox.close()

    assert meter.lagging == 0


def _raising(failure: type[Exception]) -> Any:
    def write(sent: bytes) -> None:
        raise failure

    return write

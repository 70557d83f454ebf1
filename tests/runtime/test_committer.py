"""Group commit: what is ready goes together, the next group gathers meanwhile, and one bad batch spoils only itself."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from fullring.runtime.answers import Busy
from fullring.runtime.committer import GROUP_ROWS, MANY_ROWS, WAITING_ROWS, Committer, Unwritable
from fullring.runtime.meter import Meter
from fullring.runtime.ports import Batch, LogUnavailable, Outcome, OutcomeUnknown
from fullring.table.events import Chatted
from fullring.table.ids import AccountId, TableId
from tests.fake_clock import settle
from tests.fake_log import FakeLog

SECRET = "the ace of spades"


class SlowLog(FakeLog):
    """Writes when it is let, and remembers the groups."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[list[str]] = []
        self.let = asyncio.Semaphore(0)
        self.failing: dict[str, Exception] = {}

    async def commit(self, batches: Sequence[Batch]) -> Mapping[TableId, Outcome]:
        self.groups.append([batch.table for batch in batches])
        await self.let.acquire()
        for batch in batches:
            if batch.table in self.failing:
                raise self.failing[batch.table]
        return {batch.table: Outcome.COMMITTED for batch in batches}


def batch(table: str) -> Batch:
    return Batch(TableId(table), 1, 1, 0, (Chatted(AccountId("a"), "Anna", SECRET),))


async def after_a_large_group() -> tuple[SlowLog, Committer]:
    log = SlowLog()
    committer = Committer(log, Meter())
    large = [committer.write(batch(f"t{number}")) for number in range(MANY_ROWS)]
    await settle()
    log.let.release()
    await asyncio.gather(*large)
    return log, committer


async def test_what_is_ready_together_is_written_together_and_the_rest_in_the_next_group() -> None:
    log = SlowLog()
    committer = Committer(log, Meter())
    first = [committer.write(batch(f"t{number}")) for number in range(3)]
    await settle()
    second = [committer.write(batch(f"t{number}")) for number in range(3, 8)]
    await settle()
    assert log.groups == [["t0", "t1", "t2"]]
    log.let.release()
    await settle()

    assert [one.done() for one in first + second] == [True] * 3 + [False] * 5
    log.let.release()
    assert await asyncio.gather(*second) == [Outcome.COMMITTED] * 5
    assert log.groups[1:] == [["t3", "t4", "t5", "t6", "t7"]]


async def test_after_a_large_group_the_next_waits_for_as_many_but_not_for_long() -> None:
    log, committer = await after_a_large_group()

    again = [committer.write(batch(f"t{number}")) for number in range(MANY_ROWS - 1)]
    await settle()
    assert len(log.groups) == 1, "fewer than before: more may come"
    again.append(committer.write(batch("t99")))
    await settle()
    assert len(log.groups[1]) == MANY_ROWS
    log.let.release()
    await asyncio.gather(*again)

    few = committer.write(batch("t1"))
    await settle()
    assert len(log.groups) == 2
    log.let.release()
    assert await few is Outcome.COMMITTED  # When it has waited long enough.

    alone = committer.write(batch("t1"))
    await settle()
    assert len(log.groups) == 4, "after a small group nothing waits"
    log.let.release()
    await alone


async def test_draining_waits_for_nobody_else() -> None:
    log, committer = await after_a_large_group()
    last = committer.write(batch("t1"))
    log.let.release()
    await committer.drain()

    assert last.done()
    assert [len(group) for group in log.groups] == [MANY_ROWS, 1]


async def test_a_group_has_a_largest_size_and_what_waits_a_bound() -> None:
    log = SlowLog()
    committer = Committer(log, Meter())
    asked = [committer.write(batch(f"t{number}")) for number in range(WAITING_ROWS)]
    with pytest.raises(Busy):
        await committer.write(batch("more"))
    for _ in range(WAITING_ROWS // GROUP_ROWS):
        log.let.release()
    await asyncio.gather(*asked)

    assert [len(group) for group in log.groups] == [GROUP_ROWS] * (WAITING_ROWS // GROUP_ROWS)


@pytest.mark.parametrize("failure", [LogUnavailable, OutcomeUnknown])
async def test_a_log_that_is_away_fails_the_whole_group_and_the_next_one_is_tried(failure: type[Exception]) -> None:
    log, meter = SlowLog(), Meter()
    committer = Committer(log, meter)
    log.failing["t0"] = failure("away")
    asked = [committer.write(batch(f"t{number}")) for number in range(3)]
    log.let.release()
    told = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in told] == [failure] * 3
    assert (meter.failed_writes, meter.failed_at > meter.written_at) == (1, True)

    log.let.release()
    assert await committer.write(batch("t1")) is Outcome.COMMITTED
    assert meter.written_at >= meter.failed_at


async def test_a_batch_that_cannot_be_written_is_found_and_the_others_are_written(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = SlowLog()
    committer = Committer(log, Meter())
    log.failing["t1"] = ValueError(SECRET)
    asked = [committer.write(batch(f"t{number}")) for number in range(3)]
    late = committer.write(batch("t9"))
    for _ in range(10):
        log.let.release()
    told = await asyncio.gather(*asked, late, return_exceptions=True)

    assert [type(one) for one in told] == [Outcome, Unwritable, Outcome, Outcome]
    assert "table t1 row 1" in caplog.text
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text


async def test_draining_waits_for_what_is_being_written() -> None:
    log = SlowLog()
    committer = Committer(log, Meter())
    await committer.drain()
    asked = committer.write(batch("t1"))
    drained = asyncio.ensure_future(committer.drain())
    await settle()
    assert not drained.done()
    log.let.release()
    await drained

    assert asked.done()


async def test_who_no_longer_waits_for_an_outcome_harms_nobody() -> None:
    log = SlowLog()
    committer = Committer(log, Meter())
    gone, stays = committer.write(batch("t1")), committer.write(batch("t2"))
    await settle()
    gone.cancel()
    log.let.release()

    assert await stays is Outcome.COMMITTED

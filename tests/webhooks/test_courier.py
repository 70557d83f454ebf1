"""When it is tried again, when it is given up, and what a request may cost; by a clock that the test moves."""

import asyncio
import base64
from collections.abc import AsyncIterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from fullring import store
from fullring.runtime.meter import Meter
from fullring.runtime.webhooks import Endpoint, SecretLost, Topic
from fullring.store import Store
from fullring.table.ids import TableId
from fullring.table.settings import TableSettings
from fullring.webhooks import signing
from fullring.webhooks.courier import HOUR_MS, LOOK_EVERY_MS, Courier
from fullring.webhooks.sender import Said, Sender, body_of
from tests.contracts.room import T1, T2, T3
from tests.fake_clock import START, FakeClock
from tests.receiver import receiver
from tests.store.conftest import KEY
from tests.store.sql import rows

MINUTE_MS = 60_000
FIRST_MS = 5_000
GIVE_UP_MS = 6 * MINUTE_MS
SECRET = b"s" * signing.SECRET_BYTES


class Scripted(Sender):
    """Says what it was told to, and then that all is well."""

    def __init__(self) -> None:
        super().__init__(private=True)
        self.sent: list[tuple[int, str]] = []
        self.says: list[Said] = []

    async def send(self, url: str, secret: bytes, id: str, body: bytes, now: int) -> Said:
        self.sent.append((now - START, id))
        return self.says.pop(0) if self.says else Said(ok=True, text="200")


async def describe(hand: str) -> None:
    return None


class Round:
    """One endpoint that wants everything, and a courier whose clock stands."""

    def __init__(self, books: Store, clock: FakeClock) -> None:
        self.books = books
        self.clock = clock
        self.sender = Scripted()
        self.meter = Meter()
        self.courier = Courier(
            books.webhooks,
            describe,
            clock,
            self.sender,
            Random(1),
            self.meter,
            retry_first_ms=FIRST_MS,
            give_up_ms=GIVE_UP_MS,
        )

    async def endpoint(self) -> Endpoint:
        (one,) = await self.books.webhooks.endpoints()
        return one

    async def happens(self, table: TableId = T1) -> None:
        await self.books.log.create(table, TableSettings(name="Magnolia"), None, START)

    async def until(self, tries: int) -> None:
        """The clock goes on until so many requests were made and the database knows how they went."""
        while len(self.sender.sent) < tries:
            await self.clock.advance(LOOK_EVERY_MS)
            await self.rest()

    async def rest(self) -> None:
        """Until nothing is due: a database that is slow today costs milliseconds of this clock, not its seconds."""
        while (one := await self.endpoint()).waiting and one.next_at <= self.clock.now():
            await self.clock.advance(1)


@pytest.fixture
async def told(database_url: str) -> AsyncIterator[Round]:
    books = await store.open(database_url, seal_keys=[KEY])
    await books.webhooks.add("http://127.0.0.1:1/", tuple(Topic), SECRET, START)
    one = Round(books, FakeClock())
    await one.courier.listen()
    one.courier.start()
    yield one
    await one.courier.stop()
    await books.close()


sqlite_alone = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@sqlite_alone
async def test_tries_are_further_and_further_apart_and_a_success_begins_again(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="500")] * 6
    await told.happens()
    await told.until(7)
    at = [now for now, _ in told.sender.sent]
    spans = [after - before for before, after in pairwise(at)]

    for number, span in enumerate(spans):
        assert 0.8 * FIRST_MS * 2**number <= span <= 1.2 * FIRST_MS * 2**number + 5 * LOOK_EVERY_MS
    assert {id for _, id in told.sender.sent} == {f"{T1}.opened"}
    well = await told.endpoint()
    assert (well.failures, well.failing_since, well.waiting, well.said) == (0, None, 0, "200")
    assert told.meter.webhook_requests == {False: 6, True: 1}


@sqlite_alone
async def test_an_endpoint_that_fails_again_and_again_is_tried_once_an_hour(told: Round) -> None:
    endpoint = await told.endpoint()
    for _ in range(20):
        await told.books.webhooks.failed(endpoint.id, START, "500", START)
    told.sender.says = [Said(ok=False, text="500")]
    await told.happens()
    await told.until(1)

    wait = (await told.endpoint()).next_at - START - told.sender.sent[0][0]
    assert 0.8 * HOUR_MS <= wait <= 1.2 * HOUR_MS + LOOK_EVERY_MS


@sqlite_alone
async def test_what_waits_is_counted_while_it_waits(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="500")]
    await told.happens()
    await told.happens(T2)
    await told.until(1)
    await told.clock.advance(LOOK_EVERY_MS)
    while told.meter.webhook_waiting != 2:
        await told.books.webhooks.endpoints()

    await told.until(3)
    while told.meter.webhook_waiting:
        await told.clock.advance(LOOK_EVERY_MS)


@sqlite_alone
async def test_who_takes_long_to_answer_is_not_told_the_same_beside_it(
    told: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, send = asyncio.Event(), told.sender.send

    async def slowly(*request: Any) -> Said:
        said = await send(*request)
        await over.wait()
        return said

    monkeypatch.setattr(told.sender, "send", slowly)
    await told.happens()
    while not told.sender.sent:
        await told.clock.advance(LOOK_EVERY_MS)
        await told.endpoint()
    await told.happens(T2)
    while told.meter.webhook_waiting != 2:
        await told.clock.advance(LOOK_EVERY_MS)
        await told.endpoint()
    over.set()
    await told.rest()

    assert [id for _, id in told.sender.sent] == [f"{T1}.opened", f"{T2}.opened"]


@sqlite_alone
async def test_who_asks_for_a_pause_gets_it(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="429", wait_s=600)]
    await told.happens()
    await told.until(2)

    assert told.sender.sent[1][0] - told.sender.sent[0][0] >= 600_000


@sqlite_alone
async def test_who_takes_nothing_for_too_long_is_given_up_until_somebody_enables_it(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="no answer")] * 1_000
    await told.happens()
    while (await told.endpoint()).disabled is None:
        await told.clock.advance(MINUTE_MS)
        await told.rest()
    gone = await told.endpoint()
    assert gone.disabled == "given up after 0.1 h: no answer"
    assert gone.waiting == 0
    assert told.sender.sent[-1][0] >= GIVE_UP_MS
    tries = len(told.sender.sent)
    await told.happens(T2)
    await told.clock.advance(MINUTE_MS)
    assert (len(told.sender.sent), (await told.endpoint()).waiting) == (tries, 0)

    told.sender.says = []
    assert await told.books.webhooks.enable(gone.id)
    await told.happens(T3)
    await told.until(tries + 1)
    assert told.sender.sent[-1][1] == "t3.opened"


@sqlite_alone
async def test_who_takes_something_at_last_is_not_given_up_for_what_comes_next(told: Round) -> None:
    pause = Said(ok=False, text="503", wait_s=GIVE_UP_MS // 1_000 + 60)
    told.sender.says = [pause, Said(ok=True, text="200"), pause]
    await told.happens()
    await told.happens(T2)
    await told.until(3)

    lately = await told.endpoint()
    assert (lately.disabled, lately.waiting, lately.failures) == (None, 1, 1)


@sqlite_alone
async def test_how_long_somebody_takes_nothing_is_counted_from_the_first_time(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="503", wait_s=GIVE_UP_MS // 1_500)] * 3
    await told.happens()
    await told.until(3)

    assert (await told.endpoint()).disabled == "given up after 0.1 h: 503"


@sqlite_alone
async def test_what_waits_for_a_webhook_goes_with_it(told: Round, database_url: str) -> None:
    told.sender.says = [Said(ok=False, text="503")]
    await told.happens()
    await told.until(1)

    assert await told.books.webhooks.remove((await told.endpoint()).id)
    assert await rows(database_url, "SELECT id FROM webhook_deliveries") == []


@sqlite_alone
async def test_who_says_that_it_is_gone_is_believed(told: Round) -> None:
    told.sender.says = [Said(ok=False, text="410", gone=True)]
    await told.happens()
    await told.until(1)

    assert "410" in ((await told.endpoint()).disabled or "")


@sqlite_alone
async def test_a_secret_that_cannot_be_unsealed_disables_its_endpoint(told: Round, database_url: str) -> None:
    others = await store.open(database_url, seal_keys=[b"other".ljust(32)], visiting=True)
    try:
        with pytest.raises(SecretLost, match="a key that is not there"):
            await others.webhooks.secret((await told.endpoint()).id)
    finally:
        await others.close()
    assert await told.books.webhooks.secret((await told.endpoint()).id) == SECRET
    assert await told.books.webhooks.remove((await told.endpoint()).id)
    assert not await told.books.webhooks.remove("w0")


@sqlite_alone
async def test_a_fault_of_ours_is_in_the_log(
    told: Round, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise KeyError("secret")

    monkeypatch.setattr(told.books.webhooks, "endpoints", broken)
    while not caplog.records:
        await told.clock.advance(LOOK_EVERY_MS)

    assert "webhooks are told nothing more until the next start: KeyError at " in caplog.text
    assert "secret" not in caplog.text


def test_a_signature_is_the_one_of_the_specifications_example() -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert signing.headers(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, b'{"test": 2432232314}') == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


async def test_a_request_is_over_in_time_whatever_the_other_end_does() -> None:
    sender = Sender(private=True, timeout_s=0.1)
    async with receiver() as to:
        to.answers = [None]
        said = await sender.send(to.url, SECRET, "e1", body_of(Topic.TABLE_OPENED, START, {}), START)
    nobody = await sender.send("http://127.0.0.1:1/", SECRET, "e1", b"{}", START)
    inside = Sender(private=False)
    refused = await inside.send("http://localhost:1/", SECRET, "e1", b"{}", START)
    await sender.close()
    await inside.close()

    assert (said.ok, said.text) == (False, "no answer within 0.1 s")
    assert (nobody.ok, nobody.text.split(":")[0]) == (False, "ConnectError")
    assert (refused.ok, "private" in refused.text) == (False, True)


async def test_a_request_goes_where_the_operator_said_and_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    sender = Sender(private=True)
    async with receiver() as to:
        to.answers = ["302 Found\r\nLocation: /elsewhere", None]
        said = await sender.send(to.url, SECRET, "e1", b"{}", START)
        assert len(to.told) == 1
    await sender.close()

    assert said == Said(ok=False, text="302")


@pytest.mark.parametrize(("asked", "believed"), [("600", 600), ("999999", 3_600), ("soon", 0), ("-5", 0), ("1e3", 0)])
async def test_a_pause_that_is_asked_for_is_believed_up_to_an_hour(asked: str, believed: int) -> None:
    sender = Sender(private=True)
    async with receiver() as to:
        to.answers = [f"503 Busy\r\nRetry-After: {asked}"]
        said = await sender.send(to.url, SECRET, "e1", b"{}", START)
    await sender.close()

    assert said == Said(ok=False, text="503", wait_s=believed)


def test_a_message_says_what_happened_and_when() -> None:
    body = body_of(Topic.TABLE_CLOSED, 1_795_968_000_120, {"table": "t1"})
    assert body == b'{"type": "table.closed", "timestamp": "2026-11-29T16:00:00.120Z", "data": {"table": "t1"}}'

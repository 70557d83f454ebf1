"""Tells each endpoint what it has still to be told: in order, one at a time, again until it is taken or given up.

What waits is in the database, so nothing is lost with this process; what was taken just before its end is told again.
No table ever waits for this.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from fullring.runtime.clock import Clock, sleep
from fullring.runtime.faults import traced
from fullring.runtime.meter import Meter
from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.runtime.webhooks import Delivery, Endpoint, SecretLost, Topic, Webhooks
from fullring.table.ids import Millis
from fullring.webhooks.sender import Said, Sender, body_of

LOOK_EVERY_MS = 1_000
"""So long at most until something is told that has happened, to an endpoint that takes it."""
IDLE_MS = 5_000
"""So long at most until a webhook is noticed that is the first."""
AT_ONCE = 20
"""Deliveries that are taken before the database hears of it: so many at most are told twice after a crash."""
HOUR_MS = 3_600_000
RETRY_LAST_MS = HOUR_MS
"""Between two tries there are twice as long each time, up to this."""
STOP_S = 3
"""How long the database has to hear what was taken, when the room stops."""
_HANDS = frozenset({Topic.HAND_FINISHED, Topic.HAND_VOIDED})

Describe = Callable[[str], Awaitable[Mapping[str, object] | None]]
"""A finished hand as everybody may see it; None where it is not kept any more."""

_log = logging.getLogger(__name__)


class Courier:
    """Started and stopped once. ``give_up_ms`` is how long an endpoint may fail before nothing more is sent there."""

    def __init__(
        self,
        webhooks: Webhooks,
        describe: Describe,
        clock: Clock,
        sender: Sender,
        dice: Random,
        meter: Meter,
        *,
        retry_first_ms: Millis,
        give_up_ms: Millis,
    ) -> None:
        self._webhooks = webhooks
        self._describe = describe
        self._clock = clock
        self._sender = sender
        self._dice = dice
        self._meter = meter
        self._retry_first_ms = retry_first_ms
        self._give_up_ms = give_up_ms
        self._rounds: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._any = False

    async def listen(self) -> None:
        """From now on what happens is noted. Raises LogUnavailable."""
        await self._webhooks.endpoints()

    def start(self) -> None:
        """From now on it is told."""
        self._looking = asyncio.create_task(self._run())
        self._looking.add_done_callback(_failed)

    async def stop(self) -> None:
        tasks = [*self._rounds.values(), *([] if self._looking is None else [self._looking])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_S)
        await self._sender.close()

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except LogUnavailable as error:
                _log.warning("webhooks wait for the database: %s", error)
            await sleep(self._clock, LOOK_EVERY_MS if self._any else IDLE_MS)

    async def _look(self) -> None:
        """Begin a round for each endpoint that there is something for, and that is not being told something now."""
        now = self._clock.now()
        endpoints = await self._webhooks.endpoints()
        self._any = bool(endpoints)
        self._meter.webhook_waiting = sum(endpoint.waiting for endpoint in endpoints)
        for endpoint in endpoints:
            due = endpoint.disabled is None and endpoint.waiting and endpoint.next_at <= now
            if due and endpoint.id not in self._rounds:
                task = self._rounds[endpoint.id] = asyncio.create_task(self._round(endpoint))
                task.add_done_callback(partial(self._over, endpoint.id))

    def _over(self, endpoint: str, task: "asyncio.Task[None]") -> None:
        del self._rounds[endpoint]
        error = None if task.cancelled() else task.exception()
        if isinstance(error, LogUnavailable | OutcomeUnknown):
            _log.warning("webhook %s waits for the database: %s", endpoint, error)
        elif error is not None:
            _log.error("webhook %s failed: %s", endpoint, traced(error))

    async def _round(self, endpoint: Endpoint) -> None:
        """All that waits for it, until something is not taken."""
        try:
            secret = await self._webhooks.secret(endpoint.id)
        except SecretLost as error:
            await self._disable(endpoint, str(error))
            return
        while waiting := await self._webhooks.waiting(endpoint.id, AT_ONCE):
            taken, said = await self._tell(endpoint, secret, waiting)
            if taken:
                endpoint = replace(endpoint, failures=0, failing_since=None)
            if not said.ok:
                await self._failed(endpoint, said)
                return

    async def _tell(self, endpoint: Endpoint, secret: bytes, waiting: Sequence[Delivery]) -> tuple[int, Said]:
        """How many were taken, which are told no more, and the last that was said."""
        taken: list[int] = []
        said = Said(ok=True, text="")
        try:
            for one in waiting:
                body = body_of(one.topic, one.at, await self._data(one))
                said = await self._sender.send(endpoint.url, secret, one.id, body, self._clock.now())
                self._meter.webhook_requests[said.ok] += 1
                if not said.ok:
                    break
                taken.append(one.number)
        finally:
            if taken:
                await self._webhooks.delivered(endpoint.id, taken, said.text)
        return len(taken), said

    async def _data(self, one: Delivery) -> Mapping[str, object]:
        data: Mapping[str, object] = json.loads(one.data)
        if one.topic not in _HANDS:
            return data
        return await self._describe(str(data["id"])) or data

    async def _failed(self, endpoint: Endpoint, said: Said) -> None:
        now = self._clock.now()
        since = endpoint.failing_since
        if said.gone:
            await self._disable(endpoint, "it answered 410: it wants nothing any more")
        elif since is not None and now - since >= self._give_up_ms:
            await self._disable(endpoint, f"given up after {self._give_up_ms / HOUR_MS:g} h: {said.text}")
        else:
            wait = min(self._retry_first_ms << min(endpoint.failures, 30), RETRY_LAST_MS)
            wait = max(round(wait * self._dice.uniform(0.8, 1.2)), said.wait_s * 1000)
            _log.info("webhook %s failed, the next try is in %d s: %s", endpoint.id, wait // 1000, said.text)
            await self._webhooks.failed(endpoint.id, now, said.text, now + wait)

    async def _disable(self, endpoint: Endpoint, why: str) -> None:
        _log.warning("webhook %s is disabled: %s", endpoint.id, why)
        await self._webhooks.disable(endpoint.id, why)


def _failed(looking: "asyncio.Task[None]") -> None:
    """It ends by a fault of ours alone, unless it is stopped."""
    error = None if looking.cancelled() else looking.exception()
    if error is not None:
        _log.error("webhooks are told nothing more until the next start: %s", traced(error))

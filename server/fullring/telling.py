"""Webhooks, put together from the settings: the store's notes, hands as the web shows them, and who carries them."""

from collections.abc import Mapping
from random import Random

from fullring.rules.record import seen_by
from fullring.runtime.clock import Clock
from fullring.runtime.meter import Meter
from fullring.settings import Settings
from fullring.store import Store
from fullring.table.ids import HandId
from fullring.web.hands import described
from fullring.webhooks.courier import Courier
from fullring.webhooks.sender import Sender


def courier(settings: Settings, store: Store, clock: Clock, meter: Meter) -> Courier:
    async def describe(hand: str) -> Mapping[str, object] | None:
        """As somebody sees it who is nobody: with the cards that were shown, and no others."""
        record = await store.hands.get(HandId(hand))
        return None if record is None else described(seen_by(record, None))

    return Courier(
        store.webhooks,
        describe,
        clock,
        Sender(private=settings.webhook_private),
        Random(),
        meter,
        retry_first_ms=round(settings.webhook_retry_seconds * 1000),
        give_up_ms=settings.webhook_give_up_hours * 3_600_000,
    )

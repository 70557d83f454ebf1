"""Traces of actions for OpenTelemetry: one span for the whole way, and one for each hop of it.

Only this imports the packages of ``fullring[otel]``, and only a room that was told to trace imports this. Nothing is
measured for it: it is made afterwards, from the instants that the meter takes of every action.
"""

import time
from collections import deque
from collections.abc import Callable
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from fullring import __version__
from fullring.rules.events import Acted
from fullring.runtime.meter import Hops, instant

STOP_S = 2.0
FRAMES = 4_096
"""Messages that are remembered until the tables have answered them."""

Received = Callable[[str | bytes], None]


class Traces:
    """``around`` sees each message come in, ``hear`` what became of each that changed a table."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("fullring", __version__)
        self._frames: deque[tuple[float, float]] = deque(maxlen=FRAMES)
        self._epoch_ns = time.time_ns() - round(instant() * 1e9)

    def around(self, received: Received) -> Received:
        """The same, with a look at the clock before and after."""

        def seen(message: str | bytes) -> None:
            began = instant()
            received(message)
            self._frames.append((began, instant()))

        return seen

    def hear(self, hops: Hops) -> None:
        acted = next((event for event in hops.events if isinstance(event, Acted)), None)
        came = self._came(hops.asked)
        about: dict[str, str | int] = {"fullring.table": hops.table, "fullring.events": len(hops.events)}
        if acted is not None:
            about |= {"fullring.seat": acted.seat, "fullring.action": acted.action.value}
            about |= {"fullring.auto": acted.auto.value} if acted.auto is not None else {}
        whole = self._tracer.start_span(
            "command" if acted is None else "action",
            context=trace.set_span_in_context(trace.INVALID_SPAN),
            kind=trace.SpanKind.SERVER,
            attributes=about,
            start_time=self._ns(came),
        )
        if whole.is_recording():
            within = trace.set_span_in_context(whole)
            parts = {"decode": came, "mailbox": hops.asked, "decide": hops.began, "commit": hops.decided}
            parts |= {"evolve": hops.committed, "publish": hops.evolved}
            for (name, start), end in zip(parts.items(), [*list(parts.values())[1:], hops.published], strict=True):
                if end > start:
                    part = self._tracer.start_span(name, context=within, start_time=self._ns(start))
                    part.end(self._ns(end))
        whole.end(self._ns(hops.published))

    def stop(self, within_s: float = STOP_S) -> None:
        """Send what waits, as far as it goes; a collector that does not answer holds up nobody for long."""
        sending = Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        sending.join(within_s)

    def _came(self, asked: float) -> float:
        """When the message came that this was asked in; bots and timers have none. No two were read at one time."""
        for began, ended in reversed(self._frames):
            if began <= asked <= ended:
                return began
            if ended < asked:
                break
        return asked

    def _ns(self, at: float) -> int:
        return self._epoch_ns + round(at * 1e9)


def start() -> Traces:
    """OpenTelemetry's own variables say where they go, how many, and under which name."""
    resource = Resource.create({SERVICE_VERSION: __version__} | _name())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(processor())
    return Traces(provider)


def processor() -> SpanProcessor:
    return BatchSpanProcessor(OTLPSpanExporter())


def _name() -> dict[str, str]:
    """Ours, where the environment has no other."""
    named = Resource.create().attributes.get(SERVICE_NAME, "unknown_service")
    return {SERVICE_NAME: "fullring"} if str(named).startswith("unknown_service") else {}

"""Traces: one action's way, hop by hop, from the socket to everybody; and nothing of it where nobody asked."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from fullring import traces
from tests.server import running
from tests.web.test_metrics import fold_once

HOPS = ["decode", "mailbox", "decide", "commit", "evolve", "publish"]


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    found = InMemorySpanExporter()

    def processor() -> SpanProcessor:
        return SimpleSpanProcessor(found)

    monkeypatch.setattr(traces, "processor", processor)
    return found


async def test_an_action_is_one_trace_with_a_span_for_each_hop(tmp_path: Path, exporter: InMemorySpanExporter) -> None:
    async with running(tmp_path, traces=True) as room:
        table = await fold_once(room)
    spans = exporter.get_finished_spans()
    (action,) = [span for span in spans if span.name == "action"]
    parts = sorted([span for span in spans if span.parent and span.parent == action.context], key=started)

    about = dict(action.attributes or {})
    assert (about["fullring.table"], about["fullring.action"]) == (table, "fold")
    assert about.keys() == {"fullring.table", "fullring.action", "fullring.seat", "fullring.events"}
    assert [part.name for part in parts] == HOPS
    assert started(parts[0]) == started(action)
    assert parts[-1].end_time == action.end_time
    assert [part.end_time for part in parts[:-1]] == [started(part) for part in parts[1:]]
    assert action.resource.attributes["service.name"] == "fullring"
    assert {span.name for span in spans if span.parent is None} == {"action", "command"}


async def test_what_no_message_asked_for_has_no_decoding(tmp_path: Path, exporter: InMemorySpanExporter) -> None:
    async with running(tmp_path, traces=True, tables=1, house_bots=2) as room:
        (table,) = [row["id"] for row in room.site.room.summaries()]
        async with room.socket() as spectator:
            await spectator.asks("watch", table=table)
            await spectator.sees("acted")

    names = {span.name for span in exporter.get_finished_spans()}
    assert {"action", "mailbox", "publish"} <= names
    assert "decode" not in names


def test_a_collector_that_does_not_answer_holds_up_nobody() -> None:
    released = threading.Event()

    class Stuck(SpanProcessor):
        def shutdown(self) -> None:
            released.wait()

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Stuck())
    traces.Traces(provider).stop(within_s=0)
    released.set()


def test_a_room_that_does_not_trace_does_not_load_it() -> None:
    code = "import fullring.app, fullring.cli, sys; sys.exit('opentelemetry.sdk' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def started(span: ReadableSpan) -> int:
    assert span.start_time is not None
    return span.start_time

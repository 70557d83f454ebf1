"""The room's figures in Prometheus's format, made from plain counters when somebody asks. No card, name or id."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from fullring import __version__
from fullring.runtime.meter import Spread
from fullring.web.site import Site

STATUSES = ("waiting", "playing", "paused", "closing")


def registry(site: Site) -> CollectorRegistry:
    """One for this room alone: nothing is global."""
    found = CollectorRegistry(auto_describe=False)
    found.register(RoomFigures(site))
    ProcessCollector(registry=found)
    GCCollector(registry=found)
    return found


class RoomFigures(Collector):
    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        yield from self._state()
        yield from self._tables()
        yield from self._counts()
        yield from self._spreads()

    def _state(self) -> Iterator[Metric]:
        site, room = self._site, self._site.room
        rows, oldest_ms = room.lag()
        yield _labelled(GaugeMetricFamily, "build", "Always 1; which version runs.", ("version",), {(__version__,): 1})
        yield _gauge("open", "Whether the room has started and does not stop.", int(site.open))
        yield _gauge("draining", "Whether no new hand starts, as the room is to stop.", int(site.draining))
        yield _gauge("log_writable", "Whether the log took what it was last given.", int(site.log_takes()))
        yield _gauge("connections", "Sockets and streams that are open.", len(site.connections))
        yield _gauge("lagging_connections", "Connections that read more slowly than they are told.", room.meter.lagging)
        yield _gauge("journal_waiting_rows", "Rows that are not durable yet.", rows)
        yield _gauge("journal_oldest_seconds", "For how long the oldest of them has waited.", oldest_ms / 1000)
        yield _gauge("sweep_seconds", "For how long the last full garbage collection stopped all.", site.sweeper.took_s)

    def _tables(self) -> Iterator[Metric]:
        room = self._site.room
        rows = room.rows()
        by_status = Counter(row["status"] for row in rows)
        statuses = {(status,): by_status[status] for status in STATUSES}
        taken = sum(row["taken"] for row in rows)
        seats = {("taken",): taken, ("free",): sum(row["seats"] for row in rows) - taken}
        yield _labelled(GaugeMetricFamily, "tables", "Tables that are open, by status.", ("status",), statuses)
        yield _gauge("tables_in_play", "Tables at which a hand is played.", room.in_play())
        yield _labelled(GaugeMetricFamily, "seats", "Seats at all tables.", ("state",), seats)
        yield _gauge("viewers", "Who watches a table, counted at each that they watch.", room.viewers())

    def _counts(self) -> Iterator[Metric]:
        meter = self._site.room.meter
        acts: Counter[tuple[str, ...]] = Counter()
        autos: Counter[tuple[str, ...]] = Counter()
        for (action, auto), count in meter.acts.items():
            acts[action.value,] += count
            if auto is not None:
                autos[auto.value,] += count
        refusals = {(code,): count for code, count in meter.refusals.items()}
        answers = {(method, route, str(status)): count for (method, route, status), count in meter.answers.items()}
        yield _labelled(CounterMetricFamily, "actions", "Turns that were answered.", ("action",), acts)
        yield _labelled(CounterMetricFamily, "auto_actions", "Of these, by the table itself.", ("reason",), autos)
        yield _counter("hands", "Hands that were played to their ends.", meter.hands)
        yield _labelled(CounterMetricFamily, "refusals", "Messages answered with an error.", ("code",), refusals)
        yield _counter("dropped_updates", "Updates that connections were too slow for.", meter.dropped)
        told = {("taken",): meter.webhook_requests[True], ("failed",): meter.webhook_requests[False]}
        yield _labelled(CounterMetricFamily, "webhook_requests", "Requests to webhooks.", ("result",), told)
        yield _gauge("webhook_waiting", "What webhooks have still to be told.", meter.webhook_waiting)
        yield _counter("journal_failures", "Transactions of the log that failed.", meter.failed_writes)
        labels = ("method", "route", "status")
        yield _labelled(CounterMetricFamily, "http_requests", "HTTP requests that were answered.", labels, answers)

    def _spreads(self) -> Iterator[Metric]:
        meter = self._site.room.meter
        yield _histogram("mailbox_seconds", "From a command's coming to its judging.", meter.mailbox)
        yield _histogram("decide_seconds", "Judging a command.", meter.decide)
        yield _histogram("commit_seconds", "From judged to durable, the wait for others included.", meter.commit)
        yield _histogram("publish_seconds", "From durable to handed to every viewer's line.", meter.publish)
        yield _histogram("journal_write_seconds", "One transaction of the log.", meter.write)
        yield _histogram("journal_group_rows", "Rows in one transaction of the log.", meter.group)
        yield _histogram("loop_lag_seconds", "How late the event loop was, looked at a few times a second.", meter.lag)
        yield _histogram("http_request_seconds", "From an HTTP request to the head of its answer.", meter.answering)


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"fullring_{name}", what, value=value)


def _counter(name: str, what: str, value: float) -> Metric:
    return CounterMetricFamily(f"fullring_{name}", what, value=value)


def _labelled(
    kind: type[GaugeMetricFamily] | type[CounterMetricFamily],
    name: str,
    what: str,
    labels: tuple[str, ...],
    counts: Mapping[Any, float],
) -> Metric:
    family = kind(f"fullring_{name}", what, labels=labels)
    for values, count in sorted(counts.items()):
        family.add_metric(values, count)
    return family


def _histogram(name: str, what: str, spread: Spread) -> Metric:
    bounds = [*map(str, spread.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(spread.counts), strict=True))
    family = HistogramMetricFamily(f"fullring_{name}", what)
    family.add_metric((), buckets, spread.total)
    return family

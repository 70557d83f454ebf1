"""The figures: what was done is counted, nobody is named, and the dashboard asks for what there is."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.server import Running, running
from tests.shared import PROJECT
from tests.sockets import Json, Socket

MONITORING = PROJECT / "docs" / "monitoring"
TOKEN = "a token of sixteen"
OTHERS = {"up", "scrape_duration_seconds"}
"""Metrics that Prometheus makes by itself."""


class Figures:
    """What ``/metrics`` said."""

    def __init__(self, text: str) -> None:
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self.samples: list[Sample] = [sample for family in self.families.values() for sample in family.samples]

    def of(self, name: str, **labels: str) -> float:
        """The figure of that name, with all of its labels."""
        (found,) = [one for one in self.samples if one.name == f"fullring_{name}" and one.labels == labels]
        return found.value

    @property
    def names(self) -> set[str]:
        return {sample.name for sample in self.samples} | {
            f"{name}_total" for name, family in self.families.items() if family.type == "counter"
        }


async def figures(room: Running) -> Figures:
    async with room.http() as client:
        answer = await client.get(f"{room.url}/metrics")
    assert answer.status_code == 200
    return Figures(answer.text)


async def sit_down(socket: Socket, table: str) -> None:
    await socket.asks("watch", table=table)
    assert (await socket.asks("sit", table=table, buy_in=1_000))["type"] == "ok"


def turn_of(update: Json) -> Any:
    return update["view"].get("hand", {}).get("turn")


async def fold_once(room: Running) -> str:
    """One hand heads-up, which ends with a fold, and the next one begins; the table."""
    table = await room.table()
    guests = [await room.guest("Anna"), await room.guest("Bo")]
    async with room.socket(guests[0].token) as anna, room.socket(guests[1].token) as bo:
        for socket in (anna, bo):
            await sit_down(socket, table)
        update = await anna.sees("turn_started")
        hand, turn = update["view"]["hand"], turn_of(update)
        acting, other = (anna, bo) if turn["seat"] == update["you"]["seat"] else (bo, anna)
        told = {"table": table, "hand": hand["id"], "turn": turn["id"], "action": "fold"}
        assert (await other.asks("act", **told))["code"] == "not_your_turn"
        assert (await acting.asks("act", **told))["type"] == "ok"
    return table


async def test_what_was_done_is_counted(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        table = await fold_once(room)
        async with room.http() as client:
            await client.get(f"/tables/{table}")
            await client.get("/nothing/of/the/kind")
        found = await figures(room)

    assert found.of("actions_total", action="fold") == 1
    assert found.of("hands_total") == 1
    assert found.of("refusals_total", code="not_your_turn") == 1
    assert (found.of("tables", status="waiting"), found.of("tables", status="playing")) == (0, 1)
    assert (found.of("seats", state="taken"), found.of("seats", state="free")) == (2, 4)
    assert found.of("http_requests_total", method="GET", route="/tables/{table}", status="200") == 1
    assert found.of("http_requests_total", method="POST", route="/guests", status="201") == 2
    rows = found.of("decide_seconds_count")
    assert rows >= 4, "two sat down, a hand began, one folded"
    assert [found.of(f"{hop}_seconds_count") for hop in ("mailbox", "commit", "publish")] == [rows] * 3
    assert found.of("journal_group_rows_sum") >= rows
    assert 0 < found.of("commit_seconds_sum") < 60
    assert (found.of("journal_waiting_rows"), found.of("journal_oldest_seconds")) == (0, 0)
    assert (found.of("open"), found.of("log_writable"), found.of("draining")) == (1, 1, 0)
    assert {"process_cpu_seconds_total", "process_resident_memory_bytes", "python_gc_collections_total"} <= found.names


async def test_no_figure_names_anybody(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        table = await fold_once(room)
        found = await figures(room)

    labels = {value for sample in found.samples for value in sample.labels.values()}
    assert not any(table in value or "Anna" in value for value in labels)
    assert {"fold", "not_your_turn", "waiting", "/guests", "other"} >= {
        value for value in labels if not re.fullmatch(r"[\d.e+-]+|\+?Inf|[a-z_]+|GET|POST|/\S+", value)
    }


async def test_with_a_token_only_who_has_it_reads_them(tmp_path: Path) -> None:
    async with running(tmp_path, metrics_token=TOKEN) as room, room.http() as client:
        wrong = [
            {},
            {"Authorization": "Bearer another token"},
            {"Authorization": f"Bearer {(await room.guest()).token}"},
        ]
        refused = [await client.get(f"{room.url}/metrics", headers=headers) for headers in wrong]
        given = await client.get(f"{room.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})

        assert [answer.status_code for answer in refused] == [401] * 3
        assert given.status_code == 200
        assert TOKEN not in repr(room.site.limits)


async def test_openmetrics_is_spoken_to_who_asks_for_it(room: Running) -> None:
    async with room.http() as client:
        accept = {"Accept": "application/openmetrics-text;version=1.0.0"}
        answer = await client.get(f"{room.url}/metrics", headers=accept)

    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")


async def test_a_room_that_does_not_play_says_why_it_is_not_ready(room: Running) -> None:
    async def told() -> str:
        async with room.http() as client:
            answer = await client.get(f"{room.url}/readyz")
            assert (await client.get(f"{room.url}/healthz")).status_code == 200
        return str(answer.json().get("detail", "ready"))

    assert await told() == "ready"
    room.site.room.meter.failed()
    assert await told() == "the room can't write its log"
    room.site.room.meter.wrote(1, 0)
    assert await told() == "ready"
    room.site.leased = lambda: False
    assert await told() == "the room can't write its log"
    room.site.leased = lambda: True
    await room.house.drain(None)
    assert await told() == "the room is to stop: it deals no new hand"


def expressions(what: Any) -> Iterator[str]:
    """Every query in a dashboard."""
    if isinstance(what, dict):
        yield from ([what["expr"]] if "expr" in what else [])
        yield from (found for part in what.values() for found in expressions(part))
    elif isinstance(what, list):
        yield from (found for part in what for found in expressions(part))


@pytest.mark.parametrize("name", ["grafana/dashboards/fullring.json", "alerts.yml"])
async def test_what_is_shown_and_warned_of_is_there(room: Running, name: str) -> None:
    text = (MONITORING / name).read_text("utf-8")
    asked = list(expressions(json.loads(text))) if name.endswith(".json") else re.findall(r"expr: (.+)", text)
    named = {one for query in asked for one in re.findall(r"\b(?:fullring|process|python)_\w+|\bup\b", query)}

    assert len(named) > 5
    assert named - OTHERS <= (await figures(room)).names


async def test_the_operators_guide_explains_every_figure(room: Running) -> None:
    text = (PROJECT / "docs" / "operations.md").read_text("utf-8")
    explained = set(re.findall(r"`(fullring_\w+)", text))

    assert explained == {
        f"{name}_total" if family.type == "counter" else name
        for name, family in (await figures(room)).families.items()
        if name.startswith("fullring_")
    }

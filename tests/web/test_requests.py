"""Every HTTP answer has its request's id, which is the client's own where that is fit, and so has what is logged."""

import asyncio
import logging

import pytest

from fullring.logs import with_request
from fullring.runtime.meter import Meter
from fullring.table.ids import HandId
from fullring.web.requests import HEADER, Requests, request_id
from tests.server import Running


@pytest.mark.parametrize("given", ["abc-1.2_3", "x" * 64])
async def test_a_fit_id_comes_back(room: Running, given: str) -> None:
    async with room.http() as client:
        for path in ("/tables", "/me", "/nothing"):
            assert (await client.get(path, headers={HEADER: given})).headers[HEADER] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a\tb", "<script>"])
async def test_another_gets_one_of_ours(room: Running, given: str) -> None:
    async with room.http() as client:
        told = [(await client.get("/tables", headers={HEADER: given})).headers[HEADER] for _ in range(2)]

    assert len(set(told)) == 2
    assert all(len(id) == 16 and id.isalnum() for id in told)


async def test_what_is_logged_meanwhile_knows_the_request(caplog: pytest.LogCaptureFixture) -> None:
    later: list[asyncio.Task[str | None]] = []
    over = asyncio.Event()
    seen: list[str | None] = []

    async def after() -> str | None:
        await over.wait()
        return request_id()

    async def app(scope: object, receive: object, send: object) -> None:
        seen.append(request_id())
        later.append(asyncio.create_task(after()))

    scope = {"type": "http", "method": "GET", "headers": [(b"x-request-id", b"r1")]}
    with caplog.at_level(logging.DEBUG):
        await Requests(app, Meter())(scope, None, None)  # type: ignore[arg-type]  # Nobody receives or sends.
    over.set()

    assert seen == ["r1"]
    assert await later[0] is None, "what a request has started may outlive it"
    assert request_id() is None


async def test_a_mistake_of_ours_is_logged_with_its_request(
    room: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_: HandId) -> None:
        raise AssertionError

    monkeypatch.setattr(room.site, "hands", type("Broken", (), {"get": staticmethod(broken)})())
    monkeypatch.setattr(caplog.handler, "filters", [with_request])
    async with room.http() as client:
        answer = await client.get("/hands/h1", headers={HEADER: "r500"})

    assert (answer.status_code, answer.headers[HEADER]) == (500, "r500")
    (failed,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert getattr(failed, "request", None) == "r500"


async def test_methods_that_are_none_of_ours_are_counted_together(room: Running) -> None:
    async with room.http() as client:
        for method in ("PROPFIND", "MKCOL"):
            await client.request(method, "/tables")

    counted = room.site.room.meter.answers
    assert [(method, status, count) for (method, _, status), count in counted.items()] == [("other", 405, 2)]

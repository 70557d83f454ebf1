"""The log's two forms, and the ids in it."""

import json
import logging
from collections.abc import Iterator

import httpx
import pytest

from fullring import logs
from fullring.settings import Settings


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """The root logger, and those that are quieted, are everybody's."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], level = before
    root.setLevel(level)
    uvicorn = logging.getLogger("uvicorn.error")
    for found in uvicorn.filters[:]:
        uvicorn.removeFilter(found)
    for name in logs.NOISY:
        logging.getLogger(name).setLevel(logging.NOTSET)


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_a_line_for_programs_is_an_object_with_its_ids(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_format="json"))
    ids = {"table": "t1", "hand": "t1h2", "token": "secret", "account": None}
    logging.getLogger("fullring.runtime").warning("table %s: “%s”", "t1", "two\nlines", extra=ids)
    (line,) = said(capsys)
    told = json.loads(line)

    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "warning",
        "logger": "fullring.runtime",
        "message": "table t1: “two\nlines”",
        "table": "t1",
        "hand": "t1h2",
    }


def test_an_error_has_its_traceback_in_the_same_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_format="json"))
    try:
        _ = 1 // 0
    except ZeroDivisionError:
        logging.getLogger("fullring").exception("it failed")
    (line,) = said(capsys)

    assert json.loads(line)["exception"].endswith("ZeroDivisionError: integer division or modulo by zero")


def test_a_line_for_people_has_its_request(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings())
    log = logging.getLogger("fullring.web")
    log.info("done", extra={"request": "r1", "table": "t1"})
    log.info("done")
    first, second = said(capsys)

    assert first.endswith("INFO fullring.web: done [request r1]")
    assert second.endswith("INFO fullring.web: done")


def test_no_more_is_logged_than_the_level_says(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_level="warning"))
    logging.getLogger("fullring").info("small talk")
    logging.getLogger("asyncio").info("smaller")
    logging.getLogger("uvicorn.error").warning("Invalid UTF-8 in a text frame")

    assert said(capsys) == []


def test_where_webhooks_go_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_level="debug"))
    with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(204))) as client:
        client.post("https://club.example/hooks/secret")

    assert said(capsys) == []

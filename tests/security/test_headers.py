"""What every answer tells browsers: run nothing that is not ours, guess no types, keep no secrets."""

import pytest
from websockets.exceptions import InvalidStatus

from fullring.table.ids import HandId
from fullring.web import browser
from fullring.web.headers import SAFE
from tests.server import Running
from tests.sockets import dial


def policy(text: str) -> dict[str, set[str]]:
    return {words[0]: set(words[1:]) for words in (part.split() for part in text.split(";"))}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/tables", 200),
        ("POST", "/api/v1/guests", 201),
        ("GET", "/api/v1/me", 401),
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/tables", 405),
        ("GET", "/healthz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/api/v1/ws", 404),
    ],
)
async def test_every_answer_is_safe_in_a_browser(room: Running, method: str, path: str, status: int) -> None:
    async with room.http() as client:
        answer = await client.request(method, room.url + path, json={} if method == "POST" else None)

    assert answer.status_code == status
    assert {name: answer.headers[name] for name in SAFE} == dict(SAFE)
    assert not {"server", "x-powered-by", "access-control-allow-origin", "set-cookie"} & set(answer.headers)


async def test_the_answer_to_a_mistake_of_ours_and_a_body_too_large_are_safe_too(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: HandId) -> None:
        raise AssertionError

    monkeypatch.setattr(room.site, "hands", type("Broken", (), {"get": staticmethod(broken)})())
    async with room.http() as client:
        answers = [await client.get("/hands/h1"), await client.post("/guests", content=b" " * 100_000)]

    assert [answer.status_code for answer in answers] == [500, 413]
    for answer in answers:
        assert {name: answer.headers[name] for name in SAFE} == dict(SAFE)


async def test_a_refused_handshake_is_safe_too(room: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with dial(room.url, origin="https://elsewhere.example"):
            pass

    headers = caught.value.response.headers
    assert {name: headers[name] for name in SAFE} == dict(SAFE)


@pytest.mark.parametrize("path", ["/", "/table/t1", "/join/t1", "/hand/t1h33"])
async def test_a_page_runs_shows_and_fetches_only_what_is_the_rooms_own(room: Running, path: str) -> None:
    async with room.http() as client:
        answer = await client.get(room.url + path)

    rules = policy(answer.headers["content-security-policy"])
    assert rules["default-src"] == {"'none'"}
    assert rules["frame-ancestors"] == rules["base-uri"] == {"'none'"}
    for name, sources in rules.items():
        assert sources <= {"'none'", "'self'"} | ({"data:"} if name == "img-src" else set()), name
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] in {"no-cache", "no-store"}


def test_no_script_and_no_style_stands_in_the_page_itself() -> None:
    """They would not run: the policy allows files alone."""
    for page in (browser.MISSING, *(file.body for name, file in browser.read().items() if name.endswith(".html"))):
        assert b"style=" not in page
        assert b"<style" not in page
        assert all(tag.startswith(b' type="module" crossorigin src="/assets/') for tag in page.split(b"<script")[1:])


async def test_no_answer_lets_a_page_of_another_site_read_it(room: Running) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    async with room.http() as client:
        asked = await client.options("/me", headers=headers)
        read = await client.get("/tables", headers=headers)

    assert asked.status_code == 405
    for answer in (asked, read):
        assert not [name for name in answer.headers if name.startswith("access-control")]

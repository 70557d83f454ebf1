"""The browser client's page and files, as they are served."""

import gzip
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from fullring.web import browser, problems
from tests.shared import PROJECT

SCRIPT = "let hands = 0;\n" * 100


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, browser.File]:
    (tmp_path / "assets").mkdir()
    (tmp_path / browser.PAGE).write_text("<!doctype html><title>Fullring</title>", encoding="utf-8")
    (tmp_path / "favicon.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "notes.secret").write_text("not ours to send", encoding="utf-8")
    (tmp_path / "assets" / "index-1a2b.js").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.setattr(browser, "PLACES", (tmp_path / "missing", tmp_path))
    return browser.read.__wrapped__()


def client(files: Mapping[str, browser.File]) -> AsyncClient:
    app = FastAPI()
    problems.install(app)

    @app.post("/api/v1/guests")
    def guests() -> None: ...

    browser.install(app, files)
    return AsyncClient(transport=ASGITransport(app), base_url="http://room")


@pytest.mark.parametrize("path", ["/", "/table/t1", "/join/t1", "/hand/t1h33"])
async def test_every_screen_is_the_one_page(built: Mapping[str, browser.File], path: str) -> None:
    async with client(built) as room:
        answer = await room.get(path)

    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["cache-control"] == "no-cache"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_a_file_named_after_what_it_holds_is_kept_for_good(built: Mapping[str, browser.File]) -> None:
    async with client(built) as room:
        script = await room.get("/assets/index-1a2b.js")
        icon = await room.get("/favicon.svg")

    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert icon.headers["cache-control"] == "no-cache"
    assert icon.headers["content-type"] == "image/svg+xml"


async def test_a_browser_that_reads_gzip_gets_it(built: Mapping[str, browser.File]) -> None:
    async with client(built) as room:
        packed = await room.get("/assets/index-1a2b.js", headers={"accept-encoding": "gzip"})
        plain = await room.get("/assets/index-1a2b.js", headers={"accept-encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text == SCRIPT
    assert int(packed.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), mtime=0))


async def test_what_the_browser_has_already_is_not_sent_again(built: Mapping[str, browser.File]) -> None:
    async with client(built) as room:
        first = await room.get("/")
        again = await room.get("/", headers={"if-none-match": first.headers["etag"]})

    assert again.status_code == 304
    assert again.content == b""


@pytest.mark.parametrize(
    "path",
    ["/notes.secret", "/assets/none.js", "/assets/../../pyproject.toml", "/assets/%2e%2e/notes.secret", "/table"],
)
async def test_nothing_else_is_there(built: Mapping[str, browser.File], path: str) -> None:
    async with client(built) as room:
        answer = await room.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_the_pages_hide_nothing_of_the_api(built: Mapping[str, browser.File]) -> None:
    async with client(built) as room:
        wrong_method = await room.get("/api/v1/guests")
        wrong_path = await room.post("/api/v1/nobody")

    assert wrong_method.status_code == 405
    assert wrong_path.status_code == 404


async def test_without_a_build_a_plain_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "PLACES", (tmp_path,))

    async with client(browser.read.__wrapped__()) as room:
        answer = await room.get("/table/t1")

    assert answer.status_code == 503
    assert "has not been built" in answer.text


def test_what_pip_installs_has_the_pages_where_they_are_looked_for(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(PROJECT / name, tmp_path)
    module = tmp_path / "server" / "fullring" / "__init__.py"
    page = tmp_path / "client" / "web" / "dist" / browser.PAGE
    for folder in (module.parent, page.parent, tmp_path / "client" / "fullring_client", tmp_path / "migrations"):
        folder.mkdir(parents=True)
    module.write_text('__version__ = "1"', encoding="utf-8")
    page.write_text("<!doctype html>", encoding="utf-8")

    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=tmp_path, check=True
    )

    (wheel,) = tmp_path.glob("*.whl")
    place = browser.PLACES[0].relative_to(PROJECT / "server") / browser.PAGE
    assert place.as_posix() in ZipFile(wheel).namelist()

"""The promises that no single module can keep: who imports whom, what is pure, and what no file may say."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.layers import LAYERS, offences, words
from tests.shared import PROJECT

ROOTS = (PROJECT / "server", PROJECT / "client")
VAGUE_NAMES = words(
    "common data handler handlers helper helpers info manager managers misc service services util utils"
)
# Put together here, so that this file does not say them itself.
MACHINE_PATHS = tuple(f"/{folder}/" for folder in ("work", "root", "opt/wheels"))
REGISTRIES = tuple(
    f"{name}.{top}"
    for top, names in {
        "org": ("pypi", "pythonhosted", "npmjs", "deb.debian"),
        "com": ("npmjs", "yarnpkg"),
        "io": ("crates",),
    }.items()
    for name in names
)


def modules() -> dict[str, Path]:
    """Every module of server/ and client/ by its import name."""
    found = {}
    for root in ROOTS:
        for path in sorted(root.rglob("*.py")):
            if "node_modules" in path.parts:
                continue
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.split("\0") if name and (path := PROJECT / name).is_file()]


def test_every_module_imports_only_what_its_layer_may() -> None:
    found = [offence for name, path in modules().items() for offence in offences(name, path.read_text("utf-8"))]

    assert not found, "\n".join(found)


def test_the_page_has_the_layers_as_they_are() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\|([^|]*)\|([^|;]*)[^|]*\|$", page, re.MULTILINE)

    for name, inside, outside in rows:
        layer = LAYERS.get(f"fullring.{name}") or LAYERS[name]
        itself = {f"fullring.{name}", "fullring.__version__", name}
        may = {other.removeprefix("fullring.") for other in layer.inside - itself}
        assert set(re.findall(r"[\w.]+", inside)) == ({"all"} if may == {"fullring"} else may), name
        packages = {package for package in layer.outside if package.split(".")[0] not in sys.stdlib_module_names}
        assert set(re.findall(r"\w+", outside)) == packages, name
    assert len(rows) == 11


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("fullring.rules.hand", "from fullring.table import seats"),
        ("fullring.rules.hand", "import fullring.wire.codec"),
        ("fullring.rules.hand", "import random"),
        ("fullring.rules.hand", "from datetime import datetime"),
        ("fullring.rules.hand", "from uuid import uuid4"),
        ("fullring.rules.hand", "import logging"),
        ("fullring.rules.hand", "def f():\n    import time"),
        ("fullring.rules.hand", "async def f(): ..."),
        ("fullring.rules.hand", "text = open('deck').read()"),
        ("fullring.rules.hand", "from . import cards"),
        ("fullring.table.table", "import pydantic"),
        ("fullring.table.table", "import socket"),
        ("fullring.table.table", "from fullring import runtime"),
        ("fullring.runtime.actor", "import sqlalchemy as sa"),
        ("fullring.runtime.actor", "from pydantic import BaseModel"),
        ("fullring.runtime.actor", "from fastapi import WebSocket"),
        ("fullring.history.phh", "import fullring.table.views"),
        ("fullring.history.phh", "import asyncio"),
        ("fullring.history.phh", "from urllib import request"),
        ("fullring.wire.codec", "from fullring.runtime.ports import Journal"),
        ("fullring.store.journal", "from fullring.runtime.actor import Actor"),
        ("fullring.store.journal", "from fullring.web import socket"),
        ("fullring.web.socket", "from fullring.store import journal"),
        ("fullring.web.socket", "import sqlalchemy"),
        ("fullring.bots.house", "import fullring.wire"),
        ("fullring_client.connection", "from fullring.rules import cards"),
        ("fullring_client.connection", "import textual"),
        ("fullring.new_place", "import math"),
    ],
)
def test_an_import_against_the_layers_is_found(module: str, source: str) -> None:
    assert offences(module, source)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("fullring.rules.hand", "from dataclasses import dataclass\nfrom fullring.rules.cards import Card"),
        ("fullring.table.views", "from fullring.rules import hand"),
        ("fullring.store.journal", "from fullring.runtime import ports\nimport sqlalchemy as sa"),
        ("fullring.store.journal", "from fullring.runtime.ports import Journal"),
        ("fullring.runtime.actor", "import asyncio\nasync def f(): ..."),
        ("fullring.web.lobby", "from http import HTTPStatus\nfrom urllib.parse import quote"),
        ("fullring.app", "from fullring.store import journal\nfrom fullring.web import socket"),
        ("fullring_client.terminal.screen", "from textual.app import App\nfrom fullring.wire.server import Update"),
    ],
)
def test_an_import_within_the_layers_is_left_alone(module: str, source: str) -> None:
    assert offences(module, source) == []


def test_every_folder_of_code_is_a_package() -> None:
    folders = {path.parent for path in modules().values()}

    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name for name in modules() if VAGUE_NAMES & set(name.split("."))] == []


def test_every_module_says_what_it_is_for() -> None:
    said = {name: ast.get_docstring(ast.parse(path.read_text("utf-8"))) for name, path in modules().items()}

    assert [name for name, docstring in said.items() if not docstring] == []


def test_no_file_names_a_place_on_one_machine_or_a_package_registry() -> None:
    place = re.compile(r"(?<![\w.-])(" + "|".join(map(re.escape, MACHINE_PATHS)) + ")")
    host = re.compile("|".join(map(re.escape, REGISTRIES)))
    found = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [
            f"{path.relative_to(PROJECT)}: {hit.group()}" for hit in (place.search(text), host.search(text)) if hit
        ]

    assert found == []


@pytest.mark.parametrize("word", ["pytest.skip", "mark.skip", "importorskip", "xfail", "time.sleep"])
def test_no_test_skips_or_sleeps(word: str) -> None:
    here = Path(__file__)
    tests = [path for path in tracked() if path.suffix == ".py" and path.is_relative_to(PROJECT / "tests")]

    assert [path.name for path in tests if path != here and word in path.read_text("utf-8")] == []

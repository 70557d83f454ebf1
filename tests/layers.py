"""The layers of the project as data, and a reader of source text that finds what breaks them.

It reads imports and a few names; it knows nothing of what the code does.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a pure module may take from the standard library: types and functions of their arguments, nothing that knows
# the time, rolls dice, logs, or meets a file, a socket or an event loop.
PURE = words(
    "__future__ abc array bisect collections copy dataclasses enum fractions functools heapq hmac itertools math"
    " operator re string types typing"
)
IMPURE_NAMES = words("__import__ breakpoint compile eval exec input open print")
# Standard-library doors to the outside, which a layer must be granted by name.
DOORS = words(
    "asyncio ftplib http.client http.server imaplib importlib multiprocessing selectors smtplib socket socketserver"
    " sqlite3 ssl subprocess telnetlib threading urllib.request xmlrpc"
)


@dataclass(frozen=True, slots=True)
class Layer:
    """What one layer may import: other parts of the project, and packages or doors of the standard library."""

    inside: frozenset[str]
    outside: frozenset[str] = frozenset()
    pure: bool = False


def _server(inside: str, outside: str = "", *, pure: bool = False) -> Layer:
    return Layer(frozenset(f"fullring.{name}" for name in inside.split()), words(outside), pure)


WIRING = Layer(
    words("fullring"),
    words("asyncio fastapi httpx importlib pydantic pydantic_settings rich socket threading typer uvicorn uvloop"),
)
SDK = Layer(words("fullring_client fullring.wire"), words("asyncio httpx websockets"))
TERMINAL = Layer(SDK.inside, SDK.outside | words("rich textual typer"))

# The table of docs/architecture.md. The longest name that a module starts with is its layer.
LAYERS = {
    "fullring": Layer(frozenset()),
    "fullring.__main__": WIRING,
    "fullring.app": WIRING,
    "fullring.cli": WIRING,
    "fullring.commands": WIRING,
    "fullring.logs": WIRING,
    "fullring.pidfile": WIRING,
    "fullring.precautions": WIRING,
    "fullring.setting_page": WIRING,
    "fullring.setting_sources": WIRING,
    "fullring.settings": WIRING,
    "fullring.stopping": WIRING,
    "fullring.telling": WIRING,
    "fullring.traces": Layer(words("fullring"), words("opentelemetry threading")),
    "fullring.web": _server(
        "__version__ web wire runtime table rules",
        "asyncio fastapi msgspec prometheus_client socket starlette uvicorn websockets",
    ),
    "fullring.bots": _server("bots runtime table rules", "asyncio"),
    "fullring.store": _server(
        "store runtime.ports runtime.accounts runtime.admin runtime.audit runtime.webhooks history table rules",
        "alembic argon2 asyncio asyncpg cryptography importlib msgspec socket sqlalchemy sqlite3 subprocess threading",
    ),
    "fullring.webhooks": _server("webhooks runtime table rules", "asyncio httpx socket"),
    "fullring.wire": _server("wire table rules", "msgspec pydantic pydantic_core"),
    "fullring.history": _server("history rules"),
    "fullring.runtime": _server("runtime table rules", "asyncio"),
    "fullring.table": _server("table rules", pure=True),
    "fullring.rules": _server("rules", pure=True),
    "fullring_client": SDK,
    "fullring_client.cli": TERMINAL,
    "fullring_client.terminal": TERMINAL,
}


def offences(module: str, source: str) -> list[str]:
    """What in this source its layer may not have, one sentence each, with the line."""
    layer = _layer_of(module)
    if layer is None:
        return [f"{module} is in no layer: give it a place in tests/layers.py"]
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [f"{module}:{node.lineno} imports {name}" for name in _refused_imports(layer, node)]
        elif layer.pure and (what := _impure(node)):
            found.append(f"{module}:{getattr(node, 'lineno', '?')} has {what}")
    return found


def _layer_of(module: str) -> Layer | None:
    if module == "fullring":
        return LAYERS["fullring"]
    parts = module.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((LAYERS[prefix] for prefix in prefixes if prefix in LAYERS and prefix != "fullring"), None)


def _refused_imports(layer: Layer, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        names = ["." * node.level + (node.module or "")]
    else:
        # ``from fullring.runtime import ports`` may name a module or a thing in one: both start with what is allowed.
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    yield from (name for name in names if not _allowed(layer, name))


def _allowed(layer: Layer, name: str) -> bool:
    package = name.split(".")[0]
    if package in ("fullring", "fullring_client"):
        return _within(name, layer.inside)
    if package not in sys.stdlib_module_names:
        return package in layer.outside
    if layer.pure:
        return package in PURE
    return not _within(name, DOORS) or package in layer.outside


def _within(name: str, places: frozenset[str]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


def _impure(node: ast.AST) -> str | None:
    match node:
        case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
            return "async or await"
        case ast.Name(id=name) if name in IMPURE_NAMES:
            return name
        case _:
            return None

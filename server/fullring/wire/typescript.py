"""The browser's types, written from the models: ``python -m fullring.wire.typescript client/web/src/wire.ts``."""

import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic.json_schema import models_json_schema

from fullring.wire import admin_accounts, admin_room, http
from fullring.wire.client import LOBBY, PROTOCOL, ClientMessage
from fullring.wire.errors import CloseCode
from fullring.wire.events import Event
from fullring.wire.fields import Shape
from fullring.wire.server import ServerMessage

_RENAMED = {"Error": "ErrorAnswer", "Range": "Bounds", "Settings": "TableSettings"}
"""Models whose names mean something else in a browser, or too little."""
_UNIONS = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage, "Event": Event}
_LINE = 120
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """The whole file. The same models give the same text."""
    models = [*_members(ClientMessage), *_members(ServerMessage), *_bodies()]
    _, document = models_json_schema([(model, "validation") for model in models], ref_template="{model}")
    return "\n".join(
        [
            "// Written by `python -m fullring.wire.typescript` from the server's models. Change those, not this.",
            "",
            f"export const PROTOCOL = {PROTOCOL};",
            f'export const LOBBY = "{LOBBY}";',
            "",
            *_close_codes(),
            *(line for name, schema in document["$defs"].items() for line in _declared(_name(name), schema)),
            *(line for name, union in _UNIONS.items() for line in _union(name, _names(union))),
        ]
    )


def _members(union: Any) -> tuple[type[Shape], ...]:
    members: tuple[type[Shape], ...] = get_args(get_args(union)[0])
    return members


def _names(union: Any) -> list[str]:
    return [_name(model.__name__) for model in _members(union)]


def _bodies() -> Iterator[type[Shape]]:
    for module in (http, admin_accounts, admin_room):
        for _, model in inspect.getmembers(module, inspect.isclass):
            if issubclass(model, Shape) and model.__module__ == module.__name__:
                yield model


def _close_codes() -> Iterator[str]:
    yield "/** Why the server closed a socket. */"
    yield "export const CLOSED = {"
    for code in CloseCode:
        yield f"  {code.name}: {code.value},"
    yield "} as const;"
    yield ""


def _union(name: str, members: Sequence[str]) -> Iterator[str]:
    line = f"export type {name} = {' | '.join(members)};"
    if len(line) <= _LINE:
        yield line
    else:
        yield f"export type {name} ="
        yield from (f"  | {member}" for member in members[:-1])
        yield f"  | {members[-1]};"
    yield ""


def _declared(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if "description" in schema:
        yield f"/** {' '.join(schema['description'].replace('``', '`').split())} */"
    if "enum" in schema:
        yield from _union(name, [_literal(value) for value in schema["enum"]])
        return
    yield f"export interface {name} {{"
    required = schema.get("required", ())
    for field, kind in schema.get("properties", {}).items():
        yield f"  {field}{'' if field in required else '?'}: {_type(kind)};"
    yield "}"
    yield ""


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            members = [_type(member) for member in schema[union]]
            known = (name for name, of_union in _UNIONS.items() if members == _names(of_union))
            return next(known, " | ".join(members))
    if schema["type"] == "array":
        item = _type(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema["type"] == "object":
        return "Record<string, unknown>"
    return _PLAIN[schema["type"]]


def _literal(value: object) -> str:
    assert isinstance(value, str)
    return f'"{value}"'


def _name(model: str) -> str:
    return _RENAMED.get(model, model)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(typescript(), encoding="utf-8")

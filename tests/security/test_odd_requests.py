"""Requests made from the OpenAPI document, nearly right: none breaks the room, each failure is a problem document."""

import json
import logging
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from fullring.web.application import bare_app
from fullring.wire.http import Problem
from fullring.wire.server import Error
from tests.security.odd_frames import ODD, TEXTS
from tests.server import Running, running

EACH = 8
SEED = 5
DOCUMENT = bare_app().openapi()
KEPT = {"delete /api/v1/sessions/current", "get /api/v1/tables/{table}/stream"}
"""One would end the asker's own session, the other has no end."""


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, where it is only named."""
    if "$ref" in schema:
        found: dict[str, Any] = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return found
    return schema


def value(chance: Random, schema: dict[str, Any]) -> Any:
    """One that the schema allows, as far as it says."""
    schema = resolved(schema)
    if "anyOf" in schema or "oneOf" in schema:
        return value(chance, chance.choice(schema.get("anyOf") or schema["oneOf"]))
    if "enum" in schema or "const" in schema:
        return chance.choice(schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "object":
            needed = schema.get("required", [])
            fields = schema.get("properties", {}).items()
            return {name: value(chance, field) for name, field in fields if name in needed or chance.random() < 0.5}
        case "array":
            return [value(chance, schema["items"]) for _ in range(chance.randrange(1, 3))]
        case "integer" | "number":
            low, high = schema.get("minimum", -(2**53)), schema.get("maximum", 2**53)
            return chance.choice((low, high, max(low, min(high, 10))))
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
        case _:
            return "".join(chance.choices("abc ", k=chance.randrange(schema.get("minLength", 1), 20)))


def spoiled(chance: Random, good: Any) -> Any:
    """It, or with something in it that may be wrong."""
    if not isinstance(good, dict) or chance.random() < 0.2:
        return chance.choice((good, *ODD))
    for name in chance.sample([*good, "odd"], k=chance.randrange(3) if good else 1):
        good[name] = chance.choice(ODD)
    return good


def request(chance: Random, path: str, operation: dict[str, Any], known: dict[str, str]) -> dict[str, Any]:
    """What to ask for: where, with which query and which body."""
    path = re.sub(r"\{(\w+)\}", lambda name: chance.choice((*2 * [known.get(name[1], "x")], "x1", "%00")), path)
    wanted = [parameter for parameter in operation.get("parameters", []) if parameter["in"] == "query"]
    query = {
        one["name"]: chance.choice((value(chance, one["schema"]), *TEXTS)) for one in wanted if chance.random() < 0.5
    }
    made: dict[str, Any] = {"url": path, "params": {name: given for name, given in query.items() if given is not None}}
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        body = json.dumps(spoiled(chance, value(chance, schema))).encode()
        made["content"] = body if chance.random() < 0.9 else body[: chance.randrange(len(body) + 1)]
        made["headers"] = {"Content-Type": "application/json"}
    return made


async def known_ids(room: Running) -> tuple[str, dict[str, str]]:
    """An admin's token, and ids that are somebody's."""
    admin, guest = await room.guest(), await room.guest()
    await room.site.accounts.set_role(AccountId(admin.id), Role.ADMIN)
    return admin.token, {"table": await room.table(), "account": guest.id}


async def test_no_request_breaks_the_room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chance = Random(SEED)
    operations = [
        (method, path, operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        if f"{method} {path}" not in KEPT
    ]
    statuses = set()
    async with running(tmp_path) as room:
        token, known = await known_ids(room)
        async with room.http(token) as client:
            for method, path, operation in operations * EACH:
                asked = request(chance, path, operation, known)
                answer = await client.request(method, room.url + asked.pop("url"), **asked)
                statuses.add(answer.status_code)
                assert answer.status_code < 500, (SEED, method, path, asked)
                if answer.status_code >= 400 and answer.headers["content-type"] == "application/json":
                    assert path.endswith("/commands")
                    Error.model_validate_json(answer.content)
                elif answer.status_code >= 400:
                    assert answer.headers["content-type"] == "application/problem+json"
                    Problem.model_validate_json(answer.content)
        assert await room.site.ledger.audit() == []

    assert len(operations) > 20
    assert {200, 201, 204, 404, 422} <= statuses, "some were right and some were wrong"
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []

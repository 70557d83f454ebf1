"""The AsyncAPI 3 document of the socket, made from the models. (OpenAPI is FastAPI's, from the same models.)"""

from collections.abc import Sequence
from typing import Any, get_args

from pydantic.json_schema import models_json_schema

from fullring.wire.client import PROTOCOL, ClientMessage
from fullring.wire.errors import CloseCode
from fullring.wire.fields import Shape
from fullring.wire.server import ServerMessage

_CHANNEL = {"$ref": "#/channels/room"}
_ANSWERS = {"hello": ("welcome", "error"), "ping": ("pong", "error")}  # Everything else gets ok or error.


def asyncapi() -> dict[str, Any]:
    """Written as the server: it receives what a client sends."""
    asked, told = _models(ClientMessage), _models(ServerMessage)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Fullring, the socket",
            "version": f"{PROTOCOL}.0.0",
            "description": "JSON text frames. docs/protocol.md says what the messages mean.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "room": {
                "address": "/api/v1/ws",
                "description": "One socket a client, many tables on it.",
                "messages": {type: {"$ref": f"#/components/messages/{type}"} for type in (*asked, *told)},
                "bindings": {"ws": {"method": "GET"}},
                "x-close-codes": {str(code.value): code.name.lower() for code in CloseCode},
            }
        },
        "operations": {type: _receive(type) for type in asked} | {type: _send(type) for type in ("update", "notice")},
        "components": {
            "messages": {type: _message(type, model) for type, model in (asked | told).items()},
            "schemas": schemas_of([*asked.values(), *told.values()]),
        },
    }


def schemas_of(models: Sequence[type[Shape]]) -> dict[str, Any]:
    """By name, with those that they are made of."""
    _, document = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    schemas: dict[str, Any] = document["$defs"]
    return schemas


def _models(union: Any) -> dict[str, type[Shape]]:
    return {model.model_fields["type"].default: model for model in get_args(get_args(union)[0])}


def _receive(type: str) -> dict[str, Any]:
    answers = _ANSWERS.get(type, ("ok", "error"))
    return {
        "action": "receive",
        "channel": _CHANNEL,
        "messages": [_in_channel(type)],
        "reply": {"channel": _CHANNEL, "messages": [_in_channel(answer) for answer in answers]},
    }


def _send(type: str) -> dict[str, Any]:
    return {"action": "send", "channel": _CHANNEL, "messages": [_in_channel(type)]}


def _in_channel(type: str) -> dict[str, str]:
    return {"$ref": f"#/channels/room/messages/{type}"}


def _message(type: str, model: type[Shape]) -> dict[str, Any]:
    identity = {"correlationId": {"location": f"$message.payload#/{'id' if 'id' in model.model_fields else 're'}"}}
    return {
        "name": type,
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
        **(identity if {"id", "re"} & set(model.model_fields) else {}),
    }

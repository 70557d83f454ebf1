"""How every route answers: what was set is sent, and a failure is a problem document. And how the document says so."""

from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from fullring.wire.client import COMMANDS
from fullring.wire.fields import Shape
from fullring.wire.http import Problem
from fullring.wire.schema import schemas_of

_REF = "#/components/schemas/{model}"
_PROBLEM: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "Not done, and why",
        "content": {"application/problem+json": {"schema": {"$ref": _REF.format(model=Problem.__name__)}}},
    }
}


class Routes(APIRouter):
    """A router whose routes leave out what their answers leave unset."""

    def add_api_route(self, path: str, endpoint: Any, **options: Any) -> None:
        options["response_model_exclude_unset"] = True
        options["responses"] = (options.get("responses") or {}) | _PROBLEM
        super().add_api_route(path, endpoint, **options)


def reference(model: type[Shape]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def operation_id(route: APIRoute) -> str:
    """As in ``lobby_open_table``: what generated clients call it."""
    return "_".join([*map(str, route.tags), route.name])


def openapi(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=app.description,
        license_info=app.license_info,
        routes=app.routes,
    )
    schemas: dict[str, Any] = document["components"]["schemas"]
    schemas |= schemas_of([Problem, *COMMANDS])
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document

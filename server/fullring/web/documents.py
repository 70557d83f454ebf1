"""``python -m fullring.web.documents FOLDER`` writes openapi.json and asyncapi.json, the same bytes every time."""

import json
import sys
from pathlib import Path
from typing import Any

from fullring.web.application import bare_app
from fullring.wire.schema import asyncapi


def documents() -> dict[str, str]:
    """Each file's name and text."""
    return {"openapi.json": _text(bare_app().openapi()), "asyncapi.json": _text(asyncapi())}


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main(folder: str) -> None:
    for name, text in documents().items():
        (Path(folder) / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])

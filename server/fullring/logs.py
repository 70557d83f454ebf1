"""How the log looks: lines for people, or JSON for programs; each with the ids of what it speaks of."""

import json
import logging
import sys
from datetime import UTC, datetime

from fullring.settings import Settings
from fullring.web.requests import request_id

IDS = ("connection", "account", "table", "hand", "request")
"""What a line may be found by. Whoever logs gives them as ``extra``; nothing else that is given there is written."""
NOISY = ("alembic", "asyncio", "httpcore", "httpx")
"""Of these, warnings alone: the last two tell where each webhook goes, and an address may hold a secret."""


def configure(settings: Settings) -> None:
    """Everything to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if settings.log_format == "json" else Console())
    handler.addFilter(with_request)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)


class Console(logging.Formatter):
    """The text names what it speaks of; only the request, which it does not know, is added."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # So logging calls it.
        request = getattr(record, "request", None)
        return super().formatMessage(record) + (f" [request {request}]" if request else "")


class Json(logging.Formatter):
    """One object a line: ``time``, ``level``, ``logger``, ``message``, the ids, and ``exception`` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: str(found) for name in IDS if (found := getattr(record, name, None)) is not None}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def with_request(record: logging.LogRecord) -> bool:
    """A filter that drops nothing: it says during which request this was logged."""
    request = request_id()
    if request is not None:
        record.request = request
    return True


def _is_ours(record: logging.LogRecord) -> bool:
    """A client that sends bytes which are no text is closed with 1007; it is no error of ours."""
    return not str(record.msg).startswith("Invalid UTF-8")

"""Settings that would work and would be unwise: the worst are refused, of the others the operator is warned.

This looks at the machine, where the settings themselves look only at each other.
"""

import stat
from collections.abc import Iterator
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fullring.setting_sources import BadSettings, read_file, settings_file, strangers, variable
from fullring.settings import Settings, is_local

GUESSABLE = frozenset({"", "admin", "changeme", "fullring", "password", "postgres", "secret"})
"""Passwords that stand in examples."""


def check(settings: Settings) -> None:
    """Raises BadSettings, with a sentence that says what would do."""
    host, password = _place(settings)
    if _far(host) and password in GUESSABLE:
        raise BadSettings(
            f"{variable('database_url')} has a password that stands in every example, for a server that others may"
            " reach: choose another"
        )
    if settings.traces and not _can_trace():
        raise BadSettings(f"{variable('traces')} takes packages that are not installed: pip install 'fullring[otel]'")
    path = settings_file({"config": settings.config})
    if path is not None and _for_others(path):
        held = [name for name in ("database_url", "metrics_token") if name in read_file(Settings, path)]
        if held:
            raise BadSettings(f"{path} holds {held[0]} and everybody here can read it: chmod 600 {path}")


def warned(settings: Settings) -> Iterator[str]:
    """Each in a sentence."""
    yield from strangers(Settings)
    if not settings.local and "*" in settings.origins:
        yield f"{variable('origins')} is *: pages of any site may open sockets from their visitors' browsers"
    if _for_others(settings.seal_key_path):
        yield (
            f"everybody here can read {settings.seal_key_path}, which opens the decks of hands in play:"
            f" chmod 600 {settings.seal_key_path}"
        )
    host, password = _place(settings)
    if not is_local(host) and password in GUESSABLE:
        yield "the database's password stands in every example: choose another before others can reach the database"


def _place(settings: Settings) -> tuple[str, str | None]:
    """The database's host and password, as far as there are any."""
    try:
        found = urlsplit(settings.database)
        return found.hostname or "", found.password and unquote(found.password)
    except ValueError:
        raise BadSettings(f"{variable('database_url')} must be as postgresql://user:password@host/name") from None


def _far(host: str) -> bool:
    """Whether that name or address may be another network's. A name without a dot is one of a network of containers."""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return "." in host.rstrip(".")


def _can_trace() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def _for_others(path: Path) -> bool:
    """Not where it isn't there, or where we may not look: whoever reads it says so."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False

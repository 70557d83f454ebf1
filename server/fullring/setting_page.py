"""``python -m fullring.setting_page SETTINGS.md ENV`` writes what explains every setting, out of the model's words."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from fullring.setting_sources import is_secret, variable
from fullring.settings import Settings

SECTIONS = {
    "config": ("Where", "Under Docker the image and docker-compose.yml choose these, but for the last two."),
    "log_level": ("Running", ""),
    "webhook_private": ("Webhooks", "See docs/webhooks.md."),
    "tables": ("Tables", ""),
    "guests": ("Players", ""),
    "frames_per_second": ("Connections", ""),
}
"""Each begins with a setting, in the order of the model."""
WIDTH = 118

_PAGE = """# Settings

Made from `server/fullring/settings.py` by `make docs`. `fullring config check` prints the settings in force, each with
where it comes from, and refuses what is wrong; so does `fullring serve`.

A setting is looked for in this order, and the first that is found holds:

1. the command line, for the few settings that have an option there (`fullring serve --help`);
2. the environment: `FULLRING_` and the name in capitals, as `FULLRING_TURN_SECONDS=20`. An empty one counts as not set;
3. for secrets, a file that the environment names, as Docker's secrets are:
   `FULLRING_DATABASE_URL_FILE=/run/secrets/database_url`;
4. the settings file: `fullring.toml` in the working directory, or the one that `--config` or `FULLRING_CONFIG` names.
   One setting a line, as `turn_seconds = 20`. A name that is no setting's is refused;
5. the default.

Refused as insecure: a password from the examples in the URL of a database on another host; proxies `*`, or a network of
all addresses, while the room listens to others than this machine; a settings file with secrets that everybody may read;
a short metrics token. Warned of: origins `*` while the room listens to others; a seal key that everybody may read; a
database's password from the examples; a variable that looks like a setting and is none.
"""
_EXAMPLE = """\
# Copy to .env and change what you want to change. Every line is optional; what stands here are the defaults.
# Without Docker the same names work as environment variables, and in small letters in fullring.toml: docs/settings.md.
# Made by `make docs`.

# --- Docker Compose alone ------------------------------------------------------------------------------------------
# Where the room is published on this machine. Put a proxy with TLS before it, or 0.0.0.0:8000 for a trusted network.
#FULLRING_PUBLISH=127.0.0.1:8000
# The database's password, inside the network of the containers. Choose it before the first start.
#FULLRING_DB_PASSWORD=fullring
# How long Docker waits for the room to stop: 5 s more than FULLRING_DRAIN_SECONDS at least.
#FULLRING_STOP_GRACE=10s
# Where Grafana and Prometheus are published, with --profile monitoring, and the password of Grafana's admin.
#FULLRING_GRAFANA_PUBLISH=127.0.0.1:3000
#FULLRING_PROMETHEUS_PUBLISH=127.0.0.1:9090
#FULLRING_GRAFANA_PASSWORD=fullring
"""


def page() -> str:
    """docs/settings.md."""
    lines = [_PAGE]
    for title, remark, fields in _sections():
        lines += [f"## {title}", "", *([remark, ""] if remark else [])]
        lines += ["| setting | default | may be | means |", "| --- | --- | --- | --- |"]
        for name, field in fields.items():
            default = f"`{_text(field.default)}`" if _text(field.default) else "not set"
            lines.append(f"| `{name}` | {default} | {_range(field)} | {_means(field)} |")
        lines.append("")
    return "\n".join(lines)


def example() -> str:
    """.env.example."""
    lines = [_EXAMPLE]
    for title, remark, fields in _sections():
        lines.append(f"# --- {title} ".ljust(WIDTH - 1, "-"))
        lines += _comment(remark)
        for name, field in fields.items():
            lines += _comment(_means(field).replace("`", ""))
            lines += _comment(f"Or the file that {variable(name)}_FILE names has it.") if is_secret(field) else []
            lines.append(f"#{variable(name)}={_text(field.default)}")
        lines.append("")
    return "\n".join(lines)


def _sections() -> Iterator[tuple[str, str, dict[str, FieldInfo]]]:
    fields = Settings.model_fields
    names = list(fields)
    starts = [*map(names.index, SECTIONS), len(names)]
    for (title, remark), start, end in zip(SECTIONS.values(), starts, starts[1:], strict=False):
        yield title, remark, {name: fields[name] for name in names[start:end]}


def _means(field: FieldInfo) -> str:
    return " ".join((field.description or "").replace("``", "`").split())


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, WIDTH - 2)]


def _text(default: object) -> str:
    match default:
        case None | ():
            return ""
        case bool():
            return str(default).lower()
        case _:
            return str(default)


def _range(field: FieldInfo) -> str:
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(field.annotation))
    if field.annotation is bool:
        return "`true`, `false`"
    bounds = {name: getattr(one, name) for one in field.metadata for name in ("ge", "le") if hasattr(one, name)}
    if bounds:
        return f"{bounds['ge']:,} to {bounds['le']:,}"
    return "a list" if get_origin(field.annotation) is tuple else "a text"


def main(settings: str, environment: str) -> None:
    Path(settings).write_text(page(), "utf-8")
    Path(environment).write_text(example(), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

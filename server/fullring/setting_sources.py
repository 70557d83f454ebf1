"""Where settings come from: what the command line says, the environment, files with secrets, and one settings file.

The first of these that has a setting wins; what none of them has is as the model says.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping, Set
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource

PREFIX = "FULLRING_"
SETTINGS_FILE = Path("fullring.toml")
"""Read from the working directory where it is there, unless another is named."""
CONFIG = f"{PREFIX}CONFIG"
LIKENESS = 0.75
"""From so much on a name is taken for a slip of another."""


class BadSettings(Exception):
    """A setting is wrong. The text names it, says what would do, and repeats no value that may be secret."""


def variable(name: str) -> str:
    """The environment's name of a setting."""
    return f"{PREFIX}{name.upper()}"


def is_secret(field: FieldInfo) -> bool:
    return SecretStr in (field.annotation, *get_args(field.annotation))


def secret_files(kind: type[BaseSettings]) -> Mapping[str, Path]:
    """By the name of the setting: files with a secret that the environment names, as FULLRING_DATABASE_URL_FILE."""
    named = {name: os.environ.get(f"{variable(name)}_FILE", "") for name in kind.model_fields}
    return {name: Path(path) for name, path in named.items() if path and is_secret(kind.model_fields[name])}


class SecretFiles(PydanticBaseSettingsSource):
    """Secrets that are not in the environment, where other processes may see them: Docker's and Kubernetes' way."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        raise NotImplementedError("all of them are read at once")

    def __call__(self) -> dict[str, Any]:
        found = secret_files(self.settings_cls)
        for name in found:
            if os.environ.get(variable(name)):
                raise BadSettings(f"{variable(name)} and {variable(name)}_FILE are both set: only one may be")
        return {name: _secret(variable(name), path) for name, path in found.items()}


def _secret(name: str, path: Path) -> str:
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{name}_FILE can't be read: {_why(error)}") from None
    if not text:
        raise BadSettings(f"{name}_FILE names a file that is empty")
    return text


def settings_file(given: Mapping[str, Any]) -> Path | None:
    """The one that is read: that which the command line or the environment names, or else the usual one."""
    named = given.get("config") or os.environ.get(CONFIG)
    if named:
        return Path(named)
    return SETTINGS_FILE if SETTINGS_FILE.is_file() else None


def read_file(kind: type[BaseSettings], path: Path | None) -> dict[str, Any]:
    """Raises BadSettings, also for a name that is no setting's."""
    if path is None:
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{path} is not TOML: {str(error)[0].lower()}{str(error)[1:]}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"the settings file {path} can't be read: {_why(error)}") from None
    names = kind.model_fields.keys() - {"config"}
    for name in found:
        if name not in names:
            meant = _meant(name, names)
            raise BadSettings(f"{path} has {name}, which is no setting" + (f": did you mean {meant}?" if meant else ""))
    return found


def in_order(
    kind: type[BaseSettings], first: InitSettingsSource, environment: PydanticBaseSettingsSource
) -> tuple[PydanticBaseSettingsSource, ...]:
    """The sources, the strongest first."""
    file = read_file(kind, settings_file(first.init_kwargs))
    return first, environment, SecretFiles(kind), InitSettingsSource(kind, file)


def origins(kind: type[BaseSettings], given: Mapping[str, Any]) -> dict[str, str]:
    """Where each setting that is not the default comes from. Read it after the settings were found right."""
    path = settings_file(given)
    found = dict.fromkeys(read_file(kind, path), str(path))
    found |= {name: f"{variable(name)}_FILE" for name in secret_files(kind)}
    found |= {name: variable(name) for name in kind.model_fields if os.environ.get(variable(name))}
    return found | dict.fromkeys(given, "command line")


def strangers(kind: type[BaseSettings]) -> Iterator[str]:
    """Variables that look like settings and are none, each in a sentence: most likely a slip."""
    names = kind.model_fields.keys() | {f"{name}_file" for name, field in kind.model_fields.items() if is_secret(field)}
    for found in sorted(os.environ):
        name = found.removeprefix(PREFIX).lower()
        if found.startswith(PREFIX) and name not in names and (meant := _meant(name, names)):
            yield f"{found} is no setting: did you mean {variable(meant)}?"


def _meant(name: str, names: Set[str]) -> str | None:
    close = get_close_matches(name, sorted(names), 1, LIKENESS)
    return close[0] if close else None


def _why(error: Exception) -> str:
    return (error.strerror or "it fails").lower() if isinstance(error, OSError) else "it is no text in UTF-8"

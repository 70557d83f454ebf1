"""``fullring config check``: the settings in force, each with where it comes from; and whether they would do."""

import json
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from pydantic import SecretStr

from fullring import precautions, settings
from fullring.setting_sources import BadSettings
from fullring.settings import Settings

WRONG = 2
"""The exit status for settings that are wrong."""

commands = typer.Typer(no_args_is_help=True, help="Settings.")

Config = Annotated[Path | None, typer.Option("--config", help="The settings file [FULLRING_CONFIG, ./fullring.toml].")]


@commands.command()
def check(config: Config = None) -> None:
    """Print the settings in force, without secrets. The exit status is 2 if one is wrong or insecure."""
    chosen = chosen_or_exit(config=config)
    origins = settings.origins(config=config)
    for name in Settings.model_fields:
        typer.echo(f"{name} = {_told(getattr(chosen, name))}".ljust(44) + f"  # {origins.get(name, 'default')}")
    for sentence in precautions.warned(chosen):
        typer.echo(f"warning: {sentence}", err=True)


def chosen_or_exit(**given: object) -> Settings:
    """The settings, checked; or one sentence that says what is wrong, and the end of the program."""
    try:
        chosen = settings.load(**given)
        precautions.check(chosen)
    except BadSettings as error:
        _wrong(str(error))
    return chosen


def _wrong(sentence: str) -> NoReturn:
    typer.echo(f"fullring: {sentence}", err=True)
    raise typer.Exit(WRONG)


def _told(value: object) -> str:
    match value:
        case None:
            return "(not set)"
        case SecretStr():
            return "(hidden)"
        case Path():
            return json.dumps(str(value))
        case _:
            return json.dumps(value, ensure_ascii=False)

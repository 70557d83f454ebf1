"""Writes run.txt, dev.txt and bench.txt: the exact versions that `make` installs.

Each is what pip chooses in an empty environment for pyproject.toml; dev.txt adds to run.txt, bench.txt to dev.txt.
No hashes and no addresses: a mirror may have built its own files of the same versions.
"""

import subprocess
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
# What an editable install without build isolation needs.
BUILD = ("hatchling", "editables")
LAYERS = {"run": ".", "dev": ".[dev]", "bench": ".[dev,bench]"}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fullring-lock-") as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        below: list[str] = []
        under = ""
        for name, what in LAYERS.items():
            _pip(python, "install", "--quiet", *BUILD, what)
            pins = _pins(python)
            _write(HERE / f"{name}.txt", under, [pin for pin in pins if pin not in below])
            below, under = pins, f"{name}.txt"


def _pins(python: Path) -> list[str]:
    freeze = _pip(python, "freeze", "--exclude", "fullring", "--exclude", "pip", "--exclude", "setuptools")
    return sorted((line for line in freeze.splitlines() if "==" in line), key=str.lower)


def _write(path: Path, under: str, pins: list[str]) -> None:
    lines = ["# Written by `make lock`.", *([f"-r {under}"] if under else []), *pins]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pip(python: Path, *arguments: str) -> str:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, cwd=PROJECT, check=True, text=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    main()

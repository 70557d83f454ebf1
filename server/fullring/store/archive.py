"""Pruned journal rows in files: JSON lines, gzipped, a folder for each table. Decks in them stay sealed."""

import base64
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

from fullring.store.fold import Broken, FoundRow

_DIGITS: Final = 12
_FILE: Final = "[0-9]" * _DIGITS + "-" + "[0-9]" * _DIGITS + ".jsonl.gz"


class ArchiveFile:
    """A file of one table's rows that is there whole, under its name, once it is finished; before that it is not."""

    def __init__(self, folder: Path, table: str) -> None:
        self._folder = _folder(folder, table)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._unfinished = self._folder / f"unfinished.{os.getpid()}"
        self._open = ExitStack()
        descriptor = os.open(self._unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        raw = self._open.enter_context(os.fdopen(descriptor, "wb"))
        self._file = self._open.enter_context(gzip.GzipFile("", "wb", fileobj=raw))
        self._first = self._last = 0

    def write(self, rows: list[FoundRow]) -> None:
        for row in rows:
            self._file.write(_line(row))
            self._first = self._first or row.seq
            self._last = row.seq

    def finish(self) -> Path:
        """Its name; it is on the disk."""
        self._open.close()
        _sync(self._unfinished)
        path = self._folder / f"{self._first:0{_DIGITS}}-{self._last:0{_DIGITS}}.jsonl.gz"
        self._unfinished.replace(path)
        _sync(self._folder)
        return path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._unfinished.unlink(missing_ok=True)


def archived_rows(folder: Path, table: str, until: int) -> Iterator[FoundRow]:
    """The rows up to that one, in order, each once. Raises Broken where a file can't be read."""
    last = 0
    for path in sorted(_folder(folder, table).glob(_FILE)):
        try:
            with gzip.open(path, "rb") as file:
                for line in file:
                    row = _row(json.loads(line))
                    if last < row.seq <= until:
                        last = row.seq
                        yield row
        except (OSError, EOFError, zlib.error, ValueError, TypeError):
            raise Broken(f"the archive's file {path.name} can't be read") from None


def _folder(folder: Path, table: str) -> Path:
    return folder / quote(table, safe="")


def _line(row: FoundRow) -> bytes:
    values = asdict(row)
    if row.sealed is not None:
        values["sealed"] = base64.b64encode(row.sealed).decode()
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _row(values: dict[str, Any]) -> FoundRow:
    sealed = values.pop("sealed")
    return FoundRow(**values, sealed=None if sealed is None else base64.b64decode(sealed))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

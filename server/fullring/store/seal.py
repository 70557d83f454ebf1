"""Secrets at rest: sealed with AES-GCM under a key that is not in the database, bound to what they are for: a deck to
its table and hand, another secret to whose it is.
"""

import base64
import binascii
import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fullring.rules.cards import Deck

KEY_BYTES = 32
_FORMAT = b"\x01"
_KEY_ID_BYTES = 8
_NONCE_BYTES = 12
_HEADER_BYTES = len(_FORMAT) + _KEY_ID_BYTES
_CLEAR_BYTES = _HEADER_BYTES + _NONCE_BYTES
_SECRET = "secret"  # No table has that for its id.


class CannotUnseal(Exception):
    """The key isn't there, or this was not sealed for that table and hand. The text names no card."""


class KeyMissing(CannotUnseal):
    """The key that it was sealed with isn't there."""


class Seal:
    """Seals with the first key, unseals with any of them, so a key is replaced by putting a new one in front."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise ValueError(f"a seal needs keys of {KEY_BYTES} bytes")
        self._ciphers = {_key_id(key): AESGCM(key) for key in reversed(keys)}
        self._current = _key_id(keys[0])

    def __repr__(self) -> str:
        return f"Seal({len(self._ciphers)} keys)"

    def seal(self, deck: Deck, *, table: str, hand: str) -> bytes:
        return self._seal(bytes(deck), (table, hand))

    def unseal(self, sealed: bytes, *, table: str, hand: str) -> Deck:
        """Raises CannotUnseal."""
        return Deck(self._unseal(sealed, (table, hand), f"the deck of hand {hand}", "hand"))

    def seal_secret(self, secret: bytes, *, whose: str) -> bytes:
        return self._seal(secret, (_SECRET, whose))

    def unseal_secret(self, sealed: bytes, *, whose: str) -> bytes:
        """Raises CannotUnseal."""
        return self._unseal(sealed, (_SECRET, whose), f"the secret of {whose}", "owner")

    def _seal(self, clear: bytes, bound: tuple[str, str]) -> bytes:
        header = _FORMAT + self._current
        nonce = os.urandom(_NONCE_BYTES)
        return header + nonce + self._ciphers[self._current].encrypt(nonce, clear, _bound(header, *bound))

    def _unseal(self, sealed: bytes, bound: tuple[str, str], what: str, owner: str) -> bytes:
        header, nonce = sealed[:_HEADER_BYTES], sealed[_HEADER_BYTES:_CLEAR_BYTES]
        cipher = self._ciphers.get(header[len(_FORMAT) :])
        if not header.startswith(_FORMAT) or cipher is None:
            raise KeyMissing(f"{what} is sealed with a key that is not there")
        try:
            return cipher.decrypt(nonce, sealed[_CLEAR_BYTES:], _bound(header, *bound))
        except InvalidTag:
            raise CannotUnseal(f"{what} has been changed, or belongs to another {owner}") from None


def key_ids(keys: Sequence[bytes]) -> set[str]:
    """Names of keys, which tell nothing of them."""
    return {_key_id(key).hex() for key in keys}


def key_id_of(sealed: bytes) -> str:
    """The name of the key that this was sealed with."""
    return sealed[len(_FORMAT) : _HEADER_BYTES].hex()


def key_file(path: Path) -> tuple[bytes, ...]:
    """The keys in a file, one a line, the one to seal with first. A file that isn't there is made, with a new key.

    Whoever loses it loses the hands in play; whoever copies it with the database can read them.
    """
    if not path.exists():
        _make(path)
    try:
        keys = tuple(base64.b64decode(line, validate=True) for line in path.read_text("ascii").split())
    except (binascii.Error, UnicodeDecodeError):
        raise ValueError(f"{path.name} must hold keys in base64, one a line") from None
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise ValueError(f"{path.name} must hold keys of {KEY_BYTES} bytes")
    return keys


def _make(path: Path) -> None:
    """Whole and on the disk before any deck is sealed with it, and never over a file that another process made."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(os.urandom(KEY_BYTES)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        unfinished.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _key_id(key: bytes) -> bytes:
    return hashlib.sha256(b"fullring key id" + key).digest()[:_KEY_ID_BYTES]


def _bound(header: bytes, kind: str, id: str) -> bytes:
    return b"\0".join((header, kind.encode(), id.encode()))

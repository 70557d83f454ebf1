"""Passwords, hashed with argon2. In clear they are seen in passing, and never kept."""

import asyncio
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

HASHING_MAX = 2
"""Passwords hashed at the same time; each takes 64 MiB and a core for a moment."""
_MADE_BYTES = 12


class Passwords:
    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(HASHING_MAX)
        self._nobody: str | None = None

    async def hashed(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, known: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, known, password)
            except VerificationError:
                return False

    def is_weak(self, known: str) -> bool:
        """Whether that hash is to be made anew, with the settings of now."""
        return self._hasher.check_needs_rehash(known)

    async def nobodys(self) -> str:
        """The hash of a password that nobody has."""
        if self._nobody is None:
            self._nobody = await self.hashed(made())
        return self._nobody


def made() -> str:
    """A password that nobody guesses, short enough to be passed on."""
    return secrets.token_urlsafe(_MADE_BYTES)

"""The operating system's randomness, for the length of a run from a seed: decks, ids, tokens and nonces alike."""

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch

_HEX = "0123456789abcdef"
_URL_SAFE = f"{_HEX}ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"


@contextmanager
def seeded(dice: Random) -> Iterator[None]:
    """Nothing in this process may ask for real randomness meanwhile."""

    def text(alphabet: str, size: int) -> str:
        return "".join(dice.choices(alphabet, k=size))

    with ExitStack() as patched:
        for module, name, chance in (
            (os, "urandom", dice.randbytes),
            (secrets, "token_hex", lambda size=32: text(_HEX, 2 * size)),
            (secrets, "token_urlsafe", lambda size=32: text(_URL_SAFE, size * 4 // 3)),
            (secrets, "randbelow", dice.randrange),
        ):
            patched.enter_context(patch.object(module, name, chance))
        yield

"""A line as the server's own protocol is one: what is written is on its way at once, what comes is heard at once."""

from collections import deque
from collections.abc import Callable
from typing import Protocol

from fullring.wire.codec import unframed
from tests.simulation.world import Life, World

Frame = str | bytes


class Wire(Protocol):
    """What is behind it."""

    def write(self, frame: str) -> None: ...

    def took(self, frame: Frame) -> None: ...

    def abort(self) -> None: ...


class Direct:
    """In the place of a `FastSocket`. What the server is called back with, it is called in its own process."""

    def __init__(self, world: World, life: Life, wire: Wire) -> None:
        self.full = False
        self._world, self._life, self._wire = world, life, wire
        self._coming: deque[Frame] = deque()
        self._hear: Callable[[Frame], None] | None = None
        self._emptied: Callable[[], None] | None = None
        self._held = False
        self._called = False

    # --- the server's end ---

    def write(self, frame: bytes) -> None:
        self._wire.write(unframed(frame).decode())

    def listen(self, hear: Callable[[Frame], None], emptied: Callable[[], None]) -> None:
        self._hear, self._emptied = hear, emptied
        self._hear_all()

    def hold(self) -> None:
        self._held = True

    def abort(self) -> None:
        self._wire.abort()

    # --- the network's end ---

    def arrive(self, frame: Frame) -> None:
        self._coming.append(frame)
        self._call()

    def fill(self, *, full: bool) -> None:
        """Whether what waits for the client is as much as should."""
        if self.full and not full:
            self._call()
        self.full = full

    def lose(self) -> None:
        """The client is gone, and whoever listened is let go."""
        self.full = self._held = True
        self._hear = self._emptied = None
        self._coming.clear()

    def _call(self) -> None:
        if not self._called:
            self._called = True
            self._world.call_soon(self._go_on, context=self._life.context.copy())

    def _go_on(self) -> None:
        self._called = False
        if self._emptied is not None and not self.full:
            self._emptied()
            if not self.full:
                self._held = False
        self._hear_all()

    def _hear_all(self) -> None:
        while self._hear is not None and self._coming and not self._held:
            frame = self._coming.popleft()
            self._wire.took(frame)
            self._hear(frame)

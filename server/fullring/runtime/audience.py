"""Who watches, and what they get: an update is made once, encoded once, and handed to all without waiting for any.

Knows nothing of sockets, and no card: what is shown is made by a ``Scene``.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fullring.rules.refusals import Refusal, Refused
from fullring.rules.value import value
from fullring.table.ids import AccountId, Millis

View = dict[str, Any]
You = dict[str, Any]
PublicEvent = dict[str, Any]

RING_UPDATES = 256
"""So many updates' events are held for those who come back; who missed more is told that some are lost."""
WATCHED_MAX = 64
"""Tables that one connection may watch. The next is refused."""


@value
class Since:
    """The last update that a returning viewer has."""

    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class Encoder:
    """How messages become bytes; handed in, so that nothing here knows the wire."""

    encode: Callable[[Mapping[str, object]], bytes]
    frame: Callable[[bytes], bytes]
    """An encoded message as a line takes it."""
    joiner: Callable[[bytes], Callable[[bytes], bytes]]
    """Of an encoded update: what makes the same of it with a viewer's own part, encoded too, added."""


class Own:
    """One seat's own part. It is encoded when the first socket needs it, and never again."""

    __slots__ = ("_encoder", "encoded", "message")

    def __init__(self, message: You, encoder: Encoder) -> None:
        self.message = message
        self.encoded: bytes | None = None
        self._encoder = encoder

    def encode(self) -> bytes:
        self.encoded = self._encoder.encode(self.message)
        return self.encoded


class Update:
    """One update. Its public part is encoded when the first socket needs it, and never again."""

    __slots__ = ("_encoder", "_frame", "_join", "_public", "message")

    def __init__(self, message: dict[str, Any], encoder: Encoder) -> None:
        self.message = message
        self._encoder = encoder
        self._public: bytes | None = None
        self._frame: bytes | None = None
        self._join: Callable[[bytes], bytes] | None = None

    def frame(self, own: Own | None) -> bytes:
        """What goes to a viewer: the same bytes object for everybody who has no part of its own."""
        if own is None:
            if self._frame is None:
                self._frame = self._encoder.frame(self._encoded())
            return self._frame
        join = self._join
        if join is None:
            join = self._join = self._encoder.joiner(self._encoded())
        return join(own.encoded or own.encode())

    def _encoded(self) -> bytes:
        if self._public is None:
            self._public = self._encoder.encode(self.message)
        return self._public


class Viewer(Protocol):
    """One connection, or a player inside the process. ``account`` is None for a spectator."""

    account: AccountId | None
    watching: set["Audience"]

    def reply(self, frame: bytes) -> None:
        """An answer to this viewer alone. Never waits, never raises."""

    def update(self, audience: "Audience", update: Update, own: Own | None) -> None:
        """Something happened. Never waits, never raises."""


class Scene(Protocol):
    """What there is to see. The view is public; ``yours`` are the own parts of those who sit there.

    Nothing that was shown is changed afterwards; what is the same as before may be the same object.
    """

    def view(self) -> View: ...

    def yours(self) -> Mapping[AccountId, You]: ...


class Audience:
    """The viewers of one table, or of the lobby, and what they may have missed."""

    def __init__(self, subject: str, epoch: int, seq: int, at: Millis, scene: Scene, encoder: Encoder) -> None:
        self.subject = subject
        self.epoch = epoch
        self.seq = seq
        self._at = at
        self._scene = scene
        self._encoder = encoder
        self._viewers: dict[Viewer, None] = {}
        self._ring: deque[bytes] = deque(maxlen=RING_UPDATES)  # Encoded, as that takes a third of the room.
        self._view: View | None = None
        self._owns: dict[AccountId, Own] = {}

    def __len__(self) -> int:
        return len(self._viewers)

    # --- for those who watch ---

    def watch(self, viewer: Viewer, since: Since | None = None, accepted: bytes | None = None) -> None:
        """``accepted`` is sent first; then an update with the view as it is now and the events missed since then.

        Watching again is as good as the first time. Raises Refused for one table too many, and then sends nothing.
        """
        if self not in viewer.watching and len(viewer.watching) >= WATCHED_MAX:
            raise Refused(Refusal.FORBIDDEN, f"one connection watches at most {WATCHED_MAX} tables")
        self._viewers[viewer] = None
        viewer.watching.add(self)
        if accepted is not None:
            viewer.reply(accepted)
        events, lost = self._missed(since)
        viewer.update(self, self._update(events, lost), self._own_of(viewer.account))

    def leave(self, viewer: Viewer) -> None:
        """No more updates. Leaving twice, or without having watched, is no fault."""
        self._viewers.pop(viewer, None)
        viewer.watching.discard(self)

    def view(self) -> View:
        """The public view as it is now."""
        if self._view is None:
            self._view = self._scene.view()
        return self._view

    def fresh(self, account: AccountId | None) -> tuple[Update, Own | None]:
        """For a viewer whose updates were dropped: how it stands now, and that events are lost."""
        return self._update((), lost=True), self._own_of(account)

    # --- for the one who shows ---

    def publish(self, seq: int, at: Millis, events: Sequence[PublicEvent]) -> None:
        """The scene has changed to its state number ``seq``, which is the next."""
        assert seq == self.seq + 1, "updates are numbered without gaps"
        self._ring.append(self._encoder.encode({"events": events}))
        self.seq = seq
        self._at = at
        self._view = None
        if self._viewers:
            self._send(self._update(events))

    def announce(self, at: Millis, events: Sequence[PublicEvent] = ()) -> None:
        """Something that is no part of the history: the view is another, its number the same."""
        self._at = at
        self._view = None
        if self._viewers:
            self._send(self._update(events))

    def refresh(self, account: AccountId) -> None:
        """Only that account's own part has changed: it gets the current update again, with the new part."""
        own = [viewer for viewer in self._viewers if viewer.account == account]
        if own:
            update, part = self._update(()), self._own_of(account)
            for viewer in own:
                viewer.update(self, update, part)

    def jump(self, epoch: int, seq: int, at: Millis) -> None:
        """Another history, or one whose last updates nobody here has seen: everybody begins again from the view."""
        self._ring.clear()
        self.epoch, self.seq, self._at = epoch, seq, at
        self._view = None
        self._send(self._update((), lost=True))

    def close(self) -> None:
        """Nobody watches any more."""
        for viewer in self._viewers:
            viewer.watching.discard(self)
        self._viewers.clear()
        self._ring.clear()

    def _send(self, update: Update) -> None:
        owns = self._all_owns()
        for viewer in list(self._viewers):  # A copy: a viewer that fails is gone from the audience at once.
            account = viewer.account
            viewer.update(self, update, None if account is None else owns.get(account))

    def _own_of(self, account: AccountId | None) -> Own | None:
        return None if account is None else self._all_owns().get(account)

    def _all_owns(self) -> Mapping[AccountId, Own]:
        """Of all who sit there. A part that is still the same is kept, with what was encoded of it."""
        owns, yours = self._owns, self._scene.yours()
        for account, you in yours.items():
            own = owns.get(account)
            if own is None or own.message is not you:
                owns[account] = Own(you, self._encoder)
        if len(owns) > len(yours):
            owns = self._owns = {account: owns[account] for account in yours}
        return owns

    def _update(self, events: Sequence[PublicEvent], lost: bool = False) -> Update:
        message: dict[str, Any] = {
            "type": "update",
            "table": self.subject,
            "epoch": self.epoch,
            "seq": self.seq,
            "at": self._at,
            "events": events,
            "view": self.view(),
        }
        if lost:
            message["lost"] = True
        return Update(message, self._encoder)

    def _missed(self, since: Since | None) -> tuple[list[PublicEvent], bool]:
        """The events since then as far as they are held, and whether some are not."""
        if since is None:
            return [], False
        if since.epoch != self.epoch or since.seq > self.seq:
            return [], True
        missed = self.seq - since.seq
        held = list(self._ring)[-missed:] if missed else []
        return [event for events in held for event in json.loads(events)["events"]], len(held) < missed

"""One client's connection: what it says, in order, and the one answer that each message gets.

Knows no socket: messages come in through ``received`` and go out through the outbox to a line. Nothing here waits, and
nothing that a client sends can raise.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial

from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Credentials
from fullring.runtime.audience import Since
from fullring.runtime.faults import traced
from fullring.runtime.outbox import Line, Outbox
from fullring.runtime.ports import LogUnavailable, OutcomeUnknown
from fullring.table.ids import Millis
from fullring.web.commands import ask, error, ok, refusal
from fullring.web.connections import Caller
from fullring.web.hello import Unwelcome, introduced, welcome
from fullring.web.limits import FRAME_BYTES
from fullring.web.rates import Bucket
from fullring.web.site import Site
from fullring.wire import client
from fullring.wire.codec import decode, framed
from fullring.wire.errors import CloseCode, ErrorCode, Malformed

HELLO_MS = 5_000
CLOSING_MS = 2_000
"""How long a client that is sent away may take to read why."""
GONE_MS = 1_000
"""The same for one that reads nothing or is not there."""
UNREADABLE_MAX, UNREADABLE_PER_SECOND = 10, 0.2
"""Frames that can't be answered by id (too large, not text, not JSON, no id) before 4006."""
REFUSED_MAX, REFUSED_PER_SECOND = 40, 1
"""Frames refused with ``rate_limited`` before 4005."""
ANSWERS_MAX = 32
"""Answers to ``hello``, ``watch`` and ``unwatch`` that a connection remembers; the room remembers those of tables."""

_GONE = {CloseCode.TOO_SLOW, CloseCode.NO_HEARTBEAT}
"""Closed for not reading or not being there: nothing more is sent first."""

_log = logging.getLogger(__name__)


class Connection:
    """``closed`` is called when the last was written and the socket is to be closed, as ``closing`` says; ``abort``
    when it is to be dropped as it is.
    """

    def __init__(
        self, site: Site, address: str, line: Line, closed: Callable[[], None], abort: Callable[[], None]
    ) -> None:
        now = site.clock.now()
        self.token: str | None = None
        self.closing: tuple[CloseCode, str] | None = None
        self.outbox = Outbox(None, site.clock.now, line, site.room.meter)
        self._site = site
        self._address = address
        self._client: str | None = None
        self._closed = closed
        self.abort = abort
        self._id = site.connections.add(self)
        self._credentials: Credentials | None = None
        self._greeting: asyncio.Task[None] | None = None
        self._greeted = False
        self._early: list[client.ClientMessage] = []
        self._opened = self._heard = now
        self._closed_at: Millis = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        limits = site.limits
        self._rate = Bucket(burst=limits.frames_burst, per_second=limits.frames_per_second, now=now)
        self._refused = Bucket(burst=REFUSED_MAX, per_second=REFUSED_PER_SECOND, now=now)
        self._unreadable = Bucket(burst=UNREADABLE_MAX, per_second=UNREADABLE_PER_SECOND, now=now)

    # --- the socket's side ---

    def received(self, frame: str | bytes) -> None:
        """A message came: text, or binary, which is none of ours."""
        if self.closing is not None:
            return
        now = self._heard = self._site.clock.now()
        if not self._rate.take(now):
            self._too_fast(frame, now)
            return
        message = self._read(frame, now)
        if message is not None:
            self._hear(message)

    def gone(self) -> None:
        """The socket is closed, whoever did it. Nothing is left behind."""
        if self.closing is None:
            self.closing = (CloseCode.NO_HEARTBEAT, "gone")
            self._part()
        self._site.connections.remove(self)

    # --- the others' side ---

    def look(self, now: Millis) -> None:
        if self.closing is not None:
            if now - self._closed_at >= (GONE_MS if self.closing[0] in _GONE else CLOSING_MS):
                self.abort()
        elif self.outbox.too_slow(now):
            self.close(CloseCode.TOO_SLOW, "you read too slowly")
        elif not self._greeted and now - self._opened >= HELLO_MS:
            self.close(CloseCode.NO_HELLO, "no hello within 5 s")
        elif now - self._heard >= self._site.limits.silent_seconds * 1000:
            self.close(CloseCode.NO_HEARTBEAT, f"nothing heard for {self._site.limits.silent_seconds} s")

    def caller(self) -> Caller:
        return Caller(self._address, self._opened, self._heard, self._client, self._greeted)

    def notify(self, frame: bytes) -> None:
        if self._greeted:
            self.outbox.reply(frame)

    def close(self, code: CloseCode, reason: str) -> None:
        """Send what waits, then close. The player counts as disconnected from now."""
        if self.closing is not None:
            return
        if code not in _GONE:
            self.outbox.finish()
        self.closing = (code, reason)
        self._closed_at = self._site.clock.now()
        self._part()
        _log.info("connection %s of %s closed: %d %s", self._id, self.outbox.account, code, reason, extra=self._ids())
        self._closed()

    def _part(self) -> None:
        self.outbox.close()
        if self._greeting is not None:
            self._greeting.cancel()
        if self._credentials is not None:
            account = self._credentials.account.id
            self._site.connections.leave(account, self)
            self._site.room.disconnected(account)

    # --- reading ---

    def _too_fast(self, frame: str | bytes, now: Millis) -> None:
        if not self._refused.take(now):
            self.close(CloseCode.TOO_FAST, "too many messages")
            return
        try:
            id: str | None = decode(frame).id if len(frame) <= FRAME_BYTES else None
        except Malformed as malformed:
            id = malformed.id
        rate = f"{self._rate.burst:.0f} messages at once and {self._rate.per_second:.0f} a second after that"
        self._refuse(id, ErrorCode.RATE_LIMITED, f"at most {rate}")

    def _read(self, frame: str | bytes, now: Millis) -> client.ClientMessage | None:
        if isinstance(frame, bytes):
            malformed = Malformed(ErrorCode.BAD_MESSAGE, "a message must be a text frame, not a binary one")
        elif len(frame) > FRAME_BYTES or len(frame.encode()) > FRAME_BYTES:
            malformed = Malformed(ErrorCode.BAD_MESSAGE, f"a message must have at most {FRAME_BYTES} bytes")
        else:
            try:
                return decode(frame)
            except Malformed as found:
                malformed = found
        self._refuse(malformed.id, malformed.code, malformed.text)
        if malformed.id is None and not self._unreadable.take(now):
            self.close(CloseCode.BAD_FRAMES, "too many frames that are no messages")
        return None

    def _hear(self, message: client.ClientMessage) -> None:
        if self._greeted:
            self._obey(message)
        elif self._greeting is not None:
            self._early.append(message)  # As many as the rate lets through while the token is looked up.
        elif isinstance(message, client.Hello):
            self._greeting = asyncio.get_running_loop().create_task(self._greet(message))
            self._greeting.add_done_callback(partial(self._greeting_over, message.id))
        else:
            self._refuse(message.id, ErrorCode.UNAUTHORIZED, "say hello first")
            self.close(CloseCode.NO_HELLO, "hello must come first")

    # --- hello ---

    async def _greet(self, hello: client.Hello) -> None:
        try:
            credentials = await introduced(self._site, hello)
        except Unwelcome as unwelcome:
            self._tell(error(hello.id, unwelcome.error, unwelcome.text, unwelcome.details))
            self.close(unwelcome.close, unwelcome.text)
            return
        if credentials is not None:
            self._enter(credentials)
        self._greeted = True
        self._client = hello.client
        told = welcome(self._site, hello, connection=self._id, credentials=credentials, rate=self._rate)
        answer = framed(told)
        self._remember(hello.id, answer)
        self.outbox.reply(answer)
        early, self._early = self._early, []
        for message in early:
            self._obey(message)

    def _greeting_over(self, re: str, task: asyncio.Task[None]) -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is None:
            return
        if not isinstance(failure, LogUnavailable | OutcomeUnknown):
            _log.error("a hello failed: %s", traced(failure))
        self._refuse(re, ErrorCode.INTERNAL, "the room can't look up tokens now")
        self.close(CloseCode.GOING_AWAY, "try again after a random wait")

    def _enter(self, credentials: Credentials) -> None:
        """The account's newest session is this one."""
        account = credentials.account.id
        self._credentials = credentials
        self.token = credentials.token
        self.outbox.account = account
        before = self._site.connections.enter(account, self)
        self._site.room.connected(account)
        for older in before:
            older.close(CloseCode.REPLACED, "a newer session of this account")

    # --- messages ---

    def _obey(self, message: client.ClientMessage) -> None:
        known = self._answers.get(message.id)
        if known is not None:
            self.outbox.reply(known)
            return
        match message:
            case client.Ping():
                self.outbox.reply(framed({"type": "pong", "re": message.id, "time": self._site.clock.now()}))
            case client.Watch():
                self._watch(message)
            case client.Unwatch():
                self._unwatch(message)
            case client.Hello():
                self._refuse(message.id, ErrorCode.BAD_MESSAGE, "hello was said already")
            case _:
                ask(self._site, self._credentials, self._address, message, self._tell)

    def _watch(self, message: client.Watch) -> None:
        since = None if message.since is None else Since(message.since.epoch, message.since.seq)
        accepted = framed(ok(message.id, {}))
        try:
            self._site.room.audience(message.table).watch(self.outbox, since, accepted)
        except Refused as refused:
            self._decline(message.id, refused)
        else:
            self._remember(message.id, accepted)

    def _unwatch(self, message: client.Unwatch) -> None:
        try:
            self._site.room.audience(message.table).leave(self.outbox)
        except Refused as refused:
            self._decline(message.id, refused)
            return
        accepted = framed(ok(message.id, {}))
        self._remember(message.id, accepted)
        self.outbox.reply(accepted)

    # --- answering ---

    def _ids(self) -> dict[str, str | None]:
        """For the log."""
        return {"connection": self._id, "account": self.outbox.account}

    def _remember(self, id: str, answer: bytes) -> None:
        self._answers[id] = answer
        if len(self._answers) > ANSWERS_MAX:
            self._answers.popitem(last=False)

    def _decline(self, re: str, refused: Refused) -> None:
        """The answer to a message that is remembered here."""
        told = refusal(re, refused)
        self._remember(re, framed(told))
        self._tell(told)

    def _refuse(self, re: str | None, code: ErrorCode, text: str) -> None:
        self._tell(error(re, code, text))

    def _tell(self, message: Mapping[str, object]) -> None:
        if message["type"] == "error":
            self._site.room.meter.refusals[str(message["code"])] += 1
            _log.debug("connection %s refused: %s", self._id, message["code"], extra=self._ids())
        self.outbox.reply(framed(message))

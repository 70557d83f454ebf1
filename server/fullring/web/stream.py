"""A table's updates as lines of JSON over plain HTTP, for as long as the client stays: a socket's outbox, another line.

An open stream is a session: its account counts as connected. It ends with a last line that says why.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.accounts import Credentials
from fullring.runtime.audience import WATCHED_MAX, Since
from fullring.runtime.clock import Alarm
from fullring.runtime.outbox import Outbox
from fullring.table.ids import Millis
from fullring.web.asking import let_in
from fullring.web.connection import CLOSING_MS
from fullring.web.connections import Caller
from fullring.web.intake import OURS
from fullring.web.site import Site, address
from fullring.wire.codec import framed, unframed
from fullring.wire.errors import CloseCode

NDJSON = "application/x-ndjson"
EMPTY_LINE_MS = 7_000
"""So often an empty line says that the stream is alive, whatever else it carries."""
CLIENT_CHARACTERS = 64
"""What is kept of a client's own name for itself."""
HELD_BYTES = 65_536
"""Lines that wait for a reader, beside as much in the connection's own buffer; then updates are dropped."""


class StreamResponse(Response):
    """Raises Refused, before anything is answered, for a table that is not there and for one stream too many."""

    media_type = NDJSON

    def __init__(self, site: Site, asker: Credentials | None, table: str, since: Since | None) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._site, self._asker, self._table, self._since = site, asker, table, since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["extensions"][OURS]
        ours["expect_peer"](self._site.limits.silent_seconds * 1_000)
        asked, now = HTTPConnection(scope), self._site.clock.now()
        caller = Caller(address(asked), now, now, asked.headers.get("user-agent", "")[:CLIENT_CHARACTERS])
        stream = Stream(self._site, self._asker, self._table, caller, ours["abort"])
        stream.open(self._since)
        leaving = asyncio.ensure_future(_gone(receive, stream.gone))
        try:
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": self.raw_headers})
            await stream.carry(send)
        finally:
            leaving.cancel()
            stream.gone()


async def _gone(receive: Receive, gone: Callable[[], None]) -> None:
    with contextlib.suppress(HTTPException):  # A body that is too large for a request that takes none.
        while (await receive())["type"] != "http.disconnect":
            pass
    gone()


class Stream:
    """A ``Session``: one account, or a spectator, who follows one table. Opened once, and ended by ``gone``."""

    def __init__(
        self, site: Site, asker: Credentials | None, table: str, caller: Caller, abort: Callable[[], None]
    ) -> None:
        self.token = None if asker is None else asker.token
        self.abort = abort
        self._caller = caller
        self._site = site
        self._account = None if asker is None else asker.account.id
        self._table = table
        self._lines = _Lines()
        self.outbox = Outbox(self._account, site.clock.now, self._lines, site.room.meter)
        self._beat = Alarm(site.clock, self._send_empty_line)
        self._ended_at: Millis | None = None

    def open(self, since: Since | None) -> None:
        """Raises Refused."""
        site, account = self._site, self._account
        let_in(site, self._caller.address)  # Again, as it may have been blocked while the token was looked up.
        audience = site.room.audience(self._table)
        if account is not None and len(site.connections.of(account)) >= WATCHED_MAX:
            raise Refused(Refusal.FORBIDDEN, f"one account has at most {WATCHED_MAX} streams")
        site.connections.add(self)
        if account is not None:
            before = site.connections.enter(account, self, self._table)
            site.room.connected(account)
            for older in before:
                older.close(CloseCode.REPLACED, "a newer session of this account")
        audience.watch(self.outbox, since)
        self._beat.set(site.clock.now() + EMPTY_LINE_MS)

    async def carry(self, send: Send) -> None:
        """Until the stream has ended and all is sent, or nobody is there any more."""
        lines = self._lines
        while self._ended_at is None or lines.size:
            await lines.waiting.wait()
            text = lines.take()
            if text:
                await send({"type": "http.response.body", "body": text, "more_body": True})
            if lines.full and not lines.size:
                lines.full = False
                self.outbox.flush()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def gone(self) -> None:
        """Nobody reads any more, or all was said. Nothing is left behind."""
        self._end(None)
        self._site.connections.remove(self)

    # --- a session ---

    def look(self, now: Millis) -> None:
        if self._ended_at is not None:
            if now - self._ended_at >= CLOSING_MS:
                self.abort()
        elif self.outbox.too_slow(now):
            self._end(None)
            self.abort()
        elif not self.outbox.watching:
            self._end({"kind": "table_closed", "text": "this table is closed"})

    def caller(self) -> Caller:
        return self._caller

    def notify(self, frame: bytes) -> None:
        self.outbox.reply(frame)

    def close(self, code: CloseCode, reason: str) -> None:
        self._end({"kind": code.name.lower(), "text": reason})

    def _end(self, why: Mapping[str, object] | None) -> None:
        """No more updates; the last line says why. The player counts as disconnected from now."""
        if self._ended_at is not None:
            return
        self._ended_at = self._site.clock.now()
        if why is not None:
            self.outbox.finish()
            self._lines.write(framed({"type": "notice"} | dict(why)))
        self.outbox.close()
        self._beat.cancel()
        self._lines.waiting.set()
        if self._account is not None:
            self._site.connections.leave(self._account, self)
            self._site.room.disconnected(self._account)

    def _send_empty_line(self) -> None:
        if not self._lines.full:
            self._lines.add(b"\n")
        self._beat.set(self._site.clock.now() + EMPTY_LINE_MS)


class _Lines:
    """A ``Line`` whose frames wait, as lines of text, for a task that sends them."""

    def __init__(self) -> None:
        self.full = False
        self.size = 0
        self.waiting = asyncio.Event()
        self._parts: list[bytes] = []

    def write(self, frame: bytes) -> None:
        self.add(unframed(frame) + b"\n")

    def add(self, text: bytes) -> None:
        self._parts.append(text)
        self.size += len(text)
        self.full = self.full or self.size >= HELD_BYTES
        self.waiting.set()

    def take(self) -> bytes:
        """All that waits."""
        text = b"".join(self._parts)
        self._parts.clear()
        self.size = 0
        self.waiting.clear()
        return text

"""A connection to the room: commands with their answers, updates by table, and coming back after a drop."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

from fullring.wire.codec import encode
from fullring.wire.fields import ActionName, ArmedAction
from fullring.wire.reading import Glance
from fullring.wire.server import Account, Notice, Ok, Welcome
from fullring_client.clock import Backoff, Clock, SystemClock
from fullring_client.errors import Closed, Refused
from fullring_client.following import Following
from fullring_client.http import socket_url
from fullring_client.link import Link
from fullring_client.updates import Updates

_LOG = logging.getLogger(__name__)
_NORMAL = 1000
T = TypeVar("T")


@dataclass(slots=True)
class _Asked:
    """A command without its answer yet. After a drop it is sent again under its id, and done at most once."""

    text: bytes
    answer: asyncio.Future[Ok]


class Room:
    """An async context manager. Without a token you are a spectator.

    Entering it connects: Unreachable if nothing answers or nobody is let in, Refused if the token or the address is
    not. After a drop it comes back by itself, follows its tables from where it was and sends unanswered commands again.
    Commands raise Refused, or Closed once the room has ended the connection for good (Replaced when another session
    took over).
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        client: str = "fullring-client/1",
        on_notice: Callable[[Notice], None] | None = None,
        on_connection: Callable[[bool], None] | None = None,
        clock: Clock | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self.welcome: Welcome | None = None
        """The newest welcome: account, limits, and where the account sat then."""
        self.notice: Notice | None = None
        """The newest thing the room announced."""
        self._on_notice = on_notice
        self._on_connection = on_connection
        self._clock = clock or SystemClock()
        self._prefix = secrets.token_hex(5)
        self._numbers = count(1)
        self._asked: dict[str, _Asked] = {}
        self._end: Exception | None = None
        self._time_ahead = 0.0
        self._first: asyncio.Future[None] | None = None
        self._life: asyncio.Task[NoReturn] | None = None
        self._link = Link(
            socket_url(url),
            {"client": client} | ({"token": token} if token else {}),
            new_id=self._new_id,
            opened=self._opened,
            received=self._received,
            dropped=self._dropped,
            clock=self._clock,
            backoff=backoff or Backoff(),
        )
        self._following = Following(self._link.send, self._new_id)

    # -- who and where ---------------------------------------------------------------------------------------------

    @property
    def account(self) -> Account | None:
        """Who we are; None for a spectator."""
        return self.welcome.account if self.welcome else None

    @property
    def connected(self) -> bool:
        return self._link.connected

    @property
    def server_ms(self) -> int:
        """The room's time now, as near as the last welcome tells: what a deadline is compared with."""
        return int(self._clock.now() * 1000 + self._time_ahead)

    # -- at a table ------------------------------------------------------------------------------------------------

    def watch(self, table: str) -> Updates:
        """Follow a table, or the lobby (``"lobby"``)."""
        return Updates(self._following, table)

    async def sit(
        self, table: str, *, buy_in: int, seat: int | None = None, post_now: bool = False, join_code: str | None = None
    ) -> Ok:
        """Any free seat unless ``seat`` names one. ``join_code`` is for tables by invitation."""
        return await self.request("sit", table=table, buy_in=buy_in, seat=seat, post_now=post_now, join_code=join_code)

    async def leave(self, table: str) -> Ok:
        return await self.request("leave", table=table)

    async def sit_out(self, table: str) -> Ok:
        return await self.request("sit_out", table=table)

    async def sit_in(self, table: str, *, post_now: bool = False) -> Ok:
        return await self.request("sit_in", table=table, post_now=post_now)

    async def top_up(self, table: str, amount: int) -> Ok:
        return await self.request("top_up", table=table, amount=amount)

    async def act(self, table: str, *, hand: str, turn: str, action: ActionName, to: int | None = None) -> Ok:
        """Answer one turn. ``to`` is the street's total, for bet and raise."""
        return await self.request("act", table=table, hand=hand, turn=turn, action=action, to=to)

    async def arm(self, table: str, *, hand: str, action: ArmedAction, to_call: int | None = None) -> Ok:
        return await self.request("arm", table=table, hand=hand, action=action, to_call=to_call)

    async def disarm(self, table: str, *, hand: str) -> Ok:
        return await self.request("disarm", table=table, hand=hand)

    async def show(self, table: str, *, hand: str, cards: Sequence[str]) -> Ok:
        return await self.request("show", table=table, hand=hand, cards=list(cards))

    async def chat(self, table: str, text: str) -> Ok:
        return await self.request("chat", table=table, text=text)

    async def request(self, type: str, **fields: Any) -> Ok:
        """Any command, also one this client has no name for. Fields that are None are left out."""
        id = self._new_id()
        message = {"type": type, "id": id} | {name: value for name, value in fields.items() if value is not None}
        self._refuse_if_over()
        asked = _Asked(encode(message), asyncio.get_running_loop().create_future())
        self._asked[id] = asked
        try:
            await self._link.send(asked.text)
            return await asked.answer
        finally:
            del self._asked[id]

    async def send_text(self, text: str | bytes) -> None:
        """A frame as it is, for tests of the room. Whatever answers it is not waited for."""
        self._refuse_if_over()
        await self._link.send(text.encode() if isinstance(text, str) else text)

    # -- the connection's life -------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._first = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._link.run())
        self._life.add_done_callback(self._over)
        try:
            await self._first
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        assert self._life is not None
        self._life.cancel()
        await asyncio.wait([self._life])

    def _over(self, life: asyncio.Task[NoReturn]) -> None:
        error = None if life.cancelled() else life.exception()
        self._end = end = error if isinstance(error, Exception) else Closed(_NORMAL, "the room was left")
        futures: list[asyncio.Future[Any] | None] = [self._first, *(asked.answer for asked in self._asked.values())]
        for future in futures:
            if future is not None and not future.done():
                future.set_exception(end)
        self._following.end(end)

    async def _opened(self, welcome: Welcome) -> None:
        """On each new connection: watch the tables, so that no update is missed; then ask again what has no answer."""
        self.welcome = welcome
        self._time_ahead = welcome.time - self._clock.now() * 1000
        _tell(self._on_connection, True)
        if self._first is not None and not self._first.done():
            self._first.set_result(None)
        await self._following.again()
        for asked in list(self._asked.values()):
            if not asked.answer.done():
                await self._link.send(asked.text)

    def _dropped(self) -> None:
        _tell(self._on_connection, False)

    def _received(self, seen: Glance, frame: bytes) -> None:
        match seen.type:
            case "update":
                self._following.update(seen, frame)
            case "ok" | "error":
                if not self._following.answer(seen, frame):
                    self._answer(seen, frame)
            case "notice":
                self.notice = notice = Notice.model_validate_json(frame)
                _LOG.info("notice %s: %s", notice.kind, notice.text)
                _tell(self._on_notice, notice)
            case _:  # A pong has done its work by arriving; what a newer room says is not for us.
                return

    def _answer(self, seen: Glance, frame: bytes) -> None:
        asked = self._asked.get(seen.re)
        if asked is None or asked.answer.done():
            _LOG.debug("%s to nothing that waits: %s", seen.type, seen.re)
        elif seen.type == "ok":
            asked.answer.set_result(Ok.model_validate_json(frame))
        else:
            asked.answer.set_exception(Refused.read(frame))

    def _refuse_if_over(self) -> None:
        if self._end is not None:
            raise self._end

    def _new_id(self) -> str:
        return f"{self._prefix}-{next(self._numbers)}"


def _tell(hear: Callable[[T], None] | None, news: T) -> None:
    """In a moment, and apart from us: what a listener raises is the event loop's to report, and ends no connection."""
    if hear is not None:
        asyncio.get_running_loop().call_soon(hear, news)

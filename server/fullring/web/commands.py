"""What a client says to a table, whichever door it comes through, and the one ``ok`` or ``error`` that answers it.

Who asks comes from the connection, never from the message.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import assert_never

from fullring.rules.actions import Action
from fullring.rules.cards import card
from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Account, Credentials
from fullring.runtime.answers import Busy
from fullring.runtime.faults import traced
from fullring.runtime.ports import Answer, CommandKey
from fullring.table import commands
from fullring.table.commands import Command, PreAction
from fullring.table.ids import HandId, Millis, TurnId
from fullring.web.site import Site
from fullring.wire import client
from fullring.wire.errors import ErrorCode

Message = Mapping[str, object]
Tell = Callable[[Message], None]
"""Takes the answer, an ``ok`` or an ``error``. It never waits and never raises."""

TableMessage = (
    client.Sit
    | client.Leave
    | client.SitOut
    | client.SitIn
    | client.TopUp
    | client.Act
    | client.Arm
    | client.Disarm
    | client.Show
    | client.Chat
)

_log = logging.getLogger(__name__)


def ask(site: Site, credentials: Credentials | None, address: str, message: TableMessage, tell: Tell) -> Millis:
    """Put it to its table, for whoever these credentials stand for. The answer is told once, which may be now.

    Where it says that this came too soon: how long to wait; else 0.
    """
    if credentials is None:
        text = "a spectator may watch: say hello with a token to play"
        tell(error(message.id, ErrorCode.UNAUTHORIZED, text))
        return 0
    if "play" not in credentials.scopes:
        tell(error(message.id, ErrorCode.FORBIDDEN, "that takes a token with the scope play"))
        return 0
    if isinstance(message, client.Sit) and message.join_code is not None:
        wait = site.logins.take(("join code", address), site.clock.now())
        if wait:
            text = f"too many join codes from your address: try again in {-(-wait // 1000)} s"
            tell(error(message.id, ErrorCode.RATE_LIMITED, text))
            return wait
    account = credentials.account
    if isinstance(message, client.Chat):
        silence = site.standing.silence(account.id, site.clock.now())
        if silence is not None:
            tell(refusal(message.id, silence))
            return 0
    key = CommandKey(account.id, message.id)
    site.room.tell(message.table, command(message, account), key, partial(_answered, message.id, tell))
    return 0


def ok(re: str, answer: Answer) -> Message:
    return {"type": "ok", "re": re} | dict(answer)


def error(re: str | None, code: ErrorCode, text: str, details: Mapping[str, object] | None = None) -> Message:
    told: dict[str, object] = {"type": "error", "code": code, "message": text}
    if re is not None:
        told["re"] = re
    if details:
        told["details"] = dict(details)
    return told


def refusal(re: str, refused: Refused) -> Message:
    return error(re, ErrorCode(refused.code), refused.text, refused.details)


def _answered(re: str, tell: Tell, answer: Answer | Exception) -> None:
    match answer:
        case Refused():
            tell(refusal(re, answer))
        case Busy():
            tell(error(re, ErrorCode.RATE_LIMITED, "the table is busy: send it again"))
        case Exception():
            _log.error("a command failed: %s", traced(answer))
            tell(error(re, ErrorCode.INTERNAL, "the room made a mistake; it is in its log"))
        case _:
            tell(ok(re, answer))


def command(message: TableMessage, account: Account) -> Command:
    me = account.id
    match message:
        case client.Act():
            return commands.ActOnTurn(
                me, HandId(message.hand), TurnId(message.turn), Action(message.action), message.to
            )
        case client.Arm():
            return commands.Arm(me, HandId(message.hand), PreAction(message.action), message.to_call)
        case client.Disarm():
            return commands.Disarm(me, HandId(message.hand))
        case client.Sit():
            return commands.Sit(
                account=me,
                name=account.name,
                kind=account.kind,
                buy_in=message.buy_in,
                seat=message.seat,
                post_now=message.post_now,
                join_code=message.join_code,
            )
        case client.Leave():
            return commands.Leave(me)
        case client.SitOut():
            return commands.SitOut(me)
        case client.SitIn():
            return commands.SitIn(me, message.post_now)
        case client.TopUp():
            return commands.TopUp(me, message.amount)
        case client.Show():
            return commands.ShowCards(me, HandId(message.hand), tuple([card(text) for text in message.cards]))
        case client.Chat():
            return commands.Chat(me, account.name, message.text)
        case _:
            assert_never(message)

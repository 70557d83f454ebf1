"""Who says hello, and what they are told: the first message of a socket and its answer."""

from collections.abc import Mapping

from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Credentials, Unauthorized
from fullring.web.accounts import shown
from fullring.web.asking import CARDS_TAKE, credentials_of, shows_cards, welcome_account
from fullring.web.limits import FRAME_BYTES
from fullring.web.rates import Bucket
from fullring.web.site import Site
from fullring.wire import client
from fullring.wire.errors import CloseCode, ErrorCode


class Unwelcome(Exception):
    """A hello that is refused, and then the socket is closed."""

    def __init__(
        self, error: ErrorCode, close: CloseCode, text: str, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(error, text)
        self.details = details
        self.error = error
        self.close = close
        self.text = text


async def introduced(site: Site, hello: client.Hello) -> Credentials | None:
    """Who it is; None for a spectator. Raises Unwelcome."""
    credentials = await _known(site, hello)
    if credentials is not None and not shows_cards(credentials):
        raise Unwelcome(ErrorCode.FORBIDDEN, CloseCode.BAD_CREDENTIALS, CARDS_TAKE)
    return credentials


async def _known(site: Site, hello: client.Hello) -> Credentials | None:
    if hello.protocol != client.PROTOCOL:
        text = f"this room speaks protocol {client.PROTOCOL}"
        raise Unwelcome(ErrorCode.VERSION, CloseCode.VERSION, text)
    try:
        if hello.ticket is not None:
            credentials = site.tickets.redeem(hello.ticket, site.clock.now())
            if credentials is None:
                raise _unknown("the ticket is unknown, used or too old")
            welcome_account(site, credentials.account.id)
            return credentials
        return None if hello.token is None else await credentials_of(site, hello.token)
    except Unauthorized:
        raise _unknown("the token is unknown or no longer good") from None
    except Refused as refused:
        raise Unwelcome(ErrorCode(refused.code), CloseCode.KICKED, refused.text, refused.details) from None


def welcome(
    site: Site, hello: client.Hello, *, connection: str, credentials: Credentials | None, rate: Bucket
) -> Mapping[str, object]:
    told: dict[str, object] = {
        "type": "welcome",
        "re": hello.id,
        "protocol": client.PROTOCOL,
        "connection": connection,
        "time": site.clock.now(),
        "heartbeat_seconds": site.limits.heartbeat_seconds,
        "limits": {
            "frame_bytes": FRAME_BYTES,
            "frames_per_second": int(rate.per_second),
            "frames_burst": int(rate.burst),
        },
        "seats": [],
    }
    if credentials is not None:
        seats = site.room.seats_of(credentials.account.id)
        told["account"] = shown(credentials.account).fields()
        told["seats"] = [{"table": table, "seat": seat} for table, seat in seats]
    return told


def _unknown(text: str) -> Unwelcome:
    return Unwelcome(ErrorCode.UNAUTHORIZED, CloseCode.BAD_CREDENTIALS, text)

"""One request to one endpoint: signed, never to where it may not go, and over in time whatever the other end does."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache

import httpx

from fullring.rules.value import value
from fullring.table.ids import Millis
from fullring.webhooks import signing
from fullring.webhooks.addresses import Forbidden, resolved

TIMEOUT_S = 10
"""For connecting, sending, and the first line of the answer, each and all together."""
WAIT_MAX_S = 3_600
"""What is believed of an answer's Retry-After."""

_authorities = cache(httpx.create_ssl_context)
"""Whom an endpoint's certificate must come from. To read them takes a while."""


@value
class Said:
    """How a request went. ``wait_s`` is what the other end asks for; ``gone`` says that it wants nothing any more."""

    ok: bool
    text: str
    wait_s: int = 0
    gone: bool = False


class Sender:
    """Redirects are not followed, answers not read, no proxy is asked. Each request has a connection of its own: two
    names at one address never share one.
    """

    def __init__(self, *, private: bool, timeout_s: float = TIMEOUT_S) -> None:
        self._private = private
        self._timeout_s = timeout_s
        self._client = httpx.AsyncClient(
            verify=_authorities(trust_env=False),
            timeout=timeout_s,
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def send(self, url: str, secret: bytes, id: str, body: bytes, now: Millis) -> Said:
        """Never raises: what went wrong is what it says."""
        headers = {"Content-Type": "application/json", "User-Agent": "Fullring"}
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._post(url, headers | signing.headers(secret, id, now // 1000, body), body)
        except TimeoutError:
            return Said(ok=False, text=f"no answer within {self._timeout_s:g} s")
        except Forbidden as error:
            return Said(ok=False, text=str(error))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            return Said(ok=False, text=f"{type(error).__name__}: {error}"[:200])

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> Said:
        given = httpx.URL(url)
        target = given if self._private else await resolved(given)
        async with self._client.stream(
            "POST",
            target,
            content=body,
            headers={"Host": given.netloc.decode("ascii")} | headers,
            extensions={"sni_hostname": given.host},
        ) as answer:
            return _said(answer)


def body_of(topic: str, at: Millis, data: Mapping[str, object]) -> bytes:
    when = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"type": topic, "timestamp": when, "data": data}, ensure_ascii=False).encode()


def _said(answer: httpx.Response) -> Said:
    wait = answer.headers.get("retry-after", "")
    return Said(
        ok=answer.is_success,
        text=str(answer.status_code),
        wait_s=min(int(wait), WAIT_MAX_S) if wait.isascii() and wait.isdigit() and len(wait) < 10 else 0,
        gone=answer.status_code == httpx.codes.GONE,
    )

"""Signatures as Standard Webhooks has them (standardwebhooks.com): HMAC-SHA256 over id, time and body."""

import base64
import hashlib
import hmac
import secrets

SECRET_BYTES = 32
_PREFIX = "whsec_"


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def shown(secret: bytes) -> str:
    """As whoever receives needs it."""
    return _PREFIX + base64.b64encode(secret).decode()


def headers(secret: bytes, id: str, at_s: int, body: bytes) -> dict[str, str]:
    """``at_s`` is when it is sent, so that what somebody has caught is not good for ever."""
    signed = b".".join((id.encode(), str(at_s).encode(), body))
    signature = base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    return {"webhook-id": id, "webhook-timestamp": str(at_s), "webhook-signature": f"v1,{signature}"}

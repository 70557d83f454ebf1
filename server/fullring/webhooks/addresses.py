"""Where webhooks may go: to http and https, and to the room's own network only where the operator allows it.

A name is looked up for each request and the address that was judged is the one that is connected to, so that a name
which changes its mind in between gains nothing.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx

URL_CHARACTERS = 2_000
_PORTS = {"http": 80, "https": 443}
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""An IPv4 address in IPv6's clothes (NAT64); so are two more, which ``ipaddress`` knows itself."""
_OWN = tuple(map(IPv6Network, ("64:ff9b:1::/48", "fec0::/10", "::/96")))
"""A network's own translation, and what once was a site's own and an IPv4 address: not all Pythons know."""


class Forbidden(Exception):
    """The address is one that webhooks may not go to, or there is none. The text says which name."""


def checked(url: str, *, private: bool) -> str:
    """The URL. ValueError, with a sentence, for one that nothing is sent to."""
    try:
        parsed = httpx.URL(url)
        port = parsed.port
    except httpx.InvalidURL:
        raise ValueError("that is no URL") from None
    if len(url) > URL_CHARACTERS or not url.isascii() or not url.isprintable():
        raise ValueError(f"a URL has at most {URL_CHARACTERS} characters, all of them ASCII")
    if parsed.scheme not in _PORTS or not parsed.host or port == 0:
        raise ValueError("the URL must begin with https:// or http:// and a host")
    if parsed.userinfo or parsed.fragment:
        raise ValueError("the URL must be without a user, a password and a fragment")
    try:
        address = ip_address(parsed.host)
    except ValueError:
        return url
    if not private and not is_public(address):
        raise ValueError(f"{parsed.host} is a private address: FULLRING_WEBHOOK_PRIVATE=true allows them")
    return url


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether everybody can reach it: it is no network's own, and neither is what it stands for."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if any(address in own for own in _OWN):
            return False
    return address.is_global and not address.is_multicast


async def resolved(url: httpx.URL) -> httpx.URL:
    """The URL with a public address of its host in the host's place. Raises Forbidden."""
    port = url.port or _PORTS[url.scheme]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Forbidden(f"{url.host} has no address") from None
    for _, _, _, _, address in found:
        if is_public(ip_address(str(address[0]).split("%")[0])):
            return url.copy_with(host=str(address[0]))
    raise Forbidden(f"{url.host} has only private addresses: FULLRING_WEBHOOK_PRIVATE=true allows them")

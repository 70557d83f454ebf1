"""Where webhooks may go, and where not, however the address is written."""

from ipaddress import ip_address

import httpx
import pytest

from fullring.webhooks.addresses import Forbidden, checked, is_public, resolved


@pytest.mark.parametrize(
    "url", ["https://example.com/hook", "http://example.com:8080/a?b=c", "https://93.184.215.14/", "https://[2606::1]/"]
)
def test_the_web_is_open(url: str) -> None:
    assert checked(url, private=False) == url


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "example.com/hook",
        "https://",
        "",
        "https://user:secret@example.com/",
        "https://example.com/#part",
        "https://example.com/\n",
        "https://example.com:0/",
        "https://exämple.com/",
        "https://example.com/" + "x" * 2_000,
        "http://127.0.0.1:5432/",
        "http://10.0.0.7/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.7]/",
        "http://0.0.0.0/",
    ],
)
def test_what_is_no_address_of_the_web_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+") as refused:
        checked(url, private=False)
    assert "secret" not in str(refused.value)


def test_an_operator_may_allow_private_addresses_but_no_other_kind_of_url() -> None:
    assert checked("http://127.0.0.1:9000/", private=True)
    with pytest.raises(ValueError, match="http"):
        checked("ftp://127.0.0.1/", private=True)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
        *("255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "ff02::1", "::ffff:192.168.1.1", "2002:7f00:1::"),
        *("64:ff9b::7f00:1", "2001:0:4136:e378:8000:63bf:f5ff:fffe"),
        *("64:ff9b:1::a00:1", "fec0::1", "::10.0.0.1"),
    ],
)
def test_a_networks_own_addresses_are_not_public_whatever_they_are_dressed_as(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e"])
def test_everybodys_addresses_are(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f000001", "2130706433", "no.such.host.invalid"])
async def test_a_name_that_leads_inside_or_nowhere_is_not_connected_to(host: str) -> None:
    with pytest.raises(Forbidden, match=host):
        await resolved(httpx.URL(f"http://{host}/"))


async def test_the_address_that_was_judged_is_the_one_that_is_connected_to() -> None:
    assert (await resolved(httpx.URL("https://93.184.215.14:8443/a"))).netloc == b"93.184.215.14:8443"

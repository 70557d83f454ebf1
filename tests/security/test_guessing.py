"""How often somebody may guess: passwords, names, join codes, tokens; and that a guess tells nothing."""

import ast
from pathlib import Path

import pytest

from fullring.table.ids import AccountId
from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.shared import PROJECT

SERVER = PROJECT / "server" / "fullring"
SECRET_NAMES = {"token", "password", "join_code", "hash", "ticket"}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


async def test_join_codes_are_tried_a_few_times_a_minute_from_one_address(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, clock=clock, logins_per_minute=5) as room:
        table = await room.table(join_code="sesame")
        heard = []
        for _ in range(3):
            guest = await room.guest()
            async with room.socket(guest.token) as socket:
                for number in range(3):
                    answer = await socket.asks("sit", table=table, buy_in=500, join_code=f"guess {number}")
                    heard.append(answer["code"])
                assert (await socket.asks("sit", table=table, buy_in=500))["code"] == "forbidden"
        assert heard == ["forbidden"] * 5 + ["rate_limited"] * 4
        await clock.advance(12_000)
        async with room.socket(guest.token) as socket:
            assert (await socket.asks("sit", table=table, buy_in=500, join_code="sesame"))["type"] == "ok"


@pytest.mark.parametrize("code", ["", "sesam", "sesame ", "SESAME", "sesamf", "\u0455esame"])
async def test_a_join_code_is_right_or_wrong_and_nothing_in_between(room: Running, code: str) -> None:
    table = await room.table(join_code="sesame")
    guest = await room.guest()
    async with room.socket(guest.token) as socket:
        answer = await socket.asks("sit", table=table, buy_in=500, join_code=code)

    assert (answer["code"], answer["message"]) == ("forbidden", "this table asks for its join code")


async def test_guesses_at_one_name_are_limited_wherever_they_come_from(tmp_path: Path, clock: FakeClock) -> None:
    async with (
        running(tmp_path, clock=clock, logins_per_minute=3, proxies=("127.0.0.1",)) as room,
        room.http() as client,
    ):
        for number, status in enumerate([401, 401, 401, 429]):
            body = {"name": "ANNA"[:number] + "anna"[number:], "password": "x"}
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            assert (await client.post("/sessions", json=body, headers=headers)).status_code == status


async def test_guesses_at_one_account_are_limited_however_its_name_is_spelt(tmp_path: Path, clock: FakeClock) -> None:
    async with (
        running(tmp_path, clock=clock, logins_per_minute=3, proxies=("127.0.0.1",)) as room,
        room.http() as client,
    ):
        ok = await client.post("/accounts", json={"name": "Olli", "password": "correct horse"})
        assert ok.status_code == 201
        for number, (name, status) in enumerate([("0LL1", 401), ("Ol\u200dli", 401), ("olli", 401), ("OIIi", 429)]):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            answer = await client.post("/sessions", json={"name": name, "password": "x"}, headers=headers)
            assert answer.status_code == status, name


async def test_an_ipv6_network_counts_as_one_address(tmp_path: Path, clock: FakeClock) -> None:
    async with (
        running(tmp_path, clock=clock, guests_per_minute=2, proxies=("127.0.0.1",)) as room,
        room.http() as client,
    ):
        for address, status in (
            ("2001:db8::1", 201),
            ("2001:db8::2", 201),
            ("2001:db8::3", 429),
            ("2001:db8:1::", 201),
        ):
            answer = await client.post("/guests", json={}, headers={"X-Forwarded-For": address})
            assert answer.status_code == status, address


async def test_an_ipv4_address_that_a_proxy_writes_as_ipv6_is_that_address(tmp_path: Path, clock: FakeClock) -> None:
    async with (
        running(tmp_path, clock=clock, guests_per_minute=1, proxies=("127.0.0.1",)) as room,
        room.http() as client,
    ):
        for address, status in (("::ffff:10.0.0.1", 201), ("10.0.0.1", 429), ("::ffff:10.0.0.2", 201)):
            answer = await client.post("/guests", json={}, headers={"X-Forwarded-For": address})
            assert answer.status_code == status, address


async def test_what_can_be_guessed_is_long_and_never_the_same(room: Running) -> None:
    guest = await room.guest()
    accounts, clock = room.site.accounts, room.site.clock
    tokens = [(await accounts.create_token(AccountId(guest.id), "x", ["read"], None, 0))[1] for _ in range(30)]
    credentials = await accounts.authenticate(guest.token)
    tickets = [room.site.tickets.issue(credentials, clock.now()) for _ in range(30)]
    tables = [await room.table() for _ in range(10)]

    for secrets, characters in ((tokens, 43), (tickets, 43), (tables, 13)):
        assert len(set(secrets)) == len(secrets)
        assert {len(secret) for secret in secrets} == {characters}
    starts = {secret[:4] for secret in tokens}
    assert len(starts) > len(tokens) - 3, "no part of a token is the same for all"


def test_no_secret_is_compared_in_a_way_that_takes_longer_the_more_is_right() -> None:
    """Tokens are found by their hash and compared with compare_digest, join codes too; None is no secret."""
    found = []
    for path in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Compare) or not any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
                continue
            sides = [node.left, *node.comparators]
            names = {side.attr if isinstance(side, ast.Attribute) else getattr(side, "id", "") for side in sides}
            if names & SECRET_NAMES:
                found.append(f"{path.relative_to(SERVER)}: {ast.unparse(node)}")

    assert sorted(found) == sorted(PUBLIC_COMPARISONS)


PUBLIC_COMPARISONS = [
    "store/accounts.py: tokens.c.hash == sa.bindparam('wanted')",
    "store/accounts.py: tokens.c.hash == digest(token)",
    "web/connections.py: session.token == token",
    "web/tickets.py: credentials.token == token",
]
"""Hashes in the database, which tell nothing of their tokens, and the ids of tokens, which are no secret."""

"""Who is kept out, and how: mutes, bans, accounts that are disabled, addresses and names that are blocked."""

import httpx

from fullring.runtime.admin import Barred, Restricted
from fullring.runtime.audit import By
from fullring.table.ids import AccountId
from fullring.web.standing import network
from fullring.web.warden import LOOK_EVERY_MS, enforce
from tests.fake_clock import FakeClock
from tests.server import Running
from tests.sockets import dial
from tests.web.admins import Overtaken, admin, lines, ok, refusal
from tests.web.test_play import game

SOON = 2**50


async def test_who_is_muted_is_told_until_when_and_chats_again_when_it_is_lifted(room: Running) -> None:
    root = await admin(room)
    async with game(room, "Anna", "Bo") as played, room.http(root.token) as client:
        anna, bo = played.players
        path = f"/admin/accounts/{anna.guest.id}/mute"
        row = ok(await client.put(path, json={"reason": "loud", "until": SOON}))
        refused = await anna.asks("chat", text="hello")
        heard = await bo.asks("chat", text="hello")
        lifted = ok(await client.delete(path))
        again = await anna.asks("chat", text="hello")
        past = refusal(await client.put(path, json={"reason": "loud", "until": 1}))

    assert (row["muted"]["reason"], row["muted"]["until"], row["muted"]["by"]) == ("loud", SOON, root.id)
    assert (refused["type"], refused["code"]) == ("error", "forbidden")
    assert refused["details"] == {"reason": "loud", "until": SOON}
    assert heard["type"] == again["type"] == "ok"
    assert "muted" not in lifted
    assert past == (422, "bad_message")


async def test_who_is_banned_gives_up_the_seat_and_no_door_opens(room: Running) -> None:
    root = await admin(room)
    async with game(room, "Anna", "Bo") as played, room.http(root.token) as client:
        loser = await played.next()
        winner = next(player for player in played.players if player is not loser)
        async with room.http(loser.guest.token) as own:
            ticket = ok(await own.post("/ws-tickets"), 201)["ticket"]
            banned = ok(
                await client.put(f"/admin/accounts/{loser.guest.id}/ban", json={"reason": "collusion", "until": SOON})
            )
            assert await loser.socket.closed() == 4004
            await winner.socket.sees("left")
            problem = await own.get("/me")
        for hello in ({"token": loser.guest.token}, {"ticket": ticket}):
            async with dial(room.url) as socket:
                answer = await socket.asks("hello", protocol=1, **hello)
                if "ticket" not in hello:
                    assert answer["details"] == {"reason": "collusion", "until": SOON}
                    assert (answer["code"], await socket.closed()) == ("forbidden", 4004)
                else:
                    assert answer["code"] == "unauthorized", "tickets are forgotten"

    assert banned["banned"]["reason"] == "collusion"
    assert refusal(problem) == (403, "forbidden")
    assert problem.json()["details"] == {"reason": "collusion", "until": SOON}
    assert room.site.room.seats_of(AccountId(loser.guest.id)) == []
    account = await room.site.accounts.account(AccountId(loser.guest.id))
    assert account is not None
    assert account.chips == 10_000 - 5


async def test_a_ban_ends_with_its_hour_and_logging_in_is_refused_until_then(still: Running, clock: FakeClock) -> None:
    root = await admin(still)
    credentials = {"name": "Anna", "password": "correct horse"}
    async with still.http(root.token) as client:
        anna = ok(await client.post("/accounts", json=credentials), 201)["account"]["id"]
        until = clock.now() + 60_000
        ok(await client.put(f"/admin/accounts/{anna}/ban", json={"reason": "a break", "until": until}))
        refused = await client.post("/sessions", json=credentials)
        tokens = ok(await client.get(f"/admin/accounts/{anna}"))["tokens"]
        await clock.advance(60_000)
        ok(await client.post("/sessions", json=credentials), 201)

    assert refusal(refused) == (403, "forbidden")
    assert refused.json()["details"] == {"reason": "a break", "until": until}
    assert len(tokens) == 1, "the session that was refused is none"


async def test_what_another_process_decides_is_seen_within_a_second(still: Running, clock: FakeClock) -> None:
    anna, bo = await still.guest("Anna"), await still.guest("Bo")
    async with still.socket(anna.token) as socket, still.socket(bo.token) as other:
        by = By(None, clock.now())
        await still.site.admin.restrict(by, AccountId(anna.id), Restricted.DISABLED, "at the command line")
        await clock.advance(LOOK_EVERY_MS)
        code = await socket.closed()
        assert (await other.asks("ping"))["type"] == "pong"

    assert code == 4004


async def test_nobody_locks_themselves_out(room: Running) -> None:
    root = await admin(room)
    async with room.http(root.token) as client:
        for what in ("ban", "disabled"):
            answer = await client.put(f"/admin/accounts/{root.id}/{what}", json={"reason": "oops"})
            assert refusal(answer) == (409, "forbidden")
        answer = await client.post("/admin/blocklist", json={"address": "127.0.0.0/8", "reason": "oops"})
        assert refusal(answer) == (409, "forbidden")
        assert await lines(client) == []


async def test_from_a_blocked_address_nothing_comes_in_and_what_is_open_is_closed(room: Running) -> None:
    anna = await room.guest("Anna")
    async with room.socket(anna.token) as socket, room.http(anna.token) as client:
        block = await room.site.admin.block(By(None, 0), Barred.ADDRESS, "127.0.0.0/8", "floods", None)
        assert await socket.closed() == 4004
        answers = [
            await client.get("/me"),
            await client.post("/guests", json={}),
            await client.post("/accounts", json={"name": "Bo", "password": "correct horse"}),
            await client.post("/sessions", json={"name": "Bo", "password": "correct horse"}),
            await client.get("/ws", headers=UPGRADE),
        ]
        await room.site.admin.unblock(By(None, 0), block.id)
        await room.site.standing.refresh(room.site.clock.now())
        ok(await client.get("/me"))

    assert [refusal(answer) for answer in answers] == [(403, "forbidden")] * 5
    assert {answer.json()["details"]["reason"] for answer in answers} == {"floods"}


async def test_no_stream_opens_from_an_address_that_is_blocked_while_the_token_is_looked_up(room: Running) -> None:
    anna, site = await room.guest("Anna"), room.site

    async def block() -> None:
        await site.admin.block(By(None, 0), Barred.ADDRESS, "127.0.0.0/8", "floods", None)
        await enforce(site)

    site.accounts = Overtaken(site.accounts, anna.token, block)
    async with room.http(anna.token) as client, client.stream("GET", "/tables/lobby/stream") as answer:
        assert answer.status_code == 403
    assert len(site.connections) == 0


async def test_an_address_is_blocked_until_its_hour_though_nobody_lifts_it(still: Running, clock: FakeClock) -> None:
    anna = await still.guest("Anna")
    async with still.http(anna.token) as client:
        until = clock.now() + 60_000
        await still.site.admin.block(By(None, 0), Barred.ADDRESS, "127.0.0.0/8", "floods", until)
        await still.site.standing.refresh(clock.now())
        refused = await client.get("/me")
        await clock.advance(60_000)
        ok(await client.get("/me"))

    assert refusal(refused) == (403, "forbidden")
    assert refused.json()["details"] == {"reason": "floods", "until": until}


async def test_a_blocked_name_is_nobodys_and_the_list_says_why(room: Running) -> None:
    root = await admin(room)
    async with room.http(root.token) as client:
        entry = ok(await client.post("/admin/blocklist", json={"name": "Dealer", "reason": "not a player"}), 201)
        guest = refusal(await client.post("/guests", json={"name": "dea1er"}))
        address = {"address": "2001:db8:1:2:3:4:5:6", "reason": "floods", "until": SOON}
        wide = ok(await client.post("/admin/blocklist", json=address), 201)
        listed = ok(await client.get("/admin/blocklist"))["entries"]
        wrong = [
            refusal(await client.post("/admin/blocklist", json=body))
            for body in (
                {"reason": "x"},
                {"address": "here", "reason": "x"},
                {"name": "A", "address": "::", "reason": ""},
            )
        ]
        ok(await client.delete(f"/admin/blocklist/{entry['id']}"), 204)
        gone = refusal(await client.delete(f"/admin/blocklist/{entry['id']}"))
        ok(await client.post("/guests", json={"name": "Dealer"}), 201)

    assert (entry["kind"], entry["value"], entry["by"]) == ("name", "Dealer", root.id)
    assert guest == (422, "bad_message")
    assert (wide["value"], wide["until"]) == ("2001:db8:1:2::/64", SOON)
    assert {one["id"] for one in listed} == {entry["id"], wide["id"]}
    assert wrong == [(422, "bad_message")] * 3
    assert gone == (404, "not_found")


def test_an_address_is_a_network_too() -> None:
    assert str(network("10.1.2.3/8")) == "10.0.0.0/8"
    assert str(network(" 10.1.2.3 ")) == "10.1.2.3/32"
    assert str(network("2001:db8::/32")) == "2001:db8::/32"
    assert str(network("::ffff:10.1.2.3")) == "10.1.2.3/32"
    assert str(network("::ffff:10.1.2.3/104")) == "10.0.0.0/8"


UPGRADE = httpx.Headers(
    {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
)

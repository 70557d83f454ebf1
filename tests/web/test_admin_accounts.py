"""Admins and accounts over HTTP: found, made, renamed, given roles and chips, and new passwords; each noted."""

import pytest

from fullring.table.ids import AccountId
from fullring.table.settings import CHIPS_MAX
from tests.server import Running
from tests.sockets import connect, dial
from tests.web.admins import Overtaken, admin, lines, ok, personal, refusal

PASSWORD = "correct horse battery"


async def test_accounts_are_found_and_one_is_seen_with_its_tokens(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    await room.guest("Annabel")
    async with room.http(root.token) as client, room.socket(anna.token):
        first = ok(await client.get("/admin/accounts", params={"name": "ann", "limit": 1}))
        second = ok(await client.get("/admin/accounts", params={"name": "ann", "limit": 1, "cursor": first["next"]}))
        detail = ok(await client.get(f"/admin/accounts/{anna.id}"))
        ledger = ok(await client.get(f"/admin/accounts/{anna.id}/ledger"))
        missing = refusal(await client.get("/admin/accounts/a0"))

    (found,) = first["accounts"]
    assert (found["id"], found["name"], found["role"], found["connected"]) == (anna.id, "Anna", "player", True)
    assert [row["name"] for row in second["accounts"]] == ["Annabel"]
    assert second["next"] is None
    assert {key: detail[key] for key in found} == found
    (token,) = detail["tokens"]
    assert (token["connected"], token["scopes"], "name" in token) == (True, ["play", "read", "host", "admin"], False)
    assert anna.token not in str(detail)
    assert [entry["reason"] for entry in ledger["entries"]] == ["welcome"]
    assert missing == (404, "not_found")


async def test_an_account_is_made_with_a_password_that_is_shown_once(room: Running) -> None:
    root = await admin(room)
    async with room.http(root.token) as client:
        key = {"Idempotency-Key": "anna"}
        made = ok(await client.post("/admin/accounts", json={"name": "Anna", "chips": 7}, headers=key), 201)
        again = ok(await client.post("/admin/accounts", json={"name": "Anna", "chips": 7}, headers=key), 201)
        wanted = {"name": "Bo", "password": PASSWORD, "role": "host"}
        chosen = ok(await client.post("/admin/accounts", json=wanted), 201)
        taken = refusal(await client.post("/admin/accounts", json={"name": "anna"}))
        session = ok(await client.post("/sessions", json={"name": "Anna", "password": made["password"]}), 201)
        noted = await lines(client, target=made["account"]["id"])

    assert again == {"account": made["account"]}
    assert (made["account"]["chips"], made["account"]["kind"]) == (7, "player")
    assert chosen["account"]["role"] == "host"
    assert "password" not in chosen
    assert taken == (409, "name_taken")
    assert session["account"]["id"] == made["account"]["id"]
    (line,) = noted
    assert (line["action"], line["by"], line["by_name"], line["via"]) == ("account.create", root.id, "Root", "http")
    assert line["address"] == "127.0.0.1"
    assert made["password"] not in str(noted)


async def test_names_and_roles_change_and_me_says_the_role(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    async with room.http(root.token) as client, room.http(anna.token) as hers:
        before = ok(await hers.get("/me"))["account"]
        renamed = ok(await client.put(f"/admin/accounts/{anna.id}/name", json={"name": "Cleo", "reason": "asked"}))
        host = ok(await client.put(f"/admin/accounts/{anna.id}/role", json={"role": "host"}))
        after = ok(await hers.get("/me"))["account"]
        own = refusal(await client.put(f"/admin/accounts/{root.id}/role", json={"role": "player"}))
        role, name = await lines(client, target=anna.id)

    assert (renamed["name"], host["role"]) == ("Cleo", "host")
    assert "role" not in before
    assert (after["name"], after["role"]) == ("Cleo", "host")
    assert own == (409, "forbidden")
    assert (name["before"], name["after"], name["reason"]) == ({"name": "Anna"}, {"name": "Cleo"}, "asked")
    assert (role["before"], role["after"]) == ({"role": "player"}, {"role": "host"})


async def test_chips_take_a_key_in_the_body_or_in_the_header_and_move_once(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    path = f"/admin/accounts/{anna.id}/chips"
    wanted = {"amount": 50, "reason": "a present"}
    async with room.http(root.token) as client:
        without = refusal(await client.post(path, json=wanted))
        first = ok(await client.post(path, json=wanted | {"key": "k1"}))
        again = ok(await client.post(path, json=wanted | {"key": "k1"}))
        header = ok(await client.post(path, json=wanted, headers={"Idempotency-Key": "k2"}))
        other = refusal(await client.post(path, json=wanted | {"amount": 5, "key": "k1"}))
        short = refusal(await client.post(path, json={"amount": -99_999, "reason": "too much", "key": "k3"}))
        noted = await lines(client, action="account.chips")

    assert without == (422, "bad_message")
    assert first == again == {"account": anna.id, "chips": 10_050}
    assert header["chips"] == 10_100
    assert other == (409, "bad_message")
    assert short == (409, "insufficient_chips")
    assert [line["after"]["amount"] for line in noted] == [50, 50]


async def test_an_account_is_given_no_more_chips_than_can_be_told(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    path = f"/admin/accounts/{anna.id}/chips"
    async with room.http(root.token) as client:
        most = CHIPS_MAX - 10_000
        ok(await client.post(path, json={"amount": most, "reason": "rich", "key": "k1"}))
        beyond = refusal(await client.post(path, json={"amount": 1, "reason": "richer", "key": "k2"}))
        made = refusal(await client.post("/admin/accounts", json={"name": "Midas", "chips": CHIPS_MAX + 1}))
        ok(await client.post(path, json={"amount": -1, "reason": "tax", "key": "k3"}))
        known = ok(await client.get(f"/admin/accounts/{anna.id}"))

    assert beyond == made == (422, "bad_amount")
    assert known["chips"] == CHIPS_MAX - 1


async def test_a_new_password_ends_all_sessions_and_closes_the_socket(room: Running) -> None:
    root = await admin(room)
    async with room.http(root.token) as client:
        opened = ok(await client.post("/accounts", json={"name": "Anna", "password": PASSWORD}), 201)
        path = f"/admin/accounts/{opened['account']['id']}"
        async with connect(room.url, opened["token"]) as socket:
            made = ok(await client.post(f"{path}/password", json={"reason": "forgotten"}))
            assert await socket.closed() == 4001
        old = refusal(await client.post("/sessions", json={"name": "Anna", "password": PASSWORD}))
        new = ok(await client.post("/sessions", json={"name": "Anna", "password": made["password"]}), 201)
        async with connect(room.url, new["token"]) as socket, room.http(new["token"]) as hers:
            ticket = ok(await hers.post("/ws-tickets"), 201)["ticket"]
            ended = ok(await client.delete(f"{path}/sessions"))
            assert await socket.closed() == 4001
            gone = refusal(await hers.get("/me"))
        async with dial(room.url) as socket:
            assert (await socket.asks("hello", protocol=1, ticket=ticket))["code"] == "unauthorized"

    assert old == gone == (401, "unauthorized")
    assert ended == {"account": opened["account"]["id"], "ended": 1}


@pytest.mark.parametrize("door", ["hello", "/ws-tickets", "/me/tokens"])
async def test_sessions_that_end_while_a_token_is_looked_up_let_nobody_in(room: Running, door: str) -> None:
    root, anna, site = await admin(room), await room.guest("Anna"), room.site
    path = f"/admin/accounts/{anna.id}/sessions"
    async with room.http(root.token) as client, room.http(anna.token) as hers, dial(room.url) as socket:
        site.accounts = Overtaken(site.accounts, anna.token, lambda: client.delete(path))
        if door == "hello":
            code = (await socket.asks("hello", protocol=1, token=anna.token))["code"]
        else:
            code = refusal(await hers.post(door, json={"name": "mine", "scopes": ["play"]}))[1]

    assert code == "unauthorized"
    assert (site.connections.of(AccountId(anna.id)), await site.admin.tokens(AccountId(anna.id))) == ([], [])


async def test_a_program_of_an_admin_does_nothing_to_another_admin(room: Running) -> None:
    root, other, anna = await admin(room), await admin(room, "Other"), await room.guest("Anna")
    helper = await personal(room, root, "admin:players", "admin:read")
    asked = {
        "PUT name": {"name": "Nobody"},
        "PUT mute": {"reason": "x", "until": 2**50},
        "PUT ban": {"reason": "x"},
        "PUT disabled": {"reason": "x"},
        "POST password": {},
        "DELETE sessions": {},
    }
    async with room.http(helper.token) as client:
        for call, body in asked.items():
            method, what = call.split()
            refused = await client.request(method, f"/admin/accounts/{other.id}/{what}", json=body)
            assert refusal(refused) == (403, "forbidden"), call
            ok(await client.request(method, f"/admin/accounts/{anna.id}/{what}", json=body))
        role = refusal(await client.put(f"/admin/accounts/{anna.id}/role", json={"role": "admin"}))
        made = refusal(await client.post("/admin/accounts", json={"name": "Second", "role": "admin"}))
        noted = await lines(client)
        ok(await client.put(f"/admin/accounts/{root.id}/name", json={"name": "Roots"}))

    assert role == made == (403, "forbidden")
    assert [line["target"] for line in noted] == [anna.id] * len(asked)


async def test_only_admins_make_tokens_with_scopes_for_admins_and_never_more_than_their_own(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    wanted = {"name": "monitor", "scopes": ["admin:read", "play"]}
    async with room.http(root.token) as client:
        made = ok(await client.post("/me/tokens", json=wanted), 201)
    async with room.http(anna.token) as client:
        assert refusal(await client.post("/me/tokens", json=wanted)) == (403, "forbidden")
    async with room.http(made["token"]) as client:
        ok(await client.get("/admin/system"))
        more = {"name": "more", "scopes": ["admin:chips"]}
        assert refusal(await client.post("/me/tokens", json=more)) == (403, "forbidden")
        assert refusal(await client.post("/admin/announcements", json={"text": "hi"})) == (403, "forbidden")

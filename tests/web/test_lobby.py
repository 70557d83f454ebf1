"""The lobby over HTTP: tables in a list, opened, controlled; and who may."""

from typing import Any

import pytest

from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from fullring.web import control
from fullring.wire.errors import CloseCode
from tests.server import Guest, Running
from tests.web.test_accounts import code

OAK: dict[str, Any] = {
    "name": "Oak",
    "game": "plhe",
    "seats": 9,
    "small_blind": 50,
    "big_blind": 100,
    "buy_in_min": 4_000,
    "buy_in_max": 10_000,
}


async def host(room: Running, role: Role = Role.HOST) -> Guest:
    guest = await room.guest()
    await room.site.accounts.set_role(AccountId(guest.id), role)
    return guest


@pytest.mark.parametrize("role", [Role.HOST, Role.ADMIN])
async def test_a_host_opens_a_table_that_everybody_sees(room: Running, role: Role) -> None:
    owner = await host(room, role)
    async with room.http(owner.token) as client:
        opened = await client.post("/tables", json=OAK | {"turn_seconds": 12.5, "show_all": True})
        assert opened.status_code == 201
        table = opened.json()
        listed = (await client.get("/tables")).json()["tables"]
        detail = (await client.get(f"/tables/{table['id']}")).json()

    assert [row["id"] for row in listed] == [table["id"]]
    assert {**listed[0], **OAK, "taken": 0, "status": "waiting"} == listed[0]
    assert detail == table
    assert (detail["settings"]["turn_seconds"], detail["settings"]["show_all"]) == (12.5, True)
    assert detail["view"]["seats"] == []


async def test_what_a_host_leaves_out_is_as_the_room_has_it(room: Running) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        table = (await client.post("/tables", json=OAK)).json()

    defaults = room.settings
    assert table["settings"]["turn_seconds"] == defaults.turn_seconds
    assert table["settings"]["hand_pause_ms"] == defaults.hand_pause_ms


async def test_a_time_bank_larger_than_the_rooms_fullest_may_be_that_full(room: Running) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        table = (await client.post("/tables", json=OAK | {"time_bank_seconds": 120})).json()["id"]

    settings = room.site.room.settings(table)
    assert (settings.time_bank_ms, settings.time_bank_max_ms) == (120_000, 120_000)


async def test_a_room_has_only_so_many_tables(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "TABLES_MAX", 2)
    owner = await host(room)
    async with room.http(owner.token) as client:
        opened = [await client.post("/tables", json=OAK) for _ in range(3)]

    assert [answer.status_code for answer in opened] == [201, 201, 409]
    assert code(opened[-1]) == (409, "forbidden")


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "razz"},
        {"seats": 1},
        {"seats": 11},
        {"small_blind": 200},
        {"buy_in_min": 20_000},
        {"buy_in_min": 50},
        {"ante": 10, "big_blind_ante": 100},
        {"big_blind": 10**13},
        {"name": "a\nb"},
        {"turn_seconds": 0},
        {"rake_bps": 5_000, "rake_cap": 10},
    ],
)
async def test_a_table_whose_settings_do_not_fit_is_refused(room: Running, wrong: dict[str, Any]) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        assert code(await client.post("/tables", json=OAK | wrong)) == (422, "bad_message")
        assert (await client.get("/tables")).json() == {"tables": []}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"small_blind": 200}, "small_blind must be at most the big blind of 100"),
        ({"ante": 10, "big_blind_ante": 100}, "ante and big_blind_ante must not both be set"),
        ({"turn_seconds": "3"}, "turn_seconds must be a number, not text"),
        ({"hand_pause_ms": 60_001}, "hand_pause_ms must be at most 60000, not 60001"),
        ({"rake_bps": 1_001, "rake_cap": 10}, "rake_bps must be at most 1000, not 1001"),
        ({"rake_bps": 500}, "rake_bps needs rake_cap, the most that is taken of a hand"),
    ],
)
async def test_a_table_is_refused_by_the_names_of_what_was_chosen(
    room: Running, wrong: dict[str, Any], told: str
) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        assert (await client.post("/tables", json=OAK | wrong)).json()["detail"] == told


async def test_a_key_that_is_none_is_refused_in_words_about_keys(room: Running) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        for key in ("a b", "k" * 65):
            answer = await client.post("/tables", json=OAK, headers={"Idempotency-Key": key})
            assert answer.json()["detail"] == "Idempotency-Key must have 1 to 64 printable characters and no space"


async def test_an_invite_only_table_is_in_no_list_and_its_code_is_in_no_answer(room: Running) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        opened = await client.post("/tables", json=OAK | {"join_code": "sesame"})
        listed = await client.get("/tables")
        detail = await client.get(f"/tables/{opened.json()['id']}")

    assert listed.json() == {"tables": []}
    assert detail.json()["join_code"] is True
    assert "sesame" not in opened.text + detail.text


async def test_a_table_is_paused_resumed_and_closed(room: Running) -> None:
    owner = await host(room)
    table = await room.table(owner.id)
    async with room.http(owner.token) as client, room.socket(owner.token) as socket:
        await socket.asks("watch", table=table)
        await socket.asks("sit", table=table, buy_in=500)
        for call, event, reason in (
            ("pause", "table_paused", "dinner"),
            ("resume", "table_resumed", "resumed by its host"),
            ("close", "table_closed", "closed by its host"),
        ):
            body = {"reason": reason} if reason == "dinner" else None
            assert (await client.post(f"/tables/{table}/{call}", json=body)).status_code == 204
            assert {"type": event, "reason": reason} in (await socket.sees(event))["events"]
        assert code(await client.get(f"/tables/{table}")) == (404, "not_found")
        assert (await client.get("/me")).json()["account"]["chips"] == 10_000


async def test_who_is_kicked_loses_the_seat_and_the_connection(room: Running) -> None:
    owner, guest = await host(room), await room.guest()
    table = await room.table(owner.id)
    async with room.http(owner.token) as client, room.socket(guest.token) as socket:
        kick = {"account": guest.id, "reason": "\u00e4" * 300}
        assert code(await client.post(f"/tables/{table}/kick", json=kick)) == (409, "not_seated")
        await socket.asks("sit", table=table, buy_in=500)
        assert (await client.post(f"/tables/{table}/kick", json=kick)).status_code == 204

        assert await socket.closed() == CloseCode.KICKED
        assert (await client.get(f"/tables/{table}")).json()["taken"] == 0


async def test_a_table_of_another_host_or_of_the_room_itself_is_an_admins_to_control(room: Running) -> None:
    owner, other, admin = await host(room), await host(room), await host(room, Role.ADMIN)
    theirs, rooms = await room.table(owner.id), await room.table()
    async with room.http(other.token) as client:
        for table in (theirs, rooms):
            refused = await client.post(f"/tables/{table}/pause")
            assert code(refused) == (403, "forbidden")
            assert "not your table" in refused.json()["detail"]
            assert room.site.room.summary(table)["status"] == "waiting"
    async with room.http(admin.token) as client:
        for table in (theirs, rooms):
            assert (await client.post(f"/tables/{table}/pause")).status_code == 204
            assert room.site.room.summary(table)["status"] == "paused"


async def test_a_table_that_was_closed_under_a_key_is_closed_to_who_asks_again(room: Running) -> None:
    owner = await host(room)
    table = await room.table(owner.id)
    async with room.http(owner.token) as client:
        for _ in range(2):
            answer = await client.post(f"/tables/{table}/close", headers={"Idempotency-Key": "k"})
            assert answer.status_code == 204


@pytest.mark.parametrize("call", ["", "/close", "/pause", "/resume", "/kick"])
async def test_a_table_that_is_not_there_is_not_found(room: Running, call: str) -> None:
    owner = await host(room)
    async with room.http(owner.token) as client:
        for id in ("t0", "%00", "\u00e4", "x" * 65, ".."):
            address = f"/tables/{id}{call}"
            answer = await client.post(address, json={"account": "a1"}) if call else await client.get(address)
            assert code(answer) == (404, "not_found"), id


async def test_an_admin_grants_chips_once_for_each_key(room: Running) -> None:
    admin, guest = await host(room, Role.ADMIN), await room.guest()
    address = f"/admin/accounts/{guest.id}/chips"
    async with room.http(admin.token) as client:
        grant = {"amount": 500, "reason": "a present", "key": "k1"}
        assert (await client.post(address, json=grant)).json() == {"account": guest.id, "chips": 10_500}
        assert (await client.post(address, json=grant)).json() == {"account": guest.id, "chips": 10_500}
        too_much = grant | {"amount": -20_000, "key": "k2"}
        assert code(await client.post(address, json=too_much)) == (409, "insufficient_chips")
        assert code(await client.post("/admin/accounts/a0/chips", json=grant)) == (404, "not_found")
    async with room.http(guest.token) as client:
        newest = (await client.get("/me/ledger")).json()["entries"][0]
    assert (newest["amount"], newest["reason"]) == (500, "a present")
    assert await room.site.ledger.audit() == []

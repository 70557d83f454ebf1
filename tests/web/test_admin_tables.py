"""Admins and tables over HTTP: all of them are seen, edited while they are played at, and controlled; each noted."""

from typing import Any

import pytest

from fullring.runtime.accounts import Role
from fullring.runtime.ports import OutcomeUnknown
from tests.server import Running, running
from tests.web.admins import admin, lines, ok, refusal
from tests.web.test_lobby import OAK, host
from tests.web.test_play import game


async def test_every_table_is_listed_the_closed_and_the_invite_only_ones_too(room: Running) -> None:
    root, owner = await admin(room), await host(room)
    async with room.http(owner.token) as client:
        private = ok(await client.post("/tables", json=OAK | {"join_code": "acorn"}), 201)["id"]
        closed = ok(await client.post("/tables", json=OAK | {"name": "Elm"}), 201)["id"]
        ok(await client.post(f"/tables/{closed}/close"), 204)
        own = ok(await client.get("/me/tables"))["tables"]
    async with room.http(root.token) as client:
        first = ok(await client.get("/admin/tables", params={"limit": 1}))
        second = ok(await client.get("/admin/tables", params={"limit": 1, "cursor": first["next"]}))
        shut = ok(await client.get("/admin/tables", params={"state": "closed"}))["tables"]
        detail = ok(await client.get(f"/admin/tables/{private}"))
        assert refusal(await client.get("/admin/tables/t0")) == (404, "not_found")

    rows = {row["id"]: row for row in [*first["tables"], *second["tables"]]}
    assert set(rows) == {private, closed}
    assert second["next"] is None
    assert [row["id"] for row in shut] == [closed]
    assert (rows[private]["state"], rows[private]["owner"], rows[private]["status"]) == ("open", owner.id, "waiting")
    assert "status" not in rows[closed]
    assert detail["view"]["name"] == "Oak"
    assert detail["settings"]["join_code"] is True
    assert "acorn" not in str(detail)
    assert [row["id"] for row in own] == [private]


async def test_other_settings_hold_from_the_next_hand_on_and_outlive_a_restart(tmp_path: Any) -> None:
    async with running(tmp_path) as room:
        root = await admin(room)
        async with game(room, "Anna", "Bo") as played, room.http(root.token) as client:
            await played.next()
            path = f"/admin/tables/{played.table}"
            wanted = {"name": "Elm", "big_blind": 20, "turn_seconds": 5, "join_code": "acorn", "reason": "slower"}
            edited = ok(await client.patch(path, json=wanted, headers={"Idempotency-Key": "e1"}))
            ok(await client.patch(path, json=wanted, headers={"Idempotency-Key": "e1"}))
            wrong = refusal(await client.patch(path, json={"small_blind": 500}))
            await played.act("fold")
            await played.next()
            after = ok(await client.get(path))
            (line,) = await lines(client, action="table.edit")

    assert (edited["name"], edited["settings"]["big_blind"]) == ("Magnolia", 10)
    assert (edited["next_settings"]["big_blind"], edited["next_settings"]["turn_seconds"]) == (20, 5)
    assert "next_settings" not in after
    assert (after["name"], after["view"]["settings"]["big_blind"], after["settings"]["join_code"]) == ("Elm", 20, True)
    assert wrong == (422, "bad_message")
    assert line["before"] == {"name": "Magnolia", "big_blind": 10, "turn_seconds": 30, "join_code": False}
    assert line["after"] == {"name": "Elm", "big_blind": 20, "turn_seconds": 5, "join_code": True}
    assert (line["reason"], "acorn" in str(line)) == ("slower", False)
    async with running(tmp_path) as again, again.http(root.token) as client:
        kept = ok(await client.get(path))
        assert refusal(await client.patch(path, json={"rake_bps": 500})) == (422, "bad_message")
        ok(await client.patch(path, json={"join_code": None, "rake_bps": 500, "rake_cap": 3}))
        public = ok(await client.get("/tables"))["tables"]

    assert (kept["name"], kept["settings"]["big_blind"], kept["settings"]["join_code"]) == ("Elm", 20, True)
    assert played.table in [row["id"] for row in public] or kept["view"].get("hand") is not None


async def test_what_is_edited_twice_in_one_hand_holds_both_times(room: Running) -> None:
    root = await admin(room)
    async with game(room, "Anna", "Bo") as played, room.http(root.token) as client:
        await played.next()
        path = f"/admin/tables/{played.table}"
        ok(await client.patch(path, json={"big_blind": 20}))
        edited = ok(await client.patch(path, json={"time_bank_seconds": 120}))

    assert (edited["next_settings"]["big_blind"], edited["next_settings"]["time_bank_seconds"]) == (20, 120)
    after = room.site.room.known(played.table).next_settings
    assert after is not None
    assert after.time_bank_max_ms == 120_000


async def test_tables_are_opened_once_a_key_and_controlled_as_by_their_hosts(room: Running) -> None:
    root = await admin(room)
    key = {"Idempotency-Key": "oak"}
    async with room.http(root.token) as client:
        table = ok(await client.post("/admin/tables", json=OAK, headers=key), 201)["id"]
        assert ok(await client.post("/admin/tables", json=OAK, headers=key), 201)["id"] == table
        other = await client.post("/admin/tables", json=OAK | {"name": "Elm"}, headers=key)
        for what in ("pause", "resume", "close"):
            ok(await client.post(f"/admin/tables/{table}/{what}", json={"reason": "a test"}), 204)
        noted = await lines(client, target=table)

    assert refusal(other) == (409, "bad_message")
    assert [line["action"] for line in noted] == ["table.close", "table.resume", "table.pause", "table.open"]
    assert {line["target_name"] for line in noted} == {"Oak"}
    assert noted[0]["reason"] == "a test"


async def test_a_table_that_nobody_knows_whether_it_was_opened_is_opened_once(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is gone in the very moment in which it has written the table down."""
    root, log = await admin(room), room.site.room._log
    create, key = log.create, {"Idempotency-Key": "oak"}

    async def written_and_lost(*asked: Any) -> None:
        await create(*asked)
        monkeypatch.undo()
        raise OutcomeUnknown("the connection is gone")

    monkeypatch.setattr(log, "create", written_and_lost)
    async with room.http(root.token) as client:
        assert (await client.post("/admin/tables", json=OAK, headers=key)).status_code == 503
        table = ok(await client.post("/admin/tables", json=OAK, headers=key), 201)
        noted = await lines(client, action="table.open")
        (row,) = ok(await client.get("/admin/tables"))["tables"]

    assert table["view"]["status"] == "waiting"
    assert (row["id"], row["state"], row["owner"]) == (table["id"], "open", root.id)
    assert [line["target"] for line in noted] == [table["id"]]
    assert table["id"] in [one["id"] for one in room.site.room.summaries()]


async def test_who_is_kicked_has_no_seat_and_the_hosts_own_calls_are_noted_too(room: Running) -> None:
    root, owner = await admin(room), await host(room, Role.HOST)
    async with (
        game(room, "Anna", "Bo", owner=owner.id) as played,
        room.http(root.token) as client,
        room.http(owner.token) as hosts,
    ):
        anna, bo = played.players
        body = {"account": anna.guest.id, "reason": "asleep"}
        ok(await client.post(f"/admin/tables/{played.table}/kick", json=body), 204)
        assert await anna.socket.closed() == 4004
        ok(await hosts.post(f"/tables/{played.table}/kick", json={"account": bo.guest.id}), 204)
        ours = await lines(client, by=root.id)
        theirs = await lines(client, by=owner.id)

    assert [(line["action"], line["after"]) for line in ours] == [("table.kick", {"account": anna.guest.id})]
    assert [(line["action"], line["after"]) for line in theirs] == [("table.kick", {"account": bo.guest.id})]


async def test_running_hands_are_seen_as_by_everybody_without_a_hidden_card(room: Running) -> None:
    root = await admin(room)
    async with game(room, "Anna", "Bo") as played, room.http(root.token) as client:
        await played.next()
        first = ok(await client.get("/admin/hands", params={"limit": 1}))
        (hand,) = first["hands"]

    assert first["next"] is None
    assert (hand["table"], hand["hand"]) == (played.table, played.hand["id"])
    assert [seat["holds"] for seat in hand["view"]["seats"]] == [2, 2]
    assert not any("cards" in seat for seat in hand["view"]["seats"])
    assert hand["view"]["hand"]["board"] == []


async def test_what_is_said_at_a_table_reaches_those_who_watch_it(room: Running) -> None:
    root = await admin(room)
    async with game(room, "Anna", "Bo") as played, room.socket() as outside, room.http(root.token) as client:
        told = ok(await client.post(f"/admin/tables/{played.table}/message", json={"text": "last orders"}))
        notice = await played.players[0].socket.hears("notice")
        await outside.asks("ping")
        (line,) = await lines(client, action="table.message")

    assert told == {"connections": 2}
    assert notice == {"type": "notice", "kind": "message", "table": played.table, "text": "last orders"}
    assert not any(b"last orders" in frame for frame in outside.frames)
    assert line["after"] == {"text": "last orders", "connections": 2}

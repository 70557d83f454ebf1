"""What admins see of the whole room, and say to it: connections, announcements, the audit log, how it runs."""

from pathlib import Path

from tests.server import Running, running
from tests.web.admins import admin, lines, ok, refusal


async def test_connections_are_listed_with_who_and_what_they_watch(room: Running) -> None:
    root, anna, table = await admin(room), await room.guest("Anna"), await room.table()
    async with (
        room.socket(anna.token, client="example/1") as socket,
        room.socket() as watcher,
        room.http(root.token) as client,
    ):
        await socket.asks("watch", table=table)
        await watcher.asks("watch", table="lobby")
        first = ok(await client.get("/admin/connections", params={"limit": 1}))
        rest = ok(await client.get("/admin/connections", params={"cursor": first["next"]}))
        hers = ok(await client.get("/admin/connections", params={"account": anna.id}))
        none = ok(await client.get("/admin/connections", params={"address": "192.0.2.1"}))

    (row,), (spectator,) = first["connections"], rest["connections"]
    assert (row["account"], row["name"], row["client"], row["tables"]) == (anna.id, "Anna", "example/1", [table])
    assert (row["address"], row["greeted"], row["queued"], row["lag_ms"]) == ("127.0.0.1", True, 0, 0)
    assert row["since"] <= row["heard_at"]
    assert row["id"] == socket.welcome["connection"]
    assert (spectator["tables"], "account" in spectator) == (["lobby"], False)
    assert (first["total"], rest["next"]) == (2, None)
    assert hers["connections"] == [row]
    assert none["connections"] == []
    assert anna.token not in str(first)


async def test_one_connection_is_spoken_to_and_closed(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    async with room.socket(anna.token) as socket, room.socket() as other, room.http(root.token) as client:
        path = f"/admin/connections/{socket.welcome['connection']}"
        ok(await client.post(f"{path}/message", json={"text": "are you there?"}), 204)
        notice = await socket.hears("notice")
        ok(await client.delete(path, params={"reason": "too many tables"}), 204)
        code = await socket.closed()
        assert (await other.asks("ping"))["type"] == "pong"
        missing = refusal(await client.delete("/admin/connections/c0"))
        closed, said = await lines(client)

    assert (notice["kind"], notice["text"]) == ("message", "are you there?")
    assert (code, missing) == (4004, (404, "not_found"))
    assert (said["action"], said["after"]["account"]) == ("connection.message", anna.id)
    assert (closed["action"], closed["reason"]) == ("connection.close", "too many tables")


async def test_an_announcement_reaches_everybody_once_a_key(room: Running) -> None:
    root, anna = await admin(room), await room.guest("Anna")
    wanted = {"text": "the room closes at midnight", "at": 2**50}
    async with room.socket(anna.token) as socket, room.socket() as other, room.http(root.token) as client:
        for _ in range(2):
            told = ok(await client.post("/admin/announcements", json=wanted, headers={"Idempotency-Key": "a"}), 201)
            assert told == {"connections": 2}
        heard = [await one.hears("notice") for one in (socket, other)]
        await socket.asks("ping")
        (line,) = await lines(client)

    assert heard == [{"type": "notice", "kind": "announcement", **wanted}] * 2
    assert sum(b"midnight" in frame for frame in socket.frames) == 1
    assert line["after"] == wanted | {"connections": 2}


async def test_the_audit_log_is_read_page_by_page(room: Running) -> None:
    root = await admin(room)
    async with room.http(root.token) as client:
        for number in range(3):
            ok(await client.post("/admin/announcements", json={"text": f"number {number}"}), 201)
        whole = ok(await client.get("/admin/audit", params={"limit": 3}))
        first = ok(await client.get("/admin/audit", params={"limit": 2}))
        second = ok(await client.get("/admin/audit", params={"limit": 2, "cursor": first["next"]}))
        at = first["entries"][0]["at"]
        later = await lines(client, **{"from": at + 1})
        others = await lines(client, by="a0")
        chips = await lines(client, action="account.")

    texts = [line["after"]["text"] for line in [*first["entries"], *second["entries"]]]
    assert texts == ["number 2", "number 1", "number 0"]
    assert first["next"] is not None
    assert second["next"] is whole["next"] is None
    assert later == others == chips == []


async def test_the_system_says_how_it_runs_and_no_secret(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'secret.db'}"
    async with running(tmp_path, database_url=url, tables=1, house_bots=2) as room:
        root = await admin(room)
        async with room.socket(), room.http(root.token) as client:
            told = ok(await client.get("/admin/system"))

    counts = told["counts"]
    assert (counts["accounts"], counts["tables"], counts["seats_taken"], counts["connections"]) == (3, 1, 2, 1)
    assert counts["chips_on_tables"] > 0
    assert told["uptime_ms"] == told["time"] - told["started_at"] >= 0
    assert (told["database"], told["settings"]["house_bots"]) == ("sqlite", 2)
    assert "secret.db" not in str(told)


async def test_what_was_decided_holds_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        root, anna = await admin(room), await room.guest("Anna")
        async with room.http(root.token) as client:
            ok(await client.put(f"/admin/accounts/{anna.id}/ban", json={"reason": "collusion"}))
    async with running(tmp_path) as room, room.http(anna.token) as client:
        answer = await client.get("/me")

    assert refusal(answer) == (403, "forbidden")
    assert answer.json()["details"] == {"reason": "collusion"}

"""The room put together: its own tables, its bots, and what is there after a restart."""

from pathlib import Path

from fullring.runtime.admin import Restricted
from fullring.runtime.audit import By
from tests.server import running


async def test_the_room_opens_as_many_tables_as_it_is_told_and_keeps_those_it_has(tmp_path: Path) -> None:
    async with running(tmp_path, tables=2) as room:
        first = {row["id"]: row["name"] for row in room.site.room.summaries()}
    assert sorted(first.values()) == ["Juniper", "Magnolia"]
    async with running(tmp_path, tables=3) as room:
        second = {row["id"]: row["name"] for row in room.site.room.summaries()}
    async with running(tmp_path, tables=1) as room:
        third = {row["id"]: row["name"] for row in room.site.room.summaries()}

    assert first.items() < second.items() == third.items()
    assert sorted(second.values()) == ["Hawthorn", "Juniper", "Magnolia"]


async def test_house_bots_sit_at_the_rooms_own_tables_alone_and_play(tmp_path: Path) -> None:
    async with running(tmp_path, tables=1, house_bots=3) as room:
        guests = await room.table(name="Oak")
        (own,) = [row["id"] for row in room.site.room.summaries() if row["id"] != guests]
        async with room.socket() as socket:
            await socket.asks("watch", table=own)
            update = await socket.sees("hand_ended")
        assert {seat["kind"] for seat in update["view"]["seats"]} == {"bot"}
        assert len(update["view"]["seats"]) == 3
        assert room.site.room.summary(guests)["taken"] == 0
        assert await room.site.ledger.audit() == []


async def test_a_hosts_table_is_not_the_rooms_own_whatever_it_is_called(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        hosts = await room.table((await room.guest("Anna")).id, name="Magnolia")
    async with running(tmp_path, tables=2, house_bots=2) as room:
        (own,) = [row["id"] for row in room.site.room.summaries() if row["id"] != hosts]
        async with room.socket() as socket:
            await socket.asks("watch", table=own)
            await socket.sees("hand_ended")
        assert room.site.room.summary(hosts)["taken"] == 0


async def test_a_house_bot_that_is_banned_does_not_come_back_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, tables=1, house_bots=3) as room:
        pascal = await room.site.accounts.find("Pascal")
        assert pascal is not None
        await room.site.admin.restrict(By(None, room.site.clock.now()), pascal.id, Restricted.BANNED, "a test")
    async with running(tmp_path, tables=1, house_bots=3) as room:
        (table,) = [row["id"] for row in room.site.room.summaries()]
        async with room.socket() as socket:
            await socket.asks("watch", table=table)
            update = await socket.sees("hand_ended")
        assert "Pascal" not in {seat["name"] for seat in update["view"]["seats"]}
        assert len(update["view"]["seats"]) == 2


async def test_a_stopped_room_is_not_ready_and_its_folder_can_be_opened_again(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        site = room.site
        opened = site.open
    stopped = site.open
    async with running(tmp_path) as room:
        again = room.site.open

    assert (opened, stopped, again) == (True, False, True)


async def test_a_room_runs_on_either_database(tmp_path: Path, database_url: str) -> None:
    async with running(tmp_path, database_url=database_url, tables=1, house_bots=1) as room:
        (table,) = [row["id"] for row in room.site.room.summaries()]
        guest = await room.guest("Anna")
        async with room.socket(guest.token) as socket:
            await socket.asks("watch", table=table)
            await socket.asks("sit", table=table, buy_in=500)
            await socket.sees("hand_started")
            async with room.http(guest.token) as client:
                assert (await client.get("/me")).json()["account"]["chips"] == 9_500
                assert (await client.get(f"{room.url}/readyz")).status_code == 200
    async with running(tmp_path, database_url=database_url, tables=1) as room, room.socket(guest.token) as socket:
        assert [seat["table"] for seat in socket.welcome["seats"]] == [table]
        assert await room.site.ledger.audit() == []

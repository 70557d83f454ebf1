"""Every message of the socket, said by everybody: each does what the token allows, to oneself alone."""

from typing import Any

from fullring.runtime.accounts import Role
from fullring.table.commands import Sit
from fullring.table.ids import AccountId
from fullring.wire.client import CLIENT_TYPES
from fullring.wire.errors import CloseCode
from tests.security.askers import members, strangers
from tests.server import Running
from tests.sockets import Socket, dial
from tests.web.test_play import game

FREE: dict[str, dict[str, Any]] = {"watch": {}, "unwatch": {}, "ping": {}, "hello": {"protocol": 1}}
"""What a spectator may say too; a second hello is refused as a message, not for who says it."""
PLAYERS: dict[str, dict[str, Any]] = {
    "sit": {"buy_in": 500},
    "leave": {},
    "sit_out": {},
    "sit_in": {},
    "top_up": {"amount": 100},
    "act": {"hand": "<hand>", "turn": "<turn>", "action": "fold"},
    "arm": {"hand": "<hand>", "action": "fold"},
    "disarm": {"hand": "<hand>"},
    "show": {"hand": "<hand>", "cards": ["As"]},
    "chat": {"text": "hello"},
}
"""What takes a token with the scope ``play``, and nothing else: no role adds anything."""


def fields(type: str, table: str) -> dict[str, Any]:
    asked = (FREE | PLAYERS)[type]
    return asked if type in {"ping", "hello"} else {"table": table} | asked


async def said(socket: Socket, type: str, table: str, **more: Any) -> str:
    answer = await socket.asks(type, **fields(type, table) | more)
    return str(answer["code"] if answer["type"] == "error" else "ok")


def test_every_message_is_classified() -> None:
    assert {*FREE, *PLAYERS} == set(CLIENT_TYPES)
    assert not set(FREE) & set(PLAYERS)


async def test_a_spectator_may_watch_and_nothing_else(room: Running) -> None:
    table = await room.table()
    async with room.socket() as socket:
        heard = {type: await said(socket, type, table) for type in CLIENT_TYPES}

    assert heard == {
        type: "unauthorized" if type in PLAYERS else "bad_message" if type == "hello" else "ok" for type in CLIENT_TYPES
    }


async def test_whose_token_is_not_good_gets_no_further_than_hello(room: Running) -> None:
    for asker in await strangers(room):
        async with dial(room.url) as socket:
            await socket.says("hello", protocol=1, token=asker.token)
            assert await socket.closed() == CloseCode.BAD_CREDENTIALS, asker.name
            assert (await socket.heard())["code"] == "unauthorized"


async def test_a_token_without_the_scope_play_does_nothing_whatever_the_role(room: Running) -> None:
    table = await room.table()
    for asker in await members(room):
        if asker.may("play", Role.PLAYER) or not asker.may("read", Role.PLAYER):
            continue
        async with room.socket(asker.token) as socket:
            for type in PLAYERS:
                assert await said(socket, type, table) == "forbidden", (asker.name, type)


async def test_a_token_that_neither_reads_nor_plays_sees_no_cards_and_takes_no_session_over(room: Running) -> None:
    """Nor on a stream. Who looks after tables with it is not to look into its account's hand."""
    table = await room.table()
    others = [
        one for one in await members(room) if not one.may("play", Role.PLAYER) and not one.may("read", Role.PLAYER)
    ]
    async with room.http() as client:
        for asker in others:
            bearer = {"Authorization": f"Bearer {asker.token}"}
            answer = await client.get(f"/tables/{table}/stream", headers=bearer)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), asker.name
            async with dial(room.url) as socket:
                await socket.says("hello", protocol=1, token=asker.token)
                assert await socket.closed() == CloseCode.BAD_CREDENTIALS, asker.name
                assert (await socket.heard())["code"] == "forbidden"

    assert len(others) > 3


async def test_no_role_does_more_on_the_socket_than_a_player(room: Running) -> None:
    """Nobody here has a seat: who may play may sit and talk, and is told so for the rest."""
    heard = {}
    for asker in await members(room):
        if not asker.may("play", Role.PLAYER):
            continue
        table = await room.table()
        async with room.socket(asker.token) as socket:
            heard[asker.name] = {type: await said(socket, type, table) for type in PLAYERS if type != "sit"}

    assert len(heard) > 5
    for name, answers in heard.items():
        assert answers["chat"] in {"ok", "not_seated"}, name
        assert {code for type, code in answers.items() if type != "chat"} <= {"not_seated", "stale_turn"}, name
    assert len({tuple(answers.items()) for answers in heard.values()}) == 1


async def test_a_revoked_token_ends_its_socket_and_its_tickets(room: Running) -> None:
    guest = await room.guest()
    async with room.http(guest.token) as client:
        made = (await client.post("/me/tokens", json={"name": "bot", "scopes": ["read", "play"]})).json()
        async with room.http(made["token"]) as bot:
            tickets = [(await bot.post("/ws-tickets")).json()["ticket"] for _ in range(2)]
        async with room.socket(ticket=tickets[0]) as socket:
            assert (await client.delete(f"/me/tokens/{made['id']}")).status_code == 204
            assert await socket.closed() == CloseCode.BAD_CREDENTIALS
    for secret in ({"ticket": tickets[1]}, {"token": made["token"]}):
        async with dial(room.url) as socket:
            await socket.says("hello", protocol=1, **secret)
            assert await socket.closed() == CloseCode.BAD_CREDENTIALS


async def test_nothing_that_a_message_says_of_itself_makes_it_anothers(room: Running) -> None:
    """A stranger claims to be the victim, in every field that could be meant so."""
    async with game(room, "Anna", "Bo") as table:
        victim = await table.next()
        stranger = await room.guest("Mallory")
        claims = {"account": victim.guest.id, "seat": victim.seat, "name": "Anna", "token": victim.guest.token}
        claims |= {"as": victim.guest.id, "role": "admin", "kind": "player", "scopes": ["admin"], "stack": 10**6}
        places = {"hand": table.hand["id"], "turn": table.hand["turn"]["id"]}
        before = table.players[0].seen["view"]["seats"]
        async with room.socket(stranger.token) as socket:
            await socket.asks("watch", table=table.table)
            for type in PLAYERS:
                if type in {"sit", "chat"}:
                    continue
                more = claims | (places if type in {"act", "arm", "disarm", "show"} else {})
                code = await said(socket, type, table.table, **more)
                assert code in {"not_seated", "not_your_turn"}, type
            view = (await socket.hears("update"))["view"]
        assert view["seats"] == before
        assert view["hand"]["turn"]["id"] == places["turn"]


async def test_a_player_acts_for_nobody_else(room: Running) -> None:
    async with game(room, "Anna", "Bo") as table:
        actor = await table.next()
        other = next(player for player in table.players if player is not actor)
        for action in ("fold", "check", "call", "all_in"):
            answer = await other.asks("act", **table.action(action), seat=actor.seat, account=actor.guest.id)
            assert answer["code"] == "not_your_turn"
        mine = actor.seen["you"]["cards"]
        answer = await other.asks("show", hand=table.hand["id"], cards=mine)
        assert answer["type"] == "error"


async def test_what_sits_at_an_invite_only_table_knows_its_code(room: Running) -> None:
    table = await room.table(join_code="sesame")
    for asker in await members(room):
        if asker.may("play", Role.PLAYER):
            async with room.socket(asker.token) as socket:
                assert await said(socket, "sit", table, buy_in=1_000) == "forbidden", asker.name


async def test_whoever_sits_spends_their_own_chips(room: Running) -> None:
    rich, poor = await room.guest("Rich"), await room.guest("Poor")
    table = await room.table(buy_in_min=1_000, buy_in_max=100_000, small_blind=50, big_blind=100)
    async with room.socket(poor.token) as socket:
        answer = await socket.asks("sit", table=table, buy_in=20_000, account=rich.id)
        assert answer["code"] == "insufficient_chips"
    account = await room.site.accounts.account(AccountId(rich.id))
    assert account is not None
    await room.site.room.ask(table, Sit(account.id, account.name, account.kind, 5_000))
    async with room.socket(poor.token) as socket:
        for type in ("leave", "top_up", "sit_out"):
            assert await said(socket, type, table, account=rich.id) == "not_seated"
    assert await room.site.ledger.audit() == []

"""What every `Accounts` does. The fixture ``room`` gives a new one."""

import asyncio

import pytest

from fullring.runtime.accounts import Account, NameTaken, TokenInfo, TooManyTokens, Unauthorized
from fullring.table.ids import AccountId
from tests.contracts.playing import START
from tests.contracts.room import Room, chips, guest

SCOPES = {"play", "read", "host", "admin"}


class AccountsContract:
    async def test_a_guest_has_chips_and_a_token(self, room: Room) -> None:
        account, token = await room.accounts.create_guest("Anna", 10_000, START)

        assert account == Account(account.id, "Anna", "guest", "player", 10_000, START)
        found = await room.accounts.authenticate(token)
        assert found.account == account
        assert set(found.scopes) == SCOPES
        assert token not in repr(found)
        (entry,) = await room.ledger.entries(account.id, None, 10)
        assert (entry.kind, entry.amount, entry.balance, entry.at) == ("welcome", 10_000, 10_000, START)

    async def test_guests_without_a_name_get_different_ones(self, room: Room) -> None:
        names = {(await room.accounts.create_guest(None, 0, START))[0].name for _ in range(20)}

        assert len(names) == 20
        assert all(name.startswith("Guest ") for name in names)

    @pytest.mark.parametrize(
        "name",
        [
            "anna b.",
            "ANNA B.",
            " Anna  B. ",
            "Anna\u00a0B.",
            "Anna\u3000B.",
            "A\u200bnna B.",
            "\uff21nna B.",
            "Anna\u3164B.",
        ],
    )
    async def test_nobody_gets_a_name_that_looks_like_another(self, room: Room, name: str) -> None:
        await guest(room, "Anna B.")

        with pytest.raises(NameTaken):
            await room.accounts.create_guest(name, 100, START)
        with pytest.raises(NameTaken):
            await room.accounts.register(name, "password", 100, START)

    @pytest.mark.parametrize("name", ["", " ", "\u200b", "A\nB", "A\0B"])
    async def test_a_name_shows_something_and_controls_nothing(self, room: Room, name: str) -> None:
        with pytest.raises(ValueError, match="name"):
            await room.accounts.create_guest(name, 100, START)

    async def test_names_are_kept_as_they_were_given(self, room: Room) -> None:
        for name in (
            "Owner (host)",
            "A. B.",
            "$5 in chips",
            "Seat 3: x",
            "folds",
            "Zoe\u0308 \U0001f0a1",
            "\u0633\u0627\u0645\u064a",
            "two  spaces",
        ):
            account = await guest(room, name)
            assert await room.accounts.find(name) == account

    async def test_a_player_logs_in_with_name_and_password(self, room: Room) -> None:
        account, first = await room.accounts.register("Anna", "correct horse", 500, START)
        again, second, _ = await room.accounts.log_in("anna", "correct horse", START + 1)

        assert again == account
        assert (account.kind, account.chips) == ("player", 500)
        assert first != second
        for token in (first, second):
            assert (await room.accounts.authenticate(token)).account == account

    async def test_a_wrong_password_and_a_wrong_name_are_the_same(self, room: Room) -> None:
        await room.accounts.register("Anna", "correct horse", 500, START)
        await guest(room, "Bo")

        said = set()
        for name, password in (("Anna", "wrong horse"), ("Nobody", "correct horse"), ("Bo", ""), ("\u200b", "x")):
            with pytest.raises(Unauthorized) as refused:
                await room.accounts.log_in(name, password, START)
            said.add(str(refused.value))
        assert len(said) == 1

    async def test_another_password_ends_all_other_sessions(self, room: Room) -> None:
        account, first = await room.accounts.register("Anna", "correct horse", 500, START)
        _, second, _ = await room.accounts.log_in("Anna", "correct horse", START)
        _, personal = await room.accounts.create_token(account.id, "mine", ["play"], None, START)
        ended, kept = [(await room.accounts.authenticate(token)).token for token in (first, second)]
        with pytest.raises(Unauthorized):
            await room.accounts.change_password(account.id, "wrong horse", "battery staple", kept)

        assert list(await room.accounts.change_password(account.id, "correct horse", "battery staple", kept)) == [ended]
        with pytest.raises(Unauthorized):
            await room.accounts.authenticate(first)
        with pytest.raises(Unauthorized):
            await room.accounts.log_in("Anna", "correct horse", START)
        for token in (second, personal):
            await room.accounts.authenticate(token)
        await room.accounts.log_in("Anna", "battery staple", START)

    async def test_logging_out_ends_that_session_alone(self, room: Room) -> None:
        _, first = await room.accounts.register("Anna", "correct horse", 500, START)
        _, second, _ = await room.accounts.log_in("Anna", "correct horse", START)

        await room.accounts.log_out(first)

        with pytest.raises(Unauthorized):
            await room.accounts.authenticate(first)
        await room.accounts.authenticate(second)

    @pytest.mark.parametrize("token", ["", "x", "\0", "\ud800", "k" * 10_000])
    async def test_what_is_no_token_is_refused(self, room: Room, token: str) -> None:
        with pytest.raises(Unauthorized):
            await room.accounts.authenticate(token)
        await room.accounts.log_out(token)

    async def test_a_token_of_a_bot_plays_as_its_account(self, room: Room) -> None:
        account = await guest(room, "Anna")

        info, token = await room.accounts.create_token(account.id, "my bot", ["read", "play"], "bot", START)

        assert (info.name, set(info.scopes), info.kind) == ("my bot", {"play", "read"}, "bot")
        found = await room.accounts.authenticate(token)
        assert (found.account.id, found.account.kind, found.token) == (account.id, "bot", info.id)
        assert set(found.scopes) == {"play", "read"}

    async def test_a_token_that_has_ended_makes_no_other(self, room: Room) -> None:
        account, session = await room.accounts.create_guest("Anna", 0, START)
        own = (await room.accounts.authenticate(session)).token
        first, _ = await room.accounts.create_token(account.id, "one", ["read"], None, START, own)
        await room.accounts.log_out(session)

        with pytest.raises(Unauthorized):
            await room.accounts.create_token(account.id, "two", ["read"], None, START, own)
        assert list(await room.accounts.tokens(account.id)) == [first]

    async def test_of_many_tokens_asked_for_at_once_no_more_are_made_than_an_account_may_have(self, room: Room) -> None:
        account = await guest(room, "Anna")
        making = [
            room.accounts.create_token(account.id, f"number {number}", ["read"], None, START, most=3)
            for number in range(9)
        ]
        made = await asyncio.gather(*making, return_exceptions=True)

        assert sum(isinstance(one, TooManyTokens) for one in made) == 6
        assert len(await room.accounts.tokens(account.id)) == 3

    async def test_personal_tokens_are_listed_and_revoked(self, room: Room) -> None:
        anna, bo = await guest(room, "Anna"), await guest(room, "Bo")
        first, _ = await room.accounts.create_token(anna.id, "one", ["read"], None, START)
        second, token = await room.accounts.create_token(anna.id, "two", ["play"], None, START + 1)

        assert first == TokenInfo(first.id, "one", ("read",), "guest", START)
        assert list(await room.accounts.tokens(anna.id)) == [first, second]
        assert not await room.accounts.revoke_token(bo.id, second.id)
        assert await room.accounts.revoke_token(anna.id, second.id)
        assert not await room.accounts.revoke_token(anna.id, second.id)
        assert list(await room.accounts.tokens(anna.id)) == [first]
        with pytest.raises(Unauthorized):
            await room.accounts.authenticate(token)

    async def test_a_role_is_given_and_shows_at_once(self, room: Room) -> None:
        account, token = await room.accounts.create_guest("Anna", 0, START)

        await room.accounts.set_role(account.id, "host")

        assert (await room.accounts.authenticate(token)).account.role == "host"
        with pytest.raises(Unauthorized):
            await room.accounts.set_role(AccountId("?"), "host")

    async def test_nobody_is_found_under_another_name_or_id(self, room: Room) -> None:
        await guest(room, "Anna")

        assert await room.accounts.find("Bo") is None
        assert await room.accounts.find("\u200b") is None
        assert await room.accounts.account(AccountId("?")) is None

    async def test_a_house_bot_is_made_once_and_filled_up(self, room: Room) -> None:
        bot = await room.accounts.ensure_bot("Robo", 5_000, START)
        assert (bot.kind, bot.chips) == ("bot", 5_000)
        await room.ledger.grant(bot.id, -3_000, "lost", "k", None, START)

        again = await room.accounts.ensure_bot("robo", 4_000, START + 1)

        assert (again.id, again.chips) == (bot.id, 4_000)
        assert await room.accounts.ensure_bot("Robo", 1_000, START + 2) == again
        assert await chips(room, bot) == 4_000

    async def test_a_house_bot_takes_nobodys_name(self, room: Room) -> None:
        await guest(room, "Robo")

        with pytest.raises(NameTaken):
            await room.accounts.ensure_bot("Robo", 5_000, START)

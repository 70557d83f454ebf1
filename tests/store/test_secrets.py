"""Whoever reads the database while a hand is played finds no card of it, no token and no password."""

from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from fullring import store
from fullring.rules.cards import Deck, text
from fullring.rules.events import HandStarted, StreetDealt
from fullring.runtime.ports import Outcome
from fullring.store import Store
from fullring.store.schema import metadata
from tests.contracts.playing import START, Playing, position, replayed
from tests.contracts.room import T1, guests, open_table
from tests.store.conftest import KEY
from tests.store.sql import connected

OTHER_KEY = bytes(reversed(KEY))


async def everything(room: Store, url: str) -> bytes:
    """All that the database holds: the bytes of SQLite's files; for PostgreSQL each value of each table."""
    if room.database.is_sqlite:
        path = Path(make_url(url).database or "")
        return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    found = []
    async with connected(url) as connection:
        for table in metadata.tables.values():
            for row in await connection.execute(sa.select(table)):
                found += [value if isinstance(value, bytes) else str(value).encode() for value in row]
    return b"\n".join(found)


def spellings(deck: Deck) -> list[bytes]:
    """Three cards in a row, anywhere in the deck, in every form that the program has for them.

    As bytes it takes eight: a file of SQLite is full of small numbers.
    """
    found = [bytes(deck[at : at + 8]) for at in range(len(deck) - 7)]
    for at in range(len(deck) - 2):
        cards = deck[at : at + 3]
        texts = [text(card) for card in cards]
        found += [
            ",".join(map(str, cards)).encode(),
            ", ".join(map(str, cards)).encode(),
            "".join(texts).encode(),
            " ".join(texts).encode(),
            '","'.join(texts).encode(),
        ]
    return found


async def play_to_the_flop(room: Store) -> tuple[Playing, Deck]:
    people = await guests(room, "Anna Bo Cora", 10**6)
    playing = Playing.open(T1, await open_table(room), people, seed=4)
    playing.around, playing.full = 0.0, True
    deck = Deck()
    while True:
        going = playing.next()
        assert await room.log.commit([going]) == {T1: Outcome.COMMITTED}
        playing.done(going)
        deck = next((event.deck for event in going.events if isinstance(event, HandStarted)), deck)
        if any(isinstance(event, StreetDealt) for event in going.events) and not playing.table.between_hands:
            return playing, deck


async def test_no_card_of_a_hand_in_play_is_in_the_database(room: Store, database_url: str) -> None:
    playing, deck = await play_to_the_flop(room)
    assert len(deck) == 52
    assert playing.table.hand is not None
    board = len(playing.table.hand.board)

    held = await everything(room, database_url)

    dealt = 2 * len(playing.table.hand.holes)
    hidden = Deck((*deck[:dealt], *deck[dealt + board :]))
    assert ",".join(map(str, deck[dealt : dealt + board])).encode() in held, "the search finds what is there"
    assert [spelling for spelling in spellings(hidden) if spelling in held] == []


async def test_a_hand_goes_on_with_the_same_cards_for_who_has_the_key(room: Store, database_url: str) -> None:
    playing, _ = await play_to_the_flop(room)

    again = await store.open(database_url, seal_keys=[OTHER_KEY, KEY])
    (stored,) = await again.log.claim()
    await again.close()

    assert stored.unreadable is None
    assert position(replayed(stored)) == position(playing.table)


async def test_without_the_key_the_hand_is_unreadable_and_the_rows_before_it_are_there(
    room: Store, database_url: str
) -> None:
    playing, _ = await play_to_the_flop(room)

    stranger = await store.open(database_url, seal_keys=[OTHER_KEY])
    (stored,) = await stranger.log.claim()
    await stranger.close()

    assert stored.unreadable is not None
    assert "sealed with a key that is not there" in stored.unreadable
    assert stored.last_seq == playing.seq
    assert not any(isinstance(event, HandStarted) for row in stored.rows for event in row.events)
    assert sum(seat.stack for seat in stored.seats) == playing.table.chips


async def test_tokens_and_passwords_are_not_in_the_database(room: Store, database_url: str) -> None:
    account, first = await room.accounts.register("Anna", "correct horse battery", 0, START)
    _, second, _ = await room.accounts.log_in("Anna", "correct horse battery", START)
    _, third = await room.accounts.create_token(account.id, "mine", ["play"], "bot", START)

    held = await everything(room, database_url)

    assert b"Anna" in held
    for secret in ("correct horse battery", first, second, third):
        assert len(secret) > 20
        assert secret.encode() not in held


@pytest.mark.parametrize("seed", range(3))
def test_the_search_finds_a_deck_in_the_open(seed: int) -> None:
    cards = list(range(52))
    Random(seed).shuffle(cards)
    deck = Deck(cards)

    for shown, windows in (
        (bytes(deck), 45),
        (str(list(deck)).encode(), 50),
        ("".join(map(text, deck)).encode(), 50),
    ):
        assert sum(spelling in shown for spelling in spellings(deck)) >= windows

"""A deck at rest can't be read without its key, nor passed off as another hand's."""

import base64
import stat
from pathlib import Path

import pytest

from fullring.rules.cards import FULL_DECK, Deck
from fullring.store.seal import KEY_BYTES, CannotUnseal, Seal, key_file

DECK = Deck(reversed(FULL_DECK))
OLD, NEW = bytes(KEY_BYTES), bytes(range(KEY_BYTES))


def test_a_sealed_deck_opens_to_the_same_deck() -> None:
    seal = Seal([NEW])

    opened = seal.unseal(seal.seal(DECK, table="t1", hand="h1"), table="t1", hand="h1")

    assert opened == DECK
    assert type(opened) is Deck
    assert repr(opened) == "Deck(52 cards)"


def test_the_same_deck_is_never_sealed_to_the_same_bytes() -> None:
    seal = Seal([NEW])

    assert len({seal.seal(DECK, table="t1", hand="h1") for _ in range(100)}) == 100


def test_nothing_of_the_deck_shows() -> None:
    sealed = Seal([NEW]).seal(DECK, table="t1", hand="h1")

    assert not any(bytes(DECK[at : at + 3]) in sealed for at in range(50))


@pytest.mark.parametrize(("table", "hand"), [("t2", "h1"), ("t1", "h2"), ("t1h", "1"), ("", "t1h1")])
def test_a_deck_belongs_to_one_hand(table: str, hand: str) -> None:
    seal = Seal([NEW])
    sealed = seal.seal(DECK, table="t1", hand="h1")

    with pytest.raises(CannotUnseal):
        seal.unseal(sealed, table=table, hand=hand)


def test_a_changed_byte_anywhere_is_noticed() -> None:
    seal = Seal([NEW])
    sealed = seal.seal(DECK, table="t1", hand="h1")

    for at in range(len(sealed)):
        changed = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises(CannotUnseal):
            seal.unseal(changed, table="t1", hand="h1")
    for part in (b"", sealed[:20], sealed[:-1]):
        with pytest.raises(CannotUnseal):
            seal.unseal(part, table="t1", hand="h1")


def test_a_new_key_in_front_leaves_old_decks_readable() -> None:
    old, rotated = Seal([OLD]), Seal([NEW, OLD])
    sealed = old.seal(DECK, table="t1", hand="h1")

    assert rotated.unseal(sealed, table="t1", hand="h1") == DECK
    with pytest.raises(CannotUnseal):
        old.unseal(rotated.seal(DECK, table="t1", hand="h1"), table="t1", hand="h1")


def test_a_seal_shows_no_key_and_takes_no_weak_one() -> None:
    assert repr(Seal([NEW])) == "Seal(1 keys)"
    for keys in ([], [b"short"], [NEW, b""]):
        with pytest.raises(ValueError, match="32 bytes"):
            Seal(keys)


def test_a_key_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "seal.key"

    keys = key_file(path)

    assert len(keys) == 1
    assert keys == key_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_key_file_may_hold_older_keys(tmp_path: Path) -> None:
    path = tmp_path / "seal.key"
    path.write_bytes(b"\n".join(base64.b64encode(key) for key in (NEW, OLD)))

    assert key_file(path) == (NEW, OLD)


@pytest.mark.parametrize("text", ["", "\n", "not base64!", "c2hvcnQ=", "\u00fc"])
def test_what_is_no_key_file_is_refused_without_being_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seal.key"
    path.write_text(text, "utf-8")

    with pytest.raises(ValueError, match=r"seal\.key must hold keys") as refused:
        key_file(path)
    assert not text.strip() or text not in str(refused.value)

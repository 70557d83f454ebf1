"""Settings: from the environment, checked, and told in one sentence when wrong."""

from pathlib import Path

import pytest

from fullring import settings
from fullring.settings import BadSettings


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in settings.Settings.model_fields:
        monkeypatch.delenv(f"{settings.PREFIX}{field.upper()}", raising=False)


def test_without_an_environment_it_is_a_room_on_this_machine_alone() -> None:
    chosen = settings.load()

    assert (chosen.host, chosen.port, chosen.guest_chips) == ("127.0.0.1", 8000, 10_000)
    assert (chosen.frames_per_second, chosen.frames_burst) == (10, 40)
    assert chosen.database == "sqlite:///data/room.db"
    assert chosen.seal_key_path == Path("data/seal.key")


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "TURN_SECONDS": "5",
        "TIME_BANK_SECONDS": "90",
        "HAND_PAUSE_MS": "0",
        "ORIGINS": "https://a.example, https://b.example",
        "DATA": "elsewhere",
    }.items():
        monkeypatch.setenv(f"FULLRING_{name}", value)
    chosen = settings.load()
    table = chosen.table_defaults()

    assert (table.turn_ms, table.time_bank_ms, table.time_bank_max_ms, table.hand_pause_ms) == (
        5_000,
        90_000,
        90_000,
        0,
    )
    assert chosen.origins == ("https://a.example", "https://b.example")
    assert chosen.seal_key_path == Path("elsewhere/seal.key")


def test_what_is_given_wins_over_the_environment_and_none_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_PORT", "1234")

    assert settings.load(port=4321).port == 4321
    assert settings.load(port=None).port == 1234


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("PORT", "eight thousand", "FULLRING_PORT must be a valid integer"),
        ("PORT", "99999", "FULLRING_PORT must be less than or equal to 65535"),
        ("LOG_LEVEL", "loud", "FULLRING_LOG_LEVEL must be 'debug', 'info', 'warning' or 'error'"),
        ("HEARTBEAT_SECONDS", "25", "FULLRING_HEARTBEAT_SECONDS must be less than FULLRING_SILENT_SECONDS"),
        ("BOT_THINK_MIN_MS", "3000", "FULLRING_BOT_THINK_MIN_MS must be at most FULLRING_BOT_THINK_MAX_MS"),
        ("DATABASE_URL", "mysql://anna:hunter2@x", "FULLRING_DATABASE_URL must begin with sqlite:// or postgresql://"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, right: str
) -> None:
    monkeypatch.setenv(f"FULLRING_{name}", value)
    with pytest.raises(BadSettings) as caught:
        settings.load()

    assert str(caught.value).startswith(right)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "right"),
    [
        ("postgresql", "the database's URL must be as postgresql://"),
        ("postgresql://anna@db:hunter2/room", "the database's URL must be as postgresql://"),
        ("postgresql+psycopg://anna@db/room", "a database of kind postgresql+psycopg is not supported"),
        ("sqlite://", "the database must be a file: sqlite:///folder/room.db"),
        (
            "postgresql://anna@db/room?channel_binding=require",
            "channel_binding may not stand behind the ? of its URL; ",
        ),
    ],
)
def test_a_database_url_that_would_lead_nowhere_is_refused_before_the_start(
    monkeypatch: pytest.MonkeyPatch, url: str, right: str
) -> None:
    monkeypatch.setenv("FULLRING_DATABASE_URL", url)
    with pytest.raises(BadSettings) as caught:
        settings.load()

    assert str(caught.value).startswith(f"FULLRING_DATABASE_URL can't be used: {right}")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("origin", ["https://cards.example:8443", "http://127.0.0.1:3000", "http://[::1]:3000"])
def test_an_origin_may_have_a_port_or_be_an_address(monkeypatch: pytest.MonkeyPatch, origin: str) -> None:
    monkeypatch.setenv("FULLRING_ORIGINS", origin)

    assert settings.load().origins == (origin,)


def test_of_proxies_one_that_stands_for_all_makes_the_others_needless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_PROXIES", "10.0.0.7, *")

    assert settings.load().proxies == ("*",)


def test_a_database_url_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_DATABASE_URL", "postgresql://anna:hunter2@db/room")
    chosen = settings.load()

    assert chosen.database == "postgresql://anna:hunter2@db/room"
    assert "hunter2" not in repr(chosen)


def test_settings_never_change() -> None:
    chosen = settings.load()
    with pytest.raises(ValueError, match="frozen"):
        chosen.port = 1  # type: ignore[misc]  # That it is refused is what this is about.

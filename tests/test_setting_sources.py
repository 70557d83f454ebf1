"""Where settings come from, which source wins, and what is said of a source that is wrong."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fullring import precautions, setting_page, settings
from fullring.cli import main
from fullring.settings import BadSettings
from tests.shared import PROJECT

PASSWORD = "hunter2-hunter2"
URL = f"postgresql://anna:{PASSWORD}@db.example/room"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting from outside, and a working directory of its own."""
    for name in list(os.environ):
        if name.startswith(settings.PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def written(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def told() -> str:
    """Why the settings are refused."""
    with pytest.raises(BadSettings) as caught:
        precautions.check(settings.load())
    assert PASSWORD not in str(caught.value)
    return str(caught.value)


def checked(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["config", "check", *words])
    assert done.exit_code == status, (done.output, done.exception)
    assert PASSWORD not in done.output
    return done.output


def test_a_settings_file_in_the_working_directory_is_read(tmp_path: Path) -> None:
    written(tmp_path / "fullring.toml", 'turn_seconds = 20\nguests = false\norigins = ["https://a.example"]\n')
    chosen = settings.load()

    assert (chosen.turn_seconds, chosen.guests, chosen.origins) == (20, False, ("https://a.example",))


def test_the_strongest_source_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = written(tmp_path / "named.toml", "port = 1\ntables = 1\nhouse_bots = 1\n")
    written(tmp_path / "fullring.toml", "guest_chips = 1\n")
    monkeypatch.setenv("FULLRING_CONFIG", str(named))
    monkeypatch.setenv("FULLRING_PORT", "2")
    monkeypatch.setenv("FULLRING_TABLES", "2")
    chosen = settings.load(port=3)

    assert (chosen.port, chosen.tables, chosen.house_bots, chosen.guest_chips) == (3, 2, 1, 10_000)
    assert settings.origins(port=3) == {
        "config": "FULLRING_CONFIG", "port": "command line", "tables": "FULLRING_TABLES", "house_bots": str(named),
    }  # fmt: skip


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_PORT", "")
    monkeypatch.setenv("FULLRING_METRICS_TOKEN", "")

    assert (settings.load().port, settings.load().metrics_token) == (8000, None)


def test_a_secret_may_be_in_a_file_that_the_environment_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FULLRING_DATABASE_URL_FILE", str(written(tmp_path / "secret", f"{URL}\n")))

    assert settings.load().database == URL
    assert settings.origins() == {"database_url": "FULLRING_DATABASE_URL_FILE"}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("prot = 8000", "fullring.toml has prot, which is no setting: did you mean port?"),
        ("config = 'x'", "fullring.toml has config, which is no setting"),
        ("port 8000", "fullring.toml is not TOML: expected '='"),
        ("port = 99999", "port in fullring.toml must be less than or equal to 65535"),
        (f"database_url = '{PASSWORD}'", "database_url in fullring.toml must begin with sqlite:// or postgresql://"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_in_a_sentence(tmp_path: Path, text: str, right: str) -> None:
    written(tmp_path / "fullring.toml", text)

    assert told().startswith(right)


def test_a_file_that_was_named_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_CONFIG", "none.toml")

    assert told() == "the settings file none.toml can't be read: no such file or directory"


def test_a_secret_is_given_once_and_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FULLRING_DATABASE_URL_FILE", str(tmp_path / "none"))
    assert told() == "FULLRING_DATABASE_URL_FILE can't be read: no such file or directory"

    monkeypatch.setenv("FULLRING_DATABASE_URL_FILE", str(written(tmp_path / "empty", "\n")))
    assert told() == "FULLRING_DATABASE_URL_FILE names a file that is empty"

    monkeypatch.setenv("FULLRING_DATABASE_URL", URL)
    assert told() == "FULLRING_DATABASE_URL and FULLRING_DATABASE_URL_FILE are both set: only one may be"


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"ORIGINS": "cards.example"}, "FULLRING_ORIGINS must be as browsers say it"),
        ({"ORIGINS": "https://cards.example/"}, "FULLRING_ORIGINS must be as browsers say it"),
        ({"ORIGINS": "https://Cards.example"}, "FULLRING_ORIGINS must be as browsers say it"),
        ({"ORIGINS": "https://cards.example:443"}, "FULLRING_ORIGINS must be as browsers say it"),
        ({"ORIGINS": "https://käse.example"}, "FULLRING_ORIGINS must be as browsers say it"),
        ({"PROXIES": "nginx"}, "FULLRING_PROXIES must be addresses or networks"),
        ({"PROXIES": "10.0.0.7/24"}, "FULLRING_PROXIES must be addresses or networks"),
        ({"PROXIES": "*", "HOST": "0.0.0.0"}, "FULLRING_PROXIES must name the proxies"),
        ({"PROXIES": "10.0.0.7, *", "HOST": "0.0.0.0"}, "FULLRING_PROXIES must name the proxies"),
        ({"PROXIES": "0.0.0.0/0", "HOST": "0.0.0.0"}, "FULLRING_PROXIES must name the proxies"),
        ({"PROXIES": "::/0", "HOST": "::"}, "FULLRING_PROXIES must name the proxies"),
        ({"METRICS_TOKEN": "short"}, "FULLRING_METRICS_TOKEN must have at least 16 characters"),
        (
            {"DATABASE_URL": "postgresql://fullring:fullring@db.example/room"},
            "FULLRING_DATABASE_URL has a password that stands in every example",
        ),
        ({"DATABASE_URL": "postgresql://anna@[x/room"}, "FULLRING_DATABASE_URL must be as postgresql://"),
    ],
)
def test_what_is_insecure_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], right: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(f"FULLRING_{name}", value)

    assert told().startswith(right)


def test_a_file_with_a_secret_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "fullring.toml", f"database_url = '{URL}'\n", 0o644)
    assert told() == "fullring.toml holds database_url and everybody here can read it: chmod 600 fullring.toml"

    path.chmod(0o640)
    precautions.check(settings.load())


def test_traces_take_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_TRACES", "true")
    precautions.check(settings.load())
    monkeypatch.setattr(precautions, "find_spec", lambda _: None)

    assert told() == "FULLRING_TRACES takes packages that are not installed: pip install 'fullring[otel]'"


def test_what_is_unwise_is_warned_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert list(precautions.warned(settings.load())) == []

    written(tmp_path / "seal.key", "x", 0o644)
    for name, value in {
        "HOST": "0.0.0.0",
        "ORIGINS": "*",
        "PROT": "80",
        "DATABASE_URL": "postgresql://fullring:fullring@database/fullring",
        "DATA": str(tmp_path),
    }.items():
        monkeypatch.setenv(f"FULLRING_{name}", value)
    chosen = settings.load()
    precautions.check(chosen)
    slip, pages, key, password = precautions.warned(chosen)

    assert slip == "FULLRING_PROT is no setting: did you mean FULLRING_PORT?"
    assert pages.startswith("FULLRING_ORIGINS is *")
    assert key.endswith(f"chmod 600 {tmp_path / 'seal.key'}")
    assert password.startswith("the database's password stands in every example")


def test_the_check_prints_every_setting_its_source_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FULLRING_DATABASE_URL", URL)
    path = written(tmp_path / "club.toml", "tables = 7\nproxies = ['10.0.0.0/8']\n")
    lines = checked("--config", str(path)).splitlines()
    found = {line.split(" = ")[0]: line.split(" = ")[1].split() for line in lines}

    assert list(found) == list(settings.Settings.model_fields)
    assert found["tables"] == ["7", "#", str(path)]
    assert found["proxies"] == ['["10.0.0.0/8"]', "#", str(path)]
    assert found["database_url"] == ["(hidden)", "#", "FULLRING_DATABASE_URL"]
    assert found["guests"] == ["true", "#", "default"]


def test_the_check_ends_with_2_where_a_setting_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLRING_PROXIES", "nginx")

    assert checked(status=2).startswith("fullring: FULLRING_PROXIES must be addresses")


def test_every_setting_is_explained() -> None:
    for name, field in settings.Settings.model_fields.items():
        assert (field.description or "").endswith("."), f"{name} needs a docstring below it"


def test_the_page_and_the_example_are_the_newest() -> None:
    assert (PROJECT / "docs" / "settings.md").read_text("utf-8") == setting_page.page(), "run `make docs`"
    assert (PROJECT / ".env.example").read_text("utf-8") == setting_page.example(), "run `make docs`"


def test_the_example_as_it_stands_is_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in setting_page.example().splitlines():
        if line.startswith("#FULLRING_"):
            name, _, value = line[1:].partition("=")
            monkeypatch.setenv(name, value)

    assert settings.load() == settings.Settings.model_construct()

"""What an operator may choose: read once, checked, and never changed.

Every setting has a name in the settings file (``turn_seconds``) and one in the environment (``FULLRING_TURN_SECONDS``).
What each means stands below it; docs/settings.md and .env.example are made from that.
"""

import re
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from fullring import setting_sources
from fullring.rules.actions import Chips
from fullring.setting_sources import PREFIX as PREFIX
from fullring.setting_sources import BadSettings as BadSettings
from fullring.setting_sources import variable
from fullring.store.database import parsed
from fullring.table.settings import CHIPS_MAX, SECOND, TableSettings

TOKEN_CHARACTERS_MIN = 16
EVERYBODY = "0.0.0.0/0"
_MASTERED = ("sqlite", "postgresql")
_ORIGIN = re.compile(r"(https://(?!.*:443$)|http://(?!.*:80$))([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?")


class Settings(BaseSettings):
    """Defaults are for a room on this machine alone."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    config: Path | None = None
    """The settings file, in TOML. Without one, ``fullring.toml`` in the working directory, where that is there."""
    host: str = "127.0.0.1"
    """The address to listen on: ``127.0.0.1`` is this machine alone, ``0.0.0.0`` every network that it is in."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000
    """0 takes a free one; the address that is printed has it."""
    data: Path = Path("data")
    """The folder of the database and the seal key; made if it isn't there."""
    database_url: SecretStr | None = None
    """``postgresql://user:password@host/name`` or ``sqlite:///file``; without one, a file in the data folder."""
    seal_key_file: Path | None = None
    """The key that seals decks in the journal; without one, ``seal.key`` in the data folder. Made if it isn't there."""
    lease_seconds: Annotated[float, Field(ge=0.5, le=60)] = 5
    """For so long after it was last heard of a process counts as the one that runs the room. See docs/durability.md."""
    journal_keep_days: Annotated[int | None, Field(ge=1, le=36_500)] = None
    """Journal rows that are older are deleted while the room runs, as `fullring prune` does. Not set, all are kept."""
    journal_archive: Path | None = None
    """A folder where rows are written to files before they are deleted. See docs/backup.md."""
    proxies: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses or networks of proxies whose X-Forwarded-For is believed, with commas between them."""
    origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Pages of other sites that may open sockets, as ``https://cards.example``; with commas between them, or ``*``."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much is logged. Cards in play, decks, tokens and passwords never are."""
    log_format: Literal["console", "json"] = "console"
    """Lines for people, or one JSON object a line for programs."""
    metrics_token: SecretStr | None = None
    """What ``/metrics`` asks for, as ``Authorization: Bearer …``; without one, whoever reaches the room reads it."""
    traces: bool = False
    """Whether OpenTelemetry hears of each action. It takes ``fullring[otel]``, and its own variables (``OTEL_…``)."""
    drain_seconds: Annotated[int, Field(ge=0, le=3_600)] = 0
    """How long hands in play may go on after SIGTERM; 0 stops at once, and they go on after the next start."""

    webhook_private: bool = False
    """Whether webhooks may go to addresses of this machine and of private networks."""
    webhook_retry_seconds: Annotated[float, Field(ge=0.05, le=3_600)] = 5
    """When a webhook was not taken it is tried again after so long, then twice as long, up to an hour."""
    webhook_give_up_hours: Annotated[int, Field(ge=1, le=720)] = 72
    """An endpoint that has taken nothing for so long is disabled."""

    tables: Annotated[int, Field(ge=0, le=100)] = 2
    """So many open tables there are at least, 5/10 with six seats."""
    house_bots: Annotated[int, Field(ge=0, le=6)] = 4
    """So many house bots sit at each of the room's own tables."""
    bot_think_min_ms: Annotated[int, Field(ge=0, le=20_000)] = 1_000
    """A house bot thinks so long at least."""
    bot_think_max_ms: Annotated[int, Field(ge=0, le=20_000)] = 2_000
    """A house bot thinks so long at most, and never longer than half of the turn."""
    turn_seconds: Annotated[float, Field(ge=0.1, le=600)] = 30
    """How long a player may think, at tables whose host chose nothing else. So too for the next two."""
    time_bank_seconds: Annotated[float, Field(ge=0, le=600)] = 30
    """What a player has in reserve beyond that."""
    hand_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1_000
    """The pause between two hands; three times as long after a showdown."""
    jitter_ms: Annotated[int, Field(ge=0, le=5_000)] = 0
    """How long a pre-action may wait in its turn, a random time up to this, so that its pace tells nothing."""

    guests: bool = True
    """Whether anybody may play at once, without a name and a password."""
    guest_chips: Annotated[Chips, Field(ge=0, le=CHIPS_MAX)] = 10_000
    """What a guest begins with."""
    account_chips: Annotated[Chips, Field(ge=0, le=CHIPS_MAX)] = 10_000
    """What a registered account begins with."""
    guests_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 20
    """New accounts from one address, guests and registered ones."""
    logins_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 10
    """Tries at passwords from one address, and at one name; and join codes from one address."""

    frames_per_second: Annotated[int, Field(ge=1, le=100_000)] = 10
    """So many messages a second a client may send, again and again."""
    frames_burst: Annotated[int, Field(ge=1, le=100_000)] = 40
    """So many messages a client may send at once, after a pause."""
    heartbeat_seconds: Annotated[int, Field(ge=1, le=300)] = 10
    """A client that has nothing to say pings as often as this."""
    silent_seconds: Annotated[int, Field(ge=2, le=900)] = 25
    """A connection that says nothing for so long is closed."""
    handshakes_per_second: Annotated[int, Field(ge=1, le=100_000)] = 250
    """New connections that are let in; the others are told to come back in a moment."""
    connections_max: Annotated[int, Field(ge=1, le=1_000_000)] = 20_000
    """Connections that are open at once."""
    fast_sockets: bool = True
    """Whether frames go straight to sockets; else each takes the long way through uvicorn, at about twice the cost."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        assert isinstance(init_settings, InitSettingsSource)
        return setting_sources.in_order(settings_cls, init_settings, env_settings)

    @field_validator("origins", "proxies", mode="before")
    @classmethod
    def _list(cls, given: object) -> object:
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    @field_validator("origins")
    @classmethod
    def _origins(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for origin in given:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    "must be as browsers say it, https://cards.example: small letters, xn-- for others than a to z, no"
                    " port that is the usual one, and nothing after that"
                )
        return given

    @field_validator("proxies")
    @classmethod
    def _proxies(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in given:
            try:
                ip_network(EVERYBODY if proxy == "*" else proxy)
            except ValueError:
                raise ValueError("must be addresses or networks, as 10.0.0.7 or 10.0.0.0/24") from None
        return ("*",) if "*" in given else given

    @field_validator("database_url")
    @classmethod
    def _database(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and url.get_secret_value().split("://")[0].split("+")[0] not in _MASTERED:
            raise ValueError("must begin with sqlite:// or postgresql://")
        if url is not None:
            try:
                parsed(url.get_secret_value())
            except ValueError as error:
                raise ValueError(f"can't be used: {error}") from None
        return url

    @field_validator("metrics_token")
    @classmethod
    def _guessable(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and len(token.get_secret_value()) < TOKEN_CHARACTERS_MIN:
            raise ValueError(f"must have at least {TOKEN_CHARACTERS_MIN} characters")
        return token

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.bot_think_min_ms > self.bot_think_max_ms:
            raise ValueError(f"{PREFIX}BOT_THINK_MIN_MS must be at most {PREFIX}BOT_THINK_MAX_MS")
        if self.heartbeat_seconds >= self.silent_seconds:
            raise ValueError(f"{PREFIX}HEARTBEAT_SECONDS must be less than {PREFIX}SILENT_SECONDS")
        everybody = [proxy for proxy in self.proxies if proxy == "*" or ip_network(proxy).prefixlen == 0]
        if everybody and not self.local:
            raise ValueError(
                f"{PREFIX}PROXIES must name the proxies where {PREFIX}HOST is open to others: with {everybody[0]}"
                " everybody could claim any address, and no rate by address would hold"
            )
        return self

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the room."""
        return is_local(self.host)

    @property
    def database(self) -> str:
        """The database's URL. It may hold a password."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data / 'room.db'}"

    @property
    def seal_key_path(self) -> Path:
        return self.seal_key_file or self.data / "seal.key"

    def table_defaults(self) -> TableSettings:
        """What a new table has where its host chose nothing."""
        bank = round(self.time_bank_seconds * SECOND)
        return TableSettings(
            name="",
            turn_ms=round(self.turn_seconds * SECOND),
            time_bank_ms=bank,
            time_bank_max_ms=max(bank, TableSettings(name="").time_bank_max_ms),
            hand_pause_ms=self.hand_pause_ms,
            jitter_ms=self.jitter_ms,
        )


def is_local(host: str) -> bool:
    """Whether that is this machine, by the way in that no other has."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() in ("", "localhost")


def load(**given: object) -> Settings:
    """The settings: what is given here (None is not), else the environment, files with secrets, the settings file, the
    defaults. Raises BadSettings.
    """
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**chosen)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
    message = fault["msg"].removeprefix("Value error, ")
    if not fault["loc"]:
        raise BadSettings(message)
    if message.startswith("Input should"):
        message = message.replace("Input should", "must")
    name = str(fault["loc"][0])
    source = setting_sources.origins(Settings, chosen).get(name, "")
    called = f"{name} in {source}" if source.endswith(".toml") else variable(name)
    raise BadSettings(f"{called} {message[0].lower()}{message[1:]}")


def origins(**given: object) -> dict[str, str]:
    """Where each of the settings that ``load`` would give comes from, but for defaults."""
    return setting_sources.origins(Settings, {name: value for name, value in given.items() if value is not None})

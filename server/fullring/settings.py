"""What an operator may choose: read from the environment once, checked, and never changed.

Every name here is an environment variable with ``FULLRING_`` before it, in capitals.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from fullring.rules.actions import Chips
from fullring.table.settings import CHIPS_MAX, SECOND, TableSettings

PREFIX = "FULLRING_"
_MASTERED = ("sqlite", "postgresql")


class BadSettings(Exception):
    """A setting is wrong. The text names it, says what would do, and repeats no value that may be secret."""


class Settings(BaseSettings):
    """Defaults are for a room on this machine alone."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True, use_attribute_docstrings=True
    )

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000
    """0 takes a free one; the address that is printed has it."""
    data: Path = Path("data")
    """The folder of the database and the seal key; made if it isn't there."""
    database_url: SecretStr | None = None
    """``postgresql://…`` or ``sqlite:///…``; without one, an SQLite file in the data folder."""
    seal_key_file: Path | None = None
    """The key that seals decks in the journal; without one, ``seal.key`` in the data folder. Made if it isn't there."""
    lease_seconds: Annotated[float, Field(ge=0.5, le=60)] = 5
    """For so long after it was last heard of a process counts as the one that runs the room. See docs/durability.md."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    tables: Annotated[int, Field(ge=0, le=100)] = 2
    """So many open tables there are at least, 5/10 with six seats."""
    house_bots: Annotated[int, Field(ge=0, le=6)] = 4
    """So many house bots sit at each of the room's own tables."""
    bot_think_min_ms: Annotated[int, Field(ge=0, le=20_000)] = 1_000
    bot_think_max_ms: Annotated[int, Field(ge=0, le=20_000)] = 2_000
    turn_seconds: Annotated[float, Field(ge=0.1, le=600)] = 30
    """This and the next two are the defaults of new tables."""
    time_bank_seconds: Annotated[float, Field(ge=0, le=600)] = 30
    hand_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1_000

    guests: bool = True
    """Whether anybody may play at once, without a name and a password."""
    guest_chips: Annotated[Chips, Field(ge=0, le=CHIPS_MAX)] = 10_000
    account_chips: Annotated[Chips, Field(ge=0, le=CHIPS_MAX)] = 10_000
    """What a registered account begins with."""
    guests_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 20
    """New accounts from one address, guests and registered ones."""
    logins_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 10
    """Tries at passwords from one address, and at one name; and join codes from one address."""

    frames_per_second: Annotated[int, Field(ge=1, le=100_000)] = 10
    frames_burst: Annotated[int, Field(ge=1, le=100_000)] = 40
    heartbeat_seconds: Annotated[int, Field(ge=1, le=300)] = 10
    silent_seconds: Annotated[int, Field(ge=2, le=900)] = 25
    """A connection that says nothing for so long is closed."""
    handshakes_per_second: Annotated[int, Field(ge=1, le=100_000)] = 250
    connections_max: Annotated[int, Field(ge=1, le=1_000_000)] = 20_000
    fast_sockets: bool = True
    """Whether frames go straight to sockets; else each takes the long way through uvicorn, at about twice the cost."""
    origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Pages of other sites that may open sockets, as ``https://cards.example``; with commas between them, or ``*``."""
    proxies: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses of proxies whose X-Forwarded-For is believed, with commas between them."""

    @field_validator("origins", "proxies", mode="before")
    @classmethod
    def _list(cls, given: object) -> object:
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    @field_validator("database_url")
    @classmethod
    def _database(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and url.get_secret_value().split("://")[0].split("+")[0] not in _MASTERED:
            raise ValueError("must begin with sqlite:// or postgresql://")
        return url

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.bot_think_min_ms > self.bot_think_max_ms:
            raise ValueError(f"{PREFIX}BOT_THINK_MIN_MS must be at most {PREFIX}BOT_THINK_MAX_MS")
        if self.heartbeat_seconds >= self.silent_seconds:
            raise ValueError(f"{PREFIX}HEARTBEAT_SECONDS must be less than {PREFIX}SILENT_SECONDS")
        return self

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
        )


def load(**given: object) -> Settings:
    """The settings: what is given here (None is not), else the environment, else the defaults. Raises BadSettings."""
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**chosen)  # type: ignore[arg-type]  # The names are checked when it is made.
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
    message = fault["msg"].removeprefix("Value error, ")
    if not fault["loc"]:
        raise BadSettings(message)
    if message.startswith("Input should"):
        message = message.replace("Input should", "must")
    raise BadSettings(f"{PREFIX}{str(fault['loc'][0]).upper()} {message[0].lower()}{message[1:]}")

"""The settings of the server: one table of flags, each also an environment variable ``ROOKERY_...``."""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

DAY = 86_400.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that ``rookery serve`` can be told. Times are in seconds, sizes in bytes."""

    grpc_address: str = "127.0.0.1:50051"
    http_address: str = "127.0.0.1:8080"
    data_dir: Path = Path("data")
    redis_url: str = ""
    store_fsync: str = "everysec"
    keys_file: Path | None = None
    workers: int = 1
    bot_workers: int = 1
    bot_budget: float = 0.5
    grpc_transport: str = ""
    ready_file: Path | None = None
    grace: float = 10.0
    keep: float = 30 * DAY
    token_ttl: float = 90 * DAY
    clock_grace: float = 30.0
    allow_seed: bool = False
    allow_position: bool = False
    cors_origins: str = ""
    max_body: int = 1 << 20
    jwks: str = ""
    jwt_issuer: str = ""
    jwt_audience: str = ""
    log_level: str = "info"
    log_format: str = "auto"

    @property
    def transport(self) -> str:
        """``native`` when nothing is said and it is installed, else ``grpcio``."""
        if self.grpc_transport:
            return self.grpc_transport
        return "native" if importlib.util.find_spec("pygrpc_native") is not None else "grpcio"


class Flag(msgspec.Struct, frozen=True):
    """How to say one setting."""

    help: str
    choices: tuple[str, ...] = ()


FLAGS: dict[str, Flag] = {
    "grpc_address": Flag("host:port of the gRPC side; port 0 picks a free one"),
    "http_address": Flag("host:port of the REST side; port 0 picks a free one"),
    "data_dir": Flag("folder of the embedded store and the development keys"),
    "redis_url": Flag("a Redis >= 7.0 or Valkey >= 7.2 to use instead: redis://, rediss:// or unix://"),
    "store_fsync": Flag("when the embedded store writes to the disk for good", ("everysec", "always")),
    "keys_file": Flag("keys made with `rookery keys`; needed with --redis-url"),
    "workers": Flag("processes that share the addresses"),
    "bot_workers": Flag("processes in which bots decide; 0 where `rookery bots` runs elsewhere"),
    "bot_budget": Flag("seconds that a strong bot thinks about a decision"),
    "grpc_transport": Flag("the gRPC server; by default native where it is installed", ("grpcio", "native")),
    "ready_file": Flag("file that gets the addresses as JSON once the server is ready"),
    "grace": Flag("seconds that running calls get after SIGTERM"),
    "keep": Flag("seconds that a game is kept after its last commit"),
    "token_ttl": Flag("seconds that seat and spectator tokens last"),
    "clock_grace": Flag("seconds after an outage in which no clock acts on who was asked before it ended"),
    "allow_seed": Flag("let platforms choose the seed of a game: for tests"),
    "allow_position": Flag("let platforms start games from positions: for puzzles and tests"),
    "cors_origins": Flag("origins, separated by commas, whose pages may call the REST side; * for all"),
    "max_body": Flag("largest request in bytes"),
    "jwks": Flag("file or https URL of the public keys that sign the platforms' JWTs"),
    "jwt_issuer": Flag("the `iss` that platform JWTs must have"),
    "jwt_audience": Flag("the `aud` that platform JWTs must have"),
    "log_level": Flag("least level to log", ("debug", "info", "warning", "error")),
    "log_format": Flag("form of the log; auto: console on a terminal", ("auto", "json", "console")),
}


_LIMITS = {
    "workers": (1, 256),
    "bot_workers": (0, 256),
    "bot_budget": (0.01, 60),
    "grace": (0, 3600),
    "keep": (60, 366 * DAY),
    "token_ttl": (60, 366 * DAY),
    "clock_grace": (0, DAY),
    "max_body": (1024, 16 << 20),
}


class InvalidSetting(Exception):  # noqa: N818 - says what is the matter
    """A setting has an impossible value; the message names it."""


BOT_FLAGS = ("data_dir", "redis_url", "store_fsync", "bot_budget", "log_level", "log_format")
"""What ``rookery bots`` can be told."""


def add_flags(parser: argparse.ArgumentParser, names: Iterable[str] = FLAGS) -> None:
    """Add a flag for each of the settings."""
    defaults = Settings()
    for name in names:
        flag, default = FLAGS[name], getattr(defaults, name)
        shown = "" if default in ("", None) else f" (default {default})"
        switch = {"action": argparse.BooleanOptionalAction} if isinstance(default, bool) else {"metavar": "X"}
        parser.add_argument(_flag(name), dest=name, default=None, help=f"{flag.help}{shown}", **switch)


def read_settings(arguments: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the flags, else the environment, else the defaults. Raises InvalidSetting."""
    values: dict[str, Any] = {}
    for name in FLAGS:
        said = arguments.get(name)
        if said is None:
            said = environment.get(_variable(name))
        if said is not None and said != "":
            values[name] = _value(name, said)
    return _checked(Settings(**values))


def as_environment(settings: Settings) -> dict[str, str]:
    """The settings as environment variables, for the workers."""
    said = {name: getattr(settings, name) for name in FLAGS}
    return {_variable(name): str(value) for name, value in said.items() if value not in ("", None)}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _variable(name: str) -> str:
    return f"ROOKERY_{name.upper()}"


_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _value(name: str, said: Any) -> Any:
    choices = FLAGS[name].choices
    if choices and said not in choices:
        raise InvalidSetting(f"{_flag(name)}: must be one of {', '.join(choices)}, not {said!r}")
    of = _TYPES[name]
    if of is bool:
        if isinstance(said, bool):
            return said
        if said.lower() not in _WORDS:
            raise InvalidSetting(f"{_flag(name)}: must be true or false, not {said!r}")
        return _WORDS[said.lower()]
    try:
        return of(said) if of in (int, float, str) else Path(said)
    except ValueError:
        raise InvalidSetting(f"{_flag(name)}: must be a number, not {said!r}") from None


def _checked(settings: Settings) -> Settings:
    for name in ("grpc_address", "http_address"):
        split_address(_flag(name), getattr(settings, name))
    for name, (low, high) in _LIMITS.items():
        if not low <= getattr(settings, name) <= high:
            raise InvalidSetting(f"{_flag(name)}: must be from {low} to {high}")
    return settings


def check_keys(settings: Settings) -> None:
    """Return unless a server would have no keys. Raises InvalidSetting."""
    if settings.redis_url and settings.keys_file is None:
        raise InvalidSetting("--redis-url needs --keys-file; `rookery keys create --keys-file F --tenant T` makes one")


def split_address(flag: str, address: str) -> tuple[str, int]:
    """The host and port of ``host:port``. Raises InvalidSetting."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise InvalidSetting(f"{flag}: must be host:port, not {address!r}")
    return host.strip("[]"), int(port)

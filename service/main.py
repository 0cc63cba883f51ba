"""The command line: ``rookery serve``, ``bots``, ``play``, ``bench``, ``keys``, ``position check``, ``verify``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from service.callers import ALL_SCOPES
from service.credentials import valid_tenant
from service.keys import (
    Keys,
    KeysUnreadable,
    add_platform,
    locked,
    new_keys,
    read_keys,
    remove_platform,
    rotate_signing,
    write_keys,
)
from service.settings import BOT_FLAGS, InvalidSetting, Settings, add_flags, check_keys, read_settings


class Unusable(Exception):  # noqa: N818 - the command cannot do what it was asked; the message says why
    """Ends the command with the message and the exit code."""

    code = 2


class NoGameRecord(Unusable):
    """What was to be verified is no record of a game: nothing can be said of it, least of all that it is not fair."""

    code = 3

    def __init__(self, file: Path, why: object) -> None:
        super().__init__(f"{file}: is no record of a game: {why}")


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit."""
    parser = _parser()
    said = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = said.run
    try:
        sys.exit(run(said))
    except (Unusable, InvalidSetting, KeysUnreadable) as error:
        sys.stderr.write(f"rookery: {error}\n")
        sys.exit(error.code if isinstance(error, Unusable) else Unusable.code)
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rookery", description="Game states for any client, over gRPC and REST.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve until SIGTERM", description="Every flag is also ROOKERY_... .")
    add_flags(serve)
    serve.set_defaults(run=_serve)
    bots = commands.add_parser("bots", help="answer for the bots until SIGTERM", description="Beside the servers.")
    add_flags(bots, BOT_FLAGS)
    bots.set_defaults(run=_bots)
    _add_play(commands.add_parser("play", help="play a game against bots, in this terminal"))
    _add_bench(commands.add_parser("bench", help="measure how quickly a service answers"))
    _add_keys(commands.add_parser("keys", help="make, list and revoke platform keys"))
    position = commands.add_parser("position", help="look at positions").add_subparsers(required=True, metavar="VERB")
    check = position.add_parser("check", help="say whether a file holds a possible position")
    check.add_argument("file", type=Path, help="JSON: {game_type, position} or a position alone with --game")
    check.add_argument("--game", default="", help="the game type of the position")
    check.set_defaults(run=_check_position)
    verify = commands.add_parser("verify", help="say whether a game was fair, offline")
    verify.add_argument("file", type=Path, metavar="EXPORT", help="JSON: what ExportGame answered")
    verify.set_defaults(run=_verify)
    return parser


# serve


def _serve(said: argparse.Namespace) -> int:
    settings = read_settings(vars(said))
    check_keys(settings)
    from service.embedded import EmbeddedFailed, NoStore
    from service.errors import Refusal
    from service.process import WORKER
    from service.redis_store import StoreUnfit

    try:
        if settings.workers > 1 and WORKER not in os.environ:
            from service.workers import serve_with_workers

            return serve_with_workers(settings)
        return _serve_alone(settings)
    except (NoStore, EmbeddedFailed, StoreUnfit, Refusal, RuntimeError, OSError) as error:
        raise Unusable(str(error)) from None


def _serve_alone(settings: Settings) -> int:
    import uvloop

    from service.server import Server

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(Server(settings).run())
    return 0


# bots


def _bots(said: argparse.Namespace) -> int:
    settings = read_settings(vars(said))
    from service.bot_worker import BotWorker
    from service.embedded import EmbeddedFailed, NoStore
    from service.errors import Refusal
    from service.redis_store import StoreUnfit

    try:
        asyncio.run(BotWorker(settings).run())
    except (NoStore, EmbeddedFailed, StoreUnfit, Refusal, OSError) as error:
        raise Unusable(str(error)) from None
    return 0


# play


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="the game type, for example euchre")
    parser.add_argument("--seats", type=int, help="how many play (default: the fewest)")
    parser.add_argument("--seat", type=int, default=0, help="where you sit (default 0)")
    parser.add_argument("--level", choices=("random", "basic", "strong"), default="basic", help="of the bots")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--lang", choices=("en", "es", "ja", "zh-Hans", "zh-Hant"), default="en")
    _add_where(parser)
    parser.set_defaults(run=_play)


def _add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--server", metavar="HOST:PORT", help="the gRPC side of a running server (default: one's own)")
    parser.add_argument("--key-file", type=Path, help="the platform key for --server")


@contextlib.contextmanager
def _where(said: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The address and the platform key of the server that is named, or of one that lives as long as the block."""
    from service.throwaway import NotStarted, throwaway

    if said.key_file and not said.server:
        raise Unusable("--key-file is the key of a --server: a service of one's own needs none")
    if said.server:
        yield said.server, _platform_key(said.key_file)
        return
    try:
        with throwaway() as told:
            yield told
    except NotStarted as error:
        raise Unusable(str(error)) from None


def _play(said: argparse.Namespace) -> int:
    from clients.text.play import CannotPlay, Order, play

    for stream in (sys.stdin, sys.stdout):
        # Whatever the terminal can show or send: a game does not end on a letter.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = tuple(option.partition("=")[::2] for option in said.option)
    order = Order(said.game, said.seats, said.seat, said.level, options, said.lang)
    try:
        with _where(said) as (address, key):
            play(address, key, order)
    except BrokenPipeError:
        # Nobody reads any more; nor can what Python writes at its end be read.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except CannotPlay as error:
        raise Unusable(str(error)) from None
    return 0


# bench


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default="sevens", help="the game type (default sevens)")
    parser.add_argument("--seats", type=int, help="how many play (default: the fewest)")
    parser.add_argument("--tables", type=int, default=8, help="games at a time, 1 to 256 (default 8)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long, 0.1 to 600 (default 5)")
    _add_where(parser)
    parser.set_defaults(run=_bench)


def _bench(said: argparse.Namespace) -> int:
    from clients.bench.bench import CannotBench, Load, bench

    if not 1 <= said.tables <= 256:
        raise Unusable("--tables: must be from 1 to 256")
    if not 0.1 <= said.seconds <= 600:
        raise Unusable("--seconds: must be from 0.1 to 600")
    try:
        with _where(said) as (address, key):
            sys.stdout.write(f"{bench(address, key, Load(said.game, said.seats, said.tables, said.seconds))}\n")
    except CannotBench as error:
        raise Unusable(str(error)) from None
    return 0


def _platform_key(path: Path | None) -> str:
    if path is None:
        raise Unusable("--server needs --key-file: the platform key of that server")
    try:
        return path.read_text().strip()
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from None


# keys


def _add_keys(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    create = verbs.add_parser("create", help="make a platform key and print it, once")
    create.add_argument("--tenant", required=True, help="whose games they are: 1 to 40 of a-z, 0-9 and -")
    create.add_argument("--scopes", default=",".join(sorted(ALL_SCOPES)), help="separated by commas")
    create.add_argument("--if-missing", action="store_true", help="do nothing if the tenant has a key")
    create.set_defaults(run=_create_key)
    verbs.add_parser("list", help="list the keys, not their secrets").set_defaults(run=_list_keys)
    revoke = verbs.add_parser("revoke", help="make a key useless")
    revoke.add_argument("id")
    revoke.set_defaults(run=_revoke_key)
    rotate = verbs.add_parser("rotate", help="sign new tokens with a new key; the one before still verifies")
    rotate.set_defaults(run=_rotate)
    for verb in verbs.choices.values():
        default = os.environ.get("ROOKERY_KEYS_FILE", "data/keys.json")
        verb.add_argument("--keys-file", type=Path, default=Path(default), help=f"(default {default})")


def _create_key(said: argparse.Namespace) -> int:
    scopes = tuple(sorted({scope.strip() for scope in said.scopes.split(",") if scope.strip()}))
    if not valid_tenant(said.tenant):
        raise Unusable("--tenant: must be 1 to 40 of a-z, 0-9 and -")
    if not scopes or set(scopes) - ALL_SCOPES:
        raise Unusable(f"--scopes: must be some of {', '.join(sorted(ALL_SCOPES))}")
    with locked(said.keys_file):
        keys = read_keys(said.keys_file) if said.keys_file.exists() else new_keys()
        if said.if_missing and any(known.tenant == said.tenant for known in keys.platforms):
            return 0
        keys, key = add_platform(keys, said.tenant, scopes)
        write_keys(said.keys_file, keys)
    sys.stdout.write(f"{key}\n")
    return 0


def _list_keys(said: argparse.Namespace) -> int:
    for known in _existing(said.keys_file).platforms:
        sys.stdout.write(f"{known.id}\t{known.tenant}\t{known.created}\t{' '.join(known.scopes)}\n")
    return 0


def _revoke_key(said: argparse.Namespace) -> int:
    with locked(said.keys_file):
        try:
            write_keys(said.keys_file, remove_platform(_existing(said.keys_file), said.id))
        except KeyError:
            raise Unusable(f"there is no key {said.id}") from None
    return 0


def _rotate(said: argparse.Namespace) -> int:
    with locked(said.keys_file):
        write_keys(said.keys_file, rotate_signing(_existing(said.keys_file)))
    return 0


def _existing(path: Path) -> Keys:
    try:
        return read_keys(path)
    except FileNotFoundError:
        raise Unusable(f"there is no keys file {path}") from None


# position


def _check_position(said: argparse.Namespace) -> int:
    from engine.core import InvalidPosition, UnknownGame, installed, read_position

    try:
        document = _decoded(said.file)
    except NoJson as error:
        raise Unusable(f"{said.file}: {error}") from None
    game_type, position = said.game, document
    if isinstance(document, dict) and "position" in document:
        game_type, position = game_type or str(document.get("game_type", "")), document["position"]
    try:
        read_position(installed().get(game_type), position)
    except UnknownGame:
        raise Unusable(f"there is no game {game_type!r}; name it with --game") from None
    except InvalidPosition as error:
        sys.stdout.write(f"{said.file}: {error.field}: {error.reason}\n")
        return 1
    sys.stdout.write(f"{said.file}: a possible position of {game_type}\n")
    return 0


# verify


def _verify(said: argparse.Namespace) -> int:
    from engine.core import UnknownGame, installed
    from service.verify import NoRecord, NotFair, OtherFormat, verify

    try:
        document = _decoded(said.file)
        moves = verify(installed(), document)
    except (NoJson, NoRecord) as error:
        raise NoGameRecord(said.file, error) from None
    except OtherFormat as error:
        raise Unusable(f"{said.file}: {error}") from None
    except UnknownGame as error:
        raise Unusable(f"{said.file}: {error.field} {error.value!r} is not installed here") from None
    except NotFair as error:
        sys.stdout.write(f"{said.file}: not fair: {error}\n")
        return 1
    record = document.get("export", document)
    versions = len(record["states"])
    begun = "" if record["dealt"] else ", begun from a given position"
    sys.stdout.write(f"{said.file}: fair: {moves} moves make every one of its {versions} versions{begun}\n")
    return 0


class NoJson(Exception):  # noqa: N818 - says what is the matter
    """A file holds something else than JSON."""


def _decoded(path: Path) -> Any:
    """What a file of JSON says. Raises Unusable if it cannot be read, and NoJson."""
    try:
        return msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise NoJson(f"is no JSON: {error}") from None


if __name__ == "__main__":
    main()

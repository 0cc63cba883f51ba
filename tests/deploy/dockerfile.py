"""As much of a Dockerfile as a test needs: what its last stage runs, and with which environment."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]


class Image(msgspec.Struct, frozen=True):
    """The last stage."""

    user: str
    environment: dict[str, str]
    entrypoint: tuple[str, ...]
    command: tuple[str, ...]
    health: tuple[str, ...]


def instructions(text: str) -> list[tuple[str, str]]:
    """(name, rest) of every instruction, its lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (name.upper(), rest.strip()) for line in joined.splitlines() if line for name, _, rest in [line.partition(" ")]
    ]


def read_image() -> Image:
    """The last stage of the Dockerfile, whose commands are in exec form."""
    stage: list[tuple[str, str]] = []
    for name, rest in instructions((ROOT / "Dockerfile").read_text()):
        stage = [] if name == "FROM" else [*stage, (name, rest)]
    last = dict(stage)
    pairs = (word.partition("=") for name, rest in stage if name == "ENV" for word in shlex.split(rest))
    return Image(
        user=last["USER"],
        environment={name: value for name, _, value in pairs},
        entrypoint=tuple(json.loads(last["ENTRYPOINT"])),
        command=tuple(json.loads(last["CMD"])),
        health=tuple(json.loads(last["HEALTHCHECK"].partition("CMD ")[2])),
    )

"""Collect the comments of the proto files for the OpenAPI document: ``python -m tests.tools.comments``.

Descriptors inside the generated Python carry no comments. This asks protoc for them and writes them, by full name and
sorted, into one JSON file beside the code that reads it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2

from service.openapi import COMMENTS

ROOT = Path(__file__).parents[2]
_FILE = descriptor_pb2.FileDescriptorProto
_MESSAGE = descriptor_pb2.DescriptorProto
_ENUM = descriptor_pb2.EnumDescriptorProto
_SERVICE = descriptor_pb2.ServiceDescriptorProto


def collect() -> dict[str, str]:
    """Every leading comment, by the full name of what it stands before."""
    found: dict[str, str] = {}
    for file in descriptor_set().file:
        names = dict(_names(file))
        for location in file.source_code_info.location:
            name = names.get(tuple(location.path))
            text = _clean(location.leading_comments)
            if name and text:
                found[name] = text
    return dict(sorted(found.items()))


def descriptor_set(*, imports: bool = False) -> descriptor_pb2.FileDescriptorSet:
    """The proto files as protoc sees them, with source information; with their imports if asked for."""
    files = sorted(str(path.relative_to(ROOT / "protos")) for path in (ROOT / "protos").rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "set.binpb")
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'protos'}", f"-I{_google()}"]
        command += ["--include_source_info", f"--descriptor_set_out={out}", *["--include_imports"] * imports, *files]
        subprocess.run(command, check=True)
        return descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())


def _google() -> Path:
    """Where the installed ``google/api/*.proto`` are."""
    with resources.as_file(resources.files("google.api") / "http.proto") as found:
        return found.parents[2]


def _names(file: descriptor_pb2.FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Full names by path in the file's descriptor."""
    yield from _messages(file.package, (_FILE.MESSAGE_TYPE_FIELD_NUMBER,), file.message_type)
    yield from _members(file.package, (_FILE.ENUM_TYPE_FIELD_NUMBER,), file.enum_type, _ENUM.VALUE_FIELD_NUMBER)
    yield from _members(file.package, (_FILE.SERVICE_FIELD_NUMBER,), file.service, _SERVICE.METHOD_FIELD_NUMBER)


def _messages(scope: str, path: tuple[int, ...], messages: Sequence[Any]) -> Iterator[tuple[tuple[int, ...], str]]:
    for index, message in enumerate(messages):
        here, name = (*path, index), f"{scope}.{message.name}"
        yield here, name
        for number, field in enumerate(message.field):
            yield (*here, _MESSAGE.FIELD_FIELD_NUMBER, number), f"{name}.{field.name}"
        yield from _messages(name, (*here, _MESSAGE.NESTED_TYPE_FIELD_NUMBER), message.nested_type)
        nested = (*here, _MESSAGE.ENUM_TYPE_FIELD_NUMBER)
        yield from _members(name, nested, message.enum_type, _ENUM.VALUE_FIELD_NUMBER)


def _members(
    scope: str, path: tuple[int, ...], owners: Sequence[Any], number: int
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Enums with their values, or services with their methods."""
    for index, owner in enumerate(owners):
        name = f"{scope}.{owner.name}"
        yield (*path, index), name
        for inner, member in enumerate(owner.value if isinstance(owner, _ENUM) else owner.method):
            yield (*path, index, number, inner), f"{name}.{member.name}"


def _clean(comment: str) -> str:
    lines = [line.strip() for line in comment.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("buf:lint")).strip()


def render(comments: dict[str, str]) -> str:
    """The file's text."""
    return json.dumps(comments, indent=0, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    COMMENTS.write_text(render(collect()), encoding="utf-8")

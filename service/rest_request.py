"""Request messages from the parts of an HTTP request: path, query and body, each by the rule of its route."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from service.errors import malformed
from service.http_rules import Route
from service.json_codec import BODY, parse_json, read_json, refusal
from service.json_reader import FieldReader, fields_of
from service.json_scalars import Wrong, shown
from service.json_writer import is_map

QUERY = "query"
"""The field that a violation names when the query as a whole is at fault."""

_MAX_PARAMETERS = 100
_BOOLS: dict[str, object] = {"true": True, "false": False}
_ENUM_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)
_TEXT_FORMS = ("google.protobuf.Duration", "google.protobuf.Timestamp", "google.protobuf.FieldMask")


def build_request(route: Route, bound: dict[str, str], query: bytes, body: bytes) -> Message:
    """The request message. Raises UNKNOWN_FIELD, MALFORMED_REQUEST or MALFORMED_MOVE."""
    message = GetMessageClass(route.request)()
    if body:
        if not route.body:
            raise malformed(BODY, "this method takes none")
        read_json(message, parse_json(body), "" if route.body == "*" else route.body)
    try:
        _apply_path(message, bound)
        if query:
            _apply_query(message, route, bound, _parameters(query))
    except Wrong as wrong:
        raise refusal(wrong, route.request) from None
    return message


def _apply_path(message: Message, bound: dict[str, str]) -> None:
    """Set what the path says. The body may say the same; it may not say anything else."""
    for path, text in bound.items():
        holder, reader = _find(message, path)
        before = getattr(holder, reader.name)
        given = holder.HasField(reader.name) if reader.descriptor.has_presence else bool(before)
        _put(holder, reader, path, [text])
        if given and before != getattr(holder, reader.name):
            raise Wrong("is not what the path says", path)


def _apply_query(
    message: Message, route: Route, bound: dict[str, str], parameters: Iterable[tuple[str, list[str]]]
) -> None:
    given: set[str] = set()
    for name, values in parameters:
        holder, reader = _find(message, name)
        path = _proto_path(message, name)
        if route.body == "*" or route.body == path.split(".", 1)[0]:
            raise Wrong("belongs into the body, not into the query", path)
        if path in bound:
            raise Wrong("is given by the path already", path)
        if path in given or (len(values) > 1 and not reader.descriptor.is_repeated):
            raise Wrong("is given twice", path)
        given.add(path)
        _put(holder, reader, path, values)


def _parameters(query: bytes) -> Iterable[tuple[str, list[str]]]:
    """The parameters in order of first appearance, each with all its values."""
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_PARAMETERS
        )
    except UnicodeDecodeError:
        raise malformed(QUERY, "is not UTF-8") from None
    except ValueError:
        raise malformed(QUERY, f"has more than {_MAX_PARAMETERS} parameters") from None
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found.items()


def _find(message: Any, path: str) -> tuple[Any, FieldReader]:
    """The message that holds the field of a dotted path, and the field's reader. Raises Wrong."""
    *outer, last = path.split(".")
    for name in outer:
        reader = fields_of(message.DESCRIPTOR).get(name)
        if reader is None or reader.descriptor.is_repeated or not _has_own_fields(reader.descriptor):
            raise Wrong("there is no such field", shown(path), unknown=True)
        message = getattr(message, reader.name)
    reader = fields_of(message.DESCRIPTOR).get(last)
    if reader is None:
        raise Wrong("there is no such field", shown(path), unknown=True)
    return message, reader


def _has_own_fields(field: FieldDescriptor) -> bool:
    """True for a message whose fields JSON shows; well-known types have forms of their own."""
    return field.message_type is not None and not field.message_type.full_name.startswith("google.protobuf.")


def _proto_path(message: Any, path: str) -> str:
    """The path in the names of the proto file."""
    names: list[str] = []
    descriptor = message.DESCRIPTOR
    for name in path.split("."):
        field = fields_of(descriptor)[name].descriptor
        names.append(field.name)
        descriptor = field.message_type
    return ".".join(names)


def _put(holder: Any, reader: FieldReader, path: str, texts: list[str]) -> None:
    field = reader.descriptor
    if is_map(field) or (field.message_type is not None and field.message_type.full_name not in _TEXT_FORMS):
        raise Wrong("cannot stand in a path or a query", path)
    values = [_json_value(field, text) for text in texts]
    try:
        reader.put(holder, values if field.is_repeated else values[0], 1)
    except Wrong as wrong:
        raise wrong.under(path) from None


def _json_value(field: FieldDescriptor, text: str) -> object:
    """What JSON would say: only bools and enum numbers are not the same as text."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _BOOLS.get(text, text)
    if field.enum_type is not None and _ENUM_NUMBER.fullmatch(text):
        return int(text)
    return text

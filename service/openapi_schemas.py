"""JSON schemas of protobuf messages, as proto JSON writes them, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from google.api import field_behavior_pb2  # type: ignore[import-untyped]
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor

from service.json_writer import is_map, map_entry

Schema = dict[str, Any]

_INTEGERS: dict[int, Schema] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
}
_SCALARS: dict[int, Schema] = {
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number", "format": "double"},
}
_WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$"},
    "google.protobuf.FieldMask": {"type": "string"},
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.ListValue": {"type": "array"},
    "google.protobuf.Value": {},
}


class Schemas:
    """Collects the schema of every message and enum that somebody asks for, and of whatever those hold.

    Messages of requests are closed, as the reader is strict, and require what is marked REQUIRED. Messages that only
    answers hold stay open for new fields, and require what is always printed.
    """

    def __init__(self, comments: dict[str, str], requests: tuple[Descriptor, ...]) -> None:
        self._comments = comments
        self._inputs = _reachable(requests)
        self._names: dict[str, str] = {}
        self.components: dict[str, Schema] = {}

    def message(self, descriptor: Descriptor, *, without: frozenset[str] = frozenset()) -> Schema:
        """A reference to the message, left without those fields if this is the first time that it is asked for."""
        if descriptor.full_name in _WELL_KNOWN:
            return dict(_WELL_KNOWN[descriptor.full_name])
        name = self._name(descriptor)
        if name not in self.components:
            self.components[name] = {}  # so that a message may hold itself
            self.components[name] = self._object(descriptor, without)
        return {"$ref": f"#/components/schemas/{name}"}

    def field(self, field: FieldDescriptor, *, described: bool = True) -> Schema:
        """The schema of what stands under the field's key."""
        if is_map(field):
            key, value = map_entry(field)
            schema: Schema = {"type": "object", "additionalProperties": self._single(value)}
            if key.type != FieldDescriptor.TYPE_STRING:
                schema["propertyNames"] = {"pattern": "^(true|false)$" if key.type == key.TYPE_BOOL else "^-?[0-9]+$"}
        elif field.is_repeated:
            schema = {"type": "array", "items": self._single(field)}
        else:
            schema = self._single(field)
        text = self.comment(field.full_name) if described else ""
        return {**schema, "description": text} if text else schema

    def comment(self, full_name: str) -> str:
        """What the proto file says about something."""
        return self._comments.get(full_name, "")

    def _single(self, field: FieldDescriptor) -> Schema:
        if field.message_type is not None:
            return self.message(field.message_type)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        return dict(_INTEGERS.get(field.cpp_type) or _SCALARS[field.type])

    def _enum(self, enum: EnumDescriptor) -> Schema:
        name = self._name(enum)
        if name not in self.components:
            said = [(value.name, self.comment(f"{enum.full_name}.{value.name}")) for value in enum.values]
            lines = [self.comment(enum.full_name)] + [f"- `{key}`: {text}" for key, text in said if text]
            text = "\n".join(line for line in lines if line)
            self.components[name] = {"type": "string", "enum": [value.name for value in enum.values]}
            self.components[name] |= {"description": text} if text else {}
        return {"$ref": f"#/components/schemas/{name}"}

    def _object(self, descriptor: Descriptor, without: frozenset[str]) -> Schema:
        fields = [field for field in descriptor.fields if field.name not in without]
        is_input = descriptor.full_name in self._inputs
        schema: Schema = {"type": "object", "properties": {f.json_name: self.field(f) for f in fields}}
        required = [f.json_name for f in fields if (is_required(f) if is_input else not f.has_presence)]
        if required:
            schema["required"] = required
        if is_input:
            schema["additionalProperties"] = False
        choices = [oneof for oneof in descriptor.oneofs if len(oneof.fields) > 1]
        if len(choices) == 1 and len(choices[0].fields) == len(descriptor.fields):
            schema["maxProperties"] = 1
        text = "\n\n".join(part for part in (self.comment(descriptor.full_name), *map(_choice, choices)) if part)
        return {**schema, "description": text} if text else schema

    def _name(self, descriptor: Descriptor | EnumDescriptor) -> str:
        """A short name that generators of clients like: ``rookery.sevens.v1.View`` is ``SevensView``."""
        package = [part for part in descriptor.file.package.split(".") if part != "rookery" and not _is_version(part)]
        own = descriptor.full_name.removeprefix(f"{descriptor.file.package}.").split(".")
        name = "".join(part[:1].upper() + part[1:] for part in (*package, *own))
        if self._names.setdefault(name, descriptor.full_name) != descriptor.full_name:
            raise ValueError(f"{descriptor.full_name} and {self._names[name]} would both be called {name}")
        return name


def is_required(field: FieldDescriptor) -> bool:
    """True if the field is marked REQUIRED."""
    return field_behavior_pb2.REQUIRED in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]


def _choice(oneof: OneofDescriptor) -> str:
    return f"At most one of {', '.join(f'`{field.json_name}`' for field in oneof.fields)}."


def _is_version(part: str) -> bool:
    return part[:1] == "v" and part[1:].isdigit()


def _reachable(roots: tuple[Descriptor, ...]) -> frozenset[str]:
    """The names of these messages and of all that they hold."""
    found: dict[str, Descriptor] = {}
    waiting = list(roots)
    while waiting:
        message = waiting.pop()
        if message.full_name not in found:
            found[message.full_name] = message
            waiting.extend(field.message_type for field in message.fields if field.message_type is not None)
    return frozenset(found)

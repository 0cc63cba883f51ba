"""The routes of the REST side, read from the ``google.api.http`` options of a service. No route is written by hand.

Templates follow ``google/api/http.proto``: ``*`` is one segment, ``**`` any number at the end, ``{field=games/*}``
binds what it matches to a request field, and ``:verb`` ends a path. A segment holds no raw colon, so that a custom verb
is never taken for part of an id; a colon that belongs to a value is sent as ``%3A``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import msgspec
from google.api import annotations_pb2  # type: ignore[import-untyped]
from google.api.http_pb2 import HttpRule  # type: ignore[import-untyped]
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor

from service.errors import malformed

_TOKEN = re.compile(r"\{(?P<field>[a-z0-9_.]+)(=(?P<pattern>[^{}]+))?\}|(?P<wild>\*\*?)|(?P<literal>[^{}*]+)")
_WILD = {"*": "[^/:]+", "**": ".*"}
_ESCAPED_SLASH = re.compile(rb"(%2[Ff])")


class Variable(msgspec.Struct, frozen=True):
    """A part of a path that fills a request field: ``{name=games/*}``."""

    field: str
    pattern: str

    @property
    def many(self) -> bool:
        """True if it may hold slashes; an escaped one then stays escaped, or the two could not be told apart."""
        return "/" in self.pattern or "**" in self.pattern


class Route(msgspec.Struct, frozen=True):
    """One way to call an RPC over HTTP.

    ``body`` is ``*`` (the JSON body is the request), the name of a request field, or empty (no body). ``binding`` is 0
    for the rule itself and counts its ``additional_bindings``.
    """

    method: MethodDescriptor
    verb: str
    template: str
    variables: tuple[Variable, ...]
    body: str
    binding: int
    streaming: bool
    matcher: re.Pattern[str]

    @property
    def rpc(self) -> str:
        """The method's name, for example ``SubmitMove``."""
        return self.method.name

    @property
    def request(self) -> Descriptor:
        """The type of the request."""
        return self.method.input_type

    @property
    def response(self) -> Descriptor:
        """The type of the answer, or of one message of the stream."""
        return self.method.output_type

    def bind(self, raw_path: str) -> dict[str, str] | None:
        """The request fields that the path fills, decoded; None if it is not a path of this route."""
        found = self.matcher.fullmatch(raw_path)
        if found is None:
            return None
        return {v.field: _decode(v, found[index + 1]) for index, v in enumerate(self.variables)}


class Match(msgspec.Struct, frozen=True):
    """A route and the request fields that the path filled."""

    route: Route
    fields: dict[str, str]


class RouteTable:
    """Finds the route of a request. The more literal a template is, the earlier it is tried."""

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self.routes = tuple(sorted(routes, key=_precedence))

    def find(self, verb: str, raw_path: str) -> Match | None:
        """The route for a method and a path as sent (still percent-encoded). HEAD is answered as GET."""
        wanted = "GET" if verb == "HEAD" else verb
        for route in self.routes:
            if route.verb == wanted and (fields := route.bind(raw_path)) is not None:
                return Match(route, fields)
        return None

    def allowed(self, raw_path: str) -> tuple[str, ...]:
        """The methods that the path knows, in order; empty if nothing is there."""
        verbs = {route.verb for route in self.routes if route.matcher.fullmatch(raw_path)}
        return tuple(sorted(verbs | ({"HEAD"} if "GET" in verbs else set())))


def routes_of(service: ServiceDescriptor) -> tuple[Route, ...]:
    """Every route of a service, in the order of its file. Raises ValueError for a rule that makes no sense."""
    return tuple(route for method in service.methods for route in _routes_of_method(method))


def _routes_of_method(method: MethodDescriptor) -> Iterator[Route]:
    options = method.GetOptions()
    if not options.HasExtension(annotations_pb2.http):
        return
    rule: HttpRule = options.Extensions[annotations_pb2.http]
    yield _route(method, rule, 0)
    for number, more in enumerate(rule.additional_bindings, start=1):
        yield _route(method, more, number)


def _route(method: MethodDescriptor, rule: HttpRule, binding: int) -> Route:
    kind = rule.WhichOneof("pattern")
    if kind is None or rule.response_body:
        raise ValueError(f"{method.full_name}: a rule needs a pattern, and response_body is not served")
    verb, template = (rule.custom.kind, rule.custom.path) if kind == "custom" else (kind.upper(), getattr(rule, kind))
    matcher, variables = _compile(template)
    for variable in variables:
        _check_variable(method, variable)
    if rule.body not in ("", "*") and rule.body not in method.input_type.fields_by_name:
        raise ValueError(f"{method.full_name}: {rule.body} is no field of the request")
    return Route(method, verb, template, variables, rule.body, binding, method.server_streaming, matcher)


def _compile(template: str) -> tuple[re.Pattern[str], tuple[Variable, ...]]:
    """The regular expression of a template, with one group per variable."""
    parts: list[str] = []
    variables: list[Variable] = []
    end = 0
    for token in _TOKEN.finditer(template):
        if token.start() != end:
            break
        end = token.end()
        if token["field"]:
            variables.append(Variable(token["field"], token["pattern"] or "*"))
            parts.append(f"({_pattern(variables[-1].pattern)})")
        else:
            parts.append(_WILD[token["wild"]] if token["wild"] else re.escape(token["literal"]))
    if end != len(template) or not template.startswith("/"):
        raise ValueError(f"{template} is no path template")
    return re.compile("".join(parts), re.ASCII), tuple(variables)


def _pattern(text: str) -> str:
    return "/".join(_WILD.get(segment, re.escape(segment)) for segment in text.split("/"))


def _check_variable(method: MethodDescriptor, variable: Variable) -> None:
    """Raise unless the variable names a single value of the request, perhaps inside its messages."""
    holder: Descriptor | None = method.input_type
    field: FieldDescriptor | None = None
    for name in variable.field.split("."):
        field = holder.fields_by_name.get(name) if holder is not None else None
        if field is None or field.is_repeated:
            raise ValueError(f"{method.full_name}: {variable.field} is no single field of the request")
        holder = field.message_type


def _precedence(route: Route) -> tuple[int, int, int]:
    """Verbs first, then the longest literal text, then the fewest wildcards."""
    literal = re.sub(r"\{[a-z0-9_.]+(=([^{}]+))?\}", r"\2", route.template)
    wild = route.template.count("*")
    return (":" not in route.template.rsplit("/", 1)[-1], -len(literal.replace("*", "")), wild)


def _decode(variable: Variable, raw: str) -> str:
    """The value of a variable. Raises MALFORMED_REQUEST for what is no UTF-8."""
    data = raw.encode("latin-1")
    pieces = _ESCAPED_SLASH.split(data) if variable.many else [data]
    whole = b"".join(piece if index % 2 else unquote_to_bytes(piece) for index, piece in enumerate(pieces))
    try:
        return whole.decode()
    except UnicodeDecodeError:
        raise malformed(variable.field, "is not UTF-8") from None

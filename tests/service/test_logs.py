"""The log as its readers need it: JSON lines only, also from libraries, and no text of errors in it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from rookery.v1.game_service_pb2 import ListGameTypesRequest
from service import logs
from tests.service.house import house
from tests.service.live import TRANSPORTS
from tests.service.pledge import GAME


@pytest.fixture
def quiet() -> Iterator[None]:
    """Give the handlers of the root logger back."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before, level


@pytest.mark.usefixtures("quiet")
def test_lines_of_libraries_are_json_too() -> None:
    out = io.StringIO()
    logs.set_up("info", "json", out)
    logging.getLogger("some.library").warning("Invalid %s\n%s", "request", '{"event": "call"}')
    logging.getLogger("some.library").info("Started")

    (line,) = map(json.loads, out.getvalue().splitlines())
    assert line.pop("timestamp")
    assert line == {"event": "library", "logger": "some.library", "level": "warning", "text": "Invalid request"}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("form", ["json", "console"])
def test_an_error_is_told_by_kind_and_place(form: str) -> None:
    out = io.StringIO()
    logs.set_up("info", form, out)
    try:
        raise ValueError("deck order 7H 8H")
    except ValueError:
        logging.getLogger("asyncio").exception("Exception in callback\nfuture: ValueError('deck order 7H 8H')")

    (line,) = out.getvalue().splitlines()
    assert "ValueError at test_an_error_is_told" in line
    assert "Exception in callback" in line
    assert "7H" not in line


@pytest.mark.usefixtures("quiet")
def test_a_line_of_a_library_is_one_line_on_a_terminal_too() -> None:
    out = io.StringIO()
    logs.set_up("info", "console", out)
    logging.getLogger("library").warning("one \x1b[31m \x9b31m\ntwo")

    (line,) = out.getvalue().splitlines()
    assert line.isprintable()


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.usefixtures("quiet")
async def test_a_request_id_cannot_write_on_a_terminal(store_url: str, transport: str) -> None:
    async with house(store_url, [GAME], transport=transport) as home, home.rpc() as rpc:
        said = [("x-request-id", "a <b>=" + "c" * 500)]
        await rpc.ListGameTypes(ListGameTypesRequest(), more=said)
    (line,) = map(json.loads, home.log.getvalue().splitlines())
    assert line["request_id"] == "ab=" + "c" * 125

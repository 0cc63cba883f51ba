"""What the table says: in every language, beside what each game says, and with everything that it says filled in."""

from __future__ import annotations

import pytest

from engine.core import installed
from service.projection import game_type_of
from service.records import Batch
from service.resources import BotLevel, Controller, OnTimeout
from service.table_events import MESSAGES, table_events
from service.times import moment
from tests.contract.cases import LOCALES
from tests.contract.test_words import placeholders


def test_every_language_has_every_key_with_the_same_placeholders() -> None:
    assert set(MESSAGES) == set(LOCALES)
    for locale in LOCALES:
        assert MESSAGES[locale].keys() == MESSAGES["en"].keys()
        for key, template in MESSAGES[locale].items():
            assert template.strip()
            assert placeholders(template) == placeholders(MESSAGES["en"][key]), (locale, key)


@pytest.mark.parametrize("game_type", installed().game_types)
def test_a_game_type_s_messages_hold_them_and_no_game_uses_their_keys(game_type: str) -> None:
    game = installed().get(game_type)
    made = game_type_of(game, (game.rules_version,), whole=True)
    for locale in LOCALES:
        own, table = game.messages()[locale], MESSAGES[locale]
        assert not own.keys() & table.keys()
        assert made.messages[locale].templates == {**own, **table}


def test_whatever_may_happen_at_the_table_can_be_told() -> None:
    for what in list(OnTimeout)[1:]:
        for who in list(Controller)[1:]:
            batch = Batch(0, 2, timed_out=int(what), seats=((2, int(who), int(BotLevel.BASIC)),))
            events = table_events(7, moment(0), batch)
            assert [(event.version, event.index, event.seat) for event in events] == [(7, 0, 2), (7, 1, 2)]
            for event in events:
                assert "2" in event.text.text
                assert event.text.text == MESSAGES["en"][event.text.key].format(**event.text.args)
    assert table_events(7, moment(0), Batch(0, 2)) == ()

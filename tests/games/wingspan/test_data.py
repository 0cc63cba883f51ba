"""The data files: complete, and nothing in them is guessed at."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.games.wingspan import GAME
from engine.games.wingspan.powers import Effect
from engine.games.wingspan.rows import (
    BIRD_IDS,
    BIRDS,
    BONUS_CARDS,
    GOALS,
    TILES,
    BirdCard,
    BonusCard,
    decode,
)
from engine.games.wingspan.terms import Habitat, Nest, Tag, Trigger

DATA = files("engine.games.wingspan") / "data"
ENGINE = Path(str(files("engine.games.wingspan")))
ELIGIBLE = json.loads((Path(__file__).parent / "eligible.json").read_text(encoding="utf-8"))


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return found


def test_the_numbers_of_the_base_game() -> None:
    assert (len(BIRDS), len(BONUS_CARDS), len(GOALS), len(TILES)) == (170, 26, 16, 8)
    assert len(set(BIRD_IDS)) == 170
    triggers = Counter(card.trigger for card in BIRDS)
    assert triggers == {
        Trigger.WHEN_ACTIVATED: 116,
        Trigger.WHEN_PLAYED: 36,
        Trigger.ONCE_BETWEEN_TURNS: 12,
        Trigger.NONE: 6,
    }
    assert Counter(tag for card in BIRDS for tag in card.tags) == {Tag.PREDATOR: 22, Tag.FLOCKING: 25}
    assert all(len(tile) == 2 for tile in TILES)


def test_birds_per_op() -> None:
    counts = Counter(str(card.effect.__struct_config__.tag) for card in BIRDS)
    assert counts == {
        "none": 6,
        "supply_gain": 6,
        "everyone_supply_gain": 5,
        "supply_cache": 5,
        "feeder_gain": 10,
        "feeder_gain_all": 2,
        "everyone_feeder_die": 2,
        "fewest_birds_reward": 3,
        "lay_self": 3,
        "lay_any": 4,
        "lay_each_nest": 4,
        "everyone_lay": 3,
        "draw_cards": 3,
        "draw_then_owe_discard": 7,
        "everyone_draw_deck": 4,
        "draft_cards": 1,
        "bonus_draw": 15,
        "tuck_from_hand": 19,
        "food_for_deck_tuck": 5,
        "egg_for_food": 5,
        "egg_for_cards": 2,
        "swap_food": 1,
        "hunt_deck": 10,
        "hunt_dice": 12,
        "relocate_if_rightmost": 8,
        "extra_play": 10,
        "repeat_power": 3,
        "react_lay_nest": 5,
        "react_feeder_die": 3,
        "react_supply_gain": 2,
        "react_tuck_from_hand": 1,
        "react_supply_cache": 1,
    }


def test_the_rules_have_a_clause_for_each_op_in_order() -> None:
    rules = (ENGINE / "RULES.md").read_text(encoding="utf-8")
    tags = [str(effect.__struct_config__.tag) for effect in get_args(Effect)]
    assert re.findall(r"^11\.(\d+) `(\w+)`:", rules, re.MULTILINE) == [(str(n), tag) for n, tag in enumerate(tags, 1)]


def test_a_bird_without_a_nest_holds_no_egg() -> None:
    assert all((card.nest is Nest.NONE) == (card.egg_limit == 0) for card in BIRDS)


def test_birds_that_move_live_everywhere() -> None:
    movers = [card for card in BIRDS if card.effect.__struct_config__.tag == "relocate_if_rightmost"]
    assert all(card.habitats == tuple(Habitat) for card in movers)


@pytest.mark.parametrize("card", BONUS_CARDS, ids=[card.id for card in BONUS_CARDS])
def test_bonus_cards_count_the_birds_written_down_for_them(card: BonusCard) -> None:
    fitting = [bird.id for bird in BIRDS if card.condition.fits(bird)]
    # Cards that look at the board or the hand take every bird.
    assert fitting == ELIGIBLE.get(card.id, list(BIRD_IDS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"effect": {"op": "sing"}}, r"effect\.type: must be one of none, supply_gain"),
        ({"effect": {"op": "lay_any", "eggs": 1, "loudly": True}}, r"effect\.loudly: is not a field"),
        ({"effect": {"op": "lay_any"}}, r"effect\.eggs: is missing"),
        ({"effect": {"op": "supply_gain", "food": "worm", "count": 1}}, r"effect\.food: must be one of"),
        ({"nest": "tree"}, r"nest: must be one of"),
        ({"food_cost": {"worm": 1}}, r"food_cost\.worm: is not a field"),
        ({"colour": "red"}, r"colour: is not a field"),
    ],
)
def test_what_is_not_understood_stops_the_start(change: dict[str, Any], message: str) -> None:
    row = rows("birds.json")[0] | change
    with pytest.raises(ValueError, match=message):
        decode([row], tuple[BirdCard, ...])


def test_no_bird_is_known_to_the_code_by_name() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ENGINE.rglob("*.py"))
    assert [bird for bird in BIRD_IDS if bird in code] == []
    assert [card.name for card in BIRDS if card.name in code] == []


def test_the_catalogue_tells_everything_about_a_bird() -> None:
    parts = {part.id: part for part in GAME.catalogue()}
    assert Counter(part.kind for part in parts.values()) == {
        "bird": 170,
        "bonus": 26,
        "goal": 16,
        "habitat": 3,
        "food": 5,
        "die": 6,
        "egg": 1,
        "cube": 1,
    }
    assert parts["spotted_sandpiper"].attributes == {
        "scientific_name": "Actitis macularius",
        "points": 5,
        "habitats": ["wetland"],
        "food_cost": {"invertebrate": 1},
        "alternatives": False,
        "nest": "ground",
        "egg_limit": 2,
        "wingspan_cm": 38,
        "tags": [],
        "power": {
            "trigger": "when_activated",
            "key": "power.everyone_draw_deck",
            "args": {},
            "text": "Every player draws a card from the deck.",
        },
    }


def test_every_text_of_a_power_can_be_said_in_every_language() -> None:
    for part in GAME.catalogue():
        for text in (part.attributes.get("power"), part.attributes.get("counts")):
            if text is not None:
                for words in GAME.messages().values():
                    args = {k: words[v[1:]] if v.startswith("$") else v for k, v in text["args"].items()}
                    assert "{" not in words[text["key"]].format(**args)

"""The words of Wingspan in five languages, by key. ``{name}`` stands for an argument; seats are numbered from 0."""

from __future__ import annotations

from engine.games.wingspan.words import (
    en,
    en_cards,
    es,
    es_cards,
    ja,
    ja_cards,
    zh_hans,
    zh_hans_cards,
    zh_hant,
    zh_hant_cards,
)

MESSAGES: dict[str, dict[str, str]] = {
    "en": {**en.WORDS, **en_cards.WORDS},
    "zh-Hans": {**zh_hans.WORDS, **zh_hans_cards.WORDS},
    "zh-Hant": {**zh_hant.WORDS, **zh_hant_cards.WORDS},
    "ja": {**ja.WORDS, **ja_cards.WORDS},
    "es": {**es.WORDS, **es_cards.WORDS},
}

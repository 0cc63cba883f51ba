"""The words of Euchre, one module a language, all with the same keys."""

from __future__ import annotations

from engine.games.euchre.texts import en, es, ja, zh_hans, zh_hant

MESSAGES: dict[str, dict[str, str]] = {
    "en": en.MESSAGES,
    "zh-Hans": zh_hans.MESSAGES,
    "zh-Hant": zh_hant.MESSAGES,
    "ja": ja.MESSAGES,
    "es": es.MESSAGES,
}

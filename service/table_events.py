"""What happens at the table and not in the game, as events that everybody sees, in every language."""

from __future__ import annotations

from datetime import datetime

from service.records import Batch
from service.resources import Event, Label, Undone

MESSAGES: dict[str, dict[str, str]] = {
    "en": {
        "table.undone": "Seat {seat} takes its last answers back; it is as it was at version {version}.",
    },
    "zh-Hans": {
        "table.undone": "座位{seat}撤回了先前的行动，局面回到版本{version}。",
    },
    "zh-Hant": {
        "table.undone": "座位{seat}撤回了先前的行動，局面回到版本{version}。",
    },
    "ja": {
        "table.undone": "席{seat}が直前の手を取り消し、局面はバージョン{version}に戻りました。",
    },
    "es": {
        "table.undone": "El asiento {seat} retira sus últimas respuestas; todo vuelve a la versión {version}.",
    },
}
"""Templates by locale, then by key: a part of every game type's messages."""


def table_events(version: int, time: datetime, batch: Batch) -> tuple[Event, ...]:
    """What the batch tells of the table, the same to every viewer."""
    made: list[Event] = []
    if batch.undone:
        text = label_of("table.undone", seat=batch.seat, version=batch.undone)
        made.append(Event(version, len(made), time, batch.seat, text, undone=Undone(batch.undone)))
    return tuple(made)


def label_of(key: str, **args: object) -> Label:
    """The text with its arguments."""
    return Label(key, {name: str(value) for name, value in args.items()}, MESSAGES["en"][key].format(**args))

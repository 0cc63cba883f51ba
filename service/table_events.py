"""What happens at the table and not in the game, as events that everybody sees, in every language."""

from __future__ import annotations

from datetime import datetime

from service.records import Batch
from service.resources import BotLevel, Controller, Event, Label, OnTimeout, SeatChanged, TimedOut, Undone

MESSAGES: dict[str, dict[str, str]] = {
    "en": {
        "table.timed_out.timeout_move": "Seat {seat} has not answered in time; the clock moves.",
        "table.timed_out.bot_takes_over": "Seat {seat} has not answered in time; a bot takes over.",
        "table.timed_out.resign": "Seat {seat} has not answered in time and loses by it.",
        "table.seat_changed.human": "A person plays seat {seat} now.",
        "table.seat_changed.bot": "A bot plays seat {seat} now.",
        "table.seat_changed.resigned": "Seat {seat} has left the game.",
        "table.undone": "Seat {seat} takes its last answers back; it is as it was at version {version}.",
        "reason.resigned": "A player has left the game",
    },
    "zh-Hans": {
        "table.timed_out.timeout_move": "座位{seat}超时，由计时器代为行动。",
        "table.timed_out.bot_takes_over": "座位{seat}超时，由机器人接手。",
        "table.timed_out.resign": "座位{seat}超时判负。",
        "table.seat_changed.human": "座位{seat}现在由真人操作。",
        "table.seat_changed.bot": "座位{seat}现在由机器人操作。",
        "table.seat_changed.resigned": "座位{seat}已退出游戏。",
        "table.undone": "座位{seat}撤回了先前的行动，局面回到版本{version}。",
        "reason.resigned": "有玩家退出了游戏",
    },
    "zh-Hant": {
        "table.timed_out.timeout_move": "座位{seat}逾時，由計時器代為行動。",
        "table.timed_out.bot_takes_over": "座位{seat}逾時，由機器人接手。",
        "table.timed_out.resign": "座位{seat}逾時判負。",
        "table.seat_changed.human": "座位{seat}現在由真人操作。",
        "table.seat_changed.bot": "座位{seat}現在由機器人操作。",
        "table.seat_changed.resigned": "座位{seat}已退出遊戲。",
        "table.undone": "座位{seat}撤回了先前的行動，局面回到版本{version}。",
        "reason.resigned": "有玩家退出了遊戲",
    },
    "ja": {
        "table.timed_out.timeout_move": "席{seat}は時間切れのため、時計が代わりに手を選びます。",
        "table.timed_out.bot_takes_over": "席{seat}は時間切れのため、ボットが引き継ぎます。",
        "table.timed_out.resign": "席{seat}は時間切れで負けになります。",
        "table.seat_changed.human": "席{seat}は人が担当しています。",
        "table.seat_changed.bot": "席{seat}はボットが担当しています。",
        "table.seat_changed.resigned": "席{seat}がゲームから抜けました。",
        "table.undone": "席{seat}が直前の手を取り消し、局面はバージョン{version}に戻りました。",
        "reason.resigned": "プレイヤーがゲームから抜けました",
    },
    "es": {
        "table.timed_out.timeout_move": "El asiento {seat} no ha respondido a tiempo; el reloj mueve por él.",
        "table.timed_out.bot_takes_over": "El asiento {seat} no ha respondido a tiempo; un bot lo sustituye.",
        "table.timed_out.resign": "El asiento {seat} no ha respondido a tiempo y pierde por ello.",
        "table.seat_changed.human": "Ahora una persona ocupa el asiento {seat}.",
        "table.seat_changed.bot": "Ahora un bot ocupa el asiento {seat}.",
        "table.seat_changed.resigned": "El asiento {seat} ha abandonado la partida.",
        "table.undone": "El asiento {seat} retira sus últimas respuestas; todo vuelve a la versión {version}.",
        "reason.resigned": "Un jugador ha abandonado la partida",
    },
}
"""Templates by locale, then by key: a part of every game type's messages."""


def table_events(version: int, time: datetime, batch: Batch) -> tuple[Event, ...]:
    """What the batch tells of the table, the same to every viewer: the clock first, then who answers for a seat now."""
    made: list[Event] = []
    if batch.timed_out:
        on_timeout = OnTimeout(batch.timed_out)
        text = label_of(f"table.timed_out.{on_timeout.name.lower()}", seat=batch.seat)
        made.append(Event(version, len(made), time, batch.seat, text, timed_out=TimedOut(on_timeout)))
    for seat, controller, level in batch.seats:
        change = SeatChanged(Controller(controller), BotLevel(level))
        text = label_of(f"table.seat_changed.{change.controller.name.lower()}", seat=seat)
        made.append(Event(version, len(made), time, seat, text, seat_changed=change))
    if batch.undone:
        text = label_of("table.undone", seat=batch.seat, version=batch.undone)
        made.append(Event(version, len(made), time, batch.seat, text, undone=Undone(batch.undone)))
    return tuple(made)


def label_of(key: str, **args: object) -> Label:
    """The text with its arguments."""
    return Label(key, {name: str(value) for name, value in args.items()}, MESSAGES["en"][key].format(**args))

"""The words of Sevens in five languages. ``{name}`` stands for an argument; seats are numbered from 0."""

from __future__ import annotations

from engine.core.cards import card_text
from engine.core.model import Label
from engine.games.sevens.state import CardPlayed, Event, Finished, GameEnded, Move, Passed, Play, WentOut

MESSAGES: dict[str, dict[str, str]] = {
    "en": {
        "title": "Sevens",
        "card": "{card}",
        "token.pass": "Pass",
        "prompt.play": "Play a card or pass",
        "offer.play": "Play {card}",
        "offer.pass": "Pass",
        "event.card_played": "Seat {seat} plays {card}.",
        "event.passed": "Seat {seat} passes. Passes left: {passes_left}.",
        "event.went_out": "Seat {seat} has no pass left and is out, in place {place}. Laid down: {cards}.",
        "event.finished": "Seat {seat} has played the last card and takes place {place}.",
        "event.game_ended": "The game is over. Seat {seat} is left and takes place {place}.",
        "option.pass_limit": "Passes per player",
        "option.decks": "Packs of cards",
        "zone.row": "Row {suit}",
        "zone.hand": "Hand of seat {seat}",
        "zone.passes": "Passes left of seat {seat}",
        "share.place": "Place",
        "reason.one_player_left": "Only one player was left",
    },
    "zh-Hans": {
        "title": "排七",
        "card": "{card}",
        "token.pass": "过牌",
        "prompt.play": "请出牌或过牌",
        "offer.play": "出{card}",
        "offer.pass": "过牌",
        "event.card_played": "座位{seat}打出{card}。",
        "event.passed": "座位{seat}过牌，剩余过牌次数：{passes_left}。",
        "event.went_out": "座位{seat}已无过牌次数而出局，名次：{place}。摊出的牌：{cards}。",
        "event.finished": "座位{seat}打完了手牌，名次：{place}。",
        "event.game_ended": "游戏结束。只剩座位{seat}，名次：{place}。",
        "option.pass_limit": "每位玩家的过牌次数",
        "option.decks": "使用几副牌",
        "zone.row": "{suit}牌列",
        "zone.hand": "座位{seat}的手牌",
        "zone.passes": "座位{seat}的剩余过牌次数",
        "share.place": "名次",
        "reason.one_player_left": "只剩一位玩家",
    },
    "zh-Hant": {
        "title": "排七",
        "card": "{card}",
        "token.pass": "過牌",
        "prompt.play": "請出牌或過牌",
        "offer.play": "出{card}",
        "offer.pass": "過牌",
        "event.card_played": "座位{seat}打出{card}。",
        "event.passed": "座位{seat}過牌，剩餘過牌次數：{passes_left}。",
        "event.went_out": "座位{seat}已無過牌次數而出局，名次：{place}。攤出的牌：{cards}。",
        "event.finished": "座位{seat}打完了手牌，名次：{place}。",
        "event.game_ended": "遊戲結束。只剩座位{seat}，名次：{place}。",
        "option.pass_limit": "每位玩家的過牌次數",
        "option.decks": "使用幾副牌",
        "zone.row": "{suit}牌列",
        "zone.hand": "座位{seat}的手牌",
        "zone.passes": "座位{seat}的剩餘過牌次數",
        "share.place": "名次",
        "reason.one_player_left": "只剩一位玩家",
    },
    "ja": {
        "title": "七並べ",
        "card": "{card}",
        "token.pass": "パス",
        "prompt.play": "カードを出すかパスしてください",
        "offer.play": "{card}を出す",
        "offer.pass": "パス",
        "event.card_played": "席{seat}が{card}を出しました。",
        "event.passed": "席{seat}がパスしました。残りパス回数：{passes_left}。",
        "event.went_out": "席{seat}はパスが尽きて脱落しました。順位：{place}。並べられたカード：{cards}。",
        "event.finished": "席{seat}が上がりました。順位：{place}。",
        "event.game_ended": "ゲーム終了。最後に残ったのは席{seat}、順位：{place}。",
        "option.pass_limit": "1人あたりのパス回数",
        "option.decks": "使用するデッキの数",
        "zone.row": "{suit}の列",
        "zone.hand": "席{seat}の手札",
        "zone.passes": "席{seat}の残りパス回数",
        "share.place": "順位",
        "reason.one_player_left": "残りのプレイヤーが1人になりました",
    },
    "es": {
        "title": "Sietes",
        "card": "{card}",
        "token.pass": "Pase",
        "prompt.play": "Juega una carta o pasa",
        "offer.play": "Jugar {card}",
        "offer.pass": "Pasar",
        "event.card_played": "El asiento {seat} juega {card}.",
        "event.passed": "El asiento {seat} pasa. Pases restantes: {passes_left}.",
        "event.went_out": "El asiento {seat} no tiene más pases y queda eliminado, puesto {place}. Descubre: {cards}.",
        "event.finished": "El asiento {seat} ha jugado su última carta y ocupa el puesto {place}.",
        "event.game_ended": "Fin de la partida. Queda el asiento {seat}, que ocupa el puesto {place}.",
        "option.pass_limit": "Pases por jugador",
        "option.decks": "Número de barajas",
        "zone.row": "Fila de {suit}",
        "zone.hand": "Mano del asiento {seat}",
        "zone.passes": "Pases restantes del asiento {seat}",
        "share.place": "Puesto",
        "reason.one_player_left": "Solo quedaba un jugador",
    },
}


def move_label(move: Move) -> Label:
    """What to write on the button."""
    if isinstance(move, Play):
        return Label("offer.play", (("card", card_text(move.card)),))
    return Label("offer.pass")


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event."""
    who = event.last_seat if isinstance(event, GameEnded) else seat
    return Label(f"event.{event.__struct_config__.tag}", (("seat", str(who)), *_details(event)))


def _details(event: Event) -> tuple[tuple[str, str], ...]:
    match event:
        case CardPlayed(card=card):
            return (("card", card_text(card)),)
        case Passed(passes_left=left):
            return (("passes_left", str(left)),)
        case WentOut(cards=cards, place=place):
            return (("cards", " ".join(map(card_text, cards))), ("place", str(place)))
        case Finished(place=place) | GameEnded(place=place):
            return (("place", str(place)),)

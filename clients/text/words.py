"""What the client itself says, and how labels are said, in the languages of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping

from rookery.v1 import game_type_pb2, label_pb2

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "you": "You",
        "bot": "Bot {number}",
        "seat": "seat {seat}",
        "face_down": "{count} face down",
        "choose": "Number, ? for help, q to leave > ",
        "help": (
            "Type the number of an offer, or its name in brackets, and press Enter.\n"
            "  t  the table once more\n  u  take your last answer back\n"
            "  ?  this help, and the names of the offers\n  q  leave the game"
        ),
        "no_such": "There is no offer {said}.",
        "moved_on": "Somebody was faster, and the question is another one now.",
        "too_late": "It is too late to take that back.",
        "waiting": "Waiting for {names} …",
        "left": "You leave the table.",
        "aborted": "The game was stopped.",
        "over": "The game is over.",
        "points": "{name}: {score}",
    },
    "es": {
        "you": "Tú",
        "bot": "Bot {number}",
        "seat": "asiento {seat}",
        "face_down": "{count} boca abajo",
        "choose": "Número, ? para ayuda, q para salir > ",
        "help": (
            "Escribe el número de una opción, o su nombre entre corchetes, y pulsa Intro.\n"
            "  t  la mesa otra vez\n  u  deshacer tu última respuesta\n"
            "  ?  esta ayuda y los nombres de las opciones\n  q  dejar la partida"
        ),
        "no_such": "No hay ninguna opción {said}.",
        "moved_on": "Alguien fue más rápido y la pregunta ya es otra.",
        "too_late": "Ya es tarde para deshacer eso.",
        "waiting": "Esperando a {names} …",
        "left": "Dejas la mesa.",
        "aborted": "La partida se ha detenido.",
        "over": "La partida ha terminado.",
        "points": "{name}: {score}",
    },
    "ja": {
        "you": "あなた",
        "bot": "ボット{number}",
        "seat": "席{seat}",
        "face_down": "裏向き{count}枚",
        "choose": "番号(?で説明、qで終了)> ",
        "help": (
            "選択肢の番号か、角括弧の中の名前を入力して Enter を押してください。\n"
            "  t  場をもう一度表示\n  u  直前の答えを取り消す\n"
            "  ?  この説明と選択肢の名前\n  q  ゲームをやめる"
        ),
        "no_such": "{said} という選択肢はありません。",
        "moved_on": "他の席が先に動き、質問が変わりました。",
        "too_late": "もう取り消せません。",
        "waiting": "{names}を待っています…",
        "left": "席を立ちました。",
        "aborted": "ゲームは中止されました。",
        "over": "ゲーム終了。",
        "points": "{name}:{score}",
    },
    "zh-Hans": {
        "you": "你",
        "bot": "机器人{number}",
        "seat": "座位{seat}",
        "face_down": "{count}张背面朝上",
        "choose": "输入编号(? 帮助,q 离开)> ",
        "help": (
            "输入选项的编号,或方括号里的名称,然后按回车。\n  t  再看一次桌面\n  u  收回你的上一个回答\n"
            "  ?  本帮助和各选项的名称\n  q  离开游戏"
        ),
        "no_such": "没有选项 {said}。",
        "moved_on": "别人先行动了,问题已经改变。",
        "too_late": "已经不能收回了。",
        "waiting": "等待{names}…",
        "left": "你离开了牌桌。",
        "aborted": "游戏已中止。",
        "over": "游戏结束。",
        "points": "{name}:{score}",
    },
    "zh-Hant": {
        "you": "你",
        "bot": "機器人{number}",
        "seat": "座位{seat}",
        "face_down": "{count}張背面朝上",
        "choose": "輸入編號(? 說明,q 離開)> ",
        "help": (
            "輸入選項的編號,或方括號裡的名稱,然後按 Enter。\n"
            "  t  再看一次桌面\n  u  收回你的上一個回答\n"
            "  ?  本說明和各選項的名稱\n  q  離開遊戲"
        ),
        "no_such": "沒有選項 {said}。",
        "moved_on": "別人先行動了,問題已經改變。",
        "too_late": "已經不能收回了。",
        "waiting": "等待{names}…",
        "left": "你離開了牌桌。",
        "aborted": "遊戲已中止。",
        "over": "遊戲結束。",
        "points": "{name}:{score}",
    },
}

LANGUAGES = tuple(_WORDS)


class Words:
    """One language: the client's own words, and the labels of a game type."""

    def __init__(self, language: str, game_type: game_type_pb2.GameType) -> None:
        self._own = _WORDS[language]
        self._templates: Mapping[str, str] = game_type.messages[language].templates
        self._pieces = {component.id: component.label for component in game_type.catalogue}

    def own(self, key: str, **values: object) -> str:
        """What the client says."""
        return self._own[key].format(**values)

    def label(self, label: label_pb2.Label) -> str:
        """What the game says; in English where the catalogue has no text, as for what happens outside of the rules."""
        try:
            args = {name: self._templates[said[1:]] if said[:1] == "$" else said for name, said in label.args.items()}
            return self._templates[label.key].format(**args)
        except KeyError:
            return label.text

    def message(self, key: str) -> str:
        """The text of a key of the game, or the key."""
        return self._templates.get(key, key)

    def piece(self, piece: str) -> str:
        """The name of a piece of the catalogue."""
        return self.label(self._pieces[piece]) if piece in self._pieces else piece

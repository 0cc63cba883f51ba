"""Every question of the game, by the frame that stands for it on the agenda."""

from __future__ import annotations

from typing import get_args

from engine.games.wingspan.frames import Ask
from engine.games.wingspan.questions import birds, cards, dice, eggs, playing, turn
from engine.games.wingspan.questions.base import QUESTIONS, Demand, Question

__all__ = ["QUESTIONS", "Demand", "Question", "birds", "cards", "dice", "eggs", "playing", "turn"]

if set(QUESTIONS) != set(get_args(Ask)):
    raise TypeError(f"frames without a question: {set(get_args(Ask)) ^ set(QUESTIONS)}")

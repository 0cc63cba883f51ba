"""One line per game: a digest of everything that happens in a few random games. ``python -m tests.contract.digests``.

Another process prints the same lines, whatever order its sets have.
"""

from __future__ import annotations

import hashlib
import sys

import msgspec

from engine.core import AnyGame, encode_move, encode_state
from tests.contract.cases import Case, Playout, games, id_of, playout


def digest_of(played: Playout) -> str:
    """A digest of states, moves, facts and views in order."""
    game, digest = played.case.game, hashlib.sha256(encode_state(played.case.game, played.opening))
    for ply in played.plies:
        digest.update(encode_state(game, ply.step.state))
        digest.update(encode_move(ply.move))
        digest.update(msgspec.msgpack.encode(ply.step.facts))
        digest.update("".join(map(game.notation, ply.legal)).encode())
        for seat in (None, *range(played.case.seats)):
            view = game.view(ply.step.state, seat)
            digest.update(encode_move(view) + encode_move(game.scene(view)))
    return digest.hexdigest()


def digests_of(game: AnyGame) -> list[str]:
    """The digests of one random game for each number of seats."""
    # Not through the cache: what is shown is that playing again gives the same.
    play_anew = playout.__wrapped__
    return [digest_of(play_anew(Case(game, seats, (), b"digest"))) for seats in game.seat_counts]


def lines() -> list[str]:
    """One line per registered game."""
    return [" ".join((*id_of(game), *digests_of(game))) for game in games()]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")

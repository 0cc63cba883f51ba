from __future__ import annotations

import pytest

from tests.contract.cases import cases, games, id_of, playout


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``game`` runs for each registered game, one that takes ``played`` for each random game."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games(), ids=["-".join(id_of(game)) for game in games()])
    if "played" in metafunc.fixturenames:
        every = list(cases())
        metafunc.parametrize("played", every, ids=map(str, every), indirect=True)


@pytest.fixture
def played(request: pytest.FixtureRequest) -> object:
    """The random game of the case."""
    return playout(request.param)

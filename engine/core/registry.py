"""Which games there are: entry points of the group ``rookery.games``, one line per game and rules version."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import entry_points

from engine.core.game import AnyGame

GROUP = "rookery.games"


class UnknownGame(Exception):  # noqa: N818 - says what is the matter
    """No such game type, or no such rules version of it. ``field`` is ``game_type`` or ``rules_version``."""

    def __init__(self, field: str, value: str) -> None:
        super().__init__(f"{field}: there is no {value!r}")
        self.field = field
        self.value = value


class Registry:
    """The games of one process, by type and rules version."""

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self._games: dict[str, dict[str, AnyGame]] = {}
        for game in games:
            versions = self._games.setdefault(game.game_type, {})
            if game.rules_version in versions:
                raise ValueError(f"{game.game_type} {game.rules_version} is registered twice")
            versions[game.rules_version] = game

    @property
    def game_types(self) -> tuple[str, ...]:
        """Every game type, sorted."""
        return tuple(sorted(self._games))

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """Every game in every rules version: by type, then the oldest first."""
        return tuple(self.get(name, version) for name in self.game_types for version in self.rules_versions(name))

    def rules_versions(self, game_type: str) -> tuple[str, ...]:
        """The rules versions of a type, oldest first. Raises UnknownGame."""
        if game_type not in self._games:
            raise UnknownGame("game_type", game_type)
        return tuple(sorted(self._games[game_type], key=_version_key))

    def get(self, game_type: str, rules_version: str = "") -> AnyGame:
        """The game by type and version (empty: the newest). Raises UnknownGame."""
        version = rules_version or self.rules_versions(game_type)[-1]
        try:
            return self._games[game_type][version]
        except KeyError:
            field = "rules_version" if game_type in self._games else "game_type"
            raise UnknownGame(field, version if game_type in self._games else game_type) from None


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def installed() -> Registry:
    """Every game that an installed distribution registers. Raises whatever a game's own load raises."""
    return Registry(point.load() for point in sorted(entry_points(group=GROUP), key=lambda p: p.name))

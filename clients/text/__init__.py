"""A person at a terminal, playing any game by its scenes, offers and texts."""

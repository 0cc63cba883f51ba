"""One folder per game; a game never imports another."""

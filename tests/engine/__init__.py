"""Unit tests of ``engine.core``, on a game made up for them (``nim``)."""

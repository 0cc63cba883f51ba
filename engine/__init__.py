"""The rules: ``core`` is the contract, ``games`` are the games. Nothing here does I/O."""

"""What every game must keep, tested on every registered game. ``cases`` says on what, each module one promise."""

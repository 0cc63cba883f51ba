"""Choose exact versions anew: ``python -m tests.tools.lock``. The locks hold names and versions, no addresses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVE = ("--extra", "embedded", "--extra", "native")


def compile_lock(out: str, *more: str) -> None:
    """Resolve pyproject.toml for every platform into a lock file."""
    quiet = ("-q", "--no-header", "--no-annotate", "--no-emit-index-url")
    command = [sys.executable, "-m", "uv", "pip", "compile", "--universal", *quiet, *SERVE, *more]
    subprocess.run([*command, "pyproject.toml", "-o", out], cwd=ROOT, check=True)


if __name__ == "__main__":
    compile_lock("requirements.lock")
    compile_lock("requirements-dev.lock", "--extra", "dev", "-c", "requirements.lock")

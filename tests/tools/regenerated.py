"""Compare the committed generated files with what the protos give now: ``python -m tests.tools.regenerated``."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def generated(root: Path) -> set[Path]:
    """The generated files, relative to the folder."""
    found = {path.relative_to(root) for path in (root / "protos").rglob("*_pb2*.py*")}
    return {path for path in found if "__pycache__" not in path.parts} | {Path("service/openapi_comments.json")}


def main() -> int:
    """Generate into a copy and compare; the exit code is 1 if anything differs."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        for name in ("Makefile", "buf.yaml", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
            shutil.copy(ROOT / name, copy / name)
        for name in ("protos", "build", "tests/tools", "service"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "tests" / "__init__.py").touch()
        (copy / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
        # Neither the environment nor the Google protos are to be made again there.
        command = ["make", "--no-print-directory", "protos", "STAMP=", "GOOGLE_PROTOS="]
        subprocess.run(command, cwd=copy, check=True, stdout=subprocess.DEVNULL)
        here, there = generated(ROOT), generated(copy)
        wrong = here ^ there | {
            path for path in here & there if not filecmp.cmp(ROOT / path, copy / path, shallow=False)
        }
    for path in sorted(wrong):
        sys.stdout.write(f"{path} is not what the protos give; run make protos\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

"""Compare the protos with those of the last released tag: ``python -m tests.tools.breaking``."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def last_tag() -> str | None:
    """The newest tag ``v...`` that HEAD descends from, or None before the first release."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v*"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


def main() -> int:
    """Run buf breaking; the exit code is its own."""
    tag = last_tag()
    if tag is None:
        sys.stdout.write("protos: no release to compare with yet\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "protos.tar"
        subprocess.run(["git", "archive", "-o", str(archive), tag, "protos"], cwd=ROOT, check=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        buf = ROOT / ".venv" / "bin" / "buf"
        # The old protos need google/api too: they are compared as a module beside it.
        old = Path(folder) / "old"
        old.mkdir()
        (old / "buf.yaml").write_text((ROOT / "buf.yaml").read_text())
        (Path(folder) / "protos").rename(old / "protos")
        (old / "build").symlink_to(ROOT / "build", target_is_directory=True)
        return subprocess.run([buf, "breaking", "--against", str(old)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Look for what must not be in the repository: ``python -m tests.tools.clean``.

Download addresses in locks, paths of one machine, files too long to read, generated rubbish.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 400
_GENERATED = re.compile(r"_pb2(_grpc)?\.pyi?$")
_ADDRESS = re.compile(r'"resolved": *"|index-url *[= ] *"?https?://|^--(extra-)?index-url', re.MULTILINE)


def tracked() -> list[Path]:
    """The files that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def complaints(path: Path) -> list[str]:
    """What is wrong with a file."""
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return []
    found = []
    if _ADDRESS.search(text) and path != Path(__file__):
        found.append("holds a download address")
    if str(ROOT) + "/" in text:
        found.append("holds a path of this machine")
    if path.suffix == ".py" and not _GENERATED.search(path.name) and text.count("\n") > LONGEST:
        found.append(f"has {text.count(chr(10))} lines, more than {LONGEST}")
    return found


def main() -> int:
    """Print every complaint; the exit code is 1 if there is any."""
    wrong = [(path.relative_to(ROOT), what) for path in tracked() for what in complaints(path)]
    for path, what in wrong:
        sys.stdout.write(f"{path} {what}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

"""What other files repeat of pyproject.toml: the owner of the repository, and the version in tags.

Both stand in addresses that readers copy, so they are written out; `python -m tests.generate` writes them anew.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

OWNER = re.compile(r"(?:(?<=github\.com/)|(?<=usercontent\.com/))[\w-]+(?=/recsql\b)|[\w-]+(?=/recsql@v|\.github\.io/recsql\b)")
VERSION = re.compile(
    r"(recsql(?:\.git)?@v|revision: v|name: recsql\nversion: |recsql/(?:blob|tree|releases/download)/v)\d(?:[\w.]*\w)?"
)
FOLDERS = (".ci", ".github", "docs", "examples", "recsql", "sql", "tests")  # and what is beside them
TEXTS = (".md", ".py", ".sh", ".sql", ".toml", ".txt", ".yaml", ".yml", "")


def repeated(text: str, root: Path) -> str:
    """A text with the owner and the version that pyproject.toml has in `Source` and `version`."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    owner = project["urls"]["Source"].split("/")[-2]
    return VERSION.sub(rf"\g<1>{project['version']}", OWNER.sub(owner, text))


def repeating(root: Path) -> Iterator[str]:
    """The files that name either."""
    for path in sorted([*root.iterdir(), *(one for folder in FOLDERS for one in (root / folder).rglob("*"))]):
        if path.suffix in TEXTS and path.is_file():
            text = path.read_text(encoding="utf-8", errors="ignore")
            if OWNER.search(text) or VERSION.search(text):
                yield str(path.relative_to(root))

"""Keeps what was read from `sql/` beside Python's bytecode, so that a process need not parse hundreds of headers."""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from recsql.base.errors import RecsqlError
from recsql.base.paths import whole

Read = TypeVar("Read")
FOLDER = Path(__file__).parent
FILE = FOLDER / "__pycache__" / f"catalog.{sys.implementation.cache_tag}.pickle"  # trusted as the bytecode in this folder is


def kept_or_made(root: Path, build: Callable[[], Read]) -> Read:
    """What `build` makes from the files below `root`; it is called only if they, or the modules of this package, changed."""
    stamp = stamp_of(root)
    with suppress(OSError, EOFError, pickle.UnpicklingError):  # a damaged file is made anew
        head, _, content = FILE.read_bytes().partition(b"\n")
        if head == stamp:
            found: Read = pickle.loads(content)
            return found
    made = build()
    if not sys.dont_write_bytecode:
        with suppress(OSError, RecsqlError):  # as Python, which does without where it can't write
            FILE.parent.mkdir(exist_ok=True)
            with whole(str(FILE)) as beside:
                Path(beside).write_bytes(stamp + b"\n" + pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    return made


def stamp_of(root: Path) -> bytes:
    """The paths, times and sizes of all files that are read, on one line."""
    paths = [*root.rglob("*.sql"), *root.rglob("*.toml"), *FOLDER.glob("*.py")]
    stats = [(str(path), path.stat()) for path in sorted(paths)]
    return repr([(path, stat.st_mtime_ns, stat.st_size) for path, stat in stats]).encode()

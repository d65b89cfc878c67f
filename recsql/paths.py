"""Files as a user names them: paths and globs, found or refused in a sentence."""

import glob
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from recsql.errors import BadInput


def there(paths: Sequence[str]) -> list[str]:
    """Paths and globs so that a glob is one and a path is none; raises BadInput where no file is behind one."""
    return [glob.escape(path) if is_there(path) else path for path in paths]


def is_there(path: str, wanted: str = "file or table") -> bool:
    """Whether a path is that of a file; raises BadInput where nothing of that name is to be found on this machine."""
    if os.path.isfile(path):
        return True
    if "://" not in path and not any(map(os.path.isfile, matches(path))):
        raise BadInput(f"{path}: {missing(path, wanted)}")
    return False


def matches(path: str) -> list[str]:
    """What a glob finds, also in folders below where it says **, in the order of the names."""
    return sorted(glob.glob(path, recursive=True))


def refuse_to_replace(read: Iterable[str], path: str) -> None:
    """Raises BadInput where what is to be written is one of the files that are read, given as paths, folders and globs."""
    target = Path(path).resolve()
    there = [Path(match).resolve() for one in read for match in (one, *matches(one))]
    if target in there or (target.exists() and any(one in target.parents and one.is_dir() for one in there)):
        raise BadInput(f"{path}: this file is one of the inputs; choose another output file")


def missing(path: str, wanted: str = "file or table") -> str:
    """Why a path leads nowhere, with the nearest file beside it; `wanted` is what could have been named."""
    if os.path.isdir(path):
        nested = "*.parquet" if glob.glob(os.path.join(path, "*.parquet")) else "**/*.parquet"
        return f"it is a folder; write {os.path.join(path, nested)} for the files in it"
    if os.path.exists(path):
        return "it can be read only once; write its content to a file first"
    if glob.has_magic(path):
        return "no file matches"
    beside: list[str] = []
    with suppress(OSError):  # there is no such folder, or nobody may look into it
        beside = os.listdir(Path(path).parent)
    near = get_close_matches(Path(path).name, beside, n=1)
    return f"no such file; did you mean {Path(path).with_name(near[0])}?" if near else f"no such {wanted}"

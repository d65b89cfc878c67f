"""Files as users name them: paths and globs."""

import glob
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from recsql.errors import BadInput


def there(paths: Sequence[str]) -> list[str]:
    """Escapes the paths of existing files, so that they are not read as globs; raises BadInput if no file is behind one."""
    return [glob.escape(path) if is_there(path) else path for path in paths]


def is_there(path: str, wanted: str = "file or table") -> bool:
    """Whether a path is a file; raises BadInput if neither a file nor a glob with files is on this machine."""
    if os.path.isfile(path):
        return True
    if "://" not in path and not any(map(os.path.isfile, matches(path))):
        raise BadInput(f"{path}: {missing(path, wanted)}")
    return False


def matches(path: str) -> list[str]:
    """The paths that a glob matches, sorted by name; ** includes subfolders."""
    return sorted(glob.glob(path, recursive=True))


def refuse_to_replace(read: Iterable[str], path: str) -> None:
    """Raises BadInput if the file to write is one of the inputs, which are paths, folders and globs."""
    target = Path(path).resolve()
    there = [Path(match).resolve() for one in read for match in (one, *matches(one))]
    if target in there or (target.exists() and any(one in target.parents and one.is_dir() for one in there)):
        raise BadInput(f"{path}: this file is one of the inputs; choose another output file")


def missing(path: str, wanted: str = "file or table") -> str:
    """Why a path leads nowhere, with the nearest file beside it; `wanted` is what it could have named."""
    if os.path.isdir(path):
        nested = "*.parquet" if glob.glob(os.path.join(path, "*.parquet")) else "**/*.parquet"
        return f"it is a folder; write {os.path.join(path, nested)} for the files in it"
    if os.path.exists(path):
        return "it can be read only once; write its content to a file first"
    if glob.has_magic(path):
        return "no file matches"
    beside: list[str] = []
    with suppress(OSError):  # the folder is missing, or can't be read
        beside = os.listdir(Path(path).parent)
    near = get_close_matches(Path(path).name, beside, n=1)
    return f"no such file; did you mean {Path(path).with_name(near[0])}?" if near else f"no such {wanted}"

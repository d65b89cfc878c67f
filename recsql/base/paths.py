"""Files as users name them: paths and globs. A file is written whole or not at all."""

import glob
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path

from recsql.base.errors import BadInput, EngineError, RecsqlError

COMPRESSED = (".gz", ".zst")


def is_there(path: str, wanted: str = "file or table") -> bool:
    """Whether `path` is a file; raises BadInput if it is neither a file, a glob that matches files, nor a URL."""
    if os.path.isfile(path):
        return True
    if "://" not in path and not any(map(os.path.isfile, matches(path))):
        raise BadInput(f"{path}: {why_missing(path, wanted)}")
    return False


def matches(*globs: str) -> list[str]:
    """The paths that the globs match, sorted by name within each glob; ** includes subfolders."""
    return [path for one in globs for path in sorted(glob.glob(one, recursive=True))]


def largest(paths: Iterable[str]) -> int:
    """The bytes of the largest file, estimated if it is compressed; at least DuckDB's usual limit for a JSON value."""
    sizes = {file: os.path.getsize(file) for file in matches(*paths)}
    return max(2**24, *(min(32 * size, 2**31) if file.endswith(COMPRESSED) else size for file, size in sizes.items()), 0)


def refuse_to_replace(read: Iterable[str], path: str) -> None:
    """Raises BadInput if `path`, the file to write, is one of the inputs `read`: paths, folders and globs."""
    target = Path(path).resolve()
    there = [Path(match).resolve() for one in read for match in (one, *matches(one))]
    if target in there or (target.exists() and any(one in target.parents and one.is_dir() for one in there)):
        raise BadInput(f"{path}: this file is one of the inputs; choose another output file")


def why_missing(path: str, wanted: str = "file or table") -> str:
    """Says that `path` does not exist, and names the nearest path that does. `wanted` says what `path` could be."""
    if os.path.isdir(path):
        nested = "*.parquet" if glob.glob(os.path.join(path, "*.parquet")) else "**/*.parquet"
        return f"it is a folder; write {os.path.join(path, nested)} for the files in it"
    if os.path.exists(path):
        return "it can be read only once; write its content to a file first"
    if glob.has_magic(path):
        return "no file matches"
    with suppress(OSError):  # if a folder can't be read
        lacking = next((one for one in (*reversed(Path(path).parents), Path(path)) if not one.exists()), Path(path))
        near = get_close_matches(lacking.name, os.listdir(lacking.parent), n=1)
        for meant in (lacking.with_name(name) / Path(path).relative_to(lacking) for name in near):
            if meant.exists():
                return f"no such file; did you mean {meant}?"
    return f"no such {wanted}"


# -- writing


@contextmanager
def whole(path: str) -> Iterator[str]:
    """A temporary path to write to, which is renamed to `path` at the end; RecsqlError if `path` can't be written."""
    target = target_of(path)
    beside = ""
    try:
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        os.close(handle)
        yield beside
        mask = os.umask(0)  # for new files; it can be read only by setting it
        os.umask(mask)
        Path(beside).chmod(0o666 & ~mask)
        Path(beside).replace(target)
    except (OSError, EngineError) as error:
        if isinstance(error, EngineError) and Path(beside).name not in str(error):
            raise  # the error is about a query, not the file
        raise RecsqlError(f"{path}: it can't be written: {why(error)}") from None
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)


@contextmanager
def whole_together(files: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Temporary paths for several files, by name, as in `whole`. Either all files appear or none does."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(whole(path)) for name, path in files.items()}


def refuse_same_file(files: Mapping[str, str]) -> None:
    """Raises RecsqlError if two files, given by name, are the same one."""
    if len({Path(path).resolve() for path in files.values()}) < len(files):
        names, path = " and ".join(files), next(iter(files.values()))
        raise RecsqlError(f"{path}: {names} can't both be written to this file; give two files")


def target_of(path: str) -> Path:
    """`path` with links resolved; raises RecsqlError if it is not a file, or if its folder is missing."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise RecsqlError(f"{path}: it is {'a folder' if target.is_dir() else 'not a regular file'}; name a file")
    if not target.parent.is_dir():
        raise RecsqlError(f"{path}: the folder {target.parent} does not exist; create it first")
    return target


def why(error: OSError | EngineError) -> str:
    """Why a file couldn't be written, in the operating system's words. DuckDB appends these to the file's name."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    behind = re.search(r'\.part[\\"]*: ([^"\n]+)', str(error))
    return behind[1] if behind else str(error)

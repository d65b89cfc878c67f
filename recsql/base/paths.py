"""Files as users name them: paths and globs. A file is written whole or not at all."""

import glob
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path

from recsql.base.errors import BadInput, EngineError, RecsqlError
from recsql.base.text import SURROGATE

COMPRESSED = (".gz", ".zst")


def is_there(path: str, wanted: str = "file or table") -> bool:
    """Whether `path` is a file; raises BadInput if it is neither a file, a glob that matches files, nor a URL."""
    if os.path.isfile(path_text(path)):
        return True
    if "://" not in path and not any(map(os.path.isfile, matches(path))):
        raise BadInput(f"{path}: {why_missing(path, wanted)}")
    return False


def is_path(text: str) -> bool:
    """Whether `text` is the path of a file or folder that exists, a glob that matches, or a URL but one of the web."""
    is_url = "://" in text and not text.lower().startswith("http")
    return is_url or os.path.exists(text) or (glob.has_magic(text) and bool(matches(text)))


def matches(*globs: str) -> list[str]:
    """The paths that the globs match, sorted by name within each glob; ** includes subfolders."""
    return [path for one in globs for path in sorted(glob.glob(one, recursive=True))]


def largest(paths: Iterable[str]) -> int:
    """The bytes of the largest file, estimated if it is compressed; at least DuckDB's usual limit for a JSON value."""
    sizes = {file: os.path.getsize(file) for file in matches(*paths)}
    return max(2**24, *(min(32 * size, 2**31) if file.endswith(COMPRESSED) else size for file, size in sizes.items()), 0)


def refuse_to_replace(read: Iterable[str], path: object) -> None:
    """Raises BadInput if `path`, the file to write, is one of the inputs `read`: paths, folders and globs."""
    target = resolved(path)
    there = [Path(match).resolve() for one in read for match in (one, *matches(one)) if os.path.exists(match)]
    if target.exists() and any(one in (target, *target.parents) for one in there):
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
def whole(path: object) -> Iterator[str]:
    """A temporary path to write to, which is renamed to `path` at the end; RecsqlError if `path` can't be written.

    A file that is there is replaced by one with its mode and owner, which meanwhile nobody else can read.
    """
    target = target_of(path)
    beside = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        before = target.stat() if target.exists() else None
        beside.touch(0o600 if before else 0o666, exist_ok=False)  # less what the umask takes away
        mode = (before or beside.stat()).st_mode & 0o777
        yield str(beside)
        for ids in [(-1, before.st_gid), (before.st_uid, -1)] if before else []:
            with suppress(OSError, AttributeError):  # only root may give a file away, and Windows has no owners
                os.chown(beside, *ids)
        beside.chmod(mode)
        beside.replace(target)
    except (OSError, EngineError, UnicodeError) as error:
        if isinstance(error, EngineError) and beside.name not in str(error):
            raise  # the error is about a query, not the file
        raise RecsqlError(f"{path}: it can't be written: {why(error)}") from None
    finally:
        for left in (beside, Path(f"{beside}.wal")):  # the log of a database
            left.unlink(missing_ok=True)


@contextmanager
def whole_together(files: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Temporary paths for several files, by name, as in `whole`. Either all files appear or none does."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(whole(path)) for name, path in files.items()}


def refuse_same_file(files: Mapping[str, object]) -> None:
    """Raises RecsqlError if two files, given by name, are the same one."""
    if len({*map(resolved, files.values())}) < len(files):
        names, path = " and ".join(files), next(iter(files.values()))
        raise RecsqlError(f"{path}: {names} can't both be written to this file; give two files")


def target_of(path: object) -> Path:
    """`path` with links resolved; raises RecsqlError if it is not a file, or if its folder is missing."""
    target = resolved(path)
    if target.exists() and not target.is_file():
        raise RecsqlError(f"{path}: it is {'a folder' if target.is_dir() else 'not a regular file'}; name a file")
    if not (is_there := target.parent.is_dir()) or not os.access(target.parent, os.W_OK):
        what = "can't be written to; choose another one" if is_there else "does not exist; create it first"
        raise RecsqlError(f"{path}: the folder {target.parent} {what}")
    return target


def resolved(path: object) -> Path:
    """`path` with links resolved; raises RecsqlError if it can't be that of a file."""
    text = path_text(path)
    try:
        with suppress(FileNotFoundError):
            os.stat(text)
        return Path(text).resolve()
    except (OSError, ValueError) as error:  # too long, a circle of links, a NUL byte, a folder that can't be searched
        raise RecsqlError(f"{text}: it can't be written: {why(error)}") from None


def path_text(path: object) -> str:
    """The text of a path; raises BadInput for anything else."""
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(text, str) or not text:
        raise BadInput(f"{path!r} is not a path; give text that is not empty, or a Path")
    if SURROGATE.search(text):
        raise BadInput(f"{text}: the path is not in UTF-8, as DuckDB needs it; rename it")
    return text


def why(error: OSError | ValueError) -> str:
    """Why a file couldn't be written, in the operating system's words. DuckDB appends these to the file's name."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    behind = re.search(r'\.part(?:\.wal)?[\\"]*: ([^"\n]+)', str(error))
    return behind[1] if behind else str(error)

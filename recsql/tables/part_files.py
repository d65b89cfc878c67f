"""Finds and reads the files that partial wrote, and refuses those that don't belong together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.paths import is_there, matches, path_text
from recsql.catalog import catalog
from recsql.catalog.headers import Given
from recsql.query.results import USER_OF_A_PART, metadata_of

PartHeader = Mapping[str, Given]  # the metadata of a part, from JSON
SAME = {  # what all parts must share, and the words for a part that differs
    "metrics": "different metrics",
    "cut-offs": "different cut-offs",
    "options": "different options",
    "presets": "different presets",
    "columns": "a different order of metrics",
    "clustered": "another choice of clusters",
}


@dataclass(frozen=True)
class Part:
    """A file that partial wrote: its rows, and the metadata of its call."""

    path: str
    table: pa.Table
    header: PartHeader


def find_parts(parts: Iterable[str | Path]) -> list[str]:
    """The files at paths and globs; raises BadInput if there are none on this machine, or if a file is named twice."""
    files: list[str] = []
    for part in map(path_text, parts):
        if "://" in part:
            raise BadInput(f"{part}: merge reads files of this machine; copy the parts here first")
        files += [part] if is_there(part, "file") else matches(part)
    if not files:
        raise BadInput("parts: the list is empty; name the files that partial wrote")
    times_named = Counter(Path(path).resolve() for path in files)
    for path in files:
        if times_named[Path(path).resolve()] > 1:
            raise BadInput(f"{path}: it is named more than once; name each part once")
    return files


def read_part(path: str) -> Part:
    """Reads a part; raises BadInput for a file that partial did not write."""
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowInvalid):
        raise BadInput(f"{path}: it is not a Parquet file; merge takes the files that partial wrote") from None
    if b"recsql" not in (table.schema.metadata or {}) or "served" not in table.column_names:
        raise BadInput(f"{path}: it is not a part; merge takes the files that partial wrote")
    header: PartHeader = {**metadata_of(table)}
    earlier = {"baseline", "user_group"} & {*table.column_names}  # of rows that would be added as if they were means
    if earlier or not all("options" in column for of_query in header["columns"] for column in of_query):
        raise BadInput(f"{path}: an earlier version of recsql wrote this part; write it anew with partial")
    return Part(path, table, header)


def refuse_parts(parts: Sequence[Part]) -> None:
    """Raises BadInput if parts come from different calls, if two have the same rows, or if their item ids differ in type."""
    first, *others = parts
    definition = by_definition(first.header)
    for part in others:
        header = by_definition(part.header)
        for name, words in SAME.items():
            if header[name] != definition[name]:
                what, which = differences(header["metrics"], definition["metrics"]) if name == "metrics" else (words, "")
                raise BadInput(f"{part.path}: it has {what} from {first.path}{which}; only parts of the same call can be merged")
    made: dict[str, str] = {}
    for part in parts:
        fingerprint = part.header["origin"]["fingerprint"]
        if fingerprint in made:
            same = f"it was made from the same rows as {made[fingerprint]}"
            raise BadInput(f"{part.path}: {same}; a part counts once, so leave one out")
        if fingerprint is not None:
            made[fingerprint] = part.path
    kinds = [one.table.schema.field("item_id").type if "item_id" in one.table.column_names else None for one in parts]
    for part, kind in zip(parts, kinds, strict=True):
        if kind != kinds[0] and not (pa.types.is_integer(kind) and pa.types.is_integer(kinds[0])):
            types = {"in_left": kinds[0], "in_right": kind}
            raise BadInput(catalog().say("id_types", column="item_id", left=first.path, right=part.path, **types))


def by_definition(header: PartHeader) -> PartHeader:
    """The header without the headings that its call gave to metrics."""
    metrics = {options["definition"]: options for options in header["metrics"].values()}
    return {**header, "metrics": metrics, "columns": [[{**one, "heading": ""} for one in each] for each in header["columns"]]}


def differences(ours: PartHeader, theirs: PartHeader) -> tuple[str, str]:
    """How the metrics of two parts differ: in definitions that only one has, or in the options of a metric."""
    if apart := sorted({*ours} ^ {*theirs}):
        return SAME["metrics"], f" ({', '.join(apart)})"
    label = next(label for label in ours if ours[label] != theirs[label])
    pairs = {name: (value, theirs[label].get(name)) for name, value in ours[label].items()}
    named = [f"{name} = {one!r}, not {other!r}" for name, (one, other) in pairs.items() if one != other]
    return SAME["options"], f" ({label}: {', '.join(named)})"


def unit(parts: Sequence[Part]) -> str:
    """The unit of the means: a user, or a user of a part if parts share users, who count in each."""
    return USER_OF_A_PART if share("users", parts) else "user"


def share(what: str, parts: Sequence[Part]) -> bool:
    """Whether two parts share one of their smallest hashes of users or clusters."""
    times_found = Counter(one for part in parts for one in part.header["origin"][what])
    return any(times > 1 for times in times_found.values())


def number_rows(parts: Sequence[Part]) -> pa.Table:
    """The rows of all parts, with a column `part` for its number."""
    rows = [one.table.append_column("part", pa.array([n] * one.table.num_rows, pa.int32())) for n, one in enumerate(parts)]
    return pa.concat_tables(rows, promote_options="permissive").replace_schema_metadata()

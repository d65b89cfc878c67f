"""Input files: their formats, the files at a path, text files as tables, and the errors of unreadable files."""

import glob
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from recsql.base.errors import BadInput, EngineError, NoSuchFile, nearest
from recsql.base.paths import COMPRESSED, is_there, matches, why_missing
from recsql.base.text import LINE_BREAK, quoted, quoted_name
from recsql.base.types import TIMES
from recsql.catalog import catalog
from recsql.catalog.roles import Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect, template
from recsql.tables.source_table import TEXT_KINDS, TOKENS, SourceTable
from recsql.tables.trec import TREC, trec_rows
from recsql.tables.types import TEXT, IdTypes, choose_types

ENDINGS = {  # endings per format; `input` overrides those of TREC
    "parquet": (".parquet",),
    "csv": (".csv", ".tsv", ".tab", ".psv", ".dat", ".data"),
    "json": (".json", ".ndjson", ".jsonl"),
    "trec": (".txt", ".trec", ".run", ".qrel", ".qrels"),
}
VAGUE = (".dat", ".data")  # endings that name no format, but are text if the call doesn't say otherwise
FORMATS = tuple(ENDINGS)
CERTAIN = ("parquet", "csv", "json")
SAID = {"parquet": "Parquet", "csv": "CSV", "json": "JSON", "trec": "a file in TREC's format", "duckdb": "a database of DuckDB"}
DATABASE = re.compile(r"(.+\.(?:duckdb|ddb|db|sqlite3?)):(.+)", re.IGNORECASE | re.DOTALL)
DATABASE_FILE = re.compile(r"\.(duckdb|ddb)$", re.IGNORECASE)
SCHEME = re.compile(r"[A-Za-z][\w+.-]+:/")
DAMAGED = re.compile("TProtocolException|TType|don't know what type|Variable-length int|corrupt")
EXTENSION = re.compile(r"(?:required extension '|requires the extension )(\w+)")
DELIMITERS = ",;|\t"
NOTHING: Mapping[str, str] = {}
GIVEN = "given_to_recsql_"  # how the names of tables begin that only a call has


def ending_of(path: str) -> str | None:
    """The format of a path, by its ending; the query of a URL is ignored."""
    name = path.partition("?")[0] if SCHEME.match(path) else path
    name = name.lower()
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return next((kind for kind, endings in ENDINGS.items() if name.endswith(endings)), None)


def split_ending(path: str) -> tuple[str, str]:
    """Splits a file's name, without its folder, into stem and ending, as in recs and .csv.gz."""
    stem, ending = os.path.splitext(os.path.basename(path))
    if ending.lower() in COMPRESSED:
        stem, inner = os.path.splitext(stem)
        ending = inner + ending
    return stem, ending


def find_format(path: str, asked: str | None) -> str:
    """The format of a file or of those that match a glob; `asked` is that of files with other endings, and "trec" also of CSV."""
    kinds: set[str | None] = {ending_of(path)}
    if kinds == {None} and glob.has_magic(path):
        kinds = {ending_of(one) for one in matches(path)} or kinds
        if len(kinds) > 1:
            raise mixed_formats(path, kinds)
    [kind] = kinds
    is_certain = kind in CERTAIN and (asked, kind) != ("trec", "csv") and not (asked and path.lower().endswith(VAGUE))
    return str(kind) if is_certain else asked or kind or "parquet"


def mixed_formats(path: str, kinds: Collection[str | None]) -> BadInput:
    """The error for a path with files of several formats."""
    named = ", ".join(sorted(SAID[kind] for kind in kinds if kind) + ["others"] * (None in kinds))
    return BadInput(
        f"{path}: the files have several formats ({named}); choose those of one format, such as {path.rstrip('/*')}/*.parquet"
    )


def files_in(folder: str, asked: str | None) -> list[str]:
    """The globs for the files in a folder and its subfolders; raises BadInput if it has no files, or several formats."""
    names = [name for _, _, names in os.walk(folder) for name in names if not name.startswith((".", "_"))]
    kinds = {find_format(name, asked) for name in names if ending_of(name)}
    if len(kinds) > 1:
        raise mixed_formats(folder, kinds)
    if not kinds:
        raise BadInput(f"{folder}: the folder has no file that ends in {', '.join(e for k in CERTAIN for e in ENDINGS[k])}")
    [kind] = kinds
    endings = sorted({split_ending(name)[1] for name in names if ending_of(name) == kind})
    return [os.path.join(glob.escape(folder), "**", f"*{ending}") for ending in endings]


def find_models(engine: Engine, paths: Sequence[str], kind: str | None) -> dict[str, str]:
    """The files at paths, folders and globs by name without folder and ending; BadInput if two have the same name."""
    if engine.dialect != DuckDB.dialect:
        raise BadInput("model: only DuckDB finds files; give a mapping of names to paths")
    found: dict[str, str] = {}
    for path in paths:
        if SCHEME.match(path):
            files = engine.query(f"select g.file from glob({quoted(path)}) as g order by g.file asc")["file"].to_pylist()
        elif os.path.isdir(path):
            files = matches(*files_in(path, kind))
        else:
            files = [path] if is_there(path) else [file for file in matches(path) if os.path.isfile(file)]
        for file in files:
            name, _ = split_ending(file)
            if name in found:
                way = f"name the models yourself, with {name}=FILE or a mapping"
                raise BadInput(f"{file}: {found[name]} is named {name} as well; {way}")
            found[name] = file
    return found


def find_files(engine: Engine, role: Role, name: str, paths: Sequence[str], asked: str | None) -> SourceTable:
    """The files at paths, folders and globs as one table; raises BadInput if there are none, or several formats."""
    local = engine.reads == DuckDB.reads
    asked = None if asked == "trec" and role.name not in TREC else asked
    for path in paths:
        if local and os.path.isfile(path) and DATABASE_FILE.search(path) and asked is None:
            raise BadInput(f"{path}: it is a database; name a table in it, such as {path}:{role.name}")
    for path in paths if local else ():
        refuse_log(path)
    whole = [one for path in paths for one in (files_in(path, asked) if local and os.path.isdir(path) else [path])]
    kinds = {path: find_format(path, asked) for path in whole}
    [kind, *others] = dict.fromkeys(kinds.values())
    if others:
        first, other = (next(path for path in whole if kinds[path] == one) for one in (kind, others[0]))
        raise BadInput(f"{other}: it is {SAID[others[0]]}, and {first} is {SAID[kind]}; give files of one format")
    found = engine.files(whole)
    if kind == "parquet" or (kind == "trec" and role.name not in TREC):
        return SourceTable(name, role, paths=found)
    if engine.dialect != DuckDB.dialect:
        way = f"give it as Parquet, or as a table{'' if kind == 'trec' else ', such as that of spark.read.' + kind + '(...)'}"
        raise BadInput(f"{name}: only DuckDB reads {SAID[kind]}; {way}")
    if kind != "trec":
        return SourceTable(name, role, paths=found, kind=kind)
    return SourceTable(name, role, table=trec_rows(role.name, found), paths=found, kind=kind)


def refuse_log(path: str) -> None:
    """Raises BadInput for a folder or glob of a table that is more than its files, because some are of earlier versions."""
    folder = Path(path if os.path.isdir(path) else os.path.dirname(path) if glob.has_magic(path) else os.devnull)
    for one in (folder, *folder.parents):
        for lake in catalog().formats["folders"]:
            if any(one.glob(lake["has"])):
                what, way = f"{'' if one == folder else 'in '}{lake['is']}", lake["way"].format(path=one)
                raise BadInput(f"{path}: it is {what}, with files of earlier versions; {way}")


def find_in_database(engine: Engine, role: Role, path: str, table: str) -> SourceTable:
    """A table of a DuckDB database file."""
    if not isinstance(engine, DuckDB) or engine.dialect != DuckDB.dialect:
        raise BadInput(f"{path}: only DuckDB reads its databases; give its table as Parquet")
    if not os.path.isfile(path):
        raise BadInput(f"{path}: {why_missing(path, 'file')}")
    refuse_foreign([path], "duckdb")
    database = engine.attach(path)
    found = engine.find_table(table, database)
    if found is None:
        there = engine.tables(database)
        raise BadInput(
            f"{path}: table {table} does not exist; {nearest(table, there)}the tables are: {', '.join(there) or 'none'}"
        )
    return SourceTable(f"{path}:{table}", role, table=found, paths=[glob.escape(path)])


# -- text files


def refuse_shape(engine: Engine, found: SourceTable) -> None:
    """Raises BadInput if a text file is not a table: it is empty, or its lines differ in length, or its names are ambiguous."""
    columns = list(found.types)
    if found.kind == "json":
        if columns == ["json"]:
            raise BadInput(f"{found.name}: it has no objects; give one object per row, in a list or one per line")
        if broken := [column for column in columns if LINE_BREAK.search(column)]:
            raise BadInput(f"{found.name}: the column name {broken[0]!r} has a line break; rename it")
        return
    if len(columns) == 1 and "::" in columns[0]:
        way = "write it as CSV, with a line of column names, as with read_csv('...', delim = '::', names = [...]) in DuckDB"
        raise BadInput(f"{found.name}: its columns are divided by ::, as in {columns[0]}; {way}")
    if columns == ["column0"]:
        raise BadInput(f"{found.name}: the file is empty; its first line must name the columns")
    mark = next((one for one in DELIMITERS if one in columns[0]), None)
    if len(columns) == 1 and mark:  # lines differ in length, so DuckDB has not split them; a query fails with the line
        types = {f"{column} {n}": "VARCHAR" for n, column in enumerate(columns[0].split(mark))}
        how = f"delim = {quoted(mark)}, quote = '\"', escape = '\"', columns = {dialect(engine.reads).struct(types)}"
        for path in (match for one in found.paths for match in matches(one) or [one]):
            rows = f"read_csv({quoted(path)}, auto_detect = false, header = true, {how})"
            engine.query(f"select max(hash(f)) from {rows} as f")
    for column in columns:
        if f"{column}_1" in columns and not column.isdigit():  # DuckDB adds a number to the second of two equal names
            rows = f"read_csv({quoted(found.paths[0])}, header = false, all_varchar = true, skip = 0, comment = '')"
            [header] = engine.query(f"select * from {rows} limit 1").to_pylist()
            if list(header.values()).count(column) > 1:
                raise BadInput(f"{found.name}: its first line names the column {column} twice; rename one of them")


def read_once(engine: Engine, given: SourceTable, ids: IdTypes, wider: Mapping[str, str] = NOTHING) -> SourceTable:
    """Reads the columns in use into a table of this call, as a query reads its tables more than once; a split reads all columns.

    If the first 20,000 lines of CSV suggest types too narrow for the rest, the file is read again with `wider` types.
    """
    found = choose_types(given, ids)
    found = replace(found, read_as={**wider, **found.read_as})
    tokens = TOKENS if found.role.name == "recs" and TOKENS in found.types else None
    named = filter(None, [*found.names.values(), *found.apart.values(), tokens])
    read = found.file_types if found.role.name == "interactions" or found.lists else dict.fromkeys(named)
    columns = ", ".join(map(quoted_name, read))
    text = f"select {columns} from {found.rows(dialect(engine.reads))}"
    try:
        return replace(found, table=engine.keep_once(f"{GIVEN}{found.role.name}", text))
    except (BadInput, EngineError) as error:
        refuse_ids(found, ids)
        if found.kind == "csv":  # in another connection, because the error may have ended the caller's transaction
            every = DuckDB().columns(dialect(DuckDB.reads).csv(found.paths, {}, ", sample_size = -1"))
            if wider := {name: kind for name, kind in every.items() if kind != given.types[name]}:
                return read_once(engine, replace(given, types=every), ids, wider)
        if isinstance(error, EngineError):
            raise BadInput(f"{found.name}: it can't be read: {error}") from None
        raise


def refuse_ids(found: SourceTable, ids: IdTypes) -> None:
    """Raises BadInput for the first id that can't be read as the type of the other ids, with its line."""
    engine, sql = DuckDB(), dialect(DuckDB.reads)
    others = {found.in_files(found.names[column], "")[0]: other for column, (_, other) in ids.items() if found.has(column)}
    what, first = ("line", 1) if found.kind == "csv" else ("row", 0)  # the first line is the header
    for path in matches(*found.paths):
        for column, kind in found.converted.items():
            rows = getattr(sql, found.kind)([glob.escape(path)], {column: found.read_as[column]}, ", parallel = false")
            value = f"unnest(f.{quoted_name(column)})" if kind.endswith("[]") else f"f.{quoted_name(column)}"
            numbered = f"select row_number() over () + {first} as line, {value} as value from {rows} as f"
            wrong = f"n.value is not null and {sql.read_as('n.value', kind.removesuffix('[]'))} is null"
            for row in engine.query(f"select n.line, n.value from ({numbered}) as n where {wrong} limit 1").to_pylist():
                raise BadInput(
                    f"{path}: {what} {row['line']}: {column} is {row['value']!r}, "
                    f"but in {others[column]} it is {kind}; correct it, or give both tables ids of one type"
                )


def refuse_two_dates(engine: Engine, found: SourceTable, column: str) -> None:
    """Raises BadInput for times in a text file if each can be read as two dates, as 01/02/2024 can."""
    if found.kind in TEXT_KINDS and found.paths and found.types[column].startswith(TIMES):
        texts = {name: kind for name, kind in found.read_as.items() if found.kind == "json"} | {column: TEXT}
        rows = replace(found, table="", read_as=texts, types={column: TEXT}).rows(dialect(engine.reads))
        for row in engine.query(template("two_dates", rows=rows, column=f"f.{quoted_name(column)}")).to_pylist():
            raise BadInput(catalog().say("two_dates", interactions=found.name, column=column, example=row["example"]))


# -- what is wrong with a file


def unreadable(engine: Engine, found: SourceTable, error: Exception) -> BadInput:
    """The error for an input whose columns can't be read."""
    if isinstance(error, NoSuchFile):
        return BadInput(f"{found.name}: {why_missing(found.name)}")
    if lacking := EXTENSION.search(str(error)):
        way = f"install it where there is a network, with INSTALL {lacking[1]} in DuckDB, or copy the files here"
        return BadInput(f"{found.name}: DuckDB reads it with its extension {lacking[1]}, which can't be downloaded; {way}")
    if found.kind in SAID and (not found.table or found.kind == "trec"):
        refuse_foreign(matches(*found.paths), found.kind)
    if found.table:
        return BadInput(f"{found.name}: it can't be read: {error}")
    if found.kind != "parquet":
        files = [path for one in found.paths for path in matches(one) or [one]]
        names_file = any(str(error).startswith(f"{path}: ") for path in files)
        return BadInput(str(error) if names_file else f"{found.name}: it can't be read as {SAID[found.kind]}: {error}")
    path = (find_damaged(found.paths) if engine.reads == DuckDB.reads else None) or found.name
    way = "" if ending_of(path) == "parquet" else f"; name its format with input=, one of {', '.join(FORMATS)}"
    return BadInput(f"{path}: it can't be read as Parquet: {error}{way}")


def refuse_foreign(paths: Iterable[str], kind: str) -> None:
    """Raises BadInput for the first file that has another format than its name says, if its first bytes say which."""
    for path in (one for one in paths if os.path.isfile(one) and not (ending_of(one) and one.endswith(COMPRESSED))):
        with open(path, "rb") as file:
            head = file.read(4096)
        for one in catalog().formats["files"]:
            begins = head[one.get("at", 0) :].startswith(bytes.fromhex(one["begins"]))
            if begins and one["is"] != SAID[kind] and path.lower().endswith(tuple(one.get("endings", [""]))):
                raise BadInput(f"{path}: it is {one['is']}, not {SAID[kind]}; {one['way'].format(path=path)}")
        if kind not in ("parquet", "duckdb") and b"\0" in head:
            raise BadInput(f"{path}: it is a binary file, not {SAID[kind]}; give its name the ending of its format")


def find_damaged(paths: Sequence[str], look: str = "describe select * from {}") -> str | None:
    """The first file at the paths and globs for which a query fails."""
    for path in matches(*paths):
        try:
            DuckDB().query(look.format(dialect(DuckDB.reads).parquet([glob.escape(path)])))
        except (BadInput, EngineError):
            return path
    return None


@contextmanager
def name_damaged(tables: Iterable[SourceTable]) -> Iterator[None]:
    """Adds the damaged file to errors about Parquet's format, because DuckDB doesn't name it."""
    try:
        yield
    except EngineError as error:
        files = [path for table in tables for one in table.each if one.kind == "parquet" and not one.table for path in one.paths]
        path = find_damaged(files, "select max(hash(f)) from {} as f") if DAMAGED.search(str(error)) else None
        if path is None:
            raise
        raise BadInput(f"{path}: it can't be read as Parquet: {error}") from None

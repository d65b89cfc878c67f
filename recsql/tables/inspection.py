"""Looks at the columns of an input: mappings in JSON, and LISTs of items, become rows."""

import re
from dataclasses import replace

from recsql.base.errors import BadInput, EngineError
from recsql.base.paths import matches
from recsql.base.text import plain
from recsql.base.types import is_numeric
from recsql.catalog.roles import ORDERS, Names
from recsql.engines import Engine
from recsql.query.templates import dialect
from recsql.tables.files import refuse_shape, unreadable
from recsql.tables.source_table import MODELS, NESTED, SourceTable, nested_kind

LIST = re.compile(r"\[\d*\]$")  # the end of the type of a LIST, or of an ARRAY with its length
# In JSON: an object with hundreds of keys, one of them with alike values, what a user has, and a model with its users.
WIDE = re.compile(r"MAP\(VARCHAR, (?!STRUCT|MAP|.*\]\)$)")
KEYED = re.compile(r"MAP\(VARCHAR, (.*)\)$")
OF_ITEMS = re.compile(r"(STRUCT|MAP)\(.*\)$|.*\[\]$")
OF_MODELS = re.compile(r"(STRUCT|MAP)\(.*(STRUCT\(|MAP\(|\[\](?=[,)])).*\)$")
LINES = re.compile(r"\.(ndjson|jsonl)\b", re.IGNORECASE)
ITEM_FIELDS = ("item_id", "id", "_id", "node_id")  # of a LIST of STRUCTs, before its first field


def inspect(engine: Engine, found: SourceTable, names: Names) -> SourceTable:
    """Adds the columns of an input. A LIST of items becomes one row per item, in the order of the list."""
    sql = dialect(engine.reads)
    nested = nested_kind(found.role) if found.kind == "json" else None
    try:
        types = engine.columns(found.relation(sql))
    except (BadInput, EngineError) as error:
        if not (nested and "maximum_object_size" in str(error)):
            raise unreadable(engine, found, error) from None
        types = {}
    if found.kind == "json" and WIDE.match(types.get("json", "")):
        types = engine.columns(sql.wide_json(found.paths))
    keyed = KEYED.match(types.get("json", "")) if len(types) == 1 else None
    of_users = [keyed[1]] if keyed else list(types.values())
    texts = [kind for kind in of_users if not OF_ITEMS.match(kind)]
    if nested and (
        not texts or ({*texts} == {"VARCHAR"} and not {*types} & {*found.role.needed(names)} and is_one_object(engine, found))
    ):
        if by_column := {*types} & {*found.role.needed(names)}:
            way = "write one object per row, as pandas' to_json(orient='records') does"
            raise BadInput(f"{found.name}: {min(by_column)} has the values of all rows; {way}")
        of_models = nested == NESTED["recs"] and any(map(OF_MODELS.match, of_users))
        found = replace(found, kind=MODELS if of_models else nested)
        types = without_nulls(engine, found, engine.columns(found.relation(sql)))
    if any("\0" in column for column in types):
        raise unreadable(engine, found, BadInput("the name of a column has a NUL byte"))
    found = replace(found, types=types)
    if found.is_text:
        refuse_shape(engine, found)
    return unnest(split_structs(engine, found, names), names)


def is_one_object(engine: Engine, found: SourceTable) -> bool:
    """Whether each file is one JSON object, as a mapping of users to one item each is, and not a list or a row per line."""
    rows = dialect(engine.reads).object(found.paths, "users", "json")
    objects = engine.query(f"select 1 as one from {rows} as f where json_type(f.users) = 'OBJECT'").num_rows
    return objects == len(matches(*found.paths)) and not any(LINES.search(path) for path in found.paths)


def without_nulls(engine: Engine, found: SourceTable, types: dict[str, str]) -> dict[str, str]:
    """The columns of a mapping in JSON without a rank or a score that no item has."""
    if not {*ORDERS} <= types.keys():
        return types
    has = ", ".join(f"count(f.{name}) as {name}" for name in ORDERS)
    [counts] = engine.query(f"select {has} from {found.relation(dialect(engine.reads))} as f").to_pylist()
    return {name: kind for name, kind in types.items() if counts.get(name, 1) or not any(counts.values())}


def list_of_items(found: SourceTable, names: Names) -> tuple[str, str | None]:
    """The name of the column of items, and the column that may be a LIST of them: this one, or else `items`."""
    column = next((one for one in found.role.columns if one.ours == "item_id"), None)
    asked = str(getattr(names, column.argument) or column.ours) if column else ""
    there = {name.lower(): name for name in found.types}.get(asked.lower())
    return asked, there or ("items" if column and "items" in found.types else None)


def split_structs(engine: Engine, found: SourceTable, names: Names) -> SourceTable:
    """Splits a column with a LIST of STRUCTs, as Spark's ALS returns it, into a LIST of ids and one of numbers."""
    structs = [name for name, kind in found.types.items() if kind.startswith("STRUCT") and LIST.search(kind)]
    _, column = list_of_items(found, names)
    if found.role.name == "recs" and column is None and len(structs) == 1:
        column = structs[0]
    if column not in structs:
        return found
    sql, place = dialect(engine.reads), f"l.{plain(column)}"
    rows = found.rows(sql)
    fields = engine.columns(f"(select entry.* from (select {sql.elements(place)} as entry from {rows} as l) as s)")
    target = column if column in list_of_items(found, names) else "items"
    item = next((one for one in ITEM_FIELDS if one in fields), next(iter(fields)))
    usual = "relevance" if found.role.name == "truth" else "score"
    number, numbers = getattr(names, usual) or usual, [one for one in fields if one != item and is_numeric(fields[one])]
    value = next((one for one in (number, usual, "score") if one in numbers), numbers[0] if len(numbers) == 1 else None)
    lists = {target: item} | ({} if value is None else {number: value})
    others = {name: kind for name, kind in found.types.items() if name not in (*structs, *lists)}
    columns = [f"l.{plain(name)}" for name in others]
    columns += [f"{sql.mapped(place, 'e', f'e.{plain(one)}')} as {plain(name)}" for name, one in lists.items()]
    types = others | {name: f"{fields[one]}[]" for name, one in lists.items()}
    return replace(found, table=f"(select {', '.join(columns)} from {rows} as l)", types=types)


def unnest(found: SourceTable, names: Names) -> SourceTable:
    """Turns a LIST of items into one row per item, in the order of the list. LISTs beside it have a value per item."""
    asked, column = list_of_items(found, names)
    if column is None or not LIST.search(found.types[column]):
        return found
    singular = {"items": asked, "scores": "score"}
    lists = {asked: column}
    lists |= {singular.get(name, name): name for name, kind in found.types.items() if LIST.search(kind) and name != column}
    if "rank" in lists:
        raise BadInput(
            f"{found.name}: {column} and rank are both LISTs, but the order of {column} gives the ranks; leave rank out"
        )
    elements = {whole: element for element, whole in lists.items()}
    types = {elements.get(name, name): LIST.sub("", kind) for name, kind in found.types.items()}
    return replace(found, lists=lists, types=types | {"rank": "BIGINT"})

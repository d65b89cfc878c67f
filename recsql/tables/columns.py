"""The columns of a call's tables: what they are, with LISTs and mappings as rows; our names for them; those that are missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, EngineError, nearest
from recsql.base.text import LINE_BREAK, plain
from recsql.base.types import is_numeric
from recsql.catalog import catalog
from recsql.catalog.options import text_in
from recsql.catalog.roles import EITHER, LIKELY, NAMES, ORDERS, RANGE, Column, Names
from recsql.catalog.slice_names import SliceName
from recsql.engines import Engine
from recsql.query.plan import Pipeline
from recsql.query.slices import SOURCES, Key, Slice, slices_in
from recsql.query.templates import dialect
from recsql.tables.files import ending_of, refuse_shape, unreadable
from recsql.tables.shapes import ID
from recsql.tables.source_table import MODELS, NESTED, SourceTable
from recsql.tables.types import refuse_other_type

LIST = re.compile(r"\[\d*\]$")  # the end of the type of a LIST, or of an ARRAY with its length
# In JSON: an object with hundreds of keys, one of them with alike values, what a user has, and a model with its users.
WIDE = re.compile(r"MAP\(VARCHAR, (?!STRUCT|MAP|.*\]\)$)")
KEYED = re.compile(r"MAP\(VARCHAR, (.*)\)$")
OF_ITEMS = re.compile(r"(STRUCT|MAP)\(.*\)$|.*\[\]$")
OF_MODELS = re.compile(r"(STRUCT|MAP)\(.*(STRUCT\(|MAP\(|\[\](?=[,)])).*\)$")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(_\d+)?")  # a value in place of a name; DuckDB appends _1 to the second of two equal names


def names_among(found: SourceTable, tables: Iterable[SourceTable], names: Names) -> Names:
    """The names for one of several tables: it may lack the model, the rank or the score that only others have."""
    every = {name.lower() for one in tables for name in one.types}
    elsewhere = every - {*map(str.lower, found.types)}
    lacking = [one for one in ("model", *ORDERS) if (getattr(names, one) or "").lower() in elsewhere]
    return replace(names, **{one: getattr(Names, one) for one in lacking})


def rename_columns(found: SourceTable, names: Names, sliced: Mapping[str, str]) -> SourceTable:
    """`found` with our names for the columns of its role and, as in `sliced`, of slices; BadInput names every missing column."""
    theirs = {name.lower(): name for name in found.types}
    called: dict[str, str] = {}
    lacking = []
    for column in found.role.columns:
        given = getattr(names, column.argument)
        if found.role.own_id in theirs and given in NAMES["beir"].values() and given not in theirs:
            given = found.role.own_id
        if not given and (column.on_request or column.usual):
            continue
        called[column.ours] = given or column.ours
        needed = column.absent is None or (given != column.usual and not column.counted)
        if needed and called[column.ours].lower() not in theirs:
            lacking.append(missing_column(found, column, names))
    if lacking:
        raise BadInput("; ".join(lacking[:1] if found.role.truth else lacking))  # without a range, one column stands for all
    called |= {column.ours: sliced[column.ours] for column in found.role.readable if column.ours in sliced}
    for name in called.values():
        if name.lower() in found.doubled:
            raise BadInput(f"{found.name}: it has two columns named {name}, as SQL ignores case; rename one of them")
        if name.lower() in theirs and LINE_BREAK.search(name):
            raise BadInput(f"{found.name}: the column name {name!r} has a line break; rename it")
    if (item := theirs.get(called.get("item_id", "").lower())) and found.types[item].endswith("[]"):
        raise BadInput(f"{found.name}: {item} is a LIST of LISTs, and not of ids; make a view with a row per item")
    there = {ours: theirs[name.lower()] for ours, name in called.items() if name.lower() in theirs}
    there |= [("told", theirs[one]) for one in found.role.told if theirs.get(one) == one][:1]
    if "relevance" in called and "relevance" not in there:
        # It likely has another name, such as grade or rating.
        free = {name: one for name, one in theirs.items() if one not in there.values() and is_numeric(found.types[one])}
        there |= [(ours, free[name]) for ours, likely in LIKELY.items() for name in likely if name in free][:1]
    kept = {"fold": "fold", **({"dataset": names.dataset} if names.dataset != "none" else {})}
    return replace(
        found, names=there, apart={ours: theirs[name.lower()] for ours, name in kept.items() if name.lower() in theirs}
    )


def has_ranges(truth: SourceTable, names: Names) -> bool:
    """Whether the truth has ranges of documents and no items."""
    there = {name.lower() for name in truth.types}
    return names.document.lower() in there and there.isdisjoint({str(names.truth_item).lower(), "items"})


def missing_column(found: SourceTable, column: Column, names: Names) -> str:
    """The sentence for a missing column of a role, with the columns that exist and the argument to pass."""
    name = getattr(names, column.argument) or column.ours
    if column.ours == "item_id" and found.types.get("items") == "VARCHAR":
        way = "split it first, as in: select user_id, string_split(items, ' ') as items from ..."
        return f"{found.name}: items is text, not a LIST of ids; {way}"
    if column.argument == "budget":
        return f"{found.name}: there is no column {name}, which budget names; it has {', '.join(found.types)}"
    if column in RANGE and found.role.name == "truth":
        way = "take item='document' duplicates='hole'"
        return f"{found.name}: there is no column {name}; judgements of whole documents need none: {way}"
    if column in RANGE:
        way = f"name it with {column.argument}='NAME'"
        return f"{found.name}: there is no column {name}, but {found.role.truth} has spans of documents; {way}"
    without, way = column.absent is not None, name_with(column.argument)
    if found.role.own_id in found.types:
        way = f"rename {found.role.own_id} to {name}; or if the other tables are BEIR's or TREC's, add names='beir'"
    if column.argument in ORDERS:
        others = {str(getattr(names, one) or one).lower() for one in ORDERS} | {*ORDERS}
        without, way = not others.isdisjoint(map(str.lower, found.types)), name_with(*ORDERS)
    return no_column(found, name, "leave the argument out if there is none" if without and name != column.ours else way)


def name_with(*arguments: str) -> str:
    """The advice for a missing column: pass its name as one of these arguments."""
    return "name the column with " + " or ".join(f"{one}='...'" for one in arguments)


def no_column(found: SourceTable, name: str, way: str) -> str:
    """The sentence for a missing column, with the columns that exist and the advice `way`."""
    if found.kind == "csv" and any(NUMBER.fullmatch(one) for one in found.types):
        way = "the first line seems to be data, so add a line of column names above it"
    hint, columns = nearest(name, found.types), ", ".join(found.types)
    return catalog().say("missing_columns", table=found.name, column=name, hint=hint, columns=columns, way=way)


# -- the columns of an input


def inspect(engine: Engine, found: SourceTable, names: Names) -> SourceTable:
    """Adds the columns of an input. A LIST of items becomes one row per item, in the order of the list."""
    sql = dialect(engine.reads)
    nested, needed = NESTED.get(found.role.name) if found.kind == "json" else None, {*found.role.needed(names)}
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
    texts = {kind for kind in of_users if not OF_ITEMS.match(kind)}
    # Texts alone may also be one row.
    one_id = texts == {"VARCHAR"} and needed.isdisjoint(types) and all(path.lower().endswith(".json") for path in found.paths)
    if nested and (not texts or (one_id and engine.query(f"from {found.relation(sql)} limit 2").num_rows == 1)):
        if by_column := needed.intersection(types):
            way = "write one object per row, as pandas' to_json(orient='records') does"
            raise BadInput(f"{found.name}: {min(by_column)} has the values of all rows; {way}")
        of_models = found.role.name == "recs" and any(map(OF_MODELS.match, of_users))
        found = replace(found, kind=MODELS if of_models else nested)
        types = without_nulls(engine, found, engine.columns(found.relation(sql)))
    if any("\0" in column for column in types):
        raise unreadable(engine, found, BadInput("the name of a column has a NUL byte"))
    found = replace(found, types=types)
    if found.is_text:
        refuse_shape(engine, found)
    return unnest(split_structs(engine, found, names), names)


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
    item = next((one for one in ID if one in fields), next(iter(fields)))
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


# -- what orders the lists


def choose_order(pipeline: Pipeline, found: Mapping[str, SourceTable], names: Names) -> Pipeline:
    """The pipeline with rank_by set to the column that orders the lists, or to both if models differ; BadInput if there is none.

    A preset's column applies only if it exists: lists with ranks alone have no ties to break.
    """
    asked = pipeline.rank_by
    by = preferred = asked or ("score" if names.score else text_in(pipeline.options, "rank_by"))
    if "recs" in found:
        tables = [one for one in found["recs"].each if not one.is_empty] or found["recs"].each
        orders = {order for one in tables for order in orders_of(one, preferred).values()}
        for one in (one for one in tables if not any(map(one.has, [asked] if asked else ORDERS))):
            what = "no column rank or score" if asked is None else f"no column {asked} to order the lists by"
            truth_orders = "truth" in found and not {*ORDERS}.isdisjoint(map(str.lower, found["truth"].types))
            swapped = "; or are the tables swapped? recommendations come first" if truth_orders else ""
            way = name_with(*([asked] if asked else ORDERS))
            raise BadInput(f"{one.name}: there is {what}; it has {', '.join(one.types)}; {way}{swapped}")
        by = asked or (orders.pop() if len(orders) == 1 else EITHER[preferred or "rank"])
    if by == "rank" and pipeline.options["order"] == "asc":
        instead = "add rank_by='score', or leave it out"
        raise BadInput(f"order='asc': it is about scores, but the lists are ordered by rank; {instead}")
    return pipeline.under(rank_by=by)


def orders_of(found: SourceTable, preferred: str | None) -> dict[str, str]:
    """The column that orders the lists of one table, by model if its models may differ, else under an empty name.

    TREC runs are ordered by score, as TREC's tools do, whatever their ranks are.
    """
    wanted = ("score",) if found.kind == "trec" else (preferred, *ORDERS)
    each = found.filled or {"": [one for one in ORDERS if found.has(one)]}
    return {model: next((one for one in wanted if one and one in there), "rank") for model, there in each.items()}


# -- the columns of slices


def find_slices(by: Iterable[SliceName], found: Mapping[str, SourceTable]) -> tuple[Slice, ...]:
    """The slices with the table of each column; raises BadInput for a column that is in no table."""
    return tuple(replace(one, keys=tuple(find_key(key, found) for key in one.keys)) for one in slices_in(by))


def find_key(key: Key, found: Mapping[str, SourceTable]) -> Key:
    """The column of a slice in the first table that has it: segments, truth or recs."""
    if key.role == "train":
        if "train" not in found:
            raise BadInput("by: train.activity is the number of a user's rows in train; give that table as well")
        refuse_train(found["train"], found["recs"], "whose rows train.activity counts")
        return key
    tables = {role: found[role] for role in SOURCES if role in found}
    role = next((role for role, one in tables.items() if one.has(key.ours)), None)
    if role is None and (key.column in found or ending_of(key.column)):
        raise BadInput(f"by: {key.column} is a table, and not a column; give the table with segments=, and its columns with by=")
    if role is None:
        columns = list(dict.fromkeys(name for one in tables.values() for name in one.types))
        hint, there = nearest(key.column, columns), " nor ".join(one.name for one in tables.values())
        user = next(iter(found.values())).names["user_id"]
        way = "" if "segments" in tables else f"; give a table with {user} and that column as segments="
        raise BadInput(f"by: there is no column {key.column} in {there}; {hint}there are {', '.join(columns)}{way}")
    is_list = tables[role].type(key.ours).endswith("[]")
    if is_list and role != "segments":
        raise BadInput(f"{tables[role].name}: {key.column} is a LIST; give one value per row, or a table as segments=")
    return replace(key, role=role, is_list=is_list)


def refuse_train(train: SourceTable, recs: SourceTable, why: str) -> None:
    """Raises BadInput unless train has users with ids of the same type as in recs; `why` says what needs them."""
    if not train.has("user_id"):
        raise BadInput(f"{train.name}: there is no column user_id, {why}; name it with user='...'")
    refuse_other_type("user_id", recs, train)

"""Divides interactions into train and truth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.paths import refuse_same_file, whole_together
from recsql.base.statement import Statement
from recsql.base.text import quoted
from recsql.base.types import is_numeric
from recsql.calls.call import Call, Table
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.catalog.headers import Given, Value
from recsql.catalog.options import OR_NUMBERS, text_in
from recsql.display.file_notes import DROPPED, of_split
from recsql.engines.duckdb import DuckDB
from recsql.engines.spark import Spark
from recsql.query.binding import Inputs, Relation
from recsql.query.parts import Parts
from recsql.query.plan import INTERACTIONS
from recsql.query.render import Query
from recsql.query.templates import dialect, rendered, template
from recsql.tables.files import refuse_two_dates
from recsql.tables.inputs import split_of
from recsql.tables.source_table import SourceTable

PARTS = ("train", "truth")  # the parts that can be files
ADDED = {"part": "splits", "fold": "in_folds", "row_place": "by_row"}  # the columns that a split adds, and when
FURTHER_PARTS = {  # the parts besides train and truth, by the option that adds them
    "validation": "validation",
    **dict.fromkeys(("split__window", "gap", "train_window", "cold_users", "cold_items", "repeats", "split__target"), "unused"),
}


def split(
    interactions: Table,
    protocol: str | None = None,
    *,
    train: str | None = None,
    truth: str | None = None,
    into: str | None = None,
    **settings: Given,
) -> Parts | None:
    """Divides interactions into train and truth by a protocol; the result unpacks into them.

    A global cut in time ("temporal") is recommended: models then learn only from what was known at that time. Under
    the protocols that hold out the last interactions of each user, models can learn from other users' future (Ji et al., 2023).

    Args:
        interactions: A table with user_id, item_id and, except for random and k_fold, the column to order by. Further columns
            are kept.
        protocol: temporal, backtest, last_n, last_fraction, leave_one_out, random, users or k_fold. There is no default.
        train, truth: Parquet files for the two parts; either both appear or neither. They need DuckDB, and a protocol with no
            further parts.
        into: As in `per_user`, for the rows with their part.
        settings: The options of the protocol (docs/options.md), such as cut="2026-03-01", window="7 days" or n=2; user, item,
            connection and input.

    Returns:
        The parts, which unpack into tables: train, fold_in (of the protocol users), validation (if it is asked for) and truth.
        `rows` has each row of `interactions` once, or once in each fold, in no fixed order, with a column `part`, which can also
        be unused; before it `fold`, if there are several. The metadata have the options and the counts. With files, None.

    Raises:
        RecsqlError: If a column is missing or has a NULL, if a cut lies outside the data, or if a part would be empty.

    >>> import pyarrow as pa
    >>> log = pa.table({"user_id": [1, 1, 1], "item_id": [7, 8, 9], "timestamp": [1, 2, 3]})
    >>> train, truth = recsql.split(log, "temporal", cut=3)
    >>> truth["item_id"].to_pylist()
    [9]
    """
    return parts_of(divide(interactions, {"train": train, "truth": truth}, into, settings | {"protocol": protocol})[0])


def leave_one_out(
    interactions: Table, order_by: str = "timestamp", *, into: str | None = None, **settings: Given
) -> Parts | None:
    """Divides interactions by the protocol leave_one_out of `split`: the last interaction of each user is truth."""
    return parts_of(divide(interactions, {}, into, settings | {"order_by": order_by, "protocol": "leave_one_out"})[0])


def parts_of(rows: pa.Table | None) -> Parts | None:
    return None if rows is None else Parts(rows)


def divide(
    interactions: Table, files: Mapping[str, str | None], into: str | None, settings: Mapping[str, Given]
) -> tuple[pa.Table | None, Sequence[str]]:
    """The result of `split`, and the sentences about its parts."""
    given = {part: path for part, path in files.items() if path is not None}
    if given and len(given) < len(files):
        raise RecsqlError("train, truth: give both files, or none for rows with the column part")
    if given and into is not None:
        raise RecsqlError("into: train and truth are written already; leave one of them out")
    refuse_same_file(given)
    with opened({"interactions": interactions}, INTERACTIONS, settings) as found:
        call, engine = with_columns(found), found.engine
        if not isinstance(engine, DuckDB):
            if given:
                raise BadInput("train, truth: Spark can't write two files on this machine; write the rows with into='...'")
            return call.rows("split", into), ()
        for path in given.values():
            call.refuse(path)
        query = Query(next(call.bindings()), "split")
        statement, facts = query.statement(), query.context
        if given:
            refuse_further_parts(query.options, in_folds=facts["in_folds"])
        # These steps are computed once; the others again for the counts and for each part.
        settled_steps = {"cuts", "validation_cuts"} if facts["row_by_row"] else {facts["split_result"]()}
        with engine.keep_steps(statement, settled_steps) as settled:
            rows = Statement.over(settled.steps, rendered(catalog().targets["split_rows"].path, facts))
            read = {name: facts[name] for name in ("names", "in_folds", "placed")}
            counts = engine.query(template("split_counts", rows=rows, **read)).to_pylist()
            further = {"counts": counts, "notes": [*of_split(counts, call.pipelines[0].options)]}
            of_part = partial(template, "split_parts", rows=rows, reasons=DROPPED)
            if not given:
                return call.stored(of_part(part=""), into, **further), further["notes"]
            with whole_together(given) as beside:
                for part, path in beside.items():
                    engine.copy(of_part(part=part), path, {"recsql": call.metadata(**further)})
            return None, further["notes"]


def refuse_further_parts(options: Mapping[str, Value], *, in_folds: bool) -> None:
    """Raises RecsqlError if a split has folds, or parts besides train and truth."""
    changed = [name for name in FURTHER_PARTS if options[name] != catalog().options[name].default]
    further = {"protocol": "the part fold_in"} if options["protocol"] == "users" else {}
    further |= {name: f"the part {FURTHER_PARTS[name]}" for name in changed}
    for name, given in ({"protocol": "folds"} if in_folds else further).items():
        said = f"{catalog().options[name].called}={options[name]!r}"
        raise RecsqlError(f"train, truth: {said} gives {given}; write all rows with the column part to one file instead")


def with_columns(call: Call) -> Call:
    """Binds the call to the columns of the interactions, which keep their names."""
    engine, found, known = call.engine, call.found["interactions"], call.pipelines[0].options
    inputs = Inputs({"interactions": Relation("", quoted(found.name))}, dialect=engine.dialect, known=known)
    facts = Query(inputs, "split").context
    if facts["by_row"] and isinstance(engine, Spark):
        ties = known["split__ties"]
        raise BadInput(f"ties='{ties}' needs the order of the rows, which tables in Spark do not have; use ties='item'")
    added = [column for column, there in ADDED.items() if facts[there]]
    time = "timestamp" if known["order_by"] == "hash" else str(known["order_by"]).lower()
    order_by = text_in(known, "order_by") if facts["placed"] else None
    rows, read, others = split_of(found, order_by, dialect(engine.dialect), added, time)
    if order_by is not None:
        refuse_two_dates(engine, found, next(name for name in found.types if name.lower() == order_by.lower()))
    if facts["timed"]:
        refuse_times(found, known)
    tables = {"interactions": rows}
    if isinstance(known["core"], int) and isinstance(engine, Spark):
        tables["core"] = core_of(engine, rows, read, known["core"])
    return replace(call, inputs=replace(inputs, tables=tables, names=read, others=others))


def core_of(engine: Spark, rows: Relation, names: Mapping[str, str], core: int) -> Relation:
    """The pairs of users and items in the core, for Spark, where a query can't repeat a step."""
    start = f"select distinct {names['user_id']} as user_id, {names['item_id']} as item_id from (\n{rows.select}\n) as t"
    view = engine.repeat_until_stable(start, lambda pairs: template("core_round", pairs=pairs, core=core))
    if not engine.query(f"select 1 as found from {view} as p limit 1").num_rows:
        raise BadInput(f"core: no users have {core} items that each have {core} of these users")
    return Relation(f"select p.user_id, p.item_id\nfrom {view} as p", "")


def refuse_times(found: SourceTable, options: Mapping[str, Value]) -> None:
    """Raises BadInput if the column to order by is no time, or if options of the cut differ from it in kind."""
    if options["order_by"] == "hash":
        raise RecsqlError("order_by: hash is not a time; a cut in time needs a column of times")
    column = next(name for name in found.types if name.lower() == str(options["order_by"]).lower())
    kind = found.types[column]
    is_number = is_numeric(kind)
    if not is_number and not kind.startswith(("TIMESTAMP", "DATE")):
        raise BadInput(f"{found.name}: {column} is {kind}; a cut in time needs a date, a timestamp or a number; cast it")
    for name in (name for name, option in catalog().options.items() if option.type in OR_NUMBERS):
        value = options[name]
        if value is not None and isinstance(value, str) == is_number:
            wanted = "number" if is_number else "date or time" if name == "cut" else "duration such as 7 days"
            raise BadInput(f"{catalog().options[name].called}: {column} is {kind}, so give a {wanted}, not {value!r}")

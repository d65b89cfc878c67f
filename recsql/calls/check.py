"""What is odd about the tables of an evaluation, before anyone trusts its numbers."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa

from recsql.base.errors import BadInput, OtherTypes, RoundedIds, UnknownName, nearest
from recsql.base.statement import Statement
from recsql.base.text import quoted
from recsql.base.types import FLOATS, TIMES, alike, is_numeric
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF
from recsql.catalog.headers import Source, Value
from recsql.catalog.roles import Column
from recsql.query.binding import Inputs, Relation
from recsql.query.plan import FINDINGS
from recsql.query.render import Query
from recsql.query.templates import dialect, holds, rendered
from recsql.tables.inputs import relation
from recsql.tables.source_table import IDS
from recsql.tables.types import TEXT

SEVERITIES = ("error", "warning", "note")
LEVELS = ("quick", "full")
METRICS = ("ndcg", "hit")
UNREADABLE = {OtherTypes: "ids_differ_by_type", RoundedIds: "float_ids"}  # the findings of tables that no query can join
TIMED = ("timestamp", "ts", "time", "datetime", "date")  # columns of times in train and truth, in any case
OWN = ("means", "refusal", "types", "text ids", "float ids")  # what findings need besides tables and columns, and no user gives
NEARLY_ALL = 0.9  # the least mean at which more than this share of the users can have the best possible value
SAID = {"truth_times": "truth.timestamp", "train_times": "train.timestamp"}  # how `not_checked` names what is lacking
TIMES_ALIKE = "times of one kind"  # in truth and train: both are numbers, or neither is
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("severity", "finding", "table", "column", "model")),
        ("count", pa.int64()),
        ("of", pa.int64()),
        *((name, pa.string()) for name in ("unit", "example", "advice")),
    ]
)


@dataclass(frozen=True)
class Finding:
    """One finding of a call: its file, its severity as an expression over `f`, the name of its table, and its query."""

    source: Source
    severity: str
    table: str
    text: str

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def header(self) -> Mapping[str, object]:
        return self.source.header


def check(
    recs: Table,
    truth: Table,
    *,
    metrics: Metrics = METRICS,
    k: int | str = DEFAULT_CUTOFF,
    level: str = "full",
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    rows: str | None = None,
    **settings: Value,
) -> pa.Table:
    """Reports what is odd about the tables of an evaluation: each finding with an example and the way out.

    Args:
        recs, truth, settings: As in `evaluate`, with its tables train, items and users. Findings depend on its options.
        metrics: The metrics whose values are checked, ndcg and hit by default.
        k: The cut-off, 10 by default.
        level: "quick" for what follows from sums per list and per id; "full" also sorts and joins.
        ignore: Findings to leave out.
        severity: Other severities for some findings, as {"few_users": "note"}.
        rows: The name of a finding, for the rows that have it in place of the report, sorted by their columns.

    Returns:
        One row per finding, the worst first: severity (error, warning or note), finding, table, column, model, count, of, unit,
        example and advice. `count` is the number of rows, users, lists, items or pairs (the unit) that have it, among `of`.
        The metadata is a JSON object under "recsql": `not_checked` has the findings that lack a table or a column, with its
        name. docs/check.md describes each finding.

    Raises:
        UnknownName: If a finding, a level or a severity does not exist.
        RecsqlError: As `evaluate` does, if the tables can't be read.
    """
    severities = dict(severity or {})
    refuse_unknown([*ignore, *severities, *([rows] if rows else [])], level, severities)
    try:
        with opened({"recs": recs, "truth": truth}, FINDINGS, settings, metrics, (k,)) as call:
            valued = rows is None or bool({"means", "refusal"} & {*needs_of(catalog().findings[rows])})
            inputs, lacking = looked_at(call, with_values=valued)
            query = Query(inputs, "findings" if rows is None else "finding_rows")
            query.context |= {
                "types": types_of(call),
                "times_alike": TIMES_ALIKE in traits(call),
                "full": level == "full",
                "hits_valued": bool(inputs.columns_of("user")),
            }
            query.context["text_ids"] = [column for column in IDS if types_of(call)["truth"].get(column) == TEXT]
            if rows is not None:
                return found_rows(query, call, catalog().findings[rows], lacking)
            sources = [one for name, one in catalog().findings.items() if name not in {*ignore, *lacking}]
            sources = [one for one in sources if level == "full" or one.header.get("level") != "full"]
            found = [read(query, call, one, severities) for one in sources if holds(one.when, query.context)]
            report = call.engine.query(report_of(query, found)).cast(SCHEMA) if found else SCHEMA.empty_table()
            return report.replace_schema_metadata(metadata(lacking))
    except (OtherTypes, RoundedIds) as error:
        name = UNREADABLE[type(error)]
        if rows is not None or name in ignore:
            raise
        row = {"finding": name, "severity": severities.get(name, "error"), "example": str(error)}
        others = dict.fromkeys(set(catalog().findings) - {name}, name)
        return pa.Table.from_pylist([{**catalog().findings[name].header, **row}], SCHEMA).replace_schema_metadata(
            metadata(others)
        )


def refuse_unknown(names: Collection[str], level: str, severities: Mapping[str, str]) -> None:
    """Raises UnknownName for a finding, a level or a severity that does not exist."""
    for name in names:
        if name not in catalog().findings:
            choices = ", ".join(catalog().findings)
            raise UnknownName(f"there is no finding {name!r}; {nearest(name, catalog().findings)}choose one of {choices}")
    for what, value, known in [("level", level, LEVELS), *(("severity", one, SEVERITIES) for one in severities.values())]:
        if value not in known:
            raise UnknownName(f"{what}: unknown value {value!r}; choose one of {', '.join(known)}")


def metadata(lacking: Mapping[str, str]) -> dict[str, str]:
    """The findings that lack a table or a column, which the user can add."""
    shown = {name: SAID.get(what, what) for name, what in lacking.items() if what not in OWN}
    return {"recsql": json.dumps({"not_checked": shown})}


def looked_at(call: Call, *, with_values: bool) -> tuple[Inputs, dict[str, str]]:
    """What the findings are read from, with the times and the values; and the findings that lack something, with its name."""
    binding = next(iter(call.bindings()))
    tables = {**binding.tables, **dict(timed(call))}
    if with_values:
        tables |= values_of(call)
    there = {*tables, *(f"{role}.{column}" for role, one in call.found.items() for column in one.names)}
    there |= {*traits(call)}
    if "types" in there:  # the users of train can't be joined with the others
        others = {ours: name for ours, name in tables["train"].columns.items() if ours != "user_id"}
        tables["train"] = replace(tables["train"], columns=others)
        there -= {"train.user_id"}
    lacking = {
        name: missing[0] for name, one in catalog().findings.items() if (missing := [x for x in needs_of(one) if x not in there])
    }
    inputs = replace(binding, tables=tables)
    return inputs, lacking


def needs_of(finding: Source) -> Collection[str]:
    """The tables, and the columns as `recs.score`, without which a finding is not looked for."""
    return tuple(finding.header.get("needs", ()))


def types_of(call: Call) -> dict[str, dict[str, str]]:
    """Per table, the types of its columns by our names, and of the column `ts` with its times."""
    types = {role: {ours: one.type(ours) for ours in one.names} for role, one in call.found.items()}
    return {
        role: {**one, **({"ts": call.found[role].types[at]} if (at := time_in(call, role)) else {})}
        for role, one in types.items()
    }


def traits(call: Call) -> Iterator[str]:
    """What findings need besides tables and columns, and the tables of this call have."""
    types = types_of(call)
    truth, train = types["truth"], types.get("train", {})
    ids = [one.get(column, "") for one in types.values() for column in IDS]
    yield from ["text ids"] * any(truth.get(column) == TEXT for column in IDS)
    yield from ["float ids"] * any(kind in FLOATS for kind in ids)
    yield from ["nfc_normalize"] * bool(dialect(call.engine.dialect).composed("x"))
    if "user_id" in train and not alike(train["user_id"], truth["user_id"]):
        yield "types"
    if "ts" in train and "ts" in truth and is_numeric(train["ts"]) == is_numeric(truth["ts"]):
        yield TIMES_ALIKE


def time_in(call: Call, role: str) -> str | None:
    """The column of truth or train that has the times of its rows, if there is one."""
    one = call.found.get(role)
    if one is None or role not in ("truth", "train") or not one.has("user_id"):
        return None
    theirs = {name.lower(): name for name, kind in one.types.items() if kind.startswith(TIMES) or is_numeric(kind)}
    return next((theirs[name] for name in TIMED if name in theirs), None)


def timed(call: Call) -> Iterator[tuple[str, Relation]]:
    """The rows of truth and train with the column that has their times, if there is one."""
    for role, one in call.found.items():
        column = time_in(call, role)
        if column is None:
            continue
        at = Column("ts", "ts", is_time=one.types[column].startswith(TIMES))
        columns = (*(each for each in one.role.columns if each.ours in ("user_id", "item_id", "relevance")), at)
        named = replace(one, names={**one.names, "ts": column}, role=replace(one.role, columns=columns))
        yield f"{role}_times", relation(named, dialect(call.engine.dialect))


def values_of(call: Call) -> dict[str, Relation]:
    """The means of each model, or the sentence with which evaluate refuses the tables."""
    queries = [Query(one, "evaluate") for one in call.bindings(averaged=True)]
    try:
        found = [row for one in queries for row in call.engine.query(one.statement()).to_pylist()]
    except BadInput as error:
        return {"refusal": Relation(f"select {quoted(str(error))} as message", "")}
    least: dict[tuple[str, int | None], float] = {}
    for row in found:
        least[row["metric"], row["k"]] = min(row["value"] or 0, least.get((row["metric"], row["k"]), 1))
    best = users_with_best(call) if any(value > NEARLY_ALL for value in least.values()) else {}
    text = dialect(call.engine.dialect).text
    rows = [
        f"select {text('null' if row['model'] is None else quoted(row['model']))} as model, {quoted(row['metric'])} as metric, "
        f"cast({'null' if row['value'] is None else repr(row['value'])} as double) as value, "
        f"cast({'null' if row['users'] is None else row['users']} as bigint) as users, "
        f"cast({best.get((row['model'], row['metric'], row['k']), 'null')} as bigint) as best"
        for row in found
    ]
    return {"means": Relation("\nunion all\n".join(rows), "")} if rows else {}


def users_with_best(call: Call) -> dict[tuple[str | None, str, int | None], int]:
    """How many users have the best possible value, by model, metric and cut-off; of metrics that can't exceed 1."""
    found: dict[tuple[str | None, str, int | None], int] = {}
    for binding in call.bindings():
        query = Query(binding, "per_user")
        if any(one.best_is_one for one in query.columns["user"]):
            last = rendered(catalog().targets["users_with_best"].path, query.context)
            rows = call.engine.query(Statement.over(query.statement().steps, last)).to_pylist()
            found |= {(row["model"], row["metric"], row["k"]): row["users"] for row in rows}
    return found


def read(query: Query, call: Call, source: Source, severities: Mapping[str, str]) -> Finding:
    """A finding under the options of a call."""
    role = source.header.get("table", "")
    table = call.found[role].name if role in call.found else role
    severity = graded(severities.get(source.name) or source.header["severity"])
    return Finding(source, severity, table, rendered(source.path, query.context))


def graded(severity: str | Mapping[str, float | str]) -> str:
    """The severity as an expression: a constant, or per severity the share above which it holds, or a condition."""
    if isinstance(severity, str):
        return quoted(severity)
    whens = {name: f"f.found > {one} * f.total" if isinstance(one, int | float) else one for name, one in severity.items()}
    return f"case {' '.join(f'when {condition} then {quoted(name)}' for name, condition in whens.items())} end"


def report_of(query: Query, found: Collection[Finding]) -> Statement:
    """The statement for the report of some findings, with the steps that these read."""
    query.context["findings"] = found
    whole = query.statement()
    return Statement.over(whole.steps, whole.last)


def found_rows(query: Query, call: Call, source: Source, lacking: Mapping[str, str]) -> pa.Table:
    """The rows that have a finding; none if the options leave it out. Raises BadInput if a table or a column is missing."""
    need = lacking.get(source.name)
    if need is not None and need not in OWN:
        raise BadInput(f"rows: {source.name} is about {need}, which is missing; add it")
    if need is not None or not holds(source.when, query.context):
        return pa.table({})
    query.context["rows"] = rendered(f"{source.path}:second", query.context)
    whole = query.statement()
    rows = call.engine.query(Statement.over(whole.steps, whole.last))
    return rows.sort_by([(name, "ascending") for name in rows.column_names])

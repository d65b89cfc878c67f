"""Finds oddities in the tables of an evaluation, before anyone trusts its numbers."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pyarrow as pa

from recsql.base.errors import BadInput, OtherTypes, RoundedIds, UnknownName, nearest
from recsql.base.statement import Statement
from recsql.base.text import quoted
from recsql.base.types import FLOATS, NUMBERS, TIMES, alike, is_numeric
from recsql.calls.call import Call, Metrics, Table, means_of
from recsql.calls.open_call import opened
from recsql.calls.warnings import proofs
from recsql.catalog import catalog
from recsql.catalog.grammar import USUAL_CUTOFF, Inner
from recsql.catalog.headers import Given, Source
from recsql.catalog.roles import Column
from recsql.query.binding import Relation
from recsql.query.findings import finding_of
from recsql.query.plan import FINDINGS
from recsql.query.render import Query
from recsql.query.results import Row, of_words
from recsql.query.templates import dialect, holds, rendered
from recsql.tables.inputs import relation, with_tokens
from recsql.tables.source_table import IDS, SourceTable
from recsql.tables.types import TEXT

SEVERITIES = ("error", "warning", "note")
LEVELS = ("quick", "full")
METRICS = (Inner("ndcg"), Inner("hit"))
UNREADABLE = {OtherTypes: "ids_differ_by_type", RoundedIds: "float_ids"}  # the findings of tables that no query can join
TIMED = ("timestamp", "ts", "time", "datetime", "date")  # columns of times in train and truth, in any case
# Needs of findings that users can't give: neither tables nor columns.
OWN = ("means", "refusal", "types", "text ids", "float ids", "spans")
NEARLY_ALL = 0.9  # the least mean at which more than this share of the users can have the best possible value
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("severity", "finding", "table", "column", "model")),
        ("count", pa.int64()),
        ("of", pa.int64()),
        *((name, pa.string()) for name in ("unit", "example", "advice")),
    ]
)


def check(
    recs: Table,
    truth: Table,
    *,
    metrics: Metrics = METRICS,
    k: int | str = USUAL_CUTOFF,
    level: str = "full",
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    rows: str | None = None,
    **settings: Given,
) -> pa.Table:
    """Reports oddities in the tables of an evaluation: each finding with an example and advice. docs/check.md describes each.

    Takes the arguments of `evaluate`. Findings depend on its options, and some on the tables train, items and users.

    Args:
        metrics: The metrics whose values are checked, ndcg and hit by default.
        k: The cut-off, 10 by default.
        level: "quick" for findings from sums per list and per id; "full" for all, which sorts and joins.
        ignore: Findings to leave out.
        severity: Other severities for some findings, as {"few_users": "note"}.
        rows: The name of a finding. Returns the rows that have it, sorted by their columns, in place of findings.

    Returns:
        One row per finding, the worst first: severity (error, warning or note), finding, table, column, model, count, of, unit,
        example and advice. `count` is the number of rows, users, lists, items or pairs (the unit) that have it, among `of`.
        In the metadata, `not_checked` has the findings that lack a table or a column, with its name.

    Raises:
        UnknownName: If a finding, a level or a severity does not exist.
        RecsqlError: As `evaluate` does, if the tables can't be read.

    >>> recsql.check({"u1": {"a": 0.9}}, {"u2": {"b": 1}})["finding"].to_pylist()[0]
    'no_common_users'
    """
    severities = dict(severity or {})
    refuse_unknown([*ignore, *severities, *([rows] if rows else [])], level, severities)
    try:
        with opened({"recs": recs, "truth": truth}, FINDINGS, settings, metrics, k) as call:
            if rows is not None:
                return rows_with(call, catalog().findings[rows])
            left = [one for name, one in catalog().findings.items() if name not in ignore]
            values, counts = values_of(call, left)
            query, lacking = look_at(call, "findings", values, level)
            sources = [one for one in left if one.name not in lacking and is_looked_for(one, query, level, counts)]
            query.context["findings"] = [finding_of(query, one, severities.get(one.name)) for one in sources]
            found = call.engine.query(pruned(query)).cast(SCHEMA) if sources else SCHEMA.empty_table()
            return found.replace_schema_metadata(metadata(lacking))
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
    not_checked = {name: what for name, what in lacking.items() if what not in OWN}
    return {"recsql": json.dumps({**of_words(), "not_checked": not_checked})}


def rows_with(call: Call, source: Source) -> pa.Table:
    """The rows that have a finding; none if the options leave it out. Raises BadInput if a table or a column is missing."""
    query, lacking = look_at(call, "finding_rows", values_of(call, [source])[0])
    need = lacking.get(source.name)
    if need is not None and need not in OWN:
        raise BadInput(f"rows: {source.name} is about {need}, which is missing; add it")
    if need is not None or not is_looked_for(source, query):
        return pa.table({})
    query.context["rows"] = rendered(f"{source.path}|rows", query.context)
    found = call.engine.query(pruned(query))
    called = [call.inputs.called[name] if name in (*IDS, "start", "stop") else name for name in found.column_names]
    return found.rename_columns(called).sort_by([(name, "ascending") for name in called])


def look_at(call: Call, target: str, values: Mapping[str, Relation], level: str = "full") -> tuple[Query, dict[str, str]]:
    """The query for findings, and the findings that lack a table or a column, with its name."""
    sql, found = dialect(call.engine.dialect), call.found
    times = {role: column for role in ("truth", "train") if role in found and (column := time_in(found[role]))}
    types = {
        role: {ours: one.type(ours) for ours in one.names} | ({"ts": one.types[times[role]]} if role in times else {})
        for role, one in found.items()
    }
    binding = next(call.bindings())
    given = {**binding.tables, **with_tokens(found["recs"], sql)}
    tables = {**given, **values, **{f"{role}_times": timed(found[role], at, sql) for role, at in times.items()}}
    truth, train = types["truth"], types.get("train", {})
    text_ids = [column for column in IDS if truth.get(column) == TEXT]
    float_ids = [(role, column) for role, one in types.items() for column in IDS if one.get(column) in FLOATS]
    apart = "user_id" in train and not alike(train["user_id"], truth["user_id"])
    if apart:  # the users of train can't be joined with the others
        others = {ours: name for ours, name in tables["train"].columns.items() if ours != "user_id"}
        tables["train"] = replace(tables["train"], columns=others)
    times_alike = {*times} == {"truth", "train"} and is_numeric(truth["ts"]) == is_numeric(train["ts"])
    own = {"text ids": text_ids, "float ids": float_ids, "types": apart, "times of one kind": times_alike}
    own |= {"spans": binding.known["spans"] == "true"}
    there = {*tables, *(name for name, has in {**own, "nfc_normalize": sql.composed("x")}.items() if has)}
    there |= {f"{role}.{column}" for role, one in found.items() for column in one.names} - {"train.user_id" * apart}
    there |= {f"{role}.timestamp" for role in times}
    lacking = {
        name: missing[0] for name, one in catalog().findings.items() if (missing := [x for x in needs_of(one) if x not in there])
    }
    if own["spans"]:  # calls about them take neither train nor items
        lacking = {name: what if what.partition(".")[0] in ("recs", "corpus") else "spans" for name, what in lacking.items()}
    elif "corpus" in found:
        raise BadInput("corpus: it has the chunks for a truth of spans, and this truth has items; leave corpus= out")
    query = Query(replace(binding, tables=tables), target)
    query.context |= {"types": types, "text_ids": text_ids, "float_ids": float_ids, "times_alike": times_alike}
    query.context |= {"numbers": NUMBERS, "full": level == "full", "hits_valued": bool(binding.columns_of("user"))}
    return query, lacking


def needs_of(finding: Source) -> Sequence[str]:
    """The tables and columns that a finding needs, as `recs.score`."""
    return tuple(finding.header.get("needs", ()))


def time_in(table: SourceTable) -> str | None:
    """The column with the times of truth or train, if there is one."""
    theirs = {name.lower(): name for name, kind in table.types.items() if kind.startswith(TIMES) or is_numeric(kind)}
    return next((theirs[name] for name in TIMED if name in theirs and table.has("user_id")), None)


def timed(table: SourceTable, column: str, sql: SimpleNamespace) -> Relation:
    """Truth or train with its times as `ts`."""
    at = Column("ts", "ts", is_time=table.types[column].startswith(TIMES))
    columns = (*(one for one in table.role.columns if one.ours in (*IDS, "relevance")), at)
    return relation(replace(table, names={**table.names, "ts": column}, role=replace(table.role, columns=columns)), sql)


def values_of(call: Call, findings: Iterable[Source]) -> tuple[dict[str, Relation], Sequence[Row]]:
    """The means as a table and the counts of each model, or the error of evaluate as a table; nothing if no finding needs it."""
    if not any(name in f"{needs_of(one)} {one.when}" for one in findings for name in ("means", "refusal")):
        return {}, []
    try:
        means, models, idle_truth = means_of(call)
    except BadInput as error:
        return {"refusal": Relation(f"select {quoted(str(error))} as message", "")}, []
    rows = means.to_pylist()
    proving = {name for binding in call.bindings() for name, proves in proofs(binding).items() if proves}
    hitting = {row["model"] for row in rows if row["value"] and row["metric"] in proving}
    best = users_with_best(call) if any((row["value"] or 0) > NEARLY_ALL for row in rows) else {}
    users = pa.array([best.get((row["model"], row["metric"], row["k"])) for row in rows], pa.int64())
    columns = [one for binding in call.bindings() for one in Query(binding, "evaluate").columns["user"]]
    of_order = {one.heading for one in columns if one.heading in proving and one.reads_ranks}
    ordered = pa.array([row["metric"] in of_order for row in rows], pa.bool_())
    name = call.engine.register("means", means.append_column("best", users).append_column("ordered", ordered))
    counts = [{**one, "has_hit": one["model"] in hitting, "idle_truth": idle_truth} for one in models]
    return {"means": Relation(f"select m.* from {name} as m", "")}, counts


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


def is_looked_for(source: Source, query: Query, level: str = "full", counts: Sequence[Row] = ()) -> bool:
    """Whether a finding belongs to a level and to the options, and the counts of some model allow for it."""
    if (level != "full" and source.header.get("level") == "full") or not holds(source.when, query.context):
        return False
    possible, k = source.header.get("counts", "true"), int(query.inputs.depth)
    return not counts or any(holds(possible, {**one, "k": k}) for one in counts)


def pruned(query: Query) -> Statement:
    """The statement with only those steps that its last part reads."""
    whole = query.statement()
    return Statement.over(whole.steps, whole.last)

"""The steps use only SQL that engines have in common: the text is searched for traps, and a strict engine runs it.

If it fails, a step uses SQL that only one engine has.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import datafusion
import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.catalog.headers import source_of
from recsql.query.metric import FUNCTIONS, Metric
from recsql.query.plan import LISTS, RATINGS
from recsql.query.templates import dialect
from tests.random_data import random_data
from tests.sql.test_rendering import RENDERED, ROOT, query_of
from tests.support import OF_USERS

# What to write instead, the pattern, and a text with the trap.
TRAPS = {
    "a decimal literal: write 1e0": (r"(?<![\w.])(\d+\.\d*|\.\d+)(?![\w.])", "1. / x.rank"),
    "log has another base elsewhere: write ln or log2": (r"\blog(10)?\s*\(", "LOG (2)"),
    "^ is not a power everywhere: write power()": (r"\^", '{{ "x ^ 2" }}'),
    "// is no division elsewhere": (r"//", "a // b"),
    ":: is no cast elsewhere: write cast()": (r"::", "a::double"),
    "concat() treats NULL in two ways: write ||": (r"\bconcat(_ws)?\s*\(", "concat(a, null)"),
    "a filter needs its where": (r"\)\s*filter\s*\((?!\s*where\b)", "count(*) filter(x.a > 0)"),
    "not every engine has qualify": (r"\bqualify\b", "qualify x.rank = 1"),
    "not every engine groups or orders by all": (r"\b(group|order)\s+by\s+all\b", "group by all"),
    "not every engine has these joins: write exists, or a left join": (
        r"\b(semi|anti|asof|positional)\s+join\b",
        "from a semi\njoin b",
    ),
    "not every engine has lateral or (un)pivot: write union all": (
        r"\b(lateral|(un)?pivot)\b",
        "cross join lateral (values (1))",
    ),
    "not every engine samples, or as this one: the option sample takes users": (
        r"\b(using|table)\s*sample\b",
        "from t using sample 10",
    ),
    "a window needs its order": (
        r"\b(row_number|(dense_|percent_)?rank|cume_dist|ntile|lag|lead|first_value|last_value)\s*\([^()]*\)\s*"
        r"over\s*\((?![^()]*\border\s+by\b)",
        "rank() over (partition by x.a)",
    ),
    "NULL is first here and last there, and a model may be NULL: write nulls first": (
        r"\border\s+by\b[^()]*\bmodel\b(?!(\s+(asc|desc))?\s+nulls\b)",
        "order by x.model asc, x.k asc",
    ),
    "random() gives other numbers elsewhere": (r"\b(random|rand|setseed)\s*\(", "random()"),
    "lists and maps are other things elsewhere: the dialect has them": (
        r"\b(list(_\w+)?|array_agg|unnest|len|struct_pack|map)\s*\(|\{\s*'",
        "{{ sql.text('ARRAY_AGG(x)') }}",
    ),
    "an index counts from 1 here and from 0 there: the dialect has nth": (r"\[", "x.items[1]"),
    "a map is written in two ways: write case": (r"\bmap\s*\{|\{\s*'", "{'rank': x.rank}"),
    "numbers in a row are a table of another column elsewhere: the dialect has whole_numbers": (
        r"\b(range|generate_series)\s*\(",
        "from range(10)",
    ),
    "a hash is another elsewhere: the dialect has it": (
        r"\b(hash|xxhash64|md5_number\w*)\s*\(|'0x",
        "cast('0x' || md5(x) as bigint)",
    ),
    "argmax is not known elsewhere: the dialect has of_first": (r"\b(arg_max|arg_min|max_by|min_by)\s*\(", "arg_max(x, y)"),
    "a sum that is not exact: the dialect has sums": (r"\b(fsum|favg|kahan_sum)\s*\(", "fsum(x)"),
    "a truth value is no number elsewhere: write case": (
        r"\b(count_?if\s*\(|(sum|avg)\s*\((?!\s*case\b)[^()]*([<>=]|\b(and|or|not|in|is)\b))",
        "sum(x.rank <= 5)",
    ),
    "several columns are counted in two ways: write count(*) over select distinct": (
        r"\bcount\s*\(\s*distinct\b[^()]*(,|\([^()]*,)",
        "count(distinct (a, b))",
    ),
    "text is joined in two ways": (r"\b(string_agg|group_concat|listagg)\s*\(", "string_agg(x, ',')"),
    "a quantile is written in two ways: write percentile_cont() within group": (r"\b(quantile(_\w+)?|median)\s*\(", "median(x)"),
    "an argument has no name elsewhere": (r":=|=>", "f(k := 10)"),
    "a backslash is a character here and an escape there": (r"\\", r"'a\nb'"),
    "a comma before the end is no SQL elsewhere": (r",\s*(\)|(from|where|group|order)\b)", "select a,\nfrom t"),
    "a number of 128 bits is not known elsewhere": (r"\b(u?hugeint|ubigint)\b", "cast(x as HUGEINT)"),
    "text is varchar here and string there: the dialect has text()": (r"(?<!')\bvarchar\b", "cast(x as VARCHAR)"),
    "a variable is written in two ways: the dialect has it": (r"\blambda\b|->", "lambda e: e"),
    "an error is raised in two ways: the dialect has it": (r"\b(raise_)?error\s*\(", "error('no')"),
    "how a step is computed is the engine's matter: the dialect has inline()": (r"\bmaterialized\b", "with a as materialized ("),
    "a star with exceptions is not known elsewhere": (r"\*\s*(exclude|replace|rename)\b|\bcolumns\s*\(", "select * exclude (a)"),
    "a select begins with select": (r"(^|\()\s*from\b", "(from t)"),
}
OURS = ("steps", "metrics", "statistics", "expressions", "checks")
OF_THE_MACROS = {  # which only DuckDB runs
    "asked_rows",
    "cutoff_count",
    "cutoffs",
    "cuts_of_macro",
    "given_interactions",  # the order of rows, which a split refuses to read on other engines
    "likely_relevance",
    "metric_values",
    "missing_columns",
    "one_cutoff",
    "place_in_call",
    "requirements",
    "whole_list",
}
PATTERNS = {"by_size", "without_prefix"}  # which write regular expressions
SOURCES = [
    source
    for source in catalog().sources.values()
    if source.folder in OURS and source.name not in OF_THE_MACROS | PATTERNS | catalog().findings.keys()
]


BRANCH = re.compile(r"(\{%-? *(?:if|elif|else|endif|for|endfor)\b.*?%\})", re.DOTALL)


def of_queries(text: str) -> str:
    """The template without the branches for tables whose columns are unknown, which are those of macros."""
    kept, of_macros = [], []  # for each open block: whether its branch is one
    for piece in BRANCH.split(text):
        word, _, condition = piece.strip("{%-} ").partition(" ") if BRANCH.fullmatch(piece) else ("", "", "")
        if word in ("if", "for"):
            of_macros.append(False)
        if word in ("if", "elif", "else"):
            of_macros[-1] = bool(re.search(r"(?<!not )\bnamed\b", condition))
        kept += [] if any(of_macros) else [piece]
        if word in ("endif", "endfor"):
            of_macros.pop()
    return "".join(kept)


def sql_of(text: str) -> str:
    """The SQL in a template: the text outside Jinja's brackets, and the string literals inside them."""
    within = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
    texts = [
        " x ".join(one or other for one, other in re.findall(r"\"([^\"]*)\"|'([^']*)'", piece))
        for piece in within.findall(text)
        if not piece.startswith("{#")
    ]
    return "\n".join([re.sub(r"--.*", "", within.sub(" x ", text)), *texts])


def caught(trap: str, text: str) -> str:
    """What falls into the trap, nothing where all is well."""
    found = re.search(TRAPS[trap][0], text, re.IGNORECASE)
    return found[0] if found else ""


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 150
    assert {source.folder for source in SOURCES} == set(OURS)


LEFT_JOIN = re.compile(r"\bleft join \S+ as (\w+)\s+on\b(.*?)(?=\b(left|inner|cross|full|where|group|order)\b|\Z)", re.DOTALL)


def one_sided(text: str) -> list[str]:
    """The conditions of left joins that don't name the joined table."""
    return [
        " ".join(condition.split())
        for join in LEFT_JOIN.finditer(re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", text, flags=re.DOTALL))
        for condition in re.split(r"\band\b", join[2])
        if "." in condition and f"{join[1]}." not in condition
    ]


def test_left_joins_compare_both_sides() -> None:
    """With a condition on the left side alone, DuckDB 1.5 compares every row with every row: minutes instead of a second."""
    assert one_sided("from a\nleft join b as b\n    on b.i = a.i\n    and not a.done\nwhere a.i > 1") == ["not a.done"]
    assert {source.path: found for source in catalog().sources.values() if (found := one_sided(source.text))} == {}


@pytest.mark.parametrize("trap", TRAPS)
def test_no_trap_in_the_templates(trap: str) -> None:
    found = {source.path: caught(trap, sql_of(of_queries(source.text))) for source in SOURCES}
    assert {path: text for path, text in found.items() if text} == {}


def test_branches_of_macros_are_left_out() -> None:
    text = "a{% if named and x %}b{% if y %}c{% else %}d{% endif %}{% elif y %}e{% else %}f{% endif %}"
    assert re.sub(r"\{.*?\}", "", of_queries(f"{text}{{% if not named %}}g{{% endif %}}")) == "aefg"


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_found(trap: str) -> None:
    assert caught(trap, sql_of(TRAPS[trap][1]))


SPOKEN_BY_DUCKDB = [trap for trap in TRAPS if not re.search("dialect has|two ways|128 bits", trap)]


@pytest.mark.parametrize("name", RENDERED)
def test_no_trap_in_what_spark_is_given(name: str) -> None:
    """What only shows when it is rendered, such as 1 / 2.5 from an option."""
    text = query_of({"k": (5, 10)} | RENDERED[name], "spark")
    without = re.sub(r"`[^`]*`|'(?:[^'\\]|\\.)*'|--.*", "''", text)
    found = {trap: caught(trap, without) for trap in SPOKEN_BY_DUCKDB}
    assert {trap: text for trap, text in found.items() if text} == {}


# -- the witness

USUAL = {name: option.default for name, option in catalog().options.items()}
LENGTHLESS = [name for name in OF_USERS if "returned" not in Metric(name, USUAL).needs]
CASES: dict[str, dict[str, Any]] = {
    "every metric that needs no length of lists": {"metrics": LENGTHLESS, "catalog_size": 40},
    "denominators": {"metrics": ["ap(denominator=relevant)", "ap(denominator=hits)", "recall(denominator=achievable)", "f1"]},
    "gains": {"metrics": ["ndcg", "dcg"], "gain": "exp2", "discount": "jk2002"},
    "by score": {"metrics": ["ndcg", "precision"], "rank_by": "score"},
    "ties in any order": {"metrics": ["ndcg", "ap", "rr", "hit"], "rank_by": "score", "ties": "expected", "duplicates": "first"},
    "ties in the best order": {"metrics": ["ndcg", "ap", "rr"], "rank_by": "score", "ties": "best", "duplicates": "first"},
    "who is in the mean": {"metrics": ["ndcg", "hit"], "no_recs": "skip", "no_truth": "zero"},
    "copies": {"metrics": ["ndcg", "ap"], "duplicates": "first"},
    "judged items alone": {"metrics": ["ndcg", "rr"], "judged_only": "true"},
    "unseen items": {"metrics": ["ndcg", "rr", "entropy"], "train": "past", "seen": "drop", "user": "user_id"},
    "only candidates": {"metrics": ["ndcg", "rr"], "candidates": "truth"},
    "an ideal of k items": {"metrics": "ndcg", "ideal": "constant"},
    "candidates": {"metrics": "ndcg", "ideal": "candidates"},
    "a catalogue": {"metrics": ["entropy", "coverage", "gini", "gini(weight=exposure)"], "catalog_size": 60},
    "sample": {"metrics": "ndcg", "sample": 0.5},
}


@pytest.fixture(scope="module", autouse=True)
def spoken() -> Iterator[None]:
    """DataFusion as a dialect, which it is for these tests alone."""
    source = source_of("dialects/datafusion.sql", (ROOT / "tests/datafusion.sql").read_text())
    catalog().dialects["datafusion"] = catalog().sources[source.path] = source
    yield
    del catalog().dialects["datafusion"], catalog().sources[source.path]
    dialect.cache_clear()


def both(con: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table]) -> datafusion.SessionContext:
    """The strict engine, with the tables that DuckDB gets, too."""
    strict = datafusion.SessionContext()
    floats = pa.list_(pa.float64())
    strict.register_udf(datafusion.udf(discounted, [floats, pa.string()], floats, "volatile", "discounted"))
    for table, rows in tables.items():
        con.register(table, rows)
        strict.register_record_batches(table, [rows.to_batches()])
    return strict


def discounted(lists: pa.Array, discounts: pa.Array) -> pa.Array:
    """The gains of lists in units of 1e-18, with the discount of each rank r, which is also Python: no function has variables."""
    [discount] = {*discounts.to_pylist()}
    weights = [1e18 * eval(discount, {**FUNCTIONS, "log2": math.log2, "r": r}) for r in range(1, 100)]
    units = [one and [float(gain * weight) for gain, weight in zip(one, weights, strict=False)] for one in lists.to_pylist()]
    return pa.array(units, pa.list_(pa.float64()))


def bracketed(text: str) -> str:
    """Its parser takes what follows `is not distinct from` for one operand, with every `and` in it."""
    return re.sub(r"\w+\.model is not distinct from \w+\.model", r"(\g<0>)", text)


def alike(row: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether two rows are the same, except for the last digits of real numbers."""
    return row.keys() == wanted.keys() and all(
        row[name] == value or (isinstance(value, float) and math.isclose(row[name], value, rel_tol=1e-12))
        for name, value in wanted.items()
    )


@pytest.mark.few(8)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("name", "copies"), [*((name, True) for name in CASES), *((name, False) for name in [*CASES][::5])])
def test_a_strict_engine_gives_the_same(con: duckdb.DuckDBPyConnection, name: str, copies: bool) -> None:
    """DataFusion truncates a quotient of integers and knows little of what DuckDB has beyond the standard."""
    settings: dict[str, Any] = {"k": [1, 5], "duplicates": "hole", **CASES[name]}
    data = random_data(7, users=40, ties=True, copies=copies)
    tables = {
        "recs": data.recs_table("model", "user_id", "item_id", "rank", "score"),
        "truth": data.truth_table("user_id", "item_id", "relevance", "rank"),
        "past": random_data(8, users=40).truth_table("user_id", "item_id"),
    }
    strict = both(con, tables)
    named: dict[str, Any] = {"model": "model", "relevance": "relevance", "score": "score", "rank": "rank"}
    ordered = {"rank_by": "rank", **settings}
    expected = recsql.evaluate("recs", "truth", connection=con, **named, **ordered)
    text = recsql.sql("recs", "truth", dialect="datafusion", **named, **ordered)
    found = strict.sql(bracketed(text)).to_arrow_table()
    assert found.num_rows == expected.num_rows
    for row, wanted in zip(found.to_pylist(), expected.to_pylist(), strict=True):
        assert alike(row, wanted), (row, wanted)


def test_a_strict_engine_gives_the_same_per_user(con: duckdb.DuckDBPyConnection) -> None:
    data = random_data(7, users=40, ties=True)
    strict = both(con, {"recs": data.recs_table("model", "user_id", "item_id", "rank"), "truth": data.truth_table()})
    settings = {"model": "model", "relevance": "relevance", "rank_by": "rank"}
    expected = recsql.per_user("recs", "truth", ["ndcg", "ap", "recall"], [1, 5], connection=con, **settings)
    with opened(
        {"recs": "recs", "truth": "truth"}, LISTS, settings, ["ndcg", "ap", "recall"], [1, 5], sql_of="datafusion"
    ) as call:
        found = strict.sql(bracketed(call.text("per_user"))).to_arrow_table()
    ours, theirs = (
        sorted(rows.to_pylist(), key=lambda row: (row["model"], row["user_id"], row["k"])) for rows in (found, expected)
    )
    for row, wanted in zip(ours, theirs, strict=True):
        assert alike(row, wanted), (row, wanted)


OF_LABELS = ["brier", "calibration_ratio", "ece", "ece(norm=max)", "logloss", "ne", "pr_auc", "rating_auc", "rating_order", "rig"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"metrics": "all"},
        {"metrics": OF_LABELS, "threshold": 3},
        {"metrics": "ece(binning=quantile, bins=2)", "threshold": 3},
    ],
)
def test_a_strict_engine_gives_the_same_of_ratings(con: duckdb.DuckDBPyConnection, settings: dict[str, Any]) -> None:
    guesses = [0.5, 0.25, 0.75, 1 / 3] if settings.get("threshold") else [1.5, 2.0, 3.0, 1 / 3]
    rows = {"user_id": [1, 1, 2, 3], "item_id": [1, 2, 3, 4], "rating": [1, 2, 4, 5], "prediction": guesses}
    strict = both(con, {"predictions": pa.table(rows)})
    expected = recsql.evaluate_ratings("predictions", connection=con, **settings)
    given = {"rating": "rating", **{name: value for name, value in settings.items() if name != "metrics"}}
    with opened({"predictions": "predictions"}, RATINGS, given, settings.get("metrics"), sql_of="datafusion") as call:
        found = strict.sql(bracketed(call.text("rating_metrics"))).to_arrow_table()
    for row, wanted in zip(found.to_pylist(), expected.to_pylist(), strict=True):
        assert alike(row, wanted), (row, wanted)

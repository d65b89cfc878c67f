"""A metric's printed name: it has every option that affects the metric and is not the usual one.

If it fails, two metrics with different options print the same name, or a name can't be asked for again.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.base.package import release
from recsql.catalog import catalog
from recsql.catalog.headers import Option
from recsql.catalog.options import idle
from recsql.query.metric_names import options_in_effect, options_of
from recsql.query.plan import plan
from tests.random_data import random_data
from tests.support import OF_ITEMS, is_refused, parsed

K = 3
GAIN_MAP = {-1: 0, 0: 0, 1: 1, 2: 3.5, 3: 7}
GAINS = "-1:0.0 0:0.0 1:1.0 2:3.5 3:7.0"
Tables = Mapping[str, pa.Table]
Value = tuple[Any, float | None, int | None]  # the model, the mean, and over how many it is


@dataclass(frozen=True)
class Change:
    """An option set to something, beside the options without which it could not count; how a label says it."""

    name: str
    value: Any
    beside: Mapping[str, Any]
    said: str

    def __str__(self) -> str:
        return f"{self.name}={self.said}"


# What an option needs to count for anything, and what must not be asked: data that would be refused, or an option missing.
BESIDE: Mapping[str, Mapping[str, Any]] = {
    "discount_p": {"discount": "geometric"},
    "gain_map": {"gain": "map", "gain_map": {gain: gain for gain in GAIN_MAP}},
    "ties": {"rank_by": "score"},
    "order": {"rank_by": "score"},
    "smoothing": {"entropy_scope": "category"},
    "entropy_base": {"entropy_scope": "list"},
    "auc_negatives": {"auc_over": "list"},
}
REFUSED = {("truth_check", "leave_one_out"), ("no_truth", "error"), ("ties", "error"), ("gain", "map"), ("seen", "error")}
NUMBERS = {"discount_p": 0.5, "relevance_threshold": 2, "beta": 0.5, "smoothing": 1.5}
TESTED_ELSEWHERE = {"intervals", "comparison", "slices", "spans", "propensity"}
WITHOUT_ORDER = {"expected", "best", "worst"}  # of tied items: the metrics of items refuse it


def changes() -> Iterator[Change]:
    """Every option of lists and items with every value that is not its default."""
    for name, option in catalog().options_of(["user", "item"]).items():
        beside = BESIDE.get(name, {})
        yield from (Change(name, value, beside, str(value)) for value in values(option) if (name, value) not in REFUSED)
    yield Change("gain_map", GAIN_MAP, BESIDE["gain_map"], GAINS)
    yield Change("users", "some_users", {}, "table")


def values(option: Option) -> list[Any]:
    if option.name in NUMBERS:
        return [NUMBERS[option.name]]
    if option.type == "preset" or option.topic in TESTED_ELSEWHERE:
        return []
    return [value for value in option.choices if value != option.default]


CHANGES = list(changes())


@pytest.fixture(scope="module")
def tables(con: duckdb.DuckDBPyConnection) -> Tables:
    """Graded truth in an order, lists with tied scores and missing users, a catalogue with categories, some users: in `con`."""
    data = random_data(11, users=24, items=20, text=True, ties=True, relevances=(0.0, 1.0, 2.0, 3.0))
    items = sorted({str(row.item_id) for row in data.recs} | {str(row.item_id) for row in data.truth})
    found = {
        "recs": data.recs_table("model", "user_id", "item_id", "rank", "score"),
        "truth": data.truth_table("user_id", "item_id", "relevance", "rank"),
        "copies": random_data(12, text=True, copies=True).recs_table("model", "user_id", "item_id", "rank", "score"),
        "all_items": pa.table({"item_id": items, "category": [f"c{n % 3}" for n in range(len(items))]}),
        "learnt": pa.table({"user_id": [f"user {n}" for n in range(len(items) - 2)], "item_id": items[2:]}),
        "some_users": pa.table({"user_id": [f"user {n}" for n in range(0, 24, 2)]}),
    }
    for name, rows in found.items():
        con.register(name, rows)
    return found


def measured(
    tables: Tables, metrics: str | Sequence[str] = "all", recs: str = "recs", **options: Any
) -> dict[str, tuple[str, list[Value]]]:
    """By metric: its label, and its values by model."""
    inputs = {"items": tables["all_items"], "train": tables["learnt"], "catalog_size": 40}
    named = {name: tables[value] if name == "users" and value in tables else value for name, value in options.items()}
    if options.get("ties") in WITHOUT_ORDER:
        inputs = {"catalog_size": 40}
    found: dict[str, tuple[str, list[Value]]] = {}
    for row in recsql.evaluate(tables[recs], tables["truth"], metrics, K, **inputs, **named).to_pylist():
        _, rows = found.setdefault(row["definition"].partition("(")[0], (row["definition"], []))
        rows.append((row["model"], row["value"], row["users"]))
    return found


# -- which options count


@pytest.fixture(scope="module")
def usual(tables: Tables) -> dict[tuple[str, str], dict[str, tuple[str, list[Value]]]]:
    """What there is before a change, by the data and the options beside it."""
    asked = {(source(change), str(change.beside)): change for change in CHANGES}
    return {key: measured(tables, recs=key[0], **before(change)) for key, change in asked.items()}


def source(change: Change) -> str:
    return "copies" if change.name == "duplicates" else "recs"


def before(change: Change) -> dict[str, Any]:
    """The options beside; copies can't be measured under the default."""
    return {**change.beside, "duplicates": "first"} if change.name == "duplicates" else dict(change.beside)


@pytest.mark.thorough
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_an_option_counts_where_it_is_listed(
    change: Change, tables: Tables, usual: Mapping[tuple[str, str], Mapping[str, tuple[str, list[Value]]]]
) -> None:
    """It is in the label of the metrics that list it, and never changes the value of another."""
    found = measured(tables, recs=source(change), **{**before(change), change.name: change.value})
    previous = usual[source(change), str(change.beside)]
    of_all = {name for name, one in catalog().metrics.items() if "by_name" not in one.header}
    chosen = {**before(change), change.name: change.value}
    assert found.keys() >= {name for name in of_all & {*catalog().metrics_of("user")} if not is_refused(name, chosen)}
    for metric, (label, rows) in found.items():
        listed = parsed(label.replace("=table", "=union")).options
        option = catalog().options[change.name]
        short = option.short if option.home.name == metric else change.name
        if change.name in options_of(metric):
            assert change.name in dict(listed) and f"{short}={change.said}" in label
        else:
            assert change.name not in dict(listed)
            assert (label, rows) == (previous[metric][0], approximately(previous[metric][1]))


def approximately(rows: Sequence[Value]) -> list[tuple[Any, Any, int | None]]:
    return [(model, pytest.approx(value, rel=1e-12, abs=1e-12), users) for model, value, users in rows]


CHANGED = {
    "gain=exp2": {"cg", "dcg", "idcg", "ndcg", "rbp"},
    "discount_p=0.5": {"dcg", "idcg", "ndcg"},
    "beta=0.5": {"f1"},
    "rr_cutoff=none": {"rr"},
    "entropy_base=e": {"entropy"},
    "precision_denominator=achievable": {"precision", "f1"},
}


@pytest.mark.parametrize("said", CHANGED)
def test_the_comparison_sees_changes(
    said: str, tables: Tables, usual: Mapping[tuple[str, str], Mapping[str, tuple[str, list[Value]]]]
) -> None:
    [change] = [one for one in CHANGES if str(one) == said]
    found = measured(tables, **{**before(change), change.name: change.value})
    previous = usual[source(change), str(change.beside)]
    assert {metric for metric, (_, rows) in found.items() if rows != approximately(previous[metric][1])} == CHANGED[said]


# -- what they look like

LABELS: list[tuple[str, dict[str, Any], str]] = [
    ("ndcg", {}, "ndcg"),
    ("ndcg", {"gain": "linear", "no_recs": "zero", "beta": 1, "discount_p": 0.8}, "ndcg"),
    ("ndcg", {"gain": "exp2"}, "ndcg(gain=exp2)"),
    ("precision", {"gain": "exp2", "ap_denominator": "hits"}, "precision"),
    ("ap", {"no_recs": "skip", "ap_denominator": "hits", "gain": "exp2"}, "ap(denominator=hits, no_recs=skip)"),
    ("ndcg", {"gain": "map", "gain_map": GAIN_MAP}, f"ndcg(gain=map, gain_map={GAINS})"),
    ("recall", {"relevance_threshold": 1.5}, "recall(relevance_threshold=1.5)"),
    ("f1", {"beta": 2}, "f1(beta=2)"),
    ("f1", {"beta": 0.5, "f1_average": "of_means"}, "f1(beta=0.5, average=of_means)"),
    ("f1", {"precision_denominator": "returned"}, "f1(precision_denominator=returned)"),
    ("precision", {"precision_denominator": "returned"}, "precision(denominator=returned)"),
    ("dcg", {"discount": "geometric", "discount_p": 0.5}, "dcg(discount=geometric, discount_p=0.5)"),
    ("rr", {"rr_cutoff": "none", "rank_by": "score"}, "rr(cutoff=none, rank_by=score)"),
    ("hit", {"users": "some_users"}, "hit(users=table)"),
    ("hit", {"zero_ideal": "one", "ideal": "constant", "gain": "exp2"}, "hit(zero_ideal=one)"),
    ("hit", {"zero_ideal": "skip", "ideal": "constant", "gain": "exp2"}, "hit(gain=exp2, zero_ideal=skip, ideal=constant)"),
    ("tn", {"catalog_size": 40}, "tn"),
    ("tn", {"catalog_size": 40, "judged_only": "true"}, "tn(judged_only=true)"),
    ("ndcg", {"like": "ranx", "gain": "linear", "ties": "item_desc"}, "ndcg(like=ranx, ties=item_desc)"),
    ("ndcg", {"like": "spark", "gain": "linear"}, "ndcg(like=spark, gain=linear)"),
    ("f1", {"like": "ranx", "precision_denominator": "returned"}, "f1(like=ranx, precision_denominator=returned)"),
    ("ap", {"like": "jurity", "no_recs": "zero"}, "ap(like=jurity, no_recs=zero)"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "options", "label"), LABELS, ids=str)
def test_the_label(metric: str, options: dict[str, Any], label: str, con: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    """The same text by options of the call and inside brackets; asking for that text gives the same values."""
    python = recsql.evaluate("recs", "truth", metric, K, connection=con, **options)
    assert set(python["definition"].to_pylist()) == {label}
    if "users=table" not in label:
        again = recsql.evaluate("recs", "truth", label, K, connection=con, catalog_size=options.get("catalog_size"))
        assert set(again["definition"].to_pylist()) == {label}
        assert again["value"].to_pylist() == pytest.approx(python["value"].to_pylist(), rel=1e-12)


ITEM_LABELS: list[tuple[str, dict[str, Any], str]] = [
    ("coverage", {"items": "all_items"}, "coverage"),
    ("coverage", {"train": "learnt", "coverage_denominator": "train"}, "coverage(denominator=train)"),
    ("entropy", {"entropy_base": "e", "entropy_scope": "list"}, "entropy(scope=list, base=e)"),
    ("gini", {"catalog_size": 40, "gini_divide": "n_minus_1"}, "gini(divide=n_minus_1)"),
    ("gini", {"catalog_size": 40, "gini_weight": "exposure", "discount": "jk2002"}, "gini(discount=jk2002, weight=exposure)"),
    ("entropy", {"like": "recbole", "entropy_base": "2"}, "entropy(like=recbole, base=2)"),
]


@pytest.mark.parametrize(("metric", "options", "label"), ITEM_LABELS, ids=str)
def test_the_label_of_all_lists_together(
    metric: str, options: dict[str, Any], label: str, con: duckdb.DuckDBPyConnection, tables: Tables
) -> None:
    python = recsql.item_metrics("recs", metric, K, connection=con, **options)
    assert set(python["definition"].to_pylist()) == {label}
    inputs = {name: value for name, value in options.items() if catalog().options[name].input}
    again = recsql.item_metrics("recs", label, K, connection=con, **inputs)
    assert again["definition"].to_pylist() == python["definition"].to_pylist()
    assert again["value"].to_pylist() == pytest.approx(python["value"].to_pylist(), rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"mean": "micro"}, {"mean": "users"}, {"missing": "error", "mean": "users"}], ids=str)
def test_the_label_of_ratings(options: dict[str, str], con: duckdb.DuckDBPyConnection) -> None:
    """`missing` refuses and changes no value; the table of ratings is an input."""
    pairs = {"user_id": ["u", "u", "v"], "item_id": ["a", "b", "a"]}
    con.register("predicted", pa.table({**pairs, "prediction": [1.0, 2.5, 4.0]}))
    con.register("rated", pa.table({**pairs, "rating": [1.0, 2.0, 5.0]}))
    inside = "(mean=users)" if options.get("mean") == "users" else ""
    metrics = catalog().usual_metrics("rating")
    python = recsql.evaluate_ratings("predicted", "rated", metrics, connection=con, **options)
    expected = {f"{metric}{inside}" for metric in metrics}
    assert set(python["definition"].to_pylist()) == expected
    again = recsql.evaluate_ratings("predicted", "rated", sorted(expected), connection=con)
    values = [{row["definition"]: row["value"] for row in found.to_pylist()} for found in (again, python)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)


# -- a label and its options are the same


def drawn(seed: int) -> dict[str, Any]:
    """Some options of lists, as they may be given together."""
    draw = random.Random(seed)
    chosen = {
        name: draw.choice([*values(option), option.default])
        for name, option in catalog().options_of(["user"]).items()
        if values(option)
    }
    kept = {name: chosen[name] for name in draw.sample(sorted(chosen), draw.randint(0, 5)) if name != "gain"}
    known = {name: option.default for name, option in catalog().options.items()} | kept
    return {name: value for name, value in kept.items() if not idle(catalog().options[name], known)}


def test_a_label_says_all_options_that_count_and_no_others() -> None:
    """It parses back to the options that differ from the default; so two metrics that differ in one have two labels."""
    metrics = [name for name, one in OF_ITEMS.items() if one.grain == "user" and "requires" not in one.header]
    by_label: dict[str, tuple[Any, ...]] = {}
    usual = {name: option.default for name, option in catalog().options.items()}
    for seed in range(150):
        options = drawn(seed)
        for pipeline in plan([name for name in metrics if not is_refused(name, options)], K, options, ["user"]):
            for column in (one for one in pipeline.columns if one.shown):
                metric = column.metric
                counted = {name: value for name, value in options.items() if name in options_in_effect(metric, usual | options)}
                differing = {
                    name: value for name, value in counted.items() if value != catalog().options[name].default and name != "spans"
                }
                assert dict(parsed(column.label).options) == differing
                identity = (metric, *sorted(differing.items()))
                assert by_label.setdefault(column.label, identity) == identity
    assert len(by_label) > 500


def test_a_gain_may_be_written_with_an_exponent(tables: Tables) -> None:
    gains = {-1: 0, 0: 0, 1: 1e-5, 2: 1, 3: 2.5e-06}
    label = "dcg(gain=map, gain_map=-1:0.0 0:0.0 1:1e-05 2:1.0 3:2.5e-06)"
    found = recsql.evaluate(tables["recs"], tables["truth"], "dcg", 3, gain=gains)
    assert set(found["definition"].to_pylist()) == {label}
    assert recsql.evaluate(tables["recs"], tables["truth"], label, 3)["value"].to_pylist() == found["value"].to_pylist()


# -- the schema's metadata


def report(result: pa.Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.schema.metadata[b"recsql"])
    return found


def test_the_metadata_says_how_it_was_computed(tables: Tables) -> None:
    metrics = ["ndcg", "ap(like=ranx)", "ndcg(gain=exp2)"]
    result = recsql.evaluate(tables["recs"], tables["truth"], metrics, K, like="spark", no_recs="skip")
    found = report(result)
    assert list(found["metrics"]) == metrics
    definitions = [one["definition"] for one in found["metrics"].values()]
    assert definitions == [
        "ndcg(like=spark, no_recs=skip)",
        "ap(like=ranx, no_recs=skip)",
        "ndcg(like=spark, gain=exp2, no_recs=skip)",
    ]
    assert list(dict.fromkeys(result["metric"].to_pylist())) == metrics
    assert list(dict.fromkeys(result["definition"].to_pylist())) == definitions
    assert [(one["like"], one["no_recs"]) for one in found["metrics"].values()] == [
        ("spark", "skip"),
        ("ranx", "skip"),
        ("spark", "skip"),
    ]
    for label, options in found["metrics"].items():
        assert list(options) == ["definition", "like", *options_of(label.partition("(")[0])]
    assert found["presets"] == {
        like: f"{catalog().presets[like].title} {catalog().presets[like].version}" for like in ("ranx", "spark")
    }
    assert found["versions"] == {"recsql": release(), "duckdb": duckdb.__version__}
    shared = [(one["gain"], one["relevant"], one["duplicates"], one["no_recs"]) for one in found["options"]]
    assert shared == [
        ("binary", "present", "count", "skip"),
        ("linear", "positive", "last", "skip"),
        ("exp2", "present", "count", "skip"),
    ]
    assert all(one.keys() == catalog().options_of(["user"]).keys() for one in found["options"])


def test_without_a_preset_it_names_none(tables: Tables) -> None:
    for result, labels in (
        (recsql.evaluate(tables["recs"], tables["truth"], ["ndcg", "rr"], K), ["ndcg", "rr"]),
        (recsql.item_metrics(tables["recs"], "entropy(base=e)", K), ["entropy(base=e)"]),
    ):
        assert (list(report(result)["metrics"]), report(result)["presets"]) == (labels, {})
        assert report(result)["versions"]["recsql"] == release()


def test_each_users_values_say_the_same_as_the_means(tables: Tables) -> None:
    asked: tuple[Any, ...] = (tables["recs"], tables["truth"], ["ndcg", "ap(like=ranx)"], K)
    of_users = report(recsql.per_user(*asked, like="spark"))
    of_means = report(recsql.evaluate(*asked, like="spark"))
    assert of_users == {name: value for name, value in of_means.items() if name != "models"}


def test_a_user_has_the_metrics_that_were_asked_for(tables: Tables) -> None:
    """Not those that one of them is made of."""
    rows = recsql.per_user(tables["recs"], tables["truth"], ["f1(average=of_means)", "ndcg"], K)
    assert rows.column_names == ["model", "user_id", "k", "list_length", "relevant", "f1(average=of_means)", "ndcg"]

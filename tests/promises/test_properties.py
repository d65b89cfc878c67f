"""Properties of every metric on any data: bounds, changes without effect, growth with k, the perfect list.

If it fails, a metric breaks a law that holds for any data, such as its bounds.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import Asked
from recsql.query.metric import Metric
from recsql.query.needs import sources_of
from recsql.query.plan import LISTS_AND_ITEMS, RATINGS, plan
from recsql.query.templates import holds
from tests.random_data import Data, Id, Judgement, Rec, random_data
from tests.support import OF_ALL_LISTS, OF_ITEMS, OF_USERS, parsed

KS = [1, 2, 5, 9]
CATALOG_SIZE = 40
NAMES = sorted(OF_ITEMS)
PER_USER = sorted(OF_USERS)
USUAL = {name: option.default for name, option in catalog().options.items()}
BETTER = {name: catalog().metrics[name].header.get("better", "higher") for name in PER_USER}


def made_of(metric: str) -> set[str]:
    """The statistics and other needs of a metric under default options."""
    return Metric(metric, USUAL).needs


# What is made of sums over the hits in the top k, and of R, which is the same at every k: it has more of them for a larger k.
ADDED = {name for name, source in catalog().statistics.items() if source.header["over"] == "hits"} | {"relevant"}
WITH_K = [name for name in PER_USER if made_of(name) <= ADDED]

a_few = settings(max_examples=8, deadline=None, derandomize=True)
seeds = st.integers(0, 10**6)
Values = dict[tuple[Any, ...], dict[str, Any]]


def per_user(con: duckdb.DuckDBPyConnection, data: Data, ks: Sequence[int] = KS, **options: Any) -> Values:
    recs, truth = data.recs_table(), data.truth_table()
    rows = recsql.per_user(recs, truth, PER_USER, ks, catalog_size=CATALOG_SIZE, connection=con, **options).to_pylist()
    return {(row.pop("model"), row.pop("user_id"), row.pop("k")): row for row in rows}


@pytest.mark.parametrize("seed", range(6))
def test_bounds(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """To the last bit: of every metric with some of its options, over lists that repeat items, and of ratings."""
    draw = random.Random(seed)
    data, copies = random_data(seed, copies=seed % 4 > 0), draw.choice(["first", "last", "hole", "count", "set"])
    tables: dict[str, Any] = {
        "items": pa.table(
            {
                "item_id": [*range(12)],
                "category": [draw.sample("abcd", draw.randint(0, 3)) for _ in range(12)],
                "e": [draw.choices([-1.0, 0.1, 0.7], k=3) for _ in range(12)],
            }
        ),
        "vector": "e",
        "train": pa.table({"user_id": draw.choices(range(14), k=40), "item_id": draw.choices(range(12), k=40)}),
    }
    rated = pa.table(
        {
            "user_id": [*range(40)],
            "item_id": [*range(40)],
            "rating": draw.choices([0.0, 1.0], k=40),
            "prediction": [draw.choice([0.0, 1.0, draw.random()]) for _ in range(40)],
        }
    )
    recs, truth = data.recs_table(), data.truth_table()
    for grain, measure in {
        "user": partial(recsql.per_user, recs, truth, catalog_size=CATALOG_SIZE, duplicates=copies),
        "list": partial(recsql.per_user, recs, truth, **tables, duplicates=copies),
        "item": partial(recsql.item_metrics, recs, **tables, duplicates=copies),
        "rating": partial(recsql.evaluate_ratings, rated),
    }.items():
        options = {name: name if name in tables else value for name, value in measure.keywords.items() if name != "vector"}
        metrics = OF_ALL_LISTS if grain == "item" else [name for name in catalog().metrics_of(grain) if name in OF_ITEMS]
        chosen = {one.heading: one for name in metrics for one in drawn(draw, name, options)}
        ks: dict[str, Any] = {} if grain == "rating" else {"k": KS}
        rows = measure(metrics=[*chosen], **ks, connection=con).to_pylist()
        for heading, metric in chosen.items():
            found = [row[heading] if heading in row else row["value"] for row in rows if row.get("metric", heading) == heading]
            exceeds = holds(metric.header.get("exceeds", "false"), metric.options)
            low, high, *_ = (
                [*metric.header["bounds"][: 1 if exceeds else 2], inf, inf] if metric.header["bounds"] else (-inf, inf)
            )
            assert all(value is None or low <= value <= high for value in found), (heading, copies)


def drawn(draw: random.Random, name: str, options: Mapping[str, Any]) -> Iterator[Metric]:
    """A metric alone, and with two values of its own options that it can have under the `options` of a call."""
    grains, ks = (RATINGS, None) if catalog().metrics[name].grain == "rating" else (LISTS_AND_ITEMS, KS)
    own = [one for one in askings(name) if all(catalog().options[option].is_own for option, _ in one.options)]
    own = [one for one in own if ("pauc_insufficient", "error") not in one.options]  # short lists are an error
    for asked in [own[0], *draw.sample(own, min(2, len(own)))]:
        with suppress(recsql.RecsqlError):
            yield from (one for query in plan([str(asked)], ks, options, grains) for one in query.columns if one.shown)


@a_few
@given(seed=seeds)
def test_copies_that_count_leave_no_negative_counts(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    values = per_user(con, random_data(seed, copies=True), duplicates="count")
    assert all(row[metric] >= 0 for row in values.values() for metric in ("tp", "fp", "fn"))


@a_few
@given(seed=seeds)
def test_names_do_not_matter(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Other names for users and items, of another type, but in the same order."""
    data = random_data(seed)
    renamed = per_user(con, with_names(data, lambda user: f"u{user:04}", lambda item: f"é{item * 7:04}"))
    expected = {(model, f"u{user:04}", k): row for (model, user, k), row in per_user(con, data).items()}
    assert renamed.keys() == expected.keys()
    for key, row in expected.items():
        assert renamed[key] == pytest.approx(row, abs=1e-12)


def with_names(data: Data, user: Callable[[Any], Id], item: Callable[[Any], Id]) -> Data:
    recs = [replace(rec, user_id=user(rec.user_id), item_id=item(rec.item_id)) for rec in data.recs]
    return Data(recs, [replace(row, user_id=user(row.user_id), item_id=item(row.item_id)) for row in data.truth])


@a_few
@given(seed=seeds)
def test_order_of_rows_does_not_matter(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    data, draw = random_data(seed), random.Random(seed)
    mixed = per_user(con, Data(draw.sample(data.recs, len(data.recs)), draw.sample(data.truth, len(data.truth))))
    expected = per_user(con, data)
    assert mixed.keys() == expected.keys()
    for key, row in expected.items():
        assert mixed[key] == pytest.approx(row, abs=1e-12)


@a_few
@given(seed=seeds)
def test_what_grows_and_what_shrinks_with_k(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    values = per_user(con, random_data(seed, relevances=(0.0, 1.0, 2.0)), ks=range(1, 11))
    for model, user in {key[:2] for key in values}:
        for metric in WITH_K:
            found = [value for k in range(1, 11) if (value := values[model, user, k][metric]) is not None]
            assert found == sorted(found, reverse=BETTER[metric] == "lower"), (metric, user)


@a_few
@given(seed=seeds)
def test_no_list_is_better_than_the_perfect_one(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """It has all relevant items, the most relevant first, and no other; a share of all that is possible is then 1."""
    data = random_data(seed, relevances=(1.0, 2.0, 3.0))
    best = sorted(data.truth, key=lambda row: (row.user_id, -row.relevance))
    sizes = {row.user_id: sum(other.user_id == row.user_id for other in data.truth) for row in data.truth}
    recs = [Rec(None, row.user_id, row.item_id, place(best, nth), 0.0) for nth, row in enumerate(best)]
    perfect = per_user(con, Data(recs, data.truth), ks=range(1, 10))
    assert len(perfect) == 9 * len(sizes)
    for (_, user, k), row in per_user(con, data, ks=range(1, 10)).items():
        for metric in PER_USER:
            ours, theirs = row[metric], perfect[None, user, k][metric]
            if BETTER[metric] != "neither" and ours is not None:
                assert (ours - theirs) * (1 if BETTER[metric] == "lower" else -1) >= -1e-12, (metric, user, k)
    chances = [name for name in PER_USER if any(need.name == "readings" for one in sources_of(name) for need in one.needs)]
    shares = [name for name in PER_USER if catalog().metrics[name].header["bounds"] == [0, 1] and name not in chances]
    shares.remove("rbp_residual")  # what nobody judged, of any list
    for user, size in sizes.items():
        found = {metric: perfect[None, user, size][metric] for metric in shares if size < 10}
        assert found == pytest.approx(dict.fromkeys(found, 1.0), abs=1e-12), user


PERFECT = [
    {},
    {"gain": "binary"},
    {"gain": "binary", "ideal": "constant"},
    *({"ideal": name} for name in ("truth_uncut", "truth_returned", "candidates")),
    *({"discount": name} for name in ("jk2002", "ln1p", "geometric")),
    *({"truth_rank": "rank", **one} for one in ({"truth_window": "k"}, {"truth_window": "rank"}, {"ideal": "truth_as_given"})),
]


@pytest.mark.parametrize(
    ("options", "fast"), [*((one, "on") for one in PERFECT), *((one, "off") for one in PERFECT[:2])], ids=str
)
def test_the_ndcg_of_a_perfect_list_is_exactly_one(
    monkeypatch: pytest.MonkeyPatch, con: duckdb.DuckDBPyConnection, options: dict[str, Any], fast: str
) -> None:
    """To the last bit, as a list that is compared with 1 shows."""
    monkeypatch.setenv("RECSQL_FAST", fast)
    recs, truth = perfect_lists()
    ks = range(1, len(recs) // 2 + 1) if options.get("ideal") != "truth_uncut" else [len(recs) // 2]
    found = recsql.per_user(recs, truth, "ndcg", ks, connection=con, **options)
    assert {*found["ndcg"].to_pylist()} == {1.0}


def test_the_dcg_of_a_perfect_list_is_its_ideal(connection: duckdb.DuckDBPyConnection) -> None:
    """In the rows of hits and ideal, and in the macro over lists."""
    recs, truth = perfect_lists()
    hits, ideal = (
        sorted(rows.to_pylist(), key=lambda row: (row["user_id"], row["rank"]))
        for rows in (recsql.hits(recs, truth, 60), recsql.ideal(truth, 60))
    )
    assert [row["dcg"] for row in hits] == [row["idcg"] for row in ideal]
    graded = "list_transform(range(60, 0, -1), lambda g: g / 7)"
    for more in ("", f", relevance := {graded}"):
        found = connection.execute(
            f"select distinct recsql.ndcg(range(60), range(60), n.k{more}) from (select unnest(range(1, 61)) as k) as n"
        ).fetchall()
        assert found == [(1.0,)]


def perfect_lists() -> tuple[pa.Table, pa.Table]:
    """Two users with 60 items in the order of their relevance, which is a whole number or a fraction."""
    places = range(60)
    lists = {"user_id": [1] * 60 + [2] * 60, "item_id": [*places, *places], "rank": [place + 1 for place in (*places, *places)]}
    return pa.table(lists), pa.table(
        lists | {"relevance": [float(3 - place // 20) for place in places] + [(60 - place) / 7 for place in places]}
    )


def place(rows: Sequence[Judgement], nth: int) -> int:
    """The rank of a row among those of its user."""
    return 1 + sum(row.user_id == rows[nth].user_id for row in rows[:nth])


@pytest.mark.parametrize("options", [{}, {"duplicates": "first", "no_truth": "zero", "users": "union"}], ids=["plain", "options"])
def test_threads_do_not_matter(options: dict[str, Any]) -> None:
    data = random_data(5, users=3000, items=60, depth=30, copies=bool(options))
    options = options or {"duplicates": "error"}
    recs, truth = data.recs_table(), data.truth_table()
    found = {}
    for threads in (1, 2, 8):
        with duckdb.connect(config={"threads": threads}) as one:
            found[threads] = recsql.evaluate(recs, truth, k=KS, connection=one, **options).to_pylist()
    for threads in (2, 8):
        assert found[threads] == found[1], threads


# -- names print as they parse


def askings(metric: str) -> list[Asked]:
    """A metric alone, and with every value of every option that a query may set in brackets. Its own hide others."""
    found = [Asked(metric)]
    for option in catalog().options_of(GRAINS).values():
        hidden = catalog().option(option.name, metric) is not option
        if not hidden and option.topic != "intervals" and (option.home.name == metric or option.home.folder != "metrics"):
            some: dict[str, list[Any]] = {
                "choice": option.choices,
                "number": [0.25, option.at_most or (option.below / 2 if option.below else 3)],
                "integer": [7],
            }
            values = some.get(option.type, [])
            found += [Asked(metric, ((option.name, value),)) for value in values if value != option.default]
    return found


@pytest.mark.parametrize("metric", NAMES)
def test_metric_parses_as_it_prints(metric: str) -> None:
    for asked, k in product(askings(metric), (None, 1, 100)):
        one = replace(asked, k=k)
        assert parsed(str(one)) == one


@pytest.mark.parametrize("name", NAMES)
def test_other_names_in_any_case(name: str) -> None:
    for alias in catalog().metrics[name].aliases:
        for text in (alias, alias.upper(), alias.replace("_", "-"), f" {alias}@7 "):
            asked = parsed(text)
            assert asked.metric == name
            assert str(asked) == (f"{name}@7" if "@" in text else name)


@pytest.mark.parametrize(
    ("name", "k", "option", "inside", "beside"),
    [
        ("rr", 3, "rank_by", "score", "rank"),
        ("rr", 3, "rank_by", "rank", "score"),
        ("f1(average=of_means)", 3, "precision_denominator", "returned", "k"),
        ("f1(average=of_means)", 1, "recall_denominator", "achievable", "relevant"),
        ("recall", 3, "no_recs", "skip", "zero"),
    ],
)
def test_brackets_beat_the_call(name: str, k: int, option: str, inside: str, beside: str) -> None:
    recs = pa.table({"user_id": [1, 1, 2], "item_id": [0, 1, 9], "rank": [1, 2, 1], "score": [1.0, 2.0, 3.0]})
    truth = pa.table({"user_id": [1, 1, 2, 3], "item_id": [0, 5, 9, 0]})
    stem, bracket = name.split("(") if "(" in name else (name, ")")
    own = f"{stem}({option}={inside}{', ' if bracket != ')' else ''}{bracket}"
    [within] = recsql.evaluate(recs, truth, own, k, **{option: beside})["value"].to_pylist()
    [alone] = recsql.evaluate(recs, truth, name, k, **{option: inside})["value"].to_pylist()
    [other] = recsql.evaluate(recs, truth, name, k, **{option: beside})["value"].to_pylist()
    assert within == alone != other


def test_several_options_print_in_one_order() -> None:
    one, other = "f1(average=of_means, beta=2)@5", "f1(beta=2,average=of_means)@5"
    assert parsed(one) == parsed(other)
    assert str(parsed(other)) == str(parsed(one))
    assert parsed(str(parsed(other))) == parsed(one)


def test_labels_of_results_parse() -> None:
    rows = recsql.evaluate(
        pa.table({"user_id": [1], "item_id": [7], "rank": [1]}),
        pa.table({"user_id": [1], "item_id": [7]}),
        ["MAP(denominator=relevant)@3", "recall(denominator=relevant)", "ndcg(gain=exp2, discount=jk2002)@2"],
        5,
    ).to_pylist()
    labels = [f"{row['definition']}@{row['k']}" for row in rows]
    assert labels[:2] == ["ap(denominator=relevant)@3", "recall@5"]
    assert [str(parsed(label)) for label in labels] == labels

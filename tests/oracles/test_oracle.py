"""Every metric under random options against two oracles: trec_eval, and the formulas reimplemented in plain Python.

If it fails, a metric of users departs from its definition, or from trec_eval, under some option or data.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import pytrec_eval

import recsql
from recsql.catalog import catalog
from recsql.catalog.grammar import name_in
from tests.oracles.oracle import Options, Place, discount, places
from tests.random_data import Data, Id, Judgement, Rec, random_data
from tests.support import near, without_definition

Row = tuple[str | None, Id, int]  # model, user, cut-off
Values = dict[str, float | None]

CATALOG_SIZE = 40
GAIN_MAP = {-1.0: 0.25, 0.0: 0.5, 1.0: 1.0, 2.0: 3.5, 3.0: 2.0}

CHOICES: dict[str, Sequence[Any]] = {
    "precision_denominator": ["k", "returned", "achievable"],
    "recall_denominator": ["relevant", "achievable"],
    "arhr_denominator": ["none", "relevant"],
    "fp_count": ["returned", "k"],
    "first_rank_missing": ["null", "k", "returned"],
    "hit_at_least": [1, 2, "all"],
    "judged_denominator": ["returned", "k"],
    "ap_denominator": ["achievable", "relevant", "achievable_returned", "hits", "k"],
    "gain": ["linear", "binary", "exp2", "exp2_shifted", "map"],
    "discount": ["log2p1", "jk2002", "ln1p", "geometric", "none"],
    "discount_p": [0.8, 0.5],
    "ideal": ["truth", "constant", "truth_uncut", "truth_returned", "candidates", "truth_as_given"],
    "zero_ideal": ["null", "zero", "one", "skip"],
    "no_recs": ["zero", "skip"],
    "no_truth": ["skip", "zero", "zero_below_threshold", "one", "one_if_both_empty"],
    "users": ["truth", "intersection", "union"],
    "duplicates": ["first", "hole", "count", "set", "last"],
    "relevance_threshold": [None, 1, 2],
    "relevant": ["positive", "present"],
    "rr_cutoff": ["k", "none"],
    "truth_window": ["all", "k", "rank"],
    "f1_average": ["per_user", "of_means"],
    "beta": [1, 2, 0.5],
    "rank_by": ["rank", "score"],
    "ties": ["item_asc", "item_desc"],
}
DEFAULTS: dict[str, Any] = {name: values[0] for name, values in CHOICES.items()}


# -- the formulas


@dataclass(frozen=True)
class Truth:
    """What one user's truth comes to: each item's place and, if it is relevant, its gain."""

    places: Mapping[Id, int]
    gains: Mapping[Id, float]


def truth_of(rows: Sequence[Judgement], options: Options) -> Truth:
    """An item listed twice counts once, with its highest relevance."""
    highest: dict[Id, float] = {}
    for row in rows:
        highest[row.item_id] = max(row.relevance, highest.get(row.item_id, row.relevance))
    relevant = {item: grade for item, grade in highest.items() if is_relevant(grade, options)}
    return Truth({row.item_id: row.rank for row in rows}, {item: gain(grade, options) for item, grade in relevant.items()})


def is_relevant(grade: float, options: Options) -> bool:
    if options["relevant"] == "present":
        return True
    threshold = options["relevance_threshold"]
    return grade > 0 if threshold is None else grade >= threshold


def gain(grade: float, options: Options) -> float:
    match options["gain"]:
        case "binary":
            return 1.0
        case "exp2":
            return 2**grade - 1
        case "exp2_shifted":
            return float(2 ** (grade - options["relevance_threshold"] + 1) - 1)
        case "map":
            return GAIN_MAP[grade]
    return grade


def in_force(place: Place, truth: Truth, k: int, options: Options) -> bool:
    """Whether the item at this place would be a hit at cut-off k if the place were within it."""
    if place.item is None or place.item not in truth.gains:
        return False
    reach = {"all": math.inf, "k": k, "rank": place.rank}[options["truth_window"]]
    return truth.places[place.item] <= reach


def ideal_gains(forceful: Sequence[Place], truth: Truth, k: int, returned: int, options: Options) -> dict[int, float]:
    """The gains of the ideal list by rank."""
    window = k if options["truth_window"] == "k" else math.inf
    gains = {item: amount for item, amount in truth.gains.items() if truth.places[item] <= window}
    best = sorted(gains.values(), reverse=True)
    match options["ideal"]:
        case "constant":
            best = [1.0] * k
        case "truth_returned":
            best = best[:returned]
        case "candidates":
            best = sorted((gains[place.item] for place in forceful if place.item is not None), reverse=True)
        case "truth_as_given":
            return {truth.places[item]: amount for item, amount in gains.items() if truth.places[item] <= k}
    return dict(enumerate(best if options["ideal"] == "truth_uncut" else best[:k], start=1))


def ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def f_measure(precision: float, recall: float, beta: float) -> float:
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def measured(listed: Sequence[Place], truth: Truth, k: int, options: Options) -> Values:
    """Every metric of one list at one cut-off."""
    relevant = len(truth.gains)
    returned = sum(place.is_returned for place in listed if place.rank <= k)
    forceful = [place for place in listed if in_force(place, truth, k, options)]
    hits = [place for place in forceful if place.rank <= k]
    precisions = [nth / place.rank for nth, place in enumerate(hits, start=1)]
    precision = ratio(len(hits), {"k": k, "returned": returned, "achievable": min(k, relevant)}[options["precision_denominator"]])
    recall = ratio(len(hits), {"relevant": relevant, "achievable": min(k, relevant)}[options["recall_denominator"]])
    ap_denominators = {
        "achievable": min(relevant, k),
        "relevant": relevant,
        "achievable_returned": min(relevant, returned),
        "hits": len(hits),
        "k": k,
    }
    first = next((place.rank for place in (hits if options["rr_cutoff"] == "k" else forceful)), None)
    dcg = math.fsum(truth.gains[place.item] * discount(place.rank, options) for place in hits if place.item is not None)
    ideal = ideal_gains(forceful, truth, k, returned, options)
    idcg = math.fsum(amount * discount(rank, options) for rank, amount in ideal.items())
    tp, fn = len(hits), relevant - len({place.item for place in hits})
    counted = {"returned": returned, "k": k}
    fp = counted[options["fp_count"]] - tp
    tn = CATALOG_SIZE - tp - fp - fn
    fallout, miss_rate = fp / (CATALOG_SIZE - relevant), ratio(fn, relevant)
    judged = sum(place.item in truth.places for place in listed if place.rank <= k and place.item is not None)
    missing = {"null": None, "k": k + 1, "returned": returned + 1 if returned else None}[options["first_rank_missing"]]
    return {
        "accuracy": (tp + tn) / CATALOG_SIZE,
        "ap": ratio(math.fsum(precisions), ap_denominators[options["ap_denominator"]]),
        "arhr": ratio(
            math.fsum(1 / place.rank for place in hits), {"none": 1, "relevant": relevant}[options["arhr_denominator"]]
        ),
        "balanced_accuracy": (1 - miss_rate + 1 - fallout) / 2,
        "cg": math.fsum(truth.gains[place.item] for place in hits if place.item is not None),
        "dcg": dcg,
        "f1": f_measure(precision, recall, options["beta"]),
        "fallout": fallout,
        "first_rank": hits[0].rank if hits else missing,
        "fn": fn,
        "fp": fp,
        "hit": float(fn == 0 if options["hit_at_least"] == "all" else len(hits) >= options["hit_at_least"]),
        "hits": len(hits),
        "idcg": idcg,
        "judged": ratio(judged, counted[options["judged_denominator"]]),
        "mcc": ratio(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
        "mean_precision": fmean(sum(place.rank <= i for place in hits) / i for i in range(1, k + 1)),
        "miss_rate": miss_rate,
        "ndcg": dcg / idcg if idcg else {"null": None, "skip": None, "zero": 0.0, "one": 1.0}[options["zero_ideal"]],
        "npv": tn / (tn + fn),
        "precision": precision,
        "r_precision": ratio(sum(place.rank <= relevant for place in forceful), relevant),
        "rbp": 0.2 * math.fsum(truth.gains[place.item] * 0.8 ** (place.rank - 1) for place in hits if place.item is not None),
        "recall": recall,
        "rr": 1 / first if first else 0.0,
        "specificity": 1 - fallout,
        "tn": tn,
        "tp": tp,
    }


def members(data: Data, options: Options) -> Iterator[tuple[str | None, Id, list[Place], Truth]]:
    """Every model's users in the mean, each with the list and the truth."""
    lists: dict[tuple[str | None, Id], list[Rec]] = defaultdict(list)
    judged: dict[Id, list[Judgement]] = defaultdict(list)
    for rec in data.recs:
        lists[rec.model, rec.user_id].append(rec)
    for judgement in data.truth:
        judged[judgement.user_id].append(judgement)
    for model in {rec.model for rec in data.recs}:
        for user in {user for _, user in lists} | set(judged):
            listed, truth = places(lists.get((model, user), []), options), truth_of(judged.get(user, []), options)
            if is_counted(bool(listed), bool(truth.gains), user in judged, options):
                yield model, user, listed, truth


def expected_per_user(data: Data, ks: Sequence[int], options: Options) -> dict[Row, Values]:
    """The metrics of every user in the mean."""
    rows: dict[Row, Values] = {}
    for model, user, listed, truth in members(data, options):
        for k in ks:
            values = measured(listed, truth, k, options)
            if options["zero_ideal"] == "skip" and truth.gains and (values["idcg"] or 0) <= 0:
                continue
            rows[model, user, k] = values | {
                "list_length": sum(place.is_returned for place in listed),
                "relevant": len(truth.gains),
            }
            if not truth.gains:
                bounded = [name for name in values if catalog().metrics[name].header["bounds"] == [0, 1]]
                rows[model, user, k] |= dict.fromkeys(bounded, unjudged(bool(listed), options))
    return rows


def is_counted(has_list: bool, has_relevant: bool, stands_in_truth: bool, options: Options) -> bool:
    """Whether a user is in the mean."""
    if not has_list and (options["no_recs"] == "skip" or options["users"] == "intersection"):
        return False
    if has_relevant or options["no_truth"] == "skip":
        return has_relevant or (has_list and options["users"] == "union")
    return stands_in_truth or (has_list and (options["no_truth"] != "zero_below_threshold" or options["users"] == "union"))


def unjudged(has_list: bool, options: Options) -> float:
    """The value of a user without a relevant item, for metrics between 0 and 1."""
    return float(options["no_truth"] == "one" or (options["no_truth"] == "one_if_both_empty" and not has_list))


def expected_means(rows: Mapping[Row, Values], data: Data, options: Options) -> dict[tuple[str | None, str, int], Values]:
    """The mean of each model, metric and cut-off, over how many users it is, and how many of those in the mean have a list."""
    lists = Counter(model for model, _, listed, _ in members(data, options) if listed)
    columns: dict[tuple[str | None, str, int], list[float]] = defaultdict(list)
    for (model, _, k), values in rows.items():
        for metric, value in values.items():
            if metric in ("list_length", "relevant"):  # no metrics
                continue
            columns[model, metric, k] += [] if value is None else [value]
    means: dict[tuple[str | None, str, int], Values] = {
        key: {"value": fmean(values) if values else None, "users": len(values), "lists": lists[key[0]]}
        for key, values in columns.items()
    }
    for model, metric, k in means:
        if metric == "f1" and options["f1_average"] == "of_means":
            precision, recall = (means[model, part, k]["value"] or 0.0 for part in ("precision", "recall"))
            means[model, metric, k]["value"] = f_measure(precision, recall, options["beta"])
    return means


# -- against the formulas

ASKED = [*measured([], Truth({}, {}), 1, DEFAULTS)]  # a metric without a formula above has its cases alone


@dataclass(frozen=True)
class Trial:
    """Data, cut-offs and options drawn from one seed."""

    data: Data
    ks: list[int]
    options: dict[str, Any]

    @property
    def asked(self) -> dict[str, Any]:
        """The options as recsql is asked for them: those that are not at their default."""
        needed = ("duplicates", "rank_by")  # recsql's own defaults are `error`, and the order by the columns given
        asked = {name: value for name, value in self.options.items() if value != DEFAULTS[name] or name in needed}
        if asked.get("discount") != "geometric":
            asked.pop("discount_p", None)
        return asked | {"catalog_size": CATALOG_SIZE} | ({"gain_map": GAIN_MAP} if asked.get("gain") == "map" else {})


def trial(seed: int, *, gaps: bool = False) -> Trial:
    draw = random.Random(seed)
    changed = draw.sample(list(CHOICES), draw.randint(0, len(CHOICES)))
    options = DEFAULTS | {name: draw.choice(CHOICES[name]) for name in changed}
    if options["gain"] == "exp2_shifted":
        options |= {"relevance_threshold": options["relevance_threshold"] or 1, "relevant": "positive"}
    by_score = options["rank_by"] == "score"
    data = random_data(
        seed,
        models=draw.choice([[None], ["a"], ["a", "b", "c"]]),
        text=draw.random() < 0.5,
        copies=draw.random() < 0.5,
        ties=by_score,
        gaps=gaps and not by_score,
    )
    if options["relevant"] == "present" and options["gain"] in ("linear", "exp2"):  # a gain below 0 is refused
        data = replace(data, truth=[replace(row, relevance=max(row.relevance, 0.0)) for row in data.truth])
    return Trial(data, sorted(draw.sample(range(1, 14), 3)), options)


def given(connection: duckdb.DuckDBPyConnection, data: Data) -> None:
    connection.register("recs", data.recs_table("model", "user_id", "item_id", "rank", "score"))
    connection.register("truth", data.truth_table("user_id", "item_id", "relevance", "rank"))


def asked(connection: duckdb.DuckDBPyConnection, function: str, one: Trial) -> list[dict[str, Any]]:
    measure: Any = getattr(recsql, function)
    rows = measure("recs", "truth", ASKED, one.ks, connection=connection, **one.asked).to_pylist()
    return [without_definition(row) for row in rows]


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(24))
def test_formulas(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    one = trial(seed)
    given(connection, one.data)
    per_user = expected_per_user(one.data, one.ks, one.options)
    found = {(row.pop("model"), row.pop("user_id"), row.pop("k")): row for row in asked(connection, "per_user", one)}
    assert found.keys() == per_user.keys()
    for key, values in per_user.items():
        assert found[key] == near(values), key
    means = {(row.pop("model"), name_in(row.pop("metric")), row.pop("k")): row for row in asked(connection, "evaluate", one)}
    expected = expected_means(per_user, one.data, one.options)
    assert means.keys() == expected.keys()
    for mean, value in expected.items():
        assert means[mean] == near(value), mean


@pytest.mark.parametrize("seed", range(100, 104))
def test_some_metrics_alone(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """The query leaves out what the means don't need: users without a hit, the lengths of the lists."""
    one = trial(seed)
    given(connection, one.data)
    everything = {(row["model"], name_in(row["metric"]), row["k"]): row for row in asked(connection, "evaluate", one)}
    draw = random.Random(seed)
    for metric in draw.sample(sorted({metric for _, metric, _ in everything}), 4):
        found = recsql.evaluate("recs", "truth", metric, one.ks, connection=connection, **one.asked).to_pylist()
        expected = [row for (_, name, _), row in everything.items() if name == metric]
        assert [without_definition(row) for row in found] == expected


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(12))
def test_formulas_with_missing_ranks(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """An item keeps its rank if the list has gaps; only the gap of a duplicate is closed."""
    one = trial(seed, gaps=True)
    given(connection, one.data)
    found = {(row.pop("model"), row.pop("user_id"), row.pop("k")): row for row in asked(connection, "per_user", one)}
    for key, values in expected_per_user(one.data, one.ks, one.options).items():
        assert found[key] == near(values), key


def test_more_copies_than_relevant_items(connection: duckdb.DuckDBPyConnection) -> None:
    """Duplicates that count can make a list longer than the user's truth, and thus than its ideal."""
    data = Data([Rec(None, 1, 7, rank, 0.0) for rank in (1, 2, 3)], [Judgement(1, 7, 1.0, 1)])
    given(connection, data)
    one = Trial(data, [2, 3], DEFAULTS | {"duplicates": "count", "ideal": "candidates"})
    idcg = {row["k"]: (row["idcg"], row["ndcg"]) for row in asked(connection, "per_user", one)}
    assert idcg == {2: (pytest.approx(1 + 1 / math.log2(3)), 1.0), 3: (pytest.approx(1.5 + 1 / math.log2(3)), 1.0)}


def test_gain_map_lacks_a_relevance(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, Data([Rec("a", 1, 7, 1, 1.0)], [Judgement(1, 7, 3.0, 1)]))
    with pytest.raises(recsql.RecsqlError, match=r"gain_map: no gain for relevance 3\.0 of user 1, item 7"):
        recsql.evaluate("recs", "truth", "ndcg", connection=connection, gain="map", gain_map={1: 1, 2: 5})


# -- against trec_eval

TREC_KS = [1, 3, 5, 10]
TREC_NAMES = {"precision": "P", "recall": "recall", "ap(denominator=relevant)": "map_cut", "ndcg": "ndcg_cut", "hit": "success"}


def of_trec_eval(data: Data) -> dict[tuple[Id, int], dict[str, float]]:
    """The values of trec_eval for the users in both tables; its reciprocal rank has no cut-off."""
    run: dict[str, dict[str, float]] = defaultdict(dict)
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for rec in data.recs:
        run[str(rec.user_id)][str(rec.item_id)] = rec.score
    for row in data.truth:
        judged[str(row.user_id)][str(row.item_id)] = int(row.relevance)
    cuts = ",".join(map(str, TREC_KS))
    measures = {f"{name}.{cuts}" for name in TREC_NAMES.values()} | {"recip_rank"}
    users = {str(rec.user_id): rec.user_id for rec in data.recs}
    found = {}
    for user, values in pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(run).items():
        for k in TREC_KS:
            at_k = {metric: values[f"{name}_{k}"] for metric, name in TREC_NAMES.items()}
            found[users[user], k] = at_k | {"rr(cutoff=none)": values["recip_rank"]}
    return found


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(10))
def test_trec_eval(seed: int) -> None:
    """Ids are whole numbers and text in turn."""
    text = seed % 2 == 1
    data = random_data(seed, users=40, items=30, depth=20, models=[None], text=text, relevances=(0.0, 1.0, 2.0, 3.0))
    recs, truth = data.recs_table("user_id", "item_id", "score"), data.truth_table()
    metrics = [*TREC_NAMES, "rr(cutoff=none)"]
    alike: dict[str, Any] = {"no_recs": "skip", "no_truth": "zero_below_threshold"}
    expected = of_trec_eval(data)
    rows = recsql.per_user(recs, truth, metrics, TREC_KS, **alike).drop_columns(["model", "list_length", "relevant"]).to_pylist()
    found = {(row.pop("user_id"), row.pop("k")): row for row in rows}
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert found[key] == pytest.approx(values, abs=1e-12), key
    for row in recsql.evaluate(recs, truth, metrics, TREC_KS, **alike).to_pylist():
        mean = fmean(values[row["metric"]] for (_, k), values in expected.items() if k == row["k"])
        assert row["value"] == pytest.approx(mean, abs=1e-12), row


# -- pairs


def share_above(listed: Sequence[Id], found: set[Id], others: set[Id], unlisted: str) -> float:
    """The share of all pairs in which the relevant item is above the other one, by looking at each."""
    place = {item: rank for rank, item in enumerate(listed)}
    pairs = [
        (place.get(one, 999), place.get(other, 999)) for one in found for other in others if unlisted != "drop" or one in place
    ]
    tied = 0.5 if unlisted == "half" else 0.0
    return (
        fmean(1.0 if one < other else tied * (one == other) for one, other in pairs) if pairs else float(bool(found & {*listed}))
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore:recs")
def test_auc_counts_pairs(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    data, draw = random_data(seed, users=20, relevances=(1.0,)), random.Random(seed)
    given(connection, data)
    items = {rec.item_id for rec in data.recs} | {judged.item_id for judged in data.truth}
    relevant, lists = defaultdict[Id, set[Id]](set), defaultdict[tuple[str | None, Id], list[Id]](list)
    for judged in data.truth:
        relevant[judged.user_id].add(judged.item_id)
    past = {user: {*draw.sample(sorted(items - found, key=str), 3)} for user, found in relevant.items()}
    for rec in sorted(data.recs, key=lambda one: one.rank):
        if rec.item_id not in past.get(rec.user_id, ()):
            lists[rec.model, rec.user_id].append(rec.item_id)
    rows = [(user, item) for user, seen in past.items() for item in seen]
    connection.register("past", pa.table({"user_id": [row[0] for row in rows], "item_id": [row[1] for row in rows]}))
    ways = ["half", "worst", "drop"]
    metrics = [
        *(f"auc(unlisted={way})" for way in ways[1:]),
        "auc",
        "auc(candidates=unseen)",
        "auc(over=list)",
        "percentile_rank",
    ]
    chosen: dict[str, Any] = {"catalog_size": len(items), "train": "past", "seen": "drop", "connection": connection}
    for row in recsql.per_user("recs", "truth", metrics, 4, **chosen).to_pylist():
        found, listed = relevant[row["user_id"]], lists[row["model"], row["user_id"]]
        expected = {f"auc(unlisted={way})": share_above(listed, found, items - found, way) for way in ways}
        expected["auc"] = expected.pop("auc(unlisted=half)")
        expected["auc(candidates=unseen)"] = share_above(listed, found, items - found - past[row["user_id"]], "half")
        expected["auc(over=list)"] = share_above(listed[:4], found & {*listed[:4]}, {*listed[:4]} - found, "half")
        below = (len(listed) - 1 + len(items)) / 2 if listed else len(items) / 2
        ranks = [listed.index(item) if item in listed else below for item in found]
        expected["percentile_rank"] = 100 * fmean(ranks) / len(items)
        assert {metric: row[metric] for metric in metrics} == near(expected)

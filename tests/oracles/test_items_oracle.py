"""The metrics of all lists together under random options and tables, against their definitions in plain Python.

If it fails, a metric of all lists together departs from its definition under some option or data.

The Gini index is the mean difference over all pairs of items here; the SQL has it from the items' places.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.oracles.oracle import discount, places
from tests.random_data import Data, Id, Rec, random_data
from tests.support import near, without_definition

List = Sequence[tuple[int, Id]]  # the ranks and items of one user
Lists = Mapping[Id, List]
Weights = Mapping[Id, float]  # what each recommended item gets
Value = dict[str, float | None]
Expected = dict[tuple[str | None, str, int], Value]

CHOICES: dict[str, Sequence[Any]] = {
    "coverage_denominator": ["catalog", "train", "count"],
    "coverage_restrict": ["true", "false"],
    "entropy_scope": ["items", "list", "category"],
    "entropy_base": ["2", "e", "10"],
    "entropy_normalize": ["none", "distinct", "log_catalog"],
    "smoothing": [0, 1e-6, 0.5],
    "gini_population": ["catalog", "recommended"],
    "gini_divide": ["n", "n_minus_1"],
    "gini_orientation": ["inequality", "equality"],
    "gini_weight": ["count", "exposure"],
    "novelty_base": ["users", "interactions"],
    "novelty_unseen": ["one", "skip", "zero", "max"],
    "novelty_divide": ["returned", "k"],
    "novelty_mean": ["lists", "rows"],
    "novelty_log": ["2", "e", "10"],
    "novelty_normalize": ["none", "log_users"],
    "popularity_base": ["users", "interactions"],
    "popularity_unseen": ["zero", "skip"],
    "popularity_normalize": ["none", "sum", "max"],
    "discount": ["log2p1", "jk2002", "ln1p", "geometric", "none"],
    "discount_p": [0.8, 0.5],
    "duplicates": ["first", "last", "hole", "set", "count"],
    "rank_by": ["rank", "score"],
    "ties": ["item_asc", "item_desc"],
}
APPLIES = {  # the value of another option that an option needs
    "discount_p": ("discount", "geometric"),
    "smoothing": ("entropy_scope", "category"),
    "novelty_divide": ("novelty_mean", "lists"),
    "novelty_normalize": ("novelty_base", "users"),
    "novelty_log": ("novelty_normalize", "none"),
}
BASES = {"2": 2.0, "e": math.e, "10": 10.0}
CATEGORIES = "pqrst"


@dataclass(frozen=True)
class Trial:
    """Lists, tables, cut-offs and options drawn from one seed; what is None was not given, unless an option needs it."""

    data: Data
    ks: list[int]
    options: dict[str, Any]
    categories: Mapping[Id, list[str]] | None
    train: Sequence[tuple[Id, Id]] | None  # users and items
    catalog_size: int | None
    users: Sequence[Id] | None = None

    @property
    def catalog(self) -> set[Id] | None:
        """The items of the catalogue, where a table says which they are."""
        return self.of_train if self.categories is None else set(self.categories)

    @property
    def of_train(self) -> set[Id] | None:
        return None if self.train is None else {item for _, item in self.train}

    @property
    def size(self) -> int | None:
        return self.catalog_size or (None if self.catalog is None else len(self.catalog))

    def lists(self, model: str | None) -> Lists:
        rows: dict[Id, list[Rec]] = defaultdict(list)
        for rec in self.data.recs:
            if rec.model == model and (self.users is None or rec.user_id in self.users):
                rows[rec.user_id].append(rec)
        return {
            user: [(place.rank, place.item) for place in places(listed, self.options) if place.item is not None]
            for user, listed in rows.items()
        }


def trial(seed: int, *, with_users: bool = False) -> Trial:
    draw = random.Random(seed)
    options = {name: draw.choice(values) for name, values in CHOICES.items()}
    for name, default in (("novelty_divide", "returned"), ("novelty_normalize", "none"), ("novelty_log", "2")):
        other, value = APPLIES[name]
        options[name] = options[name] if options[other] == value else default
    text, by_score = draw.random() < 0.5, options["rank_by"] == "score"
    data = random_data(
        seed,
        models=draw.choice([[None], ["a"], ["a", "b", "c"]]),
        text=text,
        copies=draw.random() < 0.5,
        ties=by_score,
        gaps=draw.random() < 0.5 and not by_score,
    )
    items: list[Id] = [f"item {n:02}" if text else n for n in range(15)]  # the last three are never recommended
    categories = {item: draw.sample(CATEGORIES, draw.randint(0, 3)) for item in draw.sample(items, draw.randint(5, 15))}
    categories[items[0]] = ["p", "q"]
    users = sorted({rec.user_id for rec in data.recs})
    return Trial(
        data,
        sorted(draw.sample(range(1, 11), 3)),
        options,
        categories if options["entropy_scope"] == "category" or draw.random() < 0.4 else None,
        list(zip(draw.choices(users, k=20), draw.choices(items, k=20), strict=True))
        if options["coverage_denominator"] == "train" or draw.random() < 0.4
        else None,
        draw.randint(15, 30) if options["entropy_normalize"] == "log_catalog" or draw.random() < 0.4 else None,
        draw.sample(users, 5) if with_users else None,
    )


# -- the definitions


def expected_of(one: Trial) -> Expected:
    """Every metric of each model at each cut-off; without a catalogue none that is over one."""
    found: Expected = {}
    for model, k, lists in read(one):
        for metric, measure in (("coverage", coverage), ("entropy", entropy), ("gini", gini), ("popularity", popularity)):
            if (value := measure(lists, one)) is not None:
                found[model, metric, k] = value
        if one.train is not None:
            found[model, "novelty", k] = novelty(lists, one, k)
    return found


def read(one: Trial) -> Iterator[tuple[str | None, int, Lists]]:
    """The lists of each model, cut off at each k; a user with nothing in the top k has none."""
    for model in {rec.model for rec in one.data.recs}:
        for k in one.ks:
            cut = {user: [(rank, item) for rank, item in listed if rank <= k] for user, listed in one.lists(model).items()}
            yield model, k, {user: listed for user, listed in cut.items() if listed}


def refused(one: Trial) -> bool:
    """Whether lists are averaged over the logarithm of a catalogue that lacks an item of theirs."""
    averaged = one.options["entropy_scope"] == "list" and one.options["entropy_normalize"] == "log_catalog"
    return averaged and one.catalog is not None and any(set(weights(lists, one_each)) - one.catalog for _, _, lists in read(one))


def weights(lists: Lists, weigh: Callable[[int], float]) -> Weights:
    found: dict[Id, float] = defaultdict(float)
    for rank, item in (place for listed in lists.values() for place in listed):
        found[item] += weigh(rank)
    return found


def one_each(rank: int) -> float:
    return 1


def coverage(lists: Lists, one: Trial) -> Value | None:
    denominator, items = one.options["coverage_denominator"], set(weights(lists, one_each))
    if denominator == "catalog" and one.size is None:
        return None
    of_train = one.of_train
    restricted = of_train if denominator == "train" else one.catalog
    if one.options["coverage_restrict"] == "true" and restricted is not None:
        items &= restricted
    divided = {"catalog": one.size, "train": len(of_train or ()), "count": 1}[denominator]
    return {"value": len(items) / (divided or 1), "users": None}


def entropy(lists: Lists, one: Trial) -> Value:
    scope, normalize = one.options["entropy_scope"], one.options["entropy_normalize"]
    times = weights(lists, one_each)
    base = BASES[one.options["entropy_base"]]
    total = sum(times.values())
    match scope:
        case "items":
            if normalize == "log_catalog" and one.catalog is not None:
                times = {item: amount for item, amount in times.items() if item in one.catalog}
            found = [shannon(times.values(), base)] if times else []
        case "list":
            found = [fmean(-math.log(times[item] / total, base) for _, item in listed) for listed in lists.values()]
        case "category":
            found = [value for listed in lists.values() if (value := of_categories(listed, one, base)) is not None]
    divided = {"none": 1.0, "distinct": len(times), "log_catalog": math.log(one.size or 1, base)}[normalize]
    return {"value": fmean(found) / divided if found else None, "users": None if scope == "items" else len(found)}


def of_categories(listed: List, one: Trial, base: float) -> float | None:
    """As LensKit has it: what is added to each category of the catalogue stands beside the counts of the list."""
    assert one.categories is not None
    known = {category for categories in one.categories.values() for category in categories}
    counts = Counter(category for _, item in listed for category in one.categories.get(item, ()))
    smoothed = [counts[category] + one.options["smoothing"] for category in known]
    return shannon(smoothed, base) if sum(smoothed) else None


def shannon(amounts: Iterable[float], base: float) -> float:
    kept = [amount for amount in amounts if amount]
    return -math.fsum(amount / sum(kept) * math.log(amount / sum(kept), base) for amount in kept)


def gini(lists: Lists, one: Trial) -> Value | None:
    """The sum of |x - y| over all pairs of items, each pair in both orders, over 2 n^2 mean."""
    whole = one.options["gini_population"] == "catalog"
    if whole and one.size is None:
        return None
    exposed = one.options["gini_weight"] == "exposure"
    got = weights(lists, lambda rank: discount(rank, one.options) if exposed else 1)
    amounts = [amount for item, amount in got.items() if not whole or one.catalog is None or item in one.catalog]
    amounts += [0.0] * ((one.size or 0) - len(amounts) if whole else 0)
    n = len(amounts)
    below = n if one.options["gini_divide"] == "n" else n - 1
    if not sum(amounts) or not below:
        return {"value": None, "users": None}
    index = math.fsum(abs(x - y) for x in amounts for y in amounts) / (2 * n * below * fmean(amounts))
    return {"value": index if one.options["gini_orientation"] == "inequality" else 1 - index, "users": None}


def counted(train: Sequence[tuple[Id, Id]], base: str) -> Counter[Id]:
    """How many users, or rows, each item of train has."""
    return Counter(item for _, item in (set(train) if base == "users" else train))


def novelty(lists: Lists, one: Trial, k: int) -> Value:
    assert one.train is not None
    options = one.options
    total = len({user for user, _ in one.train}) if options["novelty_base"] == "users" else len(one.train)
    log = BASES[options["novelty_log"]]
    known = {item: math.log(total / count, log) for item, count in counted(one.train, options["novelty_base"]).items()}
    unseen = {"one": math.log(total, log), "skip": None, "zero": 0.0, "max": max(known.values())}[options["novelty_unseen"]]
    divided = math.log(total, log) if options["novelty_normalize"] == "log_users" else 1
    listed = of_items(lists, known, unseen)
    if options["novelty_mean"] == "rows":
        every = [value for values in listed for value in values]
        return {"value": fmean(every) / divided if every else None, "users": len(listed)}
    found = [math.fsum(values) / (k if options["novelty_divide"] == "k" else len(values)) for values in listed]
    return {"value": fmean(found) / divided if found else None, "users": len(found)}


def popularity(lists: Lists, one: Trial) -> Value | None:
    if one.train is None:
        return None
    known = counted(one.train, one.options["popularity_base"])
    found = [fmean(values) for values in of_items(lists, known, None if one.options["popularity_unseen"] == "skip" else 0)]
    divided = {"none": 1, "sum": sum(known.values()), "max": max(known.values())}[one.options["popularity_normalize"]]
    return {"value": fmean(found) / divided if found else None, "users": len(found)}


def of_items(lists: Lists, known: Mapping[Id, float], unseen: float | None) -> list[list[float]]:
    """What is known of the items of each list. Without a value for other items, these are left out, and lists of these alone."""
    listed = [[known.get(item, unseen) for _, item in places] for places in lists.values()]
    kept = [[value for value in values if value is not None] for values in listed]
    return [values for values in kept if values]


# -- against them


def given(connection: duckdb.DuckDBPyConnection, one: Trial) -> dict[str, Any]:
    """The options as recsql is asked for them, the tables registered; items has a LIST of categories."""
    connection.register("recs", one.data.recs_table("model", "user_id", "item_id", "rank", "score"))
    asked = dict(one.options)
    for name, (other, value) in APPLIES.items():
        if one.options[other] != value:
            del asked[name]
    if one.categories is not None:
        connection.register("items", pa.table({"item_id": list(one.categories), "category": list(one.categories.values())}))
        asked["items"] = "items"
    if one.train is not None:
        connection.register(
            "train", pa.table(dict(zip(("user_id", "item_id"), map(list, zip(*one.train, strict=True)), strict=True)))
        )
        asked["train"] = "train"
    if one.users is not None:
        connection.register("looked_at", pa.table({"user_id": one.users}))
        asked["users"] = "looked_at"
    return asked | ({"catalog_size": one.catalog_size} if one.catalog_size else {})


def metrics_of(one: Trial) -> list[str]:
    """All metrics, also those that all leaves out."""
    return ["all", *(["novelty", "popularity"] if one.train is not None else [])]


def measured(connection: duckdb.DuckDBPyConnection, one: Trial) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = recsql.item_metrics(
        "recs", metrics_of(one), one.ks, connection=connection, **given(connection, one)
    ).to_pylist()
    return [without_definition(row) for row in rows]


def lacks_data(one: Trial) -> bool:
    """Whether more than half of the listed items of a model are not in the table that tells their categories or users."""
    of_items = one.catalog if one.categories is not None and one.options["entropy_scope"] == "category" else None
    unsaid = one.options["novelty_unseen"] == "one" or one.options["popularity_unseen"] == "zero"
    for known in (of_items, one.of_train if unsaid else None):
        for model in {rec.model for rec in one.data.recs}:
            listed = [item for places in one.lists(model).values() for rank, item in places if rank <= max(one.ks)]
            if known is not None and 2 * sum(item not in known for item in listed) > len(listed):
                return True
    return False


def compare(connection: duckdb.DuckDBPyConnection, one: Trial) -> None:
    if refused(one):
        with pytest.raises(recsql.BadInput, match=r"at k = .*, .* are not in the catalogue; add them"):
            measured(connection, one)
        return
    if lacks_data(one):
        with pytest.raises(recsql.BadInput, match=r"listed items.* are not in (items|train); check how the ids are written, or"):
            measured(connection, one)
        return
    rows = measured(connection, one)
    found = {(row.pop("model"), row.pop("metric").partition("(")[0], row.pop("k")): row for row in rows}
    expected = expected_of(one)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == near({**value, "lists": len(one.lists(key[0]))}), (key, one.options)


@pytest.mark.parametrize("seed", range(36))
def test_definitions(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    compare(connection, trial(seed))


@pytest.mark.parametrize("seed", range(20))
def test_definitions_for_the_users_of_a_table(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    compare(connection, trial(seed, with_users=True))

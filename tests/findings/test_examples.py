"""What check finds in the data of examples/, as they are and with the mistakes that people make.

If it fails, check finds something odd in data that are in order, or misses a mistake for which it was written.
"""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql

EXAMPLES = Path(__file__).parents[2] / "examples"
FILMS, SHOP = EXAMPLES / "movietweetings", EXAMPLES / "online_retail"
OF_FILMS = [
    ("warning", "same_list_for_many", "pop", 1228, 2279, "4"),
    ("warning", "users_without_list", "itemknn", 1011, 2680, "4"),
    ("warning", "users_without_list", "als", 1004, 2680, "4"),
    ("warning", "users_without_list", "ease", 1004, 2680, "4"),
    ("warning", "coverage_differs", "itemknn", 509, 2178, "4"),
    ("warning", "coverage_differs", "als", 502, 2178, "4"),
    ("warning", "coverage_differs", "ease", 502, 2178, "4"),
    ("warning", "users_without_list", "pop", 502, 2680, "5"),
    ("warning", "relevance_looks_like_ratings", None, 728, 5000, "0"),
    ("note", "tied_scores_at_k", "itemknn", 548, 1766, "65"),
    ("note", "popularity_skew", None, 1262, 4999, "gini 0.54"),
    ("note", "lists_without_truth", "als", 101, 1777, "65"),
    ("note", "lists_without_truth", "ease", 101, 1777, "65"),
    ("note", "lists_without_truth", "itemknn", 97, 1766, "65"),
    ("note", "lists_without_truth", "pop", 101, 2279, "65"),
    ("note", "tied_scores_at_k", "ease", 38, 1777, "200"),
    ("note", "tied_scores_at_k", "pop", 21, 2279, "87"),
    ("note", "short_lists", "itemknn", 4, 1766, "4001"),
]
OF_SHOP = [
    ("warning", "same_list_for_many", "pop", 1325, 1325, "12347"),
    ("warning", "users_without_list", "als", 289, 1614, "12351"),
    ("warning", "users_without_list", "ease", 289, 1614, "12351"),
    ("warning", "users_without_list", "itemknn", 289, 1614, "12351"),
    ("warning", "users_without_list", "pop", 289, 1614, "12351"),
    ("note", "tied_scores_at_k", "itemknn", 13, 1325, "13403"),
    ("note", "tied_scores_at_k", "ease", 2, 1325, "13848"),
]


@pytest.mark.parametrize(("folder", "expected"), [(FILMS, OF_FILMS), (SHOP, OF_SHOP)], ids=["films", "shop"])
def test_as_they_are(folder: Path, expected: list[tuple[object, ...]]) -> None:
    found = recsql.check(folder / "recs.parquet", folder / "truth.parquet").to_pylist()
    columns = ("severity", "finding", "model", "count", "of", "example")
    assert [tuple(row[column] for column in columns) for row in found] == expected


def test_documents_are_in_order() -> None:
    """Few questions, for one of which no document is relevant; lists of different lengths, of which dense has more judged."""
    search = EXAMPLES / "search"
    found = recsql.check({name: search / f"{name}.run" for name in ("bm25", "dense")}, search / "qrels.txt").to_pylist()
    odd = {("warning", "few_users"), ("warning", "judged_differs"), ("note", "lists_without_truth")}
    assert {(row["severity"], row["finding"]) for row in found} == odd


MISTAKES: dict[str, tuple[str, str, dict[str, Any], set[str]]] = {  # the tables, the options, and the findings that are new
    "text against integers": (
        "from r",
        "select * replace (cast(item_id as bigint) as item_id) from t",
        {},
        {"ids_differ_by_type"},
    ),
    "zeros lost": ("from r", "select * replace (ltrim(item_id, '0') as item_id) from t", {}, {"ids_differ_by_zeros"}),
    "upper case": (
        "select * replace ('tt' || item_id as item_id) from r",
        "select * replace ('TT' || item_id as item_id) from t",
        {},
        {"ids_differ_by_case", "no_common_items", "no_hits"},
    ),
    "truncated": (
        "from r",
        "select * replace (left(item_id, 6) as item_id) from t",
        {},
        {"ids_differ_by_length", "no_common_items", "no_hits", "duplicate_truth"},
    ),
    "ranks upside down": (
        "select * replace (1 + max(rank) over (partition by model, user_id) - rank as rank) from r",
        "from t",
        {},
        {"score_against_rank"},
    ),
    "scores that are no numbers": (
        "select * replace (case when user_id = 65 then 'nan'::double else score end as score) from r",
        "from t",
        {},
        {"scores_not_finite"},
    ),
    "read twice": ("select r.* from r, range(2)", "from t", {}, {"duplicate_items", "refused"}),
    "a model under two names": (
        "from r union all by name select * replace ('m' as model) from r where model = 'ease'",
        "from t",
        {},
        {"identical_models"},
    ),
    "shorter lists of one model": (
        "from r where model <> 'ease' or rank <= 5",
        "from t",
        {},
        {"k_beyond_lists", "list_lengths_differ"},
    ),
    "counts as grades": (
        "from r",
        "select * replace (1 + user_id * 7919 % 211 as relevance) from t",
        {},
        {"relevance_looks_like_counts"},
    ),
    "times as grades": (
        "from r",
        "select * replace (1.37e9 + user_id as relevance) from t",
        {},
        {"relevance_looks_like_time", "refused"},
    ),
    "grades by another name": (
        "from r",
        "select user_id, item_id, relevance - 5 as grade from t",
        {},
        {"relevance_not_read", "refused"},
    ),
    "nothing left to win": (
        "from r",
        "select distinct user_id, item_id from r where rank <= 10 and user_id % 20 > 0 union all "
        "select distinct user_id, 'none' from r where user_id % 20 = 0",
        {"users": "intersection"},
        {"saturated"},
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    """What the films have anyway is not asked for: some of it is gone with the mistake."""
    recs, truth, options, expected = MISTAKES[mistake]
    con = duckdb.connect()
    con.execute(f"create view r as from '{FILMS / 'recs.parquet'}'; create view t as from '{FILMS / 'truth.parquet'}'")
    found = recsql.check(con.sql(recs).to_arrow_table(), con.sql(truth).to_arrow_table(), **options)
    assert {*found["finding"].to_pylist()} - {name for _, name, *_ in OF_FILMS} == expected


def test_the_users_of_a_model_are_forgotten() -> None:
    """842 users with an odd id, whose lists are missing, have truth; 502 more have only a list of another model anyway."""
    con = duckdb.connect()
    con.execute(f"create table r as from '{FILMS / 'recs.parquet'}' where model <> 'ease' or user_id % 2 = 0")
    found = recsql.check("r", FILMS / "truth.parquet", connection=con).to_pylist()
    assert [row["count"] for row in found if (row["finding"], row["model"]) == ("coverage_differs", "ease")] == [842 + 502]

"""Parts merge into the result of the whole: the same bits, however users are divided.

If it fails, means merged from parts differ from those of one run.
"""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from tests.random_data import random_data

Tables = tuple[pa.Table, pa.Table]
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "plain": {},
    "union": {"no_truth": "zero", "users": "union"},
    "intersection": {"users": "intersection", "metrics": ["ndcg", "precision(denominator=returned)@3", "map"]},
    "one": {"no_truth": "one_if_both_empty", "no_recs": "skip"},
    "mixed": {"like": "recommenders"},
    "brackets": {"metrics": ["ap(like=ranx)", "ap", "ndcg(gain=exp2, no_recs=skip)@5"]},
    "counts": {"metrics": ["ndcg", "ap(relevance_threshold=3)"]},  # the report is of the first
    "ties, in a sample": {"rank_by": "score", "ties": "expected", "metrics": ["ndcg", "rr"], "sample": 0.5},
    "of means": {
        "metrics": ["f1(average=of_means)", "f1(beta=2, average=of_means, precision_denominator=returned)@3", "precision@10"]
    },
    "of means, mixed": {"metrics": ["entropy", "f1(average=of_means, no_truth=zero)", "f1(like=evidently)"], "users": "union"},
    "other averages": {
        "metrics": ["ap(mean=geometric)", "recall(mean=micro)@3", "auc(mean=weighted)", "ndcg"],
        "catalog_size": 500,
    },
    "whole lists": {"metrics": ["ndcg", "recall"], "k": [3, "all"], "users": "intersection"},
    "evidently": {"like": "evidently", "metrics": ["f1", "precision", "ndcg"]},
}

ITEMS: Mapping[str, Mapping[str, Any]] = {
    "alone": {"metrics": ["entropy", "gini(population=recommended)"]},
    "exposure": {"metrics": ["gini(weight=exposure)", "coverage", "ndcg", "gini@3"], "catalog_size": 400},
    "mixed": {"metrics": ["entropy(normalize=log_catalog)", "ap", "coverage(like=rectools)@10"], "catalog_size": 500},
    "whole lists": {"metrics": ["entropy", "coverage", "ndcg"], "k": [3, "all"], "catalog_size": 500},
    "judged items of some users": {
        "metrics": ["entropy", "ndcg"],
        "users": pa.table({"user_id": [*range(0, 60, 3)]}),
        "judged_only": True,
    },
    "two pipelines": {"metrics": ["hit(relevance_threshold=3)", "entropy", "ndcg"]},
    "first, in a sample": {"metrics": ["entropy", "ndcg"], "duplicates": "first", "sample": 0.5},
}


def of_parts(report: dict[str, Any]) -> dict[str, Any]:
    """A report whose warning of users who have no list is about the parts, which no longer have the lists.

    `partial` warns about listed items without data: `merge` has no lists.
    """
    told = [
        "the parts: " + one.partition(": ")[2] if " users with truth have no list" in one else one
        for one in report.pop("warnings", [])
        if " listed items " not in one
    ]
    return {**report, **({"warnings": told} if told else {})}


def same(found: pa.Table, expected: pa.Table, count: int = 2) -> None:
    """Rows, schema and report are those of the whole."""
    assert found.to_pylist() == expected.to_pylist()
    assert found.schema == expected.schema
    told, said = (json.loads(one.schema.metadata[b"recsql"]) for one in (found, expected))
    assert told == {**of_parts(said), "parts": count, "unit": "user"}


def shards(tables: Tables, owners: Mapping[Any, int], count: int) -> list[Tables]:
    """The rows of each part, by who owns their users."""
    return [
        tuple(rows.filter(pa.array([owners[u] == n for u in rows["user_id"].to_pylist()], pa.bool_())) for rows in tables)
        for n in range(count)
    ]


def users_of(tables: Tables) -> list[Any]:
    return sorted({user for rows in tables for user in rows["user_id"].to_pylist()})


def merged(folder: Path, parts: Sequence[Tables], **options: Any) -> pa.Table:
    for n, part in enumerate(parts):
        recsql.partial(*part, str(folder / f"part {n}.parquet"), k=[3, 10], **options)
    return recsql.merge(str(folder / "part *.parquet"))


@pytest.fixture(scope="module")
def tables() -> Tables:
    data = random_data(8, users=60, ties=True)
    return data.recs_table("model", "user_id", "item_id", "rank", "score"), data.truth_table()


def compare(options: Mapping[str, Any], tables: Tables, folder: Path, catalogue: Mapping[str, Any], count: int = 2) -> None:
    """Two parts, or four with an empty one, against the whole: rows, schema and report."""
    draw, settings = random.Random(repr(options)), {"k": [3, 10], **options, **catalogue}
    # Most are in 0, and of four parts nobody is in 2.
    owners = {user: draw.choice([0, 0, 1, count - 1]) for user in users_of(tables)}
    for n, part in enumerate(shards(tables, owners, count)):
        recsql.partial(*part, str(folder / f"part {n}.parquet"), **settings)
    found = recsql.merge(str(folder / "part *.parquet"), **catalogue)
    whole = recsql.evaluate(*tables, **settings)
    assert found.to_pylist() == whole.to_pylist()
    assert found.schema == whole.schema
    told, said = (json.loads(one.schema.metadata[b"recsql"]) for one in (found, whole))
    said["models"] = [{name: one for name, one in model.items() if name != "tied_lists"} for model in said["models"]]
    assert told == {**of_parts(said), "parts": count, "unit": "user"}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", OPTIONS)
def test_any_partition_merges_to_the_whole(name: str, tables: Tables, tmp_path: Path) -> None:
    compare(OPTIONS[name], tables, tmp_path, {}, count=4 if name in ("plain", "of means, mixed") else 2)


@pytest.mark.parametrize("name", ITEMS)
def test_how_often_items_are_recommended_adds_up(name: str, tables: Tables, tmp_path: Path) -> None:
    compare(ITEMS[name], tables, tmp_path, {}, count=4 if name == "exposure" else 2)


@pytest.mark.engine
@pytest.mark.parametrize("role", ["items", "train"])
def test_the_catalogue_is_that_of_the_whole(role: str, tables: Tables, tmp_path: Path) -> None:
    catalogue = pa.table({"item_id": [*sorted(set(tables[0]["item_id"].to_pylist()))[::2], None]})
    compare({"metrics": ["coverage", "gini", "entropy(normalize=log_catalog)"]}, tables, tmp_path, {role: catalogue})
    with pytest.raises(recsql.BadInput, match=f"the parts were made with these catalogue tables: {role}; give the same"):
        recsql.merge(str(tmp_path / "part *.parquet"))


def test_the_catalogue_of_a_part_is_elsewhere_on_another_machine(tables: Tables, tmp_path: Path) -> None:
    owners = {user: n % 2 for n, user in enumerate(users_of(tables))}
    for n, part in enumerate(shards(tables, owners, 2)):
        items = str(tmp_path / f"items {n}.parquet")
        pq.write_table(tables[0].select(["item_id"]), items)
        recsql.partial(*part, str(tmp_path / f"part {n}.parquet"), ["coverage", "hit"], 5, items=items)
    merged = recsql.merge(str(tmp_path / "part *.parquet"), items=items)
    assert merged.to_pylist() == recsql.evaluate(*tables, ["coverage", "hit"], 5, items=items).to_pylist()


def test_no_catalogue_is_none(tables: Tables, tmp_path: Path) -> None:
    recsql.partial(*tables, str(tmp_path / "part.parquet"), "entropy", 3, items=None)
    found = recsql.merge(tmp_path / "part.parquet", items=None, train=None, item=None)
    assert found.equals(recsql.merge(tmp_path / "part.parquet"), check_metadata=True)


def test_without_models(tables: Tables, tmp_path: Path) -> None:
    recs, truth = tables
    unnamed = recs.filter(pa.compute.equal(recs["model"], recs["model"][0])).drop_columns("model")
    owners = {user: n % 2 for n, user in enumerate(users_of(tables))}
    found = merged(tmp_path, shards((unnamed, truth), owners, 2), metrics=["ndcg", "fn"])
    assert found.to_pylist() == recsql.evaluate(unnamed, truth, ["ndcg", "fn"], [3, 10]).to_pylist()


def test_a_model_that_has_lists_in_one_part_only(tmp_path: Path) -> None:
    """In the other parts it has no lists: 0 for each user with truth there."""
    recs = pa.table({"model": ["a", "b", "b"], "user_id": [1, 2, 3], "item_id": [7, 7, 7], "rank": [1, 1, 1]})
    truth = pa.table({"user_id": [1, 2, 3, 4], "item_id": [7, 7, 8, 7]})
    owners = {1: 0, 2: 1, 3: 1, 4: 2}
    found = merged(tmp_path, shards((recs, truth), owners, 3), metrics="hit")
    assert [(row["model"], row["value"], row["users"]) for row in found.to_pylist() if row["k"] == 3] == [
        ("a", 1 / 4, 4),
        ("b", 1 / 4, 4),
    ]
    assert found.to_pylist() == recsql.evaluate(recs, truth, "hit", [3, 10]).to_pylist()


@pytest.mark.engine
def test_a_part_can_be_read(tables: Tables, tmp_path: Path) -> None:
    path = str(tmp_path / "part.parquet")
    recsql.partial(*tables, path, ["ndcg", "rr"], 5, no_recs="skip")
    rows = [row for row in pq.read_table(path).to_pylist() if row["has_lists"]]
    values = recsql.per_user(*tables, ["ndcg", "rr"], 5, no_recs="skip").to_pylist()
    for row in rows:
        name = row["metric"].partition("(")[0]
        own = [value[name] for value in values if value["model"] == row["model"] and value[name] is not None]
        assert (row["users"], row["zeros"]) == (len(own), own.count(0))
        assert float(row["sum"]) == pytest.approx(1e18 * sum(own), rel=1e-12)
        assert float(row["squares"]) == pytest.approx(1e18 * sum(value**2 for value in own), rel=1e-12)
    assert len(rows) == 2 * len({row["model"] for row in rows})


def test_the_order_of_the_rows_leaves_no_trace(tables: Tables, tmp_path: Path) -> None:
    draw, path, written = random.Random(1), str(tmp_path / "part.parquet"), []
    for _ in range(5):
        recs, truth = (rows.take(draw.sample(range(rows.num_rows), rows.num_rows)) for rows in tables)
        recsql.partial(recs, truth, path, ["ndcg", "ap", "rr", "dcg"], [3, 10], rank_by="rank")
        written.append(pq.read_table(path).to_pylist())
    assert all(rows == written[0] for rows in written)


@pytest.mark.engine
def test_parts_add_up(tables: Tables, tmp_path: Path) -> None:
    owners = {user: n % 3 for n, user in enumerate(users_of(tables))}
    added: Counter[tuple[Any, ...]] = Counter()
    for n, (recs, truth) in enumerate([tables, *shards(tables, owners, 3)]):
        recsql.partial(recs, truth, str(tmp_path / f"{n}.parquet"), ["ndcg", "dcg", "rr"], [3, 10])
        for row in pq.read_table(tmp_path / f"{n}.parquet").to_pylist():
            for count in ("headcount", "users", "sum", "squares", "zeros", "lists"):
                added[row["model"], row["has_lists"], row["metric"], row["k"], count] += -row[count] if n == 0 else row[count]
    assert len(added) > 100
    assert set(added.values()) == {0}


@pytest.mark.few(2)
@pytest.mark.parametrize("options", [{"no_recs": "skip"}, {"users": "union", "duplicates": "count"}], ids=str)
def test_the_intervals_of_the_whole(options: dict[str, Any], tables: Tables, tmp_path: Path) -> None:
    """To the last bit, for metrics from 0 to 1 and others, and if some users have no value."""
    metrics = ["ndcg", "hit", "hits", "dcg", "ap", "precision(denominator=returned)"]
    for n, (recs, truth) in enumerate(shards(tables, {user: n % 3 for n, user in enumerate(users_of(tables))}, 3)):
        recsql.partial(recs, truth, str(tmp_path / f"part_{n}.parquet"), metrics, [3, 10], **options)
    intervals: Sequence[dict[str, Any]] = [{"interval": 0.95}, {"interval": 0.9, "interval_method": "t"}]
    for interval in intervals:
        found = recsql.merge(str(tmp_path / "part_*.parquet"), **interval)
        expected = recsql.evaluate(*tables, metrics, [3, 10], **{**options, **interval})
        assert found.to_pylist() == expected.to_pylist(), interval
        assert found.column_names == expected.column_names
        assert None not in found["std_error"].to_pylist()
        reports = [json.loads(one.schema.metadata[b"recsql"])["options"] for one in (found, expected)]
        assert reports[0] == reports[1]


def test_few_users_with_a_value_above_0(tmp_path: Path) -> None:
    """Of 300 users, 49 or 50 have a hit: an interval needs 50."""
    for hits in (49, 50):
        users = list(range(300))
        truth = pa.table({"user_id": users, "item_id": [1] * 300})
        recs = pa.table({"user_id": users, "item_id": [1 if user < hits else 2 for user in users], "rank": [1] * 300})
        for part in range(2):
            recsql.partial(
                recs.slice(150 * part, 150), truth.slice(150 * part, 150), str(tmp_path / f"{hits}_{part}.parquet"), "hit", 1
            )
        [row] = recsql.merge(str(tmp_path / f"{hits}_*.parquet"), interval=0.95).to_pylist()
        assert row["few"] == (hits < 50)


def test_no_interval_of_what_parts_do_not_keep(tables: Tables, tmp_path: Path) -> None:
    path = str(tmp_path / "part.parquet")
    recsql.partial(*tables, path, "hit", 5)
    with pytest.raises(recsql.RecsqlError, match=r"interval: 2 is not above 0\.5 and below 1"):
        recsql.merge(path, interval=2)
    recs = pa.table({"user_id": [1, 2], "item_id": [7, 8], "rank": [1, 1]})
    for day in (1, 2):
        truth = pa.table({"user_id": [1, 2], "item_id": [7, day]})
        recsql.partial(recs, truth, str(tmp_path / f"day_{day}.parquet"), "hit", 5)
    with pytest.raises(recsql.BadInput, match="interval: these parts share users, so their values are not independent"):
        recsql.merge(str(tmp_path / "day_*.parquet"), interval=0.95)


@pytest.mark.engine
def test_values_too_large_for_the_squares_of_parts(tmp_path: Path) -> None:
    """The standard error is NULL, rather than one from some of the users."""
    recs = pa.table({"user_id": [1, 2, 3], "item_id": [7, 8, 9], "rank": [1, 1, 1]})
    truth = pa.table({"user_id": [1, 2, 3], "item_id": [7, 8, 9], "relevance": [4e4, 1.0, 2.0]})
    for n, (part, judged) in enumerate(shards((recs, truth), {1: 0, 2: 0, 3: 1}, 2)):
        recsql.partial(part, judged, str(tmp_path / f"part_{n}.parquet"), ["cg", "hit"], 1)
    cg, hit = recsql.merge(str(tmp_path / "part_*.parquet"), interval=0.95).to_pylist()
    assert (cg["metric"], cg["value"], cg["low"], cg["std_error"]) == ("cg", 40003 / 3, None, None)
    assert hit["low"] is not None


def test_the_command_line(tables: Tables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recs, truth, part = (str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "part"))
    for path, rows in zip((recs, truth), tables, strict=True):
        pq.write_table(rows, path)
    assert main(["partial", recs, truth, "-k", "5", "-m", "ndcg", "-o", part]) == 0
    assert main(["merge", part]) == 0
    printed = capsys.readouterr().out
    assert main(["evaluate", recs, truth, "-k", "5", "-m", "ndcg"]) == 0
    assert capsys.readouterr().out == printed


def test_the_command_line_with_a_catalogue(tables: Tables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recs, truth, items, part = (str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "items", "part"))
    for path, rows in zip((recs, truth, items), (*tables, tables[0].select(["item_id"])), strict=True):
        pq.write_table(rows, path)
    asked = ["-k", "5", "-m", "coverage", "-m", "hit", "--items", items]
    assert main(["partial", recs, truth, *asked, "-o", part]) == 0
    assert main(["merge", part, "--items", items]) == 0
    printed = capsys.readouterr().out
    assert main(["evaluate", recs, truth, *asked]) == 0
    assert capsys.readouterr().out == printed


# -- what can't be merged


def test_refused(tables: Tables, tmp_path: Path) -> None:
    names = ("a", "b", "c", "deeper", "scored", "absent", "first", "turned")
    ours, theirs, other, deeper, scored, absent, first, turned = (str(tmp_path / f"{name}.parquet") for name in names)
    recsql.partial(*tables, ours, "ndcg", 5)
    recsql.partial(*tables, theirs, "ndcg", 5, gain="exp2")
    recsql.partial(*tables, deeper, "ndcg", [5, 10])
    recsql.partial(tables[0].drop_columns("rank"), tables[1], scored, "ndcg", 5)
    recsql.partial(*tables, first, ["ndcg", "ap"], 5)
    recsql.partial(*tables, turned, ["ap", "ndcg"], 5)
    pq.write_table(tables[0], other)
    refused: tuple[tuple[Any, str], ...] = (
        ([ours, theirs], r"b.parquet: it has different metrics from .*a.parquet \(ndcg, ndcg\(gain=exp2\)\); only parts"),
        (
            [ours, scored],
            r"scored.parquet: it has different options from .*a.parquet \(ndcg: rank_by = 'score', not 'rank'\); only",
        ),
        ([ours, deeper], "deeper.parquet: it has different cut-offs from .*a.parquet; only parts"),
        ([first, turned], "turned.parquet: it has a different order of metrics from .*first.parquet; only parts"),
        ([ours, other], "c.parquet: it is not a part"),
        ([ours, ours], "a.parquet: it is named more than once"),
        ([absent], "absent.parquet: no such file; did you mean"),
        (["nowhere"], "^nowhere: no such file$"),
        ("s3://bucket/*.parquet", "^s3://bucket/[*].parquet: merge reads files of this machine; copy the parts here first$"),
        ([__file__], "test_parts.py: it is not a Parquet file"),
        ([], "parts: the list is empty"),
        (5, "^5 is not a path; give text that is not empty, or a Path$"),
    )
    for parts, says in refused:
        with pytest.raises(recsql.BadInput, match=says):
            recsql.merge(parts)


def test_a_part_of_an_earlier_version(tables: Tables, tmp_path: Path) -> None:
    """Its report lacks what merge reads now, or it has rows that are no means: those of comparisons and of groups of users."""
    path = str(tmp_path / "part.parquet")
    recsql.partial(*tables, path, "ndcg", 5)
    part = pq.read_table(path)
    report = json.loads(part.schema.metadata[b"recsql"])
    for column in (column for of_query in report["columns"] for column in of_query):
        del column["options"]
    none = pa.nulls(len(part), pa.string())
    earlier = [part.append_column(name, none) for name in ("baseline", "user_group")]
    for one in (part.replace_schema_metadata({"recsql": json.dumps(report)}), *earlier):
        pq.write_table(one, path)
        with pytest.raises(recsql.BadInput, match=r"part.parquet: an earlier version of recsql wrote this part; write it anew"):
            recsql.merge(path)


def test_a_part_counts_once_however_it_is_spelt(tables: Tables, tmp_path: Path) -> None:
    path = tmp_path / "part[1].parquet"
    recs, truth = tables
    recsql.partial(recs, truth, str(path), "hit", 5)
    users = recsql.merge(path)["users"].to_pylist()
    recsql.partial(recs.slice(0, 50), truth.slice(0, 50), str(tmp_path / "part1.parquet"), "hit", 5)
    assert recsql.merge(str(path))["users"].to_pylist() == users, "a file of that name is no glob"
    (tmp_path / "link.parquet").symlink_to(path)
    for again in (tmp_path / ".." / tmp_path.name / path.name, tmp_path / "link.parquet"):
        with pytest.raises(recsql.BadInput, match="it is named more than once; name each part once"):
            recsql.merge([path, again])


def test_a_part_made_from_the_same_rows_counts_once(tables: Tables, tmp_path: Path) -> None:
    """A retried job writes its part again under another name, possibly from rows in another order."""
    first, again, other = (str(tmp_path / f"{name}.parquet") for name in ("first", "again", "other"))
    recs, truth = (rows.take(list(reversed(range(rows.num_rows)))) for rows in tables)
    recsql.partial(*tables, first, "hit", 5, rank_by="rank")
    recsql.partial(recs, truth, again, "hit", 5, rank_by="rank")
    copied = tmp_path / "copied.parquet"
    copied.write_bytes(Path(first).read_bytes())
    for copy in (again, str(copied)):
        with pytest.raises(recsql.BadInput, match=f"^{copy}: it was made from the same rows as {first}; a part counts once, so"):
            recsql.merge([first, copy])
    for n, changed in enumerate([(tables[0].slice(1), tables[1]), (tables[0], tables[1].slice(1))]):
        recsql.partial(*changed, other, "hit", 5, rank_by="rank")
        assert recsql.merge([first, other]).num_rows > 0, n


def test_empty_parts_are_no_copies(tables: Tables, tmp_path: Path) -> None:
    for name, rows in {"a": 0, "b": None, "c": 0}.items():
        recs, truth = (table.slice(0, rows) for table in tables)
        recsql.partial(recs, truth, str(tmp_path / f"{name}.parquet"), "hit", 5)
    assert recsql.merge(str(tmp_path / "*.parquet")).to_pylist() == recsql.evaluate(*tables, "hit", 5).to_pylist()


def test_users_in_several_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Days of exports: user 1 has a hit on the first day and none on the second, and counts on both."""
    truth = pa.table({"user_id": [1], "item_id": [7]})
    monday, tuesday, others = (str(tmp_path / f"{name}.parquet") for name in ("monday", "tuesday", "others"))
    recsql.partial(pa.table({"user_id": [1], "item_id": [7], "rank": [1]}), truth, monday, "hit", 5)
    recsql.partial(pa.table({"user_id": [1], "item_id": [8], "rank": [1]}), truth, tuesday, "hit", 5)
    others_rows = pa.table({"user_id": range(2, 1002), "item_id": [7] * 1000})
    recsql.partial(others_rows.append_column("rank", [[1] * 1000]), others_rows, others, "hit", 5)
    units = {}
    for parts in ((monday, tuesday), (monday, others)):
        found = recsql.merge(parts)
        units[parts] = json.loads(found.schema.metadata[b"recsql"])["unit"]
    assert list(units.values()) == ["user of a part", "user"]
    assert [(row["value"], row["users"]) for row in recsql.merge([monday, tuesday]).to_pylist()] == [(1 / 2, 2)]
    said = "Some users are in several parts and count once in each."
    assert main(["merge", monday, tuesday]) == 0
    assert said in capsys.readouterr().out
    assert main(["merge", monday, others]) == 0
    assert said not in capsys.readouterr().out


def test_parts_in_folders_below(tables: Tables, tmp_path: Path) -> None:
    for n, part in enumerate(shards(tables, {user: user % 3 for user in users_of(tables)}, 3)):
        folder = tmp_path.joinpath(*["deeper"] * n)
        folder.mkdir(exist_ok=True)
        recsql.partial(part[0], part[1], str(folder / "part.parquet"), "ndcg", 5)
    assert recsql.merge(str(tmp_path / "**/*.parquet")).to_pylist() == recsql.evaluate(*tables, "ndcg", 5).to_pylist()


def test_a_table_of_users_says_nothing_of_one_part(tables: Tables, tmp_path: Path) -> None:
    """A user in the table without a list and truth would count in every part, even if they have both in another part."""
    users = pa.table({"user_id": users_of(tables)})
    path = str(tmp_path / "part.parquet")
    for policy in ("zero", "one", "one_if_both_empty"):
        with pytest.raises(recsql.RecsqlError, match="users: each part would count all users of the table, also those of other"):
            recsql.partial(*tables, path, "recall", 5, users=users, no_truth=policy)
    compare({"users": users.slice(0, 30), "metrics": ["recall", "ndcg"]}, tables, tmp_path, {})


@pytest.mark.engine
@pytest.mark.parametrize("kind", ["uuid", "json", "hugeint", "enum('1', '2', '3', '4')"])
def test_a_catalogue_of_ids_that_a_file_has_as_another_type(kind: str, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    item = "md5(cast(i.i as varchar))" if kind == "uuid" else "cast(i.i as varchar)"
    items = f"(select cast({item} as {kind}) as item_id, i.i as rank from range(1, 5) as i(i))"
    with con.cursor() as cursor:
        for name, text in {"items": "", "recs": " where t.rank < 4", "truth": " where t.rank = 1"}.items():
            cursor.execute(f"create temporary table {name} as select 1 as user_id, t.* from {items} as t{text}")
        given: dict[str, Any] = {"items": "items", "connection": cursor}
        recsql.partial("recs", "truth", str(tmp_path / "part.parquet"), "coverage", 3, **given)
        assert recsql.merge(tmp_path / "part.parquet", **given)["value"].to_pylist() == [0.75]


IDS = {"int32": pa.int32(), "text": pa.string(), "double": pa.float64(), "int64": pa.int64()}


@pytest.mark.engine
@pytest.mark.parametrize("kind", IDS)
def test_ids_of_another_type(kind: str, tables: Tables, tmp_path: Path) -> None:
    """Whole numbers of any size compare; other differences are errors, between parts and with the catalogue."""
    items = pa.table({"item_id": sorted({*tables[0]["item_id"].to_pylist()})})
    assert items["item_id"].type == pa.int64()
    shard, others = shards(tables, {user: user % 2 for user in users_of(tables)}, 2)
    cast = [one.set_column(one.schema.get_field_index("item_id"), "item_id", one["item_id"].cast(IDS[kind])) for one in others]
    first, second = (str(tmp_path / f"{name}.parquet") for name in ("first", "second"))
    of_kind = items.cast(pa.schema({"item_id": IDS[kind]}))
    recsql.partial(*shard, first, ["coverage", "ndcg"], 5, items=items)
    recsql.partial(cast[0], cast[1], second, ["coverage", "ndcg"], 5, items=of_kind)
    if kind.startswith("int"):
        whole = recsql.evaluate(*tables, ["coverage", "ndcg"], 5, items=items)
        assert recsql.merge([first, second], items=items).to_pylist() == whole.to_pylist()
        return
    with pytest.raises(
        recsql.BadInput, match=r"item_id is int64 in .*first.parquet and (string|double) in .*second.parquet; cast"
    ):
        recsql.merge([first, second], items=items)
    with pytest.raises(recsql.BadInput, match=r"item_id is (VARCHAR|DOUBLE) in these parts and BIGINT in items; cast"):
        recsql.merge(second, items=items)


def test_nobody_for_one_metric(tmp_path: Path) -> None:
    """A mean without users is refused, as in evaluate; a metric without any values is shown, as there."""
    recs, path = pa.table({"user_id": [1], "item_id": [1], "rank": [1]}), str(tmp_path / "part.parquet")
    relevant, without = (pa.table({"user_id": [1], "item_id": [1], "relevance": [gain]}) for gain in (1, 0))
    recsql.partial(recs, without, path, "ndcg", 1, relevant="present")
    assert recsql.merge(path).to_pylist() == recsql.evaluate(recs, without, "ndcg", 1, relevant="present").to_pylist()
    metrics = ["recall", "recall(relevance_threshold=5)"]
    recsql.partial(recs, relevant, path, metrics, 1)
    with pytest.raises(recsql.BadInput, match="no user in these parts is in the mean"):
        recsql.merge(path)
    with pytest.raises(recsql.BadInput, match="has a relevant item and is in the mean"):
        recsql.evaluate(recs, relevant, metrics, 1)


def test_nobody(tables: Tables, tmp_path: Path) -> None:
    recs, truth = tables
    found = str(tmp_path / "part.parquet")
    recsql.partial(recs, truth.slice(0, 0), found, "ndcg", 5)
    with pytest.raises(recsql.BadInput, match="no user in these parts is in the mean"):
        recsql.merge(found)

"""The hand-made tables of tests/cases: a file per metric, a case for every value of every option.

If it fails, a metric, or an option of one, gives a wrong value that a reader can check by hand.

A file has a list for each user: in `recs` items, or [item, score], best first; in `truth` items, or [item, relevance]; in
`predictions` [item, prediction], or [item] where it is missing; in `ratings` [item, rating]. `tables` has further ones by column.
With `spans`, a row of a list is [document, start, end], perhaps with its tokens, and one of the truth [document, start, end].
A case may have its own.
Expected values are written as arithmetic, so that a reader can check them.
"""

import tomllib
from hashlib import md5
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from tests.support import Case, Row, check, in_python, macro_call, of_lists, parsed, table, takes

Found = dict[str, Any]
FOLDER = Path(__file__).parent


def read(path: Path) -> list[Found]:
    """The cases of a file, each with the file's lists and tables unless it has its own."""
    text = tomllib.loads(path.read_text(encoding="utf-8"))
    cases: list[Found] = text.pop("case")
    return [{**text, **case} for case in cases]


FILES = {path.stem: read(path) for path in sorted(FOLDER.glob("*.toml"))}
SPLITS = read(FOLDER / "split" / "leave_one_out.toml")
OTHER_SPLITS = {
    path.stem: tomllib.loads(path.read_text()) for path in (FOLDER / "split").glob("*.toml") if path.stem != "leave_one_out"
}
LABELS = [
    {
        **case,
        "options": {
            catalog().option(name, grains=["event"]).name: value
            for part in (case["options"], case.get("more", {}), {one: case[one] for one in case if one == "impressions"})
            for name, value in part.items()
        },
    }
    for path in sorted((FOLDER / "labels").glob("*.toml"))
    for case in read(path)
]  # run by test_truth_labels
NAMED = {f"{name}: {case['about']}": case for name, cases in FILES.items() for case in cases}
LISTED = (FOLDER / "chosen.txt").read_text(encoding="utf-8").splitlines()
COLUMNS = {"mean": "value", "users": "users"}  # of the row of a metric of each user's list
CHOSEN = {name: case for name, case in NAMED.items() if name in LISTED}


def rows(lists: dict[str, list[Any]], *, ranked: bool = False) -> list[Row]:
    """A row per item: user, item, with `ranked` its place, then what stands beside it."""
    found: list[Row] = []
    for user, items in lists.items():
        for place, item in enumerate(items, start=1):
            name, *values = item if isinstance(item, list) else [item]
            found.append((user, name, *([place] if ranked else []), *values))
    return found


def case_of(con: duckdb.DuckDBPyConnection, found: Found) -> Case:
    row = {**found.get("row", {}), **{ours: found[name] for name, ours in COLUMNS.items() if name in found}}
    return Case(
        found["metric"],
        tables_of(found),
        found.get("k"),
        {name: dict(value) if isinstance(value, list) else value for name, value in found.get("options", {}).items()},
        {name: worked_out(con, text) for name, text in row.items()},
        {user: worked_out(con, text) for user, text in found["per_user"].items()} if "per_user" in found else None,
        found.get("error"),
        tolerance=1e-12,
    )


def tables_of(found: Found) -> dict[str, pa.Table]:
    if "predictions" in found:
        return rated(found)
    recs = rows(found["recs"], ranked=True)
    if "spans" in found:
        spans = table(rows(found["truth"]), ["user_id", "document", "start", "end"])
        return {"recs": table(recs, ["user_id", "document", "rank", "start", "end", "tokens"]), "truth": spans}
    further = {name: pa.table(columns) for name, columns in found.get("tables", {}).items()}
    if "truth" in found:
        return of_lists(recs, rows(found["truth"]), found.get("looked_at", ())) | further
    return {"recs": table(recs, ["user_id", "item_id", "rank", "score"]), **further}


def rated(found: Found) -> dict[str, pa.Table]:
    """The predictions, each with its rating beside it unless the ratings are a table of their own."""
    names = ["user_id", "item_id", "prediction", "rating"]
    predicted = filled(rows(found["predictions"]), 3)
    ratings = rows(found["ratings"])
    if "ratings" in found.get("options", {}):
        return {"predictions": table(predicted, names), "ratings": table(ratings, ["user_id", "item_id", "rating"])}
    beside = {(user, item): rating for user, item, rating in ratings}
    return {"predictions": table([(*row, beside.get((row[0], row[1]))) for row in predicted], names)}


def filled(short: list[Row], width: int) -> list[Row]:
    """The rows, NULL where one ends early."""
    return [(*row, *[None] * (width - len(row))) for row in short]


def worked_out(con: duckdb.DuckDBPyConnection, arithmetic: str | int) -> float | None:
    [[value]] = con.execute(f"select cast({arithmetic} as double)").fetchall()
    return value if value is None else float(value)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.chosen] * (name in CHOSEN)) for name in NAMED])
def test_case(con: duckdb.DuckDBPyConnection, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In all ways; some also without the fast forms of steps, to the last bit the same. test_fast has every option."""
    case = case_of(con, NAMED[name])
    fast = check(con, case, in_macro="spans" not in NAMED[name])  # whose macros are in a file of their own
    if name in CHOSEN or case.error:
        monkeypatch.setenv("RECSQL_FAST", "off")
        assert in_python(con, case) == fast


# -- the split

INTERACTIONS = ["user_id", "item_id", "timestamp", "rating"]


@pytest.mark.parametrize("found", SPLITS, ids=[found["about"] for found in SPLITS])
def test_split(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    given, options = filled(rows(found["interactions"]), len(INTERACTIONS)), found.get("options", {})
    con.register("interactions", table(given, INTERACTIONS))
    if "error" in found:
        with pytest.raises(recsql.RecsqlError, match=found["error"]):
            recsql.leave_one_out("interactions", connection=con, **options)
        return
    expected = sorted((*row, "truth" if found["truth"].get(row[0]) == row[1] else "train") for row in given)
    split = recsql.leave_one_out("interactions", connection=con, **options)
    assert split.column_names == [*INTERACTIONS, "part"]
    assert sorted(tuple(row.values()) for row in split.to_pylist()) == expected
    if takes("split_leave_one_out", options):
        macro = macro_call("split_leave_one_out", "interactions", **options)
        assert sorted(con.execute(f"select {', '.join(INTERACTIONS)}, part {macro}").fetchall()) == expected


def test_the_hashes_in_the_file_are_those_of_md5() -> None:
    by_hash = [found for found in SPLITS if found.get("options", {}).get("order_by") == "hash"]
    for found in by_hash:
        seed = found["options"].get("seed", 0)
        drawn = {user: last_by_hash(user, items, seed) for user, items in found["interactions"].items()}
        assert drawn | found["truth"] == drawn
    assert len(by_hash) == 3


def last_by_hash(user: str, interactions: list[list[Any]], seed: int) -> str:
    digests = {md5(f"{user}:{item}:{seed}".encode()).hexdigest(): item for item, *_ in interactions}
    return str(digests[max(digests)])


# -- the files


def test_every_metric_has_its_file() -> None:
    assert FILES.keys() == catalog().metrics.keys()


def test_no_two_cases_have_one_name() -> None:
    assert len(NAMED) == sum(map(len, FILES.values()))


def test_every_chosen_name_is_that_of_a_case() -> None:
    assert list(CHOSEN) == LISTED


def test_every_file_is_about_its_metric() -> None:
    for name, cases in FILES.items():
        assert {parsed(case["metric"]).metric for case in cases} >= {name}


def test_the_printed_name_of_a_metric_is_read_back() -> None:
    for case in (case for cases in FILES.values() for case in cases):
        asked = parsed(case["metric"])
        assert parsed(str(asked)) == asked


def test_every_case_expects_something() -> None:
    for case in (case for cases in FILES.values() for case in cases):
        assert {"per_user", "mean", "row", "error"} & case.keys(), case["about"]


def test_every_option_and_value_has_a_case() -> None:
    """A default is covered where it is left out; whatever else there is must be named."""
    named: set[tuple[str, Any]] = {("protocol", "leave_one_out")}  # SPLITS
    for case in (case for cases in [*FILES.values(), SPLITS, LABELS] for case in cases):
        own = parsed(case["metric"]).options if "metric" in case else ()
        options = {**dict(own), **{name: one for name, one in case.get("options", {}).items() if name != "vector"}}  # a column
        options |= {"spans": "true"} if "spans" in case else {}
        named |= {(name, value if value in catalog().options[name].choices else None) for name, value in options.items()}
    for protocol, found in OTHER_SPLITS.items():
        for case in found["case"]:
            given = {"protocol": protocol, **case.get("options", {})}
            options = {catalog().option(name, grains=["interaction"]).name: value for name, value in given.items()}
            named |= {(name, value if value in catalog().options[name].choices else None) for name, value in options.items()}
    wanted: set[tuple[str, Any]] = set()
    of_means = [name for topic in ("intervals", "ranking", "planning", "slices") for name in catalog().topics[topic].options]
    of_means += catalog().options_of(["pair"])
    elsewhere = {
        "like",
        "sample",
        *of_means,
    }  # see tests/presets, and test_sample, _intervals, _comparison, _rank, _plan, _slices
    elsewhere |= {"seen", "popularity__seen", "candidates", "n", "draw"}  # see test_seen and test_baselines
    elsewhere |= {*catalog().topics["fusion"].options, "missed", "corpus"}  # see test_fusion, test_names and tests/findings
    elsewhere |= {"propensity", *catalog().topics["agreement"].options}  # see test_weights, test_overlap and test_overlap_oracle
    elsewhere |= {*catalog().topics["judging"].options}  # see test_judge and test_judge_oracle
    for option in (option for name, option in catalog().options.items() if name not in elsewhere):
        wanted |= {(option.name, choice) for choice in option.choices if choice != option.default} or {(option.name, None)}
    assert wanted - named == {("metrics", None)}  # of the macro, which every case asks for its own metric alone

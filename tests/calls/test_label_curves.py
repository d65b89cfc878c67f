"""Labels with a curve: clicks over those that ranks let expect, and the propensity of each label.

If it fails, a truth from clicks takes off too much or too little of what ranks do, or a propensity is that of another rank.
"""

import json
from collections import defaultdict
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from tests.calls.test_truth_labels import START, Found, a_log, events_of, impressions_of, said_of

CURVE = pa.table({"rank": [1, 2, 3, 4], "examination": [1.0, 0.6, 0.3, 0.1]})
SHOWN = [["u1", 0, "abc"], ["u1", 20, "ba"], ["u2", 0, "ad"]]
DONE = [["u1", "a", 1, "click"], ["u1", "a", 21, "click"], ["u1", "c", 1, "buy"], ["u2", "a", 1, "click"]]
KEPT: Found = {"window": "10h", "complete": "keep"}


def labelled(rows: pa.Table) -> dict[tuple[Any, str], Found]:
    """The rows of the truth, by request or user, and item."""
    truth = [row for row in rows.to_pylist() if row["part"] == "truth"]
    return {(row["request_id"] or row["user_id"], row["item_id"]): row for row in truth}


def test_golden_cases(shared: Path) -> None:
    cases = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    cases = [case for case in cases if case["metric"] == "coec"]
    assert len(cases) == 4
    for case in cases:
        given = dict(case["params"])
        if table := given.pop("table", None):
            given["curve"] = pa.table({"rank": [int(rank) for rank in table], "examination": [*table.values()]})
        columns = dict(zip(case["columns"], zip(*case["impressions"], strict=True), strict=True))
        times = [START + timedelta(hours=hour) for hour in columns["request_id"]]
        clicked = pa.array(map(bool, columns.pop("clicked")))
        shown = pa.table({**columns, "ts": times})
        done = pa.table({"user_id": shown["user_id"], "item_id": shown["item_id"], "ts": times}).filter(clicked)
        found = {
            f"{user} {item}": row["relevance"]
            for (user, item), row in labelled(recsql.labels(done, shown, unit="user", complete="keep", **given)).items()
        }
        expected = {pair: value for pair, value in case["expected_per_user"].items() if value is not None}
        assert found == pytest.approx(expected, rel=0, abs=1e-9)
        assert sum(found.values()) / len(found) == pytest.approx(case["expected"], rel=0, abs=1e-9)


@pytest.mark.parametrize("more", [{}, {"aggregate": "sum"}, {"attribution": "all", "aggregate": "count"}], ids=str)
@pytest.mark.parametrize("unit", ["user", "request"])
def test_expected_clicks_are_as_many_as_clicks(unit: str, more: Found) -> None:
    """With the observed curve, the mean weighted by expected clicks is 1; also of each surface."""
    shown, done = a_log(5)
    surfaced = [[*row, "new", "home" if number % 3 else "cart"] for number, row in enumerate(shown)]
    of_each = {"window": "12 hours", "complete": "keep", **more}
    events, impressions = events_of(done), impressions_of(surfaced)
    gains: dict[Any, list[Fraction]] = defaultdict(list)  # of each surface and rank
    each = recsql.labels(events, impressions, **of_each).to_pylist()
    truth = [row for row in each if row["part"] == "truth"]
    for row in truth:
        gains[row["surface"], row["rank"]].append(Fraction(row["relevance"]))
    expected: dict[Any, Fraction] = defaultdict(Fraction)
    for row in truth:
        at = gains[row["surface"], row["rank"]]
        expected[row["user_id"] if unit == "user" else row["request_id"], row["item_id"]] += sum(at, Fraction()) / len(at)
    found = labelled(recsql.labels(events, impressions, unit=unit, curve="observed", **of_each))
    assert found.keys() == {pair for pair, chance in expected.items() if chance}
    total = sum(Fraction(row["relevance"]) * expected[pair] for pair, row in found.items())
    assert float(total / sum(expected.values())) == pytest.approx(1, rel=1e-12)
    assert len({row["relevance"] for row in found.values()}) > 3


def test_a_table_is_read_by_rank() -> None:
    """u1 was shown a at 1 and 2, b at 2 and 1, c at 3, and u2 a at 1, d at 2; a purchase counts 3."""
    found = labelled(recsql.labels(events_of(DONE), impressions_of(SHOWN), unit="user", curve=CURVE, **KEPT))
    expected = {("u1", "a"): 2 / 1.6, ("u1", "b"): 0, ("u1", "c"): 3 / 0.3, ("u2", "a"): 1, ("u2", "d"): 0}
    assert {pair: row["relevance"] for pair, row in found.items()} == pytest.approx(expected, rel=1e-12)


def test_the_propensity_of_a_request_is_that_of_its_rank() -> None:
    plain = labelled(recsql.labels(events_of(DONE), impressions_of(SHOWN), **KEPT))
    found = labelled(recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=CURVE, propensity="curve", **KEPT))
    assert "propensity" not in next(iter(plain.values()))
    at = {1: 1.0, 2: 0.6, 3: 0.3}
    assert found == {pair: {**row, "propensity": at[row["rank"]]} for pair, row in plain.items()}


@pytest.mark.parametrize("aggregate", ["max", "sum", "count"])
def test_the_propensity_of_a_user_is_that_of_the_credited_impression(aggregate: str) -> None:
    """Of several, and if none is credited, the highest. u1 clicks b at rank 2 alone; the relevance is that without a curve."""
    done = [*DONE, ["u1", "b", 1, "click"], ["u1", "b", 2, "buy"]]
    given: Found = {**KEPT, "unit": "user", "aggregate": aggregate}
    plain = labelled(recsql.labels(events_of(done), impressions_of(SHOWN), **given))
    found = labelled(recsql.labels(events_of(done), impressions_of(SHOWN), curve=CURVE, propensity="curve", **given))
    at = {("u1", "a"): 1.0, ("u1", "b"): 0.6, ("u1", "c"): 0.3, ("u2", "a"): 1.0, ("u2", "d"): 0.6}
    assert found == {pair: {**row, "propensity": at[pair]} for pair, row in plain.items()}


def test_an_observed_propensity_is_a_chance() -> None:
    """The share of impressions with a gain, where the mean gain of rank 3 is 3: 2 of 3, 1 of 3, 1 of 1."""
    found = labelled(recsql.labels(events_of(DONE), impressions_of(SHOWN), curve="observed", propensity="curve", **KEPT))
    at = {1: 2 / 3, 2: 1 / 3, 3: 1}
    assert {pair: row["propensity"] for pair, row in found.items()} == pytest.approx(
        {pair: at[row["rank"]] for pair, row in found.items()}, rel=1e-12
    )


def test_files_have_the_propensity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: str(tmp_path / f"{name}.parquet") for name in ("events", "shown", "curve", "recs", "truth")}
    for name, rows in {"events": events_of(DONE), "shown": impressions_of(SHOWN), "curve": CURVE}.items():
        pq.write_table(rows, files[name])
    command = ["labels", files["events"], "--impressions", files["shown"], "--window", "10h", "--complete", "keep"]
    out = ["--recs", files["recs"], "--truth", files["truth"]]
    assert main([*command, "--curve", files["curve"], "--propensity", "curve", *out]) == 0
    truth = pq.read_table(files["truth"])
    expected = recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=CURVE, propensity="curve", **KEPT)
    assert sorted(truth["propensity"].to_pylist()) == sorted(row["propensity"] for row in labelled(expected).values())
    assert recsql.evaluate(files["recs"], files["truth"], "recall", 1).num_rows == 2  # both means
    assert main([*command, "--unit", "user", "--curve", "power", "--truth", files["truth"]]) == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said == "recsql: --eta: --curve power needs the power of 1 / rank, and none fits every log; give --eta"


def test_columns_of_other_names() -> None:
    curve = CURVE.rename_columns(["rank", "seen"])
    given: Found = {**KEPT, "unit": "user"}
    found = recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=curve, examination="seen", **given)
    assert labelled(found) == labelled(recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=CURVE, **given))


BAD: dict[str, dict[Any, float | None]] = {
    "curve: rank 3 has no examination, and a curve needs one for each rank at which an item was shown": {1: 1.0, 2: 0.6},
    "curve: rank 2 has the examination 1.5, and a curve": {1: 1.0, 2: 1.5, 3: 0.3},
    "curve: rank 1 has the examination 0.0, and a curve": {1: 0.0, 2: 0.6, 3: 0.3},
    "curve: rank 3 has the examination NULL, and a curve": {1: 1.0, 2: 0.6, 3: None},
    "curve: rank 2 has the examination nan, and a curve": {1: 1.0, 2: float("nan"), 3: 0.3},
    "curve: rank 1 has 2 examinations, and a curve needs one": {1: 1.0, 2: 0.6, 3: 0.3, "1": 1.0},
}


@pytest.mark.parametrize("says", BAD)
def test_tables_that_are_refused(says: str) -> None:
    curve = pa.table({"rank": pa.array(map(int, BAD[says])), "examination": pa.array(BAD[says].values(), pa.float64())})
    with pytest.raises(recsql.BadInput, match=f"^{says}"):
        recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=curve, **KEPT)


REFUSED: list[tuple[Found, str]] = [
    ({"eta": 1}, "eta: it applies only if curve='power'; set that as well"),
    ({"curve": "observed", "eta": 1}, "eta: it applies only if curve='power'; set that as well"),
    ({"curve": "power", "eta": -1}, "eta: -1 is not at least 0 and at most 10"),
    ({"propensity": "curve"}, "propensity: it applies only if curve='observed' or 'power' or 'table'; set that as well"),
    (
        {"curve": CURVE, "propensity": "curve", "unit": "user", "aggregate": "last"},
        "propensity: with unit='user' and aggregate='last', the last event of an item may not go to the impression of",
    ),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_what_is_refused(options: Found, says: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{says}"):
        recsql.labels(events_of(DONE), impressions_of(SHOWN), **KEPT, **options)


def test_a_curve_needs_impressions() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^curve: it applies only with impressions=; give that as well"):
        recsql.labels(events_of(DONE), start="2026-03-01", curve="observed")


@pytest.mark.parametrize("unit", ["user", "request"])
@pytest.mark.parametrize("propensity", ["none", "curve"])
@pytest.mark.parametrize("which", ["observed", "power", "table"])
def test_a_macro_file_with_a_curve(which: str, propensity: str, unit: str) -> None:
    """The table of the curve is a parameter; labels of events alone have none."""
    own: Found = {"unit": unit, "complete": "keep", "propensity": propensity, **({"eta": 0.5} if which == "power" else {})}
    own = {name: value for name, value in own.items() if value != "none"}
    given = ["'done'", "'shown'", *(["'at'"] if which == "table" else []), "period := '10 hours'"]
    with duckdb.connect() as con:
        of_file = {
            "label_propensity" if name == "propensity" else name: value for name, value in own.items()
        }  # evaluate has one, too
        con.execute(recsql.macros(curve=which, **of_file))
        for name, rows in {"done": events_of(DONE), "shown": impressions_of(SHOWN), "at": CURVE}.items():
            con.register(name, rows)
        found = con.sql(f"from recsql.labels_of_impressions({', '.join(given)})").to_arrow_table()
        table = CURVE if which == "table" else which
        expected = recsql.labels(events_of(DONE), impressions_of(SHOWN), curve=table, window="10h", **own)
        assert labelled(expected) == labelled(found.drop_columns({"surface"} & {*found.column_names}))
        alone = con.sql("from recsql.labels('done', start := '2026-03-01')").to_arrow_table()
        assert alone.num_rows == 3 and "propensity" not in alone.column_names
    assert "no label" not in said_of(expected)

"""Labels: the truth from a log of events. Hand-made cases, the example of the page, and what holds for any log.

If it fails, the truth made from a log credits an event to the wrong list, or not at all.
"""

import json
import random
import tomllib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from tests.support import fetched, macro_call, takes

Found = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "cases" / "labels"
START = datetime(2026, 3, 1)
CASES = {
    f"{path.stem}: {case['about']}": {**text, **case}
    for path in sorted(FOLDER.glob("*.toml"))
    for text in [tomllib.loads(path.read_text(encoding="utf-8"))]
    for case in text.pop("case")
}


def events_of(rows: list[list[Any]]) -> pa.Table:
    columns: list[Any] = list(zip(*rows, strict=True))
    times = [START + timedelta(hours=hour) for hour in columns[2]]
    return pa.table({"user_id": columns[0], "item_id": columns[1], "ts": times, "type": columns[3]})


def impressions_of(rows: list[list[Any]]) -> pa.Table:
    """A row per item of each request."""
    names = ("user_id", "ts", "item_id", "rank", "model", "surface")
    found = [
        dict(zip(names, (user, START + timedelta(hours=hour), item, rank, *more), strict=False))
        for user, hour, items, *more in rows
        for rank, item in enumerate(items, start=1)
    ]
    return pa.Table.from_pylist(found)


def given_by(found: Found) -> tuple[pa.Table, pa.Table | None, Found]:
    """The events, the impressions and the options of a case."""
    shown = found.get("impressions")
    return events_of(found["events"]), shown and impressions_of(shown), {**found["options"], **found.get("more", {})}


def truth_of(rows: pa.Table) -> dict[str, dict[str, float]]:
    """The relevance of each labelled item, by its request or its user."""
    found: dict[str, dict[str, float]] = {}
    for row in rows.to_pylist():
        if row["part"] == "truth":
            unit = row["user_id"] if row["request_id"] is None else row["request_id"]
            assert row["item_id"] not in found.setdefault(str(unit), {})
            found[str(unit)][row["item_id"]] = row["relevance"]
    return found


def in_macro(con: duckdb.DuckDBPyConnection, events: pa.Table, impressions: pa.Table | None, options: Found) -> Any:
    """The labels that the macro gives, which does not know the columns of its tables; none if it is one of another file."""
    macro = "labels" if impressions is None else "labels_of_impressions"
    if not takes(macro, options):
        return None
    with con.cursor() as cursor:
        cursor.register("logged", events)
        cursor.register("shown", impressions or events)
        given = ["logged"] if impressions is None else ["logged", "shown"]
        return truth_of(pa.Table.from_pylist(fetched(cursor, macro_call(macro, *given, **options))))


def said_of(rows: pa.Table) -> str:
    return str(json.loads(rows.schema.metadata[b"recsql"])["said"])


# -- hand-made cases


@pytest.mark.parametrize("found", CASES.values(), ids=CASES)
def test_case(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    events, impressions, options = given_by(found)
    if "error" in found:
        with pytest.raises(recsql.BadInput, match=found["error"]):
            recsql.labels(events, impressions, **options)
        return
    rows = recsql.labels(events, impressions, **options)
    assert in_macro(con, events, impressions, options) in (None, truth_of(rows))
    expected = {
        unit: {item: con.execute(f"select cast({value} as double)").fetchall()[0][0] for item, value in of.items()}
        for unit, of in found["truth"].items()
    }
    assert {unit: {item: pytest.approx(value, abs=1e-15) for item, value in of.items()} for unit, of in expected.items()} == (
        truth_of(rows)
    )
    assert said_of(rows).startswith(found.get("said", ""))


# -- the example of the specification

SHOWN = [["1", 10, "abc", "new"], ["1", 57, "a", "new"], ["2", 12, "ad", "new"]]
DONE = [
    ["1", "a", 57.25, "click"],
    ["1", "a", 72, "buy"],
    ["1", "b", 202, "click"],
    ["1", "e", 24, "buy"],
    ["2", "a", 11.75, "click"],
    ["2", "d", 12, "click"],
]


def test_both_means_of_the_example(tmp_path: Path) -> None:
    """A request without an event is left out of the mean, or counts as 0: (1 + 1 / log2(3)) / 2 and / 3."""
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    said = recsql.labels(events_of(DONE), impressions_of(SHOWN), complete="keep", **files)
    assert said.startswith(
        "6 impressions in 3 requests; 6 events: 3 credited, 1 after the window, 1 before it was shown, 1 never shown; "
        "1 request is still open (kept). 2 of 3 requests with labels have a relevant item"
    )
    rows = recsql.evaluate(files["recs"], files["truth"], ["ndcg@3", "ndcg(no_truth=zero)@3"]).to_pylist()
    assert [(round(row["value"], 4), row["users"]) for row in rows] == [(0.8155, 2), (0.5436, 3)]
    assert {row["model"] for row in rows} == {"new"}
    assert recsql.evaluate(files["recs"], files["truth"], "ndcg@3").to_pylist() == rows


# metrics of each kind: one that no list without a relevant item has above 0, one with options, two that are not means of lists
OF_REQUESTS = ["ndcg", "precision(denominator=returned)", "f1(average=of_means)", "entropy"]
TWICE = ["ndcg", "ndcg(no_truth=zero)", "precision(denominator=returned)", "precision(no_truth=zero, denominator=returned)"]
TWICE += ["f1(average=of_means)", "f1(no_truth=zero, average=of_means)", "entropy"]


def test_a_truth_of_requests_has_both_means(tmp_path: Path) -> None:
    """As if both were asked for, also with an interval, in slices and from parts; one if the call chooses it."""
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    recsql.labels(events_of(DONE), impressions_of(SHOWN), complete="keep", **files)
    recs, truth = files["recs"], files["truth"]
    by = {"by": "half", "segments": pa.table({"user_id": [1, 2, 3], "half": ["x", "y", "y"]})}
    each: list[Found] = [{}, {"interval": 0.9}, by]
    for options in each:
        found = recsql.evaluate(recs, truth, OF_REQUESTS, [1, 3], **options)
        asked = recsql.evaluate(recs, truth, TWICE, [1, 3], no_truth="skip", **options)
        assert found.to_pylist() == asked.to_pylist()
        assert {*found["metric"].to_pylist()} == {*TWICE}
    part = str(tmp_path / "part.parquet")
    recsql.partial(recs, truth, part, OF_REQUESTS, [1, 3])
    assert recsql.merge(part).to_pylist() == recsql.evaluate(recs, truth, OF_REQUESTS, [1, 3]).to_pylist()
    with duckdb.connect() as own:
        of_query = fetched(own, recsql.sql(recs, truth, OF_REQUESTS, [1, 3], connection=own))
    assert [row["metric"] for row in of_query] == recsql.evaluate(recs, truth, OF_REQUESTS, [1, 3])["metric"].to_pylist()
    bare = pq.read_table(files["truth"]).drop_columns("events")
    with_one: list[tuple[Any, str, Found]] = [
        (truth, "ndcg", {"no_truth": "skip"}),
        (truth, "ndcg", {"no_truth": "zero"}),
        (truth, "ndcg(no_truth=zero)", {}),
        (truth, "ndcg", {"like": "ranx"}),
        (truth, "ndcg(like=ranx)", {}),
        (truth, "ndcg", {"user": "person_id", "duplicates": "first"}),
        (bare, "ndcg", {}),
    ]
    for table, metric, options in with_one:
        assert recsql.evaluate(recs, table, metric, 3, **options).num_rows == 1
    assert recsql.per_user(recs, truth, "ndcg", 3).num_rows == 2


def test_functions_that_show_one_mean_of_requests(tmp_path: Path) -> None:
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    recsql.labels(events_of(DONE), impressions_of(SHOWN), complete="keep", **files)
    assert {*recsql.curve(files["recs"], files["truth"], "ndcg", [1, 3]).data["metric"].to_pylist()} == {"ndcg"}
    assert "hits" in recsql.explain(files["recs"], files["truth"], "ndcg", 3)["step"].to_pylist()
    assert "no_truth=zero" not in recsql.sql(files["recs"], files["truth"], "ndcg", 3, stop_after="per_user")


def test_the_users_of_requests_are_clusters(tmp_path: Path) -> None:
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    recsql.labels(events_of(DONE), impressions_of(SHOWN), complete="keep", **files)
    assert pq.read_table(files["recs"]).column_names == ["model", "user_id", "person_id", "item_id", "rank"]
    assert pq.read_table(files["truth"]).column_names == ["user_id", "person_id", "item_id", "relevance", "rank", "events"]
    result = recsql.evaluate(files["recs"], files["truth"], "ndcg(no_truth=zero)@3", cluster="person_id", interval=0.95)
    assert result["std_error"][0].as_py() > 0


def test_the_order_of_a_users_first_events_is_the_rank() -> None:
    """Later events change nothing: here one with e, after those with a."""
    rows = recsql.labels(events_of([*DONE, ["1", "e", 90, "click"]]), start="2026-03-01").to_pylist()
    assert {(row["user_id"], row["item_id"]): row["rank"] for row in rows} == {
        ("1", "e"): 1,
        ("1", "a"): 2,
        ("2", "a"): 1,
        ("2", "d"): 2,
    }
    assert {row["part"] for row in rows} == {"truth"}


# -- what holds for any log


def a_log(seed: int) -> tuple[list[list[Any]], list[list[Any]]]:
    """Requests at different hours, and events before, in and after their windows, also of items that nobody was shown."""
    draw = random.Random(seed)
    hours = {(f"u{user}", hour) for user in range(4) for hour in draw.sample(range(40), 4)}
    shown = [[user, hour, draw.sample("abcdef", draw.randint(1, 4))] for user, hour in sorted(hours)]
    done = [
        [f"u{draw.randrange(4)}", draw.choice("abcdefg"), draw.randrange(50), draw.choice(["click", "buy"])] for _ in range(60)
    ]
    return shown, done


def by_hand(shown: list[list[Any]], done: list[list[Any]], which: str, window: int) -> dict[str, dict[str, float]]:
    """The sums of gains, event by event."""
    truth: dict[str, dict[str, float]] = {
        str(n): dict.fromkeys(items, 0.0) for n, (_, _, items) in enumerate(sorted(shown), start=1)
    }
    for user, item, hour, kind in done:
        fit = [
            n
            for n, (of, at, items) in enumerate(sorted(shown), start=1)
            if of == user and item in items and at <= hour < at + window
        ]
        for n in {"last": fit[-1:], "first": fit[:1], "all": fit}[which]:
            truth[str(n)][item] += {"click": 1, "buy": 3}[kind]
    return truth


@pytest.mark.parametrize("which", ["last", "first", "all"])
@pytest.mark.parametrize("seed", range(5))
def test_every_event_goes_where_it_should(which: str, seed: int) -> None:
    """With last and first, each event is credited at most once."""
    shown, done = a_log(seed)
    options: Found = {"window": "12 hours", "complete": "keep", "aggregate": "sum", "attribution": which}
    rows = recsql.labels(events_of(done), impressions_of(shown), **options)
    truth = by_hand(shown, done, which, 12)
    assert truth_of(rows) == truth
    counts = json.loads(rows.schema.metadata[b"recsql"])["labels"]
    once = by_hand(shown, [[*row[:3], "click"] for row in done], "last", 12)
    assert counts["credited"] == sum(sum(of.values()) for of in once.values())
    assert counts["credited"] + counts["late"] + counts["early"] + counts["organic"] == len(done)
    credits = sum(row["events"] for row in rows.to_pylist() if row["part"] == "truth")
    assert credits == counts["credited"] if which != "all" else credits >= counts["credited"]


@pytest.mark.parametrize("which", ["last", "first", "all"])
def test_shifted_times_and_shuffled_rows_change_nothing(which: str) -> None:
    shown, done = a_log(7)
    options: Found = {"window": "12 hours", "attribution": which, "aggregate": "sum"}
    expected = recsql.labels(events_of(done), impressions_of(shown), **options)
    later = [[user, hour + 1000, items] for user, hour, items in shown]
    moved = recsql.labels(events_of([[u, i, hour + 1000, t] for u, i, hour, t in done]), impressions_of(later), **options)
    events, impressions = events_of(done), impressions_of(shown)
    draw = random.Random(0)
    mixed = [table.take(draw.sample(range(len(table)), len(table))) for table in (events, impressions)]
    with duckdb.connect() as one:
        one.execute("set threads = 1")
        alone = recsql.labels(*mixed, connection=one, **options)
    for other in (moved, recsql.labels(*mixed, **options), alone):
        assert sorted(map(str, other.to_pylist())) == sorted(map(str, expected.to_pylist()))
        assert said_of(other) == said_of(expected)


@pytest.mark.parametrize("which", ["last", "first"])
@pytest.mark.parametrize("tolerance", ["0 s", "2 hours"])
def test_asof_gives_what_the_window_gives(monkeypatch: pytest.MonkeyPatch, which: str, tolerance: str) -> None:
    """The form for engines without ASOF, also where an event and an impression have the same time."""
    from recsql.query.templates import dialect

    logs = [a_log(seed) for seed in range(3)]
    options: Found = {"window": "12 hours", "complete": "keep", "attribution": which, "tolerance": tolerance}

    def labelled() -> list[dict[str, dict[str, float]]]:
        return [truth_of(recsql.labels(events_of(done), impressions_of(shown), **options)) for shown, done in logs]

    with_asof = labelled()
    of_spark, sql = dialect("spark"), dialect("duckdb")
    assert "asof" in sql.last_before("e", "s", "e.ts")
    for name in ("last_before", "first_after"):
        nearest, order = ("max", "asc") if name == "last_before" else ("min", "desc")
        monkeypatch.setattr(sql, name, lambda events, shown, time, n=nearest, o=order: sql.beside(events, shown, time, n, o))
        assert "asof" not in getattr(sql, name)("e", "s", "e.ts")
        assert "asof" not in getattr(of_spark, name)("e", "s", "e.ts")
    assert labelled() == with_asof


# -- times, types and models


def test_times_of_all_kinds_are_in_utc() -> None:
    """A request at 12:00 in Berlin is at 11:00 in UTC; a date is its midnight."""
    berlin = timezone(timedelta(hours=1))
    shown = pa.table(
        {
            "user_id": [1],
            "item_id": ["a"],
            "rank": [1],
            "ts": pa.array([datetime(2026, 3, 1, 12, tzinfo=berlin)], pa.timestamp("us", "UTC")),
        }
    )
    for hour, relevance in ((10, 0.0), (11, 1.0)):
        events = pa.table({"user_id": [1], "item_id": ["a"], "ts": [datetime(2026, 3, 1, hour)]})
        assert truth_of(recsql.labels(events, shown, complete="keep")) == {"1": {"a": relevance}}
    dates = pa.table({"user_id": [1, 1], "item_id": ["a", "b"], "ts": [datetime(2026, 3, day).date() for day in (1, 2)]})
    for start in ("2026-03-02", datetime(2026, 3, 2), datetime(2026, 3, 2, tzinfo=UTC), "2026-03-02T01:00+01:00"):
        assert truth_of(recsql.labels(dates, start=start)) == {"1": {"b": 1.0}}
    assert truth_of(recsql.labels(dates, start="2026-03-01", window=timedelta(days=1))) == {"1": {"a": 1.0}}


def test_gains_as_text_and_as_a_mapping() -> None:
    rows = events_of(DONE)
    expected = truth_of(recsql.labels(rows, start="2026-03-01", gains={"click": 2, "buy": 0.5}))
    assert expected == {"1": {"a": 2.0, "e": 0.5}, "2": {"a": 2.0, "d": 2.0}}
    for gains in ("click:2,buy:0.5", '{"click": 2, "buy": 0.5}', "click:2, buy:0.5"):
        assert truth_of(recsql.labels(rows, start="2026-03-01", gains=gains)) == expected


def test_the_requests_are_those_of_the_log() -> None:
    """With request_id, the times of a request may differ; it is open as long as one of its windows is."""
    shown = impressions_of(SHOWN).append_column("request_id", pa.array(["x", "x", "x", "x", "y", "y"])).slice(1)
    rows = recsql.labels(events_of(DONE), shown, complete="keep")
    assert truth_of(rows) == {"x": {"b": 0.0, "c": 0.0, "a": 3.0}, "y": {"a": 0.0, "d": 1.0}}
    assert "2 requests; 6 events: 3 credited, 1 after the window, 1 before it was shown, 1 never shown; 1 request is" in said_of(
        rows
    )
    assert truth_of(recsql.labels(events_of(DONE), shown)) == {"y": {"a": 0.0, "d": 1.0}}


def test_a_request_is_of_one_model(tmp_path: Path) -> None:
    """Each model is averaged over its own requests, and a comparison of pairs has none."""
    shown = impressions_of([["1", 10, "ab", "new"], ["1", 57, "a", "old"], ["2", 12, "ad", "old"]])
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    said = recsql.labels(events_of(DONE), shown, complete="keep", **files)
    assert "each request belongs to one of 2 models: no_recs='skip' averages each over its own." in said.lower()
    rows = recsql.evaluate(files["recs"], files["truth"], "hit@1", no_truth="zero", no_recs="skip").to_pylist()
    assert {row["model"]: (row["value"], row["users"]) for row in rows} == {"new": (0.0, 1), "old": (0.5, 2)}
    both = recsql.evaluate(files["recs"], files["truth"], "hit@1", no_recs="skip").to_pylist()
    assert [row for row in both if "no_truth" in row["metric"]] == [row | {"metric": both[1]["metric"]} for row in rows]
    assert {row["model"]: row["users"] for row in both if "no_truth" not in row["metric"]} == {"new": 0, "old": 2}
    with pytest.raises(recsql.BadInput, match="in its column shown_by, and would count as 0 for the others; give no_recs='skip'"):
        recsql.evaluate(files["recs"], files["truth"], "hit@1")
    with pytest.raises(recsql.BadInput, match="no request has lists of two models to compare; evaluate has the mean of each"):
        recsql.compare(files["recs"], files["truth"], "hit@1", no_recs="skip")


# -- surfaces

ON_PAGES = [["1", 0, "ab", "new", "home"], ["1", 1, "ab", "new", "cart"], ["2", 0, "ac", "new", "home"]]
ON_THEM = [["1", "a", 0.5, "click"], ["1", "b", 0.5, "buy"], ["1", "a", 2, "click"], ["1", "b", 2, "buy"], ["2", "c", 3, "click"]]


def test_gains_differ_by_surface(tmp_path: Path) -> None:
    """A click counts at home, and a purchase in the cart; the other event is credited, and is worth nothing there."""
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    logs = events_of(ON_THEM), impressions_of(ON_PAGES)
    for gains in ({"home": {"click": 1}, "cart": {"buy": 3}}, "home/click:1,cart/buy:3"):
        rows = recsql.labels(*logs, gains=gains, complete="keep")
        assert truth_of(rows) == {"1": {"a": 1.0, "b": 0.0}, "2": {"a": 0.0, "b": 3.0}, "3": {"a": 0.0, "c": 1.0}}
    assert said_of(rows).startswith("6 impressions in 3 requests; 5 events: 5 credited; 3 requests are still open (kept).")
    recsql.labels(*logs, gains=gains, complete="keep", **files)
    found = recsql.evaluate(files["recs"], files["truth"], "rr@2", by="surface").to_pylist()
    assert {row["segment"]: (row["value"], row["users"]) for row in found} == {
        None: (2 / 3, 3),
        "home": (0.75, 2),
        "cart": (0.5, 1),
    }


def test_lists_on_two_surfaces_at_one_time_are_two_requests() -> None:
    shown = impressions_of([["1", 0, "ab", "new", "home"], ["1", 0, "cd", "new", "cart"]])
    assert truth_of(recsql.labels(events_of([["1", "c", 1, "click"]]), shown, complete="keep")) == {
        "1": {"c": 1.0, "d": 0.0},
        "2": {"a": 0.0, "b": 0.0},
    }


# -- what is refused


def put(table: pa.Table, **columns: list[Any]) -> pa.Table:
    """The table with these columns instead of its own."""
    for name, values in columns.items():
        table = table.drop_columns([name] if name in table.column_names else []).append_column(name, pa.array(values))
    return table


EVENTS, IMPRESSIONS = events_of(DONE), impressions_of(SHOWN)
REFUSED: dict[str, tuple[pa.Table, pa.Table | None, Found, str]] = {
    "no start": (EVENTS, None, {}, "start: without impressions, labels need the time from which events count"),
    "a start beside impressions": (EVENTS, IMPRESSIONS, {"start": "2026-03-01"}, "start: with impressions, events count from"),
    "no time": (EVENTS, None, {"start": "soon"}, "start: 'soon' is not a date or a time; write it like 2026-03-01"),
    "months": (
        EVENTS,
        IMPRESSIONS,
        {"window": "3 months"},
        "window: '3 months' is not a length of time; write a whole number of",
    ),
    "no window": (EVENTS, IMPRESSIONS, {"window": "0 d"}, "window: '0 d' is not above 0"),
    "no gains": (EVENTS, IMPRESSIONS, {"gains": "click"}, "gains: 'click' does not give each type of event a number that is"),
    "gains below 0": (
        EVENTS,
        IMPRESSIONS,
        {"gains": {"click": -1}},
        "does not give each type of event a number that is at least 0",
    ),
    "a type without a gain": (
        EVENTS,
        IMPRESSIONS,
        {"gains": {"click": 1}},
        "events: type is buy for 2 events, and gains= does not",
    ),
    "gains without types": (
        EVENTS.drop_columns(["type"]),
        IMPRESSIONS,
        {"gains": {"click": 1}},
        "events: there is no column type;",
    ),
    "gains by a surface that is not there": (
        EVENTS,
        IMPRESSIONS,
        {"gains": {"home": {"click": 1, "buy": 2}}},
        "impressions: there is no column surface;",
    ),
    "a surface without gains": (
        EVENTS,
        put(IMPRESSIONS, surface=["home"] * 5 + ["cart"]),
        {"gains": {"home": {"click": 1, "buy": 2}}},
        "impressions: surface is cart for 1 impressions, and gains= does not name it",
    ),
    "gains by surface of events alone": (
        EVENTS,
        None,
        {"start": "2026-03-01", "gains": {"home": {"click": 1}}},
        "gains: they differ by surface, and events alone have no surface",
    ),
    "gains by surface of organic events": (
        EVENTS,
        put(IMPRESSIONS, surface=["home"] * 6),
        {"gains": {"home": {"click": 1, "buy": 2}}, "unit": "user", "organic": "keep"},
        "gains: they differ by surface, and with organic='keep' there are events without a surface",
    ),
    "organic events of requests": (EVENTS, IMPRESSIONS, {"organic": "keep"}, "organic: it applies only if unit='user'"),
    "an option of impressions": (
        EVENTS,
        None,
        {"start": "2026-03-01", "attribution": "first"},
        "attribution: it applies only with impressions=; give that as well, or leave attribution= out",
    ),
    "a NULL user": (
        put(EVENTS, user_id=["1", None, "1", "1", "2", "2"]),
        IMPRESSIONS,
        {},
        "events: user_id is NULL for user NULL, item a",
    ),
    "a NULL type": (put(EVENTS, type=["click"] * 5 + [None]), IMPRESSIONS, {}, "events: type is NULL for user 2, item d"),
    "a NULL time": (
        put(EVENTS, ts=[None, *EVENTS["ts"].to_pylist()[1:]]),
        IMPRESSIONS,
        {},
        "events: ts is NULL for user 1, item a; leave such rows out or fill in a value",
    ),
    "a NULL rank": (EVENTS, put(IMPRESSIONS, rank=[1, 2, 3, None, 1, 2]), {}, "impressions: rank is NULL for user 1, item a"),
    "a rank of 0": (
        EVENTS,
        put(IMPRESSIONS, rank=[1, 2, 3, 1, 0, 2]),
        {},
        "impressions: rank is 0 for user 2, item a; ranks are",
    ),
    "a broken rank": (EVENTS, put(IMPRESSIONS, rank=[1, 2, 3, 1, 1.5, 2]), {}, "impressions: rank is 1.5 for user 2, item a"),
    "a request of two users": (
        EVENTS,
        put(IMPRESSIONS, request_id=[1, 1, 1, 1, 1, 2]),
        {},
        "impressions: request 1 has 2 users; a request belongs to one user, one model and one surface",
    ),
    "an item twice in a request": (
        EVENTS,
        put(IMPRESSIONS, request_id=[1, 1, 1, 1, 2, 2]),
        {},
        "impressions: item a appears more than once in request 1; keep one of these rows",
    ),
    "no event": (EVENTS.slice(0, 0), IMPRESSIONS, {}, "events: it has no rows, so nothing can be labelled"),
    "no impression": (EVENTS, IMPRESSIONS.slice(0, 0), {}, "impressions: it has no rows, so nothing can be labelled"),
    "all windows open": (
        EVENTS,
        IMPRESSIONS,
        {"window": "30d"},
        "impressions: the window of each request is still open at 2026-03-09",
    ),
    "times as numbers": (put(EVENTS, ts=[1] * 6), IMPRESSIONS, {}, "events: ts is BIGINT; it must be a date or a time"),
    "times as text": (EVENTS, put(IMPRESSIONS, ts=["x"] * 6), {}, "impressions: ts is VARCHAR; it must be a date or a time"),
    "ids of two types": (put(EVENTS, user_id=[1] * 6), IMPRESSIONS, {}, "user_id is BIGINT in events and VARCHAR in impressions"),
}


@pytest.mark.parametrize(("events", "impressions", "options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(events: pa.Table, impressions: pa.Table | None, options: Found, sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.labels(events, impressions, **options)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("impressions", "files", "sentence"),
    [
        (IMPRESSIONS, ("recs", None), "truth: shown lists and labels belong together; give both files"),
        (IMPRESSIONS, (None, "truth"), "recs: shown lists and labels belong together; give both files"),
        (IMPRESSIONS, ("truth", "truth"), "recs and truth can't both be written to this file; give two files"),
        (IMPRESSIONS, ("recs", "nowhere/truth"), "does not exist; create it first"),
        (None, ("recs", "truth"), "recs: the labels are of users, who have no lists here; leave recs out"),
    ],
)
def test_both_files_or_none(
    tmp_path: Path, impressions: pa.Table | None, files: tuple[str | None, str | None], sentence: str
) -> None:
    paths = {part: name and str(tmp_path / name) for part, name in zip(("recs", "truth"), files, strict=True)}
    options = {"start": "2026-03-01"} if impressions is None else {}
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.labels(EVENTS, impressions, **options, **paths)
    assert list(tmp_path.iterdir()) == []


# -- the command


def test_the_command_counts_on_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files have their usual names where there are none; the gains are text."""
    pq.write_table(EVENTS, tmp_path / "log.parquet")
    pq.write_table(IMPRESSIONS, tmp_path / "shown.parquet")
    monkeypatch.chdir(tmp_path)
    asked = ["labels", "log.parquet", "--impressions", "shown.parquet", "--complete", "keep", "--gains", "click:1,buy:4"]
    assert main(asked) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("6 impressions in 3 requests; 6 events: 3 credited, 1 after the window, 1 before it was shown, 1 never")
    assert (
        "2 of 3 requests with labels have a relevant item: evaluate gives the mean over these, and the mean over all with" in err
    )
    assert sorted(pq.read_table("truth.parquet")["relevance"].to_pylist()) == [0, 0, 0, 0, 1, 4]
    assert pq.read_table("recs.parquet").num_rows == 6
    assert main(asked) == 1
    assert capsys.readouterr().err == "recsql: recs.parquet: it already exists; choose another file with --recs\n"
    assert main(["labels", "log.parquet", "--start", "2026-03-02", "--truth", "after.parquet"]) == 0
    assert pq.read_table("after.parquet").column_names == ["user_id", "item_id", "relevance", "rank", "events"]


# -- the caller's connection


def test_an_open_transaction_stays_open_and_nothing_is_left(tmp_path: Path) -> None:
    with duckdb.connect() as own:
        own.register("log", EVENTS)
        own.register("seen", IMPRESSIONS)
        own.execute("create table shown as select 1 as mine")
        own.begin()
        assert len(recsql.labels("log", "seen", complete="keep", connection=own)) == 12
        with pytest.raises(recsql.BadInput, match="gains= does not name it"):
            recsql.labels("log", "seen", gains={"click": 1}, connection=own)
        assert own.execute("select mine from shown").fetchall() == [(1,)]
        own.commit()
        assert recsql.labels("log", "seen", complete="keep", into="labelled", connection=own) is None
        recsql.labels("log", "seen", complete="keep", into=str(tmp_path / "rows.parquet"), connection=own)
        for kept in ("labelled", f"'{tmp_path}/rows.parquet'"):
            assert own.execute(f"select sum(events) from {kept} where part = 'truth'").fetchall() == [(3,)]
        assert own.execute("select table_name from duckdb_tables() order by all").fetchall() == [("labelled",), ("shown",)]


def test_columns_of_other_names() -> None:
    events = EVENTS.rename_columns(["who", "what", "at", "kind"])
    shown = IMPRESSIONS.rename_columns(["who", "at", "what", "place", "by"])
    names = {"user": "who", "item": "what", "ts": "at", "type": "kind", "rank": "place", "model": "by"}
    renamed, plain = recsql.labels(events, shown, complete="keep", **names), recsql.labels(EVENTS, IMPRESSIONS, complete="keep")
    assert {"by", "who", "what", "place"} <= {*renamed.column_names}
    assert truth_of(renamed.rename_columns(plain.column_names)) == truth_of(plain)
    assert {row["by"] for row in renamed.to_pylist()} == {"new"}

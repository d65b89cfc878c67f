"""If recs and truth have nothing in common, all values are 0; a warning says so, with an id of each side.

If it fails, a mistake that makes all values 0 goes without a warning, or a good input gets one.
"""

import json
import re
import warnings
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.catalog.grammar import parse_metric
from recsql.cli import main
from recsql.display.shown import Shown

TRUTH = pa.table({"user_id": ["u1", "u2"], "item_id": ["007", "008"]})
HOW = r"; check how the ids are written \(case, spaces, leading zeros, Unicode forms\)$"
USERS = r"^recs: no user of the lists is in truth: for example, 'U1' here and 'u1' there" + HOW
ITEMS = r"^recs: no item of the lists is in truth: for example, '7' here and '007' there" + HOW


def recs(users: list[str], items: list[str], **further: Any) -> pa.Table:
    return pa.table({**further, "user_id": users, "item_id": items, "rank": pa.array([1] * len(users), pa.int64())})


def told(result: pa.Table) -> list[str]:
    found: list[str] = json.loads(result.schema.metadata[b"recsql"]).get("warnings", [])
    return found


@pytest.mark.parametrize("function", [recsql.evaluate, recsql.per_user], ids=["evaluate", "per_user"])
@pytest.mark.parametrize("asked", ["ndcg", "fn", ["hit", "idcg"]], ids=str)
def test_nothing_in_common(function: Any, asked: Any) -> None:
    """Also for metrics that are not 0 without a hit."""
    for table, says in ((recs(["U1"], ["007"]), USERS), (recs(["u1"], ["7"]), ITEMS)):
        with pytest.warns(UserWarning, match=says) as caught:
            result = function(table, TRUTH, asked, 5)
        assert told(result) == [str(one.message) for one in caught]
        assert {one.filename for one in caught} == {__file__}


def test_a_user_who_counts_1_without_truth_is_no_hit() -> None:
    with pytest.warns(UserWarning, match=USERS):
        [value] = recsql.evaluate(recs(["U1"], ["007"]), TRUTH, "recall", 5, no_truth="one")["value"].to_pylist()
    assert value == pytest.approx(1 / 3)


def test_no_rows() -> None:
    for further in ({}, {"model": pa.array([], pa.string())}):
        empty = pa.table(
            {**further, **{name: pa.array([], pa.string()) for name in ("user_id", "item_id")}, "rank": pa.array([], "i8")}
        )
        with pytest.warns(UserWarning, match="^recs has no rows, so every user counts as having no list$") as caught:
            assert recsql.evaluate(empty, TRUTH, "ndcg", 5)["value"].to_pylist() == [0.0]
        assert len(caught) == 1


@pytest.mark.engine
def test_models_are_named() -> None:
    table = recs(["u1"] * 3, ["7", "007", "8"], model=["a", "b", "c"])
    with pytest.warns(
        UserWarning, match="^recs: no item of the lists of model a and 1 more is in truth: for example, '7' here and '007'"
    ):
        recsql.evaluate(table, TRUTH, "ndcg", 5)
    with pytest.warns(UserWarning, match="^recs: no item of the lists of model a is in truth: for example, '7' here and '007'"):
        recsql.evaluate(table.slice(0, 2), TRUTH, "ndcg", 5)


@pytest.mark.engine
@pytest.mark.parametrize(
    "table",
    [recs(["u1"], ["007"]), recs(["u1"], ["008"]), recs(["u1", "u2"], ["7", "007"]), recs(["u1", "U1"], ["007", "8"])],
    ids=["a hit", "an item of another user", "one item in common", "one user in common"],
)
def test_something_in_common(table: pa.Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = recsql.evaluate(table, TRUTH, ["ndcg", "fn"], 5)
        hits = max(found.filter(pc.equal(found["metric"], "ndcg"))["value"].to_pylist()) > 0
        no_hit = [] if hits else ["recs: no list has a hit in its top k; run recsql.check to see why"]
        assert told(found) == no_hit
        assert told(recsql.per_user(table, TRUTH, "ndcg", 5)) == no_hit


def test_what_becomes_of_findings() -> None:
    """With too few users for an error, no hit is a warning; ids that have nothing in common are an error."""
    missed, apart = recs(["u1"], ["008"]), recs(["u1"], ["7"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in (missed, apart):
            assert told(recsql.evaluate(table, TRUTH, "ndcg", 5, findings="off")) == []
    with pytest.raises(recsql.BadInput, match=r"^recs: no item of the lists is in truth"):
        recsql.evaluate(apart, TRUTH, "ndcg", 5, findings="error")
    with pytest.warns(UserWarning, match=r"^recs: no list has a hit"):
        recsql.evaluate(missed, TRUTH, "ndcg", 5, findings="error")
    users = [f"u{n}" for n in range(688)]
    truth = pa.table({"user_id": users, "item_id": ["2"] * 687 + ["1"]})
    with pytest.raises(recsql.BadInput, match=r"^recs: no list has a hit"):
        recsql.evaluate(recs(users, ["1"] * 687 + ["2"]), truth, "ndcg", 5, findings="error")
    with pytest.raises(recsql.BadInput, match=r"^findings: unknown value 'loud'; choose one of warn, error, off$"):
        recsql.evaluate(missed, TRUTH, "ndcg", 5, findings="loud")


def test_more_than_half_without_a_list() -> None:
    truth = pa.table({"user_id": ["u1", "u2", "u3"], "item_id": ["007"] * 3})
    with pytest.warns(UserWarning, match=r"^recs: 2 of 3 users with truth have no list and count as 0; no_recs='skip'"):
        recsql.evaluate(recs(["u1"], ["007"]), truth, "ndcg", 5)
    for options in ({"no_recs": "skip"}, {"users": "intersection"}):
        assert told(recsql.evaluate(recs(["u1"], ["007"]), truth, "ndcg", 5, **options)) == []
    assert told(recsql.evaluate(recs(["u1", "u2"], ["007", "007"]), truth, "ndcg", 5)) == []


def test_the_command_line_says_it_beside_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")]
    for path, table in zip(paths, (recs(["u1"], ["7"]), TRUTH), strict=True):
        pq.write_table(table, path)
    assert main(["evaluate", *paths, "-m", "ndcg", "-k", "5", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert out == "model,metric,k,value,users,lists,definition\n,ndcg,5,0.0,2,1,ndcg\n"
    said = ITEMS.replace("recs", paths[0], 1).replace("truth", paths[1], 1).replace("^", "^recsql: warning: ")
    assert re.match(said, err)
    assert err.count("\n") == 1


NAMED = {
    "ndcg_cut_10": "trec_eval",
    "ndcg_score@5": "sklearn",
    "RetrievalMRR@5": "torchmetrics",
    "map@5": "ranx",
    "MAP@5": "ranx",
}


@pytest.mark.parametrize(("name", "library"), NAMED.items())
def test_a_library_s_name_under_another_convention(name: str, library: str) -> None:
    """The sentence names each option that the metric reads and that the library has otherwise, and how to ask for the latter."""
    table = recs(["u1"], ["007"])
    with pytest.warns(
        UserWarning, match=f"^{name.split('@')[0].removesuffix('_10')}(@5)? is {library}'s name, and its"
    ) as caught:
        recsql.evaluate(table, TRUTH, name)
    [warning] = caught
    assert warning.filename == __file__
    assert str(warning.message).endswith(f": add like='{library}'")
    options = dict(re.findall(r"(\w+) = (\w+)", str(warning.message)))
    preset = catalog().presets[library].options_of(parse_metric(name).metric)
    assert options
    assert options == {option: str(preset[option]) for option in options}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("P@5", {}),  # defined alike, although ties and the users in the mean differ
        ("Success@1", {}),
        ("hitrate@5", {}),
        ("mrr@5", {}),
        ("ndcg@5", {}),
        ("map@5", {"like": "ranx"}),
        ("map(denominator=relevant)@5", {}),
        ("ndcg_cut_10", {"like": "trec_eval"}),
        ("ndcg_cut_10", {"like": "ranx"}),
        ("ndcg_cut_10(like=trec_eval)", {}),
        ("ndcg_at_k(no_recs=skip)@5", {"like": "spark"}),
        ("precisionAt@5", {"relevant": "present", "duplicates": "count", "no_truth": "zero", "zero_ideal": "zero"}),  # as Spark
    ],
)
def test_names_that_need_no_hint(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recsql.evaluate(recs(["u1"], ["007"]), TRUTH, name, **options)


@pytest.mark.parametrize(
    ("metrics", "k", "is_idle"),
    [("ndcg@10", 5, True), (["ndcg@10", "hit@1"], [1, 5], True), (["ndcg@10", "hit"], 5, False), ("ndcg@5", None, False)],
)
def test_a_cut_off_that_no_metric_has(metrics: Any, k: Any, is_idle: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        recsql.evaluate(recs(["u1"], ["007"]), TRUTH, metrics, k)
    says = "k: every metric has its own cut-off, so k has no effect; leave one of the two out"
    assert [str(one.message) for one in caught] == [says] * is_idle


def test_the_usual_cut_off_of_check_is_not_told() -> None:
    with warnings.catch_warnings(record=True) as caught:
        recsql.check(recs(["u1"], ["007"]), TRUTH, metrics="ndcg@3")
    assert not caught


def test_the_command_line_names_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"recs": recs(["u1"], ["007"]), "truth": TRUTH}
    for file, table in files.items():
        pq.write_table(table, tmp_path / f"{file}.parquet")
    assert main(["evaluate", *(str(tmp_path / f"{file}.parquet") for file in files), "-m", "ndcg_cut_10"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("recsql: warning: ndcg_cut is trec_eval's name, and its convention differs (")
    assert told.endswith("): add --like trec_eval\n")


# -- a truth that is not what it seems

LISTS = recs(["u1", "u2"], ["007", "008"])
MEASURES: dict[str, Any] = {
    "evaluate": recsql.evaluate,
    "per_user": recsql.per_user,
    "compare": lambda lists, *further, **options: recsql.compare({"a": lists, "b": lists}, *further, **options),
}


def graded(**columns: Any) -> pa.Table:
    return pa.table({"user_id": ["u1", "u2"], "item_id": ["007", "008"], **columns})


def silent(function: Any, *given: Any, **options: Any) -> pa.Table:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result: pa.Table = function(*given, **options)
    return result


def test_a_relevance_by_another_name() -> None:
    for (name, function), column in [*product(MEASURES.items(), ["score"]), *product([*MEASURES.items()][:1], ["Grade", "rel"])]:
        truth = graded(**{column: [1, 2]})
        says = f"truth has a column {column} that is not read, so every row counts as relevant; relevance='{column}' reads it"
        with pytest.warns(UserWarning, match=f"^{says}$"):
            assert told(function(LISTS, truth, "ndcg", 5)) == [says], name
        for options in ({"relevance": column}, {"relevance": None}):
            assert told(silent(function, LISTS, truth, "ndcg", 5, **options)) == [], name
    for value in (["1", "2"], [True, False]):
        silent(recsql.evaluate, LISTS, graded(gain=value), "ndcg", 5)
    silent(recsql.evaluate, LISTS, graded(relevance=[1, 1], label=[1, 0]), "ndcg", 5)


@pytest.mark.parametrize(("low", "rows", "refused"), [(1, 100, True), (1, 101, False), (0, 100, False)])
def test_grades_of_0_that_would_count(low: int, rows: int, refused: bool) -> None:
    scores = [0] * low + [1] * (rows - low)
    truth = pa.table({"user_id": ["u1"] * rows, "item_id": [str(n) for n in range(rows)], "score": scores})
    lists = recs(["u1"], ["1"])
    says = (
        f"truth: score is 0 or less in {low} of {rows} rows, but is not read, .* relevance=.score. reads it, and relevance=None"
    )
    for call in (
        partial(recsql.evaluate, lists),
        partial(recsql.differences, {"a": lists, "b": lists}),
        partial(recsql.hits, lists),
    ):
        with pytest.raises(recsql.BadInput, match=says) if refused else pytest.warns(UserWarning, match="is not read"):
            call(truth, k=5)
    assert silent(recsql.evaluate, lists, truth, "hits", 5, relevance=None)["value"].to_pylist() == [1.0]


def test_every_row_counts_where_relevance_is_none() -> None:
    for relevance, users in (("relevance", 1), (None, 2)):
        [row] = silent(recsql.evaluate, LISTS, graded(relevance=[1, 0]), "hits", 5, relevance=relevance).to_pylist()
        assert row["users"] == users


@pytest.mark.parametrize("column", ["rating", "Stars"])
def test_a_rating_is_a_line_below_the_table(column: str) -> None:
    truth = graded(**{column: [0, -1]})
    line = f"The truth has a column {column} that is not read, so every row counts as relevant; relevance='{column}' reads it."
    for name in ("evaluate", "compare"):
        assert Shown.of(silent(MEASURES[name], LISTS, truth, "ndcg", 5)).notes[-1] == line
    assert line not in Shown.of(silent(recsql.evaluate, LISTS, truth, "ndcg", 5, relevance=None)).notes


def test_beir_s_files_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "results": "query-id,corpus-id,score\n1,2,9.1\n1,14255,7.5\n2,308938,3.3\n2,7,1.1\n",
        "qrels": "query-id,corpus-id,score\n1,14255,1\n1,2,0\n2,308938,2\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / f"{name}.csv") for name in files]
    given = ["-m", "ndcg@10,rr@10", "--user", "query-id", "--item", "corpus-id", "--format", "csv"]
    assert main(["evaluate", *paths, *given]) == 1
    assert capsys.readouterr().err == (
        f"recsql: {paths[1]}: score is 0 or less in 1 of 3 rows, but is not read, so that these would count as relevant; "
        "--relevance score reads it, and --relevance none counts every row\n"
    )
    for relevance, values in (("score", [0.8155, 0.75]), ("none", [1.0, 1.0])):
        assert main(["evaluate", *paths, *given, "--relevance", relevance]) == 0
        out, err = capsys.readouterr()
        assert [float(line.split(",")[3]) for line in out.splitlines()[1:]] == pytest.approx(values, abs=1e-4)
        assert err == ""
    assert main(["evaluate", *reversed(paths), *given]) == 0
    assert f"{paths[1]} looks like judgements, and {paths[0]} like lists: are the tables swapped?" in capsys.readouterr().err


SCORED = pa.table({"user_id": ["u1", "u2", "u2"], "item_id": ["007", "008", "009"], "score": [1.0, 0.0, 2.0]})


@pytest.mark.parametrize(
    ("lists", "truth", "function"),
    [
        (SCORED, graded(score=[0.7, 0.3]), "evaluate"),
        (SCORED, graded(rank=[1, 1]), "per_user"),
        (SCORED.set_column(2, "score", [[0.5, 0.1, 0.7]]), graded(rank=[1, 1], relevance=[1, 1]), "compare"),
    ],
    ids=["scores that are grades", "a rank in the truth", "a rank beside a relevance"],
)
def test_swapped_tables(lists: pa.Table, truth: pa.Table, function: str) -> None:
    says = r"^recs.* looks like judgements, and truth like lists: are the tables swapped\? recommendations come first$"
    with pytest.warns(UserWarning, match=says):
        assert re.match(says, told(MEASURES[function](lists, truth, "ndcg", 5))[-1])


def test_swapped_files_of_beir() -> None:
    """The scores of the lists are read as relevances, and the grades as scores."""
    ids = {"query-id": ["q1", "q1", "q2"], "corpus-id": ["d1", "d2", "d1"]}
    run, qrels = pa.table({**ids, "score": [13.5, 7.5, 11.25]}), pa.table({**ids, "score": [2, 0, 1]})
    says = r"^recs looks like judgements, and truth like lists: are the tables swapped\? recommendations come first$"
    with pytest.warns(UserWarning, match=says):
        recsql.evaluate(qrels, run, "ndcg", 2, names="beir")
    found = recsql.check(qrels, run, names="beir")["finding"].to_pylist()
    assert "tables_swapped" in found
    whole = run.set_column(2, "score", [[3, 2, 1]])  # scores that are whole numbers, and grades
    for lists in (run, whole):
        assert "tables_swapped" not in recsql.check(lists, qrels, names="beir")["finding"].to_pylist()


@pytest.mark.parametrize(("scores", "asks"), [([1.0, 0.0, 2.0], True), ([0.5, 0.1, 0.7], False)], ids=["grades", "scores"])
def test_the_error_about_grades_of_0_asks_whether_the_tables_are_swapped(scores: list[float], asks: bool) -> None:
    with pytest.raises(recsql.BadInput, match="is not read") as refused:
        recsql.evaluate(SCORED.set_column(2, "score", [scores]), graded(score=[-0.7, 0.3]), "ndcg", 5)
    assert str(refused.value).endswith("; or are the tables swapped? recommendations come first") == asks


@pytest.mark.parametrize(
    ("lists", "truth", "options"),
    [
        (LISTS, graded(rank=[1, 1]), {}),
        (SCORED, graded(rank=[1, 1]), {"truth_window": "k"}),
        (SCORED, graded(rank=[1, 1]), {"ideal": "truth_as_given"}),
        (SCORED, graded(place=[1, 1]), {"truth_rank": "place"}),
        (SCORED, graded(rank=[1, 1], relevance=[1.0, 2.0], events=[1, 2]), {}),
        (SCORED, pa.table({"user_id": ["u1", "u2"], "items": [["007"], ["008"]]}), {}),
        (SCORED, graded(relevance=[1, 2], score=[0.7, 0.3]), {}),
        (SCORED, graded(score=[0.7, 0.3]), {"relevance": "score"}),
    ],
    ids=["ranks in both", "window", "ideal", "named", "labels", "a LIST", "a relevance", "the score is read"],
)
def test_tables_that_are_not_swapped(lists: pa.Table, truth: pa.Table, options: dict[str, Any]) -> None:
    assert told(silent(recsql.evaluate, lists, truth, "ndcg", 5, **options)) == []


@pytest.mark.parametrize("scores", [[0.5, 1.0, 2.0], [*map(float, range(11))]], ids=["a fraction", "11 values"])
def test_scores_that_are_no_grades(scores: list[float]) -> None:
    lists = pa.table({"user_id": ["u1"] * len(scores), "item_id": [f"{n:03}" for n in range(len(scores))], "score": scores})
    with pytest.warns(UserWarning) as caught:
        recsql.evaluate(lists, graded(score=[0.7, 0.3]), "recall", 20)
    assert not [one for one in caught if "swapped" in str(one.message)]


def test_without_rank_and_score_the_tables_may_be_swapped() -> None:
    says = r"recs: there is no column rank or score; .*; or are the tables swapped\? recommendations come first$"
    for lists in (LISTS, SCORED):
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate(TRUTH, lists)
    with pytest.raises(recsql.BadInput, match=r"or score='\.\.\.'$"):
        recsql.evaluate(TRUTH, TRUTH)


@pytest.mark.parametrize("function", MEASURES.values(), ids=MEASURES)
def test_judgements_that_contradict_each_other(function: Any) -> None:
    """What is judged twice alike, or not relevant, is no contradiction."""
    truth = pa.table({"user_id": ["u1", "u1", "u2"], "item_id": ["007", "007", "008"], "relevance": [1, 0, 1]})
    says = "truth has several judgements of {} of a user and an item, and they differ; the highest counts"
    with pytest.warns(UserWarning, match=f"^{says.format('1 pair')}$"):
        assert told(function(LISTS, truth, "ndcg", 5)) == [says.format("1 pair")]
    with pytest.warns(UserWarning, match=says.format("2 pairs")):
        function(LISTS, pa.concat_tables([truth, graded(relevance=[1, 3])]), "ndcg", 5)
    for relevances in ([1, 1, 1], [0, 0, 1]):
        silent(function, LISTS, truth.set_column(2, "relevance", [relevances]), "ndcg", 5)
    silent(function, LISTS, truth.drop_columns(["relevance"]), "ndcg", 5)


def test_each_fold_has_its_warnings_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / f"{name}.parquet") for name in ("recs", "truth")]
    for path, further in zip(paths, ("rank", "label"), strict=True):
        pq.write_table(pa.table({"fold": [1, 2], "user_id": [1, 1], "item_id": [1, 1], further: [1, 1]}), path)
    assert main(["evaluate", *paths, "-m", "ndcg"]) == 0
    assert capsys.readouterr().err.count("is not read") == 1
    with pytest.warns(UserWarning, match="column label that is not read"):
        assert len(told(recsql.evaluate(paths[0], paths[1], "ndcg"))) == 1


def test_popularity_of_nothing() -> None:
    nothing = TRUTH.slice(0, 0)
    says = "train has no rows, so nothing is known of any user or item"
    for call in (partial(recsql.popularity, nothing, 5), partial(recsql.segments, nothing, TRUTH)):
        with pytest.warns(UserWarning, match=f"^{says}$"):
            assert told(call()) == [says]
    silent(recsql.popularity, TRUTH, 5)


def test_models_with_lists_for_different_users() -> None:
    """Of 200 users with truth, b lacks two (1 %) and c three; the pair that differs most is named."""

    def lists(*missing: int) -> pa.Table:
        users = [user for user in range(210) if user not in missing]  # ten have no truth
        return pa.table({"user_id": users, "item_id": [1] * len(users), "rank": [1] * len(users)})

    truth = pa.table({"user_id": [*range(200)], "item_id": [1] * 200})
    found = recsql.compare({"a": lists(), "b": lists(5, 6)}, truth, "hit", 1)  # pytest makes any warning an error
    assert "warnings" not in json.loads(found.schema.metadata[b"recsql"])
    models = {"a": lists(), "b": lists(5, 6), "c": lists(1, 2, 3)}
    sentence = (
        "b and c (and 1 more) have lists for different users: 198 and 197 of the 200 with truth, 195 in common; "
        "check that no list is missing, or compare on these with users='intersection'"
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(sentence)}$"):
        found = recsql.compare(models, truth, "hit", 1)
    assert json.loads(found.schema.metadata[b"recsql"])["warnings"] == [sentence]
    with pytest.warns(UserWarning, match="195 in common; check that no list is missing$"):
        found = recsql.compare(models, truth, "hit", 1, users="intersection")
    assert [row["users"] for row in found.to_pylist()] == [198, 197, 195]


@pytest.mark.parametrize("users", [["u1"], ["u1", "u2"]], ids=["a user without a list", "a list of each"])
def test_a_library_that_counts_other_users(users: list[str]) -> None:
    """trec_eval leaves out users without a list: it matters only if there is one."""
    lists, metric = recs(users, ["007", "008"][: len(users)]), "recip_rank"
    says = f"{metric} is trec_eval's name, and its convention differs (no_recs = skip): add like='trec_eval'"
    for call in (
        partial(recsql.evaluate, lists, TRUTH, metric, 5),
        partial(recsql.compare, {"a": lists, "b": lists}, TRUTH, metric, 5),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [str(one.message) for one in caught] == [says] * (2 - len(users))

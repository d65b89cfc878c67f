"""Results put together. If it fails, one table has values of two definitions under one name, or says who was counted wrongly."""

import json

import pyarrow as pa
import pytest

import recsql

TRUTH = pa.table({"user_id": [1, 2], "item_id": [7, 8]})
HERE = "name a metric with its options, as in ndcg(gain=exp2)"


def lists(*models: str, users: int = 1) -> pa.Table:
    rows = [{"model": name, "user_id": user, "item_id": 7, "rank": 1} for name in models for user in range(1, users + 1)]
    return pa.Table.from_pylist(rows)


def one(model: str, metrics: object = "hit@5", users: int = 1, **options: object) -> pa.Table:
    return recsql.evaluate(lists(model, users=users), TRUTH, metrics, **options)


def shown(result: pa.Table, capsys: pytest.CaptureFixture[str]) -> list[str]:
    recsql.show(result)
    return capsys.readouterr().out.splitlines()


def test_the_models_of_all_results_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """As if they had been evaluated together."""
    apart = recsql.concat([one("a"), one("b", users=2)])
    together = recsql.evaluate(pa.concat_tables([lists("a"), lists("b", users=2)]), TRUTH, "hit@5")
    assert apart.to_pylist() == together.to_pylist()
    assert shown(apart, capsys) == shown(together, capsys)
    assert shown(apart, capsys)[-1] == "Without a list (counted as 0): a 1, b 0."
    assert json.loads(apart.schema.metadata[b"recsql"])["models"] == json.loads(together.schema.metadata[b"recsql"])["models"]
    assert recsql.to_dict(apart) == {"a": {"hit@5": 0.5}, "b": {"hit@5": 0.5}}


def test_results_with_other_metrics_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    found = recsql.concat([one("a", "hit@5", interval=0.9), one("b", ["hit@5", "rr@1"])])
    assert recsql.wide(found).column_names == ["model", "hit@5", "rr@1"]
    assert shown(found, capsys)[3].split() == ["rr@1", "0.5000"] and "Intervals: 90 %." in shown(recsql.concat([found]), capsys)


def test_a_name_for_each_day(capsys: pytest.CaptureFixture[str]) -> None:
    """The names are those of the models, or stand before them."""
    days = {"monday": one("a"), "tuesday": one("a", users=2)}
    assert recsql.to_dict(recsql.concat(days)) == {"monday": {"hit@5": 0.5}, "tuesday": {"hit@5": 0.5}}
    assert shown(recsql.concat(days), capsys)[-1] == "Without a list (counted as 0): monday 1, tuesday 0."
    two = recsql.evaluate(lists("a", "b"), TRUTH, "hit@5")
    assert [*recsql.to_dict(recsql.concat({"monday": two, "tuesday": one("a")}))] == ["monday/a", "monday/b", "tuesday"]
    nameless = recsql.evaluate(lists("a").drop_columns("model"), TRUTH, "hit@5")
    assert recsql.concat({"mine": nameless})["model"].to_pylist() == ["mine"]


def test_unlike_conventions_under_one_name() -> None:
    with pytest.raises(recsql.BadInput) as raised:
        recsql.concat([one("a", "ndcg@5"), one("b", "ndcg@5", gain="exp2")])
    assert str(raised.value) == f"ndcg: it is ndcg in result 1 and ndcg(gain=exp2) in result 2; evaluate both alike, or {HERE}"
    with pytest.raises(recsql.BadInput) as raised:
        recsql.concat({"x": one("a", interval=0.9), "y": one("b", interval=0.8)})
    assert str(raised.value) == f"interval: it is 0.9 in x and 0.8 in y; evaluate both alike, or {HERE}"
    assert recsql.concat([one("a", "ndcg@5"), one("b", "ndcg(gain=exp2)@5")]).num_rows == 2


def test_a_value_that_is_there_twice() -> None:
    says = r"^result: hit@5 of a is there 2 times; recsql\.concat\({'name': result, \.\.\.}\) names the results apart$"
    twice = pa.concat_tables([one("a"), one("a", users=2)])
    for function in (recsql.show, recsql.wide, recsql.to_dict, recsql.to_markdown):
        with pytest.raises(recsql.RecsqlError, match=says):
            function(twice)
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.concat([one("a"), one("a", users=2)])


def test_what_is_no_result() -> None:
    says = "it is no result with a mean per row; give what evaluate, item_metrics or merge returned"
    conventions = recsql.conventions(lists("a"), TRUTH, "hit@5")
    for results, where in (([TRUTH], "result 1"), ([one("a"), conventions], "result 2"), ({"x": 1}, "x"), (one("a"), "result 1")):
        with pytest.raises(recsql.BadInput, match=f"^{where}: {says}$"):
            recsql.concat(results)
    with pytest.raises(recsql.BadInput, match=r"^results: there are none; give two or more$"):
        recsql.concat([])


def test_merge_names_concat_for_results() -> None:
    says = r"^parts: these are results, whose means can't be merged; give the files of partial, or use recsql\.concat$"
    for parts in ([one("a"), one("b")], one("a")):
        with pytest.raises(recsql.BadInput, match=says):
            recsql.merge(parts)


def test_tables_of_arrow_say_which_definition_is_whose(capsys: pytest.CaptureFixture[str]) -> None:
    """Arrow keeps the metadata of the first table only, whose counts are not those of all models."""
    lines = shown(pa.concat_tables([one("a", "ndcg@5"), one("b", "ndcg@5", gain="exp2")]), capsys)
    assert lines[4:] == [
        "Definitions: ndcg of a is ndcg, ndcg of b is ndcg(gain=exp2).",
        "The counts of users of some models are lost; recsql.concat, in place of Arrow's own function, keeps those of all.",
    ]

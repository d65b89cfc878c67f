"""The table of a comparison: the shape of its rows, what people see of them, and what programs do.

If it fails, the rows of a comparison lack a column, or people and programs read them wrong.
"""

import csv
import io
import json
import re
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import recsql
from recsql.catalog import catalog
from recsql.cli.running import show
from recsql.display.comparison import COLUMNS
from recsql.display.pivoted import BETTER
from recsql.display.shown import Shown
from tests.calls.comparisons import Values, compared, result, row, schema

NDCG = ("ndcg", 10)
SIX = {NDCG: {"new": [1, 0.5, 0, 0.25, 1, 0], "old": [0.5, 0.5, 0, 0, 0.25, 0.5]}}
RNG = np.random.default_rng(3)
NOISE = RNG.normal(0, 0.05, (4, 400))
BASE = RNG.uniform(0.2, 0.7, 400)


def models(**shifts: float) -> Values:
    """Models whose values differ from the same base by a shift and some noise."""
    return {name: list(BASE + shift + noise) for (name, shift), noise in zip(shifts.items(), NOISE, strict=False)}


def lines(table: pa.Table) -> list[str]:
    return Shown.of(table).text().splitlines()


def column(table: pa.Table, name: str) -> dict[str, str]:
    """A column of the table for people, by model."""
    shown = Shown.of(table).table
    return dict(zip(shown["model"].to_pylist(), shown[name].to_pylist(), strict=True))


def test_the_columns_are_those_of_compare_in_their_order() -> None:
    assert list(COLUMNS) == schema().names


def test_every_header_says_which_values_are_better_in_known_words() -> None:
    said = {name: source.header.get("better", "higher") for name, source in catalog().metrics.items()}
    assert {*said.values()} == {*BETTER}
    assert {said[name] for name in ("fp", "fn", "mae", "mse", "rmse")} == {"lower"}


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("ndcg", "; 3 users are too few to find even the largest possible difference in 4 of 5 cases."),
        ("ndcg(users=table)", "; 3 users are too few to find even the largest possible difference in 4 of 5 cases."),
        ("ndcg(duplicates=count)", "; a difference of 2.2684 or more"),
        ("dcg", "; a difference of 2.2684 or more"),
    ],
)
def test_no_difference_beyond_the_values_of_the_metric(metric: str, said: str) -> None:
    of_users = {(metric, 10): {"new": [1.0, 0.0, 0.5], "old": [0.0, 0.5, 0.0]}}
    assert said in Shown.of(compared(of_users, "old")).text()


def test_six_users_worked_out_by_hand() -> None:
    """Differences .5, 0, 0, .25, .75, -.5: mean 1/6, standard error .1787301, t = .9325 with 5 degrees of freedom."""
    assert lines(compared(SIX, "old")) == [
        "metric   model   value  best      difference from old         p (Holm)  wins  ties  losses",
        "-------  -----  ------  --------  --------------------------  --------  ----  ----  ------",
        "ndcg@10  old    0.2917  possibly",
        "ndcg@10  new    0.4583  yes       +0.1667 [-0.2928, 0.6261]*    0.3939     3     2       1",
        "",
        "No difference found between new and old on ndcg@10; "
        "a difference of 0.6099 or more would have been found in 4 of 5 cases.",
        "p: paired t test, two-sided, one comparison. Intervals: 95 %, not adjusted.",
        "best, possibly: no difference from the best was shown.",
        "* few users: the interval of new and old on ndcg@10 may be too narrow (6 users, 4 of them with a difference).",
    ]


@pytest.mark.parametrize("options", [{"baseline": "pop"}, {}, {"baseline": "als", "alternative": "less", "margin": 0.002}])
def test_compare_shows_what_scipy_and_statsmodels_give(options: dict[str, Any]) -> None:
    """The whole table and its sentences, from the values of each user."""
    recs, truth = (str(Path(__file__).parents[2] / f"examples/movietweetings/{name}.parquet") for name in ("recs", "truth"))
    users = recsql.per_user(recs, truth, ["ndcg", "hit"], [5, 10]).to_pylist()
    values: dict[tuple[str, int], dict[str, list[float]]] = {}
    for metric in ("ndcg", "hit"):
        for user in users:
            values.setdefault((metric, user["k"]), {}).setdefault(user["model"], []).append(user[metric])
    found = recsql.compare(recs, truth, ["ndcg", "hit"], [5, 10], **options)
    counted = (
        "Users in the mean: 2,680.",
        "Without a list",
        "Lists without truth",
    )  # who was counted, which the values don't say
    assert [line for line in lines(found) if not line.startswith(counted)] == lines(compared(values, **options))
    assert compared_latex(found) == compared_latex(compared(values, **options))


def test_the_baseline_comes_first() -> None:
    table = Shown.of(compared({NDCG: models(a=0, b=0.1, z=0.2)}, "z")).table
    assert table["model"].to_pylist() == ["z", "a", "b"]
    assert table["difference from z"].to_pylist()[0] is None
    assert table["value"].to_pylist()[0] == pytest.approx(np.mean(models(a=0, b=0, z=0.2)["z"]))


def test_what_could_be_the_best_if_the_baseline_is() -> None:
    """The baseline, b, is the best; a is not told apart from it, c is."""
    found = compared({NDCG: models(a=0.1, b=0.105, c=0)}, "b")
    assert column(found, "best") == {"b": "yes", "a": "possibly", "c": ""}


def test_only_what_was_tested_is_said() -> None:
    """The baseline is not the best: the others were not compared with the best one, and only it may be said to be like it."""
    found = compared({NDCG: models(a=0.105, b=0.1, c=0)}, "b")
    assert column(found, "best") == {"b": "possibly", "a": "yes", "c": "-"}
    assert "best, -: not tested against the best; only comparisons with b were made." in lines(found)
    found = compared({NDCG: models(a=0.2, b=0.1, c=0)}, "b")
    assert column(found, "best") == {"b": "", "a": "yes", "c": "-"}


@pytest.mark.parametrize(("users", "place"), [(60, ""), (10, ""), (9, "-"), (1, "-")])
def test_a_model_that_only_loses_is_not_possibly_the_best(users: int, place: str) -> None:
    found = compared({NDCG: {"new": [0.25] * users, "old": [0.5] * users}})
    assert column(found, "best") == {"new": place, "old": "yes"}
    assert ("best, -: not tested against the best." in lines(found)) == (place == "-")


def test_all_pairs_show_the_difference_from_the_best() -> None:
    """Whichever of the two a row names first: a - b is turned to b - a, with the interval, wins and losses."""
    values = models(a=0, b=0.1, c=0.097)
    found = compared({NDCG: values})
    assert [(one["model"], one["baseline"]) for one in found.to_pylist()] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert column(found, "best") == {"a": "", "b": "yes", "c": "possibly"}
    for name in "ac":
        d = np.subtract(values[name], values["b"])
        interval = stats.ttest_1samp(d, 0).confidence_interval()
        expected = f"{d.mean():+.4f} [{interval.low:.4f}, {interval.high:.4f}]"
        assert column(found, "difference from the best")[name] == expected
        assert (column(found, "wins")[name], column(found, "losses")[name]) == ((d > 0).sum(), (d < 0).sum())
    assert column(found, "difference from the best")["b"] is None


def test_several_best() -> None:
    values = models(a=0, b=0.1)
    found = compared({NDCG: {**values, "c": values["b"]}})
    assert column(found, "best") == {"a": "", "b": "yes", "c": "yes"}


def test_low_values_are_better_for_some_metrics() -> None:
    found = compared({("fp", 10): {"a": [3, 4, 3, 4, 3, 5], "b": [9, 8, 9, 9, 8, 9]}}, "b")
    assert column(found, "best") == {"b": "", "a": "yes"}
    assert lines(found)[5].startswith("a is better than b on fp@10 by 5.0000 [")
    assert "Low values are better for fp@10; wins are the users with higher values." in lines(found)
    assert r"a & a & \textbf{3.6667}$^{b}$ \\" in compared_latex(compared({("fp", 10): {"a": [3, 4, 3, 4, 3, 5], "b": [9] * 6}}))


def compared_latex(table: pa.Table) -> list[str]:
    return [line for line in recsql.to_latex(table).splitlines() if not line.startswith("%")]


def test_a_metric_without_better_values_has_no_best() -> None:
    """Each pair then has its own rows."""
    found = compared({("idcg", 10): {"a": [3, 4, 3, 5], "b": [9, 8, 9, 9], "c": [1, 1, 2, 1]}})
    shown = Shown.of(found).table
    assert "best" not in shown.column_names
    assert shown["model"].to_pylist() == ["b", "a", "c", "a", "b"]
    assert "a is lower than b on idcg@10 by 5.0000 " in "\n".join(lines(found))
    assert "textbf" not in recsql.to_latex(found)


def test_models_with_different_users() -> None:
    """A value over other users is a row of its own, and nothing is the best; the users left out are counted."""
    values: Values = {"a": [1, 0, None, 1, 0, 1], "b": [None, 0, 1, 1, 0, 0], "p": [1, 1, 0, 1, 0, 0]}
    found = compared({NDCG: values}, "p")
    shown = Shown.of(found).table
    assert shown.column_names[3] == "difference from p"
    assert [[one[name] for name in ("model", "value", "wins")] for one in shown.to_pylist()] == [
        ["p", 0.6, None],
        ["a", 0.6, 1],
        ["p", 0.4, None],
        ["b", 0.4, 1],
    ]
    assert "Users left out, with a value of only one of two models: 1." in lines(found)


def test_a_value_that_differs_by_rounding_is_one_value() -> None:
    rows = [row(model="a"), row(model="b", baseline_value=0.0472 + 1e-15), row(model="c", baseline_value=0.0472)]
    assert Shown.of(result(rows, "pop")).table["model"].to_pylist() == ["pop", "a", "b", "c"]
    rows[1]["baseline_value"] = 0.0473
    assert Shown.of(result(rows, "pop")).table["model"].to_pylist() == ["pop", "a", "pop", "b", "pop", "c"]


def test_users_left_out_by_pair() -> None:
    rows = [row(model="a", unpaired=1004), row(model="b", unpaired=2), row(model="a", k=5, unpaired=7)]
    told = [line for line in lines(result(rows, "pop")) if line.startswith("Users left out")]
    assert told == ["Users left out, with a value of only one of two models: a and pop 7 to 1,004, b and pop 2."]
    many = [row(model=f"m{number}", unpaired=number) for number in range(9)]
    told = [line for line in lines(result(many, "pop")) if line.startswith("Users left out")]
    assert told == ["Users left out, with a value of only one of two models: 0 to 8."]


def test_superscripts_against_scipy_and_statsmodels() -> None:
    """All pairs of four models at two metrics: Holm's correction over the twelve."""
    values = {NDCG: models(a=0.1, b=0.11, c=0.105, d=0), ("recall", 5): models(a=0, b=0.004, c=0.008, d=0.016)}
    pairs = [(place, one, other) for place in values for one in "abcd" for other in "abcd" if one < other]
    ps = [stats.ttest_rel(values[place][one], values[place][other]).pvalue for place, one, other in pairs]
    found = dict(zip(pairs, multipletests(ps, method="holm")[0], strict=True))
    tex = [line.split(" & ") for line in compared_latex(compared(values)) if "&" in line][1:]
    for letter, name, *cells in tex:
        for place, cell in zip(values, cells, strict=True):
            means = {model: np.mean(values[place][model]) for model in "abcd"}
            worse = [o for o in "abcd" if o != name and means[o] < means[name] and found[(place, min(o, name), max(o, name))]]
            assert re.findall(r"\^\{(.*)\}\$", cell) == ([f"{''.join(worse)}"] if worse else []), (place, name)
            assert ("textbf" in cell) == (means[name] == max(means.values()))
        assert letter == name


def test_latex_escapes_names_and_counts_on_beyond_z() -> None:
    found = compared({NDCG: models(**{"a_b&c": 0, "100%": 0.5})})
    assert compared_latex(found) == [
        r"\begin{tabular}{lll}",
        r"\toprule",
        r" & model & ndcg@10 \\",
        r"\midrule",
        rf"a & 100\% & \textbf{{{np.mean(BASE + 0.5 + NOISE[1]):.4f}}}$^{{b}}$ \\",
        rf"b & a\_b\&c & {np.mean(BASE + NOISE[0]):.4f} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    of_one = compared({NDCG: {f"m{number:02}": [number / 99, number / 98, number / 90] for number in range(28)}}, "m26")
    assert ",z,aa}$ " in recsql.to_latex(of_one)


def test_latex_has_a_row_per_pair_for_models_with_different_users() -> None:
    values: Values = {"a": [1, 0, None, 1, 0, 1], "b": [0, 0, 1, 1, 0, None], "p": [1, 1, 0, 1, 0, 0]}
    table = compared({NDCG: values})
    assert any(line.startswith("metric & model & value & difference") for line in compared_latex(table))


def test_markdown_aligns_p_to_the_right() -> None:
    head, rule, *_ = recsql.to_markdown(compared(SIX, "old")).splitlines()
    assert dict(zip(head.split(" | "), rule.split(" | "), strict=True))["p (Holm)"] == "---:"


def test_a_small_p_is_not_zero() -> None:
    found = compared({NDCG: models(a=0, b=0.5)}, "b")
    assert column(found, "p (Holm)")["a"] == "<0.0001"
    assert ", p < 0.0001." in lines(found)[5]


def test_a_small_difference_is_not_zero() -> None:
    assert column(result([row(difference=-0.0000123, low=-0.00002, high=0)], "pop"), "difference from pop") == {
        "pop": None,
        "ease": "-1.2e-05 [-2e-05, 0.0000]",
    }


def test_without_metadata_nothing_is_said_about_the_test() -> None:
    found = compared({NDCG: models(a=0, b=0.1, c=0.105)}).replace_schema_metadata(None)
    assert column(found, "best") == {"a": "", "b": "", "c": "yes"}
    assert "p" in Shown.of(found).table.column_names
    assert len(lines(found)) == 5


def test_rows_that_are_not_the_whole_family_say_how_many_were_tested() -> None:
    """Holm over four comparisons stays that if two of them are left."""
    values = {("ndcg", k): models(a=0.003 * k, b=0.004 * k, c=0.1) for k in (5, 10)}
    for correction, name in (("holm", "Holm"), ("bonferroni", "Bonferroni"), ("bh", "Benjamini-Hochberg")):
        whole = compared(values, "c", correction=correction)
        found, test = told(whole)
        assert f"({name} over 4 comparisons: " in found
        assert f", adjusted by {name} over 4 comparisons. " in test
        found, test = told(whole.filter(pc.equal(whole["k"], 5)))
        assert f"({name} over 4 comparisons: " in found
        assert f", adjusted by {name} over 4 comparisons. " in test


def told(table: pa.Table) -> list[str]:
    """The first finding and the line on the test."""
    under = lines(table)[lines(table).index("") + 1 :]
    return [under[0], next(line for line in under if line.startswith("p: "))]


def test_pairs_that_are_not_in_the_table_were_not_tested() -> None:
    """Of all pairs, those of a are left: the best of the three and the other were compared, elsewhere."""
    found = compared({NDCG: models(a=0, b=0.1, c=0.2)})
    found = found.filter(pc.equal(found["baseline"], "b"))
    found = pa.concat_tables([found, compared({NDCG: models(a=0, b=0.1, c=0.2)}).slice(1, 1)])
    assert column(found, "best") == {"a": "", "b": "-", "c": "yes"}
    assert "best, -: not tested against the best." in lines(found)


def test_each_metric_can_be_a_family() -> None:
    found, test = told(compared({("ndcg", k): models(a=0, b=0.004, c=0.1) for k in (5, 10)}, "c", family="metric"))
    assert "(Holm over 2 comparisons: " in found
    assert ", adjusted by Holm over 2 comparisons. " in test


@pytest.mark.parametrize("count", [6, 7, 40])
def test_only_the_most_important_findings_are_told(count: int) -> None:
    """All if they are six at most; else those of the first metric."""
    rows = [row(model=f"m{n % 3}", metric=("ndcg", "hit")[n // 3 % 2], k=n // 6 + 1) for n in range(count)]
    under = Shown.of(result(rows, "pop", correction="none")).notes
    told = [line.split(" by ")[0] for line in under if " is worse than " in line]
    if count == 6:
        assert len(told) == 6
        assert not any(line.startswith("...") for line in under)
    else:
        assert told == [f"m{n} is worse than pop on ndcg@1" for n in range(3)]
        assert f"... and {count - 3} more comparisons: the result itself has all" in under


def test_without_a_baseline_the_findings_told_are_those_on_the_best() -> None:
    found = compared({("ndcg", k): models(a=0, b=0.1, c=0.2, d=0.3) for k in (5, 10)})
    told = [line.split(" by ")[0] for line in lines(found) if " is worse than " in line]
    assert told == [f"{one} is worse than d on ndcg@5" for one in "abc"]


def test_programs_get_the_plain_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = compared(SIX, "old")
    show(found, Namespace(output=None, format="json"))
    assert json.loads(capsys.readouterr().out) == found.to_pylist()
    show(found, Namespace(output=None, format="csv"))
    [read] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert list(read) == list(COLUMNS)
    assert float(read["p"]) == found["p"][0].as_py()
    show(found, Namespace(output=str(tmp_path / "found.parquet"), format=None))
    assert pq.read_table(tmp_path / "found.parquet").equals(found)
    for kind, text in (("latex", recsql.to_latex(found)), ("markdown", recsql.to_markdown(found))):
        show(found, Namespace(output=None, format=kind))
        assert capsys.readouterr().out == f"{text}\n"


def test_a_notebook_shows_it() -> None:
    page = Shown.of(compared(SIX, "old"))._repr_html_()
    assert '<td style="text-align: right">0.3939</td>' in page
    assert "<p>No difference found between new and old on ndcg@10;" in page


def test_an_empty_comparison() -> None:
    assert lines(result([], "pop"))[0].split() == [
        "metric",
        "model",
        "value",
        "difference",
        "from",
        "pop",
        "p",
        "(Holm)",
        "wins",
        "ties",
        "losses",
    ]
    assert recsql.to_latex(result([], "pop")).startswith(r"\begin{tabular}")

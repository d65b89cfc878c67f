"""Help from Python, and unknown names. If it fails, a user of a notebook can't find an option, or is told of a wrong one."""

import pickle

import pytest

import recsql
from recsql.base import errors
from recsql.catalog import catalog
from recsql.cli.command import main

LISTS = {"u1": {"a": 0.9, "b": 0.8}}
TRUTH = {"u1": {"b": 1}}


@pytest.mark.parametrize("name", ["ties", "no_recs", "rbp", "NDCG@10", "gain"])
def test_python_has_the_help_of_the_command_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same lines, but options are written as a call has them."""
    recsql.help(name)
    ours = capsys.readouterr().out
    assert main(["help", name]) == 0
    theirs = capsys.readouterr().out
    assert len(ours.splitlines()) > 5 and "--" not in ours
    assert ours.split()[0] == theirs.split()[0]
    assert "recsql.help(OPTION)" in ours or "recsql help" not in ours


def test_help_writes_options_as_a_call_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    recsql.help("intervals")
    assert "  interval= NUMBER  (above 0.5 and below 1, True: 0.95)\n" in capsys.readouterr().out


def test_help_on_a_function_is_its_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    recsql.help("evaluate")
    shown = capsys.readouterr().out
    assert shown.startswith("evaluate(recs: ") and "Computes metrics per model" in shown


def test_help_without_a_name_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    recsql.help()
    shown = capsys.readouterr().out
    assert "functions: candidates, check, " in shown and "`recsql.help(TOPIC)`" in shown
    assert all(topic in shown for topic in catalog().topics) and all(metric in shown for metric in catalog().metrics)


def test_an_unknown_name_of_help_offers_the_nearest() -> None:
    with pytest.raises(
        recsql.UnknownName, match=r"^there is no function, topic, option or metric evaluat; did you mean evaluate\?$"
    ):
        recsql.help("evaluat")


def test_options_are_a_table() -> None:
    found = recsql.options()
    assert found.column_names == ["option", "topic", "about", "default", "values", "metrics"]
    assert found.num_rows == len([one for one in catalog().options.values() if one.type != "names"])
    [row] = [one for one in recsql.options("ties").to_pylist() if one["option"] == "ties"]
    assert (row["topic"], row["default"]) == ("ties", "item_asc")
    assert "expected" in row["values"] and "ndcg" in row["metrics"]
    with pytest.raises(recsql.UnknownName, match=r"^there is no topic 'tie'; did you mean ties\? choose one of presets, "):
        recsql.options("tie")


def test_options_are_shown_without_their_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    recsql.show(recsql.options("intervals"))
    assert capsys.readouterr().out.split("\n")[0].split() == ["option", "topic", "default", "values", "about"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"ks": [5]}, "did you mean k?"),
        ({"cutoff": 5}, "did you mean k?"),
        ({"top_k": 5}, "did you mean k?"),
        ({"metric": "ndcg"}, "did you mean metrics?"),
        ({"user_id": "uid"}, "did you mean user?"),
        ({"item_col": "iid"}, "did you mean item?"),
        ({"conn": None}, "did you mean connection?"),
        ({"no_rec": "skip"}, "did you mean no_recs?"),
        ({"power": 0.9}, "did you mean propensity_power? power is of the topic comparison, which this call does not read"),
        ({"gains": "exp2"}, "did you mean gain? gains is of the topic events, which this call does not read"),
        ({"xyzzy": 1}, "recsql.options() has all of them"),
    ],
    ids=str,
)
def test_an_unknown_keyword_offers_the_nearest_and_no_list(given: dict[str, object], meant: str) -> None:
    with pytest.raises(recsql.UnknownName) as raised:
        recsql.evaluate(LISTS, TRUTH, **given)
    assert str(raised.value) == f"unknown option {next(iter(given))!r}; {meant}"


def test_every_error_is_public() -> None:
    """Also in a traceback, and when a process hands it to another."""
    found = {one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, recsql.RecsqlError)}
    assert {one.__name__ for one in found} <= {*recsql.__all__}
    assert {f"{one.__module__}.{one.__name__}" for one in found} == {f"recsql.{one.__name__}" for one in found}
    assert repr(pickle.loads(pickle.dumps(recsql.NoSuchFile("x: no such file")))) == "NoSuchFile('x: no such file')"


def test_dir_has_the_public_names_only() -> None:
    assert dir(recsql) == sorted(recsql.__all__)

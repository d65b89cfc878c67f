"""`recsql new metric` writes files that work before they are edited.

If it fails, a metric made by `recsql new metric` doesn't run, or a mistake in it isn't noticed.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recsql.base.errors import RecsqlError
from recsql.catalog import Catalog, catalog
from recsql.cli import main
from tests.support import write_piece

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project."""
    for folder in ("recsql", "sql", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_metric_passes_its_tests(checkout: Path) -> None:
    said = run(checkout, "recsql", "new", "metric", "my_metric")
    assert said.splitlines()[0].startswith("sql/metrics/my_metric.sql: ")
    run(checkout, "recsql", "macros", "-o", "sql/recsql.sql")
    command = said.splitlines()[-1].split()
    assert "tests/promises/test_ties.py" in command and "-k" not in command  # which would leave out the tests of all metrics
    run(checkout, *command, "-n0", "-k", "my_metric or test_ties")


def test_a_new_metric_that_counts_users_without_a_hit(checkout: Path) -> None:
    """Its mean is the same alone and beside another one."""
    run(checkout, "recsql", "new", "metric", "idle_share")
    file = checkout / "sql/metrics/idle_share.sql"
    text = file.read_text().replace('needs = ["cutoff"]\n', "")
    file.write_text(
        text.replace("s.hits / {{ double", "(s.returned - s.hits) / {{ double").replace("s.k, 0", "9000 - s.relevant, 0")
    )
    data = [str(ROOT / f"examples/movietweetings/{name}.parquet") for name in ("recs", "truth")]
    asked = ("recsql", "evaluate", *data, "-k", "5", "--format", "csv", "-m")
    alone, beside = run(checkout, *asked, "idle_share").splitlines(), run(checkout, *asked, "idle_share,fp").splitlines()
    assert len(alone) == 5 and {*alone} < {*beside}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ndcg", "ndcg: this is already a name of ndcg; choose another name"),
        ("map", "map: this is already a name of ap; choose another name"),
        ("My-Metric", "My-Metric: a metric's name has lower-case letters, digits and underscores, and begins with a letter"),
        ("my_metric", "sql/metrics: there is no such folder here; run this in the root of a checkout of recsql"),
    ],
)
def test_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "metric", name]) == 1
    assert capsys.readouterr().err == f"recsql: {says}\n"
    assert not [*tmp_path.iterdir()]


def test_a_file_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("sql/metrics", "tests/cases"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests/cases/my_metric.toml").write_text("mine")
    assert main(["new", "metric", "my_metric"]) == 1
    assert (tmp_path / "tests/cases/my_metric.toml").read_text() == "mine"
    assert not [*(tmp_path / "sql/metrics").iterdir()]


# -- what would be wrong without a word


METRIC = """{{#
title = "a stranger's metric"
group = "found"
formula = "sum of 1 / rank"
reference = "none"
care = "never trust it"
aliases = []
bounds = {bounds}
empty = "0e0"
{options}
#}}
{text}
"""
STATISTIC = """{{#
about = "sum of 1 / rank over the hits"
over = "{over}"
empty = "0e0"
#}}
{text}
"""


def sql_with(folder: Path, files: dict[str, str]) -> Path:
    """A copy of the folder sql with more files."""
    shutil.copytree(ROOT / "sql", folder / "sql")
    for path, text in files.items():
        write_piece(folder / "sql", path, text)
    return folder / "sql"


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ('care = "never trust it"\n', "", r"its header lacks care \(one sentence on when not to trust it\); docs/keys"),
        ('group = "found"\n', "", r"its header lacks group \(what it is about, one of groups\.toml: .*\); docs/keys"),
        ('group = "found"\n', 'group = "lost"\n', r"there is no group lost in groups\.toml; choose one of found, rank, graded, "),
    ],
)
def test_a_metric_must_say_when_not_to_trust_it_and_its_group(tmp_path: Path, line: str, instead: str, says: str) -> None:
    text = METRIC.format(bounds="[0]", options="", text="s.hits")
    assert line in text
    with pytest.raises(RecsqlError, match=rf"^sql/metrics/mine\.sql: {says}"):
        Catalog(sql_with(tmp_path, {"metrics/mine.sql": text.replace(line, instead)}))


@pytest.mark.parametrize(
    ("text", "mistake", "says"),
    [
        ("default = 2\n", "defualt = 2\n", "its header can't have the key defualt; did you mean default?"),
        ('about = "the deno', 'abuot = "the deno', "option recall_denominator can't have the key abuot; did you mean about?"),
        ("if recall_denominator", "if recall_denominater", "'recall_denominater' is undefined"),
        (
            "or duplicates == 'count'\"",
            "or duplicate == 'count'\"",
            "the condition \"weighting == 'ips' or duplicate == 'count'\" in its header can't be read",
        ),
        ("{% else %}", "{% esle %}", "Encountered unknown tag 'esle'"),
        ('{{ "s.hits" if', '{{ duoble("s.hits") if', "'duoble' is undefined"),
    ],
)
def test_a_slip_is_named_with_its_file(checkout: Path, text: str, mistake: str, says: str) -> None:
    file = checkout / "sql/metrics/recall.sql"
    assert text in file.read_text()
    file.write_text(file.read_text().replace(text, mistake))
    asked = ("evaluate", *(str(ROOT / f"examples/small/{name}.csv") for name in ("ease", "truth")), "-k", "5", "-m", "recall")
    done = subprocess.run([sys.executable, "-m", "recsql", *asked], cwd=checkout, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.startswith(f"recsql: sql/metrics/recall.sql: {says}")) == (1, True), done.stderr


def test_a_slip_in_a_statistic_is_named_with_its_file(tmp_path: Path) -> None:
    root = sql_with(tmp_path, {"statistics/hits.sql: mine": STATISTIC.format(over="hits", text="{% if expected %}")})
    with pytest.raises(RecsqlError, match=r"^sql/statistics/hits\.sql: mine: Unexpected end of template"):
        Catalog(root)


@pytest.mark.few(6)
@pytest.mark.parametrize("over", ["hits", "list"])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{{ sql.exact_sum("1e0 / h.rank") }}', r"sql\.exact_sum\(\)"),
        ("sum(1e0 / h.rank)", r"sum\(\)"),
        ("count(*)", r"count\(\)"),
        ('{{ summed("1") }} + "sum" (h.rank)', r"sum\(\)"),
        ("1e0", "a constant"),
        ('{{ summed("1") }} - min(h.nth)', r"min\(\)"),
        ('{% if duplicates == "count" %}median(h.rank){% else %}{{ summed("1") }}{% endif %}', r"median\(\)"),
        ('{% if not expected %}{{ summed("1") }}{% else %}max(h.rank){% endif %}', r"max\(\)"),
        ('{{ "max(h.rank)" if expected else summed("1") }}', r"max\(\)"),
        ('{{ double("sum(h.rank)") }} + {{ summed("1") }}', r"sum\(\)"),
    ],
)
def test_a_statistic_over_hits_must_know_ties(tmp_path: Path, over: str, text: str, named: str) -> None:
    root = sql_with(tmp_path, {"statistics/hits.sql: mine": STATISTIC.format(over=over, text=text)})
    with pytest.raises(
        RecsqlError, match=rf"^sql/statistics/hits\.sql: mine: {named} does not know .* add up with summed\(x\), or "
    ):
        Catalog(root)


@pytest.mark.parametrize(
    "text",
    [
        '{{ summed("1e0 / h.rank") }}',
        'coalesce({{ summed("h.gain * h.rank") }} / nullif({{ double(summed("1")) }}, 0e0), 0e0)',
        '{{ summed("h.leads") if expected else "max(h.rank)" }}',
        '{% if not expected and duplicates == "count" %}count(distinct h.item_id){% else %}{{ summed("1") }}{% endif %}',
        "{% if not expected %}max(h.rank){% endif %}",
    ],
)
def test_a_statistic_over_hits_that_knows_ties(tmp_path: Path, text: str) -> None:
    assert (
        "mine" in Catalog(sql_with(tmp_path, {"statistics/hits.sql: mine": STATISTIC.format(over="hits", text=text)})).statistics
    )


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        (
            "checks/recs.sql: ranks",
            "select r.user_id as message\nfrom relevent as r",
            "reads relevent, but there is no such step; did you mean rel",
        ),
        (
            "checks/models.sql: no_hits",
            "select h.user_id\nfrom hit as h",
            "reads hit, but there is no such step; did you mean hits",
        ),
        (
            "steps/hits.sql: hits",
            "with found as (select 1 as i) select f.i from found as f",
            "its CTE found has the name of a step",
        ),
    ],
    ids=["check", "finding", "own"],
)
def test_a_text_that_reads_no_step_is_named_with_it(tmp_path: Path, path: str, text: str, says: str) -> None:
    with pytest.raises(RecsqlError, match=rf"^sql/{path}:? {says}"):
        Catalog(sql_with(tmp_path, {path: f"{{#{catalog().sources[path].head}#}}\n{text}\n"}))


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        (
            "-- name: ideals",
            "sql/steps/truth.sql: ideals has the name of sql/steps/hits.sql: ideals; each of the steps needs its own",
        ),
        (
            "-- name: placed",
            "sql/steps/hits.sql: placed has the name of sql/steps/hits.sql: placed; each of the steps needs its own",
        ),
        (
            "-- name: mine (Fast)",
            "sql/steps/hits.sql: '-- name: mine (Fast)' begins no piece; write `-- name: NAME` or `-- name: NAME (fast)`",
        ),
        ("--name: mine", "sql/steps/hits.sql: '--name: mine' begins no piece; write `-- name: NAME` or `-- name: NAME (fast)`"),
    ],
)
def test_a_piece_that_would_be_lost_is_refused(tmp_path: Path, mark: str, says: str) -> None:
    root = sql_with(tmp_path, {})
    with (root / "steps/hits.sql").open("a") as file:
        file.write(f'\n{mark}\n{{#\nrow = "one row"\n#}}\nselect 1 as i\n')
    with pytest.raises(RecsqlError, match=f"^{re.escape(says)}$"):
        Catalog(root)


def test_a_finding_can_read_any_step(checkout: Path) -> None:
    """A query has the steps that its texts read, and those that they read."""
    path = "checks/models.sql: no_hits"
    head = [line for line in catalog().sources[path].head.splitlines() if not line.startswith(("counts", "needs", "when"))]
    columns = "cast(null as varchar) as model, count(*) as found, count(*) as total, min(t.item_id) as example"
    text = f"select {columns}\nfrom relevant as t\n{{# rows #}}\nselect t.item_id from relevant as t"
    write_piece(checkout / "sql", path, "\n".join(["{#", *head, "#}", text]))
    asked = ("check", *(str(ROOT / f"examples/small/{name}.csv") for name in ("ease", "truth")), "--format", "json")
    done = subprocess.run([sys.executable, "-m", "recsql", *asked], cwd=checkout, capture_output=True, text=True, check=False)
    assert '"finding":"no_hits"' in done.stdout.replace(": ", ":"), done.stderr


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("statistics/hits.sql: mine", STATISTIC.format(over="hits", text='{{ summed("h.rank * " ~ mine_p) }}')),
        ("steps/hits.sql: placed", "{#\nrow = 'a row'\n#}\nselect {{ mine_p }} as rank from found as f"),
        ("expressions/gains.sql: mine", "{#\nabout = 'x'\nneeds = ['gains if mine_p > 1']\n#}\n1"),
    ],
    ids=["statistic", "step", "condition"],
)
def test_an_option_that_is_read_below_its_metric_splits(tmp_path: Path, path: str, text: str) -> None:
    """Else metrics that differ in it would share a statistic."""
    option = '[options.mine_p]\nabout = "p"\ntopic = "retrieval"\ntype = "number"\ndefault = 0.5'
    metric = METRIC.format(bounds="[0]", options=option, text="s.hits * {{ mine_p }}")
    files = {"metrics/mine.sql": metric, path: text}
    with pytest.raises(RecsqlError, match=rf"^option mine_p in sql/metrics/mine\.sql: sql/{path} reads .* add splits = true to"):
        Catalog(sql_with(tmp_path / "one", files))
    files["metrics/mine.sql"] = metric.replace("default = 0.5", "default = 0.5\nsplits = true")
    assert "mine" in Catalog(sql_with(tmp_path / "other", files)).metrics


SCRIPT = """
import duckdb
import pyarrow as pa
import recsql

recs = {"user_id": [1, 1, 1, 2, 2], "item_id": [1, 2, 3, 1, 2], "score": [1.0, 1.0, 1.0, 2.0, 2.0], "prediction": [1.0] * 5}
recs["rating"] = [3.0] * 5
truth = {"user_id": [1, 2], "item_id": [1, 2]}
recs, truth = pa.table(recs), pa.table(truth)
[row] = recsql.evaluate(recs, truth, "arhr", 3, ties="expected").to_pylist()
print(round(row["value"], 12))
con = duckdb.connect()
con.execute(recsql.macros(metrics=["high", "low", "busy", "far"]))
con.execute("create table recs as select *, item_id as rank from recs")
con.execute("create table pair as select m.model, r.* from recs as r, (values ('a'), ('b')) as m(model)")


def in_file(call):
    return con.execute(f"from recsql.{call}").fetchall()


for call in [
    lambda: recsql.evaluate(recs, truth, "high", 3),
    lambda: recsql.evaluate(recs, truth, ["ndcg", "high", "low"], 3, interval=0.9),
    lambda: recsql.evaluate(recs, truth, ["ndcg", "low"], 3),
    lambda: recsql.per_user(recs, truth, "high", 3),
    lambda: recsql.compare({"a": recs, "b": recs}, truth, "high", 3, baseline="a"),
    lambda: recsql.partial(recs, truth, "part.parquet", "high", 3),
    lambda: recsql.item_metrics(recs, "busy", 3),
    lambda: recsql.evaluate_ratings(recs, metrics="far"),
    lambda: in_file("evaluate('recs', 'truth', k := 3, metrics := 'low')"),
    lambda: in_file("evaluate('recs', 'truth', k := 3, metrics := 'all')"),
    lambda: in_file("per_user('recs', 'truth', k := 3)"),
    lambda: in_file("compare('pair', 'truth', k := 3)"),
    lambda: in_file("item_metrics('recs', k := 3)"),
    lambda: in_file("rating_metrics('recs')"),
]:
    try:
        call()
    except (recsql.RecsqlError, duckdb.InvalidInputException) as error:
        print(str(error).removeprefix("Invalid Input Error: recsql: ").removeprefix("Invalid Input Error: "))
    else:
        print("nothing")
"""
BEYOND = {
    "high": ("[0, 1]", "", "s.hits * 2e0"),
    "low": ("[0]", "", "-1e-8 * s.hits"),
    "busy": ("[0, 1]", 'grain = "item"', "s.recommendations"),
    "far": ("[0, 1]", 'grain = "rating"', "s.absolute_error / nullif(s.pairs, 0)"),
    "arhr": ("[0]", "", "s.reciprocals"),
}


def test_values_beyond_the_bounds_are_an_error(checkout: Path) -> None:
    """In every function. The sum over hits knows ties: (1 + 1/2 + 1/3) / 3 and (1 + 1/2) / 2."""
    for name, (bounds, options, text) in BEYOND.items():
        file = METRIC.format(bounds=bounds, options=options, text=text)
        (checkout / f"sql/metrics/{name}.sql").write_text(file)
    statistic = STATISTIC.format(over="hits", text='{{ summed("1e0 / h.rank") }}')
    write_piece(checkout / "sql", "statistics/hits.sql: reciprocals", statistic)
    mean, *said = run_script(checkout, SCRIPT)
    assert float(mean) == pytest.approx((11 / 18 + 3 / 4) / 2)
    assert [(line.split()[0], *re.findall(r"from (\S+) to (\S+), beyond its bounds (.*);", line)) for line in said] == [
        ("high", ("2.0", "2.0", "0 to 1")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("low", ("-1e-08", "-1e-08", "of 0 and above")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("busy", ("5.0", "5.0", "0 to 1")),
        ("far", ("2.0", "2.0", "0 to 1")),
        ("low", ("-1e-08", "-1e-08", "of 0 and above")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("high", ("2.0", "2.0", "0 to 1")),
        ("busy", ("5.0", "5.0", "0 to 1")),
        ("far", ("2.0", "2.0", "0 to 1")),
    ]


def run_script(folder: Path, text: str) -> list[str]:
    """What a script prints, line by line, where the copy of the project is imported."""
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()

"""What somebody who adds a file to `sql/` gets is right, or refused with a sentence.

If it fails, a new metric, a new statistic or a new value of an option gives a wrong number without a word.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from tests.support import write_piece

ROOT = Path(__file__).parents[2]
DATA = [str(ROOT / f"examples/movietweetings/{name}.parquet") for name in ("recs", "truth")]
Checkout = Callable[[dict[str, str]], Callable[..., Any]]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A copy of the project with other files; it returns what an expression over recsql gives there, or its error."""

    def made(files: dict[str, str]) -> Callable[..., Any]:
        for folder in ("recsql", "sql"):
            shutil.copytree(ROOT / folder, tmp_path / folder)  # with compiled templates
        for path, text in files.items():
            write_piece(tmp_path / "sql", path, text)

        def found(expression: str) -> Any:
            call = f"try: found = {expression}\nexcept recsql.RecsqlError as error: found = str(error)"
            code = f"import json, pyarrow as pa, recsql, recsql.catalog\n{call}\nprint(json.dumps(found))"
            done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        return found

    return made


def edited(path: str, *changes: tuple[str, str]) -> dict[str, str]:
    """A file of `sql/` with other text."""
    text = (ROOT / "sql" / path).read_text()
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return {path: text}


def test_a_new_denominator_is_that_of_the_micro_average_too(checkout: Checkout) -> None:
    """As docs/adding-a-metric.md says: a line for the value, and a branch."""
    found = checkout(
        edited(
            "metrics/recall.sql",
            ("\n[options.recall_mean]", 'sqrt = "sqrt(R)"\n\n[options.recall_mean]'),
            ("{% else %}", '{% elif recall_denominator == "sqrt" %}\n{% set denominator = "sqrt(s.relevant)" %}\n{% else %}'),
            ("or duplicates == 'count'\"", "or duplicates == 'count' or recall_denominator == 'sqrt'\""),
        )
    )
    metrics = ["recall(denominator=sqrt)", "recall(denominator=sqrt, mean=micro)"]
    values = found(f"recsql.evaluate(*{DATA!r}, {metrics!r}, 5)['value'].to_pylist()")
    by_hand = duckdb.execute(
        """
        with truth as (select distinct user_id, item_id from read_parquet($truth) where relevance > 0),
        hits as (select r.model, r.user_id, count(*) as hits
            from read_parquet($recs) as r semi join truth as t using (user_id, item_id) where r.rank <= 5 group by all),
        sizes as (select user_id, count(*) as size from truth group by all),
        models as (select distinct model from read_parquet($recs))
        select avg(coalesce(h.hits, 0) / sqrt(s.size)), sum(coalesce(h.hits, 0)) / sum(sqrt(s.size))
        from models as m cross join sizes as s left join hits as h on h.model = m.model and h.user_id = s.user_id
        group by m.model order by m.model
        """,
        {"recs": DATA[0], "truth": DATA[1]},
    ).fetchall()
    assert values == pytest.approx([value for row in by_hand for value in row], rel=1e-12)


def test_an_average_that_lacks_a_denominator_is_refused(checkout: Checkout) -> None:
    found = checkout(
        edited(
            "metrics/recall.sql",
            ('{{ "s.hits" if weighting == "none" else "s.hit_weights" }}\n', "s.hits / nullif(s.relevant, 0)\n"),
            ('{% set denominator = "s.total_weight" %}\n', ""),
            ('{% set denominator = "s.relevant" %}\n', ""),
            ('{% set denominator = "least(s.k, s.relevant)" %}\n', ""),
        )
    )
    assert found(f"recsql.evaluate(*{DATA!r}, 'recall(mean=micro)', 5)") == (
        "sql/metrics/recall.sql sets no denominator, which its average micro reads"
    )


# -- ties = expected


METRIC = """{{#
title = "a stranger's metric"
group = "found"
formula = "its own"
reference = "none"
care = "never trust it"
aliases = []
bounds = [0]
empty = "0e0"
#}}
{text}
"""
TIED = (
    "recs=pa.table({'user_id': ['u'] * 4, 'item_id': list('abcd'), 'score': [0.5] * 4}), "
    "truth=pa.table({'user_id': ['u', 'u'], 'item_id': ['a', 'b']})"
)


def tied(metric: str, k: int, ties: str = "expected", further: str = "") -> str:
    """An expression for the value of a metric over four tied items, two of which are relevant."""
    return f"recsql.evaluate({TIED}, metrics={metric!r}, k={k}, rank_by='score', ties={ties!r}{further})['value'].to_pylist()"


def test_a_metric_that_is_not_affine_is_refused_with_expected_ties(checkout: Checkout) -> None:
    """Of four tied items two are relevant, so the top 2 has both in 1 / 6 of the orders. The mean number of hits there is 1."""
    found = checkout(
        {
            "metrics/all_found.sql": METRIC.format(text="case when s.hits >= 0.9e0 * s.relevant then 1e0 else 0e0 end"),
            "metrics/half_dcg.sql": METRIC.format(text="case when s.hits > 0 then s.dcg / 2 else 0e0 end"),
        }
    )
    assert found(tied("all_found", 2)) == (
        "all_found can't be computed with ties='expected': its mean over all orders of tied items does not follow from "
        "the mean of hits; choose another value, or leave all_found out"
    )
    assert found(tied("all_found", 2, "item_asc")) == [1]
    assert found(tied("half_dcg", 1)) == [0.25]
    of_all = found(tied("all", 2).replace("'value'", "'metric'"))
    assert "half_dcg" in of_all and not {"all_found", "first_rank"} & {*of_all}


NUMBERED = """{{#
row = "one row per hit and category of its item, numbered within the category"
#}}
select
    h.user_id,
    h.k,
    h.gain,
    h.rank,{column}
    row_number() over (partition by h.user_id, h.k, g.category order by h.rank asc) as nth
from hits_in_force as h
inner join item_categories as g on g.item_id = h.item_id
"""
ADDED = """{#
row = "one row per user with a hit in a category, and cut-off: the statistics of the hits by category"
sums = { over = "category_hits", alias = "o", reader = "at_k" }
#}
select
    h.user_id,
    h.k{% for one in statistics("category_hits") %},
    {{ text_of(one) }} as {{ one }}{% endfor %}

from category_hits as h
group by h.user_id, h.k
"""
STATISTIC = """{{#
about = "sum of the discounted gains of the hits, halved by each earlier hit of the category"
over = "category_hits"
empty = "0e0"
made_with = "gain_of"
needs = ["gains"]
#}}
{text}
"""
HALVED = '"h.gain * power(5e-1, h.nth - 1) * " ~ discount_at("h.rank")'


def by_category(text: str, column: str) -> dict[str, str]:
    """An alpha-DCG by category: a step over hits, the step of its sums, a statistic and a metric."""
    return {
        "steps/hits.sql: category_hits": NUMBERED.format(column=column),
        "steps/hits.sql: category_hits_at_k": ADDED,
        "statistics/hits.sql: halved_gain": STATISTIC.format(text=text),
        "metrics/alpha_dcg.sql": METRIC.format(text="s.halved_gain"),
    }


ITEMS = ", items=pa.table({'item_id': list('abcd'), 'category': list('xxyy')})"


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("", "reads hits, but does not carry their probability onwards"),
        ("{% if expected %}\n    h.probability,{% endif %}", "has a window over hits, which have several rows each"),
    ],
)
def test_a_step_that_loses_the_probability_of_hits_is_refused(checkout: Checkout, column: str, says: str) -> None:
    found = checkout(by_category(f"{{{{ summed({HALVED}) }}}}", column))
    assert found(tied("alpha_dcg", 2, further=ITEMS)) == (
        f"alpha_dcg can't be computed with ties='expected': its step category_hits {says}; "
        "choose another value, or leave alpha_dcg out"
    )
    assert found(tied("alpha_dcg", 2, "item_asc", ITEMS)) == pytest.approx([1 + 0.5 / 1.584962500721156])


def test_a_statistic_of_any_kind_over_hits_must_know_ties(checkout: Checkout) -> None:
    found = checkout(by_category(f"{{{{ sql.exact_sum({HALVED}) }}}}", ""))
    assert found("[*recsql.catalog.catalog().metrics]") == (
        "sql/statistics/hits.sql: halved_gain: sql.exact_sum() does not know that ties spread a hit over several ranks; "
        "add up with summed(x), or put it in a branch for lists without ties, {% if not expected %}"
    )


# -- steps


def test_the_order_of_the_chapters_is_for_readers(checkout: Checkout) -> None:
    """Each step of a query follows those that it reads, wherever it is written."""
    head, *chapters, last = re.split(r"(?<=\n)(?=    \"|\])", (ROOT / "sql/flow.toml").read_text())
    assert len(chapters) > 20
    found = checkout({"flow.toml": "".join([head, *reversed(chapters), last])})
    call = f"recsql.evaluate(*{DATA!r}, ['ndcg', 'recall'], 5)['value'].to_pylist()"
    recs, truth = DATA
    assert found(call) == recsql.evaluate(recs, truth, ["ndcg", "recall"], 5)["value"].to_pylist()


def test_steps_that_read_each_other_are_refused(checkout: Checkout) -> None:
    found = checkout({"steps/input.sql: cutoffs": '{#\nrow = "one row per cut-off"\n#}\nselect h.k\nfrom hits_in_force as h'})
    assert found(f"recsql.evaluate(*{DATA!r}, 'ndcg', 5)") == (
        "sql/steps/input.sql: cutoffs: cutoffs reads hits_in_force reads cutoffs; none can be first"
    )


# -- check


FINDING = """{#
about = "a user has several relevant items"
matters = "the mean depends on it"
advice = "nothing"
severity = "note"
unit = "items"
table = "truth"
column = "item_id"
#}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    {{ sql.text("null") }} as total,
    {{ sql.text("min(r.item_id)") }} as example
from relevant as r
{# rows #}
select r.item_id
from relevant as r
"""


def test_a_finding_can_read_the_relevant_items(checkout: Checkout) -> None:
    """A query has the steps that its texts read, whatever else it computes."""
    found = checkout({"checks/truth.sql: many_relevant": FINDING})
    rows = found(f"[row['count'] for row in recsql.check({TIED}).to_pylist() if row['finding'] == 'many_relevant']")
    assert rows == [2]
    assert found(f"recsql.check({TIED}, rows='many_relevant').to_pylist()") == [{"item_id": "a"}, {"item_id": "b"}]

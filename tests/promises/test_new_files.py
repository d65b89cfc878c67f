"""What somebody who adds a file to `sql/` gets is right, or refused with a sentence.

If it fails, a new metric, a new statistic or a new value of an option gives a wrong number without a word.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

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
            (tmp_path / "sql" / path).write_text(text)

        def found(expression: str) -> Any:
            call = f"try: found = {expression}\nexcept recsql.RecsqlError as error: found = str(error)"
            code = f"import json, recsql\n{call}\nprint(json.dumps(found))"
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
            ("\"duplicates == 'count'\"", "\"duplicates == 'count' or recall_denominator == 'sqrt'\""),
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
            ("s.hits\n", "s.hits / nullif(s.relevant, 0)\n"),
            ('{% set denominator = "s.relevant" %}\n', ""),
            ('{% set denominator = "least(s.k, s.relevant)" %}\n', ""),
        )
    )
    assert found(f"recsql.evaluate(*{DATA!r}, 'recall(mean=micro)', 5)") == (
        "sql/metrics/recall.sql sets no denominator, which its average micro reads"
    )

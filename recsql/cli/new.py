"""Writes the first version of a metric's files into a checkout of recsql."""

import re
from pathlib import Path

from recsql.base.errors import RecsqlError
from recsql.catalog import catalog, sql_root

NAME = re.compile(r"[a-z][a-z0-9_]*")
FILES = {"sql/metrics/NAME.sql": "metric.jinja", "tests/cases/NAME.toml": "case.toml"}
NEXT = """\
{metric}: edit the expression and its header; sql/README.md describes the keys
{case}: edit the cases; write the arithmetic of each value

Then run:
    recsql macros -o sql/recsql.sql
    for like in trec_eval ranx rectools; do recsql macros --like $like --schema $like -o sql/like/$like.sql; done
    python -m tests.sql.test_rendering
    python -m tests.docs
    pytest tests/cases/test_cases.py tests/promises tests/shell/test_lists.py -k {name}"""


def new_metric(name: str) -> str:
    """Writes the files of a metric that is hits / k until they are edited, and says what to do next.

    Raises RecsqlError if the name is taken or not in lower case, or if the current folder is not a checkout of recsql.
    """
    if not NAME.fullmatch(name):
        raise RecsqlError(f"{name}: a metric's name has lower-case letters, digits and underscores, and begins with a letter")
    if name in catalog().names:
        raise RecsqlError(f"{name}: this is already a name of {catalog().names[name]}; choose another name")
    files = {
        Path(path.replace("NAME", name)): (sql_root() / "new" / text).read_text(encoding="utf-8") for path, text in FILES.items()
    }
    for path in files:
        if not path.parent.is_dir():
            raise RecsqlError(f"{path.parent}: there is no such folder here; run this in the root of a checkout of recsql")
        if path.exists():
            raise RecsqlError(f"{path}: it already exists; choose another name")
    for path, text in files.items():
        path.write_text(text.replace("NAME", name), encoding="utf-8")
    metric, case = files
    return NEXT.format(metric=metric, case=case, name=name)

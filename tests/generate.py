"""Makes all generated files anew: `python -m tests.generate`, or those that are named. With --check it says which are stale.

Made elsewhere are tests/presets/vectors, which other libraries give (make_vectors.sh), and docs/report.png, a screenshot.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import recsql
from tests.cases.test_chosen import choice
from tests.docs.llms import llms
from tests.docs.notebook import notebook
from tests.docs.pages import PAGES, rewritten
from tests.names import repeated, repeating
from tests.sql.test_rendering import RECS, RENDERED, TRUTH, rendered
from tests.stub import stub
from tests.support import ROOT


def curve(metrics: Sequence[str], k: Sequence[int]) -> str:
    return recsql.curve(RECS, TRUTH, metrics, k).svg()


def forest() -> str:
    return recsql.forest(recsql.compare(RECS, TRUTH, ["ndcg", "recall"], 10, baseline="pop", findings="off")).svg()


def page(path: Path) -> str:
    return rewritten(path.read_text(encoding="utf-8"))


NOTEBOOK = "examples/first_hour.ipynb"
# What makes each file. The pages come last, because their blocks read the macro files, and the notebook is made of one.
FILES: dict[str, Callable[[], str]] = {
    "sql/recsql.sql": recsql.macros,
    "sql/check.sql": partial(recsql.macros, check=True),
    **{f"tests/rendered/{name}.sql": partial(rendered, name) for name in RENDERED},
    "recsql/__init__.pyi": stub,
    "llms.txt": llms,
    "tests/cases/chosen.txt": choice,
    "examples/movietweetings/curve.svg": partial(curve, ["ndcg", "dcg"], range(1, 21)),
    "examples/movietweetings/ndcg.svg": partial(curve, ["ndcg"], [1, 2, 3, 5, 10, 15, 20]),
    "examples/movietweetings/forest.svg": forest,
    **{str(one.relative_to(ROOT)): partial(page, one) for one in PAGES},
    NOTEBOOK: lambda: notebook((ROOT / "docs/first-hour.md").read_text(encoding="utf-8")),
}
# Of files written by hand, the owner and the version alone are made. They come first, because blocks print some of them.
BY_HAND = [path for path in repeating(ROOT) if path not in FILES]
FILES = {**{path: (ROOT / path).read_text for path in BY_HAND}, **FILES}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.generate", description="Makes all generated files anew.")
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if a file is stale")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only this file")
    asked = parser.parse_args(arguments)
    for path in asked.paths:
        if path not in FILES:
            parser.error(f"{path}: this file is not generated; choose from {', '.join(FILES)}")
    stale = []
    for path in asked.paths or FILES:
        sys.stderr.write(f"{path}\n")  # a block that fails then has its page above it
        text, file = repeated(FILES[path](), ROOT), ROOT / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not asked.check:
                file.write_text(text, encoding="utf-8")
    if stale and asked.check:
        sys.stderr.write(f"stale: {', '.join(stale)}\nrun: python -m tests.generate {' '.join(stale)}\n")
    elif stale:
        sys.stderr.write(f"written: {', '.join(stale)}\n")
    return int(asked.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())

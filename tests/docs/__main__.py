"""`python -m tests.docs` rewrites all pages, `python -m tests.docs README.md docs/shell.md` some of them."""

import sys
from pathlib import Path

from tests.docs.pages import PAGES, rewritten

for page in [Path(name) for name in sys.argv[1:]] or PAGES:
    sys.stderr.write(f"{page}\n")  # a block that fails then has its page above it
    page.write_text(rewritten(page.read_text()))

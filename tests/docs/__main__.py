"""`python -m tests.docs` rewrites all pages, `python -m tests.docs README.md docs/shell.md` some of them."""

import sys
from pathlib import Path

from tests.docs.pages import PAGES, rewrite

if __name__ == "__main__":
    sys.exit("\n\n".join(rewrite([Path(name).resolve() for name in sys.argv[1:]] or PAGES)))

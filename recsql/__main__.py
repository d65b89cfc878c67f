"""`python -m recsql` is the command recsql."""

import sys

from recsql.cli import main

sys.exit(main())

"""The session that the tests of this folder run in: RECSQL_SPARK says of which kind (local, cluster, connect, sail)."""

import os
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.spark.sessions import KINDS

KIND = os.environ.get("RECSQL_SPARK", "local")

# What Sail 0.7.2 can't compute. It divides by zero, where Spark does not, in some quotients of two columns.
DIVISION, TWO_NAMES = "Division by zero", "Schema contains duplicate unqualified field name"
OF_SAIL = {
    "test_call[intervals of ratings]": DIVISION,
    "test_call[slices]": DIVISION,
    "test_call[split by a cut]": "invalid argument: found part, expected query, for a star without a column: t.* except (part)",
    "test_call[slices with intervals]": "Physical plan does not support logical expression ScalarSubquery",
    "test_call[the whole list, items]": "Integer value 1000000000000000000 not in range: it loses the NULL of k",
    "test_call[comparison by ranks]": TWO_NAMES,
    "test_every_way_to_find_p_of_flips": TWO_NAMES,
}

# What a Connect session computes is what Spark does; it differs in how it takes tables, gives rows and says errors. So it gets
# the first few calls of these tests.
COMPUTING = {
    "test_call": 3,
    "test_bad_input": 3,
    "test_the_text_runs_as_it_is": 1,
    "test_what_is_large_stays_on_the_cluster": 1,
    "test_preset": 0,
    "test_random_data": 0,
    "test_no_such_baseline": 0,
    "test_every_way_to_find_p_of_flips": 0,
    "test_a_catalogue_that_is_just_large_enough": 0,
    "test_text_for_tables": 0,
    "test_the_share_that_is_judged": 0,
    "test_parts": 0,
    "test_nothing_in_common_is_said": 0,
    "test_a_rank_of_0_is_refused_before_it_divides": 0,
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [item for item in items if isinstance(item, pytest.Function) and item.path.parent.name == "spark"]
    counts: Counter[str] = Counter()
    left_out = []
    for item in ours:
        item.add_marker(pytest.mark.spark)
        if KIND == "sail" and item.name in OF_SAIL:
            item.add_marker(pytest.mark.xfail(reason=f"Sail: {OF_SAIL[item.name]}"))
        counts[item.originalname] += 1
        if KIND == "connect" and counts[item.originalname] > COMPUTING.get(item.originalname, 1000):
            left_out.append(item)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark session."""
    start, packages = KINDS[KIND]
    if lacking := [name for name in packages if find_spec(name) is None]:
        refuse = pytest.fail if "RECSQL_SPARK" in os.environ else pytest.skip
        refuse(f"a {KIND} session of Spark needs {', '.join(lacking)}")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    with start(tmp_path_factory.mktemp("spark")) as session:
        yield session

"""The session that the tests of this folder run in: RECSQL_SPARK says of which kind (local, cluster, connect, sail)."""

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.spark import sessions

KIND = os.environ.get("RECSQL_SPARK", "local")

# Faults of Sail 0.7.2, where Spark computes: a quotient of two columns above a join without equality, and a plan over no rows.
OF_SAIL = re.compile(r"(Division by zero|Internal error: PhysicalExpr Column references column)")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "spark":
            item.add_marker(pytest.mark.spark)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    try:
        return (yield)
    except Exception as error:
        if KIND == "sail" and (found := OF_SAIL.search(str(error))):
            pytest.xfail(f"Sail: {found[0]}")
        raise


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark session."""
    if lacking := sessions.missing(KIND):
        refuse = pytest.fail if "RECSQL_SPARK" in os.environ else pytest.skip
        refuse(f"a {KIND} session of Spark {lacking}")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    with sessions.KINDS[KIND](tmp_path_factory.mktemp("spark")) as session:
        yield session

"""What check looks at and returns, under its own arguments and the options of evaluate.

If it fails, check speaks of other users than evaluate measures, or leaves findings out without a word.
"""

import json

import pyarrow as pa
import pytest

import recsql
from recsql.base.errors import BadInput, UnknownName
from recsql.catalog import catalog

RECS = pa.table({"user_id": [1, 1, 2, 3], "item_id": ["a", "b", "a", "c"], "rank": [1, 3, 1, 1]})
TRUTH = pa.table({"user_id": [1, 2, 4, 5], "item_id": ["a", "b", "c", "d"]})


def counts(**options: object) -> dict[str, tuple[str, int, int | None]]:
    """The severity, the count and the total of each finding."""
    rows = recsql.check(RECS, TRUTH, **options).to_pylist()  # type: ignore[arg-type]
    return {row["finding"]: (row["severity"], row["count"], row["of"]) for row in rows}


def test_only_the_users_of_a_table_are_looked_for() -> None:
    """Users 4 and 5 have no list, and user 3 has no truth; users 3 and 5 are not in the table."""
    users = pa.table({"user_id": [1, 2, 4]})
    everybody, some = counts(), counts(users=users)
    assert everybody["users_without_list"] == ("warning", 2, 4) and everybody["lists_without_truth"] == ("note", 1, 3)
    assert some["users_without_list"] == ("warning", 1, 3) and "lists_without_truth" not in some
    assert (everybody["few_users"][1], some["few_users"][1]) == (4, 3)


def test_a_sample_of_the_users() -> None:
    ids = [*range(100)]
    recs = pa.table({"user_id": ids, "item_id": ids, "rank": [1] * 100})
    truth = recs.select(["user_id", "item_id"])
    found = recsql.check(recs, truth, sample=0.5).to_pylist()
    users = recsql.evaluate(recs, truth, "hit", k=1, sample=0.5)["users"].to_pylist()
    assert 30 < users[0] < 70 and [row["count"] for row in found if row["finding"] == "few_users"] == users


def test_the_level_quick_has_no_finding_that_sorts() -> None:
    twice = pa.concat_tables([TRUTH, TRUTH])
    found = {level: {row["finding"] for row in recsql.check(RECS, twice, level=level).to_pylist()} for level in ("quick", "full")}
    assert found["full"] - found["quick"] == {"duplicate_truth"} and found["quick"] < found["full"]


def test_severities_and_findings_to_ignore() -> None:
    found = counts(severity={"few_users": "note", "rank_gaps": "error"}, ignore=["users_without_list"])
    assert found["few_users"][0] == "note" and found["rank_gaps"][0] == "error" and "users_without_list" not in found
    assert next(iter(found)) == "rank_gaps"
    nothing = recsql.check(RECS, TRUTH, ignore=[*catalog().findings])
    assert nothing.num_rows == 0 and nothing.schema.equals(recsql.check(RECS, TRUTH).schema)


def test_what_was_not_looked_for() -> None:
    metadata = recsql.check(RECS, TRUTH).schema.metadata
    lacking = json.loads(metadata[b"recsql"])["not_checked"]
    assert lacking["score_against_rank"] == "recs.score" and "rank_gaps" not in lacking
    with pytest.raises(BadInput, match=r"^rows: score_against_rank is about recs.score, which is missing; add it$"):
        recsql.check(RECS, TRUTH, rows="score_against_rank")


def test_rows_that_the_options_leave_out() -> None:
    scored = RECS.append_column("score", pa.array([0.1, 0.2, 0.3, 0.4]))
    assert recsql.check(scored, TRUTH, rows="rank_gaps").num_rows == 1
    assert recsql.check(scored, TRUTH, rows="rank_gaps", rank_by="score").num_rows == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ignore": ["few_user"]}, "there is no finding 'few_user'; did you mean few_users"),
        ({"rows": "ties"}, "there is no finding 'ties'; "),
        ({"severity": {"few_users": "warn"}}, "severity: unknown value 'warn'; choose one of error, warning, note"),
        ({"level": "slow"}, "level: unknown value 'slow'; choose one of quick, full"),
    ],
)
def test_unknown_names(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UnknownName) as raised:
        counts(**arguments)
    assert str(raised.value).startswith(message)


def test_lists_without_rows_have_no_id_for_an_example() -> None:
    rows = recsql.check(RECS.slice(0, 0), TRUTH).to_pylist()
    examples = {row["finding"]: row["example"] for row in rows}
    assert examples["no_common_users"] == "no ids in recs, 1 in truth"
    assert examples["no_common_items"] == "no ids in recs, a in truth"


def test_a_model_without_rows_has_no_list_for_anyone() -> None:
    rows = recsql.check({"a": RECS, "b": RECS.slice(0, 0)}, TRUTH).to_pylist()
    found = {(row["finding"], row["model"]): (row["count"], row["of"]) for row in rows}
    assert found["users_without_list", "b"] == (4, 4) and found["coverage_differs", "b"] == (2, 2)


def test_a_truth_without_rows_is_refused() -> None:
    [first, *_] = recsql.check(RECS, TRUTH.slice(0, 0)).to_pylist()
    assert first["finding"] == "refused" and first["example"].startswith("no user in truth has a relevant item")

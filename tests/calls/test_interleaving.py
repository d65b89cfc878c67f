"""A log of interleaved lists by `compare`: the cases of 13 sessions, whose clicks are counted by team.

If it fails, another team seems to win an interleaving test, or by more.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql

Found = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "interleaving.json"
CASES: dict[str, Found] = {one["id"]: one for one in json.loads(DATA.read_text(encoding="utf-8"))}
LEFT_OUT = {"clicks on the ranks that both lists share from the top on are counted": ["rest-open-045"]}
SESSIONS: list[tuple[str, int, int]] = [tuple(one) for one in CASES["rest-open-039"]["sessions"]]


def tables(*, by_person: bool = False) -> dict[str, pa.Table]:
    """Five items of each team, the first of which are clicked; with `by_person`, all sessions of a person are one list."""
    shown: list[dict[str, Any]] = []
    clicks: list[dict[str, Any]] = []
    places: dict[tuple[str, str], int] = {}
    for session, (person, *counts) in enumerate(SESSIONS):
        for team, clicked in zip("AB", counts, strict=True):
            for n in range(5):
                item = f"{session}/{team}{n}"
                user = person if by_person else str(session)
                place = places[user, team] = places.get((user, team), 0) + 1
                rank = place if by_person else 2 * n + 1 + ((team == "B") ^ (session % 2))
                shown.append({"model": team, "user_id": user, "item_id": item, "rank": rank})
                clicks.append({"user_id": user, "item_id": item, "relevance": int(n < clicked), "person_id": person})
    return {"recs": pa.Table.from_pylist(shown), "truth": pa.Table.from_pylist(clicks)}


def compared(*, by_person: bool = False, **settings: Any) -> dict[str, Any]:
    found = recsql.compare(**tables(by_person=by_person), metrics="hits", k=50, baseline="A", findings="off", **settings)
    row: dict[str, Any] = found.to_pylist()[0]
    return row


def expected(name: str) -> Any:
    return pytest.approx(CASES[name]["expected"], rel=0, abs=1e-9)


def test_sessions() -> None:
    """7 wins, 2 ties and 2 losses; the 2 sessions without a click are left out."""
    row = compared(test="sign")
    assert (row["wins"], row["ties"], row["losses"], row["users"]) == (7, 2, 2, 11)
    assert row["preference"] == expected("rest-open-039")
    assert row["p"] == expected("rest-open-041")


def test_sessions_without_a_click_as_ties() -> None:
    row = compared(test="sign", no_truth="zero")
    assert (row["wins"], row["ties"], row["losses"]) == (7, 4, 2)
    assert row["preference"] == expected("rest-open-040")
    assert row["p"] == expected("rest-open-041")


def test_clicks_by_the_t_test() -> None:
    row = compared()
    assert "preference" not in row
    assert row["difference"] / row["std_error"] == expected("rest-open-042")
    assert row["p"] == pytest.approx(CASES["rest-open-042"]["p_two_sided"], rel=0, abs=1e-9)
    assert compared(cluster="person_id")["p"] > row["p"]


def test_persons() -> None:
    """5 persons prefer B and 1 prefers A; 2 have as many clicks on both, and 1 has none."""
    row = compared(by_person=True, test="sign")
    assert (row["wins"], row["ties"], row["losses"]) == (5, 2, 1)
    assert row["preference"] == pytest.approx((5 + 2 / 2) / 8 - 1 / 2)
    assert row["p"] == expected("rest-open-043")


def test_credit_of_one_session() -> None:
    rows = CASES["rest-open-044"]["session"]
    shown = pa.Table.from_pylist([{"model": team, "user_id": 1, "item_id": item, "rank": rank} for rank, item, team, _ in rows])
    clicks = pa.Table.from_pylist([{"user_id": 1, "item_id": item, "relevance": clicked} for _, item, _, clicked in rows])
    found = recsql.evaluate(shown, clicks, "hits@10", findings="off").to_pylist()
    assert [row["value"] for row in found] == CASES["rest-open-044"]["expected"]


def test_the_other_side() -> None:
    """From the other team's side, wins and losses change places, and the preference its sign; nobody to compare gives NULL."""
    turned = recsql.compare(**tables(), metrics="hits", k=50, baseline="B", test="sign", findings="off").to_pylist()[0]
    assert turned["preference"] == pytest.approx(-compared(test="sign")["preference"])
    apart = {"A": {"u": {"a": 1}}, "B": {"v": {"a": 1}}}
    none = recsql.compare(apart, {"u": {"a": 1}, "v": {"a": 1}}, "hits", 5, test="sign", no_recs="skip", findings="off")
    assert none["preference"].to_pylist() == [None]


def test_every_case_is_used_or_left_out_for_a_reason(shared: Path) -> None:
    collected = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    kinds = {"interleaved_preference", "sign_test_p", "team_draft_credit", "paired_t"}
    assert {one["id"]: one for one in collected if one["metric"] in kinds} == CASES
    assert [*LEFT_OUT.values()] == [["rest-open-045"]]

"""Every preset whose library is heavy, against values that the library itself gave, to 1e-9.

If it fails, a preset gives other values than its library, which is too heavy to run here.

tests/presets/make_vectors.sh makes them again, in vectors/NAME.json: the library's version, and for every sample a hash of it and
the values by metric. The samples themselves are drawn from seeds.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from tests.presets.data import Sample, samples

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Library:
    """A library: the forms in which the data are given to it, and of which kinds.

    but: metrics that are not compared in a form, because the preset says that they differ there.
    padding: how many items its catalogue has that the data have not.
    train: whether its catalogue is what was learnt from, for which the truth stands.
    package: what it is installed as, where that is another name.
    """

    forms: Mapping[str, tuple[str, ...]]
    but: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    padding: int = 0
    train: bool = False
    package: str | None = None


LIBRARIES = {
    "lenskit": Library({"given": ("binary", "graded", "negative", "copies"), "with truth": ("binary", "copies")}),
    "implicit": Library({"complete": ("binary", "graded", "negative"), "ten": ("binary", "graded")}),
    "recbole": Library({"complete": ("binary", "graded", "negative"), "unseen": ("binary", "graded")}, padding=1),
    "torchmetrics": Library(
        {"given": ("binary", "graded"), "judged": ("binary", "graded")}, but={"given": ("recall", "r_precision")}
    ),
    "cornac": Library(
        {
            "given": ("binary", "graded", "copies"),
            "complete": ("binary", "graded", "negative"),
            "raised": ("graded",),
            "unseen": ("binary", "graded"),
        }
    ),
    "recpack": Library(
        {"given": ("binary", "graded", "negative"), "with truth": ("binary",), "complete": ("binary",)},
        but={"given": ("coverage",), "with truth": ("ild",)},
    ),
    "evidently": Library(
        {"with a hit": ("graded",), "judged": ("binary", "graded"), "complete": ("binary", "graded")},
        but={"with a hit": ("recall", "f1", "ap"), "judged": ("ap",)},
        train=True,
    ),
    "spark": Library({"given": ("binary", "graded", "negative", "copies")}, package="pyspark"),
}


# -- the forms of the data


def as_given(one: Sample) -> Sample:
    return one


def with_truth(one: Sample) -> Sample:
    """The lists of users with truth alone."""
    users = {row["user_id"] for row in one.truth}
    return Sample(one.kind, [row for row in one.recs if row["user_id"] in users], one.truth)


def with_a_hit(one: Sample) -> Sample:
    """The users who are recommended something relevant."""
    users = {row["user_id"] for row in judged(one).truth if row["relevance"] > 0}
    recs, truth = ([row for row in rows if row["user_id"] in users] for rows in (one.recs, one.truth))
    return Sample(one.kind, recs, truth)


def judged(one: Sample) -> Sample:
    """The truth of what was recommended: all that is known where the input is one row per recommended item."""
    shown = {(row["user_id"], row["item_id"]) for row in one.recs}
    return Sample(one.kind, one.recs, [row for row in one.truth if (row["user_id"], row["item_id"]) in shown])


def complete(one: Sample) -> Sample:
    """Every user with truth is recommended every item: his list, then the others by id."""
    listed: dict[str, list[str]] = {row["user_id"]: [] for row in one.truth}
    for row in one.recs:
        listed.get(row["user_id"], []).append(row["item_id"])
    items = catalogue(one)
    recs = [
        {"user_id": user, "item_id": item, "rank": rank, "score": 1.0 + len(items) - rank}
        for user, found in sorted(listed.items())
        for rank, item in enumerate(dict.fromkeys([*found, *items]), start=1)
    ]
    return Sample(one.kind, recs, one.truth)


def ten(one: Sample) -> Sample:
    """The first ten of all items."""
    full = complete(one)
    return Sample(one.kind, [row for row in full.recs if row["rank"] <= 10], one.truth)


def unseen(one: Sample) -> Sample:
    """The lists of users with truth have all items but their histories, which are each fourth item that is not in their truth."""
    full, stated = complete(one), {(row["user_id"], row["item_id"]) for row in one.truth}
    lists: dict[str, list[str]] = {}
    for row in full.recs:
        if row["rank"] % 4 or (row["user_id"], row["item_id"]) in stated:
            lists.setdefault(row["user_id"], []).append(row["item_id"])
    recs = [
        {"user_id": user, "item_id": item, "rank": rank, "score": 1.0 + len(found) - rank}
        for user, found in lists.items()
        for rank, item in enumerate(found, start=1)
    ]
    return Sample(one.kind, recs, one.truth)


def history(one: Sample) -> pa.Table:
    """The items that each user with a list is not recommended, but for those of the truth."""
    listed = {(row["user_id"], row["item_id"]) for row in [*one.recs, *one.truth]}
    users = sorted({row["user_id"] for row in one.recs})
    found = [{"user_id": user, "item_id": item} for user in users for item in catalogue(one) if (user, item) not in listed]
    return pa.Table.from_pylist(found or [{"user_id": "nobody", "item_id": "nothing"}])


def raised(one: Sample) -> Sample:
    """Relevance 0 becomes one between 0 and 1."""
    return Sample(one.kind, one.recs, [row | {"relevance": row["relevance"] + 0.5} for row in one.truth])


FORMS: Mapping[str, Callable[[Sample], Sample]] = {
    "given": as_given,
    "with truth": with_truth,
    "with a hit": with_a_hit,
    "judged": judged,
    "complete": complete,
    "ten": ten,
    "unseen": unseen,
    "raised": raised,
}


def catalogue(one: Sample) -> list[str]:
    return sorted({row["item_id"] for row in [*one.recs, *one.truth]})


def asked(library: Library) -> dict[str, Sample]:
    """The samples that it measures, by form and kind."""
    return {f"{form}, {one.kind}": FORMS[form](one) for form, kinds in library.forms.items() for one in samples(kinds)}


def fingerprint(one: Sample) -> str:
    return hashlib.sha256(json.dumps([one.recs, one.truth]).encode()).hexdigest()[:16]


# -- the comparison


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"vectors/{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", LIBRARIES)
def test_library(name: str) -> None:
    library, vectors = LIBRARIES[name], stored(name)
    assert vectors["version"] == catalog().presets[name].version
    for label, one in asked(library).items():
        theirs = vectors["samples"][label]
        assert theirs["hash"] == fingerprint(one), f"{label} is no longer what {name} measured: run tests/presets/make_vectors.sh"
        left_out = library.but.get(label.partition(",")[0], ())
        signed = one.kind == "negative" and catalog().presets[name].options.get("relevant") == "present"  # some gains are below 0
        compared = {
            metric: value
            for metric, value in theirs["values"].items()
            if metric.partition("@")[0] not in left_out and not (signed and "gain=" in metric)
        }
        ours = values(name, one, list(compared))
        assert ours == pytest.approx(compared, rel=0, abs=1e-9), label


def values(name: str, one: Sample, metrics: list[str]) -> dict[str, float]:
    """Ours. An order that the preset leaves open is that of the rows: for lists that of the scores, since ranks are missing."""
    library = LIBRARIES[name]
    recs, truth = one.tables
    users = truth["user_id"].to_pylist()
    truth = truth.append_column("rank", [[users[: row + 1].count(user) for row, user in enumerate(users)]])
    settings: dict[str, Any] = {"like": name, "catalog_size": len(catalogue(one)) + library.padding}
    if library.train:
        settings["train"] = truth
    if "rank_by" not in catalog().presets[name].options:
        settings["rank_by"] = "score"
    apart = {word: [metric for metric in metrics if word in metric] for word in ("auc", "ild")}
    found = means(recs, truth, [metric for metric in metrics if metric not in [*apart["auc"], *apart["ild"]]], **settings)
    unpadded = settings | {"catalog_size": len(catalogue(one))}
    if catalog().presets[name].options.get("auc_candidates") == "unseen":
        unpadded["train"] = history(one)
    found |= means(recs, truth, apart["auc"], **unpadded)
    items = pa.table({"item_id": catalogue(one), "category": [sorted({*item}) for item in catalogue(one)]})
    return found | means(recs, truth, apart["ild"], items=items, like=name)


def means(recs: pa.Table, truth: pa.Table, metrics: list[str], **settings: Any) -> dict[str, float]:
    """The values by the names asked for. The printed ones say more: those with options are asked alone, all others together."""
    found = {}
    for name in dict.fromkeys(with_options(metric) for metric in metrics):
        asked = [metric for metric in metrics if with_options(metric) == name]
        for row in recsql.evaluate(recs, truth, asked, **settings).to_pylist():
            found[f"{name or row['metric'].partition('(')[0]}@{row['k']}"] = row["value"]
    return found


def with_options(metric: str) -> str:
    """Its name, if that has options."""
    return metric[: metric.find(")") + 1]


# -- the libraries are run


def measured(name: str, python: Path) -> dict[str, Any]:
    """What the library gives for its samples."""
    library = LIBRARIES[name]
    given = asked(library)
    sent = json.dumps([{"recs": one.recs, "truth": one.truth} for one in given.values()])
    found = json.loads(run(sent, str(python), "-W", "ignore", f"{HERE}/heavy/measure_{name}.py"))
    version = installed(str(python), library.package or name)
    hashed = {
        label: {"hash": fingerprint(one), "values": theirs} for (label, one), theirs in zip(given.items(), found, strict=True)
    }
    return {"library": name, "version": version, "samples": hashed}


def installed(python: str, package: str) -> str:
    """The version of a package."""
    return run("", python, "-c", f"from importlib.metadata import version; print(version('{package}'))").strip()


def run(sent: str, *command: str) -> str:
    """What a script prints that is sent this."""
    with_common = os.environ | {"PYTHONPATH": f"{HERE}/peers"}
    return subprocess.run(command, input=sent, stdout=subprocess.PIPE, text=True, check=True, env=with_common).stdout


if __name__ == "__main__":
    for name in sys.argv[2:]:
        vectors = json.dumps(measured(name, Path(sys.argv[1], name, "bin/python")), indent=1, allow_nan=False)
        (HERE / f"vectors/{name}.json").write_text(f"{vectors}\n", encoding="utf-8")

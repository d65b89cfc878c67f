"""How a report was made: its tables, versions and options, and the command that makes it again."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from recsql.base.package import release
from recsql.base.wording import flag
from recsql.calls.call import Table
from recsql.catalog import catalog
from recsql.catalog.grammar import is_named
from recsql.catalog.headers import Given
from recsql.query.plan import usual
from recsql.query.results import metadata_of
from recsql.report.baseline import POPULARITY
from recsql.report.evidence import Evidence
from recsql.report.sections import Section, name_of
from recsql.tables.models import WithModel

LEAVES_OUT = ("check", "conventions", "sql")  # arguments with flags that begin with --no
NAMES = 4  # files in the line above the verdict


def made(evidence: Evidence, arguments: Mapping[str, Given]) -> Section:
    """The last section, and the line above the verdict."""
    added = POPULARITY if evidence.popularity_of else None
    names = [Path(one.name).name or one.name for one in evidence.input_files if one.name != added]
    named = [*names[:NAMES], *([f"{len(names) - NAMES} more"] if len(names) > NAMES else [])]
    of = f"baseline {name_of(evidence.named_baseline)}" if evidence.named_baseline else ""
    metadata = metadata_of(evidence.values)
    chosen = {name: value for name, value in metadata["options"][0].items() if differs(name, value)}
    return {
        "about": " \u00b7 ".join(filter(None, [str(evidence.main), of, ", ".join(named), f"recsql {release()}"])),
        "versions": ", ".join(f"{name} {version}" for name, version in metadata["versions"].items()),
        "options": ", ".join(f"{name}={value}" for name, value in chosen.items()),
        "command": command(evidence, arguments),
        "origin": origin(evidence),
    }


def origin(evidence: Evidence) -> str:
    """Where the baseline is from; empty for a single model."""
    if len(evidence.models) < 2:
        return ""
    of = f"the best model on {evidence.main}" if evidence.named_baseline is None else "one of the models"
    if evidence.popularity_of:
        of = f"the most popular items of {evidence.popularity_of} that each user lacks"
    return f"{name_of(evidence.baseline)}, {of}"


def differs(name: str, value: Given) -> bool:
    """Whether the option of a result is not the default."""
    defaults = {catalog().options[option].called: default for option, default in usual(None).items()}
    return value not in (None, defaults.get(name)) and name != "interval"


def command(evidence: Evidence, arguments: Mapping[str, Given]) -> str:
    """The command that makes the report again; empty if a value of the call has no text, such as a table in memory."""
    given = {**evidence.settings, "baseline": evidence.named_baseline, "main": evidence.named_main}
    given |= {name: value for name, value in arguments.items() if name not in LEAVES_OUT}
    given.pop("connection", None)
    tables: Table = evidence.recs.recs if isinstance(evidence.recs, WithModel) else evidence.recs
    recs = tables if isinstance(tables, Mapping) else {"": tables}
    if not all(isinstance(one, str | int | float | None) for one in [*recs.values(), evidence.truth, *given.values()]):
        return ""
    metrics = [evidence.metrics] if isinstance(evidence.metrics, str) else [*(evidence.metrics or ())]
    words = [*(f"{name}={path}" if name else path for name, path in recs.items()), str(evidence.truth)]
    words += ["-m", ",".join(map(str, metrics))] if metrics else []
    if (k := evidence.k) is not None and is_named(k):
        words += ["-k", ",".join(map(str, [k] if isinstance(k, int | str) else k))]
    words += [word for name, value in given.items() if value is not None for word in (flag(name), str(value))]
    words += [f"--no-{name}" for name in LEAVES_OUT if not arguments[name]]
    return shlex.join(["recsql", "report", *words, "-o", "report.html"])

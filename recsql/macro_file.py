"""The macro file: every macro, rendered from the templates."""

from functools import cache
from importlib.metadata import version

from recsql.catalog import catalog
from recsql.grammar import FEW, METRIC, WHOLE, largest_cutoff, most_cutoffs
from recsql.list_macros import list_macros
from recsql.macro import sentence
from recsql.macro_call import wrong_number, wrong_value
from recsql.query_macros import query_macros
from recsql.templates import dialect, environment
from recsql.text import quoted

NAMES = "array_to_string(names, ', ')"
WRONG_TEXTS = {"time": "not_a_time", "duration": "not_a_duration"}  # the checks, by the type of the option
ELSEWHERE = {  # the macros for the metrics of a grain
    "user": "use evaluate or per_user",
    "item": "it is one value for all lists together, so use item_metrics",
    "rating": "it compares ratings with predictions, so use rating_metrics",
}


@cache
def macros() -> str:
    """Returns the text of `recsql.sql`. In the DuckDB shell, `.read` loads it into the schema recsql."""
    context = {
        "version": version("recsql"),
        "most": largest_cutoff(),
        "whole": WHOLE,
        "few": FEW,
        "most_cutoffs": most_cutoffs(),
        "count_sentence": sentence("cutoff_count"),
        "metric_sentence": sentence("metric_names", name="m['text']", hint=hint(), names=NAMES),
        "meaning_sentence": sentence("metric_meanings", name="m['text']", meanings="m['metric']", names=NAMES),
        "elsewhere": {way: ", ".join(map(quoted, catalog().metrics_of(grain))) for grain, way in ELSEWHERE.items()},
        "cutoff_sentence": sentence("cutoffs", found="coalesce(nullif(k, ''), 'none')"),
        "metric_names": metric_names(),
        "wrong_value": wrong_value(),
        "wrong_number": wrong_number(),
        **{f"{name}_sentence": sentence(check, option="option", value="x") for name, check in WRONG_TEXTS.items()},
        "gains_sentence": sentence("not_gains", option="'gains'", value="x"),
        "macros": [*list_macros(), *query_macros()],
    }
    return environment().get_template("targets/macros.sql").render(context).strip() + "\n"


def hint() -> str:
    """How to go on from the text of an unknown metric."""
    brackets = "a macro takes options as arguments, so leave out the brackets; "
    nearest = dialect("duckdb").nearest("m['text']", "names")
    return f"case when contains(m['text'], '(') then {quoted(brackets)} else {nearest} end"


def metric_names() -> str:
    """The metric's own name for any of its names, as a map; a name in a preset follows that of the preset."""
    names = {alias: name for name, source in catalog().metrics.items() for alias in (name, *source.aliases)}
    for preset in catalog().presets.values():
        for name, meaning in preset.names.items():
            plain = meaning.removesuffix("@all")  # a macro always has cut-offs
            if plain in catalog().metrics:
                names[f"{preset.name} {name}"] = plain
            elif name in names and not METRIC.fullmatch(meaning):
                names[f"{preset.name} {name}"] = (
                    f"{meaning} in {preset.name}"  # refused, as recsql has another metric of this name
                )
    pairs = [f"{quoted(alias)}: {quoted(name)}" for alias, name in names.items()]
    return f"map {{{', '.join(pairs)}}}"

"""The macro file: every metric and every table function, for the DuckDB shell without Python."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version

from recsql import filled
from recsql.catalog import (
    ABOUT,
    DEFAULT_CUTOFF,
    DEFAULT_CUTOFFS,
    DEFAULT_LENGTH,
    WHOLE,
    Asked,
    catalog,
    largest_cutoff,
    most_cutoffs,
)
from recsql.list_macros import list_macros
from recsql.macro import listed, macro, macro_of, sentence
from recsql.options import Options
from recsql.render import Column, Inputs, Relation, Rendering
from recsql.templates import environment, template
from recsql.text import laid_out, quoted

DEPTH, DEEPEST = "recsql.depth(k)", "recsql.deepest(k)"
CUTOFFS = "select distinct recsql.cutoff(n.k) as k\nfrom (select unnest(recsql.few(recsql.cutoffs(k))) as k) as n"
ONE_DEPTH = "recsql.cutoff(cast(k as varchar))"
OWN_NAMES = {
    "user_id": "t.user_id",
    "item_id": "t.item_id",
    "order_by": "columns(lambda c: lower(c) = lower(case when order_by = 'hash' then 'user_id' else order_by end))",
}
CASES, K, ONE_K = ["recs", "truth"], f"k := {list(DEFAULT_CUTOFFS)}", f"k := {DEFAULT_CUTOFF}"
FOR_PEOPLE = {name: name for name in ("evaluate", "per_user", "rating_metrics")} | {"item_metrics": "evaluate"}


@cache
def macros() -> str:
    """Returns the text of `recsql.sql`. In the DuckDB shell, `.read` loads it into the schema recsql."""
    context = {
        "version": version("recsql"),
        "most": largest_cutoff(),
        "whole": WHOLE,
        "most_cutoffs": most_cutoffs(),
        "count_sentence": sentence("cutoff_count"),
        "metric_sentence": sentence(
            "metric_names",
            name="list_filter(wanted, lambda m: not list_contains(names, m))[1]",
            hint="''",
            names="array_to_string(names, ', ')",
        ),
        "cutoff_sentence": sentence("cutoffs", found="coalesce(nullif(k, ''), 'none')"),
        "apart": filled.apart(),
        "metric_of": filled.metric_of(),
        "macros": [*usual_macros(), *table_macros(), *list_macros()],
    }
    return environment().get_template("targets/macros.sql").render(context).strip() + "\n"


def usual_macros() -> Iterator[str]:
    """A macro per option that any preset sets: its value under a preset."""
    for name in filled.by_presets():
        about = f"the option {name} by the preset, and by default"
        yield macro(f"usual_{name}", about, ["preset", "metric"], filled.by_preset(name), table=False)


def table_macros() -> Iterator[str]:
    """The table macros."""
    lists, items, ratings = (binding(grain, all_metrics(grain)) for grain in ("user", "item", "rating"))
    one_k = replace(lists, cutoffs=f"select {ONE_DEPTH} as k", depth=ONE_DEPTH, deepest=DEEPEST)
    plain = replace(one_k, columns=(), known=catalog().declared_in("metrics", "statistics") | {"metrics": None})
    read = {name: value for name, value in plain.known.items() if name != "ideal"}
    ideal = replace(plain, tables=named("truth").tables, known=read)
    scored = replace(plain, tables={"recs": given("recs", "scored")}, known={**plain.known, "rank_by": "score", "like": None})
    split = replace(named("interactions"), names=OWN_NAMES, known={"like": None})
    per_user = replace(lists, known={"metrics": None, "f1_average": "per_user"})
    yield from under("evaluate", "evaluate", replace(lists, averaged=True), [*CASES, K])
    yield from under("per_user", "per_user", per_user, [*CASES, K])
    yield from under("item_metrics", "evaluate", items, ["recs", K])
    yield from under("rating_metrics", "rating_metrics", ratings, ["predictions"])
    yield from under("hits", "hits", plain, [*CASES, ONE_K])
    yield from under("ideal", "ideal", ideal, ["truth", ONE_K])
    yield from under("leave_one_out", "leave_one_out", split, ["interactions"])
    yield from under("rank_by_score", "rank_by_score", scored, ["scored", f"k := {DEFAULT_LENGTH}"])


def under(name: str, target: str, inputs: Inputs, given: Sequence[str]) -> Iterator[str]:
    """The macro that takes every option, and the public one, which fills in NULL options from a preset or the defaults."""
    rendering = Rendering(inputs)
    rendering.options.reference("like")
    body = rendering.query(f"targets/{target}.sql")
    read = read_by(rendering)
    options = [option for option in read if option != "like"]
    yield macro(f"{name}_under", f"{ABOUT[name]}, every option known", [*given, *defaults(read)], body, table=True)
    metrics = [column.asked.metric for column in inputs.columns]
    asked = filled.asked(metrics)
    kind = FOR_PEOPLE.get(name, "rows")
    call = partial(template, f"{kind}_call", under=f"{name}_under", names=filled.names(metrics), asked=asked, whole=WHOLE)
    passed = ["k := k" if " := " in parameter else parameter for parameter in given]

    def handed(wanted: str, fill: Callable[[str], str], *further: str) -> str:
        return listed([*passed, *(wanted if option == "metrics" else fill(option) for option in options), *further])

    same = handed(f"metrics := {asked}", filled.plain)
    shown = [*options, "metrics"] if name == "per_user" else options  # it selects its columns after computing them
    ways = [
        ([*given, *defaults(shown)], laid_out(call(most=same, apart=[], label=filled.label(options, metrics, by_preset=False))))
    ]
    if ("recs" in inputs.tables or "truth" in inputs.tables) and "like" not in inputs.known:
        apart = sorted({metric for preset in catalog().presets.values() for metric in preset.metrics if metric in metrics})
        by_preset = f"like := {filled.LIKE}"
        most = handed(
            filled.most(metrics) if apart else f"metrics := {asked}", partial(filled.filled, metric=filled.MOST), by_preset
        )
        others = handed(filled.others(metrics), partial(filled.filled, metric=filled.APART), by_preset)
        label = filled.label(options, metrics, by_preset=True)
        like = call(most=most, others=others, apart=apart, metrics=metrics, label=label)
        required = [parameter for parameter in given if " := " not in parameter]
        further = [parameter for parameter in given if " := " in parameter]
        ways.append(([*required, f"{filled.LIKE} varchar", *further, *filled.parameters(shown)], laid_out(like)))
    yield macro_of(name, ABOUT[name], ways, table=True)


def binding(grain: str, columns: Sequence[Column]) -> Inputs:
    """The binding of the macros for the metrics of a grain. The tables are parameters, and so are the options the macros have."""
    if grain == "item":
        others = {name: option.default for name, option in catalog().options.items() if "item" not in option.home.grains}
        return replace(named("recs", "items", "train"), columns=columns, known=others | {"users": "truth"})
    tables = ("recs", "truth", "users") if grain == "user" else ("predictions", "ratings")
    return replace(named(*tables), columns=columns)


def read_by(rendering: Rendering) -> list[str]:
    """The options that a rendering read; they become the parameters of the macro."""
    return [name for name in catalog().options if name in rendering.options.parameters]


def defaults(names: Iterable[str]) -> list[str]:
    return [f"{name} := {Options({}).literal(catalog().options[name].default)}" for name in names]


def all_metrics(grain: str) -> list[Column]:
    """Every metric of a grain, as a column under its own name."""
    return [Column(name, Asked(name)) for name in catalog().metrics_of(grain)]


def given(kind: str, table: str) -> Relation:
    """The relation that the parameter `table` names."""
    preferring = [preset.name for preset in catalog().presets.values() if preset.options.get("rank_by") == "score"]
    by_score = f"lower({filled.LIKE}) in ({', '.join(map(quoted, preferring))})" if table == "recs" else ""
    policies = Options({}).among(catalog().options["users"].choices)
    return Relation(template(f"given_{kind}", table=table, by_score=by_score, policies=policies), table)


def named(*roles: str) -> Inputs:
    """The binding of a table macro: table names, cut-offs and options are its parameters."""
    return Inputs(
        {role: given(role, role) for role in roles}, cutoffs=CUTOFFS, depth=DEPTH, deepest=DEEPEST, named=True, keyed=True
    )

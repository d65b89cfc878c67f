"""The macro file: every metric and every table function, for a shell without Python."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from textwrap import wrap

from recsql.catalog import Asked, Value, catalog, largest_cutoff
from recsql.options import Options
from recsql.render import Column, Inputs, Relation, Rendering, environment, template
from recsql.text import BREAK, indented, quoted

DEPTH = "recsql.depth(k)"
CUTOFFS = "select distinct recsql.cutoff(n.k) as k\nfrom (select unnest(recsql.cutoffs(k)) as k) as n"
LIST_DEPTH = "recsql.cutoff(cast(coalesce(k, greatest(len(recommended), 1)) as varchar))"
LISTS = ["recommended", "relevant", "k := null", "relevance := null"]
OF_USERS_ALONE = ("metrics/rr", "statistics/idcg", "steps/population")  # options that say nothing of all lists together
OWN_NAMES = {
    "user_id": "t.user_id",
    "item_id": "t.item_id",
    "order_by": "columns(lambda c: lower(c) = lower(case when order_by = 'hash' then 'user_id' else order_by end))",
}
CASES, K = ["recs", "truth"], "k := [5, 10, 20]"


def macros() -> str:
    """The text of `recsql.sql`: what `.read` loads in the DuckDB shell, into the schema recsql."""
    found = "coalesce(nullif(k, ''), 'none')"
    sentence = Rendering(Inputs({})).sentence(catalog().checks["cutoffs"], found=found).replace(BREAK, " ")
    context = {
        "version": version("recsql"),
        "most": largest_cutoff(),
        "cutoff_sentence": sentence,
        "macros": [*table_macros(), *list_macros()],
    }
    return environment().get_template("targets/macros.sql").render(context).strip() + "\n"


def table_macros() -> Iterator[str]:
    """The macros over tables."""
    lists, items, ratings = (binding(grain, all_metrics(grain)) for grain in ("user", "item", "rating"))
    plain = replace(lists, columns=(), known=declared_in("metrics", "statistics", "steps/summary"))
    ideal = replace(plain, tables=named("truth").tables)
    scored = replace(plain, tables={"recs": given("recs", "scored")}, known={**plain.known, "rank_by": "score"})
    split = replace(named("interactions"), names=OWN_NAMES)
    for name, target, inputs, parameters, about in (
        ("evaluate", "evaluate", replace(lists, averaged=True), [*CASES, K], "the metrics averaged over users"),
        (
            "per_user",
            "per_user",
            replace(lists, known=declared_in("steps/summary")),
            [*CASES, K],
            "the metrics of each user, a column each",
        ),
        ("item_metrics", "evaluate", items, ["recs", K], "the metrics of all lists together"),
        ("rating_metrics", "rating_metrics", ratings, ["predictions"], "how far predictions are from ratings"),
        ("leave_one_out", "leave_one_out", split, ["interactions"], "every interaction with its part, train or truth"),
        ("hits", "hits", plain, [*CASES, "k := 10"], "every recommended row down to k, with what its list has come to so far"),
        ("ideal", "ideal", ideal, ["truth", "k := 10"], "the best list there could be down to k, with its dcg so far"),
        ("rank_by_score", "rank_by_score", scored, ["scored", "k := 100"], "scored items ranked, down to k; ties by item"),
    ):
        rendering = Rendering(inputs)
        body = rendering.query(f"targets/{target}.sql")
        yield macro(name, about, [*parameters, *options(rendering)], body, table=True)


def list_macros() -> Iterator[str]:
    """The scalar macros over two lists: each metric, and its other names."""
    rendering = Rendering(of_lists(all_metrics("user")))
    body = rendering.query("targets/per_user.sql")
    yield macro(
        "of_lists", "every metric of one list, as the scalar macros read them", [*LISTS, *options(rendering)], body, table=True
    )
    for name, source in ((name, source) for name, source in catalog().metrics.items() if source.grain == "user"):
        handed = [f"{option} := {option}" for option in list_options(name)]
        arguments = listed(["recommended", "relevant", "k := k", "relevance := relevance", *handed])
        given = [*LISTS, *defaults(list_options(name))]
        title = f"{source.header['title']}: {source.header['formula']}"
        yield macro(name, title, given, f"(select m.{name} from recsql.of_lists(\n    {arguments}\n) as m)", table=False)
        for alias in source.header["aliases"]:
            yield macro(alias, f"another name of {name}", given, f"recsql.{name}(\n    {arguments}\n)", table=False)


def of_lists(columns: Sequence[Column]) -> Inputs:
    """The binding of a scalar macro: two LISTs, the recommended items in order and the relevant ones."""
    fixed = declared_in("steps/population", "steps/scored", "expressions/value", "steps/summary", "checks")
    return Inputs(
        tables={
            "recs": Relation(template("given_list_recs"), "'recommended'"),
            "truth": Relation(template("given_list_truth"), "'relevant'"),
        },
        cutoffs=f"select {LIST_DEPTH} as k",
        depth=LIST_DEPTH,
        columns=columns,
        known=fixed | {"relevant": "positive", "rank_by": "rank"},
        single=True,
    )


def list_options(metric: str) -> list[str]:
    """The options that change the value of a metric for one list."""
    rendering = Rendering(of_lists([Column(metric, Asked(metric))]))
    rendering.query("targets/per_user.sql")
    return [name for name in catalog().options if name in rendering.options.parameters]


def options_of(metric: str) -> list[str]:
    """The options that change the value of a metric, by their full names."""
    grain = catalog().metrics[metric].grain
    inputs = binding(grain, [Column(metric, Asked(metric))])
    rendering = Rendering(replace(inputs, known={**inputs.known, **declared_in("steps/summary")}))
    rendering.query(
        {"user": "targets/per_user.sql", "item": "targets/evaluate.sql", "rating": "targets/rating_metrics.sql"}[grain]
    )
    return [name for name in catalog().options if name in rendering.options.parameters]


def binding(grain: str, columns: Sequence[Column]) -> Inputs:
    """The binding of the macros over metrics of a grain: the tables are their parameters, and what they have no option for."""
    if grain == "item":
        return replace(named("recs", "items", "train"), columns=columns, known=declared_in(*OF_USERS_ALONE))
    tables = ("recs", "truth", "users") if grain == "user" else ("predictions", "ratings")
    return replace(named(*tables), columns=columns)


def macro(name: str, about: str, parameters: Sequence[str], body: str, *, table: bool) -> str:
    context = {"name": name, "about": about, "parameters": listed(parameters), "body": indented(body), "table": table}
    return environment().get_template("targets/macro.sql").render(context, comment=quoted(about)).strip()


def listed(parts: Sequence[str]) -> str:
    """Parameters or arguments with commas, on as many lines as they need; none is broken in two."""
    unbroken = ", ".join(part.replace(" ", "\xa0") for part in parts)
    return "\n    ".join(wrap(unbroken, 116, break_long_words=False)).replace("\xa0", " ")


def options(rendering: Rendering) -> list[str]:
    """The parameters for the options that a rendering read, with their defaults."""
    return defaults(name for name in catalog().options if name in rendering.options.parameters)


def defaults(names: Iterable[str]) -> list[str]:
    return [f"{name} := {Options({}).literal(catalog().options[name].default)}" for name in names]


def all_metrics(grain: str) -> list[Column]:
    """Every metric of a grain, as a column under its own name."""
    return [Column(name, Asked(name)) for name, source in catalog().metrics.items() if source.grain == grain]


def declared_in(*homes: str) -> dict[str, Value]:
    """The defaults of the options declared in these folders or files."""
    return {name: option.default for name, option in catalog().options.items() if option.home.path.startswith(homes)}


def given(kind: str, table: str) -> Relation:
    """The relation that the parameter `table` names."""
    return Relation(template(f"given_{kind}", table=table), table)


def named(*roles: str) -> Inputs:
    """The binding of a macro over tables: their names, the cut-offs and the options are its parameters."""
    return Inputs({role: given(role, role) for role in roles}, cutoffs=CUTOFFS, depth=DEPTH, named=True)

"""The options of a macro as SQL; a preset fills in those that are not given."""

from collections.abc import Iterable, Iterator, Sequence

from recsql.catalog import TABLE, Option, Value, catalog
from recsql.labels import options_of
from recsql.options import Options
from recsql.text import BREAK, quoted

LITERAL = Options({}).literal
LIKE = '"like"'  # the parameter; quoted, because it is a keyword
CHOSEN_BY_COLUMNS = "rank_by"  # a preset's value applies only if the column exists: see given_recs
# The `metric` passed to usual_* for most metrics, and for those that a preset computes separately.
MOST, APART = "null", f"recsql.apart({LIKE})[1]"


def by_presets() -> Iterator[str]:
    """The options that any preset sets."""
    for name in catalog().options:
        if any(name in {**preset.options, **preset.apart} for preset in catalog().presets.values()):
            yield name


def is_filled(name: str) -> bool:
    return name != CHOSEN_BY_COLUMNS and name in by_presets()


def usual(name: str, metric: str) -> str:
    """The value of an option for a metric by the preset or by default, as an expression."""
    return f"recsql.usual_{name}({LIKE}, {metric})" if name in by_presets() else LITERAL(catalog().options[name].default)


def by_preset(name: str) -> str:
    """The same expression written out: a CASE over the presets."""
    whens: list[str] = []
    presets: dict[Value, list[str]] = {}
    for preset in catalog().presets.values():
        if name in preset.apart and preset.apart[name] != preset.options.get(name):
            condition = f"lower(preset) = {quoted(preset.name)} and metric {Options({}).among(sorted(preset.metrics))}"
            whens.append(f"when {condition} then {LITERAL(preset.apart[name])}")
        if name in preset.options:
            presets.setdefault(preset.options[name], []).append(preset.name)
    whens += [f"when lower(preset) {Options({}).among(names)} then {LITERAL(value)}" for value, names in presets.items()]
    return "\n    ".join(["case", *whens, f"else {LITERAL(catalog().options[name].default)}"]) + "\nend"


def asked(metrics: Sequence[str]) -> str:
    """The option `metrics` as a LIST: the metrics of the macro that are asked for, NULL for all."""
    usual = [name for name in metrics if "default" in catalog().metrics[name].header]
    return f"recsql.asked(metrics, {names(usual) if usual else 'null'})"


def filled(name: str, metric: str) -> str:
    """An option as it is passed on: the value given, or else the usual one."""
    return handed(name, usual(name, metric)) if is_filled(name) else plain(name)


def plain(name: str) -> str:
    """The same without a preset. NULL is the default, as None is in Python."""
    return handed(name, LITERAL(catalog().options[name].default))


def handed(name: str, ordinary: str) -> str:
    return f"{name} := {name}" if ordinary == "null" else f"{name} := coalesce({name}, {ordinary})"


def parameters(names: Iterable[str]) -> list[str]:
    """Options as parameters: with their defaults, or NULL if a preset can set them."""
    return [f"{name} := {'null' if is_filled(name) else LITERAL(catalog().options[name].default)}" for name in names]


def apart() -> str:
    """The metrics that the preset computes separately, as a LIST."""
    whens = [
        f"when {quoted(preset.name)} then {names(sorted(preset.metrics))}"
        for preset in catalog().presets.values()
        if preset.metrics
    ]
    return "\n    ".join(["case lower(preset)", *(f"    {when}" for when in whens), "    else []", "end"])


def metric_of() -> str:
    """The metric's own name for any of its names."""
    aliases = {name: source.aliases for name, source in catalog().metrics.items()}
    whens = [f"when lower(alias) {Options({}).among(others)} then {quoted(name)}" for name, others in aliases.items() if others]
    return "\n    ".join(["case", *whens]) + "\nend"


def names(metrics: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted, metrics))}]"


def most(metrics: Sequence[str]) -> str:
    """The option `metrics` without the metrics that the preset computes separately."""
    there = []
    for metric in metrics:
        needed = [name for one in catalog().metrics[metric].requires if one.is_usual for name in one.one_of]
        given = " or ".join(f"{name} is not null" for name in needed)
        there.append(f"case when {given} then {quoted(metric)} end" if needed else quoted(metric))
    wanted = asked(metrics)
    kept = f"list_filter(coalesce({wanted}, [{', '.join(there)}]), lambda m: not list_contains(recsql.apart({LIKE}), m))"
    return f"metrics := case when recsql.apart({LIKE}) = [] then {wanted} else {kept} end"


def others(metrics: Sequence[str]) -> str:
    """The option `metrics` with only the metrics that the preset computes separately."""
    wanted = asked(metrics)
    return f"metrics := list_filter(recsql.apart({LIKE}), lambda m: {wanted} is null or list_contains({wanted}, m))"


def label(read: Sequence[str], metrics: Sequence[str], *, by_preset: bool) -> str:
    """The name of the metric in the row `e`, with the options that differ from the default, or from the preset."""
    lines = [line for name in read for line in differing(catalog().options[name], metrics, by_preset)]
    return f"recsql.label(e.metric, {LIKE if by_preset else 'null'}, [{BREAK}    " + f",{BREAK}    ".join(lines) + f"{BREAK}])"


def differing(option: Option, metrics: Sequence[str], by_preset: bool) -> list[str]:
    """An option for each name that it has inside the brackets: the name, its value if unusual, and the metrics that read it."""
    if option.input:
        return []
    counted = [metric for metric in metrics if option.name in options_of(metric)]
    by_name = {name: [metric for metric in counted if option.inside(metric) == name] for name in (option.short, option.name)}
    value = unusual(option, by_preset)
    said = [(name, value, only) for name, only in by_name.items()]
    for other in catalog().options.values():
        for choice, metric in other.reads.items():
            if option.name in options_of(metric):
                further = [one for one in metrics if other.name in options_of(one) and one not in counted]
                said.append((option.name, f"case when {other.name} = {quoted(choice)} then {value} end", further))
    return [
        f"{{'name': {quoted(name)}, 'value': {value}, 'metrics': {'null' if only == list(metrics) else names(only)}}}"
        for name, value, only in said
        if only
    ]


def unusual(option: Option, by_preset: bool) -> str:
    """An option's value as text if it differs from that of the preset or the default."""
    if option.type == TABLE:
        policy = f"nullif({option.name}, {LITERAL(option.default)})"
        is_policy = f"{option.name} is null or {option.name} {Options({}).among(option.choices)}"
        return f"case when {is_policy} then {policy} else 'table' end"
    if option.type == "map":
        key = "regexp_replace(cast(cast(o.key as double) as varchar), '[.]0$', '')"
        pair = f"{key} || ':' || cast(cast(o.value as double) as varchar)"
        return f"array_to_string(list_transform(map_entries({option.name}), lambda o: {pair}), ' ')"
    ordinary = usual(option.name, "e.metric") if by_preset else LITERAL(option.default)
    different = option.name if ordinary == "null" else f"nullif({option.name}, {ordinary})"
    return f"cast({different} as varchar)"

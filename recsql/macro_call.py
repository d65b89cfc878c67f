"""The call of a macro over tables as SQL: its options, metrics and cut-offs, filled in and checked when the macro is bound."""

from collections.abc import Iterable, Sequence
from typing import Any

from recsql.catalog import catalog
from recsql.grammar import WHOLE
from recsql.headers import TABLE, Option, Requirement, Value
from recsql.labels import options_of
from recsql.macro import sentence
from recsql.needs import always_needs, needing_cutoff
from recsql.options import lacking, leaves_out, literal
from recsql.symbols import Several, spelt
from recsql.table_macro import TableMacro
from recsql.text import quoted

LIKE = '"like"'  # the parameter; quoted, because it is a keyword


def is_set(option: Option) -> bool:
    """Whether a preset can set an option."""
    return any(option.name in {**preset.options, **preset.apart} for preset in catalog().presets.values())


def declared(option: Option) -> str:
    """An option as a parameter with its default: NULL if a preset can set it."""
    return f"{option.name} := {'null' if is_set(option) else literal(option.default)}"


def call_context(one: TableMacro, options: Sequence[Option], columns: object) -> dict[str, Any]:
    """What the template of a macro reads: the SQL for options, metrics and sentences."""
    metrics = catalog().metrics_of(one.grain) if one.grain else []
    return {
        "one": one,
        "options": options,
        "usual": names(catalog().usual_metrics(one.grain)) if one.grain else "",
        "available": available(metrics),
        "known": names(metrics),
        "fault": fault(one, options, metrics),
        "apart": apart(one),
        "chosen": {one.name: chosen(one, "m['of_apart']" if one.is_own else "d['is_apart']") for one in options},
        "prefers_score": preferring_scores() if any(option.name == "rank_by" for option in options) else "false",
        "of_pipeline": OF_PIPELINE,
        "wanted": wanted(one),
        "usual_values": usual_fields(options, of_apart=False),
        "usual_apart": usual_fields(options, of_apart=True),
        "labels": [line for option in options for line in differing(option, metrics)],
        "needs_cutoff": spelt(columns.entry("c").needs_cutoff) if isinstance(columns, Several) else "false",
        "whole_sentence": sentence("whole_list", metric="c['metric']", what=what_needs_cutoff(metrics)) if one.k else "",
        "whole": WHOLE,
    }


def preferring_scores() -> str:
    """Whether the preset orders lists by score where there is one."""
    return among_texts([preset.name for preset in catalog().presets.values() if preset.options.get("rank_by") == "score"])


def names(metrics: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted, metrics))}]"


def available(metrics: Sequence[str]) -> str:
    """The metrics that can be computed: those whose usual requirements are met."""
    texts = []
    for metric in metrics:
        if catalog().metrics[metric].header.get("by_name"):
            continue
        missing = [unmet(need) for need in catalog().metrics[metric].requires if leaves_out(need)]
        texts.append(f"case when not ({' or '.join(missing)}) then {quoted(metric)} end" if missing else quoted(metric))
    return f"list_filter([{', '.join(texts)}], lambda m: m is not null)"


def usual(option: Option, is_apart: str) -> str:
    """The value of an option by the preset or by default; `is_apart` tells whether a metric's own options of the preset count."""
    default = "null" if option.default is None else quoted(shown(option.default))
    if not is_set(option) or option.name == "rank_by":
        return default
    general = f"d['usual']['{option.name}']"
    return f"case when {is_apart} then d['usual_apart']['{option.name}'] else {general} end" if is_own_of_any(option) else general


def is_own_of_any(option: Option) -> bool:
    return any(option.name in preset.apart for preset in catalog().presets.values())


def usual_fields(options: Sequence[Option], *, of_apart: bool) -> dict[str, str]:
    """The values of options by the preset, or by default, as fields of a struct."""
    fields = {}
    for option in options:
        if not is_set(option) or (of_apart and not is_own_of_any(option)):
            continue
        values = {
            preset.name: preset.options[option.name] for preset in catalog().presets.values() if option.name in preset.options
        }
        if of_apart:
            values |= {
                preset.name: preset.apart[option.name] for preset in catalog().presets.values() if option.name in preset.apart
            }
        differing = {name: value for name, value in values.items() if value != option.default}
        default = "null" if option.default is None else quoted(shown(option.default))
        by_value: dict[Value, list[str]] = {}
        for name, value in differing.items():
            by_value.setdefault(value, []).append(name)
        whens = " ".join(f"when {among_texts(names)} then {quoted(shown(value))}" for value, names in by_value.items())
        fields[option.name] = f"case {whens} else {default} end" if whens else default
    return fields


def among_texts(names: Sequence[str]) -> str:
    return f"d['like'] in ({', '.join(map(quoted, names))})" if len(names) > 1 else f"d['like'] = {quoted(names[0])}"


def shown(value: Value) -> str:
    """A value as text, as in the struct of a call."""
    return value if isinstance(value, str) else literal(value)


def given(name: str) -> str:
    """The value of an option in the call."""
    return f"d['given']['{name}']"


def chosen(option: Option, is_apart: str = "false") -> str:
    """The value of an option: the one given, or else the usual one."""
    ordinary = usual(option, is_apart)
    value = given(option.name) if ordinary == "null" else f"coalesce({given(option.name)}, {ordinary})"
    return f"case {value} when 'position' then 'rank' else {value} end" if option.name == "rank_by" else value


def apart(one: TableMacro) -> str:
    """The metrics that are computed in a pipeline of their own: those of the preset whose own options nobody gave."""
    whens = []
    for preset in catalog().presets.values():
        shared = [name for name in preset.apart if not catalog().options[name].is_own and name not in one.known]
        mine = [metric for metric in preset.metrics if one.grain and catalog().metrics[metric].grain == one.grain]
        if shared and mine:
            open_ = " or ".join(f"{given(name)} is null" for name in shared)
            whens.append(f"    when d['like'] = {quoted(preset.name)} and ({open_}) then {names(sorted(mine))}")
    return "\n".join(["case", *whens, "    else cast([] as varchar[])", "end"]) if whens else "cast([] as varchar[])"


OF_PIPELINE = """list_transform(
    list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = d['is_apart']),
    lambda m: struct_insert(
        m,
        name := m['metric'],
        shown := true,
        of_apart := list_contains(recsql.apart(d['like']), m['metric']),
        made_of := recsql.made_of(d['metrics'], m)
    )
)"""


def wanted(one: TableMacro) -> str:
    """The metrics of a pipeline, and those that only the means of others need."""
    option = catalog().options["f1_average"]
    if one.grain != "user" or "f1_average" in one.known:
        return "d['of_pipeline']"
    return f"recsql.with_hidden(d['of_pipeline'], {chosen(option)} = 'of_means')"


def differing(option: Option, metrics: Sequence[str]) -> list[str]:
    """An option for each name that it has inside brackets: the name, its value if unusual, and the metrics that read it."""
    if option.input or not metrics:
        return []
    counted = [metric for metric in metrics if option.name in options_of(metric)]
    by_name = {name: [metric for metric in counted if option.inside(metric) == name] for name in (option.short, option.name)}
    asked = given(option.name)
    ordinary = "d['usual']['rank_by']" if option.name == "rank_by" else usual(option, "m['of_apart']")
    value = asked if ordinary == "null" else f"nullif({asked}, {ordinary})"
    if option.is_number:
        value = f"recsql.unusual({asked}, {ordinary})"
    said = [(name, value, only) for name, only in by_name.items()]
    for other in catalog().options.values():
        for choice, metric in other.reads.items():
            if option.name in options_of(metric):
                further = [one for one in metrics if other.name in options_of(one) and one not in counted]
                said.append((option.name, f"case when d['{other.name}'] = {quoted(choice)} then {value} end", further))
    return [
        f"{{'name': {quoted(name)}, 'value': {value}, 'metrics': {'null' if only == list(metrics) else quoted(spaced(only))}}}"
        for name, value, only in said
        if only
    ]


def spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def what_needs_cutoff(metrics: Sequence[str]) -> str:
    """What has no value for the whole list, for the metric `c`."""
    always = [metric for metric in metrics if always_needs(metric, "cutoff")]
    whens = [f"when c['metric'] in ({', '.join(map(quoted, always))}) then c['metric']"] if always else []
    for metric in metrics:
        for name, values in needing_cutoff(metric).items():
            of = "c" if catalog().options[name].is_own else "d"
            whens += [
                f"when c['metric'] = {quoted(metric)} and {of}['{name}'] = {quoted(v)} then {quoted(f'{name} = {v}')}"
                for v in values
            ]
    return f"case {' '.join(whens)} else c['metric'] end" if whens else "c['metric']"


def fault(one: TableMacro, options: Sequence[Option], metrics: Sequence[str]) -> str:
    """The sentence for the first thing in a call that can't be computed, else NULL."""
    choices = [
        f"['{option.name}', coalesce({given(option.name)}, {quoted(str(option.choices[0]))})]"
        for option in options
        if option.values and option.type != TABLE
    ]
    numbers = [f"['{option.name}', cast({option.name} as varchar)]" for option in options if option.is_number]
    like = f"['like', coalesce(d['like'], {quoted(next(iter(catalog().presets)))})]"
    texts = [f"recsql.fault([{', '.join([*choices, like])}], [{', '.join(numbers)}])"]
    for parameter in one.tables.values():
        if parameter not in catalog().options:
            said = f"{parameter}: NULL is not a table; give the name of a table or a file"
            texts.append(f"case when {parameter} is null then {quoted(said)} end")
    for option in options:
        for other, values in option.where.items():
            words = ", ".join(map(quoted, values.split()))
            met = chosen(catalog().options[other])
            default = "null" if option.default is None else quoted(shown(option.default))
            said = sentence("idle_options", option=quoted(option.name), other=quoted(other), value=quoted(values))
            unlike = f"{given(option.name)} is not null and {given(option.name)} is distinct from {default}"
            texts.append(f"case when {unlike} and {met} not in ({words}) then {said} end")
    if one.grain:
        texts.append("recsql.unknown_metric(d['asked'], d['known'])")
        texts.append(f"case when len(d['asked']) = 0 then {sentence('no_metrics')} end")
        for metric in metrics:
            for need in catalog().metrics[metric].requires:
                texts.append(f"case when {asked_for(metric)} and {unmet(need)} then {quoted(lacking(need, metric))} end")
    return "coalesce(\n    " + ",\n    ".join(texts) + "\n)"


def asked_for(metric: str) -> str:
    return f"len(list_filter(d['asked'], lambda m: m['metric'] = {quoted(metric)})) > 0"


def unmet(need: Requirement) -> str:
    missing = [f"{given(name)} is null" for name in need.one_of]
    where = [
        f"{chosen(catalog().options[name])} in ({', '.join(map(quoted, values.split()))})" for name, values in need.where.items()
    ]
    return " and ".join([*where, *missing])

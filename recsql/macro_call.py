"""The call of a macro that writes a query, as data: its options with their defaults, its metrics, and what it refuses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recsql import intervals
from recsql.catalog import catalog
from recsql.conditions import Unknown, both_of, fact, line, negated_of
from recsql.headers import TABLE, Option, Value
from recsql.labels import options_of
from recsql.macro import sentence
from recsql.needs import always_needs, needing_cutoff
from recsql.options import READ, idle_sentence, lacking, leaves_out, literal, no_splitter, satisfied
from recsql.program import Program
from recsql.symbols import Truth, all_of, among, any_of, negated
from recsql.table_macro import TableMacro
from recsql.templates import dialect
from recsql.text import quoted, quoted_name, real
from recsql.times import PRINTED

KEYWORDS = ("like", "interval", "by", "window")  # the options whose names DuckDB reads only in quotes
LIKE = '"like"'  # the parameter


def is_set(option: Option) -> bool:
    """Whether a preset can set an option."""
    return any(option.name in {**preset.options, **preset.apart, **preset.split} for preset in catalog().presets.values())


def declared(option: Option, usual: Mapping[str, Value] | None = None) -> str:
    """An option as a parameter with its default, which `usual` may have: NULL if a preset can set it."""
    default = (usual or {}).get(option.name, option.default)
    return f"{parameter(option)} := {'null' if is_set(option) else literal(default)}"


def parameter(option: Option) -> str:
    return quoted_name(option.called) if option.called in KEYWORDS else option.called


def given(option: Option) -> str:
    """The value of an option in the call, as text."""
    if option.type == "columns":  # one text or a list
        name = parameter(option)
        return f"coalesce(union_extract({name}, 'name'), cast(union_extract({name}, 'names') as varchar))"
    if option.type in PRINTED:
        return f"recsql.{option.type}(cast({parameter(option)} as varchar))"
    if option.type == "gains":
        return f"recsql.gains_text({parameter(option)})"
    return f"recsql.pairs({option.name})" if option.type == "map" else f"cast({parameter(option)} as varchar)"


def known_as(option: Option) -> str:
    """The name of an option in facts; those of metrics begin with a dot."""
    return f".{option.name}" if option.is_own else option.name


def shown(value: Value) -> str:
    """A value as text; NULL is the empty text."""
    return "" if value is None else value if isinstance(value, str) else literal(value)


# -- the data of all macros


def presets() -> Iterator[str]:
    """The options that presets set, as lines 'preset option=value'; with 'apart', those of metrics that it treats differently."""
    for preset in catalog().presets.values():
        for by, options in ((preset.name, {**preset.options, **preset.split}), (f"{preset.name} apart", preset.apart)):
            yield from (f"{by} {known_as(catalog().options[name])}={shown(value)}" for name, value in options.items())
        if preset.metrics:
            yield f"{preset.name} apart={' '.join(sorted(preset.metrics))}"


# -- the data of one macro


def data(program: Program, options: Sequence[Option]) -> dict[str, list[str]]:
    """The call of a macro as lines."""
    metrics, usual = program.metrics, catalog().usual_metrics(program.one.grain) if program.one.grain else []
    return {
        "options": [described(option, program.one) for option in [catalog().options["like"], *options]],
        "metrics": metrics,
        "usual_metrics": usual,
        "available": lines(available(metrics)),
        "apart": lines(apart(program)),
        "idle": lines(
            [
                *without_splitter(program.one),
                *idle(program.one, options),
                *idle_without_interval(options),
                *idle_without_slices(program.one, options),
                *idle_without_seen(program.one),
            ]
        ),
        "refused": lines([*refused(metrics), *without_interval(program, options), *without_start(options)]),
        "labels": [line for place, option in enumerate(options, start=2) for line in differing(place, option, metrics)],
        "cut": lines([("cut", program.measure().needs_cutoff)]) if metrics and program.one.k else [],
    }


def lines(texts: Iterable[tuple[str, Truth]]) -> list[str]:
    """Texts with their conditions, as lines."""
    return [line(condition, text) for text, condition in texts if condition is not False]


def described(option: Option, one: TableMacro) -> str:
    """An option as a line: its name, its kind, its default, and the values that it can have."""
    kind = option.word if option.type == TABLE else "choice" if option.values else "number" if option.is_number else "text"
    kind = option.type if option.type in READ else kind
    default = {**one.known, **one.usual}.get(option.name, option.default)
    choices = option.choices if default is not None or option.type != TABLE else []  # a table alone, no words
    values = bounds(option) if option.is_number else " ".join(choices)
    return "|".join([known_as(option), kind, shown(default), values])


def bounds(option: Option) -> str:
    """The bounds of a number, as numbers and in words."""
    numbers = [(option.above, "-inf"), (option.at_least, "-inf"), (option.at_most, "inf"), (option.below, "inf")]
    whole = "whole" if option.type == "integer" else "any"
    return " ".join(
        [whole, *(otherwise if one is None else real(float(one)) for one, otherwise in numbers), option.bound]
    ).strip()


def wrong_value() -> str:
    """The sentence for a value that is none of the words of an option."""
    sql = dialect("duckdb")
    return sentence("options", option="option", value="x", hint=sql.nearest("x", "words"), values="recsql.joined(words, ', ')")


def wrong_number() -> str:
    """The sentence for a number out of bounds."""
    number = "try_cast(x as double)"
    cases = {
        f"not coalesce(isfinite({number}), false)": "'a number'",
        f"bounds[1] = 'whole' and {number} % 1 <> 0": "'a whole number'",
    }
    whens = " ".join(f"when {condition} then {text}" for condition, text in cases.items())
    return sentence("numbers", option="option", value="x", bound=f"case {whens} else recsql.joined(bounds[6:], ' ') end")


def unknown() -> dict[str, Unknown]:
    """The options as facts name them."""
    return {name: Unknown(known_as(option)) for name, option in catalog().options.items()}


def available(metrics: Sequence[str]) -> Iterator[tuple[str, Truth]]:
    """The metrics that can be computed, each if its usual requirements are met."""
    for metric in metrics:
        if not catalog().metrics[metric].header.get("by_name"):
            requires = [need for need in catalog().metrics[metric].requires if leaves_out(need)]
            yield metric, all_of(*(satisfied(need, unknown()) for need in requires))


def refused(metrics: Sequence[str]) -> Iterator[tuple[str, Truth]]:
    """The sentences for metrics whose requirements aren't met."""
    for metric in metrics:
        for need in catalog().metrics[metric].requires:
            yield lacking(need, metric), both_of(fact(f".metric={metric}"), negated(satisfied(need, unknown())))


def without_splitter(one: TableMacro) -> Iterator[tuple[str, Truth]]:
    """The sentences of a split for presets that have no options of one."""
    for preset in catalog().presets.values() if one.target == "split" else ():
        if not preset.split:
            yield no_splitter(preset), fact(f"like={preset.name}")


def idle(one: TableMacro, options: Sequence[Option]) -> Iterator[tuple[str, Truth]]:
    """The sentences for options that are set but have no effect."""
    for option in options:
        for other, values in option.where.items():
            if one.fixed.get(other) in values.split():
                continue
            words = idle_sentence(option, other)
            unmet = negated_of(among(unknown()[other], values.split()))
            yield words, both_of(fact(f"unusual {known_as(option)}"), unmet)


def idle_without_interval(options: Sequence[Option]) -> Iterator[tuple[str, Truth]]:
    """The sentences for options of intervals without an interval."""
    names = [option.name for option in options if option.topic == "intervals" and option.name != "interval"]
    yield from ((intervals.idle(name), both_of(fact(f"unusual {name}"), unknown()["interval"].is_none())) for name in names)


def idle_without_slices(one: TableMacro, options: Sequence[Option]) -> Iterator[tuple[str, Truth]]:
    """The sentences for options of slices that have no effect."""
    for name in ("segments", "multiple", "min_users", "contributions") if one.sliced else ():
        if any(option.name == name for option in options):
            yield catalog().say("by_idle", option=name), both_of(fact(f"unusual {name}"), unknown()["by"].is_none())


def idle_without_seen(one: TableMacro) -> Iterator[tuple[str, Truth]]:
    """The sentences for the option seen without the table train, and for that table if nothing reads it."""
    if "train" in one.tables:
        for value in ("drop", "error"):
            yield catalog().say("seen_train", seen=value), both_of(fact(f"seen={value}"), unknown()["train"].is_none())
        if one.grain != "item":
            unread = both_of(fact("seen=keep"), negated_of(fact("with_activity")))
            yield catalog().say("idle_train"), both_of(fact("given train"), unread)


def without_interval(program: Program, options: Sequence[Option]) -> Iterator[tuple[str, Truth]]:
    """The sentences for metrics that have no interval, or not by the method asked for."""
    asked = negated_of(unknown()["interval"].is_none())
    for metric in program.metrics if any(option.name == "interval" for option in options) else []:
        for condition, said in intervals.refusals(program.measure(metric), metric):
            yield said, all_of(fact(f".metric={metric}"), asked, condition)


def without_start(options: Sequence[Option]) -> Iterator[tuple[str, Truth]]:
    """The sentences for labels of events alone without a start, and for a start beside impressions."""
    if any(option.name == "start" for option in options):
        start, impressions = unknown()["start"].is_none(), unknown()["impressions"].is_none()
        yield catalog().say("no_start"), both_of(start, impressions)
        yield catalog().say("idle_start"), both_of(negated_of(start), negated_of(impressions))


def apart(program: Program) -> Iterator[tuple[str, Truth]]:
    """The metrics that have a query of their own: those of the preset whose own options nobody gave."""
    for preset in catalog().presets.values():
        shared = [name for name in preset.apart if not catalog().options[name].is_own and name not in program.one.known]
        open_ = any_of(*(negated_of(fact(f"given {name}")) for name in shared))
        for metric in sorted(set(preset.metrics) & set(program.metrics)):
            yield metric, both_of(fact(f"like={preset.name}"), open_)


def differing(place: int, option: Option, metrics: Sequence[str]) -> Iterator[str]:
    """An option as it stands inside brackets, for each name that it has there: its place, its name, when, and the metrics."""
    if option.input or not metrics:
        return
    counted = [metric for metric in metrics if option.name in options_of(metric)]
    for name in (option.short, option.name):
        if only := [metric for metric in counted if option.inside(metric) == name]:
            yield f"{place}|{name}||{'' if only == list(metrics) else ' '.join(only)}"
        if option.short == option.name:
            break
    for other in catalog().options.values():
        for choice, metric in other.reads.items():
            further = [one for one in metrics if other.name in options_of(one) and one not in counted]
            if option.name in options_of(metric) and further:
                yield f"{place}|{option.name}|{other.name}={choice}|{' '.join(further)}"


def whole_sentence() -> str:
    """The sentence for the metric `c`, which has no value for the whole list."""
    return sentence("whole_list", metric="c['metric']", what=what_needs_cutoff())


def what_needs_cutoff() -> str:
    """What has no value for the whole list."""
    metrics = [*catalog().metrics]
    always = [metric for metric in metrics if always_needs(metric, "cutoff")]
    whens = [f"when c['metric'] in ({', '.join(map(quoted, always))}) then c['metric']"] if always else []
    for metric in metrics:
        for name, values in needing_cutoff(metric).items():
            for value in values:
                named = f"{known_as(catalog().options[name])}={value}"
                met = f"c['metric'] = {quoted(metric)} and list_contains(c['facts'], {quoted(named)})"
                whens.append(f"when {met} then {quoted(f'{name} = {value}')}")
    return f"case {' '.join(whens)} else c['metric'] end"

"""Rules that a new file of `sql/` could break unnoticed; the catalogue raises an error if one does."""

import re
from collections.abc import Collection, Iterable, Iterator

import jinja2
from jinja2 import meta, nodes

from recsql.base.errors import RecsqlError, nearest
from recsql.base.text import LITERAL
from recsql.catalog.headers import MARK, Option, Source

READS = re.compile(r"\b(?:from|join) (\w+|\{\{.*?\}\})")
ROWS = re.compile(r"^from (\w+|\{\{.*?\}\})", re.MULTILINE)
KNOW_TIES = ("summed", "gains_of_hits")  # functions that add up hits, also if ties spread them over several ranks
OF_ONE_VALUE = (
    *("coalesce", "nullif", "cast", "try_cast", "double", "least", "greatest", "power", "sqrt"),
    *("ln", "log2", "exp", "abs", "round", "floor"),
)

NO_SQL = re.compile(rf"\{{[%#].*?[%#]\}}|--[^\n]*|{LITERAL.pattern}", re.DOTALL)  # in a template
VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
READ = re.compile(r"(?<!distinct )\b(?:from|join)\s+([a-z_]+)\b(?!\s*[.(?])")
CTE = re.compile(r"\b([a-z_]+) as (?:not materialized )?\(")


def refuse_lost_pieces(sources: Iterable[Source]) -> None:
    """Raises RecsqlError for two pieces of a kind with one name, and for a piece whose first line is not as it must be."""
    found: dict[tuple[str, str], Source] = {}
    for source in sources:
        if mark := MARK.search("\n".join([source.head, source.text, *source.further.values()])):
            way = "write `-- name: NAME` or `-- name: NAME (fast)`"
            raise RecsqlError(f"sql/{source.chapter}: {mark[0]!r} begins no piece; {way}")
        other = found.setdefault((source.folder, source.name), source)
        if other is not source and source.folder != "decisions":  # files of decisions are known by their paths
            said = f"sql/{source.path} has the name of sql/{other.path}"
            raise RecsqlError(f"{said}; each of the {source.folder} needs its own")


def refuse_unknown_steps(sources: Iterable[Source], steps: Collection[str]) -> None:
    """Raises RecsqlError for a text that reads a step that doesn't exist, or has a CTE with the name of a step."""
    for source in (one for one in sources if one.folder not in ("dialects", "plain")):
        further = [text for name, text in source.further.items() if name != "textbook"]  # which reads recs and truth
        text = VALUE.sub("?", NO_SQL.sub("", "\n".join([source.text, *further, *source.joins.values()])))
        own = {*CTE.findall(text)}
        if both := sorted(own & {*steps}):
            raise RecsqlError(f"sql/{source.path}: its CTE {both[0]} has the name of a step; give it another one")
        if unknown := [name for name in READ.findall(text) if name not in {*steps, *own}]:
            raise RecsqlError(f"sql/{source.path} reads {unknown[0]}, but there is no such step; {nearest(unknown[0], steps)}")


def reads_of(step: Source, reads: re.Pattern[str] = READS) -> set[str]:
    """The steps and tables that a template can read, under any options."""
    return {name for found in reads.findall(step.text) for name in re.findall(r"\w+", found)}


def rows_of(step: Source) -> set[str]:
    """The steps or tables whose rows a step may add up."""
    return reads_of(step, ROWS)


def refuse_hits_without_ties(statistic: Source) -> None:
    """Raises RecsqlError for a statistic over hits that may have ties, but adds up with a function that ignores them."""
    found = [*calls(parse_template(statistic))]
    stray = [name for name in found if name not in (*KNOW_TIES, *OF_ONE_VALUE, "")]
    if stray or (found and not {*found} & {*KNOW_TIES}):
        said = f"{stray[0]}()" if stray else "a constant"
        raise RecsqlError(
            f"sql/{statistic.path}: {said} does not know that ties spread a hit over several ranks; add up with summed(x), "
            "or put it in a branch for lists without ties, {% if not expected %}"
        )


def calls(node: nodes.Node) -> Iterator[str]:
    """The functions of Jinja and SQL that a template calls where lists may have ties; "" for text without a call."""
    match node:
        case nodes.If(test=test, body=body, elif_=others, else_=last):
            for one in branches(test, body, [*others, *last]):
                yield from calls(one)
        case nodes.CondExpr(test=test, expr1=body, expr2=other):
            for one in branches(test, [body], [other] if other else []):
                yield from calls(one)
        case nodes.Call(node=nodes.Name(name=name), args=args):
            yield name
            for one in args if name in OF_ONE_VALUE else []:
                yield from calls(one)
        case nodes.Call(node=nodes.Getattr(attr=name)):
            yield f"sql.{name}"
        case nodes.Const(value=str(text)) | nodes.TemplateData(data=text):
            yield from re.findall(r'(\w+)"?\s*\(', text) or [""] * bool(text.strip())
        case _:
            for child in node.iter_child_nodes():
                yield from calls(child)


def branches(test: nodes.Node, body: list[nodes.Node], others: list[nodes.Node]) -> list[nodes.Node]:
    """The branches of an if that lists with ties can reach."""
    match test:
        case nodes.Name(name="expected"):
            return body
        case nodes.Not(node=nodes.Name(name="expected")) | nodes.And(left=nodes.Not(node=nodes.Name(name="expected"))):
            return others
    return [*body, *others]


def refuse_options_read_below(options: Iterable[Option], sources: Iterable[Source]) -> None:
    """Raises RecsqlError if another file than a metric reads an option that only metrics are rendered with."""
    below = [source for source in sources if source.folder != "metrics"]
    everything = "\n".join(source.head + source.text for source in below)
    for option in (one for one in options if one.is_own and one.name in everything):
        for source in below:
            if option.name in source.head + source.text and reads(source, option.name):
                raise RecsqlError(
                    f"option {option.name} in sql/{option.home.path}: sql/{source.path} reads it, too, so metrics that differ "
                    "in it could not share a query; add splits = true to the option"
                )


def reads(source: Source, name: str) -> bool:
    """Whether the template or a condition in its header reads a name."""
    conditions = " ".join([source.when, *(need.condition for need in source.needs)])
    return name in re.findall(r"\w+", conditions) or name in meta.find_undeclared_variables(parse_template(source))


def parse_template(source: Source) -> nodes.Template:
    """The template of a file; raises RecsqlError if it is not valid."""
    try:
        return jinja2.Environment().parse(source.text)
    except jinja2.TemplateSyntaxError as error:
        raise RecsqlError(f"sql/{source.path}: {str(error.message).rstrip('.')}; docs/keys.md describes templates") from error

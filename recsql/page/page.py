"""The report: one HTML file that says which model is better, and whether the difference is real."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.util import find_spec
from os import PathLike
from pathlib import Path

import jinja2
import pyarrow as pa
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from recsql.base.errors import BadInput
from recsql.base.package import to_install
from recsql.base.paths import refuse_to_replace, whole
from recsql.base.printing import STATUS
from recsql.base.text import escape_controls
from recsql.base.wording import SPOKEN, said
from recsql.calls.call import Metrics, Table
from recsql.catalog.grammar import USUAL_CUTOFF, Cutoffs
from recsql.catalog.headers import Given
from recsql.display import findings_text, output
from recsql.display.output import cell
from recsql.engines.shared import sharing
from recsql.page import sections
from recsql.page.baseline import with_popularity
from recsql.page.cases import find_cases, find_missed
from recsql.page.evidence import Evidence
from recsql.page.verdict import DISTRUST, Verdict, judge, refuse
from recsql.query.results import in_words_of, names_in

WIDTH = 620  # of the chart, in pixels


@dataclass(frozen=True, repr=False)
class Page:
    """A report.

    Attributes:
        html: The page, complete in itself.
        verdict: The headline, and the paragraphs below it.
        summary: The verdict and the table of models in Markdown, for a pull request.
        findings: What `check` returned; None without it.
        evidence: The results that the page shows, such as `values` of evaluate and `comparison` of compare.
        refused: Why `evaluate` refuses the tables; None if the page has numbers.
    """

    html: str
    verdict: Verdict
    summary: str
    findings: pa.Table | None
    evidence: Evidence
    refused: BadInput | None

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page; raises RecsqlError if the file can't be written."""
        with whole(path) as beside:
            Path(beside).write_text(self.html, "utf-8")

    def compared_again(self, tests: Mapping[str, Given]) -> pa.Table:
        """The comparison with other options of the test, such as `alternative`."""
        again = replace(self.evidence, settings={**self.evidence.settings, **tests})
        return again.compare(self.evidence.compared_metrics, again.k, self.evidence.baseline)

    def __repr__(self) -> str:
        return "\n".join([self.verdict.headline, *self.verdict.paragraphs])

    def _repr_html_(self) -> str:
        """What a notebook displays: the page in a frame of its own."""
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:800px;border:0" title="recsql report"></iframe>'


@STATUS.computing("page")
def report(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = USUAL_CUTOFF,
    *,
    baseline: str | None = None,
    main: str | None = None,
    cases: int = 5,
    texts: Table = None,
    conventions: bool = True,
    check: bool = True,
    sql: bool = True,
    title: str | None = None,
    notes: str | None = None,
    out: str | PathLike[str] | None = None,
    **settings: Given,
) -> Page:
    """Returns one HTML page that says which model is better, and whether the difference is real.

    If `evaluate` refuses the tables, the page has only the reason and the findings. Takes the arguments of `evaluate`, `compare`
    and `check`. `by` names the slices; by default users with and without a list, and by their number of relevant items.

    Args:
        k: The cut-offs, 10 by default.
        baseline: The model that the others are compared with. By default `popularity`: the model of that name, or else one that
            is made from `train`. Without `train`, it is the model with the best value.
        main: The metric that decides, such as "ndcg@10"; by default the first that is a mean over users.
        cases: How many users to show in each direction, with both lists. 0 leaves out every id of a user.
        texts: A table with the id of each user and their text or title, which the cases show, as in `hits`.
        conventions: Whether to compute the main metric under the conventions of other libraries.
        check: Whether to check the tables for oddities.
        sql: Whether the page has the query of the main metric.
        title, notes: A title above the verdict, and a paragraph below it.
        out: A file to write the page to, such as "report.html"; by default none.

    Returns:
        The page, which a notebook displays.

    Raises:
        RecsqlError: As `evaluate` and `compare` do, and if no metric is a mean over users.

    >>> lists = {"new": {"u1": {"a": 0.9}}, "old": {"u1": {"b": 0.9}}}
    >>> recsql.report(lists, {"u1": {"a": 1}}, "hit", 1, baseline="old").verdict.headline
    'No model is shown to beat old.'
    """
    if not isinstance(cases, int) or cases < 0:
        raise BadInput(f"cases: {cases!r} is not a whole number from 0 on; give how many users to show in each direction")
    (recs, truth, texts), settings = map(read_once, (recs, truth, texts)), {n: read_once(one) for n, one in settings.items()}
    given = [*(recs.values() if isinstance(recs, Mapping) else [recs]), truth, texts, *settings.values()]
    if out is not None:
        refuse_to_replace([os.fspath(one) for one in given if isinstance(one, str | PathLike)], out)
    evidence = with_popularity(Evidence(recs, truth, metrics, k, settings, baseline, main, texts=texts))
    arguments = {"cases": cases, "title": title, "notes": notes, "check": check, "conventions": conventions, "sql": sql}
    arguments["texts"] = texts
    context: sections.Section = {"title": title, "notes": notes, "models": None}
    refused = None
    with sharing(settings.get("connection")):
        try:
            _ = evidence.values
        except BadInput as error:
            refused = error
            if not check:
                raise
        table = evidence.checked(with_values=refused is None) if check else None
        if table is not None and not cases:
            examples = [row["example"] if row["finding"] in DISTRUST else None for row in table.to_pylist()]  # no ids
            table = table.set_column(table.column_names.index("example"), "example", pa.array(examples, pa.string()))
        found = [] if table is None else findings_text.group_rows(table)
        conventions = conventions and refused is None and not evidence.has_spans
        arguments["conventions"] = conventions
        own = [str(refused), *(names_in(table) if table is not None else ())]  # the sentence of an error has names, too
        if refused is None and settings.get("by") is not None:
            own += [one for pair in evidence.slices for one in (pair.slice, pair.segment)]
        with in_words_of(table if refused else evidence.values, own):
            verdict = refuse(refused, found) if refused else judge(evidence, found, conventions=conventions)
            verdict = verdict._replace(headline=said(verdict.headline), paragraphs=[*map(said, verdict.paragraphs)])
            context |= sections.of_check(table) | ({} if refused else numbers(evidence, arguments))
            css, js = (Markup(text_of(name)) for name in ("page.css", "page.js"))
            html = template(SPOKEN.get()).render(context, verdict=verdict, css=css, js=js)
        page = Page(html, verdict, summary(verdict, evidence, context["models"]), table, evidence, refused)
    if out is not None:
        page.save(out)
    return page


def read_once(data: Table) -> Table:
    """`data` with tables in place of readers, which only one function could read."""
    if isinstance(data, Mapping):
        return {name: one.read_all() if isinstance(one, pa.RecordBatchReader) else one for name, one in data.items()}
    return data.read_all() if isinstance(data, pa.RecordBatchReader) else data


def numbers(evidence: Evidence, arguments: Mapping[str, Given]) -> sections.Section:
    """The sections with numbers."""
    chart = draw(evidence)
    cases = find_cases(evidence, arguments["cases"])
    return {
        **sections.whole(evidence),
        **sections.made(evidence, arguments),
        "curve": chart,
        "to_install": None if chart or evidence.curve is None else to_install("plot"),
        "conventions": sections.conventions(evidence) if arguments["conventions"] else None,
        "cases": sections.cases(evidence, cases),
        "missed": find_missed(evidence),
        "query": evidence.query if arguments["sql"] else None,
    }


class InWords(Extension):
    """Says the words in force in a template's own texts, and not in what it shows."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        return (one._replace(value=said(one.value)) if one.type in ("data", "string") else one for one in stream)


@cache
def template(_: object) -> jinja2.Template:
    """The template of the page, in the words in force, which are the argument."""
    environment = jinja2.Environment(
        extensions=[InWords],
        loader=jinja2.FunctionLoader(text_of),
        autoescape=True,
        finalize=lambda value: escape_controls(value, but="\t\n") if type(value) is str else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= sections.WRITTEN
    return environment.get_template("page.html")


def text_of(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8").rstrip()


def draw(evidence: Evidence) -> Markup | None:
    """The chart over k as SVG; None without the extra plot, or if it can't be drawn."""
    curve = evidence.curve
    if curve is None or find_spec("vl_convert") is None:
        return None
    panels = [{**panel, "width": WIDTH} for panel in curve.spec["concat"]]
    return Markup(replace(curve, spec={**curve.spec, "concat": panels}).svg(inline=True))


def summary(verdict: Verdict, evidence: Evidence, models: sections.Section | None) -> str:
    """The verdict and the table of models in Markdown."""
    parts = [f"### {output.in_markdown(verdict.headline)}", *map(output.in_markdown, verdict.paragraphs)]
    if models is not None:
        metrics, rows = models["metrics"], models["rows"]
        values = [[cell(rows[model, metric]["value"]) for model in evidence.ranking] for metric in metrics]
        names = list(map(sections.name_of, evidence.ranking))
        parts.append(output.markdown(pa.table([pa.array(names, pa.string()), *values], ["model", *metrics])))
    return "\n\n".join(parts) + "\n"

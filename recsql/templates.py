"""The compiled templates of `sql/`, and the dialects."""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from recsql import symbols
from recsql.catalog import catalog
from recsql.headers import Source
from recsql.text import WORDS, quoted, quoted_name


class Compiled(jinja2.FileSystemBytecodeCache):
    """Caches compiled templates beside Python's bytecode, if Python writes any; processes start a tenth of a second faster."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                super().dump_bytecode(bucket)


class Environment(jinja2.Environment):
    """Jinja, with words that also work on symbols."""

    code_generator_class = symbols.Generator
    symbolic = symbols


@cache
def environment() -> Environment:
    """The environment of all templates; they are loaded from the catalogue by their path below `sql/`."""
    texts = {path: source.text for path, source in catalog().sources.items()}
    made = Environment(
        loader=jinja2.DictLoader(texts | dict(header_templates())),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=Compiled(str(Path(__file__).parent / "__pycache__"), "%s.template"),
    )
    made.globals = {"range": range}  # the only one of Jinja's globals, because each rendering copies them
    made.filters.update(sql_literal=quoted, quoted_name=quoted_name)
    made.tests["none"] = symbols.is_none
    return made


def header_templates() -> Iterator[tuple[str, str]]:
    """The expressions and joins in headers as templates, so that they are compiled once.

    The expressions say what a file needs, and when a query has a step or a check.
    """
    for source in catalog().sources.values():
        if conditions := conditions_of(source):
            yield f"headers/{source.path}", assigned(conditions)
        joins = {source.name: source.header["join"]} if "join" in source.header else source.header.get("joins", {})
        yield from ((f"joins/{source.path}/{name}", text) for name, text in joins.items())
    for folder, sources in {"steps": catalog().steps, "checks": catalog().checks, "fast": catalog().fast}.items():
        yield f"headers/{folder}", assigned({f"when_{name}": when_of(source) for name, source in sources.items()})


def when_of(source: Source) -> str:
    """The condition under which a query has a step or a check, or a step has its fast form."""
    when = str(source.header.get("when", "true"))
    return f"fast and ({when})" if source.folder == "fast" else when


def conditions_of(source: Source) -> dict[str, str]:
    """The expressions over options in the header of a metric or statistic: the conditions of its needs, and those of a metric."""
    needs = {f"need_{place}": need.condition for place, need in enumerate(source.needs) if need.condition}
    return needs | {key: source.header[key] for key in ("sparse", "exceeds") if key in source.header}


def assigned(expressions: Mapping[str, str]) -> str:
    return "\n".join(f"{{% set {name} = {' '.join(text.split())} %}}" for name, text in expressions.items())


def values(name: str, context: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names that a template sets."""
    return vars(environment().get_template(name).make_module(dict(context)))


@cache
def reads(path: str) -> frozenset[str]:
    """The names that a template reads, directly or in the expressions that it uses."""
    own = frozenset(environment().get_template(path).root_render_func.__globals__["reads"])
    used = [reads(catalog().expressions[name].path) for name in own & catalog().expressions.keys()]
    return own.union(*used)


def template(name: str, /, **context: Any) -> str:
    """Renders a template of `sql/targets` alone."""
    return environment().get_template(f"targets/{name}.sql").render(context).strip()


@cache
def dialect(name: str) -> SimpleNamespace:
    """The spellings of one engine, with DuckDB's as defaults."""
    sql = SimpleNamespace()
    for file in dict.fromkeys(("duckdb", name)):
        template = environment().get_template(f"dialects/{file}.sql")
        vars(sql).update({key: value for key, value in vars(template.make_module({"sql": sql})).items() if key[0] != "_"})
    return sql


def spelt(text: str, name: str) -> str:
    """A rendered statement with literals and quoted names in an engine's spelling; templates use the standard's."""
    sql = dialect(name)
    spell = {"'": sql.literal, '"': sql.quote}

    def word(found: re.Match[str]) -> str:
        mark, content = found[0][0], found[0][1:-1]
        return str(spell[mark](content.replace(mark * 2, mark))) if mark in spell else found[0]

    return WORDS.sub(word, text)

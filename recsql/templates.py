"""The compiled templates of `sql/`, and the dialects."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from recsql.catalog import catalog
from recsql.options import Condition
from recsql.text import BREAK, WORDS, quoted, quoted_name


class Compiled(jinja2.FileSystemBytecodeCache):
    """Caches compiled templates beside Python's bytecode, if Python writes any; processes start a tenth of a second faster."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                super().dump_bytecode(bucket)


@cache
def environment() -> jinja2.Environment:
    """The environment of all templates; they are loaded from the catalogue by their path below `sql/`."""
    texts = {path: source.text for path, source in catalog().sources.items()}
    made = jinja2.Environment(
        loader=jinja2.DictLoader(texts),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=Compiled(str(Path(__file__).parent / "__pycache__"), "%s.template"),
    )
    made.globals = {"range": range}  # the only one of Jinja's globals, because each rendering copies them
    made.filters.update(
        either=Condition.__or__, both=Condition.__and__, sql_literal=quoted, quoted_name=quoted_name, lines=BREAK.join
    )
    return made


def template(name: str, /, **context: Any) -> str:
    """Renders a template of `sql/targets` alone."""
    return environment().get_template(f"targets/{name}.sql").render(context).strip()


@cache
def compiled(expression: str) -> Callable[..., Any]:
    """An expression in a header, over options or over any name that a template can use."""
    return environment().compile_expression(expression)


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

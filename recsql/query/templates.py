"""The compiled templates of `sql/`, and the dialects."""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, cast

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.idtracking import VAR_LOAD_RESOLVE

from recsql.base.errors import RecsqlError
from recsql.base.paths import largest
from recsql.base.text import WORDS, quoted, quoted_name
from recsql.catalog import catalog
from recsql.catalog.options import as_sql

Context = Mapping[str, Any]  # the names that a template can use
CONSTANTS = {"true": True, "false": False, "none": None}  # in conditions, which are written as in templates


class Compiled(jinja2.FileSystemBytecodeCache):
    """Caches compiled templates beside Python's bytecode, if Python writes any. It saves 0.1 seconds per process."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                super().dump_bytecode(bucket)


class Generator(CodeGenerator):
    """Stores the names that a template reads with its code; ~ joins values as they are printed, as SQL."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        self.reads: set[str] = set()
        super().visit_Template(node, frame)
        self.writeline(f"reads = {tuple(sorted(self.reads))!r}")

    def enter_frame(self, frame: Frame) -> None:
        super().enter_frame(frame)
        self.reads |= {name for action, name in frame.symbols.loads.values() if action == VAR_LOAD_RESOLVE}

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("str_join(map(environment.finalize, (")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")))")


class Environment(jinja2.Environment):
    code_generator_class = Generator


@cache
def environment() -> Environment:
    """The environment of all templates; they are loaded from the catalogue by their path below `sql/`."""
    made = Environment(
        loader=jinja2.FunctionLoader(text_of),
        undefined=jinja2.StrictUndefined,
        finalize=as_sql,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,  # all, as a limited cache takes longer to find one
        optimized=False,
        bytecode_cache=Compiled(str(Path(__file__).parent / "__pycache__"), "%s.sql_template"),
    )
    made.globals = {}  # each rendering would copy them
    made.filters.update(sql_literal=quoted, quoted_name=quoted_name, largest=largest)
    return made


def text_of(template: str) -> str:
    """The SQL of a piece or file; for `PATH|rows`, a further text of it; for `PATH|join NAME`, a join in its header."""
    path, _, part = template.partition("|")
    source = catalog().sources[path]
    joins = {f"join {name}": text for name, text in source.joins.items()}
    return {"": source.text, **source.further, **joins}[part]


def holds(condition: str, context: Context) -> bool:
    """Whether a condition in a header holds. Python evaluates it, because Jinja takes a hundred times as long to compile it."""
    try:
        return bool(eval(compiled(condition), CONSTANTS, context))
    except (AttributeError, NameError, SyntaxError) as error:
        path = next((one.path for one in catalog().sources.values() if condition in one.head), "")
        raise RecsqlError(
            f"sql/{path}: the condition {condition!r} in its header can't be read: {error}; docs/keys.md describes conditions"
        ) from error


@cache
def compiled(condition: str) -> CodeType:
    return compile(" ".join(condition.split()), condition, "eval")


def values(name: str, context: Context) -> Context:
    """The names that a template sets, with their values."""
    return vars(module(name, context))


def module(path: str, context: Context) -> TemplateModule:
    """A template in a context, which is not copied: a query has hundreds of names and templates."""
    return environment().get_template(path).make_module(cast(dict[str, Any], context), shared=True)


def rendered(path: str, context: Context) -> str:
    """The SQL of a file; raises RecsqlError if the template is not valid, or reads an unknown name."""
    with naming(path):
        return str(module(path, context)).rstrip("\n")


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Turns errors of Jinja into RecsqlErrors that name the file."""
    try:
        yield
    except jinja2.TemplateError as error:
        found = str(error.message).rstrip(".")
        raise RecsqlError(f"sql/{path}: {found}; docs/keys.md describes templates and the names in them") from error


@cache
def reads(path: str) -> frozenset[str]:
    """The names that a template reads, directly or in the expressions that it uses."""
    with naming(path):
        own = frozenset(environment().get_template(path).root_render_func.__globals__["reads"])
    used = [reads(catalog().expressions[name].path) for name in own & catalog().expressions.keys()]
    return own.union(*used)


def template(name: str, /, **context: object) -> str:
    """Renders a target alone."""
    return rendered(catalog().targets[name].path, context).strip()


@cache
def dialect(name: str, *, plain: bool = False) -> SimpleNamespace:
    """The spellings of one engine, with DuckDB's as defaults; with `plain`, those of the plain flow replace them."""
    sql = SimpleNamespace()
    for file in dict.fromkeys(("dialects/duckdb", f"dialects/{name}", *["plain"] * plain)):
        template = environment().get_template(f"{file}.sql")
        vars(sql).update({key: value for key, value in vars(template.make_module({"sql": sql})).items() if key[0] != "_"})
    return sql


def spelt(text: str, name: str) -> str:
    """A rendered statement with literals and quoted names as an engine spells them. Templates follow the standard."""
    sql = dialect(name)
    spell = {"'": sql.literal, '"': sql.quote}

    def word(found: re.Match[str]) -> str:
        mark, content = found[0][0], found[0][1:-1]
        return str(spell[mark](content.replace(mark * 2, mark))) if mark in spell else found[0]

    return WORDS.sub(word, text)

"""Values that are known only when a macro is bound, in plain Jinja templates.

Templates use Jinja's own `if`, `for`, `and`, `or`, `not`, `==` and `in`. Where a value is known they mean what they always mean.
Where it is a parameter of a macro it is a `Symbol`, and a block becomes an SQL CASE. A `Text` symbol belongs to a macro that
writes a query: its CASE gives text, and stands in a hole of the text around it. A `Value` symbol belongs to a macro that is an
expression itself: its CASE gives the value.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, find_undeclared
from jinja2.meta import find_undeclared_variables

from recsql.text import literal

OPEN, CLOSE = "\x02", "\x03"  # around a hole: an SQL expression that gives text
TEXTS = ("'", "$", "case when ", "concat(", "array_to_string(")  # how an expression begins that is text, and not a number
Truth = Any  # a bool or a Symbol
Branch = tuple[Callable[[], Truth], Callable[[], str]]  # a condition and the text under it


class Symbol:
    """A value known only when the macro is bound: `sql` is an expression over its parameters."""

    def __init__(self, sql: str, *, nullable: bool = False, joined: str = "") -> None:
        self.sql, self.nullable = sql, nullable
        self.joined = joined  # by `and` or `or`

    def __str__(self) -> str:
        raise NotImplementedError

    def made(self, sql: str, joined: str = "") -> "Symbol":
        """Another symbol of the same kind."""
        return type(self)(sql, joined=joined)

    @property
    def in_and(self) -> str:
        """The condition as a part of an `and`."""
        return f"({self.sql})" if self.joined == "or" else self.sql

    def cases(self, branches: Iterable[tuple["Symbol", str]], last: str) -> str:
        """The CASE that gives the text of the first branch whose condition holds, else `last`."""
        raise NotImplementedError

    def __eq__(self, other: object) -> "Symbol":  # type: ignore[override]
        return self.made(f"{self.sql} {'is not distinct from' if self.nullable else '='} {spelt(other)}")

    def __ne__(self, other: object) -> "Symbol":  # type: ignore[override]
        return self.made(f"{self.sql} {'is distinct from' if self.nullable else '<>'} {spelt(other)}")

    def __gt__(self, other: float) -> "Symbol":
        return self.made(f"cast({self.sql} as double) > {other}")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError(f"a Python `if` on {self.sql}, which is known only when the macro is bound")


class Text(Symbol):
    """A symbol of a macro that writes a query."""

    def __str__(self) -> str:
        return hole(self.sql)

    def cases(self, branches: Iterable[tuple[Symbol, str]], last: str) -> str:
        texts = list(branches)
        if all(text.endswith("\n") for text in (*(text for _, text in texts), last)):  # so that what follows can be cut
            return self.cases([(condition, text[:-1]) for condition, text in texts], last[:-1]) + "\n"
        whens = " ".join(f"when {condition.sql} then {expression(text)}" for condition, text in texts)
        return hole(f"case {whens} else {expression(last)} end")


class Value(Symbol):
    """A symbol of a macro that is an expression."""

    def __str__(self) -> str:
        return self.sql

    def cases(self, branches: Iterable[tuple[Symbol, str]], last: str) -> str:
        texts = [*branches, (None, last)]
        for _, text in texts:
            if not whole(text):
                raise ValueError(f"a block of a macro over two lists must be a whole expression, and this is not one: {text!r}")
        whens = " ".join(f"when {condition.sql} then {text.strip()}" for condition, text in texts if condition is not None)
        return f"case {whens} else {last.strip()} end"


@dataclass(frozen=True)
class Several:
    """A LIST that is known only when the macro is bound; its entries are what `entry` makes of the lambda's variable."""

    sql: str
    variable: str
    entry: Callable[[str], Any]

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"a Python `for` over {self.sql}, which is known only when the macro is bound")

    def each(self, body: Callable[[Any], str]) -> str:
        text = expression(body(self.entry(self.variable)))
        return hole(f"array_to_string(list_transform({self.sql}, lambda {self.variable}: {text}), '')")

    def any(self, holds: Callable[[Any], Truth]) -> Truth:
        """Whether the condition holds for an entry."""
        found = holds(self.entry(self.variable))
        if not is_open(found):
            return found
        return Text(f"len(list_filter({self.sql}, lambda {self.variable}: {found.sql})) > 0")

    def where(self, holds: Callable[[Any], Symbol]) -> "Several":
        sql = f"list_filter({self.sql}, lambda {self.variable}: {holds(self.entry(self.variable)).sql})"
        return Several(sql, self.variable, self.entry)


def is_open(value: object) -> bool:
    """Whether a value is known only when the macro is bound."""
    return isinstance(value, Symbol)


def spelt(value: object) -> str:
    """A known value as SQL."""
    if isinstance(value, Symbol):
        return value.sql
    return "null" if value is None else literal(value) if isinstance(value, str) else repr(value).lower()


def hole(sql: str) -> str:
    return f"{OPEN}{sql}{CLOSE}"


def without_holes(text: str) -> str:
    """The known parts of a text."""
    depth, known = 0, ""
    for piece in re.split(f"([{OPEN}{CLOSE}])", text):
        depth += (piece == OPEN) - (piece == CLOSE)
        known += piece if depth == 0 and piece != CLOSE else ""
    return known


def whole(text: str) -> bool:
    """Whether a text may be an expression by itself: it has content, and its brackets are its own."""
    bare = re.sub(r"'(?:[^']|'')*'", "''", text).strip()
    depth = 0
    for character in bare:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return bool(bare) and depth == 0 and not re.match(r"(and|or|from|where|join|when|then|else|end|[,*/+])(\W|$)", bare)


def expression(text: str) -> str:
    """A text with holes as one SQL expression that gives the text with the holes filled."""
    parts, depth, start = [], 0, 0
    for mark in re.finditer(f"[{OPEN}{CLOSE}]", text):
        opening = mark[0] == OPEN
        depth += 0 if opening else -1
        if depth == 0:
            piece = text[start : mark.start()]
            parts.append(dollars(piece) if opening else piece)
            start = mark.end()
        depth += 1 if opening else 0
    parts = [part for part in [*parts, dollars(text[start:])] if part != "''"]
    # A chain of || is quadratic to bind, and ends at a depth of 1,000.
    if len(parts) == 1 and parts[0].startswith(TEXTS):
        return parts[0]
    return f"concat({', '.join(parts)})" if parts else "''"


def dollars(text: str) -> str:
    """A text as a literal that shows it as it is."""
    if "'" not in text and "\n" not in text:
        return f"'{text}'"
    tag = "$$" if "$$" not in text and not text.endswith("$") else "$sql$"
    return f"{tag}{text}{tag}"


# -- what Jinja's own words mean


def both(a: Truth, b: Callable[[], Truth]) -> Truth:
    if not is_open(a):
        return b() if a else a
    other = b()
    return a.made(f"{a.in_and} and {other.in_and}", "and") if is_open(other) else a if other else False


def either(a: Truth, b: Callable[[], Truth]) -> Truth:
    if not is_open(a):
        return a if a else b()
    other = b()
    return a.made(f"{a.sql} or {other.sql}", "or") if is_open(other) else True if other else a


def negated(a: Truth) -> Truth:
    return a.made(f"not ({a.sql})" if a.joined else f"not {a.sql}") if is_open(a) else not a


def among(a: Any, choices: Any) -> Truth:
    return a.made(f"coalesce({a.sql} in ({', '.join(map(spelt, choices))}), false)") if is_open(a) else a in choices


def is_none(a: Any) -> Truth:
    return a.made(f"{a.sql} is null") if is_open(a) else a is None


def any_of(*values: Truth) -> Truth:
    found: Truth = False
    for value in values:
        found = either(found, lambda value=value: value)  # type: ignore[misc]
    return found


def all_of(*values: Truth) -> Truth:
    found: Truth = True
    for value in values:
        found = both(found, lambda value=value: value)  # type: ignore[misc]
    return found


def decide(*branches: Branch) -> str:
    """The text of an `if` block."""
    open_: list[tuple[Symbol, str]] = []
    last = ""
    for test, body in branches:
        condition = test()
        if is_open(condition):
            open_.append((condition, body()))
        elif condition:
            last = body()
            break
    return open_[0][0].cases(open_, last) if open_ else last


def chosen(test: Truth, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """The value of `a if test else b`."""
    return test.cases([(test, str(a()))], str(b())) if is_open(test) else a() if test else b()


def each(values: Any, body: Callable[[Any], str]) -> str:
    """The text of a `for` block."""
    return values.each(body) if isinstance(values, Several) else "".join(map(body, values))


class Generator(CodeGenerator):
    """Compiles `if`, `for`, `and`, `or`, `not` and `in` so that they also work on symbols."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        super().visit_Template(node, frame)
        self.writeline(f"reads = {tuple(sorted(find_undeclared_variables(node)))!r}")

    def visit_And(self, node: nodes.BinExpr, frame: Frame) -> None:
        self._lazily("both", node, frame)

    def visit_Or(self, node: nodes.BinExpr, frame: Frame) -> None:
        self._lazily("either", node, frame)

    def _lazily(self, name: str, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"environment.symbolic.{name}(")
        self.visit(node.left, frame)
        self.write(", lambda: ")
        self.visit(node.right, frame)
        self.write(")")

    def visit_Not(self, node: nodes.UnaryExpr, frame: Frame) -> None:
        self.write("environment.symbolic.negated(")
        self.visit(node.node, frame)
        self.write(")")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        if [one.op for one in node.ops] not in (["in"], ["notin"]):
            super().visit_Compare(node, frame)
            return
        self.write("environment.symbolic.negated(" if node.ops[0].op == "notin" else "(")
        self.write("environment.symbolic.among(")
        self.visit(node.expr, frame)
        self.write(", ")
        self.visit(node.ops[0].expr, frame)
        self.write("))")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        self.write("environment.symbolic.chosen(")
        self.visit(node.test, frame)
        self.write(", lambda: ")
        self.visit(node.expr1, frame)
        self.write(", lambda: ")
        self.visit(node.expr2 or nodes.Const(""), frame)
        self.write(")")

    def visit_If(self, node: nodes.If, frame: Frame) -> None:
        branches = [(node.test, node.body), *((one.test, one.body) for one in node.elif_)]
        if node.else_:
            branches.append((nodes.Const(True), node.else_))
        bodies = [self._body([], body, frame) for _, body in branches]
        self.start_write(frame, node)
        self.write("environment.symbolic.decide(")
        for (test, _), body in zip(branches, bodies, strict=True):
            self.write("(lambda: ")
            self.visit(test, frame)
            self.write(f", {body}), ")
        self.write(")")
        self.end_write(frame)

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        own = find_undeclared(node.iter_child_nodes(only=("body",)), ("loop",))
        if own or node.test or node.else_ or not isinstance(node.target, nodes.Name):
            super().visit_For(node, frame)
            return
        body = self._body([nodes.Name(node.target.name, "param")], node.body, frame)
        self.start_write(frame, node)
        self.write("environment.symbolic.each(")
        self.visit(node.iter, frame)
        self.write(f", {body})")
        self.end_write(frame)

    def _body(self, args: list[nodes.Name], body: list[nodes.Node], frame: Frame) -> str:
        """Writes a function that gives the text of a block, and returns its name."""
        call = nodes.Call(nodes.Name("caller", "load"), [], [], None, None)
        self.macro_body(nodes.CallBlock(call, args, [], body), frame)
        name = self.temporary_identifier()
        self.writeline(f"{name} = macro")
        return name

"""Values that are known only when a macro is bound, in plain Jinja templates.

Templates use Jinja's own `if`, `for`, `and`, `or`, `not`, `==` and `in`. Where a value is known they mean what they always mean.
Where it is a parameter of a macro it is a `Symbol`. A macro that writes a query has the symbols of `conditions`: a block becomes
a text under a condition. A macro that is an expression itself has the symbol `Value`: a block becomes an SQL CASE.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, find_undeclared
from jinja2.meta import find_undeclared_variables

from recsql.text import literal

Truth = Any  # a bool or a Symbol
Branch = tuple[Callable[[], Truth], Callable[[], str]]  # a condition and the text under it


class Symbol:
    """A value known only when the macro is bound."""

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError(f"a Python `if` on {self!r}, which is known only when the macro is bound")

    def both(self, other: "Symbol") -> Truth:
        raise NotImplementedError

    def either(self, other: "Symbol") -> Truth:
        raise NotImplementedError

    def negated(self) -> Truth:
        raise NotImplementedError

    def among(self, choices: Iterable[Any]) -> Truth:
        raise NotImplementedError

    def is_none(self) -> Truth:
        raise NotImplementedError

    def cases(self, branches: Iterable[tuple[Any, str]], last: str) -> str:
        """The text of the first branch whose condition holds, else `last`."""
        raise NotImplementedError


class Value(Symbol):
    """A symbol of a macro that is an expression: `sql` is an expression over its parameters."""

    def __init__(self, sql: str, *, nullable: bool = False, joined: str = "") -> None:
        self.sql, self.nullable = sql, nullable
        self.joined = joined  # by `and` or `or`

    __hash__ = None

    def __repr__(self) -> str:
        return self.sql

    def __str__(self) -> str:
        return self.sql

    def __eq__(self, other: object) -> "Value":  # type: ignore[override]
        return Value(f"{self.sql} {'is not distinct from' if self.nullable else '='} {spelt(other)}")

    def __ne__(self, other: object) -> "Value":  # type: ignore[override]
        return Value(f"{self.sql} {'is distinct from' if self.nullable else '<>'} {spelt(other)}")

    @property
    def in_and(self) -> str:
        """The condition as a part of an `and`."""
        return f"({self.sql})" if self.joined == "or" else self.sql

    def both(self, other: Any) -> "Value":
        return Value(f"{self.in_and} and {other.in_and}", joined="and")

    def either(self, other: Any) -> "Value":
        return Value(f"{self.sql} or {other.sql}", joined="or")

    def negated(self) -> "Value":
        return Value(f"not ({self.sql})" if self.joined else f"not {self.sql}")

    def among(self, choices: Iterable[Any]) -> "Value":
        return Value(f"coalesce({self.sql} in ({', '.join(map(spelt, choices))}), false)")

    def is_none(self) -> "Value":
        return Value(f"{self.sql} is null")

    def cases(self, branches: Iterable[tuple[Any, str]], last: str) -> str:
        texts = [*branches, (None, last)]
        for _, text in texts:
            if not whole(text):
                raise ValueError(f"a block of a macro over two lists must be a whole expression, and this is not one: {text!r}")
        whens = " ".join(f"when {condition.sql} then {text.strip()}" for condition, text in texts if condition is not None)
        return f"case {whens} else {last.strip()} end"


class Several:
    """A LIST that is known only when the macro is bound."""

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a Python `for` over a list which is known only when the macro is bound")

    def each(self, body: Callable[[Any], str]) -> str:
        """The texts of all entries."""
        raise NotImplementedError

    def any(self, holds: Callable[[Any], Truth]) -> Truth:
        """Whether the condition holds for an entry."""
        raise NotImplementedError


def is_open(value: object) -> bool:
    """Whether a value is known only when the macro is bound."""
    return isinstance(value, Symbol)


def spelt(value: object) -> str:
    """A value as SQL."""
    if isinstance(value, Value):
        return value.sql
    return "null" if value is None else literal(value) if isinstance(value, str) else repr(value).lower()


def whole(text: str) -> bool:
    """Whether a text may be an expression by itself: it has content, and its brackets are its own."""
    bare = re.sub(r"'(?:[^']|'')*'", "''", text).strip()
    depth = 0
    for character in bare:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return bool(bare) and depth == 0 and not re.match(r"(and|or|from|where|join|when|then|else|end|[,*/+])(\W|$)", bare)


# -- what Jinja's own words mean


def both(a: Truth, b: Callable[[], Truth]) -> Truth:
    if not is_open(a):
        return b() if a else a
    other = b()
    return a.both(other) if is_open(other) else a if other else False


def either(a: Truth, b: Callable[[], Truth]) -> Truth:
    if not is_open(a):
        return a if a else b()
    other = b()
    return a.either(other) if is_open(other) else True if other else a


def negated(a: Truth) -> Truth:
    return a.negated() if is_open(a) else not a


def among(a: Any, choices: Any) -> Truth:
    return a.among(choices) if is_open(a) else a in choices


def is_none(a: Any) -> Truth:
    return a.is_none() if is_open(a) else a is None


def any_of(*values: Truth) -> Truth:
    return reduce(lambda found, value: either(found, lambda: value), values, False)


def all_of(*values: Truth) -> Truth:
    return reduce(lambda found, value: both(found, lambda: value), values, True)


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

"""Generate the mutations of a source text: small changes that alter its behaviour.

Code without effect on behaviour is left alone: docstrings, annotations, `if TYPE_CHECKING`,
`__all__`, log calls, and error messages.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SQL = {
    " DESC": "",
    " AND ": " OR ",
    " OR ": " AND ",
    " IS NULL": " IS NOT NULL",
    " IS NOT NULL": " IS NULL",
    " >= ": " > ",
    " <= ": " < ",
    " > ": " >= ",
    " < ": " <= ",
}
"""Replacements inside an SQL statement, one place at a time."""
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|WHERE|AND|ORDER)\s")
SMALL = 9
"""Integers up to this are counts or indexes and change by one; larger ones, limits, double."""
LOGS = {"debug", "info", "warning", "error", "exception", "critical"}
OPTIONS = {"frozen", "slots", "kw_only", "strict", "stacklevel", "repr", "check_same_thread"}
"""Keyword arguments that guard against mistakes and have no effect on correct code."""


class Mutation(NamedTuple):
    """Replace `old` by `new` at the offset `at` of a file's text."""

    file: str
    line: int
    at: int
    old: str
    new: str
    text: str
    """The line where it begins, stripped."""

    def applied(self, source: str) -> str:
        """Return the file's text with the change applied."""
        assert source[self.at : self.at + len(self.old)] == self.old, f"{self.file}:{self.line}"
        return source[: self.at] + self.new + source[self.at + len(self.old) :]

    @property
    def change(self) -> str:
        """Return the change, formatted on one line."""
        return " ".join(f"{self.old} → {self.new or '(nothing)'}".split())


def mutations(file: str, source: str) -> list[Mutation]:
    """Return every mutation of that text, in order."""
    found: dict[tuple[int, str, str], Mutation] = {}
    lines = source.splitlines(keepends=True)
    finder = _Finder(source, lines)
    finder.visit(ast.parse(source))
    for at, old, new in sorted(finder.found):
        line = source.count("\n", 0, at) + 1
        found[at, old, new] = Mutation(file, line, at, old, new, lines[line - 1].strip())
    return list(found.values())


def _is_log(node: ast.expr) -> bool:
    """Return whether the node is a call like `log.info(...)`; awaited calls are not."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    owner = node.func.value
    name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
    return node.func.attr in LOGS and "log" in name.lower()


class _Finder(ast.NodeVisitor):
    """Collect (offset, old, new) of every mutation."""

    def __init__(self, source: str, lines: list[str]) -> None:
        self.found: list[tuple[int, str, str]] = []
        self._source = source
        self._starts = [0]
        self._lines = lines
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))

    def _offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a column given in UTF-8 bytes."""
        before = self._lines[line - 1].encode("utf-8")[:column].decode("utf-8")
        return self._starts[line - 1] + len(before)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _replace(self, node: ast.expr | ast.stmt, new: str) -> None:
        start, end = self._span(node)
        self.found.append((start, self._source[start:end], new))

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._source[start:end]

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Replace the operator between two expressions."""
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = re.escape(old).replace(r"\ ", r"\s+")
        if old[0].isalpha():
            pattern = rf"\b{pattern}\b"
        found = re.search(pattern, self._source[start:end])
        if found is not None:
            self.found.append((start + found.start(), found[0], new))

    def _negate(self, node: ast.expr) -> None:
        """Negate a condition for which there is no narrower mutation."""
        if not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            self._replace(node, f"not ({self._text(node)})")

    # statements

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._negate(condition)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Constant) or _is_log(value):
            return  # a docstring, an ellipsis, a log call
        if isinstance(value, ast.Call):
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        [target, *_] = node.targets
        if isinstance(target, ast.Name) and target.id in ("__all__", "__slots__"):
            return
        if isinstance(target, ast.Attribute | ast.Subscript):
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._replace(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._replace(node, "pass")  # and leave the error message alone

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skip assertions: they state invariants that no test can violate."""

    def visit_Continue(self, node: ast.Continue) -> None:
        self._replace(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self._replace(node, "continue")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self._replace(node, "pass")
            return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._replace(node, "return None")
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Mutate defaults and body, but not annotations and decorators."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    # expressions

    def visit_Call(self, node: ast.Call) -> None:
        if _is_log(node):
            return
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            self._replace(node.func, CALLS[node.func.id])
        if isinstance(node.func, ast.Name) and node.func.id in ("cast", "TypeVar", "NewType"):
            return
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in OPTIONS:
                self.visit(keyword.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            self._between(left, right, *COMPARISONS[type(operator)])
            if isinstance(right, ast.Constant) and isinstance(right.value, str) and right.value:
                self._replace(right, '"?"')
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace(node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        sides = (node.left, node.right)
        words = any(
            isinstance(side, ast.JoinedStr)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str))
            for side in sides
        )
        if type(node.op) in ARITHMETIC and not words:
            self._between(*sides, *ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip: the expressions inside have no positions of their own before Python 3.12."""

    def visit_Constant(self, node: ast.Constant) -> None:
        for new in _other(node.value):
            self._replace(node, new)
        if isinstance(node.value, str) and STATEMENT.match(node.value):
            self._statement(node)

    def _statement(self, node: ast.Constant) -> None:
        start, end = self._span(node)
        text = self._source[start:end]
        for old, new in SQL.items():
            for found in re.finditer(re.escape(old), text):
                self.found.append((start + found.start(), old, new))


def _other(value: object) -> Iterator[str]:
    """Return the replacement of a constant; strings are kept, except in comparisons."""
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int):
        yield str(value + 1) if value <= SMALL else str(value * 2)
        if 0 < value <= SMALL:
            yield str(value - 1)
    elif isinstance(value, float) and value:
        yield repr(value * 2)

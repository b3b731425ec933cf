"""Which columns a model-written program reads of its frames, told by its syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from wideleaf.tools.craft.names import is_mask, masks_of, texts

KEPT = frozenset(("copy", "head", "tail", "sort_index"))
"""Methods that give the frame's rows or some of them, whatever its columns."""
NAMING = {"sort_values": "by", "dropna": "subset", "drop_duplicates": "subset"}
"""Such methods with the argument that names the columns they look at."""
REFLECTING = frozenset(("locals", "globals", "vars", "eval", "exec", "getattr"))


class _Whole(Exception):
    """A frame is used in a way that may look at any of its columns."""


def program_columns(
    code: str, names: Sequence[str], columns: Sequence[Sequence[str] | None], function: str = ""
) -> list[list[str] | None]:
    """The columns that a program reads of each of its frames.

    A frame whose columns are all named by constants where it is used (``df["x"]``, ``df.x``,
    ``df.groupby("k")["x"]``, ``df[df.x > 1]["y"]``) is read in these alone. Any other use, as one
    that returns it or hands it on, may look at each column.

    Args:
        code: The program.
        names: What the frames are called in it: variables, or the function's parameters.
        columns: The columns of each frame; None where they are not known.
        function: The function that gets the frames; the whole program uses them if empty.

    Returns:
        For each frame the columns it has that are read; None where it may be any.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return [None for _ in names]
    definitions = [node for node in tree.body if getattr(node, "name", "") == function]
    body: ast.AST = definitions[-1] if function and definitions else tree
    if function and not (definitions and isinstance(body, ast.FunctionDef)):
        return [None for _ in names]
    selections: list[list[str] | None] = []
    for name, header in zip(names, columns, strict=True):
        reading = _Reading(body, name, header)
        try:
            reading.visit(body)
        except (_Whole, RecursionError):
            selections.append(None)
        else:
            uses = reading.read
            selections.append([*uses] if header is None else [c for c in header if c in uses])
    return selections


class _Reading(ast.NodeVisitor):
    """One frame followed through a program, under all the names that it or its rows get."""

    def __init__(self, body: ast.AST, name: str, header: Sequence[str] | None) -> None:
        self.known = None if header is None else {*header}
        self.read: dict[str, None] = {}
        self.frames, self.masks = {name}, masks_of(body)
        # Statements give their frame by a name; a function gives its own by return.
        self.result = "result" if isinstance(body, ast.Module) else ""
        while more := {*self._others(body)} - self.frames:
            self.frames |= more

    def visit(self, node: ast.AST) -> None:
        """Look at a part of the program.

        Raises:
            _Whole: If the frame is used there in a way that may look at any column.
        """
        if isinstance(node, ast.Name):
            if node.id in REFLECTING or (node.id in self.frames and isinstance(node.ctx, ast.Load)):
                raise _Whole
        elif isinstance(node, ast.AugAssign) and self._column(node.target):
            self._take(texts(getattr(node.target, "slice", None)))
            self.generic_visit(node)
        elif isinstance(node, ast.Assign | ast.Expr) and self._is_frame(node.value):
            self._enter(node.value)
            for target in getattr(node, "targets", ()):
                if not isinstance(target, ast.Name) or target.id == self.result:
                    raise _Whole
        elif isinstance(node, ast.For) and (grouping := self._grouped(node.iter)):
            self._enter_group(grouping)
            for part in (*node.body, *node.orelse):
                self.visit(part)
        elif not self._consumed(node):
            self.generic_visit(node)

    def _consumed(self, node: ast.AST) -> bool:
        """Whether a frame is used here in some columns of it alone, which are noted."""
        match node:
            case ast.Subscript(value=frame) if self._column(node):
                self._enter(frame)
                if isinstance(node.ctx, ast.Load):
                    self._take(texts(node.slice))
                return True
            case ast.Subscript(value=ast.Attribute(value=frame, attr="shape"), slice=place):
                if self._is_frame(frame) and isinstance(place, ast.Constant) and place.value == 0:
                    self._enter(frame)
                    return True
            case ast.Subscript(
                value=ast.Attribute(value=frame, attr="loc" | "at"), slice=ast.Tuple(elts=[rows, c])
            ) if self._is_frame(frame) and (names := texts(c)) is not None:
                self._enter(frame)
                self.visit(rows)
                if isinstance(node.ctx, ast.Load):
                    self._take(names)
                return True
            case ast.Attribute(value=frame, attr=name) if self._is_frame(frame):
                if name not in ("index", "empty"):
                    if self.known is None or _method(name):
                        return False
                    self._take([name])
                self._enter(frame)
                return True
            case ast.Call(func=ast.Name(id="len"), args=[frame]) if self._is_frame(frame):
                self._enter(frame)
                return True
            case ast.Subscript(value=grouped) if (of := self._grouped(grouped)) and (
                names := texts(node.slice)
            ):
                self._enter_group(of)
                self._take(names)
                return True
            case ast.Call(func=ast.Attribute(value=grouped, attr="size"), args=[], keywords=[]):
                if of := self._grouped(grouped):
                    self._enter_group(of)
                    return True
            case ast.Call(func=ast.Attribute(value=grouped, attr="agg"), args=[], keywords=made):
                if (of := self._grouped(grouped)) and made:
                    return self._aggregated(of, made)
        return False

    def _aggregated(self, of: ast.Call, aggregations: Sequence[ast.keyword]) -> bool:
        names = []
        for one in aggregations:
            match one.value:
                case ast.Tuple(elts=[ast.Constant(value=str(name)), how]) if one.arg:
                    names.append(name)
                    self.visit(how)
                case _:
                    return False
        self._enter_group(of)
        self._take(names)
        return True

    def _column(self, node: ast.AST) -> bool:
        """Whether this is a column, or several, of a frame by constant names."""
        if not isinstance(node, ast.Subscript) or texts(node.slice) is None:
            return False
        return self._is_frame(node.value)

    def _is_frame(self, node: ast.AST) -> bool:
        """Whether this is the frame, or rows of it, with all of its columns."""
        match node:
            case ast.Name(id=name):
                return name in self.frames
            case ast.Call(func=ast.Attribute(value=frame, attr=name)):
                keywords = {one.arg: one.value for one in node.keywords}
                if name == "reset_index":
                    drop = keywords.get("drop")
                    fine = isinstance(drop, ast.Constant) and drop.value is True
                    return fine and not node.args and self._is_frame(frame)
                by = keywords.get(NAMING.get(name, ""), node.args[0] if node.args else None)
                fine = name in KEPT or (name in NAMING and texts(by) is not None)
                return fine and None not in keywords and self._is_frame(frame)
            case ast.Subscript(value=ast.Attribute(value=frame, attr="loc"), slice=rows):
                return self._is_mask(rows) and self._is_frame(frame)
            case ast.Subscript(value=ast.Attribute(value=frame, attr="iloc"), slice=ast.Slice()):
                return self._is_frame(frame)
            case ast.Subscript(value=frame, slice=rows):
                return self._is_mask(rows) and self._is_frame(frame)
        return False

    def _is_mask(self, node: ast.AST) -> bool:
        return is_mask(node, self.masks)

    def _enter(self, node: ast.AST) -> None:
        """Note what is read on the way to some rows of the frame."""
        match node:
            case ast.Call(func=ast.Attribute(value=frame, attr=name)):
                for part in (*node.args, *(one.value for one in node.keywords)):
                    if name in NAMING and (names := texts(part)) is not None:
                        self._take(names)
                    else:
                        self.visit(part)
                self._enter(frame)
            case ast.Subscript(value=ast.Attribute(value=frame, attr="loc" | "iloc"), slice=rows):
                self.visit(rows)
                self._enter(frame)
            case ast.Subscript(value=frame, slice=rows):
                self.visit(rows)
                self._enter(frame)

    def _grouped(self, node: ast.AST) -> ast.Call | None:
        match node:
            case ast.Call(
                func=ast.Attribute(value=frame, attr="groupby"), args=[by], keywords=more
            ) if texts(by) is not None and self._is_frame(frame):
                plain = all(one.arg and isinstance(one.value, ast.Constant) for one in more)
                return node if plain else None
        return None

    def _enter_group(self, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Attribute)
        self._enter(node.func.value)
        self._take(texts(node.args[0]))

    def _take(self, names: Sequence[str] | None) -> None:
        self.read |= dict.fromkeys(names or ())

    def _others(self, body: ast.AST) -> Iterator[str]:
        """Names that rows of the frame are given: copies, parts, groups in turn."""
        for node in ast.walk(body):
            match node:
                case ast.Assign(targets=targets, value=value) if self._is_frame(value):
                    yield from (one.id for one in targets if isinstance(one, ast.Name))
                case ast.For(target=ast.Tuple(elts=[_, ast.Name(id=name)]), iter=grouped):
                    if self._grouped(grouped):
                        yield name
                case ast.For(target=ast.Name(id=name), iter=grouped) if self._grouped(grouped):
                    yield name  # a pair, of which nothing is known


def _method(name: str) -> bool:
    """Whether a frame's attribute of this name is no column."""
    import pandas as pd

    return hasattr(pd.DataFrame, name)

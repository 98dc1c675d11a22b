"""Field masks of requests: `userEnteredFormat.textFormat.bold,note`."""

from collections.abc import Iterator

from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError

DEEPEST = 20  # names in one path of a field mask


class FieldMask:
    """A field mask of a request: `userEnteredFormat.textFormat.bold,note`, `*` for everything."""

    def __init__(self, tree: CheckedObject) -> None:
        self.tree = tree

    @classmethod
    def parse(cls, text: object) -> "FieldMask":
        """Parse a mask. Raises bad_fields."""
        if not isinstance(text, str) or not text.strip():
            raise OperationError("fields_missing")
        tree: CheckedObject = {}
        for path in _paths(text):
            at = tree
            for name in path:
                at = at.setdefault(name, {})
        return cls(tree)

    def names(self) -> Iterator[str]:
        """Every name in it."""
        for name, inner in self.tree.items():
            yield name
            yield from FieldMask(inner).names()

    @property
    def is_all(self) -> bool:
        """Whether everything is named."""
        return not self.tree or "*" in self.tree

    def has(self, name: str) -> bool:
        """Whether a field or a part of it is named."""
        return self.is_all or name in self.tree

    def at(self, name: str) -> "FieldMask":
        """The mask within a field."""
        return FieldMask({} if self.is_all else self.tree.get(name, {}))

    def merge(self, old: CheckedObject, new: CheckedObject) -> CheckedObject:
        """The old object with the named fields of the new one."""
        if self.is_all:
            return dict(new)
        out = dict(old)
        for name in self.tree:
            inner = self.at(name)
            if inner.is_all and name not in new:
                out.pop(name, None)
            elif inner.is_all or not isinstance(new.get(name, {}), dict):
                out[name] = new[name]
            else:
                out[name] = inner.merge(old.get(name) or {}, new.get(name) or {})
                if not out[name]:
                    del out[name]
        return out


def _paths(text: str) -> list[list[str]]:
    """`a(b,c/d),e.f` as paths. Raises bad_fields."""
    out: list[list[str]] = []
    stack: list[list[str]] = [[]]
    word = ""
    closed = False
    for mark in f"{text},":
        if mark in ",()":
            path = _longer(stack[-1], word, text)
            if word.strip() and mark != "(":
                out.append(path)
            elif not word.strip() and mark == "," and not closed:
                raise OperationError("bad_fields", fields=text)
            closed = mark == ")"
            if mark == "(":
                stack.append(path)
            elif mark == ")":
                stack.pop()
                if not stack:
                    raise OperationError("bad_fields", fields=text)
            word = ""
        else:
            word += mark
    if len(stack) != 1:
        raise OperationError("bad_fields", fields=text)
    return out


def _longer(path: list[str], word: str, text: str) -> list[str]:
    """A path with the names of a word behind it."""
    found = path + [part.strip() for part in word.replace("/", ".").split(".") if part]
    if len(found) > DEEPEST:
        raise OperationError("bad_fields", fields=text)
    return found

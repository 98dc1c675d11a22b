"""Puts a passage together from pieces of text, each with its marks."""

from collections.abc import Collection

from world.core.reading.characters import remove_invisible
from world.core.reading.passage import Mark, MarkKind, Passage


class Composition:
    """A passage that grows. Invisible characters are left out; where they stood is marked hidden, without length."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._marks: list[Mark] = []
        self._open: dict[MarkKind, int] = {}

    @property
    def length(self) -> int:
        """Length of the text."""
        return self._length

    def mark(self, start: int, kind: MarkKind) -> None:
        """Mark the text from a place to its end."""
        if start < self._length:
            self._marks.append(Mark(start, self._length, kind))

    @property
    def pieces(self) -> int:
        """Number of pieces."""
        return len(self._pieces)

    def text_since(self, piece: int) -> str:
        """Return the text of the pieces from number `piece` on."""
        return "".join(self._pieces[piece:])

    def add(self, text: str, kinds: Collection[MarkKind] = ()) -> None:
        """Append text of some kinds."""
        clean, places = remove_invisible(text)
        if not clean and not places:
            return
        ended: list[MarkKind] = [kind for kind in self._open if kind not in kinds]
        for kind in ended:
            self._close(kind)
        for kind in kinds:
            self._open.setdefault(kind, self._length)
        self._marks += [Mark(self._length + at, self._length + at, "hidden") for at in places]
        self._pieces.append(clean)
        self._length += len(clean)

    def _close(self, kind: MarkKind) -> None:
        self.mark(self._open.pop(kind), kind)

    def passage(self) -> Passage:
        """Return the passage made of what has been added."""
        for kind in list(self._open):
            self._close(kind)
        marks = sorted(self._marks, key=lambda mark: (mark.start, mark.end, mark.kind))
        return Passage("".join(self._pieces), tuple(marks))

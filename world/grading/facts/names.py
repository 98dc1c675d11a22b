"""Names in a text, found by whole words of the folded text."""

from world.grading.facts.fact import FactReading
from world.grading.facts.piece import ExtractionState, FactCandidate
from world.grading.facts.vocabulary import Name, Vocabulary

_GAPS = frozenset((" ", "-", "_", ".", ". ", "'", "\n", " & ", "&", "/", " - ", "", " + ", " und ", " and ", " et "))
_GLUE = frozenset("@_\\")
_OPEN = frozenset({"customer", "vendor"})  # a hyphen may follow: `Bergmann-Rechnung`


def find_names(c: ExtractionState, vocabulary: Vocabulary) -> None:
    """Add every name of the vocabulary; a name that several share has a reading for each."""
    names, reach = vocabulary.names, 0
    for at, word, start, _ in c.free():
        if start < reach:
            continue
        found = names.get(word) or (names.get(word[:-1]) if word.endswith("s") and len(word) > 4 else None)
        if found is None:
            continue
        for name in found:
            end = _match(c, at, name)
            if end and _stands(c, start, end, name):
                c.add(_piece(name, start, end))
                reach = end
                break


def _match(c: ExtractionState, at: int, name: Name) -> int:
    """The end of a name that stands at a word, or 0."""
    tokens, size = c.tokens, len(name.words)
    if at + size > len(tokens):
        return 0
    for index in range(size):
        word, start, _ = tokens[at + index]
        if word != name.words[index] and not (index == size - 1 and word == name.words[index] + "s" and len(word) > 4):
            return 0
        if index and not _joins(c.low[tokens[at + index - 1][2] : start], name):
            return 0
    return tokens[at + size - 1][2]


def _joins(gap: str, name: Name) -> bool:
    """Whether two words of a name may stand so apart; `Kern, Daniel` is a person's name only."""
    return gap in _GAPS or (gap == ", " and name.entities[0][0] == "person")


def _stands(c: ExtractionState, start: int, end: int, name: Name) -> bool:
    before, after = c.low[start - 1 : start], c.low[end : end + 1]
    if name.case == "@":
        return before == "@"
    if name.case == "#":
        return before == "#"
    if (before in _GLUE and before and before != "@") or (
        after in _GLUE and after and c.low[end + 1 : end + 2].isalnum()
    ):
        return False
    if _is_part_of_word(c, start, end, before, after) and not (
        name.entities[0][0] in _OPEN and "." not in (before, after)
    ):
        return False
    text = c.plain[start:end]
    if name.case == "Aa":
        return before == "@" or text[0].isupper()
    return name.case != "AA" or text.isupper() or text.rstrip("s").isupper()


def _is_part_of_word(c: ExtractionState, start: int, end: int, before: str, after: str) -> bool:
    left = before in ("-", ".", "/") and c.low[start - 2 : start - 1].isalnum()
    return left or (after in ("-", ".", "/") and c.low[end + 1 : end + 2].isalnum())


def _piece(name: Name, start: int, end: int) -> FactCandidate:
    (kind, id), *rest = name.entities
    habit = f"{' '.join(name.words)} is {id}" if rest else ""
    others = tuple(FactReading(other, one, "", f"{' '.join(name.words)} is {one}") for other, one in rest)
    return FactCandidate(kind, id, start, end, habit=habit, others=others)

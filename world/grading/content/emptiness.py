"""Text in words that carries no information: a few stems again and again, little words that cannot follow each other, a
form that nobody filled in.
"""

import re

from world.grading.content.language import list_common
from world.grading.content.text import Text

FEWEST = 8  # words besides the little ones: below, repeating oneself means nothing
STEM = 5  # letters by which words are taken for the same
SHARES = ((24, 58), (60, 42), (200, 20))  # up to so many words, so many percent of stems must be different
MOST_SAID = 40  # words of a text that is looked at for its grammar
_APART = re.compile(
    r"\b(?:the|an|my|our|your|their|every) (?:of|at|from|with|and|because|is|are|was|were|has|have|the|an|under|if|than)\b"
    r"|\b(?:of|from|into|with|because) (?:of|and|but|is|are|was|were|under (?!the|a|my|our|his|her|[0-9]))\b|\b(?:der|die|das|den) (?:und|ist"
    r"|von|mit|zu)\b"
    r"|\b(?:under|because|of|the|with|into|from|and) *[.!]?$"
)
_BLANK = re.compile(
    r"\{\{ *[#/]?[\w.]* *\}\}|<%=? *[\w.]+ *%>|\[(?:insert|enter|add|fill in|put|your|name|date|amount|customer|company|recipient|tbd|todo|xxx?"
    r"|placeholder|hier|einfügen"
    r"|insérer|insertar|wstaw)\b[^\]\n]{0,40}\]|\bNaN\b|\b(?:undefined|null)\b|\[object Object\]|<(?:insert|your|name|date"
    r"|amount)\b[^>\n]{0,40}>|_{4,}",
    re.I,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def turns_in_circles(text: Text) -> bool:
    """Whether the words that should carry the meaning are the same few; a figure carries some."""
    if len(text.tokens) < FEWEST or len(text.vocabulary) * 8 > len(text.tokens) * 7:
        return False
    common = list_common()
    stems = [word[:STEM] for word in _prose(text) if len(word) > 2 and word not in common and word.isalpha()]
    figures = {word for word in text.tokens if word.isdigit()}
    share = next((share for most, share in SHARES if len(stems) <= most), 0)
    different, carrying = len(set(stems)) + len(figures), len(stems) + len(figures)
    return len(stems) >= FEWEST and different * 100 <= carrying * share


def _prose(text: Text) -> list[str]:
    """The words of a text, those of code and quotations left out."""
    marks = text.passage.marks
    if not any(mark.kind in ("code", "quoted") for mark in marks):
        return list(text.tokens)
    return [word.text for word in text.words if not _is_set_apart(text, word.start)]


def _is_set_apart(text: Text, at: int) -> bool:
    place = text.folded.place(at, at + 1)[0]
    return text.passage.is_marked(place, "code") or text.passage.is_marked(place, "quoted")


def is_salad(text: Text) -> bool:
    """Whether little words follow each other as they do in no sentence: once in a line, or more often."""
    tokens = text.tokens
    if not 6 <= len(tokens) <= MOST_SAID or text.passage.marks:
        return False
    broken = len(_APART.findall(text.folded.low.strip()))
    return broken >= 2 and broken * 12 >= len(tokens)


def is_unfilled(text: Text) -> bool:
    """Whether a text is a form with its blanks: at least two, and hardly more words than them."""
    said = text.passage.text
    if not any(mark in said for mark in "[{<_") and "NaN" not in said:
        return False
    blanks = list(_BLANK.finditer(said))
    if len(blanks) < 2 or any(text.passage.is_marked(one.start(), "code") for one in blanks):
        return False
    return len(_LETTERS.findall(_BLANK.sub(" ", said))) <= len(blanks) * 4

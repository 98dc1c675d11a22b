"""Whether a claim covers all that people see of a row: the parts it does not name must be empty or add nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence

from world.core.reading.agreement import find_extra, to_words
from world.core.reading.part import Part
from world.core.reading.passage import Passage
from world.grading.values import moneys

MAX_LINE = 120  # characters of a heading that is one line of subject
_NEGATION = frozenset("no not never none nothing nobody neither nor cannot without nein nicht kein keine".split())
_PERCENT = re.compile(r"\d[\d.,]*\s*(?:%|percent\b)")
_MORE = re.compile(r"[.!?]\s+\S")


def list_uncovered_texts(parts: Sequence[Part], named: frozenset[str]) -> list[str]:
    """List in words the texts of a row that add to the columns a claim names; none if it names no part of the row."""
    known = [part for part in parts if part.columns & named]
    if not known or len(known) == len(parts):
        return []
    texts = [part.passage.text for part in known]
    if any(part.kind == "body" and part.role != "supplement" for part in known):
        texts += [part.passage.text for part in parts if part.kind == "body" and part.role in ("whole", "derived")]
    return [why for part in parts if part not in known for why in _adds(part, known, "\n".join(texts))]


def out_of_sight(parts: Sequence[Part], named: frozenset[str]) -> list[str]:
    """List in words the columns of a claim that lie where nobody sees them."""
    lies = (part for part in parts if part.kind == "aside" and part.role == "whole" and part.columns & named)
    return [f"{'/'.join(sorted(part.columns & named))} lies where nobody sees it" for part in lies]


def _adds(part: Part, known: Sequence[Part], text: str) -> Iterator[str]:
    """Yield in words the additions of an unnamed part to the text of the named ones."""
    if part.role == "derived" or not to_words(part.passage.text):
        return
    bodies = (other for other in known if other.kind == "body" and other.role != "supplement")
    if part.kind == "body" and part.role != "supplement" and any(bodies):
        return  # renderings of one body agree, or the row is deceptive
    name, said = "/".join(sorted(part.columns)), " ".join(part.passage.text.split())
    if part.kind in ("heading", "name") and part.role == "whole":
        extra = find_claim(said, text)
        if extra:
            yield f"{name} adds {extra}"
    elif find_extra(part.passage.text, text) or part.kind == "name":
        yield f"{name} is not asked for: {said[:60]!r}"


def find_claim(heading: str, text: str) -> str:
    """Return the statement that a heading adds to the text under it; empty if it adds none.

    It is an amount, a share, a denial, or a second sentence.
    """
    amounts = {(money.currency, money.value) for money in moneys(text)}
    for money in moneys(heading):
        if (money.currency, money.value) not in amounts:
            return f"the amount {money.value} {money.currency}"
    shares = set(_PERCENT.findall(text))
    for share in _PERCENT.findall(heading):
        if share not in shares:
            return f"the share {share}"
    denials = _denials(text)
    for denial in _denials(heading):
        if denial not in denials:
            return f"the denial {' '.join(denial)!r}"
    if (len(heading) > MAX_LINE or _MORE.search(heading)) and find_extra(heading, text):
        return f"the sentence {find_extra(heading, text)[:60]!r}"
    return ""


def _denials(text: str) -> list[tuple[str, ...]]:
    """List the denials of a text: each word of negation with the word that follows it."""
    words = to_words(text)
    return [words[at : at + 2] for at, word in enumerate(words) if word in _NEGATION or word.endswith("n't")]


def other_texts(parts: Iterable[Part], fields: Sequence[str]) -> list[str]:
    """List the texts of the parts that other columns carry, hidden ones included."""
    return [part.passage.text for part in parts if part.columns.isdisjoint(fields)]


def list_hidden_texts(parts: Iterable[Part], fields: Sequence[str]) -> list[str]:
    """List the texts of these columns that hide something."""
    own = (part.passage for part in parts if not part.columns.isdisjoint(fields))
    return [passage.text for passage in own if any(mark.kind == "hidden" for mark in passage.marks)]


def fuller_passages(parts: Sequence[Part], fields: Sequence[str]) -> list[Passage]:
    """The bodies that people read, where the named ones only sum them up or were derived from them."""
    named = _list_named_bodies(parts, fields)
    if any(part.role == "whole" for part in named) or not any(part.role in ("summary", "derived") for part in named):
        return []
    return [part.passage for part in parts if part.kind == "body" and part.role == "whole"]


def fuller_texts(parts: Sequence[Part], fields: Sequence[str]) -> list[str]:
    """List the texts read besides: the fuller bodies, or those that strike out what the named columns state."""
    found = fuller_passages(parts, fields) or _list_striking(parts, fields)
    return [passage.without("hidden", "quoted", "struck") for passage in found]


def _list_striking(parts: Sequence[Part], fields: Sequence[str]) -> list[Passage]:
    named = _list_named_bodies(parts, fields)
    others = [part for part in parts if part.kind == "body" and part.role == "whole" and part not in named]
    return [part.passage for part in others if named and not part.is_bare and any(part.passage.marked("struck"))]


def _list_named_bodies(parts: Sequence[Part], fields: Sequence[str]) -> list[Part]:
    return [part for part in parts if part.kind == "body" and not part.columns.isdisjoint(fields)]

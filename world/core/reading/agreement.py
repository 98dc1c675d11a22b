"""Whether the renderings of a row say the same, and whether any of them hides something."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from world.core.reading.characters import find_lookalikes
from world.core.reading.html import is_address, same_address
from world.core.reading.part import Part
from world.core.reading.passage import Passage

_URL = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:)[^\s<>()\[\]]+[>)\]]?|\bwww\.[^\s<>()\[\]]+", re.I)
_IMAGE = re.compile(r"!?\[(?:image|cid|inline image|logo|icon|photo)?\s*(?::[^\[\]]*)?\](?:\([^()\s]*\))?", re.I)
_NOTE = re.compile(r"\[\d{1,3}\]")  # a footnote: the address of a link stands below
_NOTED = re.compile(r"^\s*(?:\[\d{1,3}\]|\d{1,3}[.:])\s*$", re.M)
_ORDINAL = re.compile(r"^[ \t>*#+•◦▪·|-]*(?:\d{1,3}[.)](?=\s)|[-*+•◦▪·])?", re.M)
_EMOJI = re.compile(r":[a-z0-9_+'\-]*[a-z][a-z0-9_+'\-]*:")
_WORD = re.compile(r"[^\W_]+(?:[.,:/'’][^\W_]+)*")
_END = re.compile(r"[.!?:;\n]")
_SHOWS_ADDRESS = re.compile(r"(?:https?://|www\.)?(?:[\w-]+\.)+[a-z]{2,}(?:[/:?#]\S*)?", re.I)
_SAMPLE = 60

Words = tuple[str, ...]


def disagreements(parts: Iterable[Part]) -> list[str]:
    """List how the renderings of a row deceive, in words; empty when they are honest."""
    seen = list(parts)
    bodies = [part for part in seen if part.kind == "body" and part.role in ("whole", "summary")]
    found = [trick for part in seen for trick in part.tricks]
    found += [
        reason
        for part in seen
        if part.role != "derived" and not part.is_bare
        for reason in find_tricks(part.passage, _name(part))
    ]
    wholes = [part for part in bodies if part.role == "whole"]
    found += [why for one in wholes[1:] for why in _differences(wholes[0], one)]
    if wholes:
        found += [why for part in bodies if part.role == "summary" for why in _surplus(part, wholes[0])]
    return list(dict.fromkeys(found))


def _name(part: Part) -> str:
    return "/".join(sorted(part.columns))


def find_tricks(passage: Passage, name: str) -> Iterator[str]:
    """Yield the tricks of a text: invisible and look-alike characters, hidden content, links under false names."""
    if not passage.marks and passage.text.isascii():
        return  # nothing is hidden, no link has a name, and all letters are of one script
    if any(start == end for start, end in passage.marked("hidden")):
        yield f"{name} holds invisible characters"
    for word in find_lookalikes(passage.text):
        yield f"{name} writes {word!r} with letters of several scripts"
        break
    hidden = find_hidden(passage)
    if hidden:
        yield f"{name} hides {_cut(hidden)!r}"
    for label, target in _false_links(passage):
        yield f"{name} shows the address {label} on a link to {target}"


def find_hidden(passage: Passage) -> str:
    """Return the hidden text of a passage if it says more than the visible text."""
    hidden = [passage.text[start:end] for start, end in passage.marked("hidden") if start < end]
    if not any(to_words(text) for text in hidden):
        return ""
    seen = to_words(passage.without("hidden"))
    return next((text.strip() for text in hidden if not _is_run(to_words(text), seen)), "")


def _false_links(passage: Passage) -> Iterator[tuple[str, str]]:
    for start, end in passage.marked("link"):
        label, _, target = passage.text[start:end].rpartition(" ")
        feigns = _SHOWS_ADDRESS.fullmatch(label.strip()) and _host(label) != _host(target)
        if feigns and is_address(target) and not same_address(label, target):
            yield label.strip(), target


def _host(address: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", address.strip().lower()).split("/")[0].split("?")[0]


def _differences(one: Part, other: Part) -> Iterator[str]:
    a, b = _find_visible_text(one), _find_visible_text(other)
    if _same(a, b):
        return
    for mine, theirs, said, silent in ((a, b, one, other), (b, a, other, one)):
        extra = find_extra(mine, theirs)
        if extra:
            yield f"{_name(said)} says {_cut(extra)!r}, {_name(silent)} does not"


def _surplus(part: Part, whole: Part) -> Iterator[str]:
    a, b = _find_visible_text(part), _find_visible_text(whole)
    extra = "" if _same(a, b) else find_extra(a, b)
    if extra:
        yield f"{_name(part)} says {_cut(extra)!r}, {_name(whole)} does not"


def _find_visible_text(part: Part) -> str:
    return part.passage.without("hidden", "quoted")


def _same(one: str, other: str) -> bool:
    return one == other or to_words(one) == to_words(other)


def find_extra(text: str, known: str) -> str:
    """The first sentence of a text that another does not have, at the ends of its own sentences; "" if it has all."""
    words, ends = _words_and_ends(known)
    whole = to_words(text)
    if _stands_in(whole, words, ends):
        return ""
    for sentence in _sentences(text):
        own = to_words(sentence)
        if own and not _stands_in(own, words, ends):
            return sentence.strip()
    return ""


def _sentences(text: str) -> Iterator[str]:
    """Pieces of a text that end with a line or a sentence; a wrapped line is none."""
    unwrapped = re.sub(r"(?<=[\w,;])[ \t]*\n(?=[ \t]*[a-z(])", " ", _undress(text))
    return (piece for piece in re.split(r"(?<=[.!?:;])\s+|\n+", unwrapped) if piece.strip())


def to_words(text: str) -> Words:
    """The words of a text, folded, without what renderers write for pictures, links, lists and footnotes."""
    return _words_and_ends(text)[0]


@lru_cache(maxsize=2048)
def _words_and_ends(text: str) -> tuple[Words, frozenset[int]]:
    """The words, and before which of them a sentence or a line begins; the place behind the last is one too."""
    plain = _undress(text)
    words: list[str] = []
    begins = {0}
    at = 0
    for match in _WORD.finditer(plain):
        if _END.search(plain, at, match.start()):
            begins.add(len(words))
        words.append(_fold(match.group()))
        at = match.end()
    return tuple(words), frozenset((*begins, len(words)))


def _fold(word: str) -> str:
    return word.replace("’", "'").casefold()


def _undress(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    plain = _NOTED.sub("", _NOTE.sub(" ", _IMAGE.sub(" ", _URL.sub(" ", plain))))
    return _ORDINAL.sub("", _EMOJI.sub(" ", plain))


def _stands_in(own: Words, words: Sequence[str], ends: frozenset[int]) -> bool:
    """Whether words stand in others as whole sentences."""
    if not own:
        return True
    size = len(own)
    return any(
        begin in ends and begin + size in ends and tuple(words[begin : begin + size]) == own
        for begin in range(len(words) - size + 1)
        if words[begin] == own[0]
    )


def _is_run(own: Words, words: Sequence[str]) -> bool:
    size = len(own)
    return any(tuple(words[begin : begin + size]) == own for begin in range(len(words) - size + 1))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SAMPLE else line[: _SAMPLE - 1] + "…"

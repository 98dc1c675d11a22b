"""A message's own statements: struck text and code are left out, quoted text and headings are set apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from world.core.reading.passage import Passage

PieceKind = Literal["said", "heading", "quoted"]
_STRUCK = re.compile(r"~~[^~\n]{1,500}~~")
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
_FENCE = re.compile(r"^[ \t]*```[^\n]*$", re.M)
_HEADING = re.compile(r"[ \t]*(?:#{1,6} +\S|\*\*[^*\n]{1,200}\*\*:?[ \t]*\Z|__[^_\n]{1,200}__:?[ \t]*\Z)")
_EMOJI = re.compile(r":[a-z0-9_+'-]+:")
_CODE = re.compile(
    r"\w\(.{0,80}\)|[=:] ?\[\"|\w=\w+ |<\w+>|\w+_\w+: ?\S|^[ \t]*(?:#|//|--) | -- | --[a-z]|^\w+: \w+ +#| > \w+\.\w+$"
)  # sentences may contain these too
_STATEMENT = re.compile(
    r"==|!=|&&|\|\||\w=\"|^[ \t]*[a-z_.]+ = |\w+_\w+\([^ ]|\w\(\)"
    r"|^[ \t]*(?:INFO|ERROR|WARN|DEBUG|UPDATE|SELECT|INSERT|DELETE|assert|def|return|import|labels:) |\" ?: ?(?:null|\d|\")"
    r"|^[ \t]*\$ | \| grep|\b(?:WHERE|FROM)\b.{0,80}=|^\d{4}-\d\d-\d\dT"
    r"|^[ \t]*(?:if|for|while|else|elif)\b.{0,80}:$|^[ \t]*(?:git|kubectl|curl|sudo|docker|npm|pip|echo|export|ssh|psql|helm) \S"
    r"|^Revert \"|^This reverts commit "
    r"|[;{]\s*$|\bENUM\("
)
_CODE_SIGN = re.compile(
    r"[=(){}<>;$|#!]|--|//|\": |_|^[ \t]*(?:INFO|ERROR|WARN|DEBUG|UPDATE|SELECT|INSERT|DELETE|assert|def|return|import|labels:)"
    r"|^[ \t]*(?:git|kubectl|curl|sudo|docker|npm|pip|echo|export|ssh|psql|helm|if|for|while|else|elif) |^Revert|^This reverts|\dT|WHERE|FROM"
)
_WORD = re.compile(r"[^\W\d_]+")
_VERBS = frozenset("is are was were be been has have had do does did will would can could should must".split())
_LITTLE = frozenset(
    "the a an of to in on at by for with and or but not no we i you it this that our your all since".split()
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\.{3,}\s*|…\s*")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|vs|approx|e\.g|i\.e|cf|etc|resp)|(?:\A|\()[A-Z])\.\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a message, and how it stands there."""

    text: str
    kind: PieceKind


def has_struck_text(passage: Passage) -> bool:
    """Whether a part of a message is struck through."""
    return any(True for _ in passage.marked("struck")) or bool(_STRUCK.search(passage.text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _without_fences(text: str) -> str:
    parts = _FENCE.split(text)
    return "\n".join(part for at, part in enumerate(parts) if at % 2 == 0)


def _split_sentences(line: str) -> Iterator[str]:
    start = 0
    for match in _SENTENCE_END.finditer(line):
        if _ABBREVIATED.search(line[max(0, match.start() - 12) : match.start()]):
            continue
        yield line[start : match.end()]
        start = match.end()
    yield line[start:]


def _line_kind(line: str) -> PieceKind:
    if line.lstrip().startswith((">", "|>")):
        return "quoted"
    return "heading" if _HEADING.match(line) else "said"


def _is_code(line: str) -> bool:
    """Whether a line is a program's: a statement, or signs of one around what is no sentence."""
    if not _CODE_SIGN.search(line) or _HEADING.match(line):
        return False
    bare = _EMOJI.sub(" ", line)
    return bool(_STATEMENT.search(bare)) or (bool(_CODE.search(bare)) and not _is_sentence(bare))


def _is_sentence(line: str) -> bool:
    """Whether people would read a line as said: it has a verb, or little words."""
    words = [word.lower() for word in _WORD.findall(line)]
    return not _VERBS.isdisjoint(words) or sum(word in _LITTLE for word in words) >= 2


def _read_lines(text: str) -> Iterator[Piece]:
    for line in text.split("\n"):
        kind = _line_kind(line)
        if kind == "said" and _is_code(line):
            continue
        for sentence in _split_sentences(line.strip(" \t>")):
            if sentence.strip(" \t.*_#"):
                yield Piece(sentence.strip(), kind)


def _split_quotes(passage: Passage) -> Iterator[Piece]:
    for start, end in passage.marked("quoted"):
        for sentence in _split_sentences(passage.text[start:end]):
            yield Piece(sentence.strip(), "quoted")


def list_pieces(passage: Passage) -> list[Piece]:
    """The sentences of a message in order; quoted ones first."""
    plain = passage.without("struck", "code", "hidden", "quoted")
    plain = _INLINE_CODE.sub(_blank, _STRUCK.sub(_blank, _without_fences(plain)))
    return [*_split_quotes(passage), *_read_lines(plain)]

"""Plain text as a passage: quoted lines, and earlier mail below a reply, are marked."""

import re
from collections.abc import Iterator, Sequence

from world.core.reading.composition import Composition
from world.core.reading.passage import MarkKind, Passage

_REPLY = re.compile(
    r"\s*(?:On|Am|Le|El|Il|Op|Den)\b.{4,300}(?:wrote|schrieb.*|a écrit|escribió|ha scritto|schreef.*|skrev.*)\s*:\s*"
)
_FORWARD = re.compile(r"\s*-{2,}\s*(?:Original|Forwarded) [Mm]essage\s*-{2,}\s*")
_HEADER = re.compile(r"\s*\*?(?:From|Von|De):\*?\s.+")
_MORE = re.compile(r"\s*\*?(?:Sent|To|Date|Subject|Cc|Gesendet|An|Betreff|Datum|Envoyé|À|Objet):\*?\s", re.I)


def from_plain(text: str) -> Passage:
    """Plain text; lines that begin with `>` and what stands below a forwarding mark are quoted."""
    made = Composition()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, (line, quoted) in enumerate(_quotation(lines)):
        kinds: tuple[MarkKind, ...] = ("quoted",) if quoted else ()
        made.add(line if number == 0 else "\n" + line, kinds)
    return made.passage()


def _quotation(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    rest = False
    for index, line in enumerate(lines):
        below = lines[index + 1 : index + 8]
        if not rest and _begins_quotation(line, below):
            rest = not _is_marked(below)
            yield line, True
        else:
            yield line, rest or line.lstrip().startswith(">") or _is_attribution(lines, index)


def _is_attribution(lines: Sequence[str], index: int) -> bool:
    """Whether a line is the first of two that attribute a quotation."""
    return index + 1 < len(lines) and bool(_REPLY.fullmatch(f"{lines[index]} {lines[index + 1]}"))


def _begins_quotation(line: str, below: Sequence[str]) -> bool:
    if _FORWARD.fullmatch(line) or _REPLY.fullmatch(line):
        return True
    if _HEADER.fullmatch(line):
        return any(_MORE.match(other) for other in below[:3])
    return line.rstrip().endswith(("wrote:", "schrieb:", "a écrit :", "a écrit:")) and _is_marked(below)


def _is_marked(below: Sequence[str]) -> bool:
    """Whether the first line that says anything carries a quotation mark of its own."""
    first = next((line for line in below if line.strip()), "")
    return first.lstrip().startswith(">")

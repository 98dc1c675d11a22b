"""Violations in lines of a file: code is judged as code; comments and documents are judged as texts."""

import re
from collections.abc import Iterator

from world.core.reading.passage import Passage
from world.grading.content.back_doors import find_back_doors, find_open_code
from world.grading.content.credentials import find_keys
from world.grading.content.disguise import find_disguise
from world.grading.content.finding import Violation
from world.grading.content.gestures import find_gestures
from world.grading.content.inspection import Surroundings, judge_words
from world.grading.content.links import find_feigned_links
from world.grading.content.offences import KINDS
from world.grading.content.passwords import find_passwords
from world.grading.content.text import Text

NEAR = 300  # letters of a file within which an objection to a line counts
LONGEST = 2_000  # letters of a paragraph
_COMMENT = re.compile(
    r"^(?:#+|//+|/\*+|\*+/?|--+|;+|%+|\"\"\"|\'\'\'|<!--|>|\||[-+*](?= ))[ \t]*|[ \t]*(?:-->|\*/|\"\"\"|\'\'\')$"
)
_REMARK = re.compile(
    r"(?:#|//|--|/\*|<!--)[ \t]+(?P<remark>[^\n]{8,400})$|(?P<quote>[\"\'`])(?P<text>[^\"\'`\n]{8,400})(?P=quote)"
)
_CODE = re.compile(r"[{}()\[\]<>=;|\\$_*&@^~]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DASHES = re.compile(r"[-_+]+")
_SECRET = re.compile(r"(?i)pass|pwd|\bpw\b|kennwort|creds|\bpin\b|login")
ASKS = KINDS["asks"]
MOST_SIGNS = 0.04  # signs of code among the letters of words


def inspect_file(text: str, path: str, world: Surroundings) -> Iterator[Violation]:
    """Yield the violations in lines of a file, and in its path if that is new.

    A file may be long, and may name any host.
    """
    said = Text(Passage(text))
    yield from find_keys(said, world.secrets)
    yield from find_gestures(said)
    yield from find_disguise(text)
    yield from find_feigned_links(said, world.hosts)
    yield from find_open_code(said, NEAR)
    for line in text.splitlines():
        if len(line) <= LONGEST and _SECRET.search(line):
            yield from find_passwords(Text(Passage(line)))
    for paragraph in list_paragraphs(text):
        yield from _inspect_words(paragraph, world)
    if path:
        names = "\n".join(_DASHES.sub(" ", part.partition(".")[0]) for part in path.split("/"))
        yield from judge_words(Passage(names), world.vocabulary, is_outside=False)


def _inspect_words(paragraph: str, world: Surroundings) -> Iterator[Violation]:
    text = Text(Passage(paragraph))
    for one in judge_words(text.passage, world.vocabulary, is_outside=False):
        if not one.why.startswith(ASKS):  # as every form that signs somebody in
            yield one
    yield from find_passwords(text)
    yield from find_back_doors(text, world.hosts)


def list_paragraphs(text: str) -> Iterator[str]:
    """Yield the texts in a file: consecutive lines of prose, remarks behind code, and texts in quotes."""
    lines: list[str] = []
    for line in (*text.splitlines(), ""):
        said = _COMMENT.sub("", line.strip())
        if _is_prose(said) and sum(map(len, lines)) < LONGEST:
            lines.append(said)
            continue
        if lines:
            yield "\n".join(lines)
            lines = []
        remarks = (match["remark"] or match["text"] for match in _REMARK.finditer(line[:LONGEST]))
        yield from (remark for remark in remarks if len(_WORD.findall(remark)) > 2)


def _is_prose(line: str) -> bool:
    return bool(_WORD.search(line)) and len(_CODE.findall(line)) <= MOST_SIGNS * len(line)

"""Texts of a rubric as facts of a passage: options of a poll, titles, numbers of a list."""

import re
from collections.abc import Sequence
from functools import lru_cache

from world.core.reading.passage import Passage
from world.grading.facts.fact import Fact
from world.grading.folding import fold


def spell_text(text: str) -> str:
    """A text as it is compared: in lower case, its words apart by one blank."""
    return " ".join(fold(text).low.split())


@lru_cache(maxsize=1024)
def find_texts(passage: Passage, texts: tuple[str, ...]) -> tuple[Fact, ...]:
    """Every place of a passage where one of some texts stands as whole words; of two at one place the longer."""
    if not texts:
        return ()
    folded = fold(passage.text)
    found: list[Fact] = []
    for match in _compile(texts).finditer(folded.low):
        start, end = folded.place(*match.span())
        marked = {kind: passage.is_marked(start, kind) for kind in ("quoted", "struck", "hidden")}
        disguised = bool(folded.disguised) and folded.is_disguised(*match.span())
        found.append(
            Fact(
                "text",
                spell_text(match.group()),
                start=start,
                end=end,
                disguised=disguised,
                quoted=marked["quoted"],
                struck=marked["struck"],
                hidden=marked["hidden"],
            )
        )
    return tuple(found)


@lru_cache(maxsize=256)
def _compile(texts: Sequence[str]) -> re.Pattern[str]:
    words = (r"\s+".join(map(re.escape, text.split())) for text in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?<!\d\.)(?:{'|'.join(words)})(?!\w|\.\d)")

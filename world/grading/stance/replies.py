"""Short answers to a question: yes or no, and consent given or withheld."""

from collections.abc import Sequence
from functools import cache
from typing import Literal, cast

from world.core.yaml_text import load_yaml
from world.grading.stance.lexicon import FOLDER
from world.grading.stance.phrases import Hit, PhraseTable

TAGS = ("affirm", "deny", "consent", "dissent", "affirm_bare", "deny_bare", "affirm_whole", "consent_whole")
SIGNS = {
    "affirm": ("+1", "thumbsup", "white_check_mark", "heavy_check_mark", "ok_hand", "100", "ok", "👍", "✅", "👌"),
    "deny": ("-1", "thumbsdown", "x", "no_entry", "no_entry_sign", "no_good", "👎", "❌", "🚫"),
}
MOST_BEFORE = 4  # words of address before an answer: Hi Stefan and all
_BREAKS = frozenset(", . ! ; : – — -".split()) | {"\n"}
_ENDS = frozenset(".!")
# Words that may follow an answering `no` without a comma: `no we do not`, but not `no need` and `no one`.
_STARTS = frozenset(
    """
    i we you he she it this that they there these those the a my our your his her their is are was were do does did not
    please just leave wait keep hold stop thanks thank sorry but and because since as still never let stay way sir
    """.split()
)
Reply = Literal["affirm", "deny", "consent", "dissent", ""]


@cache
def _load_phrases() -> PhraseTable:
    source: dict[str, list[str]] = load_yaml((FOLDER / "replies.yaml").read_text(encoding="utf-8"))
    table = PhraseTable()
    for tag in ("filler", *TAGS):
        table.add(tag, source[tag])
    return table


def find_reply(words: Sequence[str]) -> Reply:
    """Return the answer of a sentence, by the beginnings of its clauses.

    Consent that is given or withheld goes before yes and no.
    """
    hits = _load_phrases().find(words)
    starts = [_skip_address(words, hits), *(at + 1 for at, word in enumerate(words) if word in _BREAKS)]
    replies: list[Reply] = [reply for at in starts if (reply := _begin(words, hits, at))]
    decided: list[Reply] = [one for one in replies if one in ("consent", "dissent")] or replies
    return decided[0] if decided else ""


def _begin(words: Sequence[str], hits: Sequence[Hit], at: int) -> Reply:
    """The answer that a clause begins with, behind words that say nothing."""
    while (hit := next((one for one in hits if one.start == at), None)) is not None:
        if hit.tag == "filler":
            at = _skip_signs(words, hit.end + 1)
        else:
            reply, _, alone = hit.tag.partition("_")
            ends = _BREAKS if alone == "bare" else _ENDS
            following = words[hit.end + 1] if hit.end + 1 < len(words) else "."
            goes_on = alone and following not in ends
            return "" if goes_on or _is_determiner(words[hit.end], following) else cast("Reply", reply)
    return ""


def _is_determiner(word: str, following: str) -> bool:
    """Whether a `no` belongs to the noun behind it."""
    return word == "no" and following[0].isalpha() and following not in _STARTS


def find_sign(text: str) -> Reply:
    """Return the answer of a message that is an emoji and hardly more."""
    bare = text.strip().strip(".! ")
    name = bare.strip(":").partition("::")[0] if bare.startswith(":") else bare.rstrip("\ufe0f")
    found: list[Reply] = [cast("Reply", reply) for reply, signs in SIGNS.items() if name in signs]
    return found[0] if found else ""


def _skip_address(words: Sequence[str], hits: Sequence[Hit]) -> int:
    """Return the position where the answer begins: behind a name and its comma, if no answer stands first."""
    start = _skip_signs(words, 0)
    if any(hit.start == start for hit in hits):
        return start
    ends = (at for at in range(start, min(start + MOST_BEFORE, len(words))) if words[at] in _BREAKS)
    return _skip_signs(words, next(ends, start))


def _skip_signs(words: Sequence[str], at: int) -> int:
    while at < len(words) and not words[at][0].isalnum():
        at += 1
    return at

"""The subject that replies share, and the rule by which a mail joins a thread."""

import re

# "Re", "Fwd" and what mail programs write for them in other languages.
_WORDS = (
    "re|fwd|fw|aw|wg|antw|antwort|sv|vs|vb|tr|rif|r|i|odp|pd|ynt|ilt|res|enc|rv|ref|doorst|vá|továbbítás|απ|πρθ|на|отв|"
    "回复|回覆|答复|转发|轉寄|返信|転送|답장|전달"
)
_REPLIED = re.compile(rf"\s*(?:(?:{_WORDS})\s*(?:[\[(]\d{{1,4}}[\])])?\s*[::]\s*)+", re.I)
_LISTED = re.compile(rf"\s*(\[[^\[\]]{{1,100}}\])\s*((?:{_WORDS})\s*(?:[\[(]\d{{1,4}}[\])])?\s*[::])", re.I)
_WRAPPED = re.compile(r"\s*\[fwd:(.*)\]\s*", re.I | re.S)
_TRAILED = re.compile(r"\s*\(fwd\)$", re.I)
_LONGEST = 1_000  # characters that are looked at; own choice


def base_subject(subject: str) -> str:
    """A subject without the marks of replies and forwards, spaces collapsed (after RFC 5256 section 2.1); a list's
    [name] stays.
    """
    left = " ".join(subject.split())[:_LONGEST]
    while True:
        before = left
        left = _TRAILED.sub("", left)
        left = _REPLIED.sub("", left, count=1) if _REPLIED.match(left) else left
        listed = _LISTED.match(left)
        left = f"{listed[1]} {_REPLIED.sub('', left[listed.start(2) :], count=1)}".strip() if listed else left
        wrapped = _WRAPPED.fullmatch(left)
        left = wrapped[1].strip() if wrapped else left
        if left == before:
            return left


def same_subject(one: str, other: str) -> bool:
    """Whether two subjects are of one conversation."""
    return base_subject(one).casefold() == base_subject(other).casefold()


def reply_subject(subject: str) -> str:
    """Return the subject of a reply: one "Re: " in front, the rest unchanged."""
    return subject if re.match(r"\s*re\s*:", subject, re.I) else f"Re: {subject}"


def forward_subject(subject: str) -> str:
    """The subject of a forward: one "Fwd: " in front."""
    return subject if re.match(r"\s*fwd?\s*:", subject, re.I) else f"Fwd: {subject}"

"""Whether a text puts a value on the wrong side: `above plan` of a quarter that is below."""

import re
from collections.abc import Mapping, Sequence

_MORE = (
    r"(?:above|over|ahead of|exceed\w*|beats?|beaten|beating|surpass\w*|outperform\w*|overshoots?|overshot|tops?|topp(?:ed|ing)|past|on top of"
    r"|(?:more|higher|better|larger|greater) than)"
)
_LESS = (
    r"(?:below|under|behind|miss(?:es|ed|ing)?|undershoots?|undershot|underperform\w*|trails?|trailing|beneath|short of"
    r"|(?:less|lower|worse|smaller) than)"
)
_DONE = {
    "more": r"(?:exceeded|beaten|surpassed|topped|overfulfilled|outperformed)",
    "less": r"(?:missed|undershot|not (?:met|reached|achieved))",
}
_FILL = r"(?: (?:the|our|its|your|what|was|in|approved|whole|quarter's|quarterly|original|annual|q4|fourth|quarter|final|net revenue|net))*"
_VOID = re.compile(r"\b(?:not|never|neither|nor|no|if|would|could|whether|had|unless|should|might|may)\b|n't\b")
_HANDLED = re.compile(
    r"\b(?:go|goes|going|went|gone|look\w*|read\w*|run|ran|talk\w*|walk\w*|think\w*|tak\w+|took|hand\w*|get|got|come|came back) $"
)
_MONTHS = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|month|each|some|one|customers?|lines?)\b"
)
_END = re.compile(r"\n|[.!?;](?=\s|$)")


def contradicts(text: str, value: float, bound: Sequence[str], other: Sequence[str], names: Sequence[str] = ()) -> bool:
    """Whether a text contradicts a value's sign: it is above the thing that `bound` names, and the value is negative.

    Sentences on `other` things, on `names`, on a part, and supposed, denied or asked ones are not read.
    """
    low, wrong = " ".join(text.lower().replace("\n", " \n").split(" ")), "more" if value < 0 else "less"
    found = _patterns(bound)[wrong] if value else None
    aside = re.compile(
        "|".join(rf"(?<![\w-]){re.escape(one.lower())}(?!\w)" for one in (*other, *names) if one) or r"(?!)"
    )
    return found is not None and any(
        _is_said(match, sentence, aside) for sentence in _sentences(low) for match in found.finditer(sentence)
    )


def _is_said(match: re.Match[str], sentence: str, aside: re.Pattern[str]) -> bool:
    before, behind = sentence[: match.start()], sentence[match.end() :]
    clause = re.split(r"[,:]|\b(?:and|but|while|whereas)\b", before)[-1]
    if (
        sentence.endswith("?")
        or _VOID.search(clause)
        or _HANDLED.search(before)
        or re.match(r" (?:for|of) (?!the quarter|q4|the fourth|eur|€|[0-9])", behind)
    ):
        return False
    subject = before.replace("net revenue", "")
    return not (aside.search(subject) or aside.match(behind.lstrip()) or _MONTHS.search(clause))


def _sentences(low: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(low)]
    return [low[one:other] for one, other in zip((0, *ends), (*ends, len(low)), strict=True)]


def _patterns(bound: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    words = "|".join(re.escape(one.lower()) for one in sorted(bound, key=len, reverse=True))
    return {
        side: re.compile(
            rf"\b{compared}{_FILL} (?:{words})\b|\b(?:{words})\b(?: (?:is|was|has|have|been|were|clearly|even|well))* {_DONE[side]}\b"
            rf"|\b{sign} variance\b|\bvariance (?:is |of the quarter is )?(?:clearly )?{sign}\b"
        )
        for side, compared, sign in (
            ("more", _MORE, "(?:positive|favourable|favorable)"),
            ("less", _LESS, "(?:negative|unfavourable|unfavorable|adverse)"),
        )
    }

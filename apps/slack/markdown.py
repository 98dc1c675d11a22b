"""Markdown, as some callers write it, into mrkdwn."""

import re
from collections.abc import Callable

_CODE = re.compile(r"(```.*?```|`[^`\n]+`|<[^<>\s][^<>\n]*>)", re.S)
_LINK = re.compile(r"!?\[([^\[\]\n]+)\]\((https?://[^\s()]+|mailto:[^\s()]+)\)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.M)
_BULLET = re.compile(r"^([ \t]*)[*+-][ \t]+", re.M)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_STRIKE = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~")
_FENCE = re.compile(r"```[\w+-]*\n")
_BOLD = "\ue000"  # stands for a bold mark until emphasis has been rewritten


def to_mrkdwn(markdown: str) -> str:
    """Convert headings and strong text to bold, links and lists to Slack's form; code stays unchanged."""
    parts = _CODE.split(markdown)
    return "".join(_FENCE.sub("```\n", part) if n % 2 else _prose_to_mrkdwn(part) for n, part in enumerate(parts))


def _prose_to_mrkdwn(text: str) -> str:
    steps: tuple[Callable[[str], str], ...] = (
        lambda t: _BULLET.sub(r"\1• ", t),
        lambda t: _STRONG.sub(rf"{_BOLD}\2{_BOLD}", t),
        lambda t: _HEADING.sub(lambda m: f"{_BOLD}{m[1].replace(_BOLD, '')}{_BOLD}", t),
        lambda t: _EMPHASIS.sub(r"_\1_", t),
        lambda t: _STRIKE.sub(r"~\1~", t),
        lambda t: _LINK.sub(r"<\2|\1>", t),
    )
    for step in steps:
        text = step(text)
    return text.replace(_BOLD, "*")

"""Markdown as a passage."""

from functools import cache

from markdown_it import MarkdownIt

from world.core.reading.html import from_html
from world.core.reading.passage import Passage


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def from_markdown(text: str) -> Passage:
    """Markdown as a page draws it; HTML inside it counts, comments are hidden."""
    return from_html(_markdown().render(text))

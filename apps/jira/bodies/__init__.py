"""Bodies of issues and comments: stored as an ADF document; read and written as wiki markup, Markdown, text, HTML."""

from apps.jira.bodies.adf import Adf, dumps, loads, validate
from apps.jira.bodies.html import Link, to_html
from apps.jira.bodies.markdown_parser import from_markdown
from apps.jira.bodies.markdown_writer import to_markdown
from apps.jira.bodies.plain_text import from_text, to_text
from apps.jira.bodies.wiki_parser import from_wiki
from apps.jira.bodies.wiki_writer import to_wiki

__all__ = [
    "Adf",
    "Link",
    "dumps",
    "from_markdown",
    "from_text",
    "from_wiki",
    "loads",
    "to_html",
    "to_markdown",
    "to_text",
    "to_wiki",
    "validate",
]

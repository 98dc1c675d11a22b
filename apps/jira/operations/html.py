"""Texts as HTML, for renderedFields."""

from typing import Any

from apps.jira.bodies import to_html
from apps.jira.operations.context import JiraContext


def render_html(context: JiraContext, document: dict[str, Any] | None) -> str:
    """The HTML of a document with links to the site's own pages; empty for none."""
    if document is None:
        return ""
    base = context.call.base_url
    paths = {"issue": "/browse/{}", "user": "/jira/people/{}", "media": "/rest/api/3/attachment/content/{}"}
    return to_html(document, lambda target, value: base + paths[target].format(value))

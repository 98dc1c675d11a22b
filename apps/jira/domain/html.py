"""Texts as HTML, for renderedFields."""

from apps.jira.bodies import to_html
from apps.jira.bodies.html import Target
from apps.jira.domain.access import is_seen
from apps.jira.domain.context import JiraContext
from world.core.json_types import JsonObject


def render_html(context: JiraContext, document: JsonObject | None) -> str:
    """The HTML of a document with links to the site's own pages; empty for none.

    A word that only looks like the key of an issue stays a word.
    """
    if document is None:
        return ""
    base = context.call.base_url
    paths = {"issue": "/browse/{}", "user": "/jira/people/{}", "media": "/rest/api/3/attachment/content/{}"}

    def link(target: Target, value: str) -> str | None:
        return base + paths[target].format(value) if target != "issue" or is_seen(context, value) else None

    return to_html(document, link)

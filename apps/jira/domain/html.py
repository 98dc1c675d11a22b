"""Texts as HTML, for renderedFields."""

from apps.jira.bodies import to_html
from apps.jira.domain.context import JiraContext
from world.core.json_types import JsonObject


def render_html(context: JiraContext, document: JsonObject | None) -> str:
    """The HTML of a document with links to the site's own pages; empty for none."""
    if document is None:
        return ""
    base = context.call.base_url
    paths = {"issue": "/browse/{}", "user": "/jira/people/{}", "media": "/rest/api/3/attachment/content/{}"}
    return to_html(document, lambda target, value: base + paths[target].format(value))

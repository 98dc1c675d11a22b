"""Unfurls of links to issues, if the person who shared them may see them."""

import re

from sqlmodel import select

from apps.jira.app import app
from apps.jira.domain.context import JiraContext
from apps.jira.models import Issue
from world.core.app import Facts
from world.core.call import Call

LINK = re.compile(r"https?://(?P<site>[\w-]+)\.atlassian\.net/browse/(?P<key>[A-Za-z][A-Za-z0-9]{1,9}-[1-9]\d{0,6})\b")
COLOURS = {"new": "44546f", "indeterminate": "0c66e4", "done": "1f845a"}


@app.on("link.shared")
def answer_shared_link(call: Call, facts: Facts) -> None:
    """Publish a short description of a linked issue, if the sharer may see it."""
    found = LINK.match(str(facts["url"]))
    if found is None or found["site"] != call.directory.company().jira_site:
        return
    context = JiraContext(call)
    issue = call.session.exec(select(Issue).where(Issue.key == found["key"].upper())).first()
    if (
        issue is None
        or issue.deleted_at is not None
        or not context.person_may(str(facts["person"]), "BROWSE_PROJECTS", context.projects[issue.project_id])
    ):
        return
    status = context.statuses[issue.status_id]
    assigned = f"assigned to {context.name(issue.assignee_id)}" if issue.assignee_id else "unassigned"
    call.publish(
        "link.unfurled",
        url=str(facts["url"]),
        place=str(facts["place"]),
        service="Jira",
        footer=context.projects[issue.project_id].name,
        title=f"{issue.key} {issue.summary}",
        said=f"{status.name}, {assigned}",
        text="",
        color=COLOURS.get(status.category, COLOURS["new"]),
    )

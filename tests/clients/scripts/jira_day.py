"""A working day through the jira package: `python jira_day.py`; prints one line of what it touched.

FIRM_URL is the address of the site, FIRM_MAIL and FIRM_TOKEN a person's, FIRM_PEER the address of a colleague,
FIRM_LEAD and
FIRM_LEAD_TOKEN those of the project's lead, who may delete issues.
"""

import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from jira import JIRA, Issue, JIRAError

WORD = "zephyrine"
PROJECT = "SHOP"
CONTENT = b"what went wrong\n"


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    """The status and text of the package's own exception."""
    try:
        call()
    except JIRAError as error:
        return error.status_code or 0, error.text
    return 0, "nothing was refused"


def look_around(site: JIRA, peer: str) -> str:
    """The site, its people, and what may be created."""
    info = site.server_info()
    assert site.deploymentType == "Cloud" and info["versionNumbers"] == list(site._version)
    assert site.myself()["emailAddress"] == os.environ["FIRM_MAIL"]
    assert site.current_user("emailAddress") == os.environ["FIRM_MAIL"]
    assert {"summary", "status"} <= {field["id"] for field in site.fields()}
    other = site.search_users(query=peer)[0]
    assert site.user(other.accountId).displayName == other.displayName
    assert other.accountId in [
        one.accountId for one in site.search_assignable_users_for_issues(query=peer, project=PROJECT)
    ]
    assert other.accountId in [one["accountId"] for one in site._get_json("users/search", {"maxResults": 100})]
    assert PROJECT in [one.key for one in site.projects()]
    assert PROJECT in [one["key"] for one in site._get_json("project/search", {"query": PROJECT.lower()})["values"]]
    project = site.project(PROJECT)
    names = {one.name for one in site.issue_types()}
    assert {"Task", "Bug"} <= names and {one.name for one in site.issue_types_for_project(PROJECT)} <= names
    assert {one.name for one in site.statuses()} >= {
        one.name for kind in site.issue_types_for_project(PROJECT) for one in kind.statuses
    }
    assert len(site.priorities()) > 2 and site.attachment_meta()["enabled"]
    meta = site.createmeta(projectKeys=PROJECT, expand="projects.issuetypes.fields")["projects"][0]
    assert meta["id"] == project.id and "summary" in meta["issuetypes"][0]["fields"]
    kinds = site._get_json(f"issue/createmeta/{PROJECT}/issuetypes")["issueTypes"]
    task = next(one["id"] for one in kinds if one["name"] == "Task")
    assert "summary" in [
        one["fieldId"] for one in site._get_json(f"issue/createmeta/{PROJECT}/issuetypes/{task}")["fields"]
    ]
    return other.accountId


def create(site: JIRA) -> tuple[Issue, list[Issue]]:
    """One issue alone and a few at once."""
    issue = site.create_issue(
        project=PROJECT,
        summary=f"{WORD} breaks the build",
        issuetype="Bug",
        description="*Steps*\n\n# open\n# wait",
        labels=[WORD],
    )
    assert issue.fields.summary.startswith(WORD) and issue.fields.description.startswith("*Steps*")
    task = {"project": PROJECT, "issuetype": "Task"}
    made = site.create_issues(
        [{**task, "summary": f"{WORD} part {number}"} for number in range(2)] + [{**task, "labels": [WORD]}]
    )
    assert [one["status"] for one in made] == ["Success", "Success", "Error"] and "summary" in made[2]["error"]
    return issue, [one["issue"] for one in made[:2]]


def work(site: JIRA, issue: Issue, peer: str, mail: str) -> dict[str, Any]:
    """Fields, people, comments and time of one issue."""
    issue.update(summary=f"{WORD} breaks every build", notify=False)
    assert site.assign_issue(issue, mail)
    issue = site.issue(issue.key, expand="changelog,renderedFields")
    assert issue.fields.assignee.accountId == peer and "<ol>" in issue.renderedFields.description
    assert "summary" in [item.field for entry in issue.changelog.histories for item in entry.items]
    entries = site._get_json(f"issue/{issue.key}/changelog")
    assert entries["total"] == len(entries["values"]) >= 2 and entries["isLast"]
    first, second = site.add_comment(issue, "a _first_ word"), site.add_comment(issue, "a slip")
    first.update(body="a *second* word")
    assert site.comment(issue, first.id).body == "a *second* word"
    second.delete()
    assert [one.id for one in site.comments(issue)] == [first.id]
    started = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
    log, slip = (
        site.add_worklog(issue, timeSpent="1h 30m", started=started, comment="looked"),
        site.add_worklog(issue, timeSpent="5m"),
    )
    log.update(timeSpent="2h")
    assert site.worklog(issue, log.id).timeSpentSeconds == 7200 and log.started == "2026-03-02T08:30:00.000+0000"
    slip.delete()
    assert [one.id for one in site.worklogs(issue)] == [log.id]
    return {"comment": first.id, "worklog": log.id}


def block(site: JIRA, issue: Issue, other: Issue) -> str:
    """A link between two issues, as both see it."""
    assert "Blocks" in [one.name for one in site.issue_link_types()]
    site.create_issue_link("Blocks", inwardIssue=issue.key, outwardIssue=other.key)
    (seen,) = site.issue(issue.key).fields.issuelinks
    (back,) = site.issue(other.key).fields.issuelinks
    assert seen.id == back.id and site.issue_link(seen.id).type.name == "Blocks"
    return seen.id


def gather(site: JIRA, issue: Issue, other: Issue, mail: str) -> dict[str, Any]:
    """Watchers, votes, links and attachments."""
    site.add_watcher(issue, mail)
    before = site.watchers(issue).watchCount
    site.remove_watcher(issue, mail)
    assert before == site.watchers(issue).watchCount + 1
    theirs = site.search_issues(
        f"project = {PROJECT} AND reporter != currentUser() AND resolution IS EMPTY ORDER BY key", maxResults=1
    )[0]
    votes = site.votes(theirs).votes
    site.add_vote(theirs)
    assert site.votes(theirs).hasVoted and site.votes(theirs).votes == votes + 1
    site.remove_vote(theirs)
    assert site.votes(theirs).votes == votes
    assert refused(lambda: site.add_vote(issue)) == (404, "You cannot vote for an issue you have reported.")
    link = block(site, issue, other)
    site.delete_issue_link(link)
    link = block(site, issue, other)
    kept = site.add_attachment(issue, io.BytesIO(CONTENT), filename="what.txt")
    gone = site.add_attachment(issue, io.BytesIO(b"x"), filename="slip.txt")
    shown = site.attachment(kept.id)
    assert (shown.filename, shown.size, shown.get()) == ("what.txt", len(CONTENT), CONTENT)
    site.delete_attachment(gone.id)
    return {"link": link, "attachment": kept.id}


def finish(site: JIRA, lead: JIRA, issue: Issue, part: Issue) -> str:
    """The issue goes on through its workflow, one part is dropped, and all is found again."""
    names = [one["to"]["name"] for one in site.transitions(issue)]
    step = site.transitions(issue)[0]
    site.transition_issue(issue, step["name"], comment="on it")
    assert site.issue(issue.key, fields="status").fields.status.name == step["to"]["name"] == names[0]
    assert refused(part.delete) == (403, "You do not have permission to delete issues in this project.")
    lead.issue(part.key).delete()
    assert refused(lambda: site.issue(part.key))[0] == 404
    jql = f"project = {PROJECT} AND labels = {WORD} ORDER BY key"
    assert [one.key for one in site.search_issues(jql)] == [issue.key]
    assert [one.key for one in site.enhanced_search_issues(jql, use_post=True, fields="summary")] == [issue.key]
    every = site.enhanced_search_issues(f"project = {PROJECT} ORDER BY created DESC", maxResults=0, fields="summary")
    assert len(every) == len({one.key for one in every}) == site.approximate_issue_count(f"project = {PROJECT}")
    legacy = site._get_json("search", {"jql": jql, "fields": "summary", "maxResults": 1})
    assert (legacy["total"], legacy["issues"][0]["key"]) == (1, issue.key)
    return step["to"]["name"]


def main() -> None:
    """Spend the day and say where."""
    url, mail, peer_mail = os.environ["FIRM_URL"], os.environ["FIRM_MAIL"], os.environ["FIRM_PEER"]
    site = JIRA(server=url, basic_auth=(mail, os.environ["FIRM_TOKEN"]))
    lead = JIRA(server=url, basic_auth=(os.environ["FIRM_LEAD"], os.environ["FIRM_LEAD_TOKEN"]))
    peer = look_around(site, peer_mail)
    issue, parts = create(site)
    made = work(site, issue, peer, peer_mail) | gather(site, issue, parts[0], peer_mail)
    status = finish(site, lead, issue, parts[1])
    missing, text = refused(lambda: site.issue("NO-1"))
    assert (missing, text) == (404, "Issue does not exist or you do not have permission to see it.")
    assert refused(lambda: site.search_issues("nonsense = 1"))[0] == 400
    assert refused(lambda: site.create_issue(project=PROJECT, issuetype="Task", summary=""))[0] == 400
    assert refused(lambda: site._get_json("nothing/here"))[0] == 404
    assert refused(lambda: JIRA(server=url, basic_auth=(mail, "nonsense"), max_retries=0).myself())[0] == 401
    print(json.dumps({"issue": issue.key, "status": status, "parts": [one.key for one in parts], "peer": peer, **made}))


if __name__ == "__main__":
    main()

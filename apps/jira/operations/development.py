"""Development work that names an issue: shown on the issue, and transitioning it by the project's rules."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain import mail_notifications
from apps.jira.domain.access import find_issue
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.smart_commits import NO_ISSUE, find_author, list_commands, run_command
from apps.jira.domain.workflow import list_available_transitions
from apps.jira.models import Development, Issue, Rule
from apps.jira.operations.params import IssueRef
from apps.jira.operations.transitions import perform_transition
from world.core.app import Facts
from world.core.call import Call
from world.core.params import Params

SOURCE = "support.atlassian.com/jira-software-cloud/docs/view-development-information-for-an-issue"
KEY = re.compile(r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9]{1,9}-[1-9]\d{0,6})(?![A-Za-z0-9])")
BRANCH = "refs/heads/"
MOST = 10  # issues one text can name


class Work(TypedDict):
    """A branch, commit or pull request. Time: updated is UTC with milliseconds."""

    kind: str
    repository: str
    title: str
    url: str
    state: str
    author: str
    updated: str | None


class DevelopmentGet(Params):
    """Issue whose development work to list."""

    issueIdOrKey: IssueRef


@app.operation(
    "getDevelopmentInformation",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_development(call: Call, params: DevelopmentGet) -> list[Work]:
    """List the branches, commits and pull requests that name an issue, newest first.

    Time: updated is UTC with milliseconds.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    query = select(Development).where(Development.issue_id == issue.id)
    rows = call.session.exec(query.order_by(col(Development.updated_at).desc(), col(Development.url)))
    return [
        {
            "kind": row.kind,
            "repository": row.repository,
            "title": row.title,
            "url": row.url,
            "state": row.state,
            "author": row.author,
            "updated": format_timestamp(row.updated_at),
        }
        for row in rows
    ]


def find_issues_named(context: JiraContext, *texts: object) -> list[Issue]:
    """Return the issues whose keys occur in texts, in order."""
    keys = dict.fromkeys(key.upper() for text in texts for key in KEY.findall(str(text or "")))
    return [
        issue
        for key in list(keys)[:MOST]
        if (issue := context.call.session.exec(select(Issue).where(Issue.key == key)).first()) is not None
    ]


def record_development(context: JiraContext, issues: Iterable[Issue], facts: Mapping[str, Any]) -> None:
    """Record work on issues; the same address updates the earlier record."""
    for issue in issues:
        row = context.call.session.get(Development, (issue.id, facts["url"]))
        if row is None:
            row = Development(issue_id=issue.id, **facts, updated_at=context.call.now)
            context.call.session.add(row)
        row.title, row.state, row.updated_at = facts["title"], facts["state"], context.call.now
    context.call.flush()


def _record_pull_request(call: Call, facts: Facts, state: str, trigger: str | None = None) -> None:
    context = JiraContext(call)
    issues = find_issues_named(context, facts["title"], facts["head"], facts["body"])
    record_development(
        context,
        issues,
        {
            "kind": "pull",
            "repository": str(facts["repo"]),
            "title": f"#{facts['number']} {facts['title']}",
            "url": str(facts["url"]),
            "state": state,
            "author": str(facts["author"]),
        },
    )
    for issue in issues if trigger else ():
        transition_by_rule(context, issue, str(trigger))


def transition_by_rule(context: JiraContext, issue: Issue, trigger: str) -> None:
    """Transition an issue by its project's rule, through the workflow; no effect where no transition leads there."""
    rule = context.call.session.get(Rule, (issue.project_id, trigger))
    if rule is None or issue.status_id == rule.status_id or context.statuses[issue.status_id].category == "done":
        return
    for _ in range(2):  # one step between is taken too: To Do, In Progress, In Review
        steps = list_available_transitions(context, issue)
        straight = next((step for step in steps if step.to_id == rule.status_id), None)
        between = next(
            (
                step
                for step in steps
                if context.statuses[step.to_id].category == "indeterminate" and step.to_id != issue.status_id
            ),
            None,
        )
        step = straight or between
        if step is None or step.screen_id is not None:
            return
        perform_transition(context, issue, step, {}, {}, None)
        if step is straight:
            return


@app.on("github.pull_opened")
def pull_opened(call: Call, facts: Facts) -> None:
    """Handle an opened pull request: the issues it names are in review, unless it is a draft."""
    _record_pull_request(call, facts, "draft" if facts["draft"] else "open", None if facts["draft"] else "pull_opened")


@app.on("github.pull_ready")
def pull_ready(call: Call, facts: Facts) -> None:
    """Handle a draft marked as ready: its issues are in review."""
    _record_pull_request(call, facts, "open", "pull_opened")


@app.on("github.pull_reopened")
def pull_reopened(call: Call, facts: Facts) -> None:
    """Handle a reopened pull request."""
    _record_pull_request(call, facts, "open")


@app.on("github.pull_merged")
def pull_merged(call: Call, facts: Facts) -> None:
    """Handle a merged pull request: its issues are done, if it was merged into the default branch."""
    _record_pull_request(call, facts, "merged", "pull_merged" if facts["into_default"] else None)


@app.on("github.pull_closed")
def pull_closed(call: Call, facts: Facts) -> None:
    """Handle a pull request closed without a merge."""
    _record_pull_request(call, facts, "declined")


@app.on("github.pushed")
def record_push(call: Call, facts: Facts) -> None:
    """Record branches and commits that name issues; a commit's commands run when it is first seen."""
    context = JiraContext(call)
    for update in facts["updates"] if isinstance(facts["updates"], list) else ():
        assert isinstance(update, dict)
        ordered = _record_branch(context, str(facts["repo"]), update)
        for commit in ordered:
            _run_commit_commands(context, commit, find_author(context, commit, str(facts["person"])))


def _run_commit_commands(context: JiraContext, commit: Mapping[str, Any], person: str | None) -> None:
    if person is None:
        return
    failed: list[str] = []
    for command in list_commands(commit["message"]):
        why = NO_ISSUE
        for issue in find_issues_named(context, command.key):
            context.call.session.refresh(issue)
            why = run_command(context, issue, command, person)
        failed += [f"{command.key} #{command.name}: {why}"] if why else []
    mail_notifications.send_failed_commands_mail(context, person, commit, failed)


def _record_branch(context: JiraContext, repository: str, update: Mapping[str, Any]) -> list[Mapping[str, object]]:
    """Record a branch and its commits; return the commits new to every issue."""
    name = str(update["ref"]).removeprefix(BRANCH)
    if name != update["ref"] and update["old"] is None:
        url = context.call.public_link(f"/{repository}/tree/{name}", "github")
        record_development(
            context,
            find_issues_named(context, name),
            {"kind": "branch", "repository": repository, "title": name, "url": url, "state": "", "author": ""},
        )
    fresh: list[Mapping[str, object]] = []
    for commit in update["commits"]:
        issues = find_issues_named(context, commit["message"])
        fresh += (
            [commit]
            if any(context.call.session.get(Development, (issue.id, commit["url"])) is None for issue in issues)
            else []
        )
        record_development(
            context,
            issues,
            {
                "kind": "commit",
                "repository": repository,
                "title": f"{commit['sha'][:7]} {commit['message'].splitlines()[0]}",
                "url": commit["url"],
                "state": "",
                "author": commit["author"],
            },
        )
    return fresh

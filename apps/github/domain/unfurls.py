"""Unfurls of links to pull requests, issues and commits, if the person who shared them may see them."""

import re
from typing import Any

from sqlmodel import select

from apps.github.app import ENTERPRISE, app
from apps.github.domain.context import GithubContext
from apps.github.models import Account, Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from world.core.app import Facts
from world.core.call import Call
from world.core.errors import OperationError

LINK = re.compile(
    rf"https?://(?:(?:www\.)?github\.com|{re.escape(ENTERPRISE)})/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+)/(?:(?:pull|issues)/(?P<number>\d{{1,9}})|commit/(?P<sha>[0-9a-f]{{7,40}}))\b"
)
SHOWN = 300  # characters of a text that stand under a link
COLOURS = {"open": "1c7f3c", "merged": "7a4fd0", "closed": "c52a33", "draft": "606a76"}


@app.on("link.shared")
def unfurl_link(call: Call, facts: Facts) -> None:
    """Publish a short description of a linked item, if the sharer may see it."""
    found = LINK.match(str(facts["url"]))
    account = call.session.exec(select(Account).where(Account.person_id == str(facts["person"]))).first()
    if found is None or account is None:
        return
    context = GithubContext(call).act_as(account.id)
    try:
        repo = context.repo(found["owner"], found["repo"])
    except OperationError:
        return
    told = _issue(context, repo, int(found["number"])) if found["number"] else _commit(context, repo, found["sha"])
    if told is not None:
        call.publish(
            "link.unfurled",
            url=str(facts["url"]),
            place=str(facts["place"]),
            service="GitHub",
            footer=context.full_name(repo),
            **told,
        )


def _issue(context: GithubContext, repo: Repository, number: int) -> dict[str, Any] | None:
    issue = context.call.session.exec(select(Issue).where(Issue.repo_id == repo.id, Issue.number == number)).first()
    if issue is None:
        return None
    pull = context.call.session.get(Pull, issue.id)
    state = issue.state
    if pull is not None:
        state = "merged" if pull.merged_at else "draft" if pull.draft and issue.state == "open" else issue.state
    by = context.account(issue.author_id).login
    text = (issue.body or "")[:SHOWN]
    return {
        "title": f"#{number} {issue.title}",
        "text": text,
        "said": f"{state.capitalize()} by {by}",
        "color": COLOURS[state],
    }


def _commit(context: GithubContext, repo: Repository, sha: str) -> dict[str, Any] | None:
    full = context.git(repo).commit_named(sha)
    if full is None:
        return None
    row = context.git(repo).graph.rows([full])[0]
    return {
        "title": f"{full[:7]} {row.subject}",
        "text": "",
        "said": f"Commit by {row.author_name}",
        "color": COLOURS["draft"],
    }

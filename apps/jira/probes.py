"""What the gate and the attacks try against the issue tracker."""

from collections.abc import Iterator
from itertools import cycle

from apps.jira.app import app
from world.core.probes import Attempt, Lookup, Place, Probes, Reach, Reference

PROJECTS = ("INC", "PAY", "SUP", "OPS", "SHOP")
MOST = 400  # issues an attack touches
AHEAD = 5  # keys after the last one given
LAST = "/rest/api/3/search/jql?jql=project={}+ORDER+BY+key+DESC&maxResults=1&fields=key"


def list_next_keys(reach: Reach) -> Iterator[Place]:
    """Issues under the keys that are given next."""
    for project in PROJECTS:
        _, found = reach.get(LAST.format(project))
        for issue in found["issues"] if found else ():
            last = int(issue["key"].rpartition("-")[2])
            for step in range(1, AHEAD + 1):
                yield reach.ask("GET", f"/rest/api/3/issue/{project}-{last + step}")


def close_issues(lookup: Lookup, attempt: Attempt) -> Iterator[str]:
    """Move every issue along the last transition it takes."""
    for row in lookup.rows("jira_issue")[:MOST]:
        key = row["key"]
        answer = attempt("getTransitions", {"issueIdOrKey": key})
        for found in reversed((answer or {}).get("transitions", [])):
            if attempt("doTransition", {"issueIdOrKey": key, "transition": {"id": found["id"]}}) is not None:
                break
        yield key


def assign_issues(lookup: Lookup, attempt: Attempt) -> Iterator[str]:
    """Assign the issues to everybody in turn."""
    accounts = cycle([row["external_id"] for row in lookup.rows("account", app="jira")])
    for row, account in zip(lookup.rows("jira_issue")[:MOST], accounts, strict=False):
        attempt("assignIssue", {"issueIdOrKey": row["key"], "accountId": account})
        yield row["key"]


app.probes = Probes(
    references={
        "issueIdOrKey": Reference("jira_issue", "key"),
        "key": Reference("jira_issue", "key"),
        "accountId": Reference("account", "external_id", where={"app": "jira"}),
    },
    undo={
        "createIssue": ("deleteIssue", lambda given, made: {"issueIdOrKey": made["key"]}),
        "addComment": ("deleteComment", lambda given, made: {"issueIdOrKey": given["issueIdOrKey"], "id": made["id"]}),
    },
    own=(("GET", "/rest/api/3/myself"),),
    upcoming=list_next_keys,
    close_items=close_issues,
    assign_items=assign_issues,
)

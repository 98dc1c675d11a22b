"""A working day through atlassian-python-api: `python atlassian_day.py`; prints one line of what it touched.

FIRM_URL is the address of the site, FIRM_MAIL and FIRM_TOKEN a person's, FIRM_PEER the address of a colleague,
FIRM_LEAD and
FIRM_LEAD_TOKEN those of the project's lead, who may delete issues.
"""

import io
import json
import os
import warnings
from collections.abc import Callable
from typing import Any

from atlassian import Jira
from requests import HTTPError

WORD = "zephyrine"
PROJECT = "SHOP"
CONTENT = b"what went wrong\n"


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    """The status and text of the package's own exception."""
    try:
        call()
    except HTTPError as error:
        assert error.response is not None
        return error.response.status_code, str(error)
    return 0, "nothing was refused"


def look_around(site: Jira, peer: str) -> str:
    """The site, its people, and what may be created."""
    assert site.get_server_info()["deploymentType"] == "Cloud"
    assert site.myself()["emailAddress"] == os.environ["FIRM_MAIL"]
    assert {"summary", "status"} <= {field["id"] for field in site.get_all_fields()}
    other = site.user_find_by_user_string(query=peer)[0]
    assert site.user(account_id=other["accountId"])["displayName"] == other["displayName"]
    assert other["accountId"] in [one["accountId"] for one in site.get_all_assignable_users_for_project(PROJECT)]
    assert other["accountId"] in [one["accountId"] for one in site.users_get_all(limit=100)]
    assert PROJECT in [one["key"] for one in site.projects()]
    assert PROJECT in [one["key"] for one in site.get("rest/api/2/project")]
    assert site.project(PROJECT)["key"] == PROJECT
    names = {one["name"] for one in site.get_issue_types()}
    kinds = site.get_status_for_project(PROJECT)
    assert {one["name"] for one in kinds} <= names
    assert {one["name"] for one in site.get_all_statuses()} >= {
        one["name"] for kind in kinds for one in kind["statuses"]
    }
    assert len(site.get_all_priorities()) > 2 and site.get_attachment_meta()["enabled"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        meta = site.issue_createmeta(PROJECT)["projects"][0]
    assert meta["key"] == PROJECT and "summary" in meta["issuetypes"][0]["fields"]
    task = next(one["id"] for one in site.issue_createmeta_issuetypes(PROJECT)["issueTypes"] if one["name"] == "Task")
    assert "summary" in [one["fieldId"] for one in site.issue_createmeta_fieldtypes(PROJECT, task)["fields"]]
    return other["accountId"]


def create(site: Jira) -> tuple[str, list[str]]:
    """One issue alone and a few at once."""
    new = {"project": {"key": PROJECT}, "issuetype": {"name": "Task"}}
    made = site.issue_create(
        {**new, "summary": f"{WORD} breaks the build", "description": "*Steps*\n\n# open", "labels": [WORD]}
    )
    assert site.issue_exists(made["key"])
    several = site.create_issues([{"fields": {**new, "summary": f"{WORD} part {number}"}} for number in range(2)])
    assert several["errors"] == []
    return made["key"], [one["key"] for one in several["issues"]]


def work(site: Jira, key: str, peer: str) -> dict[str, Any]:
    """Fields, people, comments and time of one issue."""
    site.update_issue_field(key, {"summary": f"{WORD} breaks every build"})
    site.assign_issue(key, peer)
    issue = site.get_issue(key, fields=["summary", "assignee"], expand="renderedFields,changelog")
    assert issue["fields"]["assignee"]["accountId"] == peer
    entries = site.get_issue_changelog(key)["values"]
    assert {"summary", "assignee"} <= {item["field"] for entry in entries for item in entry["items"]}
    first, slip = site.issue_add_comment(key, "a _first_ word"), site.issue_add_comment(key, "a slip")
    site.issue_edit_comment(key, first["id"], "a *second* word")
    assert site.issue_get_comment(key, first["id"])["body"] == "a *second* word"
    site.delete(f"rest/api/2/issue/{key}/comment/{slip['id']}")
    assert [one["id"] for one in site.issue_get_comments(key)["comments"]] == [first["id"]]
    log = site.issue_worklog(key, "2026-03-02T08:30:00.000+0000", 5400, "looked")
    wrong = site.issue_worklog(key, "2026-03-02T09:30:00.000+0000", 300)
    path = f"rest/api/2/issue/{key}/worklog"
    site.put(f"{path}/{log['id']}", data={"timeSpent": "2h"})
    shown = site.get(f"{path}/{log['id']}")
    assert (shown["timeSpentSeconds"], shown["started"]) == (7200, "2026-03-02T08:30:00.000+0000")
    site.delete(f"{path}/{wrong['id']}")
    assert [one["id"] for one in site.issue_get_worklog(key)["worklogs"]] == [log["id"]]
    return {"comment": first["id"], "worklog": log["id"]}


def block(site: Jira, key: str, other: str) -> str:
    """A link between two issues, as both see it."""
    assert "Blocks" in site.get_issue_link_types_names()
    site.create_issue_link({"type": {"name": "Blocks"}, "inwardIssue": {"key": key}, "outwardIssue": {"key": other}})
    (seen,) = site.issue(key)["fields"]["issuelinks"]
    (back,) = site.issue(other)["fields"]["issuelinks"]
    assert seen["id"] == back["id"] and site.get_issue_link(seen["id"])["type"]["name"] == "Blocks"
    return seen["id"]


def gather(site: Jira, key: str, other: str, peer: str) -> dict[str, Any]:
    """Watchers, votes, links and attachments."""
    site.issue_add_watcher(key, peer)
    before = site.issue_get_watchers(key)["watchCount"]
    site.issue_delete_watcher(key, account_id=peer)
    assert site.issue_get_watchers(key)["watchCount"] == before - 1
    jql = f"project = {PROJECT} AND reporter != currentUser() AND resolution IS EMPTY ORDER BY key"
    votes = f"rest/api/2/issue/{site.jql(jql, limit=1, fields='summary')['issues'][0]['key']}/votes"
    count = site.get(votes)["votes"]
    site.post(votes)
    assert site.get(votes)["votes"] == count + 1
    site.delete(votes)
    assert site.get(votes)["votes"] == count
    site.remove_issue_link(block(site, key, other))
    link = block(site, key, other)
    kept, gone = (
        site.add_attachment_object(key, _named(*file))[0] for file in (("what.txt", CONTENT), ("slip.txt", b"x"))
    )
    assert site.get_attachment(kept["id"])["filename"] == "what.txt"
    assert site.get_attachment_content(kept["id"]) == CONTENT
    site.remove_attachment(gone["id"])
    assert [one["attachment_id"] for one in site.get_attachments_ids_from_issue(key)] == [kept["id"]]
    return {"link": link, "attachment": kept["id"]}


def _named(name: str, content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


def finish(site: Jira, lead: Jira, key: str, part: str) -> str:
    """The issue goes on through its workflow, one part is dropped, and all is found again."""
    step = site.get_issue_transitions(key)[0]
    site.set_issue_status(key, step["to"])
    assert site.get_issue_status(key) == step["to"]
    site.issue_add_comment(key, "on it")
    assert refused(lambda: site.delete_issue(part)) == (
        403,
        "You do not have permission to delete issues in this project.",
    )
    lead.delete_issue(part)
    assert not site.issue_exists(part)
    jql = f"project = {PROJECT} AND labels = {WORD} ORDER BY key"
    assert [one["key"] for one in site.jql(jql)["issues"]] == [key]
    every = site.enhanced_jql_get_list_of_tickets(f"project = {PROJECT} ORDER BY created DESC", fields="summary")
    assert (
        len(every)
        == len({one["key"] for one in every})
        == site.approximate_issue_count(f"project = {PROJECT}")["count"]
    )
    legacy = site.get("rest/api/2/search", params={"jql": jql, "fields": "summary", "maxResults": 1})
    assert (legacy["total"], legacy["issues"][0]["key"]) == (1, key)
    return step["to"]


def main() -> None:
    """Spend the day and say where."""
    url, mail, peer_mail = os.environ["FIRM_URL"], os.environ["FIRM_MAIL"], os.environ["FIRM_PEER"]
    site = Jira(url=url, username=mail, password=os.environ["FIRM_TOKEN"], cloud=True)
    lead = Jira(url=url, username=os.environ["FIRM_LEAD"], password=os.environ["FIRM_LEAD_TOKEN"], cloud=True)
    peer = look_around(site, peer_mail)
    key, parts = create(site)
    made = work(site, key, peer) | gather(site, key, parts[0], peer)
    status = finish(site, lead, key, parts[1])
    missing = refused(lambda: site.issue("NO-1"))
    assert missing == (404, "Issue does not exist or you do not have permission to see it."), missing
    assert refused(lambda: site.jql("nonsense = 1"))[0] == 400
    assert refused(lambda: site.get("rest/api/2/nothing/here"))[0] == 404
    assert refused(Jira(url=url, username=mail, password="nonsense", cloud=True).myself)[0] == 401
    print(json.dumps({"issue": key, "status": status, "parts": parts, "peer": peer, **made}))


if __name__ == "__main__":
    main()

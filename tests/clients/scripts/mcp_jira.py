"""What an agent does in the tracker over tools, whatever client carries it: derived tools of the first tier, and the
vendor's.
"""

import base64
from typing import Any

from mcp_round import Desk

WORD = "zephyrine"
PROJECT = "SHOP"
MARKDOWN = {"contentFormat": "markdown"}
CONTENT = base64.b64encode(b"what went wrong\n").decode()
MISSING = "Issue does not exist or you do not have permission to see it."


async def operations(desk: Desk, peer_mail: str) -> dict[str, Any]:
    """A day with the tools that are named after operations."""
    peer = await _look_around(desk, peer_mail)
    new = {"project": {"key": PROJECT}, "issuetype": {"name": "Task"}}
    key = (await desk.ask("create_issue", fields={**new, "summary": f"{WORD} breaks", "labels": [WORD]}))["key"]
    several = [{"fields": {**new, "summary": f"{WORD} part {number}"}} for number in range(2)]
    parts = [one["key"] for one in (await desk.ask("create_issues", issueUpdates=several))["issues"]]
    await _work(desk, key, peer)
    await _gather(desk, key, parts[0], peer)
    step = (await desk.ask("get_transitions", issueIdOrKey=key))["transitions"][0]
    await desk.say("do_transition", issueIdOrKey=key, transition={"id": step["id"]})
    shown = await desk.ask("get_issue", issueIdOrKey=key, fields=["status", "assignee"])
    assert shown["fields"]["status"]["name"] == step["to"]["name"] and shown["fields"]["assignee"]["accountId"] == peer
    await desk.say("delete_issue", issueIdOrKey=parts[1])
    assert MISSING in await desk.refused("get_issue", issueIdOrKey=parts[1])
    jql = f"project = {PROJECT} AND labels = {WORD}"
    found = await desk.ask("search_and_reconsile_issues_using_jql", jql=jql, fields=["summary"])
    assert [one["key"] for one in found["issues"]] == [key] and found["isLast"]
    assert (await desk.ask("search_for_issues_using_jql", jql=jql, fields=["summary"]))["total"] == 1
    assert (await desk.ask("count_issues", jql=jql))["count"] == 1
    assert MISSING in await desk.refused("get_issue", issueIdOrKey="NO-1")
    assert "is required" in await desk.refused("get_issue")
    return {"issue": key, "parts": parts, "status": step["to"]["name"], "peer": peer}


async def _look_around(desk: Desk, peer_mail: str) -> str:
    assert (await desk.ask("get_server_info"))["deploymentType"] == "Cloud"
    me = await desk.ask("get_current_user")
    assert "summary" in [one["id"] for one in await desk.ask("get_fields")]
    peer = (await desk.ask("find_users", query=peer_mail))[0]["accountId"]
    assert (await desk.ask("get_user", accountId=me["accountId"]))["emailAddress"] == me["emailAddress"]
    assert peer in [
        one["accountId"] for one in await desk.ask("find_assignable_users", project=PROJECT, query=peer_mail)
    ]
    assert peer in [one["accountId"] for one in await desk.ask("get_all_users", maxResults=100)]
    assert PROJECT in [one["key"] for one in await desk.ask("get_all_projects")]
    assert PROJECT in [one["key"] for one in (await desk.ask("search_projects", query=PROJECT))["values"]]
    assert (await desk.ask("get_project", projectIdOrKey=PROJECT))["key"] == PROJECT
    statuses = {one["name"] for one in await desk.ask("get_statuses")}
    kinds = await desk.ask("get_all_statuses", projectIdOrKey=PROJECT)
    assert statuses >= {one["name"] for kind in kinds for one in kind["statuses"]}
    assert {one["name"] for one in await desk.ask("get_issue_all_types")} >= {one["name"] for one in kinds}
    assert len(await desk.ask("get_priorities")) > 2 and (await desk.ask("get_attachment_meta"))["enabled"]
    meta = await desk.ask("get_create_issue_meta", projectKeys=[PROJECT])
    assert [one["key"] for one in meta["projects"]] == [PROJECT]
    offered = (await desk.ask("get_create_issue_meta_issue_types", projectIdOrKey=PROJECT))["issueTypes"]
    fields = await desk.ask("get_create_issue_meta_issue_type_id", projectIdOrKey=PROJECT, issueTypeId=offered[0]["id"])
    assert "summary" in [one["fieldId"] for one in fields["fields"]]
    return peer


async def _work(desk: Desk, key: str, peer: str) -> None:
    await desk.say("edit_issue", issueIdOrKey=key, fields={"summary": f"{WORD} breaks every build"})
    await desk.say("assign_issue", issueIdOrKey=key, accountId=peer)
    entries = (await desk.ask("get_change_logs", issueIdOrKey=key))["values"]
    assert {"summary", "assignee"} <= {item["field"] for entry in entries for item in entry["items"]}
    first = (await desk.ask("add_comment", issueIdOrKey=key, body="a *first* word", **MARKDOWN))["id"]
    slip = (await desk.ask("add_comment", issueIdOrKey=key, body="a slip", **MARKDOWN))["id"]
    await desk.ask("update_comment", issueIdOrKey=key, id=first, body="a **second** word", **MARKDOWN)
    assert (await desk.ask("get_comment", issueIdOrKey=key, id=first, **MARKDOWN))[
        "body"
    ].strip() == "a **second** word"
    await desk.say("delete_comment", issueIdOrKey=key, id=slip)
    assert [one["id"] for one in (await desk.ask("get_comments", issueIdOrKey=key))["comments"]] == [first]
    log = (await desk.ask("add_worklog", issueIdOrKey=key, timeSpent="1h 30m"))["id"]
    wrong = (await desk.ask("add_worklog", issueIdOrKey=key, timeSpent="5m"))["id"]
    await desk.ask("update_worklog", issueIdOrKey=key, id=log, timeSpent="2h")
    assert (await desk.ask("get_worklog", issueIdOrKey=key, id=log))["timeSpentSeconds"] == 7200
    await desk.say("delete_worklog", issueIdOrKey=key, id=wrong)
    assert [one["id"] for one in (await desk.ask("get_issue_worklog", issueIdOrKey=key))["worklogs"]] == [log]


async def _gather(desk: Desk, key: str, other: str, peer: str) -> None:
    await desk.say("add_watcher", issueIdOrKey=key, accountId=peer)
    before = (await desk.ask("get_issue_watchers", issueIdOrKey=key))["watchCount"]
    await desk.say("remove_watcher", issueIdOrKey=key, accountId=peer)
    assert (await desk.ask("get_issue_watchers", issueIdOrKey=key))["watchCount"] == before - 1
    jql = f"project = {PROJECT} AND reporter != currentUser() AND resolution IS EMPTY ORDER BY key"
    found = await desk.ask("search_and_reconsile_issues_using_jql", jql=jql, maxResults=1, fields=["summary"])
    theirs = {"issueIdOrKey": found["issues"][0]["key"]}
    await desk.say("add_vote", **theirs)
    assert (await desk.ask("get_votes", **theirs))["hasVoted"]
    await desk.say("remove_vote", **theirs)
    assert not (await desk.ask("get_votes", **theirs))["hasVoted"]
    assert "Blocks" in [one["name"] for one in (await desk.ask("get_issue_link_types"))["issueLinkTypes"]]
    for again in (True, False):
        await desk.say("link_issues", type={"name": "Blocks"}, inwardIssue={"key": key}, outwardIssue={"key": other})
        (link,) = (await desk.ask("get_issue", issueIdOrKey=key, fields=["issuelinks"]))["fields"]["issuelinks"]
        assert (await desk.ask("get_issue_link", linkId=link["id"]))["type"]["name"] == "Blocks"
        if again:
            await desk.say("delete_issue_link", linkId=link["id"])
    files = [{"filename": name, "content": CONTENT, "mimeType": "text/plain"} for name in ("what.txt", "slip.txt")]
    kept, gone = (one["id"] for one in await desk.ask("add_attachment", issueIdOrKey=key, files=files))
    assert (await desk.ask("get_attachment", id=kept))["filename"] == "what.txt"
    assert (await desk.ask("get_attachment_content", id=kept))["content"] == CONTENT
    await desk.say("remove_attachment", id=gone)


async def vendor(desk: Desk, key: str, other: str) -> None:
    """Every tool of the vendor's own surface, on the issue of the day."""
    cloud = {"cloudId": (await desk.ask("getAccessibleAtlassianResources"))[0]["id"]}
    await desk.say("atlassianUserInfo")
    one, on = {**cloud, "issueIdOrKey": key}, {**cloud, "projectIdOrKey": PROJECT}
    assert WORD in await desk.say("getJiraIssue", **one)
    assert key in await desk.say("searchJiraIssuesUsingJql", **cloud, jql=f"labels = {WORD}")
    new = {
        "projectKey": PROJECT,
        "issueTypeName": "Task",
        "summary": f"{WORD} by the vendor's tool",
        "description": "- a\n- b",
    }
    made = (await desk.ask("createJiraIssue", **cloud, **new))["key"]
    await desk.say("editJiraIssue", **cloud, issueIdOrKey=made, fields={"labels": [WORD]})
    steps = (await desk.ask("getTransitionsForJiraIssue", **cloud, issueIdOrKey=made))["transitions"]
    await desk.say("transitionJiraIssue", **cloud, issueIdOrKey=made, transition={"id": steps[0]["id"]})
    await desk.say("addCommentToJiraIssue", **one, commentBody="**seen**")
    await desk.say("addWorklogToJiraIssue", **one, timeSpent="10m")
    assert "Karolina" in await desk.say("lookupJiraAccountId", **cloud, searchString="Karolina")
    assert PROJECT in await desk.say("getVisibleJiraProjects", **cloud)
    kinds = (await desk.ask("getJiraProjectIssueTypesMetadata", **on))["issueTypes"]
    await desk.say("getJiraIssueTypeMetaWithFields", **on, issueTypeId=kinds[0]["id"])
    await desk.say("getJiraIssueRemoteIssueLinks", **one)
    await desk.say("getIssueLinkTypes", **cloud)
    await desk.say("createIssueLink", **cloud, inwardIssue=made, outwardIssue=other, type="Blocks")
    found = (await desk.ask("searchAtlassian", query=WORD, **cloud))["results"]
    assert WORD in await desk.say("fetchAtlassian", id=found[0]["id"], **cloud)
    assert MISSING in await desk.refused("getJiraIssue", **cloud, issueIdOrKey="NO-1")
    desk.check_all_called()

"""The jira package against a server of Jira Data Center, with a personal access token: `python jira_server.py`.

FIRM_URL is the address of the server, FIRM_TOKEN a person's token, FIRM_NAME and FIRM_PEER user names.
"""

import json
import os

from jira import JIRA


def main() -> None:
    """Make, assign, comment, find and move one issue; prints its key."""
    me, peer = os.environ["FIRM_NAME"], os.environ["FIRM_PEER"]
    site = JIRA(server=os.environ["FIRM_URL"], token_auth=os.environ["FIRM_TOKEN"])
    assert site.deploymentType == "Server" and not site._is_cloud
    assert site.current_user() == me and site.myself()["name"] == me
    assert site.user(peer).name == peer
    assert peer in [one.name for one in site.search_users(user=peer)]
    assert peer in [one.name for one in site.search_assignable_users_for_issues(username=peer, project="SHOP")]
    issue = site.create_issue(project="SHOP", issuetype="Task", summary="zephyrine on a server", description="*bold*")
    assert issue.fields.description == "*bold*" and issue.fields.reporter.name == me
    assert site.assign_issue(issue.key, peer)
    site.add_watcher(issue.key, peer)
    assert peer in [one.name for one in site.watchers(issue.key).watchers]
    site.remove_watcher(issue.key, peer)
    comment = site.add_comment(issue.key, f"Over to [~{peer}]")
    assert comment.author.name == me and comment.body == f"Over to [~{peer}]"
    found = site.search_issues(f"key = {issue.key} AND assignee = {peer}", maxResults=1)
    assert found.total == 1 and found[0].fields.assignee.name == peer
    issue.update(fields={"assignee": {"name": me}})
    assert site.issue(issue.key).fields.assignee.name == me
    board = site.boards(maxResults=1)[0]
    assert board.id and site.projects()
    print(json.dumps({"issue": issue.key}))


if __name__ == "__main__":
    main()

"""atlassian-python-api against a server of Jira Data Center, with a personal access token.

FIRM_URL is the address of the server, FIRM_TOKEN a person's token, FIRM_NAME and FIRM_PEER user names.
"""

import json
import os
from typing import Any

from atlassian import Jira


def main() -> None:
    """Make, assign, comment and find one issue; prints its key."""
    me, peer = os.environ["FIRM_NAME"], os.environ["FIRM_PEER"]
    site: Any = Jira(url=os.environ["FIRM_URL"], token=os.environ["FIRM_TOKEN"], cloud=False)
    assert site.get_server_info()["deploymentType"] == "Server"
    assert site.myself()["name"] == me and site.user(username=peer)["name"] == peer
    assert peer in [one["name"] for one in site.user_find_by_user_string(username=peer)]
    fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "zephyrine on a server"}
    key = site.create_issue(fields={**fields, "description": "h2. Why"})["key"]
    assert site.issue(key)["fields"]["description"] == "h2. Why"
    site.assign_issue(key, peer)
    site.issue_add_watcher(key, peer)
    assert peer in [one["name"] for one in site.issue_get_watchers(key)["watchers"]]
    site.issue_delete_watcher(key, peer)
    assert site.issue_add_comment(key, f"Over to [~{peer}]")["author"]["name"] == me
    found = site.jql(f"key = {key} AND assignee = {peer}")
    assert (found["startAt"], found["total"]) == (0, 1)
    site.update_issue_field(key, {"assignee": {"name": me}})
    assert site.issue(key)["fields"]["assignee"]["name"] == me
    assert site.get_all_agile_boards()["values"]
    print(json.dumps({"issue": key}))


if __name__ == "__main__":
    main()

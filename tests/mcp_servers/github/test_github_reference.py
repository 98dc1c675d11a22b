"""The code host's reference surface, and that every tool of every surface is called in this folder."""

from pathlib import Path

from tests.mcp_servers.calls import Desk
from tests.mcp_servers.github.json_answers import FEATURE, Json, later, same_as_rest
from world.run.host import Host


def test_reference_files_need_no_sha_to_be_replaced(firm: Host, reference: Json) -> None:
    file = {"path": "docs/guide.md", "content": "# New\n", "message": "New guide", "branch": "main"}
    made = reference.get("create_or_update_file", **file)
    assert made["commit"]["message"] == "New guide" and made["content"]["sha"]
    read = reference.get("get_file_contents", path="docs/guide.md", branch="main")
    assert (read["content"], read["encoding"]) == ("# New\n", "base64")
    assert [one["name"] for one in reference.get("get_file_contents", path="docs")] == ["guide.md"]
    sha = reference.get("push_files", branch="main", files=[{"path": "x", "content": "y"}], message="X")["object"][
        "sha"
    ]
    assert reference.get("list_commits", perPage=1)[0]["sha"] == sha
    assert reference.get("create_branch", branch="next", from_branch="main")["object"]["sha"] == sha
    reference.get("create_or_update_file", **{**file, "path": "new.md"})


def test_reference_issues_and_searches(firm: Host, reference: Json) -> None:
    made = reference.get("create_issue", title="Rotate", labels=["bug"], assignees=["bo"])
    same_as_rest(firm, "issues/create", title="Rotate", labels=["bug"], assignees=["bo"])
    assert reference.get("get_issue", issue_number=made["number"])["node_id"] == made["node_id"]
    assert reference.get("update_issue", issue_number=3, state="closed")["state"] == "closed"
    assert reference.get("add_issue_comment", issue_number=3, body="Done.")["body"] == "Done."
    assert [one["number"] for one in reference.get("list_issues", state="all", labels=["bug"], per_page=5)] == [3]
    assert reference.why("list_issues", labels="bug") == "labels: must be a list of strings"
    assert reference.get("search_issues", q="rotate is:closed", sort="created", order="asc")["total_count"] == 1
    assert reference.get("search_code", q="guide path:docs", per_page=1)["items"][0]["name"] == "guide.md"
    assert reference.get("search_users", q="lindqvist")["items"][0]["login"] == "bo"
    assert reference.get("search_repositories", query="site")["items"][0]["full_name"] == "tiny/site"
    assert reference.get("create_repository", name="mine", autoInit=True)["full_name"] == "ada/mine"
    assert reference.get("fork_repository")["fork"] is True


def test_reference_pull_requests(firm: Host, reference: Json) -> None:
    reference.get("create_pull_request", "bo", **FEATURE, body="See #1")
    later(firm)
    one = {"pull_number": 3}
    assert (
        reference.get("get_pull_request", **one)["mergeable"] is True
        and len(reference.get("list_pull_requests", state="open")) == 1
    )
    assert reference.get("get_pull_request_files", **one)[0]["filename"] == "src/count.py"
    assert reference.get("get_pull_request_status", **one)["state"] == "pending"
    given = {"body": "Hm", "event": "COMMENT", "comments": [{"path": "src/count.py", "line": 2, "body": "Why?"}]}
    assert reference.get("create_pull_request_review", **one, **given)["state"] == "COMMENTED"
    assert [part["body"] for part in reference.get("get_pull_request_comments", **one)] == ["Why?"]
    assert [part["body"] for part in reference.get("get_pull_request_reviews", **one)] == ["Hm"]
    reference.get("push_files", branch="main", files=[{"path": "x", "content": "y"}], message="X")
    assert "Updating" in reference.get("update_pull_request_branch", "bo", **one)["message"]
    later(firm)
    assert reference.get("merge_pull_request", "bo", **one)["merged"] is True
    assert reference.why("get_pull_request", pull_number=99) == "Not Found"


def test_the_daily_tools_are_those_of_the_full_list(firm: Host, hub: Json) -> None:
    daily = Desk(firm, "github").tools
    assert len(daily.tools) == 25 and all(daily.tools[name].wire == hub.tools.tools[name].wire for name in daily.tools)


def test_every_tool_of_every_surface_is_in_these_tests(hub: Json, reference: Json) -> None:
    said = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for desk in (hub, reference):
        assert [name for name in desk.tools.tools if f'"{name}"' not in said] == []

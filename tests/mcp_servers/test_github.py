"""The code host's surfaces against the small organisation: every tool called, and what is written is what REST would
write.
"""

from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.github
from tests.apps.github.ci import Ci
from tests.apps.github.conftest import load
from tests.company import START, as_person, unmetered
from tests.mcp_servers import calls
from tests.mcp_servers.calls import Desk, written
from world.core.clock import SECOND
from world.core.image_builder import build
from world.run.host import Host

HERE = {"owner": "tiny", "repo": "app"}
FEATURE = {"title": "Tuples", "head": "feature", "base": "main"}


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("github") / "images", [apps.github.app], load, now=START)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    return unmetered(sealed, tmp_path, apps.github.app, worlds=("w", "rest"))


def same_as_rest(firm: Host, operation: str, who: str = "ada", **arguments: Any) -> None:
    """The same in tiny/app."""
    calls.same_as_rest(firm, operation, who, **{**HERE, **arguments})


class Json(Desk):
    """Calls tools in tiny/app that answer JSON."""

    def get(self, tool: str, who: str = "ada", /, **given: Any) -> Any:
        """The answer of a call that must be accepted."""
        return orjson.loads(self.say(tool, who, **self._placed(tool, given)))

    def text(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """The same as text."""
        return self.say(tool, who, **self._placed(tool, given))

    def why(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """Why a call is refused: the vendor's sentence, or what is wrong with the arguments."""
        refused, text = self.ask(tool, who, **self._placed(tool, given))
        assert refused, text
        return orjson.loads(text)["message"] if text.startswith("{") else text

    def _placed(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        needed = self.tools.tools[tool].required
        return {**{name: value for name, value in HERE.items() if name in needed}, **given}


@pytest.fixture
def hub(firm: Host) -> Json:
    return Json(firm, "github", "vendor-full")


@pytest.fixture
def reference(firm: Host) -> Json:
    return Json(firm, "github", "reference")


def done(firm: Host) -> str:
    """The operation of the last call, as the journal has it."""
    [(operation,)] = (
        firm.actors["w"]
        .bound.raw.execute("SELECT operation FROM _call WHERE door = 'mcp' ORDER BY seq DESC LIMIT 1")
        .fetchall()
    )
    return str(operation)


def later(firm: Host, seconds: int = 5) -> None:
    for actor in firm.actors.values():
        actor.advance(actor.now + seconds * SECOND)


def test_you_are_told_who_you_are_and_which_teams_there_are(hub: Json) -> None:
    me = hub.get("get_me", "bo")
    assert (me["login"], me["details"]["name"], me["details"]["email"]) == ("bo", "Bo Lindqvist", "bo@tiny.example")
    assert hub.get("get_teams", "bo") == [{"org": "tiny", "teams": [{"name": "Core", "slug": "core"}]}]
    assert hub.get("get_teams", user="Cyrus")[0]["teams"] == [{"name": "Support", "slug": "support"}]
    assert hub.get("get_team_members", org="tiny", team_slug="core") == ["ada", "bo"]
    assert hub.why("get_team_members", org="tiny", team_slug="none") == "Not Found"


def test_files_are_read_as_text_and_folders_as_lists(hub: Json) -> None:
    said, text = hub.text("get_file_contents", path="/README.md").split("\n", 1)
    assert said.startswith("successfully downloaded text file (SHA: 83fe4d93") and text == "# app\n\nIt counts.\n"
    assert len(hub.answer("get_file_contents", **HERE, path="/README.md").content) == 2
    listed = hub.get("get_file_contents", path="src", ref="feature", fields=["name", "type"])
    assert listed == [{"name": "__init__.py", "type": "file"}, {"name": "count.py", "type": "file"}]
    first = hub.get("list_commits", path="src/count.py")[-1]["sha"]
    assert "list(range(n))" in hub.text("get_file_contents", path="src/count.py", ref="feature", sha=first)
    assert hub.why("get_file_contents", path="gone") == "Not Found"
    assert hub.why("get_file_contents", path="README.md", ref="gone") == "No commit found for the ref gone"
    assert hub.ask("get_file_contents", "eve", **HERE)[0]


def test_bytes_that_are_no_text_are_described(firm: Host, hub: Json) -> None:
    file = {"path": "x.bin", "message": "Bytes", "content": "AAEC/w==", "branch": "main"}
    firm.call(as_person(firm), "rest", "repos/create-or-update-file-contents", {**HERE, **file})
    shown = hub.get("get_file_contents", path="x.bin")
    assert shown["message"].startswith("binary file (SHA: ") and shown["size"] == 4 and shown["download_url"]


def test_a_file_is_written_as_rest_writes_it_and_replaced_by_its_sha(firm: Host, hub: Json) -> None:
    file = {"path": "NOTES.md", "message": "Notes", "branch": "main"}
    made = hub.get("create_or_update_file", content="é\n", **file)
    same_as_rest(firm, "repos/create-or-update-file-contents", content="w6kK", **file)
    assert made["content"]["path"] == "NOTES.md" and made["commit"]["author"]["name"] == "Ada Novak"
    assert "wasn't supplied" in hub.why("create_or_update_file", content="x", **file)
    hub.get("create_or_update_file", content="x", sha=made["content"]["sha"], **file)
    assert hub.why("create_or_update_file", content=7, **file) == "content: Input should be a valid string"
    assert hub.get("delete_file", **file)["commit"]["message"] == "Notes"
    assert (
        hub.why("delete_file", **file) == "Not Found"
        and hub.why("delete_file", **{**file, "path": "src"}) == "path: is a folder"
    )


def test_a_link_is_not_written_over_unless_told(firm: Host, hub: Json) -> None:
    def rest(operation: str, **given: Any) -> Any:
        return firm.call(as_person(firm), "rest", operation, {**HERE, **given})

    head = rest("git/get-ref", ref="heads/main")["object"]["sha"]
    link = [{"path": "docs/link.md", "mode": "120000", "type": "blob", "content": "guide.md"}]
    tree = rest("git/create-tree", base_tree=head, tree=link)["sha"]
    rest(
        "git/update-ref",
        ref="heads/main",
        sha=rest("git/create-commit", message="Link", tree=tree, parents=[head])["sha"],
    )
    sha = next(one["sha"] for one in rest("repos/get-content", path="docs") if one["name"] == "link.md")
    file = {"path": "docs/link.md", "content": "x", "message": "m", "branch": "main", "sha": sha}
    assert hub.why("create_or_update_file", **file).startswith("path: is a symbolic link")
    hub.get("create_or_update_file", **file, allow_symlink_write=True)


def test_several_files_are_one_commit(firm: Host, hub: Json) -> None:
    given = {
        "branch": "feature",
        "files": [{"path": "a/b.md", "content": "é"}, {"path": "README.md", "content": ""}],
        "message": "Two",
    }
    made = hub.get("push_files", "bo", **given)
    same_as_rest(firm, "web/push-files", "bo", **given)
    shown = hub.get("get_commit", sha="feature")
    assert (made["object"]["sha"], shown["commit"]["message"]) == (shown["sha"], "Two")
    assert [one["filename"] for one in shown["files"]] == ["README.md", "a/b.md"] and "patch" not in shown["files"][0]
    assert "patch" in hub.get("get_commit", sha="feature", detail="full_patch")["files"][0]
    assert "files" not in hub.get("get_commit", sha="feature", detail="none")
    assert hub.why("get_commit", sha="feature", detail="all").startswith("detail: Input should be one of")
    before = written(firm, "w")
    assert hub.why("push_files", **{**given, "branch": "none"}) == "Branch none not found"
    assert hub.why("push_files", **{**given, "files": []}).startswith("files: ")
    assert "malformed" in hub.why("push_files", **{**given, "files": [{"path": "../x", "content": ""}]})
    assert hub.why("push_files", **{**given, "files": [{"path": "a", "content": ""}]}) == "a is not a file"
    assert hub.why("push_files", "dee", **given) == "Not Found"
    assert [row for row in written(firm, "w") if row not in before and "github" in row[0]] == []


def test_a_protected_branch_takes_no_pushed_files(firm: Host, hub: Json) -> None:
    rule = {
        "required_status_checks": None,
        "enforce_admins": True,
        "restrictions": None,
        "required_pull_request_reviews": {"required_approving_review_count": 1},
    }
    firm.call(as_person(firm), "rest", "repos/update-branch-protection", {**HERE, "branch": "main", **rule})
    before = hub.get("list_branches")
    why = hub.why("push_files", "bo", branch="main", files=[{"path": "x", "content": ""}], message="m")
    assert "pull request" in why and hub.get("list_branches") == [
        {**one, "protected": one["name"] == "main"} for one in before
    ]


def test_branches_commits_tags_and_trees(firm: Host, hub: Json) -> None:
    made = hub.get("create_branch", branch="fix", from_branch="feature")
    same_as_rest(firm, "git/create-ref", ref="refs/heads/fix", sha=made["object"]["sha"])
    head = {one["name"]: one["sha"] for one in hub.get("list_branches")}
    assert made["ref"] == "refs/heads/fix" and head["fix"] == head["feature"] != head["main"]
    assert hub.get("create_branch", branch="fix2")["object"]["sha"] == head["main"]
    assert hub.why("create_branch", branch="fix") == "Reference already exists"
    assert hub.why("create_branch", branch="x", from_branch="gone") == "Not Found"
    assert [one["commit"]["message"] for one in hub.get("list_commits", author="bo", sha="feature")] == [
        "Count in tuples",
        "Unpack instead of list\n\nFaster.",
    ]
    assert hub.get("list_commits", perPage=1, page=2, fields=["author"])[0]["author"]["login"] == "bo"
    assert [one["name"] for one in hub.get("list_tags")] == ["v0.1"] and hub.get("get_tag", tag="v0.1")[
        "ref"
    ] == "refs/tags/v0.1"
    noted = {"tag": "v1", "message": "One", "object": head["main"], "type": "commit"}
    sha = firm.call(as_person(firm), "rest", "git/create-tag", {**HERE, **noted})["sha"]
    firm.call(as_person(firm), "rest", "git/create-ref", {**HERE, "ref": "refs/tags/v1", "sha": sha})
    assert hub.get("get_tag", tag="v1")["message"] == "One" and hub.why("get_tag", tag="v2") == "Not Found"
    below = hub.get("get_repository_tree", recursive=True, path_filter="src/")["tree"]
    assert [one["path"] for one in below] == ["src/__init__.py", "src/count.py"]
    assert "src/count.py" not in [one["path"] for one in hub.get("get_repository_tree", tree_sha="feature")["tree"]]


def test_blame_goes_on_from_its_cursor(hub: Json) -> None:
    first = hub.get("get_file_blame", path="src/count.py", perPage=1)
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"]) == (2, True)
    after = hub.get("get_file_blame", path="src/count.py", perPage=1, after=first["pageInfo"]["endCursor"])
    assert [(one["start_line"], one["commit"]["author"]) for one in after["ranges"]] == [(2, "bo")] and not after[
        "pageInfo"
    ]["hasNextPage"]
    assert (
        hub.get("get_file_blame", path="src/count.py", ref="feature", start_line=2)["ranges"][0]["commit"]["message"]
        == "Count in tuples"
    )
    assert (
        hub.why("get_file_blame", path="src/count.py", after="x")
        == "after: Input should be a cursor of an earlier answer"
    )


def test_releases(firm: Host, hub: Json) -> None:
    assert hub.get("list_releases") == [] and hub.why("get_latest_release") == "Not Found"
    firm.call(
        as_person(firm),
        "rest",
        "repos/create-release",
        {**HERE, "tag_name": "v0.1", "name": "First", "body": "It counts."},
    )
    assert hub.get("list_releases", fields=["name"]) == [{"name": "First"}]
    assert (
        hub.get("get_latest_release")["author"]["login"] == "ada"
        and hub.get("get_release_by_tag", tag="v0.1")["body"] == "It counts."
    )


def test_searches_are_narrowed_by_the_tools_arguments(hub: Json) -> None:
    found = hub.get("search_code", query="unpack repo:tiny/app path:docs OR guide", fields=["path", "repository"])
    assert {"path": "docs/guide.md", "repository": "tiny/app"} in found["items"]
    assert hub.get("search_code", query="tuple in:file", perPage=1)["items"] == []
    assert {one["repository"]["full_name"] for one in hub.get("search_commits", query="guide")["items"]} == {
        "tiny/app",
        "tiny/site",
    }
    assert [one["full_name"] for one in hub.get("search_repositories", query="app")["items"]] == ["tiny/app"]
    assert "owner" in hub.get("search_repositories", query="app", minimal_output=False)["items"][0]
    assert [one["login"] for one in hub.get("search_users", query="lindqvist")["items"]] == ["bo"]
    assert [one["login"] for one in hub.get("search_orgs", query="tiny")["items"]] == ["tiny"]
    hub.get("create_pull_request", "bo", **FEATURE, body="slow")
    assert [one["number"] for one in hub.get("search_issues", query="slow")["items"]] == [1]
    assert hub.get("search_issues", query="slow", owner="tiny", repo="site")["items"] == []
    assert hub.get("search_issues", query="is:closed", owner="tiny", fields=["number", "state"])["items"] == [
        {"number": 2, "state": "closed"}
    ]
    assert [one["number"] for one in hub.get("search_pull_requests", query="tuples", **HERE)["items"]] == [3]
    assert hub.why("search_issues", query="x", sort="size").startswith("sort: ")


def test_repositories_are_made_forked_starred_and_deleted(hub: Json) -> None:
    assert hub.get("create_repository", name="mine")["url"].endswith("/ada/mine")
    assert hub.get("create_repository", name="ours", organization="tiny", autoInit=True)["url"].endswith("/tiny/ours")
    assert hub.get("search_repositories", query="ours")["items"][0]["private"] is True
    assert hub.why("create_repository", name="mine") == "Validation Failed"
    assert hub.get("fork_repository")["url"].endswith("/ada/app")
    hub.get("delete_repository", owner="ada", repo="mine")
    assert hub.why("delete_repository", owner="ada", repo="mine") == "Not Found"
    assert {one["login"]: one["role_name"] for one in hub.get("list_repository_collaborators")}["cyrus"] == "triage"
    hub.get("star_repository")
    assert [one["name"] for one in hub.get("list_starred_repositories")] == [
        one["name"] for one in hub.get("list_starred_repositories", "bo", username="ada")
    ]
    hub.get("unstar_repository")
    assert hub.get("list_starred_repositories") == []


def test_issues_are_listed_by_cursors_that_keep_their_place(hub: Json) -> None:
    for title in ("a", "b"):
        hub.get("issue_write", method="create", title=title, labels=["bug"])
    hub.get("create_pull_request", "bo", **FEATURE)
    first = hub.get("list_issues", perPage=2, orderBy="CREATED_AT", direction="DESC")
    assert ([one["title"] for one in first["issues"]], first["totalCount"]) == (["b", "a"], 4)
    hub.get("create_issue", title="c")
    rest = hub.get(
        "list_issues", perPage=2, orderBy="CREATED_AT", direction="DESC", after=first["pageInfo"]["endCursor"]
    )
    assert (
        [one["number"] for one in rest["issues"]] == [1, 2]
        and rest["pageInfo"]["hasPreviousPage"]
        and not rest["pageInfo"]["hasNextPage"]
    )
    assert hub.get("list_issues", state="CLOSED", fields=["number", "state"])["issues"] == [
        {"number": 2, "state": "CLOSED"}
    ]
    assert [one["title"] for one in hub.get("list_issues", labels=["BUG"], direction="ASC")["issues"]] == ["a", "b"]
    hub.get("add_issue_comment", issue_number=2, body="x")
    assert hub.get("list_issues", orderBy="COMMENTS", direction="DESC")["issues"][0]["number"] == 2
    assert hub.get("list_issues", orderBy="UPDATED_AT", since="2026-03-02T00:00:00Z", perPage=1)["totalCount"] == 4
    assert "valid cursor" in hub.why("list_issues", after="x")
    assert hub.why("list_issues", field_filters=[{"field": "x"}]) == "field_filters: there are no issue fields here"
    assert hub.why("list_issues", state="open") == "state: Input should be one of: OPEN, CLOSED"


def test_an_issue_is_written_as_rest_writes_it(firm: Host, hub: Json) -> None:
    given = {"title": "Rotate", "body": "Do **it**", "labels": ["bug"], "assignees": ["bo"], "milestone": 1}
    assert hub.get("issue_write", method="create", **given, state="open") == {
        "id": "1000",
        "url": "http://127.0.0.1/github/tiny/app/issues/3",
    }
    same_as_rest(firm, "issues/create", **given)
    assert done(firm) == "issues/create"
    one = hub.get("issue_read", method="get", issue_number=3)
    assert (one["labels"], one["assignees"], one["milestone"], one["user"]["login"]) == (["bug"], ["bo"], "v1", "ada")
    hub.get("issue_write", method="update", issue_number=3, state="closed", duplicate_of=1)
    assert hub.get("issue_read", method="get", issue_number=3)["state_reason"] == "duplicate"
    assert hub.why("issue_write", method="create") == "title: Field required"
    assert hub.why("issue_write", method="update", title="x") == "issue_number: Field required"
    assert hub.why("issue_write", method="close") == "method: Input should be one of: create, update"
    assert (
        hub.why("issue_write", method="create", title="x", issue_fields=[{"a": 1}])
        == "issue_fields: there are no issue fields here"
    )
    assert hub.why("issue_write", "eve", method="create", title="x") == "Not Found"
    assert (
        hub.why("issue_write", "dee", method="update", issue_number=1, title="x")
        == "Must have admin rights to Repository."
    )


def test_single_changes_of_an_issue(hub: Json) -> None:
    hub.get("create_issue", title="t", body="b")
    changes = {"title": "tt", "body": "bb", "labels": ["bug"], "assignees": ["dee"], "milestone": 1}
    for name, value in changes.items():
        hub.get(
            {
                "title": "update_issue_title",
                "body": "update_issue_body",
                "labels": "update_issue_labels",
                "assignees": "update_issue_assignees",
                "milestone": "update_issue_milestone",
            }[name],
            issue_number=3,
            **{name: value},
        )
    hub.get(
        "update_issue_state",
        issue_number=3,
        state="closed",
        state_reason="not_planned",
        rationale="old",
        confidence="high",
        is_suggestion=False,
    )
    one = hub.get("issue_read", method="get", issue_number=3)
    assert {name: one[name] for name in changes} == {**changes, "milestone": "v1"} and one[
        "state_reason"
    ] == "not_planned"
    assert hub.why("update_issue_type", issue_number=3, issue_type="Epic") == "Validation Failed"


def test_comments_and_reactions(firm: Host, hub: Json) -> None:
    made = hub.get("add_issue_comment", issue_number=1, body="I can **see** it")
    assert done(firm) == "issues/create-comment" and made["url"].endswith(f"#issuecomment-{made['id']}")
    hub.get("add_issue_comment", issue_number=1, reaction="eyes")
    hub.get("add_issue_comment", "bo", issue_number=1, comment_id=int(made["id"]), reaction="heart")
    assert done(firm) == "reactions/create-for-issue-comment"
    hub.get("add_issue_reaction", "bo", issue_number=1, content="+1")
    hub.get("add_issue_comment_reaction", "bo", comment_id=int(made["id"]), content="rocket")
    [one] = hub.get("issue_read", method="get_comments", issue_number=1)
    assert one["body"] == "I can **see** it" and (one["reactions"]["heart"], one["reactions"]["rocket"]) == (1, 1)
    assert hub.get("issue_read", method="get", issue_number=1)["reactions"]["total_count"] == 2
    assert hub.why("add_issue_comment", issue_number=1) == "arguments: give either body or reaction"
    assert hub.why("add_issue_comment", issue_number=1, reaction="wow").startswith("reaction: ")


def test_issues_below_and_blocking_others(hub: Json) -> None:
    ids = [int(hub.get("create_issue", title=title)["id"]) for title in "ab"]
    hub.get("sub_issue_write", method="add", issue_number=1, sub_issue_id=ids[0])
    hub.get("add_sub_issue", issue_number=1, sub_issue_id=ids[1])
    hub.get("reprioritize_sub_issue", issue_number=1, sub_issue_id=ids[1], before_id=ids[0])
    assert [one["id"] for one in hub.get("issue_read", method="get_sub_issues", issue_number=1)] == [ids[1], ids[0]]
    assert hub.get("issue_read", method="get_parent", issue_number=3)["parent"]["number"] == 1
    assert hub.get("issue_read", method="get", issue_number=1)["sub_issues_summary"]["total"] == 2
    hub.get("remove_sub_issue", issue_number=1, sub_issue_id=ids[0])
    assert hub.why("issue_read", method="get_parent", issue_number=3) == "Not Found"
    pair = {"issue_number": 3, "related_issue_number": 4}
    hub.get("issue_dependency_write", method="add", type="blocked_by", **pair)
    assert [one["number"] for one in hub.get("issue_dependency_read", method="get_blocked_by", issue_number=3)] == [4]
    assert [one["number"] for one in hub.get("issue_dependency_read", method="get_blocking", issue_number=4)] == [3]
    hub.get("issue_dependency_write", method="remove", type="blocking", issue_number=4, related_issue_number=3)
    assert hub.get("issue_dependency_read", method="get_blocked_by", issue_number=3) == []


def test_labels(hub: Json) -> None:
    assert (
        hub.text("label_write", method="create", name="urgent", color="ff0000", description="Now")
        == "label 'urgent' created successfully"
    )
    hub.text("label_write", method="update", name="urgent", new_name="now")
    assert hub.get("get_label", name="now")["description"] == "Now" and hub.get("list_label")["totalCount"] == 3
    hub.text("label_write", method="delete", name="now")
    assert hub.why("get_label", name="now") == "Not Found"
    hub.get("update_issue_labels", issue_number=1, labels=["bug"])
    assert [one["name"] for one in hub.get("issue_read", method="get_labels", issue_number=1)["labels"]] == ["bug"]


def test_a_pull_request_is_opened_with_its_reviewers_or_not_at_all(firm: Host, hub: Json) -> None:
    before = written(firm, "w")
    assert "pull request author" in hub.why("create_pull_request", "bo", **FEATURE, reviewers=["bo"])
    assert [row for row in written(firm, "w") if row not in before and "github" in row[0]] == []
    firm.actors["rest"].advance(firm.actors["w"].now)
    hub.get("create_pull_request", "bo", **FEATURE, reviewers=["dee", "tiny/support"], draft=True)
    same_as_rest(firm, "web/pulls/open", "bo", **FEATURE, reviewers=["dee"], team_reviewers=["support"], draft=True)
    assert done(firm) == "web/pulls/open"
    one = hub.get("pull_request_read", method="get", pullNumber=3)
    assert (one["requested_reviewers"], one["draft"], one["head"]["ref"], one["commits"]) == (
        ["dee"],
        True,
        "feature",
        1,
    )
    assert hub.why("create_pull_request", "bo", **FEATURE) == "Validation Failed"
    assert (
        hub.why("create_pull_request", "bo", **FEATURE, reviewers=[7]) == "reviewers: Input should be a list of strings"
    )


def test_each_change_of_a_pull_request_is_one_operation(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    assert done(firm) == "pulls/create"
    for given, operation in [
        ({"title": "New"}, "pulls/update"),
        ({"draft": True}, "web/pulls/convert-to-draft"),
        ({"draft": False}, "web/pulls/mark-ready"),
        ({"reviewers": ["ada"]}, "pulls/request-reviewers"),
        ({"draft": True, "body": "Why", "reviewers": ["dee"]}, "web/pulls/edit"),
    ]:
        hub.get("update_pull_request", "bo", pullNumber=3, **given)
        assert done(firm) == operation
    one = hub.get("pull_request_read", method="get", pullNumber=3)
    assert (one["title"], one["body"], one["draft"], one["requested_reviewers"]) == ("New", "Why", True, ["ada", "dee"])
    assert hub.why("update_pull_request", "bo", pullNumber=3) == "arguments: No update parameters provided."
    assert hub.ask("update_pull_request", "bo", **HERE, pullNumber=3, title="Half", reviewers=["nobody"])[0]
    assert hub.get("pull_request_read", method="get", pullNumber=3)["title"] == "New"
    hub.get("update_pull_request_title", "bo", pullNumber=3, title="Last")
    hub.get("update_pull_request_body", "bo", pullNumber=3, body="Text")
    hub.get("update_pull_request_draft_state", "bo", pullNumber=3, draft=False)
    hub.get("update_pull_request_state", "bo", pullNumber=3, state="closed")
    hub.get("request_pull_request_reviewers", "bo", pullNumber=3, reviewers=["cyrus"])
    assert hub.get("list_pull_requests", state="closed", fields=["title", "body", "draft", "requested_reviewers"]) == [
        {"title": "Last", "body": "Text", "draft": False, "requested_reviewers": ["ada", "cyrus", "dee"]},
    ]


def test_every_side_of_a_pull_request_is_read(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    later(firm)
    state = {
        "sha": hub.get("get_commit", sha="feature")["sha"],
        "state": "failure",
        "context": "ci/x",
        "description": "Red",
    }
    firm.call(as_person(firm), "rest", "repos/create-commit-status", {**HERE, **state})
    check = {"name": "lint", "head_sha": state["sha"], "status": "completed", "conclusion": "success"}
    firm.call(as_person(firm), "rest", "checks/create", {**HERE, **check})

    def read(method: str, **given: Any) -> Any:
        return hub.get("pull_request_read", method=method, pullNumber=3, **given)

    assert hub.text("pull_request_read", method="get_diff", pullNumber=3).startswith(
        "diff --git a/src/count.py b/src/count.py\n"
    )
    assert [one["filename"] for one in read("get_files")] == ["src/count.py"] and "tuple" in read(
        "get_files", perPage=1
    )[0]["patch"]
    assert read("get_files", page=2) == [] and [one["message"] for one in read("get_commits")] == ["Count in tuples"]
    assert (read("get_status")["state"], read("get_status")["statuses"][0]["context"]) == ("failure", "ci/x")
    assert [(one["name"], one["conclusion"]) for one in read("get_check_runs")["check_runs"]] == [("lint", "success")]
    whole = read("get_ci_summary")
    assert (whole["state"], whole["counts"], whole["failing_statuses"][0]["context"]) == (
        "failure",
        {"failure": 1, "success": 1},
        "ci/x",
    )
    hub.get("add_issue_comment", issue_number=3, body="hm")
    assert [one["body"] for one in read("get_comments")] == ["hm"] and read("get_reviews") == []
    assert hub.why("pull_request_read", method="get", pullNumber=1) == "Not Found"
    assert hub.why("pull_request_read", method="get_status", pullNumber=99) == "Not Found"
    assert hub.why("pull_request_read", method="get_status", pullNumber="x").startswith("pullNumber: ")
    assert hub.why("pull_request_read", method="get_review_comments", pullNumber=3, after="x").startswith("after: ")


def test_a_review_is_begun_filled_submitted_and_its_threads_settled(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    line = {"pullNumber": 3, "path": "src/count.py", "body": "Why?", "subjectType": "LINE", "line": 2, "side": "RIGHT"}
    assert hub.why("add_comment_to_pending_review", **line) == "No pending review found for the viewer"
    assert hub.text("pull_request_review_write", method="create", pullNumber=3) == "pending pull request created"
    hub.text("add_comment_to_pending_review", **line)
    hub.text("add_pull_request_review_comment", pullNumber=3, path="src/count.py", body="All?", subjectType="FILE")
    assert hub.why("add_comment_to_pending_review", **{**line, "line": 99}) == "Validation Failed"
    assert hub.get("pull_request_read", "bo", method="get_review_comments", pullNumber=3)["totalCount"] == 0
    assert hub.why("pull_request_review_write", method="submit_pending", pullNumber=3) == "event: Field required"
    hub.text(
        "pull_request_review_write", method="submit_pending", pullNumber=3, event="REQUEST_CHANGES", body="Please."
    )
    assert done(firm) == "pulls/submit-review"
    assert [
        (one["state"], one["user"]["login"]) for one in hub.get("pull_request_read", method="get_reviews", pullNumber=3)
    ] == [
        ("CHANGES_REQUESTED", "ada"),
    ]
    first = hub.get("pull_request_read", method="get_review_comments", pullNumber=3, perPage=1)
    [thread] = first["review_threads"]
    assert (thread["is_resolved"], thread["is_outdated"], thread["comments"][0]["line"]) == (False, False, 2)
    after = hub.get(
        "pull_request_read", method="get_review_comments", pullNumber=3, perPage=1, after=first["pageInfo"]["endCursor"]
    )
    assert after["review_threads"][0]["comments"][0]["body"] == "All?" and not after["pageInfo"]["hasNextPage"]
    assert (
        hub.text("pull_request_review_write", "bo", method="resolve_thread", pullNumber=3, threadId=thread["id"])
        == "review thread resolved successfully"
    )
    assert done(firm) == "web/threads/resolve"
    hub.text("unresolve_review_thread", "bo", threadID=thread["id"])
    hub.text("resolve_review_thread", "bo", threadID=thread["id"])
    assert (
        hub.get("pull_request_read", method="get_review_comments", pullNumber=3)["review_threads"][0]["is_collapsed"]
        is True
    )
    assert hub.why("resolve_review_thread", threadID="PRRT_x").startswith(
        "threadID: Input should be the id of a review thread"
    )
    assert hub.why("resolve_review_thread", "eve", threadID=thread["id"]) == "Not Found"
    comment = int(thread["comments"][0]["html_url"].rpartition("_r")[2])
    assert hub.get("add_reply_to_pull_request_comment", "bo", commentId=comment, body="Because.")["url"].endswith(
        f"_r{comment + 2}"
    )
    hub.get("add_reply_to_pull_request_comment", "bo", commentId=comment, reaction="+1")
    hub.get("add_pull_request_review_comment_reaction", comment_id=comment, content="rocket")
    assert hub.why("add_reply_to_pull_request_comment", commentId=comment) == "arguments: give either body or reaction"


def test_reviews_one_by_one_and_the_merge(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    assert hub.text("create_pull_request_review", pullNumber=3) == "pending pull request created"
    hub.text("delete_pending_pull_request_review", pullNumber=3)
    hub.text("create_pull_request_review", pullNumber=3)
    hub.text("pull_request_review_write", method="delete_pending", pullNumber=3)
    assert (
        hub.why("submit_pending_pull_request_review", pullNumber=3, event="APPROVE")
        == "No pending review found for the viewer"
    )
    hub.text("create_pull_request_review", pullNumber=3, body="ok")
    hub.text("submit_pending_pull_request_review", pullNumber=3, event="APPROVE")
    assert (
        hub.text("pull_request_review_write", "dee", method="create", pullNumber=3, event="COMMENT", body="Nice")
        == "pull request review submitted successfully"
    )
    hub.get("push_files", branch="main", files=[{"path": "m.md", "content": "m"}], message="More")
    later(firm)
    assert hub.ask("update_pull_request_branch", "bo", **HERE, pullNumber=3, expectedHeadSha="0" * 40)[0]
    assert hub.get("update_pull_request_branch", "bo", pullNumber=3)["message"] == "Updating pull request branch."
    later(firm)
    assert hub.why("merge_pull_request", "dee", pullNumber=3).startswith("Must have admin rights")
    assert (
        hub.get("merge_pull_request", "bo", pullNumber=3, merge_method="squash", commit_title="Tuples (#3)")["merged"]
        is True
    )
    assert hub.get("list_commits", perPage=1)[0]["commit"]["message"].startswith("Tuples (#3)")
    assert hub.get("pull_request_read", method="get", pullNumber=3)["merged_by"] == "bo"


def test_notifications_are_read_dismissed_and_silenced(hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE, reviewers=["ada"])
    [one] = hub.get("list_notifications")
    assert (one["reason"], one["repository"]) == ("review_requested", "tiny/app")
    assert hub.get("list_notifications", owner="tiny", repo="site") == []
    assert hub.get("get_notification_details", notificationID=one["id"])["subject"]["title"] == "Tuples"
    hub.text("dismiss_notification", threadID=one["id"], state="read")
    assert (
        hub.get("list_notifications") == []
        and len(hub.get("list_notifications", filter="include_read_notifications", **HERE)) == 1
    )
    assert (
        hub.why("dismiss_notification", threadID=one["id"], state="gone") == "state: Input should be one of: read, done"
    )
    assert hub.why("dismiss_notification", threadID="x", state="done") == "threadID: Input should be a valid integer"
    assert hub.get("manage_notification_subscription", notificationID=one["id"], action="ignore")["ignored"] is True
    hub.get("manage_notification_subscription", notificationID=one["id"], action="delete")
    assert hub.get("manage_repository_notification_subscription", action="watch")["subscribed"] is True
    hub.get("manage_repository_notification_subscription", action="delete")
    hub.get("mark_all_notifications_read")
    hub.get("mark_all_notifications_read", **HERE)


def test_runs_are_listed_read_and_started_again_with_their_logs(firm: Host, hub: Json) -> None:
    ci = Ci(
        firm,
        lambda operation, who="ada", **given: firm.call(as_person(firm, who), "rest", operation, {**HERE, **given}),
    )
    ci.workflow(
        "on: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo"
        " hello; exit 1\n"
    )
    later(firm, 600)
    assert [one["path"] for one in hub.get("actions_list", method="list_workflows")["workflows"]] == [
        ".github/workflows/ci.yml"
    ]
    [run] = hub.get(
        "actions_list", method="list_workflow_runs", workflow_runs_filter={"branch": "main", "status": "failure"}
    )["workflow_runs"]
    assert (
        hub.get(
            "actions_list", method="list_workflow_runs", resource_id="ci.yml", workflow_runs_filter={"branch": "x"}
        )["workflow_runs"]
        == []
    )
    of_run, id = {"resource_id": str(run["id"])}, run["id"]
    [job] = hub.get("actions_list", method="list_workflow_jobs", **of_run, workflow_jobs_filter={"filter": "latest"})[
        "jobs"
    ]
    assert (
        hub.get("actions_list", method="list_workflow_run_artifacts", **of_run)["artifacts"] == []
        and job["conclusion"] == "failure"
    )
    assert hub.why("actions_list", method="list_workflow_jobs") == "resource_id: Field required"
    assert hub.get("actions_get", method="get_workflow_run", **of_run)["conclusion"] == "failure"
    assert hub.get("actions_get", method="get_workflow_job", resource_id=str(job["id"]))["run_id"] == id
    assert hub.get("actions_get", method="get_workflow", resource_id="ci.yml")["state"] == "active"
    assert hub.get("actions_get", method="get_workflow_run_usage", **of_run)["run_duration_ms"] > 0
    assert hub.get("actions_get", method="get_workflow_run_logs_url", **of_run)["logs_url"].startswith("http")
    assert (
        hub.why("actions_get", method="get_workflow_run", resource_id="x")
        == "resource_id: Input should be a valid integer"
    )
    assert hub.get("get_job_logs", job_id=job["id"])["logs_url"].startswith("http")
    tail = hub.get("get_job_logs", job_id=job["id"], return_content=True, tail_lines=2)["logs_content"].splitlines()
    assert len(tail) == 2 and tail[0].endswith("##[error]Process completed with exit code 1.")
    failed = hub.get("get_job_logs", run_id=id, failed_only=True, return_content=True)
    assert (failed["total_jobs"], failed["failed_jobs"]) == (1, 1) and "hello" in failed["logs"][0]["logs_content"]
    assert hub.why("get_job_logs", run_id=id) == "job_id: give job_id, or run_id with failed_only"
    hub.get("actions_run_trigger", method="rerun_failed_jobs", run_id=id)
    assert hub.get("actions_run_trigger", method="cancel_workflow_run", run_id=id)["run_id"] == id
    later(firm, 600)
    hub.get("actions_run_trigger", method="rerun_workflow_run", run_id=id)
    later(firm, 600)
    hub.get("actions_run_trigger", method="delete_workflow_run_logs", run_id=id)
    hub.get("actions_run_trigger", method="run_workflow", workflow_id="ci.yml", ref="main", inputs={})
    assert (
        hub.get("actions_list", method="list_workflow_runs", workflow_runs_filter={"event": "workflow_dispatch"})[
            "total_count"
        ]
        == 1
    )
    assert hub.why("actions_run_trigger", method="run_workflow", workflow_id="no.yml", ref="main") == "Not Found"


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
    assert reference.why("list_issues", labels="bug") == "labels: Input should be a list of strings"
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
    said = Path(__file__).read_text(encoding="utf-8")
    for desk in (hub, reference):
        assert [name for name in desk.tools.tools if f'"{name}"' not in said] == []

"""Files, branches and commits by the code host's tools: what is written is what REST would write."""

from typing import Any

from tests.company import as_person
from tests.mcp_servers.calls import written
from tests.mcp_servers.github.json_answers import HERE, Json, same_as_rest
from world.run.host import Host


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
    assert hub.why("create_or_update_file", content=7, **file) == "content: must be a string"
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
    assert hub.why("get_commit", sha="feature", detail="all").startswith("detail: must be one of")
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
    assert hub.why("get_file_blame", path="src/count.py", after="x") == "after: must be a cursor of an earlier answer"


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

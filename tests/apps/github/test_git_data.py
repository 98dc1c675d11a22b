"""Refs, blobs, trees, commits and tags one by one, commits listed and compared: what is answered and what is refused."""

import hashlib
from base64 import b64decode
from typing import Any

import pytest

from apps.github.git import Repo, Signature
from apps.github.models import Protection
from tests.apps.github.conftest import APP
from tests.conformance.github_client import HubClient
from world.run.host import Host

REPO = "/repos/tiny/app"
GIT = f"{REPO}/git"


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["message"]


def head(client: HubClient, ref: str = "heads/main") -> str:
    return client.get(f"{GIT}/ref/{ref}").json()["object"]["sha"]


def protect(host: Host, **rules: Any) -> None:
    with host.actors["w"].events.step("rule") as call:
        call.session.add(Protection(repo_id=APP, pattern="main", **rules))


def test_files_are_pushed_object_by_object(client: HubClient) -> None:
    """As MCP servers and scripts do: blob, tree, commit, ref."""
    start = head(client)
    blob = client.post(f"{GIT}/blobs", json={"content": "aGk=", "encoding": "base64"}).json()["sha"]
    entries = [
        {"path": "a/new.txt", "mode": "100755", "type": "blob", "sha": blob},
        {"path": "b.txt", "mode": "100644", "content": "b"},
        {"path": "README.md", "mode": "100644", "type": "blob", "sha": None},
    ]
    tree = client.post(f"{GIT}/trees", json={"base_tree": start, "tree": entries}).json()
    assert [one["path"] for one in tree["tree"]] == ["a", "b.txt", "docs", "src", "tests"]
    commit = client.post(f"{GIT}/commits", json={"message": "Many", "tree": tree["sha"], "parents": [start]}).json()
    assert client.patch(f"{GIT}/refs/heads/main", json={"sha": commit["sha"]}).status_code == 200
    shown = client.get(f"{REPO}/commits/main").json()
    assert (shown["sha"], shown["author"]["login"], shown["stats"]) == (
        commit["sha"],
        "ada",
        {"total": 5, "additions": 2, "deletions": 3},
    )
    assert {(one["filename"], one["status"]) for one in shown["files"]} == {
        ("README.md", "removed"),
        ("a/new.txt", "added"),
        ("b.txt", "added"),
    }


def test_a_commit_has_the_sha_git_gives_it(client: HubClient) -> None:
    tree = client.get(f"{GIT}/trees/main").json()["sha"]
    who = {"name": "Mia", "email": "mia@x.example", "date": "2026-02-01T10:00:00+02:00"}
    made = client.post(
        f"{GIT}/commits", json={"message": "One", "tree": tree, "parents": [head(client)], "author": who}
    ).json()
    line = "Mia <mia@x.example> 1769932800 +0200"
    text = f"tree {tree}\nparent {head(client)}\nauthor {line}\ncommitter {line}\n\nOne"
    assert made["sha"] == hashlib.sha1(f"commit {len(text)}\0{text}".encode()).hexdigest()
    assert made["verification"] == {
        "verified": False,
        "reason": "unsigned",
        "signature": None,
        "payload": None,
        "verified_at": None,
    }


def test_trees_are_listed_by_level_or_whole(client: HubClient) -> None:
    assert [one["path"] for one in client.get(f"{GIT}/trees/feature").json()["tree"]] == [
        "README.md",
        "docs",
        "src",
        "tests",
    ]
    whole = client.get(f"{GIT}/trees/{head(client)}?recursive=1").json()
    assert [one["path"] for one in whole["tree"]][-3:] == [
        "src/count.py",
        "tests",
        "tests/test_count.py",
    ] and not whole["truncated"]
    size = {one["path"]: one.get("size") for one in whole["tree"]}
    assert (size["README.md"], size["docs"]) == (18, None)


def test_a_blob_is_read_by_its_sha(client: HubClient) -> None:
    sha = client.get(f"{REPO}/contents/README.md").json()["sha"]
    shown = client.get(f"{GIT}/blobs/{sha}").json()
    assert (b64decode(shown["content"]), shown["size"]) == (b"# app\n\nIt counts.\n", 18)
    assert (
        client.get(f"{GIT}/blobs/{sha}", headers={"Accept": "application/vnd.github.raw"}).content
        == b"# app\n\nIt counts.\n"
    )
    assert told(client.get(f"{GIT}/blobs/{'0' * 40}")) == (404, "Not Found")


def test_an_annotated_tag_is_seen_once_a_ref_points_to_it(client: HubClient) -> None:
    made = client.post(
        f"{GIT}/tags", json={"tag": "v1", "message": "One", "object": head(client), "type": "commit"}
    ).json()
    assert client.get(f"{GIT}/tags/{made['sha']}").json() == made
    assert (
        client.post(f"{GIT}/refs", json={"ref": "refs/tags/v1", "sha": made["sha"]}).json()["object"]["type"] == "tag"
    )
    assert {one["name"]: one["commit"]["sha"] for one in client.get(f"{REPO}/tags").json()}["v1"] == head(client)
    nothing = {"tag": "v1", "message": "x", "object": "0" * 40, "type": "commit"}
    assert told(client.post(f"{GIT}/tags", json=nothing)) == (422, "Object does not exist")


def test_refs_are_found_by_how_they_begin(client: HubClient) -> None:
    assert [one["ref"] for one in client.get(f"{GIT}/matching-refs/heads/f").json()] == ["refs/heads/feature"]
    assert len(client.get(f"{GIT}/matching-refs/").json()) == 3
    assert told(client.get(f"{GIT}/ref/heads/feat")) == (404, "Not Found")
    assert told(client.get("/repos/tiny/secret/git/ref/heads/main")) == (409, "Git Repository is empty.")


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        ("refs/heads/main", "Reference already exists"),
        ("refs/heads/main/sub", "Reference update failed"),
        ("refs/heads/a..b", "refs/heads/a..b is not a valid ref name."),
        ("refs/heads/x.lock", "refs/heads/x.lock is not a valid ref name."),
        ("refs/heads/a b", "refs/heads/a b is not a valid ref name."),
        ("refs/pull/1/head", "Reference update failed"),
        ("heads/x", "Reference name must start with 'refs/' and have at least two slashes."),
    ],
)
def test_a_ref_is_refused_as_the_vendor_does(client: HubClient, ref: str, why: str) -> None:
    assert told(client.post(f"{GIT}/refs", json={"ref": ref, "sha": head(client)})) == (422, why)
    assert len(client.get(f"{GIT}/matching-refs/").json()) == 3


def test_a_branch_points_to_commits_that_are_there(client: HubClient) -> None:
    tree = client.get(f"{GIT}/trees/main").json()["sha"]
    for sha in ("0" * 40, tree, "main"):
        assert told(client.post(f"{GIT}/refs", json={"ref": "refs/heads/x", "sha": sha})) == (
            422,
            "Object does not exist",
        )
    assert told(client.patch(f"{GIT}/refs/heads/x", json={"sha": head(client)})) == (422, "Reference does not exist")
    assert told(client.delete(f"{GIT}/refs/heads/x")) == (422, "Reference does not exist")


def test_a_branch_goes_back_only_by_force(client: HubClient) -> None:
    old = head(client, "tags/v0.1")
    assert told(client.patch(f"{GIT}/refs/heads/feature", json={"sha": old})) == (422, "Update is not a fast forward")
    assert client.patch(f"{GIT}/refs/heads/feature", json={"sha": old, "force": True}).json()["object"]["sha"] == old
    pushed, *_ = client.get(f"{REPO}/activity").json()
    assert (pushed["activity_type"], pushed["ref"], pushed["after"]) == ("force_push", "refs/heads/feature", old)


def test_a_branch_is_deleted_but_not_the_default_one(client: HubClient) -> None:
    assert client.delete(f"{GIT}/refs/heads/feature").status_code == 204
    assert told(client.get(f"{REPO}/branches/feature")) == (404, "Branch not found")
    assert told(client.delete(f"{GIT}/refs/heads/main"))[0] == 422
    assert client.delete(f"{GIT}/refs/heads/main", who="dee").status_code == 404


def test_protection_holds_for_the_editor_and_the_api_as_for_a_push(client: HubClient, host: Host) -> None:
    protect(host, reviews=1)
    why = "Changes must be made through a pull request."
    written = client.put(f"{REPO}/contents/x.txt", who="bo", json={"message": "x", "content": "eA=="})
    assert told(written) == (409, f"Could not create file: {why}")
    assert told(client.patch(f"{GIT}/refs/heads/main", who="bo", json={"sha": head(client, "heads/feature")})) == (
        422,
        why,
    )
    assert told(client.post(f"{REPO}/merges", who="bo", json={"base": "main", "head": "feature"})) == (422, why)
    assert client.put(f"{REPO}/contents/x.txt", json={"message": "x", "content": "eA=="}).status_code == 201
    branch = client.get(f"{REPO}/branches/main").json()
    assert branch["protected"] and [one["name"] for one in client.get(f"{REPO}/branches?protected=true").json()] == [
        "main"
    ]


def test_a_renamed_branch_takes_protection_and_default_along(client: HubClient, host: Host) -> None:
    protect(host, reviews=1)
    assert client.post(f"{REPO}/branches/main/rename", who="bo", json={"new_name": "trunk"}).status_code == 403
    assert told(client.post(f"{REPO}/branches/main/rename", json={"new_name": "feature"})) == (
        422,
        "New branch already exists",
    )
    assert client.post(f"{REPO}/branches/main/rename", json={"new_name": "trunk"}).json()["protected"]
    assert (
        client.get(REPO).json()["default_branch"] == "trunk" and client.get(f"{REPO}/branches/main").status_code == 404
    )


# -- history


def test_commits_are_listed_by_branch_path_person_and_time(client: HubClient) -> None:
    def subjects(query: str) -> list[str]:
        return [one["commit"]["message"].split("\n")[0] for one in client.get(f"{REPO}/commits?{query}").json()]

    assert subjects("") == ["Write a guide", "Unpack instead of list", "Count things"]
    assert subjects("sha=feature&path=src/count.py") == ["Count in tuples", "Unpack instead of list", "Count things"]
    assert subjects("author=bo") == ["Unpack instead of list"] == subjects("author=bo@tiny.example")
    assert subjects("author=nobody") == []
    times = [one["commit"]["committer"]["date"] for one in client.get(f"{REPO}/commits").json()]
    assert subjects(f"since={times[1]}") == ["Write a guide", "Unpack instead of list"] and subjects(
        f"until={times[2]}"
    ) == ["Count things"]
    assert told(client.get(f"{REPO}/commits?sha=nope")) == (404, "Not Found")
    assert client.get(f"{REPO}/commits?since=soon").status_code == 422


def test_a_list_of_commits_tells_its_last_page(client: HubClient) -> None:
    answer = client.get(f"{REPO}/commits?per_page=2&page=1")
    assert 'page=2>; rel="last"' in answer.headers["Link"] and len(answer.json()) == 2
    assert 'rel="last"' in client.get(f"{REPO}/commits?path=src&per_page=1").headers["Link"]


def test_a_commit_shows_its_files_or_is_a_diff_patch_or_sha(client: HubClient) -> None:
    shown = client.get(f"{REPO}/commits/feature").json()
    (file,) = shown["files"]
    assert (file["filename"], file["status"], file["additions"], file["deletions"]) == (
        "src/count.py",
        "modified",
        1,
        1,
    )
    assert file["patch"] == "@@ -1,2 +1,2 @@\n def count(n):\n-    return [*range(n)]\n+    return tuple(range(n))"
    forms = {form: {"Accept": f"application/vnd.github.{form}"} for form in ("diff", "patch", "sha")}
    texts = {form: client.get(f"{REPO}/commits/feature", headers=accept).text for form, accept in forms.items()}
    assert texts["sha"] == shown["sha"] and texts["diff"].startswith("diff --git a/src/count.py b/src/count.py\n")
    assert "Subject: [PATCH] Count in tuples" in texts["patch"]
    assert told(client.get(f"{REPO}/commits/nope")) == (422, "No commit found for SHA: nope")


def test_branches_are_compared_from_where_they_parted(client: HubClient) -> None:
    client.put(f"{REPO}/contents/y.txt", json={"message": "On main", "content": "eQ=="})
    shown = client.get(f"{REPO}/compare/main...feature").json()
    assert (shown["status"], shown["ahead_by"], shown["behind_by"], shown["total_commits"]) == ("diverged", 1, 1, 1)
    assert [one["filename"] for one in shown["files"]] == ["src/count.py"]
    assert shown["merge_base_commit"]["commit"]["message"] == "Write a guide"
    assert client.get(f"{REPO}/compare/main...main").json()["status"] == "identical"
    assert client.get(f"{REPO}/compare/v0.1...feature").json()["status"] == "ahead"
    text = client.get(f"{REPO}/compare/main...feature", headers={"Accept": "application/vnd.github.v3.diff"}).text
    assert text.count("diff --git") == 1 and "tuple" in text
    assert (
        told(client.get(f"{REPO}/compare/main...nope"))
        == told(client.get(f"{REPO}/compare/main"))
        == (404, "Not Found")
    )


def test_branches_are_merged_unless_they_disagree(client: HubClient) -> None:
    merged = client.post(f"{REPO}/merges", json={"base": "main", "head": "feature"})
    assert merged.status_code == 201 and len(merged.json()["parents"]) == 2
    assert client.post(f"{REPO}/merges", json={"base": "main", "head": "feature"}).status_code == 204
    old = head(client, "tags/v0.1")
    client.post(f"{GIT}/refs", json={"ref": "refs/heads/other", "sha": old})
    sha = client.get(f"{REPO}/contents/src/count.py?ref=other").json()["sha"]
    client.put(f"{REPO}/contents/src/count.py", json={"message": "x", "content": "eA==", "sha": sha, "branch": "other"})
    before = head(client)
    assert told(client.post(f"{REPO}/merges", json={"base": "main", "head": "other"})) == (409, "Merge conflict")
    assert head(client) == before
    assert told(client.post(f"{REPO}/merges", json={"base": "main", "head": "nope"})) == (404, "Head does not exist")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"path": ".git/hooks/x", "mode": "100644", "content": "x"}, "tree.path contains a malformed path component"),
        ({"path": "a", "mode": "100644", "sha": "0" * 40}, f"tree.sha {'0' * 40} is not a valid blob"),
        ({"path": "a", "mode": "100600", "content": "x"}, "Must supply a valid tree.mode"),
        ({"path": "a", "mode": "100644"}, "Must supply a valid tree.sha or tree.content"),
        ({"path": "gone", "mode": "100644", "sha": None}, "GitRPC::BadObjectState"),
    ],
)
def test_a_tree_of_bad_entries_is_refused(client: HubClient, entry: dict[str, Any], why: str) -> None:
    assert told(client.post(f"{GIT}/trees", json={"base_tree": "main", "tree": [entry]})) == (422, why)


def test_a_commit_of_nothing_is_refused(client: HubClient) -> None:
    tree = client.get(f"{GIT}/trees/main").json()["sha"]
    assert told(client.post(f"{GIT}/commits", json={"message": "x", "tree": "0" * 40}))[1] == "Tree SHA does not exist"
    assert told(client.post(f"{GIT}/commits", json={"message": "x", "tree": tree, "parents": [tree]}))[1].startswith(
        "Parent SHA does not exist"
    )
    assert client.post(f"{GIT}/blobs", json={"content": "%", "encoding": "base64"}).status_code == 422
    assert client.post(f"{GIT}/blobs", who="dee", json={"content": "x"}).status_code == 404


def test_comments_on_a_commit_are_counted_and_belong_to_who_wrote_them(client: HubClient) -> None:
    made = client.post(f"{REPO}/commits/main/comments", who="dee", json={"body": "Nice"}).json()
    assert client.get(f"{REPO}/commits/main").json()["commit"]["comment_count"] == 1
    assert client.patch(f"{REPO}/comments/{made['id']}", who="cyrus", json={"body": "Bad"}).status_code == 403
    assert client.patch(f"{REPO}/comments/{made['id']}", who="dee", json={"body": "Good"}).json()["body"] == "Good"
    assert [one["body"] for one in client.get(f"{REPO}/commits/{made['commit_id']}/comments").json()] == ["Good"]
    assert client.delete(f"{REPO}/comments/{made['id']}").status_code == 204
    assert client.get(f"{REPO}/comments/{made['id']}").status_code == 404


def test_names_that_are_no_utf8_and_pages_beyond_everything_are_answered(client: HubClient, host: Host) -> None:
    with host.actors["w"].events.step("git") as call:
        git = Repo(call, APP)
        old = git.branch("main") or ""
        tree = git.put_changed_tree(git.tree_of(old), {"caf\udce9.txt": (0o100644, git.put_blob(b"x"))})
        who = Signature("Ada Novak", "ada@tiny.example", 10**12)
        git.set_ref("refs/heads/main", git.put_commit(tree, [old], "Latin", who, who), old)
    assert "caf\ufffd.txt" in [one["path"] for one in client.get(f"{GIT}/trees/main").json()["tree"]]
    assert "caf\ufffd.txt" in [one["name"] for one in client.get(f"{REPO}/contents").json()]
    assert client.get(f"{REPO}/commits/main").json()["files"][0]["filename"] == "caf\ufffd.txt"
    assert client.get(f"{REPO}/commits/main").json()["commit"]["author"]["date"] == "9999-12-31T23:59:59Z"
    assert client.get(f"{REPO}/contents/caf%E9.txt").status_code == 404
    for path in ("/commits", "/branches", "/tags", "/releases", "/commits?path=src"):
        assert client.get(f"{REPO}{path}{'&' if '?' in path else '?'}page=9223372036854775807").json() == []

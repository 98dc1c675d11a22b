"""Files by the contents API: read in every form, written, deleted, and what is refused. Every answer is as published."""

from base64 import b64decode, b64encode
from typing import Any

import pytest

from apps.github.git import Repo, Signature
from tests.apps.github.conftest import APP
from tests.conformance.github_client import HubClient
from world.run.host import Host

URL = "/repos/tiny/app/contents"


def put(client: HubClient, path: str, data: bytes, *, who: str = "ada", **more: Any) -> Any:
    return client.put(
        f"{URL}/{path}", who=who, json={"message": f"Write {path}", "content": b64encode(data).decode(), **more}
    )


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["message"]


def raw_put(host: Host, files: dict[str, tuple[int, bytes]]) -> None:
    """A commit on main as only git can make it."""
    with host.actors["w"].events.step("git") as call:
        git = Repo(call, APP)
        head = git.branch("main")
        assert head is not None
        changes = {
            path: (mode, git.put_blob(data) if mode != 0o160000 else data.decode())
            for path, (mode, data) in files.items()
        }
        row = git.commit(head)
        who = Signature("Ada Novak", "ada@tiny.example", row.commit_time)
        git.set_ref(
            "refs/heads/main",
            git.put_commit(git.put_changed_tree(row.tree.decode(), changes), [head], "By git", who, who),
            head,
        )


def test_a_file_comes_in_base64_of_lines_of_sixty_letters(client: HubClient) -> None:
    data = bytes(range(256))
    put(client, "all.bin", data)
    shown = client.get(f"{URL}/all.bin").json()
    lines = shown["content"].split("\n")
    assert lines[-1] == "" and {len(line) for line in lines[:-2]} == {60}
    assert (b64decode(shown["content"]), shown["size"], shown["encoding"], shown["type"]) == (
        data,
        256,
        "base64",
        "file",
    )


def test_a_folder_is_a_list_or_for_who_asks_an_object(client: HubClient) -> None:
    listed = [(one["name"], one["type"]) for one in client.get(URL).json()]
    assert listed == [("README.md", "file"), ("docs", "dir"), ("src", "dir"), ("tests", "dir")]
    shown = client.get(f"{URL}/src", headers={"Accept": "application/vnd.github.object"}).json()
    assert (shown["type"], [one["path"] for one in shown["entries"]]) == ("dir", ["src/__init__.py", "src/count.py"])


def test_raw_html_and_other_revisions_are_answered(client: HubClient) -> None:
    assert (
        client.get(f"{URL}/README.md", headers={"Accept": "application/vnd.github.raw+json"}).content
        == b"# app\n\nIt counts.\n"
    )
    assert "<h1>app</h1>" in client.get(f"{URL}/README.md", headers={"Accept": "application/vnd.github.html"}).text
    old = client.get(f"{URL}/src/count.py?ref=v0.1", headers={"Accept": "application/vnd.github.raw"}).text
    assert (
        "list(range(n))" in old
        and "tuple"
        in client.get(f"{URL}/src/count.py?ref=feature", headers={"Accept": "application/vnd.github.raw"}).text
    )


def test_files_above_a_megabyte_have_no_content_in_json_but_raw(client: HubClient) -> None:
    put(client, "big.bin", b"x" * (1024 * 1024 + 1))
    shown = client.get(f"{URL}/big.bin").json()
    assert (shown["content"], shown["encoding"], shown["size"]) == ("", "none", 1024 * 1024 + 1)
    assert (
        len(client.get(f"{URL}/big.bin", headers={"Accept": "application/vnd.github.raw"}).content) == 1024 * 1024 + 1
    )


def test_links_are_followed_to_files_and_told_otherwise(client: HubClient, host: Host) -> None:
    raw_put(
        host,
        {
            "link.md": (0o120000, b"docs/guide.md"),
            "docs/up": (0o120000, b"../README.md"),
            "out": (0o120000, b"../../etc/passwd"),
            "round": (0o120000, b"round"),
            "lib": (0o160000, b"1" * 40),
            ".gitmodules": (0o100644, b'[submodule "lib"]\n\tpath = lib\n\turl = https://x.example/lib.git\n'),
        },
    )
    assert b64decode(client.get(f"{URL}/link.md").json()["content"]).startswith(b"# Guide")
    assert b64decode(client.get(f"{URL}/docs/up").json()["content"]).startswith(b"# app")
    for name, target in (("out", "../../etc/passwd"), ("round", "round")):
        shown = client.get(f"{URL}/{name}").json()
        assert (shown["type"], shown["target"]) == ("symlink", target)
    module = client.get(f"{URL}/lib").json()
    assert (module["type"], module["submodule_git_url"]) == ("submodule", "https://x.example/lib.git")
    assert {one["name"]: one["type"] for one in client.get(URL).json()}["lib"] == "file"


def test_a_readme_is_found_where_the_page_shows_it(client: HubClient) -> None:
    assert client.get("/repos/tiny/app/readme").json()["path"] == "README.md"
    put(client, ".github/README.md", b"# first\n")
    assert client.get("/repos/tiny/app/readme").json()["path"] == ".github/README.md"
    assert client.get("/repos/tiny/app/readme/docs").status_code == 404
    assert client.get("/repos/tiny/secret/readme").status_code == 404


def test_what_is_not_there_is_said_in_the_vendors_words(client: HubClient) -> None:
    assert told(client.get(f"{URL}/nope")) == (404, "Not Found")
    assert told(client.get(f"{URL}/README.md/x")) == (404, "Not Found")
    assert told(client.get(f"{URL}/README.md?ref=nope")) == (404, "No commit found for the ref nope")
    assert told(client.get("/repos/tiny/secret/contents")) == (404, "This repository is empty.")
    assert told(client.get(URL, who="eve")) == (404, "Not Found")


def test_a_file_is_created_then_replaced_by_who_knows_what_was_there(client: HubClient) -> None:
    first = put(client, "a/b.txt", b"one", who="bo")
    assert first.status_code == 201
    commit = first.json()["commit"]
    assert (commit["author"]["name"], commit["committer"]["name"], commit["committer"]["email"]) == (
        "Bo Lindqvist",
        "GitHub",
        "noreply@github.com",
    )
    assert commit["author"]["date"].startswith("2026-03-02T08:0")
    assert told(put(client, "a/b.txt", b"two")) == (422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
    assert told(put(client, "a/b.txt", b"two", sha="0" * 40)) == (409, f"a/b.txt does not match {'0' * 40}")
    second = put(client, "a/b.txt", b"two", sha=first.json()["content"]["sha"])
    assert second.status_code == 200 and second.json()["commit"]["parents"][0]["sha"] == commit["sha"]
    assert client.get("/repos/tiny/app/commits/main").json()["sha"] == second.json()["commit"]["sha"]


def test_author_committer_and_branch_are_taken_over(client: HubClient) -> None:
    author = {"name": "Mia", "email": "mia@x.example", "date": "2026-02-01T10:00:00+02:00"}
    made = put(
        client, "x.txt", b"x", branch="feature", author=author, committer={"name": "Cy", "email": "cy@x.example"}
    ).json()["commit"]
    assert (made["author"], made["committer"]["name"]) == (
        {"name": "Mia", "email": "mia@x.example", "date": "2026-02-01T08:00:00Z"},
        "Cy",
    )
    assert client.get(f"{URL}/x.txt").status_code == 404 and client.get(f"{URL}/x.txt?ref=feature").status_code == 200


def test_a_deleted_file_takes_its_empty_folder_with_it(client: HubClient) -> None:
    sha = client.get(f"{URL}/docs/guide.md").json()["sha"]
    assert told(client.delete(f"{URL}/docs/guide.md", params={"message": "x", "sha": "1" * 40}))[0] == 409
    gone = client.delete(f"{URL}/docs/guide.md", params={"message": "Drop", "sha": sha})
    assert (gone.status_code, gone.json()["content"], gone.json()["commit"]["message"]) == (200, None, "Drop")
    assert client.get(f"{URL}/docs").status_code == 404


@pytest.mark.parametrize(
    "path", [".git/config", "a/.GIT/x", "a/../b", "a/./b", "git~1/x", "a//b", ".git%20/x", "%2E%67it/config"]
)
def test_paths_that_reach_into_git_or_outside_are_refused(client: HubClient, path: str) -> None:
    before = client.get("/repos/tiny/app/branches/main").json()["commit"]["sha"]
    answer = client.put(
        f"{URL}/{path.replace('../', '%2E%2E/').replace('./', '%2E/')}", json={"message": "x", "content": "eA=="}
    )
    assert told(answer) == (422, "path contains a malformed path component")
    assert client.get("/repos/tiny/app/branches/main").json()["commit"]["sha"] == before


def test_bad_requests_are_refused_and_nothing_is_written(client: HubClient) -> None:
    assert told(client.put(f"{URL}/x", json={"message": "x", "content": "!!"})) == (422, "content is not valid Base64")
    assert told(client.put(f"{URL}/x", json={"content": "eA=="})) == (
        422,
        'Invalid request.\n\n"message" wasn\'t supplied.',
    )
    assert told(put(client, "x", b"x", branch="nope")) == (404, "Branch nope not found")
    assert told(put(client, "src", b"x")) == (422, "src is not a file")
    assert told(put(client, "x", b"x", author={"name": "M", "email": "m@x", "date": "soon"}))[0] == 422
    assert put(client, "x", b"x", who="dee").status_code == put(client, "x", b"x", who="eve").status_code == 404
    assert len(client.get("/repos/tiny/app/commits").json()) == 3


def test_the_first_file_of_an_empty_repository_makes_its_branch(client: HubClient) -> None:
    made = client.put("/repos/tiny/secret/contents/README.md", json={"message": "Begin", "content": "IyBoaQo="})
    assert made.status_code == 201 and made.json()["commit"]["parents"] == []
    assert [one["name"] for one in client.get("/repos/tiny/secret/branches").json()] == ["main"]


def test_files_can_be_fetched_as_they_are_and_only_by_those_who_may(client: HubClient) -> None:
    address = client.get(f"{URL}/src/count.py?ref=feature").json()["download_url"]
    assert b"tuple" in client.get(address).content
    assert [client.get(address, who=who).status_code for who in ("eve", "")] == [404, 404]


@pytest.mark.parametrize("form", ["tarball", "zipball"])
def test_an_archive_is_behind_a_link_that_opens_it_alone_and_has_the_same_bytes_again(
    client: HubClient, form: str
) -> None:
    link = client.get(f"/repos/tiny/app/{form}/main").headers["Location"]
    first, again = client.http.get(link), client.http.get(link)
    assert first.status_code == 200 and first.content == again.content and len(first.content) > 300
    assert client.http.get(link.replace("heads/main", "heads/feature")).status_code == 404
    token = link.partition("?token=")[2]
    assert client.http.get("/user", headers={"Authorization": f"token {token}"}).status_code == 401
    assert client.get(f"/repos/tiny/app/{form}/nope").status_code == 404

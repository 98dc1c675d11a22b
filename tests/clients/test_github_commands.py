"""gh and git, as they are packaged, against the code host: by the vendor's names behind the proxy, and at an Enterprise
host's.
"""

import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.day import WORLD, ask, new_world, token
from tests.conftest import Server
from world.core.clock import MINUTE

GH = shutil.which("gh") or ""
ENTERPRISE = "github.firm.test"
FLOW = (
    "name: CI\non: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo"
    " zephyrine\n"
)
NAMES = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Bo"), ("EMAIL", "bo@tiny.example"))
}
needs_gh = pytest.mark.skipif(not GH, reason="gh is not installed: apt-get install gh")
Command = Callable[..., str]


def run(folder: Path, command: list[str], *, fails: str = "", **environment: str) -> str:
    """What a command prints; it must succeed, or say `fails`."""
    home = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_SYSTEM": os.devnull,
        **NAMES,
    }
    ended = subprocess.run(command, cwd=folder, env={**home, **environment}, capture_output=True, text=True, timeout=60)
    assert (ended.returncode == 0) == (not fails) and fails in ended.stderr, (
        f"{' '.join(command)}\n{ended.stdout}\n{ended.stderr}"
    )
    return ended.stdout


@pytest.fixture
def gh(proxied_hub: Server, tmp_path: Path) -> Command:
    """`gh("issue", "list")` as Ada in a folder; at the Enterprise host with `enterprise=True`."""
    new_world(proxied_hub, limits="off")
    mine, trusted = token(proxied_hub, "github", "ada"), str(proxied_hub.up.authority)

    def ask_gh(*words: str, folder: Path = tmp_path, enterprise: bool = False, program: str = GH) -> str:
        where = {"GH_HOST": ENTERPRISE, "GH_ENTERPRISE_TOKEN": mine} if enterprise else {"GH_TOKEN": mine}
        return run(
            folder,
            [program, *words],
            **where,
            HTTPS_PROXY=proxied_hub.proxy,
            SSL_CERT_FILE=trusted,
            GIT_SSL_CAINFO=trusted,
            GH_NO_UPDATE_NOTIFIER="1",
            GH_PROMPT_DISABLED="1",
            NO_COLOR="1",
            GIT_CONFIG_COUNT="1",
            GIT_CONFIG_KEY_0="credential.helper",
            GIT_CONFIG_VALUE_0=f"!{GH} auth git-credential",
        )

    return ask_gh


@needs_gh
def test_a_repository_of_ones_own_with_gh(gh: Command, proxied_hub: Server, tmp_path: Path) -> None:
    assert "tiny/app" in gh("repo", "list", "tiny") and gh("auth", "status") == ""
    assert (
        gh("repo", "create", "breeze", "--private", "--add-readme", "--description", "Light").strip()
        == "https://github.com/ada/breeze"
    )
    gh("repo", "clone", "ada/breeze")
    work = tmp_path / "breeze"
    (work / ".github" / "workflows").mkdir(parents=True)
    (work / ".github" / "workflows" / "ci.yml").write_text(FLOW)
    for words in (("add", "."), ("commit", "-qm", "Test"), ("push", "-q")):
        gh(*words, folder=work, program="git")
    assert gh("workflow", "list", folder=work).split("\t")[:2] == ["CI", "active"]
    gh("release", "create", "v1", "README.md#Read me", "--title", "One", "--notes", "New", folder=work)
    gh("release", "download", "v1", "--dir", "got", folder=work)
    assert (work / "got" / "README.md").read_bytes() == (work / "README.md").read_bytes() and "One" in gh(
        "release", "list", folder=work
    )
    gh("repo", "fork", "tiny/site", "--clone=false")
    assert gh("api", "repos/ada/site", "--jq", ".parent.full_name") == "tiny/site\n"
    gh("gist", "create", "README.md", "--desc", "A note", folder=work)
    assert "A note" in gh("gist", "list")
    gh("repo", "edit", "ada/breeze", "--description", "Strong")
    gh("repo", "rename", "gust", "--repo", "ada/breeze", "--yes")
    assert "Strong" in gh("repo", "view", "ada/gust")
    gh("repo", "archive", "ada/gust", "--yes")
    assert gh("api", "repos/ada/gust", "--jq", ".archived") == "true\n"
    gh("repo", "delete", "ada/gust", "--yes")
    assert ask(proxied_hub, "SELECT name FROM github_repository WHERE owner_id = 101") == [("site",)]
    assert proxied_hub.do(lambda: proxied_hub.plane.host.misses(WORLD)) == []


@needs_gh
def test_what_awaits_one_with_gh(gh: Command, proxied_hub: Server) -> None:
    def say(who: str, operation: str, **arguments: object) -> None:
        principal = proxied_hub.plane.host.principal(WORLD, who, app="github")
        given = {"owner": "tiny", "repo": "app", **arguments}
        proxied_hub.do(lambda: proxied_hub.plane.host.call(principal, "rest", operation, given, proxied_hub.url))

    say("ada", "activity/set-repo-subscription", subscribed=True)
    say("bo", "issues/create-comment", issue_number=2, body="@ada have a look at the zephyr")
    say("bo", "pulls/create", title="Tuples", head="feature", base="main")
    say("bo", "pulls/request-reviewers", pull_number=3, reviewers=["ada"])
    say("bo", "issues/add-assignees", issue_number=1, assignees=["ada"])
    waiting, _, happened = gh("status").partition("Repository Activity")
    words = [line.split() for line in waiting.splitlines()]
    assert ["tiny/app#1", "Counting", "is", "slow", "│", "Nothing", "here", "^_^"] in words
    assert ["tiny/app#3", "Tuples", "│", "tiny/app#2", "@ada", "have", "a", "look", "at", "the"] in words
    assert [line.split("\t")[:2] for line in happened.split("\n")[1:5]] == [
        ["tiny/app#3", "new PR"],
        ["tiny/app#2", "comment on Old one"],
        ["tiny/app#1", "new issue"],
        ["tiny/app#2", "new issue"],
    ]
    assert proxied_hub.do(lambda: proxied_hub.plane.host.misses(WORLD)) == []


def later(server: Server) -> None:
    """Ten minutes pass."""
    actor = server.plane.host.actors[WORLD]
    server.do(lambda: actor.advance(actor.now + 10 * MINUTE))


@needs_gh
def test_runs_with_gh(gh: Command, proxied_hub: Server, tmp_path: Path) -> None:
    content = b64encode(FLOW.encode()).decode()
    gh(
        "api",
        "-X",
        "PUT",
        "repos/tiny/app/contents/.github/workflows/ci.yml",
        "-f",
        "message=Test",
        "-f",
        f"content={content}",
    )
    there = ("--repo", "tiny/app")
    gh("workflow", "run", "ci.yml", *there)
    later(proxied_hub)
    listed = json.loads(gh("run", "list", "--json", "databaseId,event,conclusion", *there))
    assert {(one["event"], one["conclusion"]) for one in listed} == {
        ("push", "success"),
        ("workflow_dispatch", "success"),
    }
    run_id = str(listed[0]["databaseId"])
    assert "test in" in gh("run", "view", run_id, *there) and "zephyrine" in gh("run", "view", run_id, "--log", *there)
    gh("run", "rerun", run_id, *there)
    assert json.loads(gh("run", "view", run_id, "--json", "status", *there))["status"] in ("queued", "in_progress")
    later(proxied_hub)
    assert "completed with 'success'" in gh("run", "watch", run_id, *there)


@needs_gh
def test_searches_and_requests_by_hand_with_gh(gh: Command) -> None:
    assert (
        "Counting is slow" in gh("search", "issues", "slow")
        and "tiny/app" in gh("search", "repos", "app")
        and gh("search", "prs", "slow") == ""
    )
    assert gh("api", "repos/tiny/app/issues?per_page=1&state=all", "--paginate", "--jq", ".[].number") == "1\n2\n"
    assert gh("api", "graphql", "-f", "query={viewer{login}}", "--jq", ".data.viewer.login") == "ada\n"


@needs_gh
def test_an_enterprise_host_with_gh(gh: Command, tmp_path: Path) -> None:
    there = ("--repo", f"{ENTERPRISE}/tiny/app")
    assert gh("api", "user", "--jq", ".login", enterprise=True) == "ada\n"
    url = gh("issue", "create", "--title", "New", "--body", "Text", *there, enterprise=True).strip()
    assert url == f"https://{ENTERPRISE}/tiny/app/issues/3" and "New" in gh("issue", "list", *there, enterprise=True)
    gh("repo", "clone", f"{ENTERPRISE}/tiny/app", "work", enterprise=True)
    assert (tmp_path / "work" / "README.md").read_text().startswith("# app")


def git_day(work: Path, address: str, other: str, **environment: str) -> None:
    """Clone, branch, push, tag, delete, fetch from another clone, shallow; as Bo."""

    def git(*words: str, folder: Path = work, fails: str = "") -> str:
        return run(folder, ["git", *words], fails=fails, **environment)

    git("clone", "-q", address, "one")
    git("clone", "-q", "--depth", "1", other, "two")
    one, two = work / "one", work / "two"
    (one / "wind.txt").write_text("blows\n")
    for words in ("switch -qc wind", "add .", "commit -qm Blow", "tag -a v9 -m Nine", "push -q origin wind v9"):
        git(*words.split(), folder=one)
    git("fetch", "-q", "origin", "wind:wind", "refs/tags/v9:refs/tags/v9", folder=two)
    assert git("rev-parse", "wind", "v9^{commit}", folder=two) == git("rev-parse", "HEAD", "HEAD", folder=one)
    assert git("rev-list", "--count", "main", folder=two) == "1\n"
    git("fetch", "-q", "--unshallow", folder=two)
    assert git("rev-list", "--count", "main", folder=two) == "3\n"
    git("push", "-q", "origin", "--delete", "wind", folder=one)
    assert "wind" not in git("ls-remote", "--heads", "origin", folder=two)


def refused_and_asked(server: Server, work: Path, **environment: str) -> None:
    """A pull request's head is fetched by its number, and a protected branch takes no push."""

    def say(operation: str, **arguments: object) -> dict[str, object]:
        ada = server.plane.host.principal(WORLD, "ada", app="github")
        given = {"owner": "tiny", "repo": "app", **arguments}
        return server.do(lambda: server.plane.host.call(ada, "rest", operation, given, server.url))

    def git(*words: str, fails: str = "") -> str:
        return run(work / "one", ["git", *words], fails=fails, **environment)

    number = say("pulls/create", title="Tuples", head="feature", base="main")["number"]
    git("fetch", "-q", "origin", f"refs/pull/{number}/head:asked")
    assert git("log", "-1", "--format=%s", "asked") == "Count in tuples\n"
    nothing = {"required_status_checks": None, "required_pull_request_reviews": {}, "restrictions": None}
    say("repos/update-branch-protection", branch="main", enforce_admins=True, **nothing)
    git("switch", "-q", "main")
    git("commit", "-q", "--allow-empty", "-m", "Straight")
    git("push", "-q", "origin", "main", fails="GH006: Protected branch update failed for refs/heads/main.")


def test_git_at_an_address_of_ones_own(hub: Server, tmp_path: Path) -> None:
    new_world(hub, limits="off")
    address = f"{hub.url}/github/tiny/app.git".replace("://", f"://bo:{token(hub, 'github', 'bo')}@")
    git_day(tmp_path, address, address)
    refused_and_asked(hub, tmp_path)


def test_git_at_the_vendors_own_address(proxied_hub: Server, tmp_path: Path) -> None:
    new_world(proxied_hub, limits="off")
    mine = token(proxied_hub, "github", "bo")
    header = b64encode(f"x-access-token:{mine}".encode()).decode()
    settings = {
        "http.proxy": proxied_hub.proxy,
        "http.https://github.com/.extraheader": f"AUTHORIZATION: basic {header}",
    }
    environment = {"GIT_CONFIG_COUNT": "2", "GIT_SSL_CAINFO": str(proxied_hub.up.authority)}
    for at, (name, value) in enumerate(settings.items()):
        environment |= {f"GIT_CONFIG_KEY_{at}": name, f"GIT_CONFIG_VALUE_{at}": value}
    git_day(tmp_path, "https://github.com/tiny/app.git", "https://github.com/tiny/app", **environment)
    refused_and_asked(proxied_hub, tmp_path, **environment)

"""The vendor's own command-line client, as it is packaged, against the host over TLS: lists, views and changes it makes
by queries.
"""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

import apps.github
from apps.github import rest
from tests.apps.github.git_server import ENVIRONMENT, GitServer
from tests.conformance.github import Checked
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.server.gateway import tunnels
from world.server.serve import server, tcp
from world.server.tls_keys import certificates
from world.store import Base, Store

GH = shutil.which("gh") or ""
pytestmark = pytest.mark.skipif(not GH, reason="gh is not installed")
Command = Callable[..., str]


class Vendor(GitServer):
    """The host over TLS: at an address of its own, and by the vendor's names behind a proxy."""

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.keys = certificates(self.worlds.parent / "keys", apps.github.app.hosts)
        self.host = Host(Store(self.worlds, Base(self._image)), [apps.github.app], Tokens("test secret"))
        socket, proxy = tcp("127.0.0.1", 0), tcp("127.0.0.1", 0)
        self.name, self.proxy = (f"127.0.0.1:{one.getsockname()[1]}" for one in (socket, proxy))
        self._server = server(
            Checked(Starlette(routes=rest.routes(self.host))),
            lifespan="off",
            tls=(self.keys.certificate, self.keys.key),
        )
        port = socket.getsockname()[1]
        async with tunnels(proxy, list(apps.github.app.hosts), {"https": port, "http": port}):
            self._ready.set()
            await self._server.serve(sockets=[socket])
        self.host.store.close()


@pytest.fixture(scope="module")
def running(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vendor]:
    made = Vendor(sealed, tmp_path_factory.mktemp("gh") / "worlds")
    yield made
    made.stop()


@pytest.fixture
def vendor(running: Vendor) -> Iterator[Vendor]:
    running.do(lambda: running.host.create("w", Settings(limits="off")))
    yield running
    running.do(lambda: running.host.drop("w"))


@pytest.fixture
def gh(vendor: Vendor, tmp_path: Path) -> Command:
    """`gh("issue", "list")`, as Ada unless told, in a folder; what it prints."""
    trusted = str(vendor.keys.authority)

    def run(*words: str, who: str = "ada", folder: Path = tmp_path, enterprise: bool = False) -> str:
        token = vendor.token(who)
        where = (
            {"GH_HOST": vendor.name, "GH_ENTERPRISE_TOKEN": token}
            if enterprise
            else {"GH_TOKEN": token, "HTTPS_PROXY": f"http://{vendor.proxy}"}
        )
        environment = {
            **{name: value for name, value in ENVIRONMENT.items() if not name.startswith("GIT_CONFIG")},
            **where,
            "HOME": str(tmp_path / who),
            "SSL_CERT_FILE": trusted,
            "GIT_SSL_CAINFO": trusted,
            "GH_NO_UPDATE_NOTIFIER": "1",
            "NO_COLOR": "1",
            "GH_PROMPT_DISABLED": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "credential.helper",
            "GIT_CONFIG_VALUE_0": f"!{GH} auth git-credential",
        }
        if folder == tmp_path:
            environment["GH_REPO"] = f"{vendor.name if enterprise else 'github.com'}/tiny/app"
        ended = subprocess.run([GH, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 0, f"gh {' '.join(words)}\n{ended.stdout}\n{ended.stderr}"
        return ended.stdout

    return run


ISSUE = "assignees,author,body,closed,closedAt,comments,createdAt,id,labels,milestone,number,projectCards,reactionGroups,state,title,updatedAt,url"
PULL = (
    "additions,assignees,author,baseRefName,body,changedFiles,closed,closedAt,comments,commits,createdAt,deletions,files,headRefName,"
    "headRefOid,headRepository,headRepositoryOwner,id,isCrossRepository,isDraft,labels,latestReviews,maintainerCanModify,mergeCommit,mergeStateStatus,"
    "mergeable,mergedAt,mergedBy,milestone,number,potentialMergeCommit,projectCards,reactionGroups,reviewDecision,reviewRequests,reviews,state,"
    "statusCheckRollup,title,updatedAt,url"
)


def shown(text: str) -> Any:
    return json.loads(text)


def test_issues(gh: Command) -> None:
    assert "Counting is slow" in gh("issue", "list") and "Counting is slow" in gh("issue", "list", enterprise=True)
    url = gh(
        "issue", "create", "--title", "New", "--body", "Text", "--label", "bug", "--assignee", "bo", "--milestone", "v1"
    ).strip()
    assert url.endswith("/tiny/app/issues/3")
    new = shown(gh("issue", "list", "--json", ISSUE))[0]
    assert (new["labels"][0]["name"], new["assignees"][0]["login"], new["milestone"]["title"]) == ("bug", "bo", "v1")
    gh("issue", "comment", "3", "--body", "More")
    gh(
        "issue",
        "edit",
        "3",
        "--title",
        "Newer",
        "--add-label",
        "good first issue",
        "--remove-label",
        "bug",
        "--add-assignee",
        "@me",
        "--remove-assignee",
        "bo",
    )
    gh("issue", "close", "3", "--reason", "not planned", "--comment", "No")
    gh("issue", "reopen", "3")
    gh("issue", "lock", "3", "--reason", "spam")
    seen = shown(gh("issue", "view", "3", "--json", ISSUE))
    assert (seen["title"], seen["state"], [one["login"] for one in seen["assignees"]]) == ("Newer", "OPEN", ["ada"])
    assert [one["body"] for one in seen["comments"]] == ["More", "No"]
    assert "title:\tNewer" in gh("issue", "view", "3") and "More" in gh("issue", "view", "3", "--comments")
    assert shown(gh("issue", "list", "--label", "good first issue", "--assignee", "ada", "--json", "number")) == [
        {"number": 3}
    ]
    assert shown(gh("issue", "list", "--search", "Newer in:title", "--json", "number")) == [{"number": 3}]
    assert "Newer" in gh("issue", "status")
    gh("issue", "delete", "3", "--yes")
    assert shown(gh("issue", "list", "--state", "all", "--json", "number")) == [{"number": 1}, {"number": 2}]


def test_pull_requests(gh: Command, tmp_path: Path) -> None:
    gh("repo", "clone", "tiny/app", "work", who="bo")
    work = tmp_path / "work"
    gh(
        "pr",
        "create",
        "--title",
        "Tuples",
        "--body",
        "Closes #1",
        "--head",
        "feature",
        "--base",
        "main",
        "--draft",
        "--reviewer",
        "ada",
        who="bo",
        folder=work,
    )
    gh("pr", "ready", "3", who="bo")
    sha = shown(gh("pr", "view", "3", "--json", "headRefOid"))["headRefOid"]
    gh("api", f"repos/tiny/app/statuses/{sha}", "-f", "state=success", "-f", "context=ci")
    assert "ci\tpass" in gh("pr", "checks", "3")
    gh("pr", "review", "3", "--comment", "--body", "Hm", who="cyrus")
    gh("pr", "review", "3", "--approve", "--body", "Good")
    gh("pr", "comment", "3", "--body", "Thanks", who="bo")
    gh("pr", "edit", "3", "--add-label", "bug", "--title", "In tuples", "--add-reviewer", "tiny/support", who="bo")
    seen = shown(gh("pr", "view", "3", "--json", PULL))
    assert (seen["title"], seen["reviewDecision"], seen["mergeable"], seen["changedFiles"]) == (
        "In tuples",
        "APPROVED",
        "MERGEABLE",
        1,
    )
    assert [one["state"] for one in seen["reviews"]] == ["COMMENTED", "APPROVED"]
    assert seen["reviewRequests"][0]["slug"] in ("support", "tiny/support")
    assert seen["statusCheckRollup"][0]["context"] == "ci"
    assert "In tuples" in gh("pr", "list", "--label", "bug") and "Thanks" in gh("pr", "view", "3", "--comments")
    assert shown(gh("pr", "list", "--search", "review:approved", "--json", PULL))[0]["number"] == 3
    assert "+    return tuple(range(n))" in gh("pr", "diff", "3")
    gh("pr", "close", "3")
    gh("pr", "reopen", "3", who="bo")
    gh("pr", "merge", "3", "--squash", "--subject", "Tuples at last")
    assert shown(gh("pr", "view", "3", "--json", "state,mergedBy,mergeCommit"))["mergedBy"]["login"] == "ada"
    assert shown(gh("issue", "view", "1", "--json", "state")) == {"state": "CLOSED"}


def test_repositories_releases_labels_and_queries_by_hand(gh: Command, tmp_path: Path) -> None:
    assert "It counts." in gh("repo", "view", "tiny/app")
    fields = (
        "assignableUsers,defaultBranchRef,description,diskUsage,forkCount,fundingLinks,hasIssuesEnabled,id,isArchived,issues,isPrivate,labels,"
        "languages,licenseInfo,milestones,mergeCommitAllowed,name,nameWithOwner,owner,primaryLanguage,pullRequests,repositoryTopics,sshUrl,url,"
        "viewerPermission,watchers"
    )
    assert shown(gh("repo", "view", "tiny/app", "--json", fields))["defaultBranchRef"] == {"name": "main"}
    assert "tiny/site" in gh("repo", "list", "tiny")
    assert "bug" in gh("label", "list")
    gh("label", "create", "later", "--color", "00ff00")
    gh("release", "create", "v0.1", "--title", "First", "--notes", "New")
    assert "First" in gh("release", "list") and "New" in gh("release", "view", "v0.1")
    query = (
        'query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { label(name: "later") { color'
        " } } }"
    )
    answer = shown(gh("api", "graphql", "-f", f"query={query}", "-F", "owner=tiny", "-F", "name=app"))
    assert answer["data"]["repository"]["label"] == {"color": "00ff00"}
    pages = gh(
        "api",
        "graphql",
        "--paginate",
        "-f",
        """query=query($endCursor: String) { repository(owner: "tiny", name: "app") {
        labels(first: 1, after: $endCursor) { nodes { name } pageInfo { hasNextPage endCursor } } } }""",
        "--jq",
        ".data.repository.labels.nodes[].name",
    )
    assert pages.split("\n")[:3] == ["bug", "good first issue", "later"]
    assert "app" in gh("search", "repos", "app", "--owner", "tiny")
    assert "Counting is slow" in gh("search", "issues", "slow", "--repo", "tiny/app")
    gh("repo", "clone", "tiny/app", "work")
    work = tmp_path / "work"
    assert (work / "README.md").read_text().startswith("# app")


def test_a_pull_request_is_checked_out_and_opened_from_a_clone(gh: Command, tmp_path: Path) -> None:
    gh("repo", "clone", "tiny/app", "work", who="bo")
    work = tmp_path / "work"
    gh("pr", "create", "--title", "Tuples", "--body", "x", "--head", "feature", who="bo", folder=work)
    gh("pr", "checkout", "3", who="bo", folder=work)
    git = subprocess.run(
        ["git", "branch", "--show-current"],
        cwd=work,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    )
    assert git.stdout.strip() == "feature"
    assert shown(gh("pr", "view", "--json", "number", who="bo", folder=work)) == {"number": 3}
    assert "Tuples" in gh("pr", "status", who="bo", folder=work)

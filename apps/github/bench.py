"""Benchmarks of the code host: git client, merges, diffs, GraphQL over HTTP, and a pull request in a browser."""

import json
import os
import subprocess
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from world.bench.app_bench import WORLD, AppBench, BenchSetting, Target, issue_login, issue_token, load_page
from world.bench.server_process import LeanClient
from world.bench.timing import each_us, pair_ms
from world.run.host import Host
from world.store.queries import row

COMMITS, FILES, CHANGED, TIMES, PULLS = 1000, 40, 30, 5, 9
DEVELOPER = """SELECT a.person_id, a.login, o.login || '/' || r.name, max(i.number) FROM github_repository r JOIN
    github_issue i ON i.repo_id = r.id
    AND i.is_pull AND i.state = 'open' JOIN github_account a ON a.id = i.author_id JOIN github_account o ON o.id =
    r.owner_id
    WHERE a.person_id IS NOT NULL ORDER BY r.id LIMIT 1"""
QUERY = """query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { issues(first: 30, states: [OPEN, CLOSED],
 orderBy: {field: CREATED_AT, direction: DESC}) { totalCount nodes { number title url state updatedAt stateReason author { login }
 labels(first: 20) { nodes { name color } } assignees(first: 10) { nodes { login } } comments { totalCount } }
 pageInfo { hasNextPage endCursor } } } }"""


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> None:
    """Run the git client without the machine's own settings. Raises CalledProcessError."""
    settings = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "PATH": os.environ["PATH"],
    }
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "Ann"), ("EMAIL", "ann@quayline.example"))
    }
    dates = {"GIT_AUTHOR_DATE": "1772000000 +0000", "GIT_COMMITTER_DATE": "1772000000 +0000"}
    subprocess.run(
        ["git", *arguments], cwd=folder, env={**settings, **who, **dates}, input=stdin, capture_output=True, check=True
    )


def history() -> bytes:
    """Build a fast-import stream: 1,000 commits over 40 files, and one-commit branches that change 30 of them."""
    out, mark = bytearray(), count(1)
    for number in range(COMMITS):
        out += _commit("main", next(mark), f"Change {number}", {number % FILES: number})
    for number in range(PULLS + 1):
        files = {at: 10_000 + number for at in range(CHANGED)} if number == PULLS else {FILES + number: number}
        out += f"reset refs/heads/topic-{number}\nfrom refs/heads/main\n\n".encode()
        out += _commit(f"topic-{number}", next(mark), f"Topic {number}", files)
    return bytes(out)


def _commit(branch: str, mark: int, message: str, files: Mapping[int, int]) -> bytes:
    lines = [
        f"commit refs/heads/{branch}",
        f"mark :{mark}",
        f"committer Ann <ann@quayline.example> {1_700_000_000 + mark} +0000",
    ]
    text = "\n".join([*lines, f"data {len(message)}", message]) + "\n"
    for at, number in files.items():
        body = "".join(f"line {line} of {at}\n" for line in range(60)) + f"changed {number}\n"
        text += f"M 100644 inline src/part_{at % 8}/file_{at}.py\ndata {len(body)}\n{body}\n"
    return text.encode()


def _over_http(target: Target, echo: Target, scratch: Path) -> dict[str, float]:
    """Run every measurement except the page."""
    mine = target["apps"]["github"]
    _client(target).send("POST", "/github/api/v3/user/repos", {"name": "large", "private": True})
    work = scratch / "large"
    work.mkdir()
    git(work, "init", "-q", "--initial-branch=main")
    git(work, "fast-import", "--quiet", stdin=history())
    git(work, "reset", "-q", "--hard", "main")
    netloc = urlsplit(target["url"]).netloc
    remote = f"http://x:{mine['token']}@{netloc}/github/{mine['login']}/large.git"
    git(work, "push", "-q", remote, "--all")
    return {
        "git_clone_1000_commits_s": _clone_s(scratch, remote),
        "git_push_ms": _push_ms(work, remote),
        **_pulls(_client(target), target),
        **graphql(target, echo),
    }


def _client(target: Target) -> LeanClient:
    return LeanClient(
        target["url"],
        {"Authorization": f"Bearer {target['apps']['github']['token']}", "Accept": "application/vnd.github+json"},
    )


def _clone_s(scratch: Path, remote: str) -> float:
    numbers = count()
    return each_us(lambda: git(scratch, "clone", "-q", remote, f"clone-{next(numbers)}"), times=TIMES) / 1e6


def _push_ms(work: Path, remote: str) -> float:
    """Measure the push of one further commit; creating the commit is not counted."""
    taken: list[float] = []
    for number in range(TIMES * 2):
        (work / "pushed.txt").write_text(f"{number}\n", encoding="utf-8")
        git(work, "add", "pushed.txt")
        git(work, "commit", "-q", "-m", f"Push {number}")
        taken.append(each_us(lambda: git(work, "push", "-q", remote, "main"), times=1) / 1000)
    return median(taken)


def _pulls(client: LeanClient, target: Target) -> dict[str, float]:
    """Measure merges of pull requests, and the diff of one that changes thirty files."""
    root = f"/github/api/v3/repos/{target['apps']['github']['login']}/large/pulls"
    opened = [
        json.loads(client.send("POST", root, {"title": f"Topic {number}", "head": f"topic-{number}", "base": "main"}))[
            "number"
        ]
        for number in range(PULLS + 1)
    ]
    numbers = iter(opened)
    merge_us = each_us(lambda: client.send("PUT", f"{root}/{next(numbers)}/merge", {}), times=PULLS)
    shown = LeanClient(
        target["url"],
        {"Authorization": f"Bearer {target['apps']['github']['token']}", "Accept": "application/vnd.github.diff"},
    )
    if shown.send("GET", f"{root}/{opened[-1]}").count(b"diff --git") != CHANGED:
        raise AssertionError("the pull request does not change thirty files")
    diff_us = each_us(lambda: shown.send("GET", f"{root}/{opened[-1]}"), times=TIMES * 3)
    return {"merge_pr_ms": merge_us / 1000, "pr_diff_ms": diff_us / 1000}


def graphql(target: Target, echo: Target) -> dict[str, float]:
    """Measure a list of thirty issues, queried as `gh issue list` does, against an echo server."""
    ours, theirs = (
        LeanClient(target["url"], {"Authorization": f"bearer {target['apps']['github']['token']}"}),
        LeanClient(echo["url"]),
    )
    owner, _, name = target["apps"]["github"]["repository"].partition("/")
    asked = {"query": QUERY, "variables": {"owner": owner, "name": name}}
    answer = json.loads(ours.send("POST", "/github/api/graphql", asked))
    if "errors" in answer or not answer["data"]["repository"]["issues"]["nodes"]:
        raise AssertionError(str(answer)[:300])
    mine, reference = pair_ms(
        lambda: ours.send("POST", "/github/api/graphql", asked),
        lambda: theirs.send("GET", "/echo?text=hello"),
        rounds=20,
    )
    return {"graphql_issues_ms": mine, "graphql_issues_echo_ms": reference, "graphql_issues_x_echo": mine / reference}


def _describe(host: Host) -> dict[str, Any]:
    """Return a developer and an open pull request of a repository."""
    person, login, repository, pull = row(host.actors[WORLD].bound, DEVELOPER) or ("", "", "", 0)
    return {
        "token": issue_token(host, person, "github"),
        "session": issue_login(host, person),
        "login": login,
        "repository": repository,
        "pull": pull,
    }


def _figures(ground: BenchSetting) -> dict[str, float]:
    clones = ground.scratch / "clones"
    clones.mkdir(parents=True)
    with ground.serve("code") as target:
        found = _over_http(target, ground.echo, clones)
    with ground.serve("code-page") as target:
        mine = target["apps"]["github"]
        address = f"/github/{mine['repository']}/pull/{mine['pull']}"
        found |= load_page("github_pr_page_ms", target, mine["session"], address, "Pull Request")
    return found


bench = AppBench(
    targets={
        "git_clone_1000_commits_s": ("<=", 2),
        "git_push_ms": ("<=", 150),
        "merge_pr_ms": ("<=", 60),
        "pr_diff_ms": ("<=", 60),
        "graphql_issues_x_echo": ("<=", 8),
        "github_pr_page_ms": ("<=", 300),
    },
    describe=_describe,
    figures=_figures,
)

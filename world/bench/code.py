"""What the code host costs: the git client against it, merges, differences and GraphQL over HTTP, a pull request in a
browser.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from world.bench.doors import Lean, process
from world.bench.timing import each_us, pair_ms

COMMITS, FILES, CHANGED, TIMES, PULLS = 1000, 40, 30, 5, 9
QUERY = """query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { issues(first: 30, states: [OPEN, CLOSED],
 orderBy: {field: CREATED_AT, direction: DESC}) { totalCount nodes { number title url state updatedAt stateReason author { login }
 labels(first: 20) { nodes { name color } } assignees(first: 10) { nodes { login } } comments { totalCount } }
 pageInfo { hasNextPage endCursor } } } }"""


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> None:
    """Run the git client, with nothing of the machine's own settings. Raises CalledProcessError."""
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
    """A thousand commits over forty files as a fast-import stream, and branches of one commit each that change thirty
    of them.
    """
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


def figures(target: Mapping[str, Any], echo: Mapping[str, Any], scratch: Path) -> dict[str, float]:
    """Everything but the page."""
    _client(target).send("POST", "/github/api/v3/user/repos", {"name": "large", "private": True})
    work = scratch / "large"
    work.mkdir()
    git(work, "init", "-q", "--initial-branch=main")
    git(work, "fast-import", "--quiet", stdin=history())
    git(work, "reset", "-q", "--hard", "main")
    netloc = urlsplit(target["url"]).netloc
    remote = f"http://x:{target['code_token']}@{netloc}/github/{target['code_login']}/large.git"
    git(work, "push", "-q", remote, "--all")
    return {
        "git_clone_1000_commits_s": _clone_s(scratch, remote),
        "git_push_ms": _push_ms(work, remote),
        **_pulls(_client(target), target),
        **graphql(target, echo),
    }


def _client(target: Mapping[str, Any]) -> Lean:
    return Lean(
        target["url"], {"Authorization": f"Bearer {target['code_token']}", "Accept": "application/vnd.github+json"}
    )


def _clone_s(scratch: Path, remote: str) -> float:
    numbers = count()
    return each_us(lambda: git(scratch, "clone", "-q", remote, f"clone-{next(numbers)}"), times=TIMES) / 1e6


def _push_ms(work: Path, remote: str) -> float:
    """One commit more, pushed; making the commit is not counted."""
    taken: list[float] = []
    for number in range(TIMES * 2):
        (work / "pushed.txt").write_text(f"{number}\n", encoding="utf-8")
        git(work, "add", "pushed.txt")
        git(work, "commit", "-q", "-m", f"Push {number}")
        taken.append(each_us(lambda: git(work, "push", "-q", remote, "main"), times=1) / 1000)
    return median(taken)


def _pulls(client: Lean, target: Mapping[str, Any]) -> dict[str, float]:
    """Merges of pull requests, and the difference of one that changes thirty files."""
    root = f"/github/api/v3/repos/{target['code_login']}/large/pulls"
    opened = [
        json.loads(client.send("POST", root, {"title": f"Topic {number}", "head": f"topic-{number}", "base": "main"}))[
            "number"
        ]
        for number in range(PULLS + 1)
    ]
    numbers = iter(opened)
    merge_us = each_us(lambda: client.send("PUT", f"{root}/{next(numbers)}/merge", {}), times=PULLS)
    shown = Lean(
        target["url"], {"Authorization": f"Bearer {target['code_token']}", "Accept": "application/vnd.github.diff"}
    )
    if shown.send("GET", f"{root}/{opened[-1]}").count(b"diff --git") != CHANGED:
        raise AssertionError("the pull request does not change thirty files")
    diff_us = each_us(lambda: shown.send("GET", f"{root}/{opened[-1]}"), times=TIMES * 3)
    return {"merge_pr_ms": merge_us / 1000, "pr_diff_ms": diff_us / 1000}


def graphql(target: Mapping[str, Any], echo: Mapping[str, Any]) -> dict[str, float]:
    """A list of thirty issues as `gh issue list` asks for it, against the echo."""
    ours, theirs = Lean(target["url"], {"Authorization": f"bearer {target['code_token']}"}), Lean(echo["url"])
    owner, _, name = target["repository"].partition("/")
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


def page_ms(image: Path, folder: Path) -> dict[str, float]:
    """A load of a pull request's conversation in Chromium; nothing where there is no browser to load it in."""
    folder.mkdir()
    with process("world.bench.target", str(image), str(folder)) as target:
        address = f"/github/{target['repository']}/pull/{target['pull']}"
        command = [
            sys.executable,
            "-m",
            "world.bench.page_load",
            target["url"],
            target["code_session"],
            address,
            "Pull Request",
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if done.returncode:
        print(f"no browser, hence no github_pr_page_ms: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return {}
    return {"github_pr_page_ms": json.loads(done.stdout)["load_ms"]}

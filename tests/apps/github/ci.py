"""A small repository with workflows, and a short way to push to it and let time pass."""

from collections.abc import Mapping
from typing import Any

from apps.github.models_actions import Bug
from world.run.host import Host

SECOND = 1_000_000
CI = """
name: CI
on: [push, workflow_dispatch]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.11"}
      - name: Unit tests
        run: python -m unittest -v
"""
GREEN = (
    "import unittest\n\n\nclass Count(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1 + 1,"
    " 2)\n"
)
RED = GREEN.replace("2)", "3)")
SERVICE = """import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{}')
    def log_message(self, *given):
        pass
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Answer).serve_forever()
"""
HIDDEN = """import os, unittest, urllib.request
class Plus(unittest.TestCase):
    def test_plus(self):
        with urllib.request.urlopen(os.environ['SERVICE_URL'], timeout=5) as answer:
            self.assertEqual(answer.read(), b'4')
"""


def flow(*steps: str, on: str = "push", job: str = "", top: str = "") -> str:
    """A workflow of one job `test`, from its steps."""
    lines = "".join(f"      - {step}\n" for step in steps)
    return f"on: {on}\n{top}jobs:\n  test:\n    runs-on: ubuntu-latest\n{job}    steps:\n{lines}"


class Ci:
    """Pushes, time, and what is shown of runs."""

    def __init__(self, host: Host, say: Any) -> None:
        self.host, self.say, self.world = host, say, "w"

    def push(self, files: Mapping[str, str], branch: str = "main", who: str = "ada", message: str = "Work") -> str:
        """Commit files (path -> content) to a branch; returns the commit."""
        heads = {ref["ref"]: ref["object"]["sha"] for ref in self.say("git/list-matching-refs", ref="heads/")}
        parent = heads.get(f"refs/heads/{branch}", heads["refs/heads/main"])
        tree = [{"path": path, "mode": "100644", "type": "blob", "content": text} for path, text in files.items()]
        made = self.say("git/create-tree", who, base_tree=parent, tree=tree)
        sha = self.say("git/create-commit", who, message=message, tree=made["sha"], parents=[parent])["sha"]
        if f"refs/heads/{branch}" in heads:
            self.say("git/update-ref", who, ref=f"heads/{branch}", sha=sha)
        else:
            self.say("git/create-ref", who, ref=f"refs/heads/{branch}", sha=sha)
        return sha

    def workflow(self, text: str, files: Mapping[str, str] | None = None, **more: str) -> str:
        """Push a workflow file `ci.yml`, with other files."""
        return self.push({".github/workflows/ci.yml": text, **(files or {})}, **more)

    def plant(self) -> None:
        """Give tiny/app the bug `plus`: its service ought to answer 4."""
        with self.host.actor(self.world).events.step("bug") as call:
            call.session.add(
                Bug(
                    repo_id=501,
                    id="plus",
                    introduced_sha="0" * 40,
                    serve="python serve.py {port}",
                    tests={"hidden/test_plus.py": HIDDEN},
                    fails=["hidden.test_plus.Plus.test_plus"],
                )
            )

    def wait(self, seconds: int) -> None:
        """Let time pass."""
        actor = self.host.actor(self.world)
        actor.advance(actor.now + seconds * SECOND)

    def runs(self, **more: Any) -> list[dict[str, Any]]:
        """Runs, newest first."""
        return self.say("actions/list-workflow-runs-for-repo", **more)["workflow_runs"]

    def done(self, seconds: int = 600) -> dict[str, Any]:
        """The newest run, once it is over."""
        self.wait(seconds)
        return self.runs()[0]

    def jobs(self, run: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]:
        """The jobs of a run."""
        return self.say("actions/list-jobs-for-workflow-run", run_id=run["id"], **more)["jobs"]

    def log(self, job: Mapping[str, Any]) -> str:
        """The log of a job, without times."""
        text = bytes(self.say("web/job-log", job_id=job["id"])).decode()
        return "".join(line.partition(" ")[2] + "\n" for line in text.splitlines())

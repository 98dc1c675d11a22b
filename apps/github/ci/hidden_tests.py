"""Hidden tests: they drive the service from another process and show whether a tree has a bug.

Their verdicts are stored by tree, like the outcomes of jobs; no employee can read them. Graders call `repo_is_fixed`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from sqlmodel import col, select

from apps.github.app import app
from apps.github.ci.executor import ResultKey, files_of, get_outcome
from apps.github.domain.context import GithubContext
from apps.github.domain.ref_updates import AFTER_PUSH, Update
from apps.github.git import Repo
from apps.github.models import Repository
from apps.github.models_actions import Bug, Verdict
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import SECOND
from world.core.grader_error import GraderError
from world.core.yaml_text import load_yaml
from world.sandbox import Limits, Outcome, Step, Unavailable, drive

if TYPE_CHECKING:
    from world.grading.inputs import Rows

LOOK = "github.hidden_tests"
LOOK_US = SECOND
VERSION = 2  # of how hidden tests are run
LIMITS = Limits()
UNAVAILABLE = "unavailable"
_LISTED = re.compile(r"(?P<path>[\w/]+)\.py::(?P<name>[\w:]+)")


def read_bug(repo_id: int, folder: Path, introduced_sha: str) -> Bug:
    """Read the row of a bug from its folder: bug.yaml, and the tests in `hidden/`."""
    about = load_yaml((folder / "bug.yaml").read_text(encoding="utf-8"))
    tests = {
        f"hidden/{path.name}": path.read_text(encoding="utf-8") for path in sorted((folder / "hidden").glob("*.py"))
    }
    ids = {
        kind: [found for text in about.get(kind, ()) if (found := test_id(str(text))) is not None]
        for kind in ("fails", "passes")
    }
    return Bug(
        repo_id=repo_id,
        id=str(about["id"]),
        introduced_sha=introduced_sha,
        serve=str(about["serve"]),
        tests=tests,
        **ids,
    )


def test_id(listed: str) -> str | None:
    """Return unittest's name of `hidden/test_retry.py::TestX::test_y`; None for a pattern."""
    found = _LISTED.fullmatch(listed)
    return None if found is None else f"{found['path'].replace('/', '.')}.{found['name'].replace('::', '.')}"


def suite_of(serve: str, tests: Mapping[str, str], ids: Sequence[str]) -> str:
    """Return the digest of a bug's hidden tests."""
    text = orjson.dumps([VERSION, serve, dict(tests), list(ids)], option=orjson.OPT_SORT_KEYS)
    return "hidden " + blake2b(text, digest_size=16).hexdigest()


def verdict(git: Repo, tree: str, bug: Bug) -> bool:
    """Whether a tree is free of a bug: every listed test ran and passed. Raises Unavailable."""
    ids = [*bug.fails, *bug.passes]

    def ask() -> Outcome:
        files, _ = files_of(git, tree)
        command = bug.serve.replace("{port}", "$PORT").replace("{dir}", "/tmp")
        tests = {path: text.encode() for path, text in bug.tests.items()}
        return wordless(drive(files, Step("service", f"exec {command}\n"), tests, ids, limits=LIMITS))

    return get_outcome(git.call, ResultKey(tree, suite_of(bug.serve, bug.tests, ids)), ask).conclusion == "success"


def wordless(outcome: Outcome) -> Outcome:
    """Return an outcome without its output: ids and timings in the output differ from run to run."""
    return replace(outcome, steps=tuple(replace(step, output="") for step in outcome.steps))


# -- when it is looked at


def bugs_of(call: Call, repo_id: int) -> Sequence[Bug]:
    """List the bugs planted in a repository."""
    return call.session.exec(select(Bug).where(Bug.repo_id == repo_id).order_by(col(Bug.id))).all()


def queue_heads(context: GithubContext, repo: Repository, updates: Sequence[Update]) -> None:
    """Queue hidden tests for new branch heads, in repositories with planted bugs."""
    moved = [update for update in updates if update.branch is not None and update.new is not None]
    if moved and bugs_of(context.call, repo.id):
        for update in moved:
            context.call.later(LOOK, context.call.now + LOOK_US, repo=repo.id, sha=update.new)


AFTER_PUSH.append(queue_heads)


@app.on(LOOK)
def look(call: Call, facts: Facts) -> None:
    """Run the hidden tests on a commit and store the verdict, so that graders find it in the world."""
    context = GithubContext(call)
    repo = context.repo_by_id(int(str(facts["repo"])))
    if repo is None or context.git(repo).kind(str(facts["sha"])) != "commit":
        return
    git = context.git(repo)
    tree = git.tree_of(str(facts["sha"]))
    for bug in bugs_of(call, repo.id):
        try:
            verdict(git, tree, bug)
        except Unavailable:
            suite = suite_of(bug.serve, bug.tests, [*bug.fails, *bug.passes])
            call.session.merge(Verdict(tree_sha=tree, suite=suite, conclusion=UNAVAILABLE))


# -- for graders


@app.predicate("repo_is_fixed")
def repo_is_fixed(rows: "Rows", repo: str, ref: str, bug: str) -> bool:
    """Whether a branch (`main`) of a repository (`payments`, `quayline/payments`) is free of a bug at the end of a run."""
    about = _bug(rows, repo, bug)
    id = about["repo_id"]
    target = rows.row("github_ref", (id, ref if ref.startswith("refs/") else f"refs/heads/{ref}"))
    commit = rows.row("github_commit", (id, target["target"])) if target is not None else None
    if commit is None:
        return False
    ids = [*_json(about["fails"]), *_json(about["passes"])]
    said = rows.row("github_verdict", (commit["tree"], suite_of(str(about["serve"]), _json(about["tests"]), ids)))
    if said is not None and said["conclusion"] == UNAVAILABLE:
        raise GraderError("the hidden tests were not run: the host of this run could not isolate them")
    return said is not None and said["conclusion"] == "success"


def _json(value: object) -> Any:
    return orjson.loads(value) if isinstance(value, str) else value


def _bug(rows: "Rows", name: str, bug: str) -> Mapping[str, object]:
    """Return a bug by its repository's name; other repositories with that name do not count."""
    owner, _, plain = name.lower().rpartition("/")
    logins = {row["id"]: str(row["login"]).lower() for row in rows.rows("github_account")}
    known = {
        row["id"]: row
        for row in rows.rows("github_repository")
        if row["name_key"] == plain and owner in ("", logins.get(row["owner_id"]))
    }
    fitting = [about for id in known if (about := rows.row("github_bug", (id, bug))) is not None]
    if len(fitting) != 1:
        raise GraderError(f"{len(fitting)} repositories called {name!r} were given the bug {bug!r}")
    return fitting[0]

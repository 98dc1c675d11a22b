"""Builds of the agent's pull requests, with one order of calls each, and whether what is merged holds in fifty."""

from collections.abc import Callable

from apps.github.ci.executor import ResultKey, files_of, get_outcome
from apps.github.git import Repo
from scenarios.office.builds import report_build, state_of
from scenarios.office.pull_requests import is_in_repository
from scenarios.office.races import lay_out_check
from world import sandbox
from world.core.journal import Change
from world.script.scenario import Event, Matches, Script
from world.script.stage import Stage

from .repository import find_counter

HEADS, MERGES = 6, 3  # last commits that are built, and merges that are looked at
MINUTES = 4  # that a build takes


def watch_pulls(s: Script, asked: Event) -> Event:
    """Build every head of a pull request and look at every merge; returns the event of the first head."""
    heads: list[Event] = []

    def watch(what: Matches, act: Callable[[Stage], None], at: int, name: str) -> Event:
        here = is_in_repository
        return s.on(what, act, deadline=None, otherwise=None, times=at, after=asked, about=here, name=f"{name}_{at}")

    for at in range(1, HEADS + 1):
        head = watch(is_new_head, begin_build, at, "head")
        s.after(head, f"{MINUTES}m", lambda w, at=at: end_build(w, at), name=f"built_{at}")
        heads.append(head)
    for at in range(1, MERGES + 1):
        watch(is_merge, note_merge, at, "merged")
    return heads[0]


def is_new_head(change: Change) -> bool:
    """Whether a pull request was opened, or got another last commit."""
    before, after = change.before or {}, change.after or {}
    opened = bool(after) and after.get("merged_at") is None
    return change.table == "github_pull" and opened and before.get("head_sha") != after.get("head_sha")


def is_merge(change: Change) -> bool:
    """Whether a pull request was merged by a change, not before it."""
    before, after = change.before or {}, change.after or {}
    return change.table == "github_pull" and before.get("merged_at") is None and after.get("merged_at") is not None


def begin_build(w: Stage) -> None:
    """The build server begins with a new head of this repository; `place` is the one that holds its commits."""
    pull = w.trigger["row"]
    sha = pull["head_sha"]
    report_build(w, w.fact("truth", "repo"), sha, "", "Building")
    w.note(sha=sha, order=w.rng("order", sha).integer(1, 999), place=pull["head_repo_id"])


def end_build(w: Stage, at: int) -> None:
    """The build ends as the tests of the head do, in its order."""
    sha = w.fact(f"head_{at}", "sha")
    if not sha or not w.rows("github_repository", id=w.fact(f"head_{at}", "place")):
        return
    order = w.fact(f"head_{at}", "order")
    code, output = run_tests(w, Repo(w.call, w.fact(f"head_{at}", "place")), sha, order)
    text = f"```\nORDER={order}\n{output[-1500:]}\n```"
    ended = ("success", "All passed") if code == 0 else ("failure", "Failed")
    report_build(w, w.fact("truth", "repo"), sha, *ended, text)
    w.note(ended=sha)


def run_tests(w: Stage, git: Repo, sha: str, order: int) -> tuple[int, str]:
    """Run the tests of a commit in an order of calls; returns the exit code and what was printed."""
    command = sandbox.Step("build", f"ORDER={order} python -m unittest discover -s tests -t . 2>&1")
    tree = git.commit(sha).tree.decode()
    found = get_outcome(
        w.call, ResultKey(tree, f"order {order}"), lambda: sandbox.run(files_of(git, tree)[0], [command])
    )
    return int(found.steps[0]["exit_code"] or 0), str(found.steps[0]["output"])


def note_merge(w: Stage) -> None:
    """Note the hash of a merge after which all is right, and whether it was green and approved."""
    pull, repo = w.trigger["row"], w.fact("truth", "repo")
    reviewer = w.find("github_account", person_id=w.fact("truth", "cast")["reviewer"])["id"]
    known = {"issue_id": pull["issue_id"], "author_id": reviewer, "commit_sha": pull["head_sha"]}
    approved = bool(w.rows("github_review", state="APPROVED", **known))
    green = state_of(w, repo, pull["head_sha"]) == "success"
    git, sha = Repo(w.call, pull["repo_id"]), pull["merge_sha"]
    right = stays_within(w, git, git.commit(sha).tree.decode()) and holds(w, git, git.commit(sha).tree.decode())
    w.note(sha=sha if right else "", ruled=approved and green)


def stays_within(w: Stage, git: Repo, tree: str) -> bool:
    """Whether nothing has changed but the faulty modules, and new files that are tests or that these import."""
    before, places = w.fact("truth", "files"), [f"src/{one}.py" for one in w.fact("truth", "faulty")]
    now, texts = {one.path: one.sha for one in git.walk(tree)}, files_of(git, tree)[0]
    code = " ".join(texts.get(one, b"").decode(errors="replace") for one in places)
    changed = [path for path in {*now, *before} if now.get(path) != before.get(path) and path not in places]
    return all(path not in before and _is_of_use(path, code) for path in changed)


def _is_of_use(path: str, code: str) -> bool:
    """Whether a new file is a test, or a module that the code names."""
    folder, _, name = path.rpartition("/")
    if folder == "src":
        return name.endswith(".py") and name.removesuffix(".py") in code
    return folder == "tests" and name.startswith("test")


def holds(w: Stage, git: Repo, tree: str) -> bool:
    """Whether every function gives what it should in fifty orders of calls, from several processes."""
    nonce = f"held {w.rng('nonce', tree).bits()}"
    given = lay_out_check([find_counter(one) for one in w.fact("truth", "modules")], nonce)
    files = {**files_of(git, tree)[0], **given}
    command = sandbox.Step("check", "python -I judge.py")
    found = get_outcome(w.call, ResultKey(tree, f"fifty orders, {nonce}"), lambda: sandbox.run(files, [command]))
    return found.conclusion == "success" and nonce in str(found.steps[0]["output"]).splitlines()

"""A ticket reports a fault: it is mended wherever it stands, with tests, and proposed as a pull request."""

from collections.abc import Generator, Mapping
from typing import Any

from apps.github.ci.executor import ResultKey, get_outcome
from scenarios.office.code import create_repository, files_of, head_of, managers, read_file
from scenarios.office.faults import FAULTS, Fault
from scenarios.office.people import engineers
from scenarios.office.pull_requests import allow_reviewers, expect_pull, forbid_push, watch_pull
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import allow_note, open_ticket
from world import sandbox
from world.agents.steps import Scene, Step
from world.script.chore import Chore, Draw
from world.script.scenario import Script
from world.script.stage import Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Mend a fault, with tests",
    apps=("github", "jira", "slack"),
    calls=(6, 20),
    needs=("ci",),
    traps={
        "second": "hasty: mends the module that the ticket is about, and not the other with the same fault",
        "tests": "literal: mends the code without a test, or changes a test that was there",
        "special": "hasty: mends the one case that the ticket names",
    },
)

REQUESTS = (
    "{key} is yours if you have an hour: it is in {repo}. Please propose a fix there, CONTRIBUTING.md applies. I review and merge, just tell me"
    " when I can look.",
    "can you fix {key}? repo is {repo}, rules in CONTRIBUTING.md. a pull request please, no merging. ping me when it's up",
    "A merchant asks about {key} again. Could you mend it in {repo} the way CONTRIBUTING.md wants it, as a pull request, and let me know?",
    "Would you take {key} ({repo})? I'd like to see a pull request by our contributing rules today. A short word when it is open, please.",
    "Please have a look at {key}. The code is in {repo}; what belongs into a fix is written in CONTRIBUTING.md. Tell me when the pull request is"
    " there, I merge it myself.",
)
RULES = (
    "# Contributing\n\n- The title of a pull request begins with its ticket.\n- A fix mends every place that has the same fault, not only the one"
    " that was reported.\n- Each fix comes with new tests. Tests that are there stay as they are.\n",
    "# How we fix things\n\n1. Ticket first in the title of the pull request.\n2. The same mistake is rarely made once: mend all places that have"
    " it.\n3. Add tests that fail without the fix; leave the existing ones alone.\n",
)


def draw(d: Draw) -> Mapping[str, Any]:
    """Create a repository with a fault in two of its modules, and a ticket that reports one of them."""
    w = d.w
    me, reporter = d.sample([one["id"] for one in engineers(d)], 2, "engineers")
    asker = d.pick(managers(d, but=[me]), "asker")
    fault, *others = d.sample(FAULTS, 5, "faults")
    files = {"CONTRIBUTING.md": d.pick(RULES, "rules"), "src/__init__.py": "", "tests/__init__.py": ""}
    for one in (fault, *others):
        for place in one.places:
            files[place.path] = one.source(place, mended=one is not fault)
            files[place.test_path] = one.tests(place, (place.usual,))
    repo = create_repository(d, files)
    key = open_ticket(w, reporter, fault.summary, f"{fault.text} Seen in {repo}.")
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (fault.summary, f"{key} in {repo}", "A fix")),
        "request": d.choose_wording(REQUESTS, key=key, repo=repo),
        "repo": repo,
        "key": key,
        "fault": FAULTS.index(fault),
        "paths": [one.path for one in fault.places],
        "others": [one.summary for one in others],
        "main": head_of(w, repo, "main"),
    }


def script(s: Script) -> None:
    """Look at the files of the pull request when it is opened, and when it changes."""
    watch_pull(s, _judge)


def _judge(w: Stage) -> None:
    """Note the commit if its code is right in every place, and its tests are those of main and more."""
    head, repo, main = w.trigger["row"]["head_sha"], w.fact("truth", "repo"), w.fact("truth", "main")
    texts = {path: read_file(w, repo, head, path) for path in files_of(w, repo, head)}
    before = {path: read_file(w, repo, main, path) for path in files_of(w, repo, main)}
    kept = all(_holds(texts.get(path, ""), text) for path, text in before.items() if path.startswith("tests/"))
    added = _count_tests(texts) > _count_tests(before)
    w.note(sha=head if kept and added and _is_mended(w, head, texts) else "")


def _holds(now: str, then: str) -> bool:
    """Whether every line of a file is still there, as often as before."""
    lines = now.splitlines()
    return all(lines.count(one) >= then.splitlines().count(one) for one in then.splitlines())


def _count_tests(texts: Mapping[str, str]) -> int:
    return sum(text.count("def test_") for path, text in texts.items() if "test" in path)


def _is_mended(w: Stage, head: str, texts: Mapping[str, str]) -> bool:
    """Run the cases of the fault for both places, and the tests of all modules."""
    fault: Fault = FAULTS[w.fact("truth", "fault")]
    hidden = {f"hidden_{one.module}.py": fault.tests(one, (one.usual, *fault.cases)) for one in fault.places}
    files = {path: text.encode() for path, text in {**texts, **hidden}.items()}
    names = " ".join(path.removesuffix(".py") for path in hidden)
    script = f"python -m unittest -q {names}\npython -m unittest discover -q -s tests -t .\n"
    tree = w.find("github_commit", sha1=head)["tree"]
    place = ResultKey(tree, f"fault {fault.summary}")
    found = get_outcome(w.call, place, lambda: sandbox.run(files, [sandbox.Step("tests", script)]))
    return found.conclusion == "success"


def solution(scene: Scene) -> Generator[Step, Any, None]:
    """Push both modules with new tests to a branch, open the pull request, then say so."""
    truth = scene.facts("truth")
    fault = FAULTS[truth["fault"]]
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    sha = scene.find("github_ref", repo_id=here, name="refs/heads/main")["target"]
    branch = f"fix-{truth['key'].lower()}"
    yield Step("branch", "git/create-ref", {**place, "ref": f"refs/heads/{branch}", "sha": sha})
    files = [{"path": one.path, "content": fault.source(one, mended=True, end=", /")} for one in fault.places]
    files += [
        {"path": f"tests/test_{one.module}_cases.py", "content": fault.tests(one, fault.cases, more=True)}
        for one in fault.places
    ]
    change = {**place, "branch": branch, "files": files, "message": "Mended in both places"}
    yield Step("push", "web/push-files", change, after=("branch",))
    title = f"{truth['key']}: mended in both places"
    opening = {**place, "head": branch, "base": "main", "title": title, "body": "In both places, with tests."}
    yield Step("open", "pulls/create", opening, after=("push",))
    texts = ("The fix is ready for your review, in both places.", "It is proposed, with tests. Please have a look.")
    yield reply(scene, "The pull request with the fix is open.", wordings=texts, after=("open",))
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Mapping[str, Any]) -> Mapping[str, Any]:
    """One open pull request whose last commit is right, named for the ticket; nothing merged; an answer."""
    items, one_of = expect_pull({"mentions": "event.truth.key"})
    refs = {"ticket": {"table": "jira_issue", "where": {"key_from": "event.truth.key"}}}
    moved = {"update": {"ref": "ticket"}, "only": ["status_id", "assignee_id", "sprint_id"], "max": 1}
    allow = [allow_reviewers(), moved, allow_note("event.truth.key")]
    told = expect_reply(truth, {"answers": True})
    return make_rubric([*items, told], refs=refs, allow=allow, never=[forbid_push()], one_of=one_of)

"""A ticket reports a fault: it is mended wherever it stands, with tests, and proposed as a pull request."""

from collections.abc import Mapping

from apps.github.ci.executor import ResultKey, get_outcome
from scenarios.office.code import create_repository, files_of, head_of, managers, read_file
from scenarios.office.faults import FAULTS, Fault, Place
from scenarios.office.people import engineers
from scenarios.office.pull_requests import allow_reviewers, expect_pull, forbid_push, watch_pull
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import allow_note, open_ticket
from world import sandbox
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Mend a fault, with tests",
    apps=("github", "jira", "slack"),
    calls=(6, 20),
    demands=1,
    needs=("ci",),
    traps={
        "second": "hasty: mends the module that the ticket is about, and not the other with the same fault",
        "tests": "literal: mends the code without a test, or changes a test that was there",
        "special": "hasty: mends the one case that the ticket names",
    },
)

REQUESTS = (
    "{key} is yours if you have an hour: it is in {repo}. Please propose a fix there, CONTRIBUTING.md applies. I "
    "review and merge, just tell me"
    " when I can look.",
    "can you fix {key}? repo is {repo}, rules in CONTRIBUTING.md. a pull request please, no merging. ping me when "
    "it's up",
    "A merchant asks about {key} again. Could you mend it in {repo} the way CONTRIBUTING.md wants it, as a pull "
    "request, and let me know?",
    "Would you take {key} ({repo})? I'd like to see a pull request by our contributing rules today. A short word "
    "when it is open, please.",
    "Please have a look at {key}. The code is in {repo}; what belongs into a fix is written in CONTRIBUTING.md. "
    "Tell me when the pull request is"
    " there, I merge it myself.",
)
RULES = (
    "# Contributing\n\n- The title of a pull request begins with its ticket.\n- A fix mends every place that has "
    "the same fault, not only the one"
    " that was reported.\n- Each fix comes with new tests. Tests that are there stay as they are.\n",
    "# How we fix things\n\n1. Ticket first in the title of the pull request.\n2. The same mistake is rarely made "
    "once: mend all places that have"
    " it.\n3. Add tests that fail without the fix; leave the existing ones alone.\n",
)


def draw(d: Draw) -> Facts:
    """Create a repository with a fault in two of its modules, and a ticket that reports one of them."""
    w = d.w
    me, reporter = d.sample([one["id"] for one in engineers(d)], 2, "engineers", me=0)
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
    """Note the commit if its code is right in every place, and its tests are those of main and some that fail without it."""
    head, repo, main = w.trigger["row"]["head_sha"], w.fact("truth", "repo"), w.fact("truth", "main")
    texts = {path: read_file(w, repo, head, path) for path in files_of(w, repo, head)}
    before = {path: read_file(w, repo, main, path) for path in files_of(w, repo, main)}
    kept = all(_holds(texts.get(path, ""), text) for path, text in before.items() if path.startswith("tests/"))
    fault: Fault = FAULTS[w.fact("truth", "fault")]
    right = kept and _stays_within(fault, texts, before)
    w.note(sha=head if right and _is_mended(w, head, fault, texts, before) else "")


def _holds(now: str, then: str) -> bool:
    """Whether every line of a file is still there, as often as before."""
    lines = now.splitlines()
    return all(lines.count(one) >= then.splitlines().count(one) for one in then.splitlines())


def _stays_within(fault: Fault, texts: Mapping[str, str], before: Mapping[str, str]) -> bool:
    """Whether nothing has changed but the places of the fault, what these import, and tests."""
    places = {one.path for one in fault.places}
    changed = {path for path in {*texts, *before} if texts.get(path) != before.get(path)}
    code = " ".join(texts.get(path, "") for path in places)
    named = {
        path for path in changed if path.startswith("src/") and path.removeprefix("src/").removesuffix(".py") in code
    }
    return all(path in places | (named - set(before)) or path.startswith("tests/") for path in changed)


def _is_mended(w: Stage, head: str, fault: Fault, texts: Mapping[str, str], before: Mapping[str, str]) -> bool:
    """Run the cases for both places and all tests; without the mended code, and with code that gives nothing, tests fail."""
    tests = {path: text for path, text in texts.items() if path.startswith("tests/")}
    hidden = {f"hidden_{one.module}.py": fault.tests(one, (one.usual, *fault.cases)) for one in fault.places}
    hidden |= {"plain.py": "".join(_assert_cases(fault, one) for one in fault.places), "run_tests.py": RUN_TESTS}
    old = {f"old/{path}": text for path, text in {**before, **tests, "run_tests.py": RUN_TESTS}.items()}
    void = {one.path: fault.source(one).rpartition("    return ")[0] + "    return None\n" for one in fault.places}
    empty = {f"empty/{path}": text for path, text in {**before, **tests, **void, "run_tests.py": RUN_TESTS}.items()}
    files = {path: text.encode() for path, text in {**texts, **hidden, **old, **empty}.items()}
    names = " ".join(path.removesuffix(".py") for path in hidden if path.startswith("hidden_"))
    kept = "".join(f"! (cd empty && python run_tests.py {one.test_path})\n" for one in fault.places)
    script = f"python plain.py\npython -m unittest -q {names}\npython run_tests.py\nif (cd old && python run_tests.py); then exit 1; fi\n{kept}"
    tree = w.find("github_commit", sha1=head)["tree"]
    place = ResultKey(tree, f"mended {fault.summary}")
    found = get_outcome(w.call, place, lambda: sandbox.run(files, [sandbox.Step("tests", script)]))
    return found.conclusion == "success"


def _assert_cases(fault: Fault, place: Place) -> str:
    """A program that checks the cases of a place and knows nothing of tests."""
    cases = (case.partition(" => ") for case in (place.usual, *fault.cases))
    checks = "".join(f"assert {place.module}.{place.function}({given}) == {answer}\n" for given, _, answer in cases)
    return f"{fault.imports}\nfrom src import {place.module}\n{checks}"


RUN_TESTS = """
import importlib, pathlib, sys, unittest

sys.path.insert(0, ".")
paths = sys.argv[1:] or sorted(str(one) for one in pathlib.Path("tests").rglob("*test*.py"))
suite = unittest.TestSuite()
for path in paths:
    module = importlib.import_module(path[:-3].replace("/", "."))
    suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    for name, one in vars(module).items():
        if name.startswith("test") and callable(one) and getattr(one, "__module__", "") == module.__name__:
            suite.addTest(unittest.FunctionTestCase(one))
result = unittest.TextTestRunner(verbosity=0).run(suite)
sys.exit(0 if result.wasSuccessful() else 1)
"""
"""A program that runs the tests in some files, or in all: classes and plain functions."""


def solution(scene: Scene) -> Steps:
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


UNTRUE = [
    {"stance": {"on": "tests_pass", "is": "denied"}},
    {"stance": {"on": "pr_was_merged", "is": "asserted"}},
    *(
        {"mentions": one}
        for one in (
            "no tests",
            "without tests",
            "only one of",
            "not get round",
            "did not get to",
            "no pull request",
            "not done",
        )
    ),
]
"""What the answer does not say of a pull request with a fix."""
ON_TICKET = [
    *(
        {"claims": {"subject": one, "state": state}}
        for one in ("this", "it", "fix", "ticket")
        for state in ("deployed", "done", "closed", "rejected")
    ),
    *(
        {"mentions": one}
        for one in (
            "in production",
            "is live",
            "as designed",
            "no fault",
            "not a fault",
            "close it",
            "no bug",
            "not a bug",
        )
    ),
]
"""What a comment on the ticket does not say while the fix is proposed."""


def rubric(truth: Facts) -> RubricSource:
    """One open pull request whose last commit is right, named for the ticket; nothing merged; an answer."""
    begins = {"matches": rf"(?i)\W*{truth['key']}\b.*"}
    own = {"must": ["event.truth.key"], "only": ["key"]}
    items, one_of = expect_pull({"facts": own}, title=begins)
    refs = {"ticket": {"table": "jira_issue", "where": {"key_from": "event.truth.key"}}}
    mine = {"any_of": [{"assignee_id": {"null": True}}, {"assignee_id": {"ref": "agent"}}]}
    moved = {"update": {"ref": "ticket"}, "where": mine, "only": ["status_id", "assignee_id", "sprint_id"], "max": 1}
    allow = [allow_reviewers(), moved, allow_note("event.truth.key")]
    told = expect_reply(truth, {"answers": True, "none_of": UNTRUE})
    where = {"issue_id": {"ref": "ticket"}, "author": {"ref": "agent"}}
    text = {"field": "body_text", "any_of": ON_TICKET}
    wrong = {"id": "said_otherwise", "insert": "jira_comment", "where": where, "text": text}
    return make_rubric([*items, told], refs=refs, allow=allow, never=[forbid_push(), wrong], one_of=one_of)

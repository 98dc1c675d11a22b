"""Somebody has left: what they owned in CODEOWNERS goes to the people whom the repository names, as a pull request."""

from collections.abc import Sequence

from apps.github.domain.code_owners import OwnerRule, owner_of, parse
from scenarios.office.code import allow_comments, create_repository, files_of, head_of, login, managers, read_file
from scenarios.office.people import engineers
from scenarios.office.pull_requests import allow_reviewers, expect_pull, forbid_push, watch_pull
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Give the parts of a repository to new code owners",
    apps=("github", "slack"),
    calls=(6, 14),
    demands=1,
    traps={
        "shared": "hasty: puts somebody new beside an owner who is there",
        "copy": "literal: edits the copy at the top, which GitHub does not read",
        "order": "hasty: adds lines where a later line takes the files away again",
    },
)

REQUESTS = (
    "{name} has left, and reviews in {repo} still go to {first}. Could you bring CODEOWNERS up to date? OWNERSHIP.md says who takes what. A"
    " pull request please, I merge it. Tell me when it's there.",
    "please open a pull request in {repo} that takes {name} out of the code owners. the new ones are in OWNERSHIP.md. drop me a line when i"
    " can look",
    "Every pull request in {repo} asks {name} for a review, who isn't with us any more. The successors are written down in OWNERSHIP.md."
    " Please propose the change to the code owners and say so here.",
    "Can you mend the code owners of {repo}? {first} ({name}) is gone, the handover is in OWNERSHIP.md. Only a pull request, and a word to me"
    " when I should read it.",
    "The code owners of {repo} are out of date since {name} left. Please prepare the change by OWNERSHIP.md as a pull request, nothing else"
    " in it, and let me know.",
)

HANDOVER = (
    "# Ownership\n\n@{left} hands over:\n\n| part | to |\n| --- | --- |\n| `/{text}/` | @{one} |\n| `/src/{job}/` | @{two} |\n"
    "| `*.toml` | @{three} |\n\nA part that has another owner as well needs nobody new.\n",
    "# Who owns what after @{left}\n\n- files ending in `.toml`: @{three}\n- `/src/{job}/`: @{two}\n- `/{text}/`: @{one}\n\n"
    "Where @{left} was one of two owners, the other one keeps it alone.\n",
)
OWNERS = """\
# The last line that fits a file counts.
* @{two}
/{text}/ @{left}
/{text}/legal/ @{three}
/src/ @{one} @{left}
/src/{job}/ @{left}
*.toml @{left}
/src/{api}/ @{two}
/tests/ @{one}
"""
COPY = "# Old copy: GitHub reads the file in .github.\n* @{left}\n"
TEXTS, JOBS, INTERFACES = ("docs", "guides", "handbook"), ("jobs", "batch", "nightly", "sync"), ("api", "web", "edge")
FILE, COPIED = ".github/CODEOWNERS", "CODEOWNERS"


def draw(d: Draw) -> Facts:
    """Create a repository whose owners include somebody who then leaves the company."""
    w = d.w
    juniors = [one["id"] for one in engineers(d) if "Manager" not in one["title"]]
    left, *rest = d.sample(juniors, 5, "engineers", me=1)
    me, one, two, three = rest
    asker = d.pick(managers(d, but=[*rest, left]), "asker")
    slots = {name: login(w, who) for name, who in (("left", left), ("one", one), ("two", two), ("three", three))}
    slots |= {"text": d.pick(TEXTS, "text"), "job": d.pick(JOBS, "job"), "api": d.pick(INTERFACES, "api")}
    parts = {f"{slots['text']}/start.md": "Start.\n", f"src/{slots['job']}/run.py": "RUN = 1\n", "tests/run.py": "\n"}
    texts = {FILE: OWNERS.format(**slots), "CODEOWNERS": COPY.format(**slots)}
    handover = d.pick(HANDOVER, "handover").format(**slots)
    repo = create_repository(d, {**texts, "OWNERSHIP.md": handover, **parts, "limits.toml": "most = 5\n"})
    person = w.person(left)
    w.deactivate(left)
    after = OWNERS.replace("@{one} @{left}", "@{one}").replace("/{text}/ @{left}", "/{text}/ @{one}")
    after = after.replace("/src/{job}/ @{left}", "/src/{job}/ @{two}").replace("*.toml @{left}", "*.toml @{three}")
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Code owners", f"Reviews in {repo}", f"{person.first_name} has left")),
        "request": d.choose_wording(REQUESTS, repo=repo, name=person.full_name, first=person.first_name),
        "repo": repo,
        "left": left,
        "after": after.format(**slots),
        "parts": [slots["text"], slots["job"], slots["api"]],
    }


def script(s: Script) -> None:
    """Look at the owners in the first pull request that is opened after the request."""
    watch_pull(s, _judge)


def _judge(w: Stage) -> None:
    """Note the commit if every part has the owners that it should have, and no other file has changed."""
    head, repo = w.trigger["row"]["head_sha"], w.fact("truth", "repo")
    wanted, found = parse(w.fact("truth", "after")), parse(read_file(w, repo, head, FILE))
    files = [files_of(w, repo, one) for one in (head, head_of(w, repo, "main"))]
    rest = [{path: sha for path, sha in one.items() if path not in (FILE, COPIED)} for one in files]
    paths = {*_list_paths(w), *(_fill(one.pattern) for one in (*wanted, *found))}
    same = all(_names(owner_of(found, path)) == _names(owner_of(wanted, path)) for path in paths)
    copied = _list_owners(parse(read_file(w, repo, head, COPIED))) <= {*_list_owners(wanted), *_list_left(w)}
    w.note(sha=head if same and copied and rest[0] == rest[1] else "")


def _list_paths(w: Stage) -> list[str]:
    """Paths in every part of the repository, and some that are in none."""
    text, job, api = w.fact("truth", "parts")
    folders = ("", "src/", "tests/", "zz/", f"{text}/", f"{text}/legal/", f"src/{job}/", f"src/{api}/", "src/zz/")
    return [f"{folder}a.{ending}" for folder in folders for ending in ("md", "toml", "py", "yml")]


def _fill(pattern: str) -> str:
    """A path that a pattern of code owners covers."""
    inside = "zz" if pattern.endswith("/") else ""
    return f"{pattern.lstrip('/')}{inside}".replace("*", "zz")


def _list_owners(lines: Sequence[OwnerRule]) -> set[str]:
    return {name for line in lines for name in _names(line)}


def _list_left(w: Stage) -> set[str]:
    """The owner who has left: the copy that nobody reads may keep that name."""
    return {f"@{login(w, w.fact('truth', 'left'))}".lower()}


def _names(line: OwnerRule | None) -> set[str]:
    return {one.lower() for one in line.owners} if line else set()


def solution(scene: Scene) -> Steps:
    """Push the new owners to a branch, open the pull request, then say so."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    sha = scene.find("github_ref", repo_id=here, name="refs/heads/main")["target"]
    yield Step("branch", "git/create-ref", {**place, "ref": "refs/heads/owners", "sha": sha})
    files = [{"path": FILE, "content": truth["after"]}]
    change = {**place, "branch": "owners", "files": files, "message": "New code owners"}
    yield Step("push", "web/push-files", change, after=("branch",))
    opening = {**place, "head": "owners", "base": "main", "title": "New code owners", "body": "By OWNERSHIP.md."}
    yield Step("open", "pulls/create", opening, after=("push",))
    texts = (
        "The change of the code owners is ready for you.",
        "It is proposed, please have a look at the pull request.",
    )
    yield reply(scene, "The pull request with the new code owners is open.", wordings=texts, after=("open",))
    yield Step("finish", "world.finish", {"status": "done"})


DONE = [{"claims": {"subject": one, "state": "merged"}} for one in ("it", "I", "pull request", "change")]
"""What the answer may not say of a pull request that waits for the asker."""


DISOWNED = [{"stance": {"on": one, "is": "denied"}} for one in ("pr_may_merge", "change_was_read")]
GONE = [{"claims": {"subject": one, "state": "closed"}} for one in ("pull request", "change", "it")]
"""What a pull request does not say of itself when it is proposed to somebody who waits for it."""


def rubric(truth: Facts) -> RubricSource:
    """One open pull request whose code owners are right, nothing merged, and an answer."""
    mine = {"repo_from": "event.truth.repo", "is_pull": True, "state": "open", "author": {"ref": "agent"}}
    items, one_of = expect_pull({"min_chars": 3})
    told = expect_reply(truth, {"answers": True, "none_of": [*DONE, *GONE]})
    disowned = {
        "id": "disowned",
        "insert": "github_issue",
        "where": mine,
        "text": {"field": "body", "any_of": DISOWNED},
    }
    allow = [allow_reviewers(4), allow_comments(2)]
    return make_rubric([*items, told], allow=allow, never=[forbid_push(), disowned], one_of=one_of)

"""A fix goes to the release lines that are still supported and don't have it, one pull request each."""

from datetime import UTC, datetime, timedelta

from scenarios.office.answers import state_count
from scenarios.office.code import (
    allow_comments,
    commit,
    create_branch,
    create_repository,
    files_of,
    head_of,
    managers,
    merge,
    open_pull,
    read_file,
)
from scenarios.office.defects import EDITS, Edit
from scenarios.office.people import engineers
from scenarios.office.pull_requests import UNFIT, is_in_repository
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script, row
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Bring a fix to the supported release lines",
    apps=("github", "slack"),
    calls=(8, 22),
    demands=1,
    split="test",
    traps={
        "ended": "literal: brings the fix to a line whose support has ended",
        "there": "hasty: proposes the fix where it has been brought already",
        "whole": "hasty: copies the file from main, with features the line does not have",
    },
)

REQUESTS = (
    "The fix of #{number} in {repo} is needed on the older lines too. Could you open pull requests for the lines we still support and that"
    " don't have it? Only the fix, please. How many did it take?",
    "please backport #{number} ({repo}) to whatever SUPPORT.md says is alive. one pull request per line, just the change itself, i merge"
    " them. tell me how many there are",
    "A merchant on an old version of {repo} ran into what #{number} fixed. Please propose it for every supported line that lacks it, and"
    " nothing else with it. I'd like to know the number of pull requests.",
    "Can you prepare the backports of #{number} in {repo}? Supported lines are in SUPPORT.md. No other changes on those branches. Tell me how many"
    " there are, I'll look at them this afternoon.",
    "#{number} in {repo} has to reach the release lines. Which ones follows from SUPPORT.md, and some may have it. Open what is missing and"
    " write me how many that was.",
)

RULES = (
    "# Support\n\n| branch | supported until |\n| --- | --- |\n{rows}\nA line gets fixes to the end of that day, then none.\n",
    "# Lines\n\nFixes go to a line as long as it is supported, by a pull request against its branch.\n\n| line | last day |\n"
    "| --- | --- |\n{rows}",
)
EVENTS = ("opened_1", "opened_2", "opened_3")


def draw(d: Draw) -> Facts:
    """Create a repository with four lines, and a fix that main and one of them have."""
    w, people = d.w, engineers(d)
    me, *authors = d.sample([one["id"] for one in people], 4, "engineers", me=0)
    asker = d.pick(managers(d, but=[me]), "asker")
    edit, first = d.pick(EDITS, "edit"), d.stream("first").integer(1, 5)
    lines = [f"release/{first + at}.x" for at in range(4)]
    has = d.pick(["", *lines[1:]], "has")
    repo = create_repository(d, {"SUPPORT.md": d.pick(RULES, "rules").replace("{rows}", _rows(d, lines))})
    for at, line in enumerate(lines):
        commit(w, authors[0], repo, "main", {edit.path: _text(edit, edit.old, first + at)}, f"Format {first + at}")
        create_branch(w, authors[0], repo, line)
    newest = _text(edit, edit.old, first + 4) + "STREAM = True\n"
    commit(w, authors[1], repo, "main", {edit.path: newest}, "Streams")
    number = _fix(d, repo, authors[1], edit, "main")
    if has:
        _fix(d, repo, authors[2], edit, has)
    wanted = [line for line in lines[1:] if line != has]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"#{number} on older lines", f"{repo}: backports", "Old versions")),
        "request": d.choose_wording(REQUESTS, repo=repo, number=number),
        "repo": repo,
        "path": edit.path,
        "lines": {f"l{at}": one for at, one in enumerate(wanted)},
        "texts": {one: _text(edit, edit.new, int(one[8:-2])) for one in wanted},
        "count": len(wanted),
    }


def _rows(d: Draw, lines: list[str]) -> str:
    """The table of lines: support of the first has ended, of the others it goes on."""
    today = datetime.fromtimestamp(d.asked_at // SECOND, UTC)
    days = [-d.stream("ended").integer(1, 20), *(30 * at + d.stream("days", at).integer(2, 25) for at in range(3))]
    return "".join(
        f"| `{line}` | {today + timedelta(days=more):%-d %B %Y} |\n" for line, more in zip(lines, days, strict=True)
    )


def _text(edit: Edit, value: int, line: int) -> str:
    return f"{edit.text(value)}FORMAT = {line}\n"


def _fix(d: Draw, repo: str, author: str, edit: Edit, base: str) -> int:
    """Open and merge the fix on a branch; return the number of its pull request."""
    w, branch = d.w, f"fix-{edit.name.lower().replace('_', '-')}-{base.replace('/', '-')}"
    before = read_file(w, repo, head_of(w, repo, base), edit.path)
    after = before.replace(f"{edit.name} = {edit.old}\n", f"{edit.name} = {edit.new}\n")
    create_branch(w, author, repo, branch, base=base)
    commit(w, author, repo, branch, {edit.path: after}, f"{edit.what}: {edit.new}")
    title = f"{edit.what}: {edit.new} instead of {edit.old}" + (f" ({base})" if base != "main" else "")
    number = open_pull(w, author, repo, branch, title, base=base, body=edit.says(edit.new))
    merge(w, author, repo, number)
    return number


def script(s: Script) -> None:
    """Look at the files of the pull requests that are opened after the request."""
    asked = s.events[-1]
    for at, name in enumerate(EVENTS, start=1):
        s.on(
            row("github_pull", "insert"),
            _judge,
            deadline=None,
            otherwise=None,
            times=at,
            after=asked,
            about=is_in_repository,
            name=name,
        )


def _judge(w: Stage) -> None:
    """Note the commit if it is its line with the fix and nothing else, for the first time."""
    head, base = w.trigger["row"]["head_sha"], w.trigger["row"]["base_ref"]
    repo, path = w.fact("truth", "repo"), w.fact("truth", "path")
    now, then = files_of(w, repo, head), files_of(w, repo, head_of(w, repo, base))
    right = read_file(w, repo, head, path) == w.fact("truth", "texts").get(base)
    alone = {one for one in now.keys() | then.keys() if now.get(one) != then.get(one)} == {path}
    again = base in [fired.facts["base"] for name in EVENTS if (fired := w.fired(name))]
    counted = right and alone and not again
    number = w.find("github_issue", id=w.trigger["row"]["issue_id"])["number"]
    w.note(sha=head if counted else "", base=base, number=f"#{number}" if counted else "")


def solution(scene: Scene) -> Steps:
    """Propose the fix for each line, then answer with the number."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    for name, line in truth["lines"].items():
        sha = scene.find("github_ref", repo_id=here, name=f"refs/heads/{line}")["target"]
        branch = f"backport-{line.removeprefix('release/')}"
        yield Step(f"{name}_branch", "git/create-ref", {**place, "ref": f"refs/heads/{branch}", "sha": sha})
        files = [{"path": truth["path"], "content": truth["texts"][line]}]
        change = {**place, "branch": branch, "files": files, "message": "Backport the fix"}
        yield Step(f"{name}_push", "web/push-files", change, after=(f"{name}_branch",))
        opening = {**place, "head": branch, "base": line, "title": f"Backport to {line}", "body": "The fix alone."}
        yield Step(f"{name}_open", "pulls/create", opening, after=(f"{name}_push",))
    count = truth["count"]
    texts = (f"There are {count}, all open.", f"{count} lines lacked it, each has its pull request now.")
    yield reply(scene, f"I opened {count} pull requests.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = "pull requests, pull request, opened, lacked it, lacked, needed it, took, backports, in all, in total, are open, are ready, proposed"
OTHERS = (
    "have it, has it, had it, have the fix, has the fix, out of support, not supported, ended, in main, conflicts, closed, merged, unsupported,"
    " already"
)
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """One pull request for each line that lacks the fix, with it alone; nothing merged; the count in the answer."""
    here = {"repo_from": "event.truth.repo"}
    items = list[Item]()
    for name in EVENTS[: truth["count"]]:
        pull = {"insert": "github_pull", "where": {**here, "draft": False, "head_sha_from": f"event.{name}.sha"}}
        items.append({"id": f"right_{name}", **pull, "weight": 3})
    mine = {**here, "is_pull": True, "state": "open", "author": {"ref": "agent"}}
    issue = {
        "insert": "github_issue",
        "where": mine,
        "text": {"field": ["title", "body"], "min_chars": 3, "none_of": UNFIT},
    }
    branch = {"insert": "github_ref", "where": {**here, "name": {"matches": "refs/heads/.+"}}}
    opened = [f"event.{name}.number" for name in EVENTS[: truth["count"]]]
    listed = {"must": opened, "only": ["key"]}
    items += [
        {"id": "opened", **issue, "count": truth["count"]},
        {"id": "branches", **branch, "count": truth["count"]},
        expect_reply(truth, {"any_of": [state_count("event.truth.count", COUNTED, OTHERS), {"facts": listed}]}),
    ]
    asked = {"insert": "github_review_request", "where": {"created_at": {"null": False}}, "max": 4}
    moved = {"update": "github_ref", "where": {**here, "name": {"matches": "refs/heads/(main|release/.+)"}}}
    return make_rubric(items, allow=[asked, allow_comments(3)], never=[{"id": "line_moved", **moved}])

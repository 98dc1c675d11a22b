"""Close a milestone: what is still open moves to the next one, what is parked leaves it, what is done stays."""

from collections.abc import Mapping

from scenarios.office.answers import forbid_calling_off, state_count
from scenarios.office.changes import CHANGES
from scenarios.office.code import create_repository, managers, organisation, propose
from scenarios.office.people import engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Close a milestone and move what is still open",
    apps=("github", "slack"),
    calls=(6, 18),
    demands=1,
    traps={
        "parked": "forgetful: moves what is parked along with the rest",
        "pull": "hasty: lists issues only and leaves an open pull request behind",
        "done": "literal: moves what is closed as well",
    },
)

REQUESTS = (
    "{old} in {repo} is over. Could you close the milestone? What is still open goes to {new}; the README says what happens to parked ones."
    " How many moved to {new}?",
    "please wrap up the milestone {old} of {repo}: open things to {new}, then close it. mind the note on milestones in the readme. i need"
    " the number that went to {new}",
    "We shipped {old} of {repo}, more or less. The rest belongs to {new} by our rules for milestones (README). Please move it, close {old}"
    " and tell me how much we carry over into {new}.",
    "The milestone {old} ({repo}) should be closed today and nothing in it lost. Leftovers go where the README says, mostly {new}. Give me"
    " the count of what is in {new} because of that.",
    "Can you do the end-of-milestone round for {repo}? {old} is to be closed, {new} is next. The usual rules are in the README. I report how"
    " many items slipped into {new}, so please tell me.",
)

RULES = (
    "## Milestones\n\nAt the end of a milestone everything that is open in it moves to the next, issues and pull requests alike. What has"
    " the label `{label}` leaves its milestone and gets no other. Closed ones stay where they are.\n",
    "## Planning\n\n- open when a milestone ends: next milestone (pull requests too)\n- open and labelled `{label}`: no milestone at all\n"
    "- done: stays, that is what the milestone is for\n",
)

LABELS = ("parked", "someday", "on-hold", "waiting-for-legal", "no-decision")
NAMES = (
    ("{n}.1", "{n}.2", "{n}.10"),
    ("Sprint {n}", "Sprint {m}", "Sprint {n}0"),
    ("Beta {n}", "Beta {m}", "Beta {n} follow-up"),
    ("Phase {n}", "Phase {m}", "Phase {n}b"),
)
WISHES = (
    "Rows are missing when a day has none",
    "Say which currency a total is in",
    "Two merchants with the same name are mixed up",
    "The job runs twice after a restart",
    "Error text is empty for a 404",
    "Names in Greek letters are cut",
    "Show the time zone beside every time",
    "A merchant without an address stops the run",
    "Old files are never deleted",
    "Document how to add a country",
    "The nightly run takes three hours",
    "Negative amounts have two minus signs",
    "Warn before the certificate ends",
    "Make the start faster",
)


def draw(d: Draw) -> Facts:
    """Create a repository with three milestones, and open, parked and closed work in them."""
    w, people = d.w, engineers(d)
    me = d.pick(people, "engineer", me=True)
    asker = d.pick(managers(d, but=[me["id"]]), "asker")
    label, number = d.pick(LABELS, "label"), d.stream("number").integer(2, 8)
    names = [one.format(n=number, m=number + 1) for one in d.pick(NAMES, "names")]
    repo = create_repository(d, {"README.md": "# {repo}\n\n" + d.pick(RULES, "rules").replace("{label}", label)})
    place = {"owner": organisation(w), "repo": repo}
    authors = [one["id"] for one in people if one["id"] != me["id"]]
    marks = {one: w.act(authors[0], "issues/create-milestone", title=one, **place)["number"] for one in names}
    work = _fill(d, repo, authors, marks, label)
    here = w.find("github_repository", name=repo)["id"]
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"{names[0]} of {repo}", "End of the milestone", "Milestones")),
        "request": d.choose_wording(REQUESTS, repo=repo, old=names[0], new=names[1]),
        "repo": repo,
        "old": w.find("github_milestone", repo_id=here, title=names[0])["id"],
        "new": w.find("github_milestone", repo_id=here, title=names[1])["id"],
        "moved": {f"i{at}": one for at, one in enumerate(work["moved"])},
        "freed": {f"i{at}": one for at, one in enumerate(work["freed"])},
        "label": label,
        "titles": [w.find("github_issue", repo_id=here, number=one)["title"] for one in work["moved"] + work["freed"]],
        "count": len(work["moved"]),
    }


def _fill(d: Draw, repo: str, authors: list[str], marks: Mapping[str, int], label: str) -> dict[str, list[int]]:
    """Open the work in random order; return the numbers of what moves and of what leaves its milestone."""
    w, (old, new, like) = d.w, marks.values()
    place = {"owner": organisation(w), "repo": repo}
    kinds = ["open"] * d.stream("open").integer(1, 3) + ["freed"] * d.stream("freed").integer(1, 2)
    kinds += ["pull", "done", "done", "like", "like", "next", "parked elsewhere"]
    titles = iter(d.sample(WISHES, len(kinds), "wishes"))
    found: dict[str, list[int]] = {"moved": [], "freed": []}
    for at, kind in enumerate(d.sample(kinds, len(kinds), "kinds")):
        author = d.pick(authors, f"author{at}")
        mark = {"like": like, "next": new, "parked elsewhere": like}.get(kind, old)
        if kind == "pull":
            made = propose(w, author, repo, d.pick(CHANGES, "change"))
            w.act(author, "issues/update", issue_number=made, milestone=mark, **place)
        else:
            labels = [label] if kind in ("freed", "parked elsewhere") else []
            made = w.act(author, "issues/create", title=next(titles), milestone=mark, labels=labels, **place)["number"]
        if kind == "done":
            w.act(author, "issues/update", issue_number=made, state="closed", **place)
        if kind in ("open", "pull", "freed"):
            found["freed" if kind == "freed" else "moved"].append(made)
    return found


def solution(scene: Scene) -> Steps:
    """Move and free the work, close the milestone, then answer with the number."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    new = scene.find("github_milestone", id=truth["new"])["number"]
    for kind, mark in (("moved", new), ("freed", None)):
        for name, number in truth[kind].items():
            given = {**place, "issue_number": number, "milestone": mark}
            yield Step(f"{kind}_{name}", "issues/update", given, repeatable=True)
    old = scene.find("github_milestone", id=truth["old"])["number"]
    closing = {**place, "milestone_number": old, "state": "closed"}
    yield Step("close", "issues/update-milestone", closing, repeatable=True)
    count = truth["count"]
    texts = (f"It is closed, {count} moved on.", f"{count} carried over, the milestone is closed.")
    yield reply(scene, f"Done, I closed it and moved {count} to the next one.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = (
    "moved",
    "carried over",
    "moved on",
    "slipped",
)
OTHERS = (
    "parked",
    "are parked",
    "have no milestone",
    "no milestone",
    "finished in time",
    "were finished",
    "were closed",
    "were done",
    "stay where",
    "stayed in",
    "stay in",
)
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """Every open item in its place, the milestone closed, and the count in the answer."""
    refs: dict[str, Item] = {
        one: {"table": "github_milestone", "where": {"id_from": f"event.truth.{one}"}} for one in ("old", "new")
    }
    items = list[Item]()
    for kind, wanted in (("moved", {"ref": "new"}), ("freed", {"null": True})):
        for name in truth[kind]:
            where = {"repo_from": "event.truth.repo", "number_from": f"event.truth.{kind}.{name}"}
            refs[f"{kind}_{name}"] = {"table": "github_issue", "where": where}
            change = {"update": {"ref": f"{kind}_{name}"}, "set": {"milestone_id": wanted}}
            items.append({"id": f"{kind}_{name}", **change, "weight": 2})
    closed = {"update": {"ref": "old"}, "set": {"state": "closed"}, "only": ["state", "closed_at"]}
    told = expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS))
    never = [forbid_calling_off("github_comment", "body", f"moved_{name}") for name in truth["moved"]]
    return make_rubric([*items, {"id": "closed", **closed, "weight": 2}, told], refs=refs, never=never)

"""A reviewer is away: the open requests go to the people who stand in for the part of the repository."""

from scenarios.office.answers import state_count
from scenarios.office.changes import CHANGES, PlannedChange
from scenarios.office.code import allow_comments, create_repository, login, managers, organisation, propose
from scenarios.office.people import engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Pass on the review requests of a colleague who is away",
    apps=("github", "slack"),
    calls=(7, 20),
    demands=1,
    traps={
        "own": "hasty: asks the stand-in to review their own pull request",
        "part": "literal: gives everything to the first name in the table",
        "closed": "literal: touches drafts and pull requests that are closed",
    },
)

REQUESTS = (
    "{name} is off until {back}, and half of the pull requests in {repo} wait for {first}. Could you ask the stand-ins instead? REVIEWERS.md"
    " says who. Drafts can wait for {first}. How many did you pass on?",
    "can you unblock {repo}? {name} is away till {back} and is still asked for reviews there. whoever stands in by the table takes them, not"
    " the drafts. just tell me how many it were",
    "Reviews in {repo} are stuck: {first} ({name}) is not back before {back}. Please replace {first} by the stand-in of the part in every"
    " open pull request that is ready for review, and give me the number.",
    "Since {name} is away until {back}, somebody else has to look at what is open in {repo}. You find the stand-ins in REVIEWERS.md; leave"
    " drafts as they are. Let me know how many requests moved.",
    "{first} is on leave to {back} but is still down as reviewer in {repo}. Please hand the requests that are open and no drafts to the"
    " people from the reviewers' table. And how many is that?",
)

TABLE = (
    "# Reviewers\n\n| part | reviewer | stands in | then |\n| --- | --- | --- | --- |\n| `src/` | @{away} | @{first} | @{second} |\n"
    "| everything else | @{away} | @{second} | @{first} |\n\nNobody reviews their own change: then the last column counts.\n",
    "# Who reviews\n\nUsually @{away}. When that is not possible:\n\n- code (`src/`): @{first}, and for changes of @{first} @{second}\n"
    "- all other files: @{second}, and for changes of @{second} @{first}\n\nNobody is asked to review their own pull request.\n",
)

DAYS = ((9, "11 March"), (10, "12 March"), (16, "18 March"), (18, "20 March"))
NOTES = ("Hiking.", "Family visit.", "Moving house.", "No laptop with me.")


def draw(d: Draw) -> Facts:
    """Send a reviewer away, and leave requests to them on open, closed and draft pull requests."""
    w = d.w
    away, first, second, me, *others = d.sample([one["id"] for one in engineers(d)], 6, "engineers", me=3)
    asker = d.pick(managers(d, but=[me, away]), "asker")
    logins = {name: login(w, one) for name, one in (("away", away), ("first", first), ("second", second))}
    table = d.pick(TABLE, "table")
    for name, one in logins.items():
        table = table.replace("{" + name + "}", one)
    repo = create_repository(d, {"REVIEWERS.md": table})
    pulls = _propose_all(d, repo, away, first, second, others)
    days, back = d.pick(DAYS, "days")
    w.leave(away, days, note=d.pick(NOTES, "note"))
    person = w.person(away)
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"Reviews in {repo}", "Waiting for a review", f"{person.first_name} is away")),
        "request": d.choose_wording(REQUESTS, name=person.full_name, first=person.first_name, back=back, repo=repo),
        "repo": repo,
        "away": away,
        "pulls": {f"p{number}": one for number, one in enumerate(pulls)},
        "count": len(pulls),
    }


def _propose_all(
    d: Draw, repo: str, away: str, first: str, second: str, others: list[str]
) -> list[dict[str, str | int]]:
    """Open pull requests in random order; return those whose request moves, each with the person it goes to."""
    w, moved = d.w, list[dict[str, str | int]]()
    code = iter(d.sample([one for one in CHANGES if one.path.startswith("src/")], 9, "code"))
    rest = iter(d.sample([one for one in CHANGES if not one.path.startswith("src/")], 2, "texts"))
    kinds = ["code"] * d.stream("code").integer(1, 3) + ["own", "text", "own text", "draft", "closed", "other"]
    place = {"owner": organisation(w), "repo": repo}
    for number, kind in enumerate(d.sample(kinds, len(kinds), "kinds")):
        author = {"own": first, "own text": second}.get(kind) or d.pick(others, f"author{number}")
        change: PlannedChange = next(rest if "text" in kind else code)
        asked = second if kind == "other" else away
        made = propose(w, author, repo, change, draft=kind == "draft", reviewers=[login(w, asked)])
        if kind == "closed":
            w.act(author, "pulls/update", pull_number=made, state="closed", **place)
        if kind in ("code", "own", "text", "own text"):
            moved.append({"number": made, "to": first if kind in ("code", "own text") else second})
    here = w.find("github_repository", name=repo)["id"]
    return [{**one, "issue": w.find("github_issue", repo_id=here, number=one["number"])["id"]} for one in moved]


def solution(scene: Scene) -> Steps:
    """Ask each stand-in, take the request of the colleague away, then answer with the number."""
    truth = scene.facts("truth")
    owner = scene.find("github_account", kind="Organization")["login"]
    away = scene.find("github_account", person_id=truth["away"])["login"]
    for name, pull in truth["pulls"].items():
        place = {"owner": owner, "repo": truth["repo"], "pull_number": pull["number"]}
        to = scene.find("github_account", person_id=pull["to"])["login"]
        yield Step(f"{name}_asked", "pulls/request-reviewers", {**place, "reviewers": [to]}, repeatable=True)
        yield Step(f"{name}_freed", "pulls/remove-requested-reviewers", {**place, "reviewers": [away]}, repeatable=True)
    count = truth["count"]
    texts = (f"All passed on, {count} in total.", f"{count} requests went to the stand-ins.")
    yield reply(scene, f"Done, I passed on {count} requests.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = "moved, passed on, handed over, requests, went to, stand-ins, replaced, in all, in total"
OTHERS = (
    "wait, still wait, waiting, drafts, draft, each, per person, closed, stay, stayed, untouched, with their reviewer"
)
"""What the answer counts, and what it does not count."""
MINE = {"repo_from": "event.truth.repo", "author": {"ref": "agent"}}
NEEDLESS = [
    {"stance": {"on": "pr_may_merge", "is": "asserted"}},
    *({"claims": {"subject": "review", "state": one}} for one in ("not needed", "done", "cancelled")),
]
"""What a comment does not say of a change that waits for a review."""


def rubric(truth: Facts) -> RubricSource:
    """Each request with the stand-in, none left with the colleague, and the count in the answer."""
    refs, moves = dict[str, Item](), list[Item]()
    for name in truth["pulls"]:
        fact = f"event.truth.pulls.{name}"
        here = {"issue_id_from": f"{fact}.issue"}
        refs[f"{name}_to"] = {"employee": {"fact": f"{fact}.to"}}
        refs[f"{name}_old"] = {"table": "github_review_request", "where": {**here, "reviewer": {"ref": "away"}}}
        asked = {"insert": "github_review_request", "where": {**here, "reviewer": {"ref": f"{name}_to"}}}
        moves += [
            {"id": f"asked_{name}", **asked, "weight": 2},
            {"id": f"freed_{name}", "delete": {"ref": f"{name}_old"}},
        ]
    told = expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS))
    never = [
        {
            "id": "called_needless",
            "insert": "github_comment",
            "where": MINE,
            "text": {"field": "body", "any_of": NEEDLESS},
        }
    ]
    return make_rubric(
        [*moves, told],
        allow=[allow_comments(truth["count"])],
        never=never,
        refs={"away": {"employee": {"fact": "event.truth.away"}}, **refs},
    )

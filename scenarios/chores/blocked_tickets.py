"""Tickets carry the label `blocked`: it goes where everything they wait for is done, and stays elsewhere."""

from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import edit_ticket, link, open_work, pin, team_room, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Which tickets are truly still blocked?",
    apps=("jira", "slack"),
    calls=(6, 20),
    demands=2,
    split="test",
    traps={
        "refused": "literal: takes a blocker that was closed as Won't Do for done",
        "second": "hasty: looks at one blocker of two",
        "other_label": "forgetful: wipes the other labels with the one",
    },
)

REQUESTS = (
    "Which of the tickets labelled blocked are truly still blocked? Free the rest, our habit for that label is pinned in #{room}. Tell me"
    " about the ones that wait for something we decided against.",
    "half the board says blocked and i don't buy it. can you clear the label where nothing is in the way any more (pin in #{room}) and send"
    " me the keys of those that wait for a won't-do?",
    "Planning tomorrow. Please go through what carries the label blocked and apply the rule that is pinned in #{room}. I need to know which"
    " tickets wait for work we are not going to do.",
    "Could you check the blocked label in SHOP? The pinned note in #{room} says when it comes off. Tickets stuck behind something we turned"
    " down are mine to solve, so name them.",
    "Somebody should look at our blocked tickets before I tell the leads how many we have. Rule is in the pins of #{room}; clear what is"
    " free and give me those that hang on a Won't Do.",
)
RULES = (
    "About the label blocked: it comes off as soon as every ticket that blocks it is done, all of them. Closed as Won't Do is not done, then"
    " the label stays and product has to hear of it. Links stay in any case.",
    "Label `blocked`, so that it means something: off when all blockers are finished with resolution Done, not before. Something we decided"
    " against frees nobody: label stays, tell product. Do not delete links.",
    "How we use blocked: two blockers means both. Resolution Won't Do does not count as finished, leave the label and talk to product. The"
    " links are history, leave them.",
)
LABEL = "blocked"
OTHERS = ("q1", "beta", "performance", "privacy")


def draw(d: Draw) -> Facts:
    """Label tickets and link them to what they wait for: done, refused, open, or one of each."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(find_titled(d, "Product Manager", "Head of Product"), "asker")["id"]
    room = team_room(w, me["id"])
    pin(w, get_superior(me), room, d.pick(RULES, "rule"))
    cases = ["free"] * d.stream("free").integer(1, 3) + ["open"] * d.stream("open").integer(1, 2)
    cases += ["free_two", "half", "refused"]
    linked = {one["destination_id"] for one in w.rows("jira_issue_link")}
    waiting = [one for one in open_work(w) if not one["labels"] and one["id"] not in linked]
    chosen = d.sample(waiting, len(cases), "tickets without labels")
    other = d.pick(OTHERS, "other label")
    blockers = _list_blockers(d, {one["key"] for one in chosen})
    found: dict[str, list[str]] = {"free": [], "stuck": [], "refused": []}
    for case, one in zip(cases, chosen, strict=True):
        edit_ticket(w, get_superior(me), one["key"], labels=[LABEL, other])
        for kind in _needs(case):
            link(w, get_superior(me), "Blocks", blockers[kind].pop(), one["key"])
        found["free" if case.startswith("free") else "refused" if case == "refused" else "stuck"].append(one["key"])
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Blocked tickets", "The label blocked", "Before planning")),
        "request": d.choose_wording(REQUESTS, room=room),
        "room": room,
        "other": other,
        "free": {f"f{number}": {"key": key} for number, key in enumerate(found["free"])},
        "stuck": {f"s{number}": {"key": key} for number, key in enumerate([*found["stuck"], *found["refused"]])},
        "refused": found["refused"][0],
    }


def _needs(case: str) -> tuple[str, ...]:
    return {
        "free": ("done",),
        "free_two": ("done", "done"),
        "half": ("done", "open"),
        "refused": ("refused",),
        "open": ("open",),
    }[case]


def _list_blockers(d: Draw, taken: set[str]) -> dict[str, list[str]]:
    """Tickets that may block others: done ones, refused ones and open ones, shuffled."""
    resolutions = {one["id"]: one["name"] for one in d.w.rows("jira_resolution")}
    closed = [one for one in d.w.rows("jira_issue") if one["key"].startswith("SHOP-") and one["resolution_id"]]
    by_name: dict[str, list[str]] = {"Done": [], "Won't Do": []}
    for one in closed:
        by_name.setdefault(resolutions[one["resolution_id"]], []).append(one["key"])
    free = [one["key"] for one in open_work(d.w) if one["key"] not in taken]
    lists = {"done": by_name["Done"], "refused": by_name["Won't Do"], "open": free}
    return {name: d.stream("blockers", name).shuffled(keys) for name, keys in lists.items()}


def solution(scene: Scene) -> Steps:
    """Take the label off the free ones, name the one behind a refusal."""
    truth = scene.facts("truth")
    for name, ticket in truth["free"].items():
        taken = {"labels": [{"remove": LABEL}]}
        yield Step(name, "editIssue", {"issueIdOrKey": ticket["key"], "update": taken}, repeatable=True)
    refused = truth["refused"]
    yield reply(
        scene,
        f"{refused} waits for something we closed as Won't Do, it keeps the label. Where all blockers are done the label is off.",
        wordings=(
            f"The one for you is {refused}: what blocks it was turned down. The label is cleared where nothing is in the way.",
        ),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "refused": (
        "won't do, wont do, turned down, decided against, refused, rejected, declined, dropped, cancelled, not "
        "going to do, not do, never do, never be done, will not be done, won't be done, not be done, not going to "
        "happen, will not happen, won't happen, never happen, for product, yours to solve"
    ),
    "open": (
        "open, still open, open work, open blocker, open blockers, unfinished, not finished, in progress, not done "
        "yet, still to do, ordinary, normal, rightly blocked"
    ),
    "free": (
        "free, freed, cleared, unblocked, label is off, label off, off, removed, taken off, took off, gone, "
        "nothing in the way, all blockers are done, all its blockers are done, blockers are done, fine, ready"
    ),
}
"""What the answer may call a ticket."""


def rubric(truth: Facts) -> RubricSource:
    """The label gone from each free ticket alone; the refused blocker's ticket named."""
    refs = ticket_refs("free", truth["free"])
    refs |= {"other": {"fact": "event.truth.other"}}
    expect: list[Item] = [
        {"id": f"freed_{name}", "update": {"ref": name}, "set": {"labels": [{"ref": "other"}]}, "weight": 2}
        for name in truth["free"]
    ]
    never = [
        {"id": f"kept_{name}", "update": "jira_issue", "where": {"key_from": f"event.truth.stuck.{name}.key"}}
        for name in truth["stuck"]
    ]
    others = [f"event.truth.{kind}.{name}.key" for kind in ("free", "stuck") for name in truth[kind]]
    facts = {
        "must": [{"fact": "event.truth.refused", "called": "refused"}],
        "never": [{"fact": one, "called": "refused"} for one in others if _read_key(truth, one) != truth["refused"]],
        "labels": LABELS,
    }
    never.append({"id": "links_kept", "delete": "jira_issue_link"})
    return make_rubric([*expect, expect_reply(truth, {"facts": facts})], refs=refs, never=never)


def _read_key(truth: Facts, path: str) -> str:
    _, _, kind, name, field = path.split(".")
    return truth[kind][name][field]

"""A version holds too much: points go by the pinned order, what was promised to a customer stays."""

from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import (
    POINTS,
    comment,
    edit,
    edit_ticket,
    open_work,
    pin,
    post,
    read_first,
    rule_rooms,
    ticket_refs,
)
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Take points out of a version",
    apps=("jira", "slack"),
    calls=(6, 20),
    demands=2,
    traps={
        "promised": "hasty: cuts a ticket that a comment or #customers promises to a customer",
        "released": "literal: keeps a ticket whose promise the customer has given back",
        "too_much": "hasty: cuts on after the points are reached",
    },
)

REQUESTS = (
    "{version} holds too much, at least {points} points have to go. Which ones is settled by the note pinned in #{room}; please take them out"
    " of the version and tell me how many points it was in the end.",
    "we need to drop {points} points or a bit more from {version}. rule for it is pinned in #{room}. can you do it and give me the exact sum"
    " you took out?",
    "Planning says {version} is over by {points} points. Please cut as the pin in #{room} describes, nothing that was promised, and send me"
    " the points that are out.",
    "Could you shorten {version} by at least {points} points? How we choose is pinned in #{room}. The tickets simply lose the version. I need"
    " the sum of points for my slide.",
    "{version} will not fit. {points} points must leave it, no more than necessary, by the rule in the pins of #{room}. What is the sum of"
    " what you removed?",
)
RULES = (
    "When a version is too full: lowest priority leaves first, within a priority the ticket with more points. Stop as soon as it is enough."
    " What was promised to a customer for the version (look at comments and #customers) stays. Removed tickets have no version.",
    "How we cut: go by priority from the bottom, and within one priority from the most points down, until the sum is reached. Skip whatever a"
    " customer was promised, in a comment or in #customers, unless they let us off. A ticket that is cut gets no fix version.",
    "Cutting scope: 1. promised ones are out of the question (comments, #customers; a promise the customer gave back is none). 2. lowest"
    " priority first. 3. same priority: more points first. 4. stop when it is enough. Clear the fix version, nothing else.",
)
PROMISES = (
    "{customer} has our word that {key} comes with {version}.",
    "I promised {key} to {customer} for {version}, they plan with it.",
    "{customer} signed because of {key}. It has to be in {version}.",
)
GIVEN_BACK = (
    "{customer} called: {key} need not be in {version}, later is fine for them.",
    "Good news about {key}: {customer} lets us off for {version}.",
    "{customer} does not need {key} in {version} any more, I asked.",
)
SCALE = ((1, 2), (2, 3), (3, 5), (5, 8))
PRIORITIES = ("Lowest", "Low", "Medium", "High")


def draw(d: Draw) -> Facts:
    """Fill a version with tickets of distinct rank, promise three of them, and take one promise back."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(find_titled(d, "Product Manager", "Head of Product", "Engineering Manager"), "asker")["id"]
    version = d.pick(_list_open_versions(d), "version")
    room = d.pick(rule_rooms(w, me["id"], get_superior(me)), "room")
    pin(w, get_superior(me), room, d.pick(RULES, "rule"))
    ranked = _fill(d, get_superior(me), version)
    in_comment, in_channel, given_back = d.sample(range(4), 3, "promised")
    _promise(d, version, ranked[in_comment]["key"], ranked[in_channel]["key"], ranked[given_back]["key"])
    free = [one for number, one in enumerate(ranked) if number not in (in_comment, in_channel)]
    cut = free[: d.stream("cut").integer(2, 3)]
    total = sum(one["points"] for one in cut)
    spare = d.stream("spare").integer(0, min(1, cut[-1]["points"] - 1))
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"Scope of {version}", "Too much", "Before the planning")),
        "request": d.choose_wording(REQUESTS, version=version, room=room, points=total - spare),
        "room": room,
        "version": version,
        "cut": {f"c{number}": one for number, one in enumerate(cut)},
        "promised": {"p0": {"key": ranked[in_comment]["key"]}, "p1": {"key": ranked[in_channel]["key"]}},
        "given_back": ranked[given_back]["key"],
        "total": total,
    }


def _list_open_versions(d: Draw) -> list[str]:
    project = d.w.find("jira_project", key="SHOP")["id"]
    return [one["name"] for one in d.w.rows("jira_version", project_id=project) if not one["released"]]


def _fill(d: Draw, person: str, version: str) -> list[Facts]:
    """Eight tickets in the version, two of each priority, in the order in which they would be cut."""
    chosen = d.sample([one["key"] for one in open_work(d.w)], 8, "open tickets")
    ranked: list[Facts] = []
    for number, priority in enumerate(PRIORITIES):
        low, high = d.stream("points", priority).choice(SCALE)
        for key, points in zip(chosen[2 * number : 2 * number + 2], (high, low), strict=True):
            ranked.append({"key": key, "points": points})
            names = {"priority": {"name": priority}, "fixVersions": [{"name": version}]}
            edit_ticket(d.w, person, key, **names, **{POINTS: points})
    return ranked


def _promise(d: Draw, version: str, in_comment: str, in_channel: str, given_back: str) -> None:
    """Promise one ticket in a comment and two in #customers; one of these is given back."""
    w = d.w
    sellers = find_titled(d, "Customer Success", "Head of Customer")
    names = d.sample([one["name"] for one in w.rows("organisation", kind="customer")], 3, "customers")
    for number, (key, name) in enumerate(zip((in_comment, in_channel, given_back), names, strict=True)):
        seller = d.pick(sellers, f"seller {number}")["id"]
        text = d.pick(PROMISES, f"promise {number}").format(key=key, customer=name, version=version)
        if key == in_comment:
            comment(w, seller, key, text)
            continue
        thread = post(w, seller, "customers", text)
        if key == given_back:
            text = d.pick(GIVEN_BACK, "given back").format(key=key, customer=name, version=version)
            post(w, seller, "customers", text, thread=thread)


def solution(scene: Scene) -> Steps:
    """Clear the version of the tickets that go, tell the sum."""
    truth = scene.facts("truth")
    yield read_first(truth["given_back"])
    for name, ticket in truth["cut"].items():
        yield edit(name, ticket["key"], fixVersions=[])
    total = truth["total"]
    yield reply(
        scene,
        f"{total} points are out of {truth['version']}.",
        wordings=(f"I took out {total} points.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Exactly these tickets have no version any more; the sum is told."""
    refs = ticket_refs("cut", truth["cut"])
    expect: list[Item] = [
        {"id": f"out_{name}", "update": {"ref": name}, "set": {"fix_version_ids": []}, "weight": 2}
        for name in truth["cut"]
    ]
    told = expect_reply(truth, {"facts": {"must": ["event.truth.total"]}})
    never = [
        {"id": f"broken_{name}", "update": "jira_issue", "where": {"key_from": f"event.truth.promised.{name}.key"}}
        for name in truth["promised"]
    ]
    return make_rubric([*expect, told], refs=refs, never=never)

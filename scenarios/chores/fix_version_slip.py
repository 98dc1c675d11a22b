"""A version is out: what is in the build is done, what is not moves to the next version."""

from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import (
    edit,
    edit_ticket,
    move_ticket,
    open_work,
    post,
    read_first,
    ticket_refs,
    transition,
)
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Tidy up a version that is out",
    apps=("jira", "slack"),
    calls=(7, 20),
    demands=2,
    traps={
        "in_build": "literal: moves a ticket that is in the build because its status still says otherwise",
        "taken_out": "hasty: reads the list of the build and not the message that takes one out again",
    },
)

COUNTS = {"late": (1, 3), "live": (1, 2)}
REQUESTS = (
    "{version} is out and still has open tickets. Could you clean it up: what is really in the build is Done, the rest goes to {next}. The"
    " list of the build is in #deploys. How many moved?",
    "hey, {version} shipped today. some of its tickets aren't closed though they're live, others never made it. please sort that out with the"
    " thread in #deploys (live -> done, rest -> {next}) and tell me how many slipped",
    "For the release report I need {version} without open tickets. See #deploys for what went live; that is finished, everything else has"
    " slipped to {next}. Give me the number that slipped, please.",
    "Can you make Jira agree with what we shipped in {version}? The release post in #deploys says what is in. Live tickets are Done, the"
    " others belong into {next}. I only need to know how many those are.",
    "Would you please close the book on {version}? Open tickets that went live get closed, open tickets that didn't go to {next} (the post"
    " is in #deploys, with its thread). Number of the late ones to me, please.",
)
POSTS = (
    ":ship: {version} is live. In it: {keys}. Questions in the thread please",
    "{version} went out at last. Contents: {keys}. Watching it for an hour",
    "Release {version} done, build holds {keys}. Thanks everybody",
)
OUT = (
    "Had to take {key} out again, it broke the smoke test. Everything else stays in.",
    "Correction: without {key}, reverted ten minutes ago. The rest is live.",
    "{key} is rolled back, we try again with the next one. Others are fine.",
)
NOISE = ("Dashboards look calm.", "Error rate as before.", "Support is told.", "Smoke tests of the rest are green.")


def draw(d: Draw) -> Facts:
    """Release a version with tickets that are live, late, or taken out of the build again."""
    w = d.w
    chief = find_titled(d, "Chief Technology")[0]["id"]
    project = w.find("jira_project", key="SHOP")["id"]
    version, follower = [one for one in w.rows("jira_version", project_id=project) if not one["released"]][:2]
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(
        [get_superior(me), *(one["id"] for one in find_titled(d, "Product Manager", "Head of Product"))], "asker"
    )
    late, live = (d.stream(name).integer(*COUNTS[name]) for name in ("late", "live"))
    keys = [one["key"] for one in d.sample(open_work(w), late + live + 1, "open tickets")]
    for key in keys:
        edit_ticket(w, chief, key, fixVersions=[{"name": version["name"]}])
        move_ticket(w, chief, key, "Start progress")
        if d.chance(0.6, key):
            move_ticket(w, chief, key, "Ready for review")
    w.act(chief, "updateVersion", id=str(version["id"]), released=True)
    out, *rest = keys
    done = rest[:live]
    closed = _choose_closed(d)
    for key in closed:
        edit_ticket(w, chief, key, fixVersions=[{"name": version["name"]}])
    _announce(d, version["name"], d.stream("listed").shuffled([*done, out, *closed]), out)
    moved = d.stream("moved").shuffled([out, *rest[live:]])
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"Tickets of {version['name']}", "Release report", "After the release")),
        "request": d.choose_wording(REQUESTS, version=version["name"], next=follower["name"]),
        "version": version["name"],
        "next": follower["name"],
        "live": {f"l{number}": {"key": key} for number, key in enumerate(done)},
        "moved": {f"m{number}": {"key": key} for number, key in enumerate(moved)},
        "out": out,
        "count": len(moved),
    }


def _choose_closed(d: Draw) -> list[str]:
    """Finished stories and bugs of SHOP that no version holds yet."""
    kinds = {one["id"] for one in d.w.rows("jira_issue_type") if one["name"] in ("Story", "Bug")}
    done = d.w.find("jira_resolution", name="Done")["id"]
    found = [
        one["key"]
        for one in d.w.rows("jira_issue", resolution_id=done)
        if one["key"].startswith("SHOP-") and one["issue_type_id"] in kinds and not one["fix_version_ids"]
    ]
    return d.sample(found, min(3, len(found)), "closed tickets")


def _announce(d: Draw, version: str, keys: list[str], out: str) -> None:
    """Post the list of the build, and in its thread what was taken out again."""
    writer = d.pick(find_titled(d, "Site Reliability", "Staff Engineer"), "release writer")["id"]
    thread = post(d.w, writer, "deploys", d.pick(POSTS, "post").format(version=version, keys=", ".join(keys)))
    first, last = d.sample(NOISE, 2, "noise")
    for text in (first, d.pick(OUT, "out").format(key=out), last):
        post(d.w, writer, "deploys", text, thread=thread)


def solution(scene: Scene) -> Steps:
    """Close what is live, move the rest, tell the number."""
    truth = scene.facts("truth")
    yield read_first(truth["out"])
    for name, ticket in truth["live"].items():
        yield transition(name, ticket["key"], "Done", repeatable=True)
    for name, ticket in truth["moved"].items():
        yield edit(name, ticket["key"], fixVersions=[{"name": truth["next"]}])
    count = truth["count"]
    yield reply(
        scene,
        f"{count} slipped to {truth['next']}. What went live is closed.",
        wordings=(f"{count} moved to {truth['next']}, {truth['out']} among them because it was taken out again.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Live tickets are done in their version, the others have the next one, the number is told."""
    refs = {**ticket_refs("live", truth["live"]), **ticket_refs("moved", truth["moved"])}
    refs["next"] = {"table": "jira_version", "where": {"name_from": "event.truth.next"}}
    done = {"status": "Done", "resolution": "Done"}
    expect: list[Item] = [
        {"id": f"closed_{name}", "update": {"ref": name}, "set": done, "weight": 2} for name in truth["live"]
    ]
    for name in truth["moved"]:
        change = {"fix_version_ids": [{"ref": "next", "field": "id"}]}
        expect.append({"id": f"moved_{name}", "update": {"ref": name}, "set": change, "weight": 2})
    expect.append(expect_reply(truth, {"facts": {"must": [{"count": "event.truth.count"}]}}))
    return make_rubric(expect, refs=refs)

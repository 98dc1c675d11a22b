"""A colleague will be away: their open tickets go to the people who lead the components; reviews stay."""

from collections.abc import Generator, Mapping
from typing import Any

from scenarios.office.requests import ask, choose_place, replied, reply
from scenarios.office.requests import rubric as closed_rubric
from world.agents.steps import Scene, Step
from world.script.chore import Chore, Draw

__all__ = ["ask", "chore", "draw", "rubric", "solution"]

chore = Chore(
    title="Hand over the tickets of a colleague who will be away",
    apps=("jira", "slack"),
    calls=(5, 14),
    knobs={"reviews": (0, 1, 2)},
    traps={"review": "hasty: passes on what is in review as well", "closed": "literal: touches closed tickets"},
)

REQUESTS = (
    "{name} is out from tomorrow for {weeks} weeks. Could you pass on the tickets that {first} still has open? Each goes to whoever leads"
    " its component. What is in review already stays as it is. Tell me how many you moved.",
    "can you clean up after {name} please? {weeks} weeks off from tomorrow. whatever isn't in review yet goes to the component lead, reviews"
    " stay with {first}. a number of moved tickets is all i need back",
    "{first} won't be here for the next {weeks} weeks, so {name}'s open work needs somebody. Component leads take it, except for tickets that"
    " are in review: leave those. Let me know the count afterwards.",
    "Please reassign {name}'s unfinished tickets before tomorrow ({weeks} weeks of leave). Rule as always: the lead of the component takes"
    " them over; a ticket in review is not touched. I need to know how many changed hands.",
    "Quick favour: {name} starts {weeks} weeks of leave. Open tickets -> lead of the component. In review -> hands off. How many were there?",
)


def draw(d: Draw) -> Mapping[str, Any]:
    """Choose whose tickets move; at least three do, and the person has enough that must not."""
    w = d.w
    statuses = {one["id"]: one for one in w.rows("jira_status")}
    components = {one["id"]: one for one in w.rows("jira_component")}
    engineers = [one for one in d.people() if "Software Engineer" in one["title"]]

    def moves(issue: Mapping[str, Any]) -> bool:
        status = statuses[issue["status_id"]]
        return status["category"] != "done" and status["name"] != "In Review"

    def of(person: Mapping[str, Any]) -> list[dict[str, Any]]:
        found = [one for one in w.rows("jira_issue", assignee_id=person["id"]) if one["component_ids"] and moves(one)]
        return [one for one in found if components[one["component_ids"][0]]["lead_id"] != person["id"]]

    leaver = d.pick([one for one in engineers if len(of(one)) >= 2], "engineer with open tickets")
    manager = w.person(leaver["manager_id"])
    me = d.pick([one for one in engineers if one["id"] not in (leaver["id"], manager.id)], "colleague")
    moved = {
        f"t{number}": {"key": one["key"], "to": components[one["component_ids"][0]]["lead_id"]}
        for number, one in enumerate(of(leaver))
    }
    weeks = d.stream("weeks").integer(2, 5)
    return {
        "me": me["id"],
        "asker": manager.id,
        **choose_place(
            d, me["id"], manager.id, ("Cover for the next weeks", "Open tickets", f"{leaver['first_name']}'s leave")
        ),
        "request": d.wording(REQUESTS, name=leaver["full_name"], first=leaver["first_name"], weeks=weeks),
        "leaver": leaver["id"],
        "tickets": moved,
        "count": len(moved),
    }


def solution(scene: Scene) -> Generator[Step, Any, None]:
    """Assign each ticket, then answer with the number."""
    truth = scene.facts("truth")
    for name, ticket in truth["tickets"].items():
        lead = scene.find("account", app="jira", person_id=ticket["to"])["external_id"]
        yield Step(name, "assignIssue", {"issueIdOrKey": ticket["key"], "accountId": lead}, repeatable=True)
    count = truth["count"]
    yield reply(
        scene,
        f"Done, {count} tickets moved to the component leads.",
        wordings=(
            f"All passed on: {count} in total.",
            f"{count} of them changed hands, the rest was in review or closed.",
        ),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Mapping[str, Any]) -> Mapping[str, Any]:
    """Each ticket with its lead, and the count in the answer."""
    refs = {
        name: {"table": "jira_issue", "where": {"key_from": f"event.truth.tickets.{name}.key"}}
        for name in truth["tickets"]
    }
    leads = {f"{name}_lead": {"employee": {"fact": f"event.truth.tickets.{name}.to"}} for name in truth["tickets"]}
    moved = [
        {"id": f"moved_{name}", "update": {"ref": name}, "set": {"assignee_id": {"ref": f"{name}_lead"}}, "weight": 2}
        for name in truth["tickets"]
    ]
    told = replied(truth, {"facts": {"must": [{"count": "event.truth.count"}]}})
    return closed_rubric([*moved, told], refs={**refs, **leads})

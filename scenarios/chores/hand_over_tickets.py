"""A colleague will be away: their open tickets go to the people who lead the components; reviews stay."""

from scenarios.office.answers import forbid_calling_off, state_count
from scenarios.office.people import account, get_superior
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import edit_ticket
from world.agents.steps import Scene, Step, Steps
from world.core.rows import PersonRow
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Hand over the tickets of a colleague who will be away",
    apps=("jira", "slack"),
    calls=(5, 14),
    demands=3,
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
    "Quick favour: {name} starts {weeks} weeks of leave. Open tickets -> lead of the component. In review -> hands off. How many did you move?",
)


def draw(d: Draw) -> Facts:
    """Choose who will be away, and give them two to four tickets of the backlog beside their own."""
    w = d.w
    engineers = [one for one in d.people() if "Software Engineer" in one["title"]]
    leaver, me = d.sample(engineers, 2, "software engineers", me=1)
    askers = [get_superior(leaver), *(one["id"] for one in d.people() if one["title"].startswith("Product Manager"))]
    asker = d.pick([one for one in askers if one != me["id"]], "asker")
    unassigned = [one for one in w.rows("jira_issue", assignee_id=None, resolution_id=None) if one["component_ids"]]
    planted = d.sample(
        [one for one in unassigned if one["key"].startswith("SHOP-")], d.stream("more").integer(2, 4), "backlog"
    )
    for issue in planted:
        who = account(w, leaver["id"], "jira")
        w.act(get_superior(leaver), "assignIssue", issueIdOrKey=issue["key"], accountId=who)
    settle_components(d, leaver)
    moved = {f"t{number}": one for number, one in enumerate(list_moves(d, leaver["id"]))}
    first = leaver["first_name"]
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Cover for the next weeks", "Open tickets", f"{first}'s leave")),
        "request": d.choose_wording(
            REQUESTS, name=leaver["full_name"], first=first, weeks=d.stream("weeks").integer(2, 5)
        ),
        "leaver": leaver["id"],
        "tickets": moved,
        "count": len(moved),
    }


def settle_components(d: Draw, leaver: PersonRow) -> None:
    """Leave one component to tickets whose components have several leads: no rule says which of them counts."""
    found = {one["id"]: one for one in d.w.rows("jira_component")}
    for issue in d.w.rows("jira_issue", assignee_id=leaver["id"], resolution_id=None):
        parts = [found[one] for one in issue["component_ids"]]
        if len({one["lead_id"] for one in parts}) > 1:
            edit_ticket(d.w, get_superior(leaver), issue["key"], components=[{"name": parts[0]["name"]}])


def list_moves(d: Draw, leaver: str) -> list[dict[str, str]]:
    """Open tickets that are not in review and whose component somebody else leads, each with that person."""
    statuses = {one["id"]: one for one in d.w.rows("jira_status")}
    leads = {one["id"]: one["lead_id"] for one in d.w.rows("jira_component")}
    return [
        {"key": one["key"], "to": leads[one["component_ids"][0]]}
        for one in d.w.rows("jira_issue", assignee_id=leaver, resolution_id=None)
        if one["component_ids"]
        and statuses[one["status_id"]]["name"] != "In Review"
        and statuses[one["status_id"]]["category"] != "done"
        and leads[one["component_ids"][0]] != leaver
    ]


def solution(scene: Scene) -> Steps:
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


COUNTED = (
    "moved",
    "passed on",
    "reassigned",
    "changed hands",
    "handed over",
    "transferred",
)
OTHERS = ("could not be moved", "not moved", "could not move", "still with", "stay where", "stayed with", "stay with")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
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
    told = expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS))
    never = [forbid_calling_off("jira_comment", "body_text", name) for name in truth["tickets"]]
    return make_rubric([*moved, told], refs={**refs, **leads}, never=never)

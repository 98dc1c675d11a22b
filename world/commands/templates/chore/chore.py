"""A ticket came from a customer: it gets the label for that, and the asker hears who works on it."""

from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Label a ticket that came from a customer",
    apps=("jira", "slack", "gmail"),
    calls=(4, 8),
    traps={
        "labels": "hasty: replaces the labels that the ticket has",
        "assignee": "forgetful: leaves out who works on it",
    },
)
LABEL = "from-customer"
REQUESTS = (
    '{customer} reported the thing in "{summary}". Could you put the label {label} on the ticket? And who is on it at the moment?',
    'please add {label} to "{summary}", it came from {customer}. i also need to know whose ticket it is',
    'The ticket "{summary}" goes back to {customer}, so it should carry our label {label}. Tell me who works on it, please.',
    'Can you label "{summary}" with {label}? {customer} asked again today, and I would like to know who to talk to about it.',
    '"{summary}" is one of {customer}\'s. Label it {label} like the others and let me know who has it.',
)


def draw(d: Draw) -> Facts:
    """Choose an open ticket that somebody works on, a customer, an asker and the agent."""
    issues = [
        one
        for one in d.w.rows("jira_issue", resolution_id=None)
        if one["assignee_id"] and one["key"].startswith("SHOP-")
    ]
    issue = d.pick(issues, "open ticket")
    customer = d.pick(d.w.rows("organisation", kind="customer"), "customer")
    others = [one for one in d.people() if one["id"] != issue["assignee_id"]]
    me = d.pick([one for one in others if "Software Engineer" in one["title"]], "engineer")
    asker = d.pick([one for one in others if one["id"] != me["id"]], "asker")
    words = {"summary": issue["summary"], "customer": customer["name"], "label": LABEL}
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("A label", "One ticket", customer["name"])),
        "request": d.choose_wording(REQUESTS, **words),
        "key": issue["key"],
        "assignee": issue["assignee_id"],
    }


def solution(scene: Scene) -> Steps:
    """Add the label to those that are there, then name the assignee."""
    truth = scene.facts("truth")
    issue, person = scene.find("jira_issue", key=truth["key"]), scene.find("person", id=truth["assignee"])
    labels = [*issue["labels"], LABEL]
    yield Step("label", "editIssue", {"issueIdOrKey": truth["key"], "fields": {"labels": labels}}, repeatable=True)
    name = person["full_name"]
    yield reply(
        scene,
        f"It is labelled. {name} works on it.",
        wordings=(f"Done, it is with {name}.", f"Label is on. Assignee: {name}"),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """The label beside those that were there, and the assignee's name in the answer."""
    refs = {
        "ticket": {"table": "jira_issue", "where": {"key_from": "event.truth.key"}},
        "assignee": {"employee": {"fact": "event.truth.assignee"}},
    }
    labelled = {"id": "labelled", "update": {"ref": "ticket"}, "set": {"labels": {"superset": [LABEL]}}, "weight": 2}
    told = expect_reply(truth, {"facts": {"must": [{"ref": "assignee"}]}})
    return make_rubric([labelled, told], refs=refs)
